"""What a setting costs: one web crawled in turn with Caddis's own value and with another one."""

import dataclasses
import statistics

from . import crawl, profiles, table


def parse(text):
    """`section.name=value` as section -> name -> value."""
    path, equals, value = text.partition("=")
    section, dot, name = path.partition(".")
    if not (equals and dot and section and name):
        raise ValueError(f"{text!r}: a setting is written section.name=value")
    return {section: {name: value}}


def micros(bench, profile):
    """Processor time of one crawl, in microseconds a captured document."""
    folder = bench.empty_folder(profile)
    usage, _, _, _ = bench.crawl(profile, folder)
    if usage.exit_code not in (0, 3):
        raise RuntimeError(crawl.last_words(usage, folder))
    documents = int(crawl.report_of(folder / "collection")["documents"])
    bench.remove_collection(folder)
    return (usage.user + usage.system) * 1e6 / documents


def run(bench, profile, change, times):
    """Microseconds a document of each crawl, as it is and changed, in turn."""
    changed = dataclasses.replace(profile, settings=profiles.merged(profile.settings, *change))
    rounds = []
    for number in range(times):
        # Who comes second finds other caches than who comes first: so they change places.
        pair = [("as it is", profile), ("changed", changed)]
        took = {name: micros(bench, which) for name, which in (pair if number % 2 == 0 else reversed(pair))}
        rounds.append(took)
    return rounds


def text(rounds):
    rows = [["round", "us/page", "changed", "ratio"]]
    for number, took in enumerate(rounds, 1):
        rows.append([str(number), f"{took['as it is']:.1f}", f"{took['changed']:.1f}", f"{took['changed'] / took['as it is']:.3f}"])
    own, other = (statistics.median(took[name] for took in rounds) for name in ("as it is", "changed"))
    rows.append(["median", f"{own:.1f}", f"{other:.1f}", f"{other / own:.3f}"])
    least, least_other = (min(took[name] for took in rounds) for name in ("as it is", "changed"))
    rows.append(["least", f"{least:.1f}", f"{least_other:.1f}", f"{least_other / least:.3f}"])
    return table.columns(rows)
