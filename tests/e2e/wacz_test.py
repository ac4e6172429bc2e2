#!/usr/bin/env python3
"""Packages (WACZ): made of a collection, a launch, a query and files; valid for a validator of the field; served without unpacking."""

import gzip
import hashlib
import json
import pathlib
import re
import sys
import unittest
import zipfile

import harness
import peers
from dated_archive import DatedArchive, record

PAGE, OTHER = "http://example.org/", "http://other.org/a"
TIMES = ("20200101000000", "20210101000000")
CAPTURES = [*((PAGE, stamp, f"<title>of {stamp}</title>".encode()) for stamp in TIMES), (OTHER, TIMES[1], b"<title>other</title>"),
            ("http://other.org/pic.png", TIMES[0], b"\x89PNG" + bytes(range(256)), "image/png")]


class WaczTest(unittest.TestCase):
    def setUp(self):
        self.archive = DatedArchive(self, CAPTURES)
        (self.archive.path / "archive/a.warc.gz").write_bytes(b"".join(gzip.compress(record(*capture)) for capture in CAPTURES))
        (self.archive.path / "archive/a.warc").unlink()
        self.package = self.archive.folder / "a.wacz"

    def wacz(self, *arguments, code=0):
        return self.archive.caddis("wacz", *arguments, code=code)

    def create(self, *arguments):
        self.package.unlink(missing_ok=True)
        return self.wacz("create", "-o", self.package, *arguments)

    def test_what_is_made_is_whole(self):
        said = self.create("--collection", self.archive.path, "--title", "A title", "--main-page", PAGE)
        self.assertIn("1 archive file, 4 captures, 3 pages", said)
        with zipfile.ZipFile(self.package) as package:
            self.assertIsNone(package.testzip())
            self.assertTrue(all(entry.compress_type == zipfile.ZIP_STORED for entry in package.infolist()))
            described = json.loads(package.read("datapackage.json"))
            for resource in described["resources"]:
                data = package.read(resource["path"])
                self.assertEqual((resource["hash"], resource["bytes"]), ("sha256:" + hashlib.sha256(data).hexdigest(), len(data)))
            index = gzip.decompress(package.read("indexes/index.cdx.gz")).decode().splitlines()
            self.assertEqual((len(index), index), (4, sorted(index)))
            meta, first = package.read("indexes/index.idx").decode().splitlines()
            self.assertEqual(json.loads(meta.split(" ", 2)[2]), {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"})
            self.assertTrue(index[0].startswith(first[:first.index(" {")]))
        self.assertEqual((described["title"], described["mainPageUrl"], described["wacz_version"]), ("A title", PAGE, "1.1.1"))
        self.assertIn("is there already", self.wacz("create", "-o", self.package, "--collection", self.archive.path, code=1))
        self.assertIn("valid", self.wacz("validate", self.package))

    def test_signed_and_changed(self):
        said = self.create("--collection", self.archive.path, "--sign")
        key = re.search(r"signed by the key (\S+)", said)[1]
        self.assertIn(f"signed by the key {key}, valid", self.wacz("validate", self.package))
        # The key is kept.
        self.assertIn(key, self.create(self.archive.path / "archive/a.warc.gz", "--sign"))
        report = json.loads(self.wacz("validate", "--json", self.package))
        self.assertEqual((report["valid"], report["captures"], report["pages"]), (True, 4, 3))
        data = bytearray(self.package.read_bytes())
        data[data.index(b"WARC-Type") if b"WARC-Type" in data else 200] ^= 1
        self.package.write_bytes(data)
        self.assertIn("fault: archive/a.warc.gz is not what it was", self.wacz("validate", self.package, code=1))
        self.assertIn("zip", self.wacz("validate", self.archive.path / "archive/a.warc.gz", code=1))

    def test_a_query_and_unpacking(self):
        self.create("--collection", self.archive.path, "--url", "http://other.org/", "--match-type", "host")
        self.wacz("extract", self.package, self.archive.folder / "u")
        self.archive.serve(self.archive.folder / "u")
        self.assertEqual([self.archive.status(f"/u/2021id_/{url}") for url in (OTHER, "http://other.org/pic.png", PAGE)], [200, 200, 404])
        code, said = peers.run([harness.BINARY, "warc", "check"], self.archive.folder / "u/archive/data.warc.gz")
        self.assertEqual(code, 0, said)
        self.create("--collection", self.archive.path, "--url", PAGE, "--from", "2021")
        self.assertIn("1 capture", self.wacz("validate", self.package))
        self.wacz("create", "-o", self.archive.folder / "none.wacz", "--collection", self.archive.path, "--url", "http://none.org/", code=2)
        self.assertFalse(list(self.archive.folder.glob("none.wacz*")))

    def test_its_words_go_along(self):
        words = {"title": "News & more", "description": "Of one town"}
        self.archive.caddis("collection", "set", self.archive.path, *(f"{name}={value}" for name, value in words.items()))
        self.create("--collection", self.archive.path)
        self.wacz("extract", self.package, self.archive.folder / "u")
        told = self.archive.caddis("collection", "show", self.archive.folder / "u")
        self.assertEqual(told, "".join(f"{name}\t{value}\n" for name, value in words.items()))
        self.create("--collection", self.archive.path, "--title", "Another")
        self.archive.serve(self.package)
        for page in ("/", "/a/", f"/a/*/{PAGE}"):
            self.assertIn("Another", self.archive.ask(page, Accept="text/html")[2])
        self.assertIn("Of one town", self.archive.ask("/a/")[2])

    def test_served_as_it_is(self):
        self.create("--collection", self.archive.path)
        before = sorted(self.archive.folder.glob("**/*"))
        self.archive.serve(self.package)
        for stamp in TIMES:
            status, headers, body = self.archive.ask(f"/a/{stamp}id_/{PAGE}")
            self.assertEqual((status, body), (200, f"<title>of {stamp}</title>"))
            self.assertIn(stamp[:4], headers["Memento-Datetime"])
        self.assertIn("client.js", self.archive.ask(f"/a/{TIMES[0]}mp_/{PAGE}")[2])
        self.assertEqual(self.archive.ask("/a/2020im_/http://other.org/pic.png", Range="bytes=0-3")[2], "\x89PNG")
        self.assertEqual(len(self.archive.ask("/a/cdx?url=other.org&matchType=domain")[2].splitlines()), 2)
        self.assertIn(PAGE, self.archive.ask("/a/")[2])
        self.assertEqual(sorted(self.archive.folder.glob("**/*")), before)
        # A folder of packages, and what is none.
        (self.archive.folder / "many").mkdir()
        self.package.rename(self.archive.folder / "many/first.wacz")
        self.archive.serve(self.archive.folder / "many")
        self.assertEqual(self.archive.status(f"/first/2020id_/{PAGE}"), 200)

    def test_packages_of_strangers(self):
        self.create("--collection", self.archive.path)
        deflated = self.archive.folder / "deflated.wacz"
        with zipfile.ZipFile(self.package) as good, zipfile.ZipFile(deflated, "w", zipfile.ZIP_DEFLATED) as other:
            for entry in good.infolist():
                data = good.read(entry)
                stored = zipfile.ZIP_STORED if entry.filename.startswith("archive/") else zipfile.ZIP_DEFLATED
                other.writestr(entry.filename, data, stored)
        self.archive.serve(deflated)
        self.assertEqual(self.archive.ask(f"/deflated/2020id_/{PAGE}")[2], f"<title>of {TIMES[0]}</title>")
        self.assertIn("indexes/index.cdx.gz is compressed by zip", self.wacz("validate", deflated, code=1))
        outside = self.archive.folder / "outside.wacz"
        with zipfile.ZipFile(outside, "w") as other:
            other.writestr("../outside", b"x")
        for arguments in (("wacz", "extract", outside, self.archive.folder / "x"), ("serve", outside, "--listen", "127.0.0.1:0")):
            self.assertIn("leads out", self.archive.caddis(*arguments, code=1))
        self.assertFalse((self.archive.folder.parent / "outside").exists())

    def test_a_validator_of_the_field(self):
        python = peers.python_with("wacz")
        self.create("--collection", self.archive.path, "--title", "A title", "--sign")
        code, said = peers.run([pathlib.Path(python[0]).with_name("wacz")], "validate", "-f", self.package)
        if "No module named 'pkg_resources'" in said:
            self.skipTest("this validator needs an older setuptools")
        self.assertEqual(code, 0, said)
        self.assertNotIn("Failed", said)
        for check in ("valid",):
            self.assertIn(check, said.lower())


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
