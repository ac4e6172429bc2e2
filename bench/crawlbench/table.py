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


def exact_percent(value):
    return "-" if value is None else f"{value:.2%}"


MASS_COLUMNS = ["mass@10%", "mass@25%", "mass@50%"]


def mass(judge):
    """What mass is, and the share of it that the crawl had after a part of the pages."""
    shares = judge.get("mass_at") or {}
    return [judge.get("mass") or "-", *(exact_percent(shares.get(part)) for part in ("10", "25", "50"))]


def masses(profiles):
    rows = [["profile", "mass of", *MASS_COLUMNS]]
    rows += [[name, *mass(result["judge"])] for name, result in profiles.items() if (result.get("judge") or {}).get("mass_at")]
    return columns(rows) if len(rows) > 1 else ""


def connections_a_page(result, judge):
    connections = judge.get("connections")
    return connections / result["documents"] if connections is not None and result["documents"] else None


def overview(profiles):
    rows = [["profile", "pages", "pages/s", "MB/s", "us/page", "user", "sys", "bound us", "ratio", "conn", "RSS MB", "B/URL",
             "B/host", "coverage", "dup", "viol"]]
    for name, result in profiles.items():
        if result.get("error"):
            continue
        judge = result.get("judge") or {}
        coverage = judge.get("coverage")
        rows.append([name, number(result["documents"]), number(result["pages_per_second"]), number(result["mb_per_second"], 1),
                     number(result["cpu_us"]), number(result["user_us"]), number(result["system_us"]), number(result["bound"]["us"]),
                     percent(result["ratio"]), number(connections_a_page(result, judge), 2), number(result["rss_bytes"] / 1e6),
                     number(result["bytes_per_url"]), number(result["bytes_per_host"]), exact_percent(coverage),
                     number(judge.get("duplicates")), number(judge.get("violations"))])
    return columns(rows)


def stages(name, result):
    rows = [[f"{name}: us a page by stage", "ours", "yardstick"]]
    rows += [[stage, number(ours, 1), number(yardstick, 1)] for stage, ours, yardstick in result["stages"]]
    rows.append(["all", number(result["cpu_us"], 1), number(result["bound"]["us"], 1)])
    return columns(rows)


def everything(results):
    profiles = results["profiles"]
    parts = [f"{results['machine']['cpu']}, {results['machine']['cores']} cores, {' '.join(results['machine']['flags'])}",
             overview(profiles), *filter(None, [masses(profiles)])]
    parts += [f"{name}: {result['error']}" for name, result in profiles.items() if result.get("error")]
    parts += [f"{name}: {result['start_seconds']:.1f} s of start not counted" for name, result in profiles.items()
              if result.get("start_seconds")]
    parts += [stages(name, result) for name, result in profiles.items() if result.get("stages")]
    return "\n\n".join(parts)
