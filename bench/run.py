#!/usr/bin/env python3
"""The crawl benchmark (bench/README.md).

  bench/run.py run [PROFILE…] [--scale X]   crawl the profiles, print the table, write build/bench/results.json
  bench/run.py check                        compare these results with bench/baseline.json; exit status 1 where something got worse
  bench/run.py accept                       make them the baseline
  bench/run.py orders                       how soon each frontier.order has the pages that matter
  bench/run.py peers                        other crawlers on the same web
  bench/run.py settings PROFILE --set S.N=V what a setting costs: crawls with and without it, in turn
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

from crawlbench import compare, crawl, orders, peers, profiles, settings, table

HERE = pathlib.Path(__file__).resolve().parent
BASELINE = HERE / "baseline.json"


def read(path, otherwise=None):
    if not path.exists():
        if otherwise is None:
            sys.exit(f"bench: {path} is missing: run `make bench` first")
        return otherwise
    return json.loads(path.read_text())


def check_names(arguments):
    unknown = [name for name in arguments.profiles if name not in profiles.PROFILES]
    if unknown:
        sys.exit(f"bench: no profile {', '.join(unknown)}; there are {', '.join(profiles.PROFILES)}")


def run(arguments):
    check_names(arguments)
    bench = crawl.Bench(arguments.build, arguments.work, arguments.perf, arguments.verify)
    results = {"scale": arguments.scale, "began": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "profiles": {}}
    for name in arguments.profiles or profiles.PROFILES:
        profile = profiles.PROFILES[name].scaled(arguments.scale)
        print(f"bench: {name}: {profile.about}; {profile.pages:,} pages, {profile.hosts:,} hosts", file=sys.stderr, flush=True)
        try:
            result = bench.run(profile)
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:
            result = {"error": str(error)}
        results["profiles"][name] = result
        if "yardsticks" in result:
            results["machine"] = {"cpu": result["yardsticks"]["cpu"], "flags": result["yardsticks"]["cpu_flags"],
                                  "cores": len(crawl.processes.os.sched_getaffinity(0))}
        arguments.results.write_text(json.dumps(results, indent=1))
    results.setdefault("machine", {"cpu": "unknown", "flags": [], "cores": 0})
    print(table.everything(results))
    print(f"\nresults: {arguments.results}")
    return 1 if any(result.get("error") for result in results["profiles"].values()) else 0


def check(arguments):
    results, baseline = read(arguments.results), read(BASELINE, {"profiles": {}})
    lines = compare.worse(results, baseline)
    for line in lines:
        print(line)
    left_out = compare.covered(results, baseline)
    if left_out:
        print(f"not run: {', '.join(left_out)}")
    if not lines:
        print(f"nothing got worse by more than {compare.TOLERANCE:.0%}")
    return 1 if lines else 0


def accept(arguments):
    results, baseline = read(arguments.results), read(BASELINE, {"profiles": {}})
    baseline["profiles"].update(compare.kept(results)["profiles"])
    BASELINE.write_text(json.dumps(baseline, indent=1, sort_keys=True) + "\n")
    return 0


def run_peers(arguments):
    bench = crawl.Bench(arguments.build, arguments.work, perf=False)
    found = peers.run(bench, arguments.scale, arguments.seconds)
    (arguments.results.parent / "peers.json").write_text(json.dumps(found, indent=1))
    print(peers.text(found))
    return 0


def run_orders(arguments):
    bench = crawl.Bench(arguments.build, arguments.work, perf=False)
    found = orders.run(bench, arguments.scale)
    (arguments.results.parent / "orders.json").write_text(json.dumps(found, indent=1))
    print(orders.text(found))
    return 1 if any(result.get("error") for result in found.values()) else 0


def run_settings(arguments):
    check_names(arguments)
    if not arguments.profiles or not arguments.set:
        sys.exit("bench: settings needs a profile, and one or more --set section.name=value")
    bench = crawl.Bench(arguments.build, arguments.work, perf=False)
    for name in arguments.profiles:
        profile = profiles.PROFILES[name].scaled(arguments.scale)
        print(f"{name}, {profile.pages:,} pages, changed: {', '.join(arguments.set)}")
        print(settings.text(settings.run(bench, profile, [settings.parse(text) for text in arguments.set], arguments.times)))
    return 0


def main():
    root = HERE.parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["run", "check", "accept", "orders", "peers", "settings"])
    parser.add_argument("profiles", nargs="*")
    parser.add_argument("--scale", type=float, default=1.0, help="pages and hosts times this")
    parser.add_argument("--seconds", type=float, default=300, help="peers: the longest that one of them may take")
    parser.add_argument("--build", type=pathlib.Path, default=root / "build" / "release", help="where the programs are")
    parser.add_argument("--results", type=pathlib.Path, default=root / "build" / "bench" / "results.json")
    parser.add_argument("--work", type=pathlib.Path, default=None, help="where crawls are written; removed as they end")
    parser.add_argument("--no-perf", dest="perf", action="store_false", help="do not look where the time goes")
    parser.add_argument("--verify", action="store_true", help="let simweb compare every archive with the web, too")
    parser.add_argument("--set", action="append", default=[], help="settings: section.name=value, on one side of the comparison")
    parser.add_argument("--times", type=int, default=5, help="settings: rounds, each with and without")
    arguments = parser.parse_args()
    arguments.results.parent.mkdir(parents=True, exist_ok=True)
    arguments.work = arguments.work or arguments.results.parent / "work"
    return {"run": run, "check": check, "accept": accept, "orders": run_orders, "peers": run_peers,
            "settings": run_settings}[arguments.what](arguments)


if __name__ == "__main__":
    sys.exit(main())
