#!/usr/bin/env python3
"""`caddis serve` over a folder of collections into which collections and packages come, and from which they go, while it runs."""

import http.client
import json
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness
from dated_archive import DatedArchive

LARGE = 60_000


def line(key, number, url):
    return (f'{key} {20200101000000 + number} {{"url": "{url}", "mime": "text/html", "status": "200", "length": "1000", '
            f'"offset": "{number}", "filename": "some-archive-file-00000.warc.gz"}}\n')


class CollectionsTest(unittest.TestCase):
    def setUp(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.addCleanup(shutil.rmtree, self.top)
        self.folder = self.top / "collections"
        self.make("first")

    def make(self, name, lines=1):
        path = self.folder / name
        (path / "archive").mkdir(parents=True)
        (path / "indexes").mkdir()
        (path / "indexes/index.cdxj").write_text("".join(line("org,example)/", i, "http://example.org/") for i in range(lines)))

    def serve(self, *more):
        self.log = open(self.top / "log", "w")
        self.addCleanup(self.log.close)
        process = subprocess.Popen([harness.BINARY, "serve", self.folder, "--listen", "127.0.0.1:0", *more],
                                   stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(harness.kill, process)
        self.assertTrue(select.select([process.stdout], [], [], 60)[0], "the server does not start")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)/", process.stdout.readline()).group(1))
        return process

    def ask(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("GET", path, headers=headers)
        return connection.getresponse()

    def get(self, path, **headers):
        with self.ask(path, **headers) as response:
            return response.status, response.read().decode()

    def captures(self, name, **headers):
        status, body = self.get(f"/{name}/cdx?url=http://example.org/", **headers)
        return body.count("\n") if status == 200 else None

    def names(self):
        return sorted(one["id"] for one in json.loads(self.get("/collinfo.json")[1]))

    def test_collections_come_and_go(self):
        process = self.serve("--aggregate", "all=*")
        self.assertEqual((self.captures("first"), self.captures("second"), self.captures("all")), (1, None, 1))
        self.make("second", 3)
        harness.wait_until(lambda: self.captures("second") == 3, "the new collection", seconds=60)
        self.assertEqual((self.captures("first"), self.captures("all"), self.names()), (1, 4, ["all", "first", "second"]))
        self.assertIn("second", self.get("/")[1])
        shutil.rmtree(self.folder / "first")
        harness.wait_until(lambda: self.captures("first") is None, "the collection that is gone", seconds=60)
        self.assertEqual((self.captures("second"), self.names()), (3, ["all", "second"]))
        # One whose rules cannot be read is not shown, and holds no other one up.
        self.make("broken")
        (self.folder / "broken/access.yaml").write_text("rules: [{")
        self.make("third", 2)
        harness.wait_until(lambda: self.captures("third") == 2, "the one that can be shown", seconds=60)
        self.assertEqual(self.names(), ["all", "second", "third"])
        self.assertIn("broken/access.yaml", (self.top / "log").read_text())
        (self.folder / "broken/access.yaml").unlink()
        self.make("fourth")
        harness.wait_until(lambda: self.captures("broken") == 1, "the one that is mended", seconds=60)
        process.terminate()
        self.assertEqual(process.wait(60), 0)

    def test_what_stays_is_not_opened_again(self):
        users = self.top / "users"
        subprocess.run([harness.BINARY, "users", "add", "ada", "--role", "admin", "--file", users], check=True, stdout=subprocess.DEVNULL)
        token = subprocess.run([harness.BINARY, "users", "token", "add", "ada", "--role", "admin", "--file", users], check=True,
                               stdout=subprocess.PIPE, text=True).stdout.strip()
        ada = {"Authorization": f"Bearer {token}"}
        blocked = lambda: float(re.search(r'decisions_total\{verdict="block"\} (\d+)', self.get("/metrics", **ada)[1]).group(1))
        (self.folder / "first/access.yaml").write_text("default: block\n")
        self.serve("--users", users)
        self.assertEqual(self.captures("first", **ada), 0)
        self.assertEqual(blocked(), 1)
        self.make("second")
        harness.wait_until(lambda: self.captures("second", **ada) == 1, "the new collection", seconds=60)
        self.assertEqual(blocked(), 1)
        # Another folder of the same name has nothing of the former one.
        (self.folder / "first").rename(self.top / "former")
        self.make("first", 2)
        harness.wait_until(lambda: self.captures("first", **ada) == 2, "the other folder", seconds=60)
        self.assertGreaterEqual(blocked(), 1)

    def test_the_last_one_goes(self):
        self.make("second", 2)
        self.serve("--aggregate", "both=first,second", "--aggregate", "all=*")
        shutil.rmtree(self.folder / "second")
        harness.wait_until(lambda: self.captures("second") is None, "the one that is gone", seconds=60)
        self.assertEqual((self.captures("both"), self.names()), (1, ["all", "both", "first"]))
        # A folder that is not there says nothing of its collections. One that comes new is seen at a later look.
        self.folder.rename(self.top / "away")
        harness.wait_until(lambda: "cannot list" in (self.top / "log").read_text(), "a word about the folder", seconds=60)
        self.assertEqual(self.names(), ["all", "both", "first"])
        (self.top / "away").rename(self.folder)
        shutil.rmtree(self.folder / "first")
        harness.wait_until(lambda: self.names() == [], "no collection", seconds=60)
        self.assertEqual([self.get(path)[0] for path in ("/", "/-/search?url=example.org", "/cdx/search/cdx?url=a", "/first/")],
                         [200, 302, 404, 404])
        self.make("third")
        harness.wait_until(lambda: self.captures("third") == 1, "a new one", seconds=60)
        self.assertEqual(self.names(), ["all", "third"])

    def test_an_answer_under_way_keeps_its_collection(self):
        self.make("large", LARGE)
        self.serve()
        response = self.ask("/large/cdx?url=http://example.org/&limit=999999999")
        begun = response.read(1000)
        shutil.rmtree(self.folder / "large")
        harness.wait_until(lambda: self.captures("large") is None, "the collection that is gone", seconds=60)
        self.assertEqual((begun + response.read()).count(b"\n"), LARGE)

    def test_half_a_package_is_not_shown(self):
        archive = DatedArchive(self, [("http://example.org/", "20200101000000", b"<p>A page.</p>")] * 2)
        archive.caddis("wacz", "create", "-o", "third.wacz", "--collection", "c")
        whole = (archive.folder / "third.wacz").read_bytes()
        self.serve()
        (self.folder / "third.wacz").write_bytes(whole[:len(whole) // 2])
        # Others are not held up by it.
        self.make("second")
        harness.wait_until(lambda: self.captures("second") == 1, "the whole collection", seconds=60)
        harness.wait_until(lambda: "third.wacz" in (self.top / "log").read_text(), "a word about the package", seconds=60)
        self.assertIsNone(self.captures("third"))
        (self.folder / "third.wacz").write_bytes(whole)
        harness.wait_until(lambda: self.captures("third"), "the whole package", seconds=60)
        self.assertEqual(self.names(), ["first", "second", "third"])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
