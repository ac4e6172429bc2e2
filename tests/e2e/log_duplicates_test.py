#!/usr/bin/env python3
"""Replay of duplicates of which crawl.log alone tells (docs/deduplication.md): NetarchiveSuite with ARC files stores nothing of them."""

import sys
import unittest

import harness
from dated_archive import DatedArchive

OLD, NEW = "20180101120000", "20190523150634"
LINE = """\
2019-05-23T15:06:34.759Z   200        491 http://a.example/x.gif?v=2 E http://a.example/ image/gif #018 20190523150634511+16 \
sha1:LMIW33PQDYKCP74JCOMX5QEPV5BU4YMM - duplicate:"a.warc,{offset},20180101120000123",equivalentURL:"http://a.example/x.gif?v=1"
"""


class LogDuplicatesTest(unittest.TestCase):
    def test_an_original_with_another_query_is_shown(self):
        archive = DatedArchive(self, [("http://a.example/", OLD, b"<p>front"), ("http://a.example/x.gif?v=1", OLD, b"GIF89a", "image/gif")])
        offset = (archive.path / "archive/a.warc").read_bytes().index(b"WARC/1.1", 10)
        log = archive.folder / "crawl.log"
        log.write_text(LINE.format(offset=offset))
        archive.caddis("index", "add", "--collection", archive.path, archive.path / "archive/a.warc", log)
        archive.serve()
        status, headers, body = archive.ask(f"/c/{NEW}id_/http://a.example/x.gif?v=2")
        self.assertEqual((status, body), (200, "GIF89a"))
        self.assertEqual(headers["Content-Type"], "image/gif")
        self.assertIn("23 May 2019 15:06:34 GMT", headers["Memento-Datetime"])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
