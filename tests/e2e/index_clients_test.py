#!/usr/bin/env python3
"""Clients of the field against our indexes: cdx_toolkit, waybackpy and wayback ask `caddis serve` and `caddis index serve`, pywb
replays with us as its index, jwarc deduplicates against us. One that cannot be had is skipped, saying so (peers.py)."""

import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request

import harness
import index_server_test
import peers
import peers_test
import warc_tools_test as tools

PAGES = 45


def archive_of(folder):
    """One page captured many times, and pages beside it."""
    captures = [("http://example.com/", f"2020-01-{i % 28 + 1:02}T00:00:{i // 28:02}Z", b"<html>page %d" % (i // 3)) for i in range(PAGES)]
    captures += [(f"http://example.com/page/{i}", "2021-06-01T00:00:00Z", b"<html>other %d" % i) for i in range(5)]
    path = folder / "a.warc.gz"
    path.write_bytes(b"".join(peers_test.response_record(number, url, date, body) for number, (url, date, body) in enumerate(captures)))
    return path


class Clients(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.collection = cls.folder / "coll"
        (cls.collection / "archive").mkdir(parents=True)
        cls.warc = archive_of(cls.collection / "archive")
        tools.caddis("index", "add", cls.warc, "--collection", cls.collection)
        cls.lines = (cls.collection / "indexes/index.cdxj").read_text()
        cls.served = cls.start_serve(cls.folder / "coll")

    @classmethod
    def start_serve(cls, path, more=()):
        process = subprocess.Popen([harness.BINARY, "serve", path, "--listen", "127.0.0.1:0", *more], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, env=harness.clean_environment(cls.folder))
        cls.addClassCleanup(process.stdout.close)
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.kill)
        if not select.select([process.stdout], [], [], 120)[0]:
            raise AssertionError("the server does not start")
        return "http://127.0.0.1:" + re.search(r"127\.0\.0\.1:(\d+)/", process.stdout.readline()).group(1)

    def indexed(self):
        server = index_server_test.Server(self)
        self.assertEqual(server.ask("/coll", self.lines)[0], 200)
        return server

    def python(self, package, script, *arguments):
        code, said = peers.run([*peers.python_with(package), "-c", script], *arguments)
        self.assertEqual(code, 0, said)
        return said

    def test_new_files_are_indexed(self):
        folder = self.folder / "growing"
        shutil.copytree(self.collection, folder)
        address = self.start_serve(folder, ["--auto-index", "200ms"]) + "/growing/cdx?url=http://new.example/&limit=5"

        def answer():
            with urllib.request.urlopen(address, timeout=60) as response:
                return response.read().decode()
        self.assertEqual(answer(), "")
        record = peers_test.response_record(1, "http://new.example/", "2022-01-01T00:00:00Z", b"<html>new")
        (folder / "archive/new.warc.gz").write_bytes(record)
        harness.wait_until(lambda: answer().count("\n") == 1, "the new capture")
        noted = folder / "indexes/auto-index.files"
        harness.wait_until(lambda: len(noted.read_text().splitlines()) == 2, "both files noted")
        # What was indexed before is not indexed again.
        self.assertEqual((folder / "indexes/auto-index.cdxj").read_text().count("\n"), 1)

    def test_cdx_toolkit(self):
        script = ("import sys, cdx_toolkit\n"
                  "for source in sys.argv[1:]:\n"
                  "    cdx = cdx_toolkit.CDXFetcher(source=source)\n"
                  "    objs = list(cdx.iter('example.com/', limit=1000))\n"
                  "    print(len(objs), len({(o['timestamp']) for o in objs}))\n"
                  "    print(len(list(cdx.iter('example.com/*', limit=1000))), len(list(cdx.iter('example.com/*', limit=7))))\n"
                  "    print(len(list(cdx.iter('example.com/', limit=1000, filter=['=status:200' if 'search' not in source else 'statuscode:200']))))\n")
        server = self.indexed()
        said = self.python("cdx_toolkit", script, self.served + "/coll/cdx", self.served + "/cdx/search/cdx", server.address + "/coll/cdx",
                           server.address + "/coll/cdx/search/cdx")
        self.assertEqual(said.splitlines()[-12:], [f"{PAGES} {PAGES}", f"{PAGES + 5} 7", f"{PAGES}"] * 4)

    def test_waybackpy(self):
        script = ("import sys\nfrom waybackpy import WaybackMachineCDXServerAPI, WaybackMachineAvailabilityAPI\n"
                  "api = WaybackMachineCDXServerAPI('http://example.com/', 'test', **({'limit': 10}))\n"
                  "api.endpoint = sys.argv[1] + '/cdx/search/cdx'\n"
                  "print(len(list(api.snapshots())))\n"
                  "api = WaybackMachineCDXServerAPI('http://example.com/', 'test', filters=['statuscode:200'], collapses=['timestamp:8'])\n"
                  "api.endpoint = sys.argv[1] + '/cdx/search/cdx'\n"
                  "print(len(list(api.snapshots())), api.oldest().timestamp, api.near(2020, 1, 5, 0, 0).timestamp)\n"
                  "api = WaybackMachineAvailabilityAPI('http://example.com/', 'test')\n"
                  "api.endpoint = sys.argv[1] + '/wayback/available'\n"
                  "print(api.near(year=2020, month=1, day=5, hour=0, minute=0).archive_url)\n")
        said = self.python("waybackpy", script, self.served).splitlines()
        self.assertEqual(said[0], f"{PAGES}")
        self.assertEqual(said[1].split()[:2], ["28", "20200101000000"])
        self.assertRegex(said[1].split()[2], "2020010500000[01]")
        self.assertIn("/web/2020010500000", said[2])

    def test_wayback(self):
        script = ("import sys, wayback, wayback._client as client\n"
                  "client.CDX_SEARCH_URL = sys.argv[1] + '/cdx/search/cdx'\n"
                  "for name in ('ARCHIVE_URL_TEMPLATE',):\n"
                  "    for module in (client, wayback._utils):\n"
                  "        if hasattr(module, name): setattr(module, name, sys.argv[1] + '/web/{timestamp}{mode}/{url}')\n"
                  "with wayback.WaybackClient() as asked:\n"
                  "    records = list(asked.search('http://example.com/', limit=25))\n"
                  "    print(len(records), records[0].timestamp.isoformat(), records[0].status_code)\n")
        said = self.python("wayback", script, self.served).splitlines()
        self.assertEqual(said[-1], f"{PAGES} 2020-01-01T00:00:00+00:00 200")

    def test_pywb_asks_us(self):
        server = self.indexed()
        home = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.addCleanup(shutil.rmtree, home)
        for number, api in enumerate((server.address + "/coll", self.served + "/coll/cdx")):
            with self.subTest(api):
                (home / str(number)).mkdir()
                pywb = peers.Pywb(home / str(number), self.collection, [self.collection / "archive"], index=f"cdx+{api}")
                self.addCleanup(pywb.stop)
                for timestamp, body in (("20200105000000", b"<html>page 1"), ("20210601000000", None)):
                    url = "http://example.com/" if body else "http://example.com/page/3"
                    with urllib.request.urlopen(pywb.address(timestamp, url), timeout=60) as response:
                        self.assertEqual(response.read(), body or b"<html>other 3")

    def test_jwarc_deduplicates(self):
        server = self.indexed()
        for number, api in enumerate((server.address + "/coll", self.served + "/coll")):
            with self.subTest(api):
                into = self.folder / f"dedup{number}"
                into.mkdir()
                shutil.copy(self.warc, into / "again.warc.gz")
                code, said = peers.run(peers.jwarc(), "dedupe", "--cdx-server", api, "--minimum-size", "0", into / "again.warc.gz")
                self.assertEqual(code, 0, said)
                written = [path for path in into.iterdir() if path.name != "again.warc.gz"]
                self.assertEqual(len(written), 1, said)
                listed, _ = peers.run(peers.jwarc(), "ls", written[0]), None
                self.assertIn("revisit", listed[1])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
