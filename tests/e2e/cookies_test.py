#!/usr/bin/env python3
"""Cookies as a person meets them: a session over kill -9, what records show, files in and out, consent walls."""

import http.server
import pathlib
import shutil
import stat
import subprocess
import sys
import threading
import unittest

import harness

PAGES = 15  # fewer than scope.max-hops
SLOW = """
politeness:
  delay: 50ms
"""


class ShopSite:
    """Pages that only those see who have the cookie of the first one; a wall; and a page that shows which cookies came."""

    def __init__(self):
        self.requests = []  # (path, Cookie)

    def __enter__(self):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                cookie = self.headers["Cookie"] or ""
                site.requests.append((self.path, cookie))
                status, headers, body = site.answer(self.path, cookie)
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.seeds = [self.url("/")]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def answer(self, path, cookie):
        if path == "/":
            headers = [("Set-Cookie", "sid=42; Path=/; HttpOnly"), ("Set-Cookie", "bad=1; Domain=example.org")]
            return 200, headers, "<a href=/p0>0</a><a href=/wall>wall</a>"
        if path == "/wall":
            return (200, [], "behind the wall") if "seen=1" in cookie else (302, [("Location", "/consent")], "")
        if path == "/consent":
            return 302, [("Location", "/wall"), ("Set-Cookie", "seen=1; Path=/; Max-Age=86400")], ""
        if path == "/echo":
            return 200, [], cookie
        if path.startswith("/p"):
            number = int(path[2:])
            if "sid=42" not in cookie:
                return 200, [], "log in first"
            return 200, [], f"page {number}" + (f"<a href=/p{number + 1}>next</a>" if number < PAGES else "")
        return 404, [], ""

    def sent(self, path):
        return [cookie for asked, cookie in self.requests if asked == path]


def request_fields(record):
    lines = record.block.decode("latin-1").split("\r\n")[1:]
    return {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}


class CookiesTest(unittest.TestCase):
    def setUp(self):
        self.site = ShopSite()
        self.site.__enter__()
        self.addCleanup(self.site.__exit__)

    def new_crawl(self, settings=harness.SETTINGS):
        crawl = harness.Crawl(self.site, settings)
        self.addCleanup(crawl.remove)
        return crawl

    def bodies(self, crawl, path):
        return [record.body().decode() for record in crawl.records()
                if record.type in ("response", "revisit") and record.url == self.site.url(path)]

    def test_a_session_outlives_kills_and_is_on_record(self):
        crawl = self.new_crawl(SLOW)
        for _ in range(3):
            process = crawl.start(resume=crawl.can_resume())
            before = crawl.logged()
            harness.wait_until(lambda: crawl.logged() > before or process.poll() is not None, "commit")
            harness.kill(process)
        code, _, err = crawl.run(resume=True)
        self.assertEqual(code, 0, err)
        for number in range(PAGES + 1):
            self.assertTrue(self.site.sent(f"/p{number}"), number)
            for cookie in self.site.sent(f"/p{number}"):
                self.assertIn("sid=42", cookie)
                self.assertNotIn("bad=1", cookie)
        self.assertEqual(self.bodies(crawl, f"/p{PAGES}"), [f"page {PAGES}"])
        requests = [record for record in crawl.records() if record.type == "request" and record.url == self.site.url("/p3")]
        self.assertIn("sid=42", request_fields(requests[-1])["cookie"])

    def test_a_page_behind_a_wall_is_captured(self):
        crawl = self.new_crawl()
        code, out, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertIn("behind the wall", self.bodies(crawl, "/wall"))
        lines = [line.split() for line in (crawl.launches[0] / "logs/crawl.log").read_text().splitlines()]
        self.assertEqual([line[1] for line in lines if line[3] == self.site.url("/wall")], ["302", "200"])
        self.assertEqual([line[1] for line in lines if "consentWall" in line[11]], ["302"])
        self.assertIn("consent walls: 1", (crawl.launches[0] / "reports/crawl-report.txt").read_text())

    def test_off_is_off(self):
        crawl = self.new_crawl(harness.SETTINGS + "cookies:\n  enabled: false\n")
        self.assertEqual(crawl.run()[0], 0)
        self.assertEqual({cookie for _, cookie in self.site.requests}, {""})
        self.assertEqual(len(self.site.sent("/wall")), 1)

    def test_files_go_in_as_secrets_and_out_for_curl(self):
        folder = pathlib.Path(self.new_crawl().folder)
        (folder / "in.txt").write_text("# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\town\tvery-secret\n")
        crawl = harness.Crawl(self.site, harness.SETTINGS + f"cookies:\n  load: {folder}/in.txt\n  save: {folder}/out.txt\n")
        self.addCleanup(crawl.remove)
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.site.sent("/p0"), ["own=very-secret; sid=42"])
        for record in crawl.records():
            self.assertNotIn(b"very-secret", record.block)
            if record.type == "request":
                self.assertNotIn("cookie", request_fields(record))
        self.assertTrue(any(b"requestWithheld: Cookie" in record.block for record in crawl.records()))
        for path in crawl.launches[0].rglob("*"):
            if path.is_file() and "state" not in path.parts:
                self.assertNotIn(b"very-secret", path.read_bytes(), path)
        self.assertEqual(stat.S_IMODE((folder / "out.txt").stat().st_mode), 0o600)
        if not shutil.which("curl"):
            self.skipTest("there is no curl")
        done = subprocess.run(["curl", "-s", "-b", folder / "out.txt", self.site.url("/echo")], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(sorted(done.stdout.split("; ")), ["own=very-secret", "seen=1", "sid=42"])

    def test_a_bad_file_is_refused_and_nothing_is_left(self):
        folder = pathlib.Path(self.new_crawl().folder)
        (folder / "in.txt").write_text("one\ntwo\n")
        crawl = harness.Crawl(self.site, harness.SETTINGS + f"cookies:\n  load: {folder}/in.txt\n")
        self.addCleanup(crawl.remove)
        code, _, err = crawl.run()
        self.assertNotEqual(code, 0)
        self.assertIn(f"cookies.load: {folder}/in.txt: line 1: ", err)
        self.assertFalse(crawl.collection.exists())
        self.assertEqual(self.site.requests, [])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
