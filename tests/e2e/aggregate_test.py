#!/usr/bin/env python3
"""Several collections that an operator names as one: shown together, each by its own access rules."""

import json
import re
import sys
import unittest

import harness
from dated_archive import DatedArchive, record

PAGE, SECRET = "http://example.org/", "http://secret.org/"


class AggregateTest(unittest.TestCase):
    def setUp(self):
        self.archive = DatedArchive(self, [(PAGE, "20200101000000", b"of c in 2020"), (PAGE, "20220101000000", b"of c in 2022"),
                                           (SECRET, "20200101000000", b"of c alone")])
        other = self.archive.folder / "d/archive"
        other.mkdir(parents=True)
        (other / "a.warc").write_bytes(b"".join(record(PAGE, stamp, b"of d in " + stamp[:4].encode())
                                                for stamp in ("20210101000000", "20220101000000")))

    def stamps(self, collection, url):
        return re.findall(r"^\S+ (\d{14}) ", self.archive.ask(f"/{collection}/cdx?url={url}")[2], re.M)

    def test_several_collections_are_shown_as_one(self):
        self.archive.serve(self.archive.folder, "--aggregate", "cd=c,d", "--aggregate", "dc=d,c", "--aggregate", "all=*")
        body = lambda path: self.archive.ask(path)[2]
        self.assertEqual(self.stamps("cd", PAGE), ["20200101000000", "20210101000000", "20220101000000", "20220101000000"])
        self.assertEqual(body(f"/cd/20200101000000id_/{PAGE}"), "of c in 2020")
        self.assertEqual(body(f"/all/20210101000000id_/{PAGE}"), "of d in 2021")
        self.assertEqual(body(f"/cd/20220101000000id_/{PAGE}"), "of c in 2022")
        self.assertEqual(body(f"/dc/20220101000000id_/{PAGE}"), "of d in 2022")
        self.assertIn("/cd/20210101000000/", body(f"/cd/*/{PAGE}"))
        self.assertEqual([one["id"] for one in json.loads(body("/collinfo.json"))], ["c", "d", "cd", "dc", "all"])
        memento = self.archive.ask(f"/cd/timegate/{PAGE}", Accept_Datetime="Fri, 01 Jan 2021 00:00:00 GMT")
        self.assertIn("/cd/20210101000000", memento[1]["Location"])

    def test_an_aggregate_is_told_of_in_words(self):
        words = self.archive.folder / "words.yaml"
        words.write_text("title: All of it\ndescription: Both collections.\n")
        self.archive.serve(self.archive.folder, "--aggregate", "cd=c,d", "--aggregate-metadata", f"cd={words}")
        listed = {one["id"]: one for one in json.loads(self.archive.ask("/collinfo.json")[2])}
        self.assertEqual((listed["cd"]["name"], listed["cd"]["metadata"]["description"]), ("All of it", "Both collections."))
        for page in ("/", "/cd/"):
            self.assertIn("All of it", self.archive.ask(page)[2])
        self.assertIn("is no aggregate", self.archive.caddis("serve", self.archive.folder, "--listen", "127.0.0.1:0", "--aggregate",
                                                              "cd=c,d", "--aggregate-metadata", f"e={words}", code=2))

    def test_a_member_hides_its_captures_there_too(self):
        self.archive.caddis("access", "add", "exclude", "--domain", "secret.org", "--id", "a", "--collection", self.archive.path)
        self.archive.caddis("access", "add", "block", PAGE, "--id", "b", "--captured", "2020", "--collection", self.archive.path)
        self.archive.serve(self.archive.folder, "--aggregate", "cd=c,d")
        self.assertEqual(self.stamps("cd", SECRET), [])
        self.assertEqual(self.archive.status(f"/cd/2020id_/{SECRET}"), 404)
        self.assertEqual(self.archive.status(f"/cd/20200101000000id_/{PAGE}"), 451)
        self.assertEqual(self.stamps("cd", PAGE), ["20210101000000", "20220101000000", "20220101000000"])

    def test_an_aggregate_of_what_is_not_there_is_refused(self):
        serve = ("serve", self.archive.folder, "--listen", "127.0.0.1:0", "--aggregate")
        self.assertIn("no collection here; there are: c, d", self.archive.caddis(*serve, "x=c,e", code=2))
        self.assertIn("is no aggregate", self.archive.caddis(*serve, "wayback=c,d", code=2))
        self.assertIn("the name of another one", self.archive.caddis(*serve, "c=d", code=2))


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
