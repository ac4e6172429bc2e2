#!/usr/bin/env python3
"""The chain of writers: what WARC, ARC and a mirror hold of one crawl, which of them takes what, and that replay finds it."""

import gzip
import json
import pathlib
import re
import subprocess
import sys
import unittest
import urllib.request

import harness
import warc_records
from local_site import LocalSite

ALL = """
archive:
  writers: ["warc", "pictures: warc, prefix PIC, packing none, folder pictures", "arc, folder arcs", "mirror"]
  digest: sha256
  organization: The Library
pipeline:
  guard: ["writer pictures: mime ^image/", "writer mirror: mime ^text/html"]
fetch: {headers: ["Authorization: Basic c2VjcmV0"]}
sheets:
  news: {sites: [alpha.localhost], settings: {archive: {prefix: NEWS}}}
  quiet: {sites: [beta.localhost], settings: {pipeline: {disable: [writer arc]}}}
"""


def arc_records(path):
    """(URL, type, block) of each record behind the version block."""
    data, records = gzip.decompress(path.read_bytes()), []
    while data:
        line, _, data = data.partition(b"\n")
        url, _, _, mime, length = line.decode().split(" ")
        records.append((url, mime, data[:int(length)]))
        if data[int(length):int(length) + 1] != b"\n":
            raise AssertionError(f"{url}: no line end behind the block")
        data = data[int(length) + 1:]
    if not records[0][0].startswith("filedesc://") or b"<arc:software>Caddis/" not in records[0][2]:
        raise AssertionError(records[0])
    return records[1:]


