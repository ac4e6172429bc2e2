#!/usr/bin/env python3
"""The tools of `caddis warc` on real files, and what other programs make of what they write.

warcio comes from PyPI into a folder below the build's; if PyPI is out of reach, its cases are skipped and say so.
The zstd program unpacks what Caddis packs as zstd.
"""

import gzip
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import harness
import peers

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("CADDIS_TESTDATA", ROOT.parent / "shared/testdata")) / "07-warc/files"
SOUND = ["pywb__iana.warc.gz", "pywb__dupes.warc.gz", "py-wacz__example-iana.warc", "warc-specifications__hello-world.warc"]


def caddis(*arguments, code=0):
    done = subprocess.run([harness.BINARY, *map(str, arguments)], capture_output=True, timeout=300, check=False)
    if done.returncode != code:
        raise AssertionError(f"caddis {arguments}: exit code {done.returncode}\n{done.stdout.decode()}\n{done.stderr.decode()}")
    return done.stdout


def warcio_folder():
    """The packages of a Python that has warcio, or None."""
    try:
        python = pathlib.Path(peers.python_with("warcio")[0])
    except unittest.SkipTest:
        return None
    return next(python.parents[1].glob("lib/python*/site-packages"))


class Case(unittest.TestCase):
    def setUp(self):
        if not DATA.is_dir():
            self.skipTest(f"{DATA} is not there")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-warc-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def unpacked(self, path):
        """The bytes of the records in a file."""
        if path.suffix == ".gz":
            return gzip.decompress(path.read_bytes())
        if path.suffix == ".zst":
            # What stands in front of the first frame is the dictionary's own.
            options = []
            begin = path.read_bytes()
            if begin.startswith(b"\x5d\x2a\x4d\x18"):
                size = int.from_bytes(begin[4:8], "little")
                dictionary = self.folder / "dictionary"
                packed = subprocess.run(["zstd", "-dc"], input=begin[8:8 + size], capture_output=True, check=True)
                dictionary.write_bytes(packed.stdout)
                options = ["-D", dictionary]
            return subprocess.run(["zstd", "-dc", *options, path], capture_output=True, check=True).stdout
        return path.read_bytes()

    def listing(self, path):
        """What `ls --json` says of a file's records, without their places."""
        return [{name: value for name, value in record.items() if name not in ("file", "offset", "length")}
                for record in self.records(path)]

    def records(self, path):
        return [json.loads(line) for line in caddis("warc", "ls", "--json", path).splitlines()]


