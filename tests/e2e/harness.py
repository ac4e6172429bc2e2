"""What the end-to-end tests share: running caddis, comparing an archive with the site, and reporting to ctest.

The binary comes from CADDIS_BINARY. `main` runs the module's TestCases; with --json FILE it writes the cases in the shape of
GoogleTest's report, so that each of them is counted by tools/test_summary.py.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import warc_records

BINARY = os.environ.get("CADDIS_BINARY", "build/dev/caddis")
SETTINGS = """
politeness:
  delay: 0s
  url-retries: 1
  url-retry-delay: 300ms
"""


class Crawl:
    """A collection in a folder of its own, and the commands on it."""

    def __init__(self, site, settings=SETTINGS):
        self.site = site
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.collection = self.folder / "c"
        self.config = self.folder / "crawl.yaml"
        self.config.write_text(settings)

    def remove(self):
        shutil.rmtree(self.folder)

    def arguments(self, resume=False, more=()):
        seeds = ["--resume"] if resume else [*self.site.seeds, "--config", self.config]
        return [BINARY, "crawl", *seeds, "--collection", self.collection, *more]

    def start(self, resume=False, more=()):
        return self.popen(self.arguments(resume, more))

    def popen(self, arguments):
        return subprocess.Popen([str(part) for part in arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=clean_environment(self.folder))

    def caddis(self, *arguments):
        """Another command."""
        return subprocess.run([BINARY, *[str(part) for part in arguments]], capture_output=True, text=True,
                              env=clean_environment(self.folder), timeout=300)

    def run(self, resume=False, more=(), timeout=300):
        return finish(self.start(resume, more), timeout)

    def logged(self):
        """Bytes of crawl.log: with every commit, there are more."""
        return sum(path.stat().st_size for path in self.collection.glob("crawls/*/logs/crawl.log"))

    @property
    def launches(self):
        return sorted(path.parent for path in self.collection.glob("crawls/*/crawl.yaml"))

    def can_resume(self):
        return bool(self.launches)

    def status(self):
        """What `caddis status --json` says; an empty object where it says nothing."""
        try:
            return json.loads(self.caddis("status", "--json", self.collection).stdout)
        except json.JSONDecodeError:
            return {}

    def checkpoints(self):
        """Folders of those that are complete."""
        return sorted(path.parent for path in self.collection.glob("crawls/*/state/checkpoints/*/manifest")
                      if path.parent.suffix != ".tmp")

    @staticmethod
    def log_at(checkpoint):
        """Lines of crawl.log, in words, that were committed when it was taken."""
        for line in (checkpoint / "manifest").read_text().splitlines():
            if " crawl.log" in line:
                log = (checkpoint.parents[2] / "logs/crawl.log").read_bytes()[:int(line.split()[1])]
                return [line.split() for line in log.decode().splitlines()]
        return []

    def records(self):
        """Of the archive, without what was newer than a checkpoint that the crawl went back to."""
        return warc_records.resolve([record for path in sorted((self.collection / "archive").iterdir()) if path.is_file()
                                     for record in warc_records.read_file(path)])

    def check(self):
        """What is wrong with the archive of one ended crawl, in words; an empty list where nothing is."""
        return [*Differences(self)][:40]


def wait_until(probe, what, seconds=180, every=0.05):
    """What the probe gives, once that is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := probe():
            return found
        time.sleep(every)
    raise AssertionError(f"within {seconds} seconds: no {what}")


def clean_environment(home):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CADDIS_")}
    return {**environment, "HOME": str(home)}


def finish(process, timeout=300):
    """(exit code, standard output, standard error)"""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"no end after {timeout} s\n{out}\n{err}") from None
    return process.returncode, out, err


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.communicate()


OUTCOME_LOGS = ("http", "dns", "failures", "not-crawled")


UNQUEUED = ("rejected", "duplicate")


def unqueued(launch):
    """Lines about links that were found and not queued (logs.rejected-links)."""
    lines = map(json.loads, (launch / "logs/not-crawled.jsonl").read_text().splitlines())
    return [line for line in lines if line.get("status") in UNQUEUED]


def outcomes(launch):
    """(log, line, status as in crawl.log) of each line of the logs by protocol and by fate (docs/formats/logs.md)."""
    formats = pathlib.Path(__file__).resolve().parents[2] / "docs/formats/logs.md"
    words = dict(re.findall(r"^\| `([a-z-]+)` \| (-?\d+) \|", formats.read_text(), re.M))
    for log in OUTCOME_LOGS:
        for line in map(json.loads, (launch / f"logs/{log}.jsonl").read_text().splitlines()):
            if "log" not in line and line["status"] not in UNQUEUED:
                yield log, line, line["status"] if log == "http" else 1 if log == "dns" else int(words[line["status"]])


class Remainder:
    """What is left of a site when these lines of crawl.log are done."""

    def __init__(self, site, lines):
        done = {line[3] for line in lines}
        self.seeds = site.seeds
        self.captures = {url: capture for url, capture in site.captures.items() if url not in done}
        self.log = {url: status for url, status in site.log.items() if url not in done}


