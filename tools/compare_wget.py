#!/usr/bin/env python3
"""What `wget --recursive --page-requisites` captures of the sites of a collection, beside what Caddis captured.

  DEMO_PORT=8199 make demo                                   serves the demo's sites as long as it runs
  tools/compare_wget.py --collection demo-archive            in another terminal

The seeds come from the collection's crawl.log; the sites must still be served. Names below .localhost need no DNS: wget asks the
server on their port as its proxy. Prints both numbers and every difference by class; exit status 1 where one has no explanation.
With --log FILE an earlier log of `wget --no-verbose` is taken in place of a run.
"""

import argparse
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse

from predict_crawl import normal

Visit = collections.namedtuple("Visit", "status hops via type")


def crawled(collection):
    """(seeds, normal URL → Visit) of what was answered; prerequisites are left out."""
    seeds, visits = [], {}
    for log in sorted(glob.glob(os.path.join(collection, "crawls", "*", "logs", "crawl.log"))):
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                _, status, _, url, hops, via, mime = line.split()[:7]
                if int(status) <= 0 or url.startswith("dns:") or hops.endswith("P"):
                    continue
                if hops == "-":
                    seeds.append(url)
                visits.setdefault(normal(url), Visit(int(status), hops, normal(via) if via != "-" else "", mime))
    return seeds, visits


def run_wget(seeds, log):
    parts = [urllib.parse.urlsplit(seed) for seed in seeds]
    command = ["wget", "--recursive", "--level=inf", "--page-requisites", "--no-verbose", "--span-hosts",
               "--domains=" + ",".join(sorted({part.hostname for part in parts})), "--delete-after", "--output-file=" + log]
    environment = dict(os.environ)
    if all(part.hostname.endswith(".localhost") for part in parts):
        environment["http_proxy"] = f"http://127.0.0.1:{parts[0].port or 80}/"
    with tempfile.TemporaryDirectory(prefix="compare-wget-") as folder:
        # 8: a server answered with an error, as for every 404.
        code = subprocess.run([*command, "--directory-prefix=" + folder, *seeds], env=environment, check=False).returncode
    if code not in (0, 8):
        sys.exit(f"wget failed with status {code}; see {log}")


def fetched(log):
    """Normal URL → status, from what wget --no-verbose wrote."""
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    found = {normal(url): 200 for url in re.findall(r"URL:(\S+) \[", text)}
    found.update({normal(url): int(status) for url, status in re.findall(r"^(https?://\S+):\n\S+ \S+ ERROR (\d+)", text, re.M)})
    return found


def only_here(visit, visits):
    """Why Caddis has a URL that wget has not."""
    via = visits.get(visit.via)
    if "X" in visit.hops:
        return "found in a script, which wget does not read"
    if visit.hops.endswith("I"):
        return "inferred (/favicon.ico)"
    if via and via.type == "image/svg+xml":
        return "linked from an SVG image, which wget does not read"
    if via and via.type.startswith(("text/xml", "application/xml", "application/json")):
        return "linked from XML or JSON, which wget does not read"
    return None


def report(title, differences):
    """Prints the URLs of each class; gives the number of those without one."""
    classes = collections.defaultdict(list)
    for url, why in differences:
        classes[why].append(url)
    print(f"{title}: {len(differences)}")
    for why, urls in sorted(classes.items(), key=lambda item: (item[0] is None, -len(item[1]))):
        print(f"  {len(urls):6}  {why or 'NOT EXPLAINED'}, as {', '.join(urls[:2 if why else 20])}")
    return len(classes[None])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--collection", required=True)
    arguments.add_argument("--log", help="what an earlier wget --no-verbose wrote")
    options = arguments.parse_args()
    seeds, visits = crawled(options.collection)
    if not seeds:
        sys.exit(f"{options.collection} holds no crawl.log with a seed")
    if options.log:
        others = fetched(options.log)
    else:
        with tempfile.TemporaryDirectory(prefix="compare-wget-") as folder:
            log = os.path.join(folder, "wget.log")
            run_wget(seeds, log)
            others = fetched(log)
    robots = {url for url in others if urllib.parse.urlsplit(url).path == "/robots.txt" and url not in visits}
    for url in robots:  # a prerequisite on both sides
        del others[url]
    for name, statuses in (("Caddis", [visit.status for visit in visits.values()]), ("wget", list(others.values()))):
        print(f"{name + ':':8}{len(statuses)} URLs, by status: {dict(sorted(collections.Counter(statuses).items()))}")
    unexplained = report("only Caddis", [(url, only_here(visits[url], visits)) for url in sorted(set(visits) - set(others))])
    unexplained += report("only wget", [(url, None) for url in sorted(set(others) - set(visits))])
    # wget logs a redirect under the URL that it led to.
    other_status = [(url, None) for url in sorted(set(others) & set(visits)) if others[url] != visits[url].status]
    unexplained += report("with another status", other_status)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
