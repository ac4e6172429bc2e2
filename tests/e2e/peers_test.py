#!/usr/bin/env python3
"""What other programs of the field make of our files: jwarc, warcio and FastWARC read and validate them, pywb replays them.

A peer that cannot be had is skipped, saying so (peers.py). Of .warc.zst FastWARC is the one reader: warcio has no zstd, and
jwarc 0.36.0 comes to no end in some of these files.
"""

import gzip
import json
import sys
import unittest
import urllib.error
import urllib.request
import zipfile

import harness
import peers
import warc_records
import warc_tools_test as tools
from local_site import LocalSite

# Records of others, packed anew.
WARC = ["pywb__dupes.warc.gz", "warc-specifications__hello-world.warc", "pywb__example-url-agnostic-orig.warc.gz",
        "pywb__example-url-agnostic-revisit.warc.gz"]
# Its record is shorter than its HTTP head says.
CUT_ARC = "warcio__example-space-in-url.arc"


class ReadersCase(tools.Case):
    def jwarc_lists(self, path):
        """(type, URL) of each record."""
        code, said = peers.run(peers.jwarc(), "ls", path)
        self.assertEqual(code, 0, said)
        self.assertNotIn("Exception", said)
        return [(words[1], words[-1]) for words in map(str.split, said.splitlines())]

    def all_read(self, path, is_sound=True):
        """Every reader finds the records that we list, and what is sound it finds so. warcio only lists: it takes the payload
        digest of a chunked body over the chunks, which the standard and the other two do not."""
        records = self.records(path)
        self.assertGreater(len(records), 0, path)
        read = peers.fastwarc_records(path)
        self.assertEqual(len(read), len(records), path)
        self.assertEqual([line for line in read if line.endswith("False")], [], path)
        if path.suffix != ".zst":
            listed = self.jwarc_lists(path)
            self.assertEqual([kind for kind, _ in listed], [record["type"] for record in records], path)
            code, said = peers.run(peers.jwarc(), "validate", path)
            self.assertEqual(code == 0, is_sound, said)
            code, said = peers.run(peers.warcio(), "index", "-f", "warc-type", path)
            self.assertEqual(code, 0, said)
            self.assertEqual([json.loads(line)["warc-type"] for line in said.splitlines()], [record["type"] for record in records])
        return len(records)


class Tools(ReadersCase):
    def test_what_recompress_writes(self):
        records = 0
        for name in WARC:
            for to, more in (("gz", []), ("none", []), ("zstd", []), ("zstd", ["--dictionary", "train"])):
                folder = self.folder / f"{to}{len(more)}"
                tools.caddis("warc", "recompress", tools.DATA / name, "--to", to, *more, "--output", folder)
            for path in sorted(self.folder.glob(f"*/{name.removesuffix('.gz')}*")):
                records += self.all_read(path)
        harness.tell(self, records=records)

    def test_what_convert_writes(self):
        tools.caddis("warc", "convert", tools.DATA / CUT_ARC, "--output", self.folder / "arc")
        (self.folder / "site/a").mkdir(parents=True)
        (self.folder / "site/index.html").write_text("<html>")
        (self.folder / "site/a/ü.txt").write_text("ü")
        with zipfile.ZipFile(self.folder / "packed.zip", "w") as archive:
            archive.writestr("index.html", "<html>")
        entry = {"startedDateTime": "2026-01-02T03:04:05.678Z",
                 "request": {"method": "GET", "url": "https://example.org/", "headers": [{"name": "Host", "value": "example.org"}]},
                 "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "text/html"}],
                              "content": {"size": 5, "text": "hello"}}}
        (self.folder / "x.har").write_text(json.dumps({"log": {"entries": [entry]}}))
        for source in ("site", "packed.zip"):
            tools.caddis("warc", "convert", self.folder / source, "--url-prefix", "https://example.org/", "--output", self.folder / "new")
        tools.caddis("warc", "convert", self.folder / "x.har", "--output", self.folder / "new")
        cut, written = list((self.folder / "arc").iterdir()), list((self.folder / "new").iterdir())
        self.assertEqual((len(cut), len(written)), (1, 3))
        records = sum(self.all_read(path, is_sound=False) for path in cut) + sum(self.all_read(path) for path in written)
        harness.tell(self, records=records)

    def test_what_dedup_and_break_out_write(self):
        page = b"<html>" + b"unchanged " * 5000
        captures = [("http://example.org/", "2026-01-01T00:00:00Z"), ("http://example.org/b", "2026-01-02T00:00:00Z")]
        source = self.folder / "twice.warc.gz"
        source.write_bytes(b"".join(response_record(number, url, date, page) for number, (url, date) in enumerate(captures)))
        tools.caddis("warc", "dedup", source, "--into", self.folder / "less")
        tools.caddis("warc", "break-out", self.folder / "less", "--into", self.folder / "whole")
        less, whole = (self.folder / name / source.name for name in ("less", "whole"))
        self.assertEqual([kind for kind, _ in self.jwarc_lists(less)], ["response", "revisit"])
        self.assertEqual([kind for kind, _ in self.jwarc_lists(whole)], ["response", "response"])
        self.all_read(less)
        self.all_read(whole)