class Differences:
    """Compares an ended crawl with the site, file by file."""

    def __init__(self, crawl):
        self.crawl, self.site = crawl, crawl.site

    def __iter__(self):
        records = self.crawl.records()
        yield from self.captures(records)
        yield from self.log()
        yield from self.outcomes()
        yield from self.index(records)
        yield from self.folders()

    @staticmethod
    def counts(what, found, expected):
        for url in sorted(set(found) | set(expected)):
            if found[url] != expected[url]:
                yield f"{what}: {url}: {found[url]} instead of {expected[url]}"

    def captures(self, records):
        expected = collections.Counter(self.site.captures.keys())
        by_type = collections.defaultdict(collections.Counter)
        for record in records:
            by_type["response" if record.type == "revisit" else record.type][record.url] += 1
        yield from self.counts("responses", by_type["response"], expected)
        yield from self.counts("requests", by_type["request"], expected)
        lookups = collections.Counter(url for url in self.site.log if url.startswith("dns:"))
        yield from self.counts("lookups", by_type["resource"], lookups)
        ids = collections.Counter(record.fields["warc-record-id"] for record in records)
        yield from (f"id {name} {count} times" for name, count in ids.items() if count != 1)
        for record in records:
            if record.type not in ("response", "revisit") or record.url not in self.site.captures:
                continue
            status, body = self.site.captures[record.url]
            if record.http()[0] != status or body is not None and record.body() != body:
                yield f"{record.url}: not what was served"

    def log(self):
        for launch in self.crawl.launches:
            text = (launch / "logs/crawl.log").read_text()
            if not text.endswith("\n"):
                yield "crawl.log ends within a line"
            lines = [line.split() for line in text.splitlines()]
            yield from (f"crawl.log: {line}" for line in lines if len(line) != 12)
            found = collections.Counter((line[3], int(line[1])) for line in lines)
            yield from self.counts("crawl.log", found, collections.Counter(self.site.log.items()))

    def outcomes(self):
        """The logs by protocol and by fate have each outcome once, all together."""
        for launch in self.crawl.launches:
            found = collections.Counter((line["url"], status) for _, line, status in outcomes(launch))
            yield from self.counts("logs by fate", found, collections.Counter(self.site.log.items()))

    def index(self, records):
        places = {(record.url, record.file, record.offset, record.length) for record in records
                  if record.type in ("response", "revisit", "resource")}
        indexed = []
        for path in (self.crawl.collection / "indexes").iterdir():
            if path.name.endswith((".cdxj.meta", ".digests")):
                continue
            if path.suffix != ".cdxj":
                yield f"unknown file {path}"
            for line in path.read_text().splitlines():
                entry = json.loads(line.split(" ", 2)[2])
                indexed.append((entry["url"], entry["filename"], int(entry["offset"]), int(entry["length"])))
        yield from self.counts("index", collections.Counter(indexed), collections.Counter(list(places)))

    def folders(self):
        allowed = {"": {"archive", "crawls", "indexes", "pages"}, "pages": {"pages.jsonl"}}
        for launch in self.crawl.launches:
            inside = str(launch.relative_to(self.crawl.collection))
            allowed[inside] = {"action", "crawl.yaml", "logs", "reports", "state"}
            allowed[inside + "/logs"] = {"crawl.log", "nonfatal-errors.log", "progress-statistics.log", "pages.jsonl", "uri-errors.log",
                                         "runtime-errors.log", "alerts.log", "job.log", *(f"{log}.jsonl" for log in OUTCOME_LOGS)}
            allowed[inside + "/state"] = {"db", "seen", "seen-runs", "cdx-journal", "orphans", "spool", "secrets.yaml", "checkpoints", "seeds", "known"}
        for folder, names in allowed.items():
            yield from (f"unknown file {path}" for path in (self.crawl.collection / folder).iterdir()
                        if re.sub(r"^seen\.[0-9]+$", "seen", path.name) not in names and not (folder.endswith("/state") and path.name.startswith("after-")))
        for path in (self.crawl.collection / "archive").iterdir():
            if not re.fullmatch(r"[^/]+\.warc\.gz|after-[^/]+", path.name):
                yield f"unknown file {path}"
        spool = [path for launch in self.crawl.launches for path in launch.glob("state/spool/*")]
        yield from (f"left in the spool: {path}" for path in spool)


# Figures of test cases, by the case's name: they stand in its entry of the report, as GoogleTest's properties do.
FIGURES = collections.defaultdict(collections.Counter)


def content_size(line):
    """Bytes of head and body, as the fields of a line of crawl.log say."""
    sizes = [word.partition(":")[2] for word in line[11].split(",") if word.startswith("content-size:")]
    return int(sizes[0]) if sizes else 0


def tell(case, **figures):
    FIGURES[case.id()].update(figures)


def report(result, cases, path):
    """GoogleTest's JSON, as far as tools/test_summary.py reads it."""
    failed = {case.id(): text for case, text in result.failures + result.errors}
    skipped = {case.id(): why for case, why in result.skipped}
    suite = []
    for case in cases:
        entry = {"name": case.id().split(".")[-1], "classname": case.id().split(".")[-2], "status": "RUN", "result": "COMPLETED"}
        if case.id() in failed:
            entry["failures"] = [{"failure": failed[case.id()]}]
        elif case.id() in skipped:
            entry.update(result="SKIPPED", skipped=[{"message": skipped[case.id()]}])
        suite.append({**entry, **{name: str(figure) for name, figure in FIGURES[case.id()].items()}})
    pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
    pathlib.Path(path).write_text(json.dumps({"testsuites": [{"name": "e2e", "testsuite": suite}]}))


def flatten(suite):
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from flatten(part)
        else:
            yield part


def main(module):
    parser = argparse.ArgumentParser()
    parser.add_argument("--json")
    parser.add_argument("only", nargs="*", help="names of test methods")
    arguments = parser.parse_args()
    cases = list(flatten(unittest.defaultTestLoader.loadTestsFromModule(module)))
    if arguments.only:
        cases = [case for case in cases if case.id().split(".")[-1] in arguments.only]
    result = unittest.TextTestRunner(verbosity=2).run(unittest.TestSuite(cases))
    if arguments.json:
        report(result, cases, arguments.json)
    else:
        for case, figures in FIGURES.items():
            print(case.split(".")[-1], *(f"{name}={figure}" for name, figure in figures.items()))
    return 0 if result.wasSuccessful() else 1