class Recompress(Case):
    def test_other_programs_unpack_the_same_bytes(self):
        for name in SOUND:
            plain = self.folder / "plain" / name.removesuffix(".gz")
            caddis("warc", "recompress", DATA / name, "--to", "none", "--output", plain.parent)
            for to, ending in (("gz", ".gz"), ("zstd", ".zst")):
                for level in ("fast", "small"):
                    folder = self.folder / to / level
                    caddis("warc", "recompress", plain, "--to", to, "--level", level, "--output", folder)
                    self.assertEqual(self.unpacked(folder / (plain.name + ending)), plain.read_bytes(), name)

    def test_a_learned_dictionary_serves_other_programs(self):
        name = SOUND[0]
        caddis("warc", "recompress", DATA / name, "--to", "none", "--output", self.folder)
        plain = self.folder / name.removesuffix(".gz")
        caddis("warc", "recompress", plain, "--to", "zstd", "--dictionary", "train")
        packed = self.folder / (plain.name + ".zst")
        self.assertTrue(packed.read_bytes().startswith(b"\x5d\x2a\x4d\x18"))
        self.assertEqual(self.unpacked(packed), plain.read_bytes())
        self.assertEqual(self.listing(packed), self.listing(plain))
        self.assertIn(b": sound: ", caddis("warc", "check", packed))

    def test_every_command_reads_zstd(self):
        caddis("warc", "recompress", DATA / SOUND[0], "--to", "zstd", "--dictionary", "train", "--index", "--output", self.folder)
        packed = self.folder / SOUND[0].replace(".gz", ".zst")
        self.assertEqual(self.listing(packed), self.listing(DATA / SOUND[0]))
        index = (self.folder / (packed.name + ".cdxj")).read_text().splitlines()
        self.assertEqual(index, sorted(caddis("index", "add", packed).decode().splitlines()))
        self.assertGreater(len(index), 5)
        for line in index:
            place = json.loads(line.split(" ", 2)[2])
            record = caddis("warc", "cat", packed, "--offset", place["offset"])
            self.assertIn(place["url"].encode(), record)

    def test_replay_reads_zstd(self):
        folder = self.folder / "c"
        caddis("warc", "recompress", DATA / SOUND[0], "--to", "zstd", "--dictionary", "train", "--output", folder)
        packed = folder / SOUND[0].replace(".gz", ".zst")
        process = subprocess.Popen([harness.BINARY, "serve", folder, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate, timeout=60)
        self.addCleanup(process.terminate)
        port = int(process.stdout.readline().rsplit(":", 1)[1].split("/")[0])
        record = next(record for record in self.records(packed) if record["type"] == "response" and record["status"] == 200)
        stamp = re.sub(r"\D", "", record["date"])[:14]
        body = caddis("warc", "cat", DATA / SOUND[0], "--payload", "--decode", "--offset", self.offset_of(record["uri"]))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("GET", f"/c/{stamp}id_/{record['uri']}")
        answer = connection.getresponse()
        got = answer.read()
        self.assertEqual(answer.status, 200, got[:500])
        self.assertEqual(got, body)

    def offset_of(self, uri):
        records = (json.loads(line) for line in caddis("warc", "ls", "--json", DATA / SOUND[0]).splitlines())
        return next(record["offset"] for record in records if record["uri"] == uri and record["type"] == "response")

    def test_warcio_reads_what_is_written(self):
        folder = warcio_folder()
        if folder is None:
            self.skipTest("PyPI is out of reach: warcio cannot be had")
        for name in SOUND:
            caddis("warc", "recompress", DATA / name, "--to", "gz", "--level", "small", "--output", self.folder)
            written = self.folder / (name.removesuffix(".gz") + ".gz")
            script = ("import sys\nfrom warcio.archiveiterator import ArchiveIterator\n"
                      "for r in ArchiveIterator(open(sys.argv[1], 'rb'), check_digests='raise'):\n"
                      "    print(r.rec_type, r.rec_headers.get_header('WARC-Record-ID'), len(r.content_stream().read()))\n")
            told = [subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True,
                                   env={**os.environ, "PYTHONPATH": str(folder)}).stdout for path in (DATA / name, written)]
            self.assertEqual(told[0], told[1])
            self.assertGreater(len(told[1].splitlines()), 1)
            written.unlink()

    def test_damage_and_files_that_are_there_are_refused(self):
        bad = self.folder / "bad.warc.gz"
        whole = (DATA / SOUND[0]).read_bytes()
        bad.write_bytes(whole[:len(whole) // 2] + b"\0" * 8 + whole[len(whole) // 2 + 8:])
        caddis("warc", "recompress", bad, "--to", "zstd", code=1)
        self.assertEqual(os.listdir(self.folder), ["bad.warc.gz"])
        caddis("warc", "recompress", bad, "--to", "zstd", "--salvage", code=1)
        self.assertIn(b": sound: ", caddis("warc", "check", self.folder / "bad.warc.zst"))
        before = (self.folder / "bad.warc.zst").read_bytes()
        caddis("warc", "recompress", DATA / SOUND[0], "--to", "gz", "--output", self.folder / "new")
        caddis("warc", "recompress", bad, "--to", "zstd", "--salvage", code=1)
        self.assertEqual((self.folder / "bad.warc.zst").read_bytes(), before)


class Convert(Case):
    def sound(self, path):
        self.assertIn(b": sound: ", caddis("warc", "check", path))
        folder = warcio_folder()
        if folder is not None:
            done = subprocess.run([sys.executable, "-m", "warcio.cli", "check", path], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(folder)})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_arc(self):
        caddis("warc", "convert", DATA / "warcio__example-space-in-url.arc", "--output", self.folder)
        new = self.folder / "warcio__example-space-in-url.warc.gz"
        self.sound(new)
        types = [record["type"] for record in self.listing(new)]
        self.assertEqual(types, ["warcinfo", "metadata", "response"])

    def test_folder(self):
        (self.folder / "site").mkdir()
        (self.folder / "site/index.html").write_text("<html>")
        (self.folder / "site/link").symlink_to("/etc/passwd")
        caddis("warc", "convert", self.folder / "site", "--url-prefix", "https://example.org/", code=1)
        self.sound(self.folder / "site.warc.gz")
        self.assertEqual([record["uri"] for record in self.listing(self.folder / "site.warc.gz")][1:],
                         ["https://example.org/index.html"])

    def test_zip(self):
        with zipfile.ZipFile(self.folder / "site.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("index.html", "<html>")
            archive.writestr("a b/", "")
            archive.writestr("a b/ü.png", "png")
        caddis("warc", "convert", self.folder / "site.zip", code=2)
        caddis("warc", "convert", self.folder / "site.zip", "--url-prefix", "https://example.org/")
        self.sound(self.folder / "site.warc.gz")
        self.assertEqual([(record["uri"], record["content_type"]) for record in self.listing(self.folder / "site.warc.gz")][1:],
                         [("https://example.org/index.html", "text/html"), ("https://example.org/a%20b/%C3%BC.png", "image/png")])

    def test_har(self):
        entry = {"startedDateTime": "2026-01-02T03:04:05.678Z", "request": {"method": "GET", "url": "https://example.org/"},
                 "response": {"status": 200, "headers": [{"name": "Content-Type", "value": "text/html"}],
                              "content": {"size": 5, "text": "hello"}}}
        (self.folder / "x.har").write_text(json.dumps({"log": {"entries": [entry]}}))
        caddis("warc", "convert", self.folder / "x.har", "--to", "gz")
        self.sound(self.folder / "x.warc.gz")
        self.assertEqual([record["type"] for record in self.listing(self.folder / "x.warc.gz")], ["warcinfo", "response", "request"])


class Inspect(Case):
    def test_filter_copies_whole_records(self):
        out = self.folder / "html.warc"
        caddis("warc", "filter", DATA / SOUND[0], "--mime", "text/html", "--status", "200", "--output", out)
        plain = self.unpacked(DATA / SOUND[0])
        records = self.listing(out)
        self.assertGreater(len(records), 1)
        self.assertEqual({record["status"] for record in records}, {200})
        for record in out.read_bytes().split(b"\r\n\r\nWARC/1.0\r\n")[1:-1]:
            self.assertIn(record, plain)
        caddis("warc", "filter", DATA / SOUND[0], "--url", "(", "--output", self.folder / "x.warc", code=2)
        caddis("warc", "filter", DATA / SOUND[0], "--url", "nowhere", "--output", self.folder / "x.warc", code=1)
        self.assertEqual(os.listdir(self.folder), ["html.warc"])

    def test_extract_writes_payloads(self):
        told = caddis("warc", "extract", DATA / SOUND[0], "--output", self.folder / "out", "--status", "200").decode()
        for line in told.splitlines():
            name, _, url = line.split("\t")
            file = self.folder / "out" / name
            self.assertTrue(file.resolve().is_relative_to((self.folder / "out").resolve()))
            self.assertTrue(file.is_file(), url)
        self.assertIn("www.iana.org/", told)

    def test_stats_and_cdx(self):
        stats = json.loads(caddis("warc", "stats", "--json", DATA / "pywb__dupes.warc.gz"))
        records = self.listing(DATA / "pywb__dupes.warc.gz")
        self.assertEqual(stats["all"]["records"], len(records))
        self.assertEqual(stats["types"]["revisit"]["records"], sum(record["type"] == "revisit" for record in records))
        self.assertIn(b"deduplication would save", caddis("warc", "stats", DATA / "pywb__dupes.warc.gz"))
        lines = caddis("warc", "ls", "--cdx", DATA / SOUND[0]).decode().splitlines()
        self.assertEqual(lines[0], " CDX N b a m s k r M S V g")
        self.assertEqual({len(line.split(" ")) for line in lines[1:]}, {11})

    def test_check_resolves_revisits_across_files(self):
        original = DATA / "pywb__example-url-agnostic-orig.warc.gz"
        revisit = DATA / "pywb__example-url-agnostic-revisit.warc.gz"

        def unresolved(*files):
            findings = [json.loads(line) for line in caddis("warc", "check", "--json", *files).splitlines()]
            return sum(finding.get("code") == "revisit-unresolved" for finding in findings)

        self.assertEqual((unresolved(revisit), unresolved(revisit, original)), (1, 0))


class Revisits(Case):
    """Deduplication after the fact, and back."""

    PAGE = b"<html>" + b"unchanged " * 5000

    def make(self, name, *captures):
        """A WARC file as other programs write it: responses of (number, url, date, body, status) with their requests."""
        records = []
        for number, url, date, body, status in captures:
            head = f"HTTP/1.1 {status} OK\r\nContent-Type: text/html\r\nX-Number: {number}\r\n\r\n".encode()
            records.append((f"WARC-Type: response\r\nWARC-Record-ID: <urn:test:{number}>\r\nWARC-Target-URI: {url}\r\n"
                            f"WARC-Date: {date}\r\nContent-Type: application/http; msgtype=response\r\n", head + body))
            records.append((f"WARC-Type: request\r\nWARC-Record-ID: <urn:test:{number}:r>\r\nWARC-Target-URI: {url}\r\n"
                            f"WARC-Date: {date}\r\nWARC-Concurrent-To: <urn:test:{number}>\r\n"
                            "Content-Type: application/http; msgtype=request\r\n", b"GET / HTTP/1.1\r\n\r\n"))
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"".join(
            gzip.compress(f"WARC/1.0\r\n{fields}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n")
            for fields, block in records))
        return path

    def crawls(self):
        """Two crawls of two pages: one page stays as it is, and the other site has it, too."""
        first = self.make("first/a.warc.gz", (1, "http://a.example/", "2026-01-01T00:00:00Z", self.PAGE, 200),
                          (2, "http://a.example/news", "2026-01-01T00:00:01Z", b"news", 200))
        second = self.make("second/b.warc.gz", (3, "http://a.example/", "2026-02-01T00:00:00Z", self.PAGE, 200),
                           (4, "http://a.example/news", "2026-02-01T00:00:01Z", b"more news", 200),
                           (5, "http://b.example/", "2026-02-01T00:00:02Z", self.PAGE, 404))
        return first, second

    def types(self, path):
        return [(record["type"], record["uri"]) for record in self.records(path) if record["type"] != "request"]

    def payloads(self, *paths):
        """Head and payload of each response, by URL and date."""
        found = {}
        for path in paths:
            for record in self.records(path):
                if record["type"] == "response":
                    place = ("--offset", record["offset"])
                    block = caddis("warc", "cat", "--block", path, *place)
                    found[record["uri"], record["date"]] = (block.split(b"\r\n\r\n", 1)[0],
                                                            caddis("warc", "cat", "--payload", path, *place))
        return found

    def test_what_repeats_becomes_revisits_and_comes_back(self):
        first, second = self.crawls()
        told = caddis("warc", "dedup", "--into", self.folder / "less", second, first).decode()
        self.assertIn("2 of 5 payloads became revisits", told)
        less = [self.folder / "less" / path.name for path in (first, second)]
        self.assertEqual(sorted(os.listdir(self.folder / "less")), ["a.warc.gz", "b.warc.gz"])
        self.assertEqual([kind for kind, _ in self.types(less[0])], ["response", "response"])
        self.assertEqual([kind for kind, _ in self.types(less[1])], ["revisit", "response", "revisit"])
        self.assertIn(b"WARC-Refers-To: <urn:test:1>\r\n", self.unpacked(less[1]))
        self.assertIn(b": sound: ", caddis("warc", "check", *less))
        self.peers_agree(*less)

        caddis("warc", "break-out", *less, "--into", self.folder / "whole")
        whole = [self.folder / "whole" / path.name for path in (first, second)]
        self.assertEqual(self.payloads(*whole), self.payloads(first, second))
        self.assertIn(b": sound: ", caddis("warc", "check", *whole))
        self.assertNotIn("revisit", [kind for path in whole for kind, _ in self.types(path)])
        self.peers_agree(*whole)

    def peers_agree(self, *paths):
        folder = warcio_folder()
        if folder is None:
            return
        for path in paths:
            done = subprocess.run([sys.executable, "-m", "warcio.cli", "check", "-v", path], capture_output=True, text=True,
                                  check=False, env={**os.environ, "PYTHONPATH": str(folder)})
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_other_collections_hold_the_originals(self):
        first, second = self.crawls()
        caddis("warc", "dedup", second, "--against", first.parent, "--into", self.folder / "less", "--strategy", "url")
        self.assertEqual([kind for kind, _ in self.types(self.folder / "less/b.warc.gz")], ["revisit", "response", "response"])
        caddis("dedup", "build", self.folder / "first.digests", first)
        reports = caddis("warc", "dedup", second, "--against", self.folder / "first.digests", "--into", self.folder / "less2", "--json")
        self.assertEqual(json.loads(reports)["revisits"], 2)
        # Their originals are in another file: without it they stay.
        caddis("warc", "break-out", self.folder / "less2", "--into", self.folder / "whole", code=1)
        self.assertEqual([kind for kind, _ in self.types(self.folder / "whole/b.warc.gz")], ["revisit", "response", "revisit"])
        caddis("warc", "break-out", self.folder / "less2", "--from", first.parent, "--into", self.folder / "whole2")
        self.assertEqual(self.payloads(self.folder / "whole2/b.warc.gz"), self.payloads(second))

    def test_revisits_of_other_programs_come_back(self):
        caddis("warc", "break-out", DATA / "pywb__example-url-agnostic-revisit.warc.gz", "--from",
               DATA / "pywb__example-url-agnostic-orig.warc.gz", "--into", self.folder / "whole")
        whole = self.folder / "whole/pywb__example-url-agnostic-revisit.warc.gz"
        self.assertNotIn("revisit", [kind for kind, _ in self.types(whole)])
        self.assertIn(b": sound: ", caddis("warc", "check", whole))

    def test_nothing_is_overwritten_and_damage_is_refused(self):
        first, second = self.crawls()
        caddis("warc", "dedup", first, second, "--into", self.folder / "less")
        caddis("warc", "dedup", first, second, "--into", self.folder / "less", code=1)
        caddis("warc", "break-out", first, second, "--into", self.folder / "less", code=1)
        whole = second.read_bytes()
        second.write_bytes(whole[:len(whole) // 2])
        caddis("warc", "dedup", first, second, "--into", self.folder / "new", code=1)
        self.assertEqual(os.listdir(self.folder / "new"), [])
        caddis("warc", "dedup", first, "--into", self.folder / "new", "--strategy", "whatever", code=2)
        caddis("warc", "dedup", first, "--into", self.folder / "new", "--leave-out", "images", code=2)
        caddis("warc", "dedup", first, second.parent, "--into", self.folder / "new", "--min-size", "much", code=2)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
