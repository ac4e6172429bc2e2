#!/usr/bin/env python3
"""A web that is crawled again: what has not changed becomes a revisit that resolves, what has changed a response.

simweb knows what every page is in each version of the web. CADDIS_KILLS: how often the second crawl is killed (8 by default);
CADDIS_KILL_SEED: of the moments.
"""

import collections
import http.server
import json
import pathlib
import random
import subprocess
import sys
import threading
import unittest
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench")]

import harness  # noqa: E402
import warc_records  # noqa: E402
from crawlbench import processes  # noqa: E402
from kill_test import KILLS, SEED, Moments  # noqa: E402

SIMWEB = pathlib.Path(harness.BINARY).resolve().parent / "simweb"
WEB = ["--profile", "small-20k"]
for setting in ("hosts=10", "pages=400", "mean_size=4000", "mean_links=10", "duplicate=0.1", "robots_rules=0.3", "redirect=0.02",
                "not_found=0.02"):
    WEB += ["--set", setting]
SETTINGS = """
crawl:
  contact: test@localhost
  seeds: ["{seed}"]
dns:
  servers: ["127.0.0.1:{dns}"]
scope:
  kind: any
  max-hops: 1000
politeness:
  delay: 0s
"""


class Web:
    """simweb in one of its versions, always at the same ports."""

    def __init__(self, folder):
        self.folder, self.ports = folder, []

    def arguments(self, version):
        return [*WEB, "--set", f"version={version}", *self.ports]

    def serve(self, version):
        web = processes.Simweb(SIMWEB, self.arguments(version), self.folder / f"judge-{version}.json", any_port=not self.ports)
        self.ports = [part for name in ("http_port", "https_port") for part in ("--set", f"{name}={web.ready[name]}")]
        return web

    def faults(self, collection, launch, version):
        """Of that launch; of all together, if there is none."""
        crawl = ["--crawl", launch] if launch else []
        told = subprocess.run([SIMWEB, "verify", collection, *crawl, "--json", *self.arguments(version)],
                              capture_output=True, text=True, timeout=120)
        lines = [json.loads(line) for line in told.stdout.splitlines()]
        return [line for line in lines if "fault" in line], lines[-1] if lines else told.stderr


class DedupTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.chance = random.Random(SEED)
        self.crawl = harness.Crawl(None)
        self.web = Web(self.crawl.folder)
        self.moments = Moments(self.chance)
        print(f"seed {SEED}", flush=True)

    def run(self, result=None):
        """What failed stays to be looked at."""
        faults = len(result.failures) + len(result.errors)
        super().run(result)
        if len(result.failures) + len(result.errors) == faults:
            self.crawl.remove()

    def crawl_version(self, version, *more, collection=None, kills=0, verify="launch"):
        """A launch of its own. Returns the records of it, and how often it was killed."""
        collection = collection or self.crawl.collection
        self.crawl.collection = collection
        before = set((collection / "archive").glob("*"))
        launches = len(self.crawl.launches)
        killed = 0
        with self.web.serve(version) as web:
            self.crawl.config.write_text(SETTINGS.format(seed=web.ready["seed"], dns=web.ready["dns_port"]))
            while True:
                begun = len(self.crawl.launches) > launches
                arguments = ["--resume"] if begun else ["--config", self.crawl.config, *more]
                process = self.crawl.popen([harness.BINARY, "crawl", *arguments, "--collection", collection])
                killer = threading.Thread(target=self.kill_at_some_moment, args=(process,)) if killed < kills else None
                if killer:
                    killer.start()
                code, out, err = harness.finish(process)
                if killer:
                    killer.join()
                if code >= 0:
                    break
                killed += 1
        self.assertEqual(code, 0, out + err)
        self.said = out + err
        if verify:
            faults, counts = self.web.faults(collection, self.crawl.launches[-1].name if verify == "launch" else "", version)
            self.assertEqual(faults[:20], [], f"{counts}, see {self.crawl.folder}")
        files = sorted(set((collection / "archive").glob("*")) - before)
        return [record for path in files for record in warc_records.read_file(path)], killed

    def kill_at_some_moment(self, process):
        self.moments.wait(self.crawl, process)
        if process.poll() is None:
            process.kill()

    @staticmethod
    def digests(records, kind):
        return collections.Counter(record.fields["warc-payload-digest"] for record in records
                                   if record.type == kind and record.url.startswith("http") and record_has_payload(record))

    def judge_second(self, first, second):
        """Whatever the first crawl has stored is not stored again."""
        warc_records.resolve(first + second)
        stored = self.digests(first, "response")
        again = [digest for digest in self.digests(second, "response") if digest in stored]
        self.assertEqual(again[:10], [], f"{len(again)} stored again, see {self.crawl.folder}")
        revisits = [record for record in second if record.type == "revisit"]
        changed = len(self.digests(second, "response"))
        self.assertGreater(len(revisits), 200)
        self.assertGreater(changed, 10)
        return len(revisits), changed

    def test_a_second_crawl_stores_what_has_changed(self):
        first, _ = self.crawl_version(0)
        second, _ = self.crawl_version(1)
        revisits, changed = self.judge_second(first, second)
        print(f"{revisits} revisits, {changed} new payloads", flush=True)
        self.assertIn("known already: ", self.said)
        # Pages of the same URL come before others as originals.
        same = [record for record in second if record.type == "revisit" and record.url == record.fields["warc-refers-to-target-uri"]]
        self.assertGreater(len(same), revisits * 0.8)
        report = (self.crawl.launches[-1] / "reports/dedup-report.txt").read_text()
        self.assertIn(f"Duplicates found: {revisits} ", report)
        self.assertRegex(report, r"\nAverage lookup time: [0-9.]+ ms\nLast lookup time: [0-9.]+ ms\n")
        log = (self.crawl.launches[-1] / "logs/crawl.log").read_text()
        self.assertEqual(log.count("duplicate:digest,warcRevisit:"), revisits)
        third, _ = self.crawl_version(1)
        self.judge_third(first + second, third)

    def test_two_urls_with_one_body(self):
        """What is committed is known: so the crawl has to last for some seconds."""
        records, _ = self.crawl_version(0, "--delay", "60ms")
        warc_records.resolve(records)
        others = [record for record in records if record.type == "revisit" and record.url != record.fields["warc-refers-to-target-uri"]]
        self.assertGreater(len(others), 10)
        stored = self.digests(records, "response")
        self.assertLess(sum(stored.values()) - len(stored), len(others))

    def judge_third(self, before, third):
        """Nothing is new. An original is a response, never a revisit."""
        warc_records.resolve(before + third)
        stored = self.digests(before, "response")
        self.assertEqual([digest for digest in self.digests(third, "response") if digest in stored], [])

    def test_kills_in_the_second_crawl_change_nothing_of_it(self):
        first, _ = self.crawl_version(0)
        kills = 0
        version = 1
        while kills < KILLS:
            second, killed = self.crawl_version(version, kills=min(KILLS - kills, 25))
            kills += killed
            self.judge_second(first, second)
            first += second
            version += 1
            print(f"{kills} kills", flush=True)
        harness.tell(self, moments=kills, crawls=version)

    def test_other_collections_are_asked(self):
        first, _ = self.crawl_version(0)
        other = self.crawl.folder / "other"
        elsewhere, _ = self.crawl_version(1, collection=other)
        third = self.crawl.folder / "third"
        again, _ = self.crawl_version(1, "--dedup-against", self.crawl.folder / "c", "--dedup-against", other, collection=third)
        self.judge_third(first + elsewhere, again)
        self.assertGreater(len([record for record in again if record.type == "revisit"]), 200)

    def test_a_remote_index_is_asked_until_it_dies(self):
        first, _ = self.crawl_version(0)
        index = RemoteIndex(next((self.crawl.collection / "indexes").glob("*.cdxj")))
        self.addCleanup(index.stop)
        third = self.crawl.folder / "third"
        index.most = 100
        second, _ = self.crawl_version(0, "--dedup-against", index.address, collection=third)
        self.assertGreaterEqual(index.asked, 100)
        stored = {record.fields["warc-record-id"] for record in second if record.type == "response"}
        elsewhere = [record for record in second if record.type == "revisit" and record.fields.get("warc-refers-to") not in stored]
        originals = {(record.url, record.fields["warc-date"][:19], record.fields["warc-payload-digest"]) for record in first
                     if record.type == "response"}
        self.assertGreater(len(elsewhere), 30)
        for record in elsewhere:
            fields = record.fields
            self.assertIn((fields["warc-refers-to-target-uri"], fields["warc-refers-to-date"][:19], fields["warc-payload-digest"]), originals)
        self.assertIn("is away", self.said)

    def test_servers_are_asked_whether_pages_have_changed(self):
        first, _ = self.crawl_version(0)
        # Links are read from what is stored: the whole web is found all the same.
        second, _ = self.crawl_version(0, "--set", "dedup.conditional=true", verify="collection")
        unchanged = self.unchanged(first, second)
        log = (self.crawl.launches[-1] / "logs/crawl.log").read_text()
        self.assertEqual(log.count("duplicate:server-not-modified,warcRevisit:notModified,"), len(unchanged))
        # What has changed is sent.
        third, _ = self.crawl_version(1, "--set", "dedup.conditional=true", verify=None)
        self.unchanged(first, third)
        self.assertGreater(len(self.digests(third, "response")), 10)

    def unchanged(self, first, later):
        self.judge_third(first, later)
        unchanged = [record for record in later if record.type == "revisit"
                     and record.fields["warc-profile"].endswith("/server-not-modified")]
        self.assertGreater(len(unchanged), 200)
        for record in unchanged:
            self.assertEqual(int(record.block.split(b" ", 2)[1]), 304)
        return unchanged

    def test_off_stores_everything(self):
        self.crawl_version(0)
        second, _ = self.crawl_version(0, "--dedup", "off")
        self.assertEqual([record for record in second if record.type == "revisit"], [])

    def test_what_cannot_be_asked_is_refused(self):
        self.crawl.config.write_text("crawl: {seeds: [\"http://localhost:9/\"]}\n")
        nothing = self.crawl.folder / "nothing"
        code, out, err = harness.finish(self.crawl.popen([harness.BINARY, "crawl", "--config", self.crawl.config, "--collection",
                                                          self.crawl.collection, "--dedup-against", nothing]))
        self.assertEqual(code, 2, out + err)
        self.assertIn("dedup.against", err)
        self.assertIn(str(nothing), err)
        self.assertEqual(self.crawl.launches, [])


