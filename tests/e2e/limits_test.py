#!/usr/bin/env python3
"""Limits and quotas as an operator meets them: a crawl that ends, pauses, or gives up at a limit; hosts that stop at a quota."""

import argparse
import base64
import collections
import hashlib
import http.server
import json
import os
import subprocess
import sys
import threading
import time
import unittest
import zlib

import harness
from local_site import HOSTS, LocalSite


# Of the body in LargeBodyTest. By hand: CADDIS_LARGE_BODY_MB=100000, on a disk with room for that twice (TMPDIR says where).
LARGE_MB = int(os.environ.get("CADDIS_LARGE_BODY_MB", "160"))


class ZerosServer:
    """Answers /zeros/N with N megabytes of zeros, and tells their digest."""

    def __init__(self):
        self.digests = digests = {}
        piece = bytes(1_000_000)

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if not self.path.startswith("/zeros/"):
                    return self.send_error(404)
                megabytes = int(self.path.rsplit("/", 1)[1])
                self.send_response(200)
                self.send_header("Content-Type", "application/octet-stream")
                self.send_header("Content-Length", str(megabytes * len(piece)))
                self.end_headers()
                digest = hashlib.sha1()
                for _ in range(megabytes):
                    self.wfile.write(piece)
                    digest.update(piece)
                digests[megabytes] = "sha1:" + base64.b32encode(digest.digest()).decode()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def url(self, megabytes):
        return f"http://127.0.0.1:{self.server.server_address[1]}/zeros/{megabytes}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class LargeBodyTest(unittest.TestCase):
    def crawl(self, server, megabytes):
        """(peak of resident memory in MB, fields of the response record, seconds)"""
        crawl = harness.Crawl(argparse.Namespace(seeds=[server.url(megabytes)]))
        self.addCleanup(crawl.remove)
        crawl.config.write_text(harness.SETTINGS + "fetch:\n  max-length: 1TB\n  total-timeout: 3h\n")
        # The sanitizer keeps what is free for a while: that is not the crawl's.
        environment = {**harness.clean_environment(crawl.folder), "ASAN_OPTIONS": "quarantine_size_mb=4"}
        begun = time.monotonic()
        with (crawl.folder / "said").open("wb") as said:
            process = subprocess.Popen([str(part) for part in crawl.arguments()], stdout=said, stderr=said, env=environment)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0, (crawl.folder / "said").read_text())
        lines = [json.loads(line.split(" ", 2)[2]) for path in (crawl.collection / "indexes").glob("*.cdxj")
                 for line in path.read_text().splitlines() if "/zeros/" in line]
        self.assertEqual(len(lines), 1)
        with (crawl.collection / "archive" / lines[0]["filename"]).open("rb") as archive:
            archive.seek(int(lines[0]["offset"]))
            head = zlib.decompressobj(31).decompress(archive.read(4000), 4000)
        fields = dict(line.split(": ", 1) for line in head.partition(b"\r\n\r\n")[0].decode().splitlines()[1:])
        fields["http head"] = len(head.partition(b"\r\n\r\n")[2].partition(b"\r\n\r\n")[0]) + 4
        return usage.ru_maxrss / 1024, fields, time.monotonic() - begun

    def test_costs_no_more_memory_than_a_small_one(self):
        server = ZerosServer()
        self.addCleanup(server.stop)
        small, _, _ = self.crawl(server, 1)
        large, fields, seconds = self.crawl(server, LARGE_MB)
        harness.tell(self, megabytes=LARGE_MB, small_mb=round(small), large_mb=round(large), seconds=round(seconds))
        self.assertEqual(int(fields["Content-Length"]), LARGE_MB * 1_000_000 + fields["http head"])
        self.assertEqual(fields["WARC-Payload-Digest"], server.digests[LARGE_MB])
        self.assertNotIn("WARC-Truncated", fields)
        self.assertLess(large - small, 80)


