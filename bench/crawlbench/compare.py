"""Holds a run of the benchmark against the last accepted one (bench/baseline.json).

Only figures that do not depend on the machine are kept: ratios to the bound, bytes of memory a URL and a host. And what is never
accepted, whatever the baseline says: pages missed, URLs fetched twice, robots.txt or delays violated.
"""

# Name -> whether more is better.
KEPT = {"ratio": True, "bytes_per_url": False, "bytes_per_host": False}
TOLERANCE = 0.10


def kept(results):
    """What a baseline keeps of results."""
    return {"profiles": {name: {figure: round(profile[figure], 4) for figure in KEPT if profile.get(figure) is not None}
                         for name, profile in sorted(results["profiles"].items())}}


def judged(name, profile):
    """What the judge found wrong, in words."""
    judge = profile.get("judge") or {}
    wrong = []
    coverage = judge.get("coverage")
    if profile.get("complete") and coverage is not None and coverage < 1:
        wrong.append(f"{name}: {coverage:.4%} of the pages that had to be asked for were")
    wrong += [f"{name}: {judge[figure]} {figure}" for figure in ("duplicates", "violations") if judge.get(figure)]
    verify = profile.get("verify")
    if verify and verify["exit_code"] != 0:
        wrong.append(f"{name}: simweb verify: {(verify['lines'] or ['failed'])[-1]}")
    return wrong


def worse(results, baseline, tolerance=TOLERANCE):
    """One line for everything that got worse by more than the tolerance, and everything that the judge found wrong."""
    lines = []
    for name, profile in sorted(results["profiles"].items()):
        if profile.get("error"):
            lines.append(f"{name}: {profile['error']}")
            continue
        lines += judged(name, profile)
        for figure, before in baseline.get("profiles", {}).get(name, {}).items():
            now = profile.get(figure)
            if now is None:
                lines.append(f"{name}: {figure} is not known any more, was {before:.4g}")
                continue
            change = (before - now if KEPT[figure] else now - before) / before if before else 0.0
            if change > tolerance:
                lines.append(f"{name}: {figure} {now:.4g}, was {before:.4g}: {change:.0%} worse")
    return lines


def covered(results, baseline):
    """Profiles of the baseline that the results say nothing about."""
    return sorted(set(baseline.get("profiles", {})) - set(results["profiles"]))
