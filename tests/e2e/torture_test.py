#!/usr/bin/env python3
"""One crawl of the torture server (torture_server.py): for each case (torture_cases.py), what was stored against what was sent, what
crawl.log says, and what was asked of the server."""

import base64
import dataclasses
import hashlib
import os
import resource
import sys
import unittest

import harness
import torture_cases
import torture_formats
import torture_http2
import torture_server
import warc_records

GROUPS = {**torture_cases.GROUPS, **torture_formats.GROUPS, **torture_http2.GROUPS}
CASES = [dataclasses.replace(case, group=group) for group, cases in GROUPS.items() for case in cases]

# Cases end by their own doing, by a limit, or by the least of times.
SETTINGS = """
fetch:
  connect-timeout: 2s
  silence-timeout: 2s
  total-timeout: 8s
  max-length: 4MiB
politeness:
  delay: 0s
  max-per-address: 64
  url-retries: 1
  url-retry-delay: 300ms
  max-retry-delay: 1s
  host-retry-delay: 300ms
  host-failures: 1
  host-probes: 0
  set-aside: 1s
extract:
  favicon: false
sheets:
  frames:
    sites: [{frames}]
    settings:
      fetch: {{http-version: 2}}
      robots: {{policy: ignore}}
""".format(frames=", ".join(case.name + ".localhost" for case in torture_http2.HTTP2))
# Annotations that tell nothing of a case.
COMMON = ("content-size:", "duplicate:", "warcRevisit:", "revisitOf:", "3t")


class TortureSite:
    def __init__(self, server):
        self.seeds = server.seeds


class Torture(unittest.TestCase):
    """A test method for each case is made below: one crawl is what all of them look at."""

    longMessage = False

    @classmethod
    def setUpClass(cls):
        cls.server = torture_server.TortureServer(CASES)
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.__exit__)
        cls.crawl = harness.Crawl(TortureSite(cls.server), SETTINGS)
        cls.addClassCleanup(cls.crawl.remove)
        code, out, err = cls.crawl.run(more=("--dedup", "off"), timeout=600)
        cls.ended = (code, out[-2000:], err[-2000:])
        cls.peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        launch, = cls.crawl.launches
        lines = [line.split() for line in (launch / "logs/crawl.log").read_text().splitlines()]
        cls.lines = {line[3]: line for line in lines}
        cls.repeated = sorted({line[3] for line in lines if cls.lines[line[3]] is not line})
        cls.problems = {line["url"]: line.get("problem") for log, line, _ in harness.outcomes(launch)}
        cls.records = {}
        for path in sorted((cls.crawl.collection / "archive").iterdir()):
            for record in warc_records.read_file(path, is_sound=False):
                if record.type in ("response", "revisit"):
                    cls.records.setdefault(record.url, []).append(record)

    def test_ends_in_order(self):
        self.assertEqual(self.ended[0], 0, self.ended)
        self.assertEqual(self.repeated, [self.server.url("robots-redirect-loop", "/robots.txt")], f"two lines in crawl.log: {self.repeated}")
        self.assertEqual(self.crawl.caddis("warc", "check", *(self.crawl.collection / "archive").iterdir()).returncode, 0)

    def test_memory_is_bounded(self):
        harness.tell(self, peak_bytes=self.peak)
        limit = 2_000_000_000 if os.environ.get("CADDIS_SANITIZE") else 400_000_000
        self.assertLess(self.peak, limit, f"{self.peak} bytes at the peak")

    def faults(self, case):
        """What is not as the case wants it, in words."""
        url = self.server.url(case.name)
        line = self.lines.get(url)
        if line is None:
            return [f"no line in crawl.log: {[url for url in self.lines if case.name in url]}"]
        faults = []
        if case.status is not None and int(line[1]) != case.status:
            faults.append(f"status {line[1]} instead of {case.status}")
        words = [word for word in line[11].split(",") if word != "-" and not word.startswith(COMMON)]
        if case.words is not None and case.status is not None and case.status > 0 and sorted(words) != sorted(case.words):
            faults.append(f"annotations {words} instead of {list(case.words)} ({self.problems.get(url)})")
        faults += self.faults_of_record(case, url)
        faults += self.faults_of_requests(case)
        return faults

    def faults_of_record(self, case, url):
        if case.stored is None:
            return
        records = self.records.get(url, [])
        if case.stored == torture_cases.NOTHING:
            if records:
                yield f"{len(records)} records of what is not to be stored"
            return
        if len(records) != 1:
            yield f"{len(records)} records instead of one"
            return
        record, = records
        sent = [bytes(heard.sent) for heard in self.server.heard[case.name] if heard.path == "/"][-1]
        block, head = record.block, record.block.partition(b"\r\n\r\n")[0]
        if record.type == "revisit":
            if not sent.startswith(head):
                yield "the head of a revisit is not what was sent"
        elif case.stored == torture_cases.FRONT:
            if not block or not (sent.startswith(block) or block.startswith(sent) and len(sent) >= 4_000_000):
                yield f"{len(block)} bytes are stored that are no part of the {len(sent)} that were sent"
        elif block != (sent if case.stored == torture_cases.ALL else case.stored):
            yield f"stored are {len(block)} bytes, {block[:80]!r} … {block[-40:]!r}; sent were {len(sent)}, … {sent[-40:]!r}"
        if record.fields.get("warc-truncated") != case.cut:
            yield f"WARC-Truncated {record.fields.get('warc-truncated')} instead of {case.cut}"
        if case.payload is not None:
            digest = "sha1:" + base64.b32encode(hashlib.sha1(case.payload).digest()).decode()
            if record.fields.get("warc-payload-digest") != digest:
                yield f"payload digest {record.fields.get('warc-payload-digest')} instead of {digest}"

    def faults_of_requests(self, case):
        heard = self.server.heard[case.name]
        tries = sum(one.path == "/" for one in heard)
        if case.tries is not None and case.status is not None and case.status > 0 and tries != case.tries and case.cut is None:
            yield f"asked {tries} times instead of {case.tries}"
        if case.tries == 0 and tries:
            yield f"asked {tries} times though it was not to be"
        told = [one.field("cookie") or "" for one in heard if one.path == "/next"]
        if case.cookie is not None and (len(told) != 1 or not (case.cookie(told[0]) if callable(case.cookie) else case.cookie == told[0])):
            yield f"the Cookie of /next is {told}"
        others = sorted({one.path for one in heard if one.path not in ("/", "/favicon.ico")})
        if case.asks is not None and others != sorted(case.asks):
            yield f"asked for {others} instead of {sorted(case.asks)}"


def add(case):
    def test(self):
        faults = self.faults(case)
        self.assertFalse(faults, f"{case.group}, {case.name}: " + "; ".join(faults))
    setattr(Torture, f"test_{case.group}_{case.name}".replace("-", "_"), test)


for each in CASES:
    add(each)

if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