class Parts(http.server.ThreadingHTTPServer):
    """Answers 206 to whoever asks for a part, be it all of a document, and 304 to whoever has it."""

    pages = {"/": b"<a href=/whole>x</a><a href=/long>x</a>", "/whole": b"<p>all of it", "/long": b"x" * 3000}

    def __init__(self):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                asked.append((self.path, self.headers["If-None-Match"]))
                body, part = Parts.pages.get(self.path, b""), self.headers["Range"]
                last = min(int(part.split("-")[1]), len(body) - 1) if part else len(body) - 1
                known = self.headers["If-None-Match"] == '"1"'
                self.send_response(404 if not body else 304 if known else 206 if part else 200)
                self.send_header("ETag", '"1"')
                self.send_header("Content-Type", "text/html")
                if not known:
                    self.send_header("Content-Length", str(last + 1))
                    if body and part:
                        self.send_header("Content-Range", f"bytes 0-{last}/{len(body)}")
                self.end_headers()
                if not known:
                    self.wfile.write(body[:last + 1])

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.seeds = [f"http://127.0.0.1:{self.server_port}/"]


class PartsTest(unittest.TestCase):
    def test_servers_are_asked_about_documents_that_came_as_a_part_of_all_of_them(self):
        settings = harness.SETTINGS + "fetch: {max-length: 1000, range: true}\ndedup: {conditional: true}\nextract: {favicon: false}\n"
        with Parts() as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.addCleanup(server.shutdown)
            crawl = harness.Crawl(server, settings)
            self.addCleanup(crawl.remove)
            for _ in range(2):
                code, out, err = crawl.run()
                self.assertEqual(code, 0, out + err)
            self.assertEqual(collections.Counter(asked for asked in server.asked if asked[0] != "/robots.txt"), {
                ("/", None): 1, ("/whole", None): 1, ("/long", None): 2, ("/", '"1"'): 1, ("/whole", '"1"'): 1})
            log = (crawl.launches[-1] / "logs/crawl.log").read_text()
            self.assertEqual(log.count("warcRevisit:notModified"), 2, log)
            paths = sorted((crawl.collection / "archive").iterdir())
            checked = subprocess.run([harness.BINARY, "warc", "check", *paths], capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)


class RemoteIndex(http.server.ThreadingHTTPServer):
    """A CDX server over a CDXJ file. After `most` questions it breaks off every connection."""

    daemon_threads = True

    def __init__(self, path):
        self.lines = collections.defaultdict(list)
        for line in path.read_text().splitlines():
            self.lines[json.loads(line.split(" ", 2)[2])["url"]].append(line)
        self.asked, self.most = 0, sys.maxsize
        super().__init__(("127.0.0.1", 0), Answer)
        self.address = f"http://127.0.0.1:{self.server_port}/cdx"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def stop(self):
        self.shutdown()
        self.server_close()


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked += 1
        if self.server.asked > self.server.most:
            self.close_connection = True
            return
        url = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)["url"][0]
        body = "".join(line + "\n" for line in self.server.lines[url]).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def record_has_payload(record):
    return record.fields["warc-payload-digest"] != warc_records.digest_like("sha1:", b"")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
