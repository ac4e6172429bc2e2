"""The results as text."""


def columns(rows):
    """Rows of texts, aligned: the first column to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(text.ljust(width) if i == 0 else text.rjust(width) for i, (text, width) in enumerate(zip(row, widths)))
                     .rstrip() for row in rows)


def number(value, digits=0):
    return "-" if value is None else f"{value:,.{digits}f}"


def percent(value):
    return "-" if value is None else f"{value:.0%}"


def overview(profiles):
    rows = [["profile", "pages", "pages/s", "MB/s", "us/page", "user", "sys", "bound us", "ratio", "RSS MB", "B/URL", "B/host",
             "coverage", "dup", "viol"]]
    for name, result in profiles.items():
        if result.get("error"):
            continue
        judge = result.get("judge") or {}
        coverage = judge.get("coverage")
        rows.append([name, number(result["documents"]), number(result["pages_per_second"]), number(result["mb_per_second"], 1),
                     number(result["cpu_us"]), number(result["user_us"]), number(result["system_us"]), number(result["bound"]["us"]),
                     percent(result["ratio"]), number(result["rss_bytes"] / 1e6), number(result["bytes_per_url"]),
                     number(result["bytes_per_host"]), "-" if coverage is None else f"{coverage:.2%}", number(judge.get("duplicates")),
                     number(judge.get("violations"))])
    return columns(rows)


def stages(name, result):
    rows = [[f"{name}: us a page by stage", "ours", "yardstick"]]
    rows += [[stage, number(ours, 1), number(yardstick, 1)] for stage, ours, yardstick in result["stages"]]
    rows.append(["all", number(result["cpu_us"], 1), number(result["bound"]["us"], 1)])
    return columns(rows)


def everything(results):
    profiles = results["profiles"]
    parts = [f"{results['machine']['cpu']}, {results['machine']['cores']} cores, {' '.join(results['machine']['flags'])}",
             overview(profiles)]
    parts += [f"{name}: {result['error']}" for name, result in profiles.items() if result.get("error")]
    parts += [f"{name}: {result['start_seconds']:.1f} s of start not counted" for name, result in profiles.items()
              if result.get("start_seconds")]
    parts += [stages(name, result) for name, result in profiles.items() if result.get("stages")]
    return "\n\n".join(parts)
