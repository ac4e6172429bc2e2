#!/usr/bin/env python3
"""`caddis collection`: collections that are made, filled, listed and indexed by hand."""

import json
import re
import shutil
import sys
import unittest

import harness
from dated_archive import DatedArchive, record

FIRST, SECOND = "http://example.org/", "http://other.org/"


class CollectionTest(unittest.TestCase):
    def setUp(self):
        self.archive = DatedArchive(self, [(FIRST, "20200101000000", b"first")])
        self.folder = self.archive.folder
        shutil.move(self.folder / "c", self.folder / "brought")
        (self.folder / "second.warc").write_bytes(record(SECOND, "20210101000000", b"second"))
        self.caddis = self.archive.caddis

    def urls(self):
        return sorted(line.split(" ")[0] for line in (self.folder / "all/c/indexes/index.cdxj").read_text().splitlines())

    def test_a_collection_is_told_in_its_own_words(self):
        self.caddis("collection", "init", "all/c", "--title", "News & more")
        self.caddis("collection", "add", "all/c", "brought")
        self.caddis("collection", "set", "all/c", "description=Of <b>one</b> town", "who=a=b", "gone=x")
        self.caddis("collection", "set", "all/c", "gone=")
        fields = {"title": "News & more", "description": "Of <b>one</b> town", "who": "a=b"}
        self.assertEqual(self.caddis("collection", "show", "all/c"), "".join(f"{name}\t{value}\n" for name, value in fields.items()))
        self.assertIn("NAME=VALUE is wanted", self.caddis("collection", "set", "all/c", "title", code=2))
        self.assertIn("no collection", self.caddis("collection", "set", "none", "title=x", code=2))
        self.archive.serve(self.folder / "all")
        for page in ("/", "/c/"):
            body = self.archive.ask(page)[2]
            self.assertIn("News &amp; more", body)
            self.assertIn("Of &lt;b&gt;one&lt;/b&gt; town", body)
        self.assertIn(">News &amp; more</a>", self.archive.ask(f"/c/*/{FIRST}", Accept="text/html")[2])
        [listed] = json.loads(self.archive.ask("/collinfo.json")[2])
        self.assertEqual((listed["name"], listed["metadata"]), ("News & more", fields))

    def test_archives_are_put_in_indexed_and_served(self):
        self.assertIn("caddis collection add", self.caddis("collection", "init", "all/c"))
        self.assertIn("is a collection already", self.caddis("collection", "create", "all/c", code=2))
        self.assertIn("1 capture of 1 file", self.caddis("collection", "add", "all/c", "brought"))
        self.caddis("collection", "add", "all/c", "second.warc", "--link")
        inside = self.folder / "all/c/archive/second.warc"
        self.assertTrue(inside.samefile(self.folder / "second.warc"))
        self.assertFalse((self.folder / "all/c/archive/a.warc").samefile(self.folder / "brought/archive/a.warc"))
        self.assertRegex(self.caddis("collection", "list", "all"), r"(?m)^all/c\t2 captures\t2 files\t")
        self.archive.serve(self.folder / "all")
        for url, body in ((FIRST, "first"), (SECOND, "second")):
            self.assertEqual(self.archive.ask(f"/c/2022id_/{url}")[2], body)

    def test_nothing_is_written_over(self):
        self.caddis("collection", "init", "all/c")
        self.caddis("collection", "add", "all/c", "second.warc", "--move")
        self.assertFalse((self.folder / "second.warc").exists())
        (self.folder / "second.warc").write_bytes(b"another")
        said = self.caddis("collection", "add", "all/c", "brought", "second.warc", code=2)
        self.assertIn("there is a file of that name", said)
        self.assertFalse((self.folder / "all/c/archive/a.warc").exists())
        self.assertIn("no collection", self.caddis("collection", "add", "none", "second.warc", code=2))

    def test_nothing_that_was_there_is_lost(self):
        # Without an index all is served; the first one has to have it all.
        self.caddis("collection", "init", "all/c")
        shutil.copy(self.folder / "brought/archive/a.warc", self.folder / "all/c/archive")
        # A kill has left a second name of the original.
        second, original = self.folder / "second.warc", (self.folder / "second.warc").read_bytes()
        (self.folder / "all/c/archive/second.warc.part").hardlink_to(second)
        self.caddis("collection", "add", "all/c", "second.warc")
        self.assertEqual(second.read_bytes(), original)
        self.assertEqual(self.urls(), ["org,example)/", "org,other)/"])
        # Of a symbolic link the file is added, and it is not taken away.
        (self.folder / "third.warc").symlink_to("brought/archive/a.warc")
        self.assertIn("symbolic link", self.caddis("collection", "add", "all/c", "third.warc", "--move", code=2))
        self.caddis("collection", "add", "all/c", "third.warc", "--link")
        self.assertFalse((self.folder / "all/c/archive/third.warc").is_symlink())
        # A disk that is not there does not cost the index.
        shutil.move(self.folder / "all/c/archive", self.folder / "away")
        (self.folder / "all/c/archive").mkdir()
        self.assertIn("is a disk missing", self.caddis("collection", "reindex", "all/c", code=2))
        self.assertEqual(len(self.urls()), 3)

    def test_an_index_is_made_anew(self):
        self.caddis("collection", "init", "all/c")
        self.caddis("collection", "add", "all/c", "brought", "second.warc")
        both = self.urls()
        self.assertEqual(both, ["org,example)/", "org,other)/"])
        indexes = self.folder / "all/c/indexes"
        (indexes / "index.cdxj").write_text("damaged\n")
        self.caddis("collection", "reindex", "all/c")
        self.assertEqual(self.urls(), both)
        (self.folder / "all/c/archive/second.warc").unlink()
        self.caddis("collection", "reindex", "all/c")
        self.assertEqual(self.urls(), both[:1])
        # What the index of a crawl has stays with that.
        (indexes / "index.cdxj").rename(indexes / "crawl-20200101000000.cdxj")
        self.caddis("collection", "reindex", "all/c")
        self.assertFalse((indexes / "index.cdxj").exists())
        self.assertEqual(sorted(path.name for path in indexes.iterdir() if re.search(r"\.(new|lock|part)", path.name)), [])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