def response_record(number, url, date, body):
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    digests = (("Block", block), ("Payload", body))
    fields = "".join(f"WARC-{name}-Digest: {warc_records.digest_like('sha1:', data)}\r\n" for name, data in digests)
    head = (f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n"
            f"WARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n{fields}Content-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(block)}\r\n\r\n")
    return gzip.compress(head.encode() + block + b"\r\n\r\n")


class Crawled(ReadersCase):
    """A site that was crawled twice: nothing has changed in between."""

    TWO_WRITERS = """
archive:
  writers: ["warc", "pictures: warc, prefix PIC, folder pictures", "arc, folder arcs"]
pipeline:
  guard: ["writer warc: not mime ^image/", "writer pictures: mime ^image/", "writer arc: mime ^image/"]
"""

    def crawl(self, site, settings=""):
        crawl = harness.Crawl(site, harness.SETTINGS + settings)
        self.addCleanup(crawl.remove)
        for _ in range(2):
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
        return crawl

    def test_revisits_are_read(self):
        for settings in ("", 'archive: {warc-version: "1.0", packing: none}\n', "archive: {packing: zstd}\n"):
            with self.subTest(settings), LocalSite(pages=24) as site:
                crawl = self.crawl(site, settings)
                files = sorted((crawl.collection / "archive").iterdir())
                records = sum(self.all_read(path) for path in files)
                kinds = [record["type"] for path in files for record in self.records(path)]
                self.assertGreater(kinds.count("revisit"), 30)
                harness.tell(self, records=records, revisits=kinds.count("revisit"))

    def test_pywb_replays_revisits_and_a_second_writer(self):
        with LocalSite(pages=40) as site:
            crawl = self.crawl(site, self.TWO_WRITERS)
        folders = [crawl.collection / name for name in ("archive", "pictures", "arcs")]
        for path in folders[1].iterdir():
            self.all_read(path)
        for path in folders[2].iterdir():
            tools.caddis("warc", "convert", path, "--output", self.folder / "of-arcs")
        self.assertEqual(len([self.all_read(path) for path in (self.folder / "of-arcs").iterdir()]), 2)
        server = peers.Pywb(crawl.folder, crawl.collection, folders)
        self.addCleanup(server.stop)
        asked = captures_in(crawl.collection)
        self.assertGreater(sum(line["mime"] == "warc/revisit" for _, line in asked), 30)
        self.assertGreater(sum(line["filename"].startswith("PIC-") for _, line in asked), 3)
        replayed = 0
        for timestamp, line in asked:
            status, body = site.captures[line["url"]]
            if status != 200:
                continue
            request = urllib.request.Request(server.address(timestamp, line["url"]), headers={"Accept-Encoding": "gzip"})
            with urllib.request.urlopen(request, timeout=60) as answer:
                got = answer.read()
                if answer.headers.get("Content-Encoding") == "gzip":
                    got = gzip.decompress(got)
            self.assertEqual(got, body, line)
            replayed += 1
        self.assertGreater(replayed, 80)
        harness.tell(self, replayed=replayed)
        missing = server.address("2030", site.seeds[0] + "x")
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(missing, timeout=60)


def captures_in(collection):
    """(timestamp, members) of each capture of a site in the indexes."""
    lines = [line.split(" ", 2) for path in sorted((collection / "indexes").glob("*.cdxj")) for line in path.read_text().splitlines()]
    found = [(timestamp, json.loads(members)) for _, timestamp, members in lines]
    return [(timestamp, members) for timestamp, members in found if members["url"].startswith("http")]


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