class LimitsTest(unittest.TestCase):
    def new_crawl(self, site, settings=""):
        crawl = harness.Crawl(site)
        self.addCleanup(crawl.remove)
        crawl.config.write_text(harness.SETTINGS + settings)
        return crawl

    def caddis(self, crawl, verb, *arguments, code=0):
        done = subprocess.run([harness.BINARY, verb, str(crawl.collection), *arguments], capture_output=True, text=True,
                              timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def status(self, crawl):
        return json.loads(self.caddis(crawl, "status", "--json"))

    def wait_for_state(self, crawl, state):
        harness.wait_until(lambda: crawl.status().get("state") == state, f"crawl that is {state}")
        return self.status(crawl)

    def documents(self, crawl):
        """Lines of crawl.log that are no prerequisite, as (status, URL, annotations)."""
        lines = [line.split() for path in crawl.collection.glob("crawls/*/logs/crawl.log") for line in path.read_text().splitlines()]
        return [(int(line[1]), line[3], line[11]) for line in lines
                if not line[3].startswith("dns:") and not line[3].endswith("/robots.txt")]

    def test_ends_at_a_limit_and_goes_on(self):
        with LocalSite(pages=40) as site:
            crawl = self.new_crawl(site)
            code, out, err = crawl.run(more=["--max-documents", "15"])
            self.assertEqual(code, 3, out + err)
            self.assertIn("reached max-documents (15): 15 documents", out)
            report = self.status(crawl)["report"]
            self.assertEqual(report["crawl status"], "Finished - Maximum number of documents limit hit; reached max-documents (15)")
            self.assertEqual(report["documents"], "15")
            code, out, err = crawl.run(resume=True, more=["--max-documents", "0"])
            self.assertEqual(code, 0, out + err)
            self.assertEqual(crawl.check(), [])

    def test_pauses_at_a_limit_until_it_is_raised(self):
        with LocalSite(pages=40) as site:
            crawl = self.new_crawl(site)
            process = crawl.start(more=["--max-documents", "12", "--at-limit", "pause"])
            try:
                status = self.wait_for_state(crawl, "paused")
                self.assertEqual(status["documents"], 12)
                self.assertIn("max-documents", status["waits_for"])
                self.assertEqual(status["limits"], [{"name": "max-documents", "used": 12, "limit": 12,
                                                     "text": "max-documents: 12 of 12"}])
                self.assertIn("max-documents: 12 of 12", self.caddis(crawl, "status"))
                self.assertIn("stays paused", self.caddis(crawl, "resume", code=1))
                self.assertIn("did you mean", self.caddis(crawl, "resume", "--set", "crawl.max-dokuments=1", code=1))
                self.assertIn("cannot change", self.caddis(crawl, "resume", "--set", "crawl.name=X", code=1))
                self.caddis(crawl, "resume", "--set", "limits.max-documents=20")
                self.assertEqual(self.wait_for_state(crawl, "paused")["documents"], 20)
                self.caddis(crawl, "resume", "--set", "limits.max-documents=0")
                code, out, err = harness.finish(process, 120)
                self.assertEqual(code, 0, out + err)
            finally:
                if process.poll() is None:
                    harness.kill(process)
            self.assertEqual(crawl.check(), [])
            launch = crawl.launches[0]
            self.assertIn("max-documents: 0", (launch / "crawl.yaml").read_text())
            progress = (launch / "logs/progress-statistics.log").read_text()
            self.assertIn("CRAWL PAUSED reached max-documents (12)", progress)
            self.assertIn("OPERATOR limits.max-documents changed from 12 to 20", progress)

    def test_gives_up_what_waits_at_a_limit(self):
        with LocalSite(pages=40) as site:
            crawl = self.new_crawl(site)
            code, out, err = crawl.run(more=["--max-documents", "10", "--at-limit", "block"])
            self.assertEqual(code, 3, out + err)
            lines = self.documents(crawl)
            given_up = [line for line in lines if line[0] == -5004]
            self.assertEqual(sum(line[0] > 0 for line in lines), 10)
            self.assertGreater(len(given_up), 4)
            self.assertEqual({line[2] for line in given_up}, {"limit:max-documents"})
            self.assertIn(f"reached max-documents (10); {len(given_up)} URLs were given up", out)
            self.assertIn("-5004 given up when a limit of the crawl was reached", out)
            self.assertIn("nothing waits any more: what did was given up at the limit", out)
            self.assertNotIn("with a higher limit", out)

    def test_hosts_stop_at_their_quota(self):
        with LocalSite(pages=60) as site:
            crawl = self.new_crawl(site, "quota:\n  host-successes: 6\n")
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            by_host = collections.Counter(url.split("/")[2].split(":")[0] for status, url, _ in self.documents(crawl) if status > 0)
            self.assertEqual(by_host, {host: 6 for host in HOSTS})
            self.assertIn("over quota:", out)
            report = self.status(crawl)["report"]
            self.assertIn("since quotas are used up", report["crawl status"])
            self.assertGreater(int(report["URIs queued over quota"]), 20)
            host = json.loads(self.caddis(crawl, "frontier", "--host", HOSTS[0], "--json"))
            self.assertEqual(host["usage"]["successes"], 6)
            self.assertEqual([(queue["state"], queue["over_quota"]) for queue in host["queues"]], [("over quota", "host-successes")])
            self.assertIn("quota.host-successes is used up", self.caddis(crawl, "frontier", "--host", HOSTS[0]))
            higher = crawl.folder / "higher.yaml"
            higher.write_text("quota:\n  host-successes: 0\n")
            code, out, err = crawl.run(resume=True, more=["--config", higher])
            self.assertEqual(code, 0, out + err)
            self.assertEqual(crawl.check(), [])

    def test_runs_while_empty(self):
        with LocalSite(pages=8) as site:
            crawl = self.new_crawl(site)
            process = crawl.start(more=["--run-while-empty"])
            try:
                documents = self.wait_for_state(crawl, "empty")["documents"]
                self.caddis(crawl, "frontier", "--add", site.seeds[0], "--force")
                harness.wait_until(lambda: self.status(crawl)["documents"] > documents, "document more")
                self.wait_for_state(crawl, "empty")
                self.assertEqual(self.status(crawl)["documents"], documents + 1)
                self.caddis(crawl, "stop")
                code, out, err = harness.finish(process, 60)
                self.assertEqual(code, 4, out + err)
            finally:
                if process.poll() is None:
                    harness.kill(process)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
