#!/usr/bin/env python3
"""Keys that people choose: of a crawl, of an index, rewritten, replayed."""

import fcntl
import http.client
import http.server
import json
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import harness
import warc_records

PAGES = {
    "/": '<a href="/a/">1</a> <a href="/a/index.html">2</a> <a href="/a/?utm_source=x">3</a> <a href="/a/?utm_source=y">4</a>'
         '<a href="/b">5</a> <a href="/B">6</a>',
    "/a/": "the same page",
    "/b": "small",
    "/B": "large",
}
CRAWL_POLICY = "caddis +index-document +strip-parameters(utm_*)"
INDEX_POLICY = "ia-surt -lowercase-parts"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.partition("?")[0].removesuffix("index.html")
        body = PAGES.get(path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class KeysTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        cls.addClassCleanup(server.server_close)
        cls.addClassCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        cls.root = f"http://127.0.0.1:{server.server_address[1]}"

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.collection = self.folder / "c"

    def caddis(self, *arguments, code=0):
        done = subprocess.run([harness.BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=300,
                              env=harness.clean_environment(self.folder))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def crawl(self, *more, code=0):
        return self.caddis("crawl", self.root + "/", "--collection", self.collection, "--set", "politeness.delay=0s", *more, code=code)

    def fetched(self):
        """Paths of the captures in the archive."""
        records = [record for path in sorted((self.collection / "archive").iterdir()) for record in warc_records.read_file(path)]
        urls = [record.url for record in records if record.type in ("response", "revisit")]
        return sorted(url.removeprefix(self.root) for url in urls if "robots.txt" not in url and "favicon.ico" not in url)

    def warcinfo(self):
        path = next((self.collection / "archive").iterdir())
        return next(record.block.decode() for record in warc_records.read_file(path) if record.type == "warcinfo")

    @property
    def index(self):
        return next((self.collection / "indexes").glob("*.cdxj"))

    def keys(self, path=None):
        return [line.split(" ")[0] for line in (path or self.index).read_text().splitlines()]

    def query(self, url, *more):
        out = self.caddis("index", "query", url, "--collection", self.collection, *more)
        urls = [json.loads("{" + line.partition("{")[2])["url"] for line in out.splitlines()]
        return sorted(url.removeprefix(self.root) for url in urls)

    # ---- the crawl key

    def test_a_page_is_stored_once_under_another_policy(self):
        self.crawl()
        self.assertEqual(self.fetched(), ["/", "/B", "/a/", "/a/?utm_source=x", "/a/?utm_source=y", "/a/index.html", "/b"])
        self.assertIn("caddis-crawl-key: caddis/1: whatwg-parse ", self.warcinfo())
        shutil.rmtree(self.collection)
        self.crawl("--set", f"canonicalization.crawl={CRAWL_POLICY}")
        self.assertEqual(self.fetched(), ["/", "/B", "/a/", "/b"])
        self.assertRegex(self.warcinfo(), r"caddis-crawl-key: caddis/1 \+index-document \+strip-parameters\(utm_\*\): whatwg-parse "
                                          r".* \(sha256 [0-9a-f]{16}\)\r\n")
        self.assertIn("caddis-index-key: ia-surt/1: lenient-parse ", self.warcinfo())

    def test_another_policy_is_refused_when_a_crawl_is_resumed(self):
        self.crawl("--set", f"canonicalization.crawl={CRAWL_POLICY}", "--set", "limits.max-documents=2", code=3)
        said = self.caddis("crawl", "--resume", "--collection", self.collection, "--set", "canonicalization.crawl=exact", code=2)
        self.assertIn("canonicalization.crawl is 'caddis/1 +index-document +strip-parameters(utm_*)' for all of this crawl", said)
        said = self.caddis("crawl", "--resume", "--collection", self.collection, "--set", f"canonicalization.index={INDEX_POLICY}", code=2)
        self.assertIn("canonicalization.index is 'ia-surt/1' for all of this crawl", said)
        # Written in another way it is the same.
        self.caddis("crawl", "--resume", "--collection", self.collection, "--set", "limits.max-documents=0",
                    "--set", "canonicalization.crawl=caddis/1   +index-document  +strip-parameters( utm_* )")
        self.assertEqual(self.fetched(), ["/", "/B", "/a/", "/b"])

    def test_a_wrong_policy_is_refused(self):
        said = self.crawl("--set", "canonicalization.crawl=caddis +strip-ww", code=2)
        self.assertIn("there is no step 'strip-ww'; did you mean 'strip-www'?", said)
        self.assertFalse(self.collection.exists())
        said = self.crawl("--set", "canonicalization.crawl=caddis +strip-www@from(2010)", code=2)
        self.assertIn("@from and @to are of the index alone", said)

    # ---- the index key

    def test_an_index_that_is_rewritten_equals_a_new_one(self):
        self.crawl()
        rewritten, new = self.folder / "rewritten.cdxj", self.folder / "new.cdxj"
        for policy in (INDEX_POLICY, "owb-aggressive", "semantic", "outback", "ia-surt +strip-parameters(utm_*)@from(2010)"):
            self.caddis("index", "rekey", self.index, "--key-policy", policy, "--output", rewritten)
            self.caddis("index", "add", self.collection / "archive", "--key-policy", policy, "--out", new)
            self.assertEqual(rewritten.read_text(), new.read_text(), policy)
            self.assertEqual(json.loads(pathlib.Path(f"{rewritten}.meta").read_text()), json.loads(pathlib.Path(f"{new}.meta").read_text()))
            self.assertNotEqual(self.keys(rewritten), self.keys())
            said = self.caddis("index", "rekey", self.index, "--key-policy", policy, "--output", rewritten, code=2)
            self.assertIn("is there already", said)
            for path in (rewritten, new):
                path.unlink()
                pathlib.Path(f"{path}.meta").unlink()
        # In its own place, and back.
        before = self.index.read_bytes(), pathlib.Path(f"{self.index}.meta").read_bytes()
        self.caddis("index", "rekey", self.index, "--key-policy", INDEX_POLICY)
        self.assertEqual(self.query(self.root + "/B"), ["/B"])
        self.caddis("index", "rekey", self.index, "--key-policy", "ia-surt")
        self.assertEqual((self.index.read_bytes(), pathlib.Path(f"{self.index}.meta").read_bytes()), before)

    def test_an_index_is_written_by_one_command_at_a_time(self):
        self.crawl()
        archive = sorted((self.collection / "archive").iterdir())[0]
        index = self.folder / "own.cdxj"
        self.caddis("index", "add", archive, "--out", index)
        before = index.read_bytes()
        with open(f"{index}.lock", "w", encoding="utf-8") as held:
            fcntl.lockf(held, fcntl.LOCK_EX)
            for arguments in (("rekey", index, "--key-policy", "semantic"), ("add", archive, "--out", index)):
                self.assertIn("is being written by another command", self.caddis("index", *arguments, code=2))
        self.assertEqual(index.read_bytes(), before)
        self.caddis("index", "rekey", index, "--key-policy", "semantic")
        self.assertEqual(sorted(path.name for path in self.folder.glob("own*")), ["own.cdxj", "own.cdxj.meta"])

    def test_policies_that_do_not_match_are_refused(self):
        self.crawl()
        said = self.caddis("index", "query", self.root, "--collection", self.collection, "--key-policy", "semantic", code=2)
        self.assertIn("an index there has keys by 'ia-surt/1', not by 'semantic/1': rewrite it with caddis index rekey", said)
        other = self.folder / "other.cdxj"
        self.caddis("index", "rekey", self.index, "--key-policy", "semantic", "--output", other)
        said = self.caddis("index", "merge", self.index, other, "--output", self.folder / "all.cdxj", code=2)
        self.assertIn("its keys are by 'semantic/1', not by 'ia-surt/1'", said)
        said = self.caddis("index", "add", self.collection / "archive", "--out", other, "--key-policy", "ia-surt", code=2)
        self.assertIn("its keys are by 'semantic/1'", said)
        lines = other.read_text()
        self.caddis("index", "add", self.collection / "archive", "--out", other)
        self.assertEqual(other.read_text(), lines, "what is added has the index's own keys")

    def test_indexes_are_merged(self):
        self.crawl()
        both = self.folder / "both.cdxj"
        half = self.folder / "half.cdxj"
        half.write_text("".join(self.index.read_text().splitlines(keepends=True)[::2]))
        self.caddis("index", "merge", half, self.index, "--output", both)
        self.assertEqual(both.read_text(), self.index.read_text())

    # ---- replay

    def serve(self):
        process = subprocess.Popen([harness.BINARY, "serve", self.collection, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, env=harness.clean_environment(self.folder))

        def stop():
            process.kill()
            process.wait()
            process.stdout.close()
        self.addCleanup(stop)
        self.assertTrue(select.select([process.stdout], [], [], 60)[0], "the server does not start")
        return int(re.search(r"127\.0\.0\.1:(\d+)/", process.stdout.readline()).group(1))

    @staticmethod
    def get(port, path):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", path)
        response = connection.getresponse()
        body = response.read().decode()
        connection.close()
        return response.status, body

    def test_an_index_policy_is_replayed(self):
        self.crawl("--set", f"canonicalization.index={INDEX_POLICY}")
        self.assertTrue(any(key.endswith("/B") for key in self.keys()), self.keys())
        self.assertEqual(self.query(self.root + "/b"), ["/b"])
        port = self.serve()
        for path, body in (("/b", "small"), ("/B", "large")):
            status, got = self.get(port, f"/c/2id_/{self.root}{path}")
            self.assertEqual((status, got), (200, body))
        # A second launch by other keys: each index is asked by its own.
        self.crawl()
        self.assertEqual(self.query(self.root + "/b"), ["/B", "/b", "/b"])
        self.assertEqual(self.query(self.root + "/b", "--exact"), ["/b", "/b"])
        self.assertEqual(len(self.query(self.root + "/*")), 14 + 4)  # robots.txt and favicon.ico, twice

    def test_captures_of_exactly_this_url(self):
        self.crawl()
        port = self.serve()
        status, page = self.get(port, f"/c/*/{self.root}/b")
        self.assertEqual(status, 200)
        self.assertIn("2 captures", page)
        self.assertIn(f'<a href="/c/*exact/{self.root}/b">Show captures of exactly this URL</a>', page)
        status, page = self.get(port, f"/c/*exact/{self.root}/b")
        self.assertIn("1 capture ", page)
        self.assertIn(f'<a href="/c/*/{self.root}/b">Show all that share its key</a>', page)
        self.assertNotIn(f"{self.root}/B", page)
        status, lines = self.get(port, f"/c/cdx?url={self.root}/b&exact=1&fl=url&output=text")
        self.assertEqual(lines, f"{self.root}/b\n")
        status, page = self.get(port, f"/c/*/{self.root}/a/index.html")
        self.assertNotIn("exactly", page)

    # ---- looking

    def test_explain_shows_each_step(self):
        out = self.caddis("url", "explain", "http://www.Example.org/A?b&a#c", "--policy", "ia-surt -strip-www-n", "--json")
        told = json.loads(out)
        self.assertEqual(told["key"], "org,example,www)/a?a&b")
        self.assertEqual([step["step"] for step in told["steps"]],
                         ["lenient-parse", "strip-fragment", "lowercase-parts", "sort-query", "write-surt-key"])
        self.assertEqual(told["policy"], "ia-surt/1 -strip-www-n")
        out = self.caddis("url", "explain", "http://www.example.org/", "--policy", "caddis +strip-www")
        self.assertRegex(out, r"strip-www +http://example.org/\n")
        said = self.caddis("url", "canonicalize", "http://a/", "--policy", "caddis +x", code=2)
        self.assertIn("there is no step 'x'", said)
        self.assertEqual(self.caddis("url", "canonicalize", "http://a/index.html", "--policy", "exact +index-document@to(2010)", "--at", "2009"),
                         "http://a/\n")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
