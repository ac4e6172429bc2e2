"""Orders of the frontier compared: how much of the web's PageRank a crawl has after a part of its pages."""

import dataclasses

from . import crawl, profiles, table

# `cost` says nothing where all URLs cost the same. Importance counts between queues, too, where those are told to go by it; beside it
# what that alone does. Embeds come with their page in all of them, and take a large part of the first pages: so both once more without.
ORDERS = {
    "found": {}, "hops": {}, "deep": {}, "cost": {"cost": "wag"}, "opic": {},
    "found, highest-url": {"order": "found", "queues": "highest-url"},
    "opic, highest-url": {"order": "opic", "queues": "highest-url"},
    "found, no embeds first": {"order": "found", "embed-preference": 0},
    "opic, no embeds first": {"order": "opic", "embed-preference": 0},
    "opic, highest-url, no embeds first": {"order": "opic", "queues": "highest-url", "embed-preference": 0},
}


def run(bench, scale):
    """Order -> what the judge saw of a crawl of the same web in that order."""
    found = {}
    for order, more in ORDERS.items():
        settings = {"frontier": {"order": order, **more}}
        profile = dataclasses.replace(profiles.ORDER, name="order-" + order.replace(", ", "-").replace(" ", "-"), settings=settings).scaled(scale)
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