class WritersTest(unittest.TestCase):
    def crawl(self, site, settings, more=()):
        crawl = harness.Crawl(site, harness.SETTINGS + settings)
        self.addCleanup(crawl.remove)
        code, out, err = crawl.run(more=more)
        self.assertEqual(code, 0, out + err)
        return crawl

    def check(self, crawl, *files):
        checked = crawl.caddis("warc", "check", *files)
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_each_takes_what_it_is_to_take(self):
        with LocalSite(pages=24) as site:
            crawl = self.crawl(site, ALL)
            pages = {url: body for url, (status, body) in site.captures.items() if status == 200}
            archives = sorted((crawl.collection / "archive").iterdir())
            self.check(crawl, *archives, *(crawl.collection / "pictures").iterdir(), *(crawl.collection / "arcs").iterdir())

            whole = [record for path in archives for record in warc_records.read_file(path)]
            found = {record.url for record in whole if record.type in ("response", "revisit")}
            self.assertEqual({url for url in site.captures if url not in found}, set())
            for record in whole:
                if record.type in ("response", "revisit"):
                    name = "NEWS" if "//alpha." in record.url else "WEB"
                    self.assertTrue(pathlib.Path(record.file).name.startswith(name + "-"), record.file)
                    self.assertTrue(record.fields["warc-payload-digest"].startswith("sha256:"), record.fields)
                self.assertNotIn(b"c2VjcmV0", record.block)
                if record.type == "warcinfo":
                    self.assertIn(b"organization: The Library\r\n", record.block)
            self.assertTrue(any(b"requestWithheld: Authorization\r\n" in record.block for record in whole))

            pictures = b"".join(path.read_bytes() for path in (crawl.collection / "pictures").glob("PIC-*.warc"))
            images = [url for url in pages if url.endswith(".png")]
            self.assertTrue(images)
            for url in (url for url in pages if not url.endswith("/robots.txt")):
                self.assertEqual(f"WARC-Target-URI: {url}\r\n".encode() in pictures, url in images, url)

            copied = {}
            for path in (crawl.collection / "arcs").iterdir():
                copied.update((url, block) for url, _, block in arc_records(path))
            for url, body in pages.items():
                if "//beta." in url:
                    self.assertNotIn(url, copied)
                else:
                    head, _, block = copied[url].partition(b"\r\n\r\n")
                    self.assertTrue(head.startswith(b"HTTP/1.1 200 "), head)
                    self.assertTrue(b"gzip" in head or block == body, url)

            listed = [json.loads(line) for line in next(crawl.collection.glob("crawls/*/logs/mirror.jsonl")).open()]
            self.assertEqual({line["url"] for line in listed}, {url for url in pages if url.endswith((".html", "/", "/robots.txt"))})
            for line in listed:
                self.assertEqual((crawl.collection / "mirror" / line["path"]).read_bytes(), pages[line["url"]], line)

            self.replays(crawl, next(url for url in pages if "//alpha." in url and url.endswith(".html")), pages)

    def replays(self, crawl, url, pages):
        server = subprocess.Popen([harness.BINARY, "serve", str(crawl.collection), "--listen", "127.0.0.1:0"], text=True,
                                  stdout=subprocess.PIPE, env=harness.clean_environment(crawl.folder))
        try:
            port = int(server.stdout.readline().rsplit(":", 1)[1].split("/")[0])
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/c/2030id_/{url}") as answer:
                body = answer.read()
            if body[:2] == b"\x1f\x8b":
                body = gzip.decompress(body)
            self.assertEqual(body, pages[url])
        finally:
            server.terminate()
            server.communicate()

    def test_zstd_learns_a_dictionary_and_is_known_again(self):
        with LocalSite(pages=2000) as site:
            # Slowly enough that much is left to fetch when the dictionary is there.
            crawl = self.crawl(site, "archive: {packing: zstd}\n", more=["--set", "politeness.delay=15ms"])
            files = sorted((crawl.collection / "archive").iterdir())
            self.assertEqual({path.suffix for path in files}, {".zst"})
            self.check(crawl, *files)
            with_dictionary = [path for path in files if path.read_bytes()[:4] == b"\x5d\x2a\x4d\x18"]
            self.assertEqual((len(files), len(with_dictionary)), (2, 1), "one before it was learned, one with it")
            self.assertGreater(with_dictionary[0].stat().st_size, 20_000)
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            again = [path for path in (crawl.collection / "archive").iterdir() if path not in files]
            self.check(crawl, *files, *again)
            listed = crawl.caddis("warc", "ls", "--json", *again).stdout.splitlines()
            types = [json.loads(line).get("type") for line in listed]
            self.assertGreater(types.count("revisit"), 0.9 * len(site.captures))

    def test_a_folder_that_goes_away_ends_its_writer(self):
        with LocalSite(pages=500) as site:
            crawl = harness.Crawl(site, harness.SETTINGS + "archive: {writers: [warc, 'arc, folder arcs, on-failure go-on']}\n")
            self.addCleanup(crawl.remove)
            # So slow that it is not over before its folder is gone and missed, on a busy machine neither.
            process = crawl.start(more=["--set", "politeness.delay=300ms"])
            arcs, away = crawl.collection / "arcs", crawl.folder / "away"
            harness.wait_until(lambda: any(path.stat().st_size > 2000 for path in arcs.glob("*.open")), "ARC file")
            log = crawl.launches[0] / "logs/crawl.log"
            harness.wait_until(lambda: log.exists() and log.read_text().count("/p") > 10, "captures that are logged")
            # Lines of a further group are written when the group before it is committed.
            logged = log.stat().st_size
            harness.wait_until(lambda: log.stat().st_size > logged, "captures that are committed")
            arcs.rename(away)
            alerts = crawl.launches[0] / "logs/alerts.log"
            words = "the writer arc writes no more until the crawl is resumed: "
            harness.wait_until(lambda: words in alerts.read_text(), "alert")
            count = re.compile(r"the writer arc has left out [0-9]+ captures?: ")
            harness.wait_until(lambda: count.search(alerts.read_text()), "count of captures")
            # By whichever came first: the next file was to be begun, or the folder of the open one to be synced.
            gone = r"(is not there any more|No such file or directory)"
            self.assertRegex(alerts.read_text(), gone)
            process.terminate()
            code, out, err = harness.finish(process)
            self.assertFalse(arcs.exists())
            report = crawl.caddis("report", "crawl-report", crawl.collection).stdout
            self.assertRegex(report, r"captures left out by the writer arc: [0-9]+, since .*" + gone, out + err)

            away.rename(arcs)
            code, out, err = crawl.run(resume=True, more=["--set", "politeness.delay=0s"])
            self.assertEqual(code, 0, out + err)
            others = {f"unknown file {path}" for path in (arcs, crawl.collection / "archive-folders.txt")}
            self.assertEqual(set(crawl.check()), others, "WARC has all of it")
            files = sorted(arcs.iterdir())
            self.assertEqual([path.suffix for path in files], [".gz", ".gz"], "it went on in a file of its own")
            urls = [[url for url, _, _ in arc_records(path)] for path in files]
            self.assertTrue(all(urls), urls)
            self.assertLess(len(set(urls[0] + urls[1])), len(site.captures), "what it has left out is not there")

    def test_arc_alone_stores_payloads_whole(self):
        with LocalSite(pages=8) as site:
            crawl = self.crawl(site, "archive: {writers: [arc]}\n")
            self.crawl_again(crawl)
            for path in (crawl.collection / "archive").iterdir():
                urls = [url for url, _, _ in arc_records(path)]
                self.assertTrue(set(site.captures) <= set(urls), "each crawl has all of it")
            log = (crawl.launches[-1] / "logs/crawl.log").read_text()
            self.assertNotIn("duplicate:digest", log)

    def crawl_again(self, crawl):
        code, out, err = crawl.run()
        self.assertEqual(code, 0, out + err)

    def test_version_1_0(self):
        with LocalSite(pages=8) as site:
            crawl = self.crawl(site, 'archive: {warc-version: "1.0", packing: none}\n')
            self.crawl_again(crawl)
            files = sorted((crawl.collection / "archive").iterdir())
            self.check(crawl, *files)
            text = b"".join(path.read_bytes() for path in files)
            self.assertNotIn(b"WARC/1.1\r\n", text)
            self.assertIn(b"WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n", text)
            self.assertNotRegex(text, rb"WARC-Date: [^\r]*[.]")

    def test_mistakes_are_named(self):
        with LocalSite(pages=4) as site:
            for settings, words in (("archive: {writers: [wacz]}", "there is no kind 'wacz'"),
                                    ("archive: {writers: []}", "nothing would be archived"),
                                    ("pipeline: {guard: ['writer mirror: mime x']}", "there is no 'writer mirror' in archive.writers"),
                                    ("archive: {packing: zstd, writers: [arc]}", "'arc, packing gzip'")):
                crawl = harness.Crawl(site, settings)
                self.addCleanup(crawl.remove)
                code, _, err = crawl.run()
                self.assertEqual(code, 2, err)
                self.assertIn(words, err)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
