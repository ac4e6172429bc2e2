"""Orders of the frontier compared: how much of the web's PageRank a crawl has after a part of its pages."""

import dataclasses

from . import crawl, profiles, table

# `cost` says nothing where all URLs cost the same.
ORDERS = {"found": {}, "hops": {}, "deep": {}, "cost": {"cost": "wag"}}


def run(bench, scale):
    """Order -> what the judge saw of a crawl of the same web in that order."""
    found = {}
    for order, more in ORDERS.items():
        settings = {"frontier": {"order": order, **more}}
        profile = dataclasses.replace(profiles.ORDER, name=f"order-{order}", settings=settings).scaled(scale)
        folder = bench.empty_folder(profile)
        usage, _, report, _ = bench.crawl(profile, folder)
        if usage.exit_code != 0:
            found[order] = {"error": crawl.last_words(usage, folder)}
            continue
        found[order] = {"pages": (report["curve"] or [{"pages": 0}])[-1]["pages"], "seconds": report["seconds"],
                        "judge": crawl.judge_figures(report, profile)}
        bench.remove_collection(folder)
    return found


def text(found):
    rows = [["order", "pages", "mass of", *table.MASS_COLUMNS, "coverage", "dup", "viol"]]
    for order, result in found.items():
        if result.get("error"):
            continue
        judge = result["judge"]
        rows.append([order, table.number(result["pages"]), *table.mass(judge), table.exact_percent(judge["coverage"]),
                     table.number(judge["duplicates"]), table.number(judge["violations"])])
    return "\n".join([table.columns(rows), *(f"{order}: {result['error']}" for order, result in found.items() if result.get("error"))])
