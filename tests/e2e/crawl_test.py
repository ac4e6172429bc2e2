#!/usr/bin/env python3
"""What a person meets at the command line of `caddis crawl`: Ctrl-C, two at once, a second crawl, mistakes in settings."""

import base64
import gzip
import hashlib
import http.server
import json
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import urllib.parse

import harness
from local_site import LocalSite


class PasswordProxy:
    """An HTTP proxy that lets in who says the password."""

    def __init__(self, user, password):
        self.user, self.password, self.served, self.refused = user, password, 0, 0

    def __enter__(self):
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                word = base64.b64encode(f"{proxy.user}:{proxy.password}".encode()).decode()
                if self.headers["Proxy-Authorization"] != f"Basic {word}":
                    proxy.refused += 1
                    return self.send_error(407)
                proxy.served += 1
                url = urllib.parse.urlsplit(self.path)
                with socket.create_connection(("127.0.0.1", url.port)) as server:
                    path = urllib.parse.urlunsplit(("", "", url.path, url.query, ""))
                    server.sendall(f"GET {path} HTTP/1.0\r\nHost: {url.netloc}\r\n\r\n".encode())
                    while piece := server.recv(65536):
                        self.wfile.write(piece)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class SmallSite:
    """A few pages, text by path; all others are missing."""

    def __init__(self, pages):
        self.pages = pages

    def __enter__(self):
        pages = self.pages

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200 if self.path in pages else 404)
                self.send_header("Content-Type", "text/plain" if self.path.endswith(".txt") else "text/html")
                self.end_headers()
                self.wfile.write(pages.get(self.path, "missing").encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.seeds = ["http://127.0.0.1:%d/" % self.server.server_address[1]]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class CrawlTest(unittest.TestCase):
    def setUp(self):
        self.crawls = []

    def tearDown(self):
        for crawl in self.crawls:
            crawl.remove()

    def new_crawl(self, site):
        self.crawls.append(harness.Crawl(site))
        return self.crawls[-1]

    @staticmethod
    def caddis(*words):
        """(exit code, standard output, standard error)"""
        done = subprocess.run([harness.BINARY, *map(str, words)], capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    @staticmethod
    def wait_for_commits(crawl, since=0):
        """Until something of the crawl is on disk."""
        harness.wait_until(lambda: crawl.logged() > since, "commit")

    def interrupt(self, process, signal_number=signal.SIGINT):
        began = time.monotonic()
        process.send_signal(signal_number)
        code, out, err = harness.finish(process, 60)
        self.assertEqual(code, 4, out + err)
        # A second until it is noticed, three that fetches in flight are given.
        self.assertLess(time.monotonic() - began, 20)
        return out

    def test_interrupted_it_stops_and_resumes(self):
        with LocalSite(pages=80, rate=4) as site:
            crawl = self.new_crawl(site)
            for signal_number in (signal.SIGINT, signal.SIGTERM):
                before = crawl.logged()
                process = crawl.start(resume=crawl.can_resume())
                self.wait_for_commits(crawl, before)
                self.interrupt(process, signal_number)
            code, out, err = crawl.run(resume=True)
            self.assertEqual(code, 0, out + err)
            self.assertEqual(crawl.check(), [])
            # Resuming what has ended changes nothing.
            code, out, err = crawl.run(resume=True)
            self.assertEqual(code, 0, out + err)
            self.assertEqual(crawl.check(), [])

    def test_what_has_ended_says_so(self):
        with LocalSite(pages=3) as site:
            crawl = self.new_crawl(site)
            arguments = [str(part) for part in crawl.arguments()]
            done = subprocess.run([arguments[0], "--verbose", *arguments[1:]], capture_output=True, text=True, timeout=300,
                                  env=harness.clean_environment(crawl.folder))
            self.assertEqual(done.returncode, 0, done.stderr)
            for name in (path.name for path in (crawl.collection / "archive").iterdir()):
                self.assertIn(name, done.stderr)  # what is done is shown, not only what goes wrong
            quiet = self.new_crawl(site).run()
            self.assertEqual((quiet[0], "WEB-" in quiet[2]), (0, False))
            said = subprocess.run([harness.BINARY, "status", crawl.collection, "--json"], capture_output=True, text=True, check=True)
            status = json.loads(said.stdout)
            self.assertEqual((status["state"], status["launch"]), ("ended", crawl.launches[-1].name))
            self.assertEqual(status["report"]["crawl status"], "Finished")
            (crawl.launches[-1] / "reports/crawl-report.txt").unlink()
            said = subprocess.run([harness.BINARY, "status", crawl.collection, "--json"], capture_output=True, text=True, check=True)
            self.assertEqual(json.loads(said.stdout)["state"], "interrupted")

    def test_two_at_once_are_refused(self):
        with LocalSite(pages=80, rate=2) as site:
            crawl = self.new_crawl(site)
            first = crawl.start()
            self.wait_for_commits(crawl)
            for resume in (False, True):
                code, out, err = crawl.run(resume=resume)
                self.assertEqual(code, 1, out + err)
                self.assertIn("another crawl is running in", err)
                self.assertIn(str(first.pid), err)
            self.interrupt(first)
            self.assertEqual(len(crawl.launches), 1)

    def test_second_crawl_adds_and_overwrites_nothing(self):
        with LocalSite(pages=40) as site:
            crawl = self.new_crawl(site)
            self.assertEqual(crawl.run()[0], 0)
            self.assertEqual(crawl.check(), [])
            def digests():
                files = [*crawl.collection.glob("archive/*"), *crawl.collection.glob("crawls/*/logs/*"),
                         *crawl.collection.glob("indexes/*")]
                return {path: hashlib.sha1(path.read_bytes()).hexdigest() for path in files}
            before, records, pages = digests(), len(crawl.records()), self.pages(crawl)
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            after = digests()
            self.assertEqual({path: after.get(path) for path in before}, before)
            self.assertEqual(len(crawl.launches), 2)
            self.assertEqual(len(self.pages(crawl)), 2 * len(pages))
            # One warcinfo more for each file, the rest twice.
            self.assertEqual(len(crawl.records()), 2 * records)

    @staticmethod
    def pages(crawl):
        return (crawl.collection / "pages/pages.jsonl").read_text().splitlines()[1:]

    def test_wrong_setting_is_refused_with_its_line(self):
        with LocalSite(pages=8) as site:
            crawl = self.new_crawl(site)
            crawl.config.write_text("politeness:\n  delay: 0s\n  min-dellay: 3s\n")
            code, out, err = crawl.run()
            self.assertEqual(code, 2, out + err)
            self.assertIn("crawl.yaml:3", err)
            self.assertIn("min-delay", err)
            crawl.config.write_text("politeness:\n  delay: soon\n")
            code, out, err = crawl.run()
            self.assertEqual(code, 2, out + err)
            self.assertIn("crawl.yaml:2", err)
            self.assertEqual(crawl.launches, [])

    def test_unusable_seeds(self):
        with LocalSite(pages=8) as site:
            crawl = self.new_crawl(site)
            for seed in ("gopher://example.org/", "http://", "http://exa mple.org/"):
                process = harness.subprocess.run([harness.BINARY, "crawl", seed, "--collection", crawl.folder / "bad"],
                                                 capture_output=True, text=True, env=harness.clean_environment(crawl.folder))
                self.assertEqual(process.returncode, 2, process.stderr)
                self.assertIn(seed, process.stderr)
            # One that cannot be used does not spoil the others, but is told.
            code, out, err = crawl.run(more=["gopher://example.org/"])
            self.assertEqual(code, 0, out + err)
            self.assertIn("gopher://example.org/", err)
            self.assertEqual(crawl.check(), [])
            self.assertIn("-7 NOTCRAWLED gopher://example.org/ -", (crawl.launches[0] / "reports/seeds-report.txt").read_text())
            self.assertIn("gopher://example.org/: -7", out)

    def test_a_crawl_that_was_killed_after_an_end_says_so(self):
        with LocalSite(pages=80, rate=4) as site:
            crawl = self.new_crawl(site)
            process = crawl.start()
            self.wait_for_commits(crawl)
            self.interrupt(process)
            self.assertIn("crawl status", self.caddis("status", crawl.collection)[1])
            before = crawl.logged()
            process = crawl.start(resume=True)
            self.wait_for_commits(crawl, before)
            harness.kill(process)
            said = self.caddis("status", crawl.collection)[1]
            self.assertIn("it died", said)
            self.assertNotIn("crawl status", said)
            self.assertEqual(json.loads(self.caddis("status", crawl.collection, "--json")[1])["state"], "interrupted")

    def test_says_what_was_probably_meant(self):
        for words, meant in ((["crwal", "http://a.test/"], "crawl"), (["crawl", "--colection=x"], "--collection"),
                             (["index", "ad", "x"], "add"), (["warc", "ls", "--jsn"], "--json"), (["--verbos"], "--verbose")):
            code, _, err = self.caddis(*words)
            self.assertEqual(code, 2, err)
            self.assertIn(f"Did you mean {meant}?", err)

    def test_what_is_no_archive_is_not_taken_for_one(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "a.wacz").write_bytes(b"PK\x03\x04 and so on")
            (folder / "b.warc").write_text("no archive\n")
            (folder / "c.warc.gz").write_bytes(gzip.compress(b"no archive\n"))
            for file, says in (("a.wacz", "zip"), ("b.warc", "no WARC"), ("c.warc.gz", "gzip")):
                for command in (["index", "add", folder / file], ["index", "add", folder / file, "--out", folder / "x.cdxj"],
                                ["serve", folder / file, "--listen", "127.0.0.1:0"]):
                    code, out, err = self.caddis(*command)
                    self.assertEqual(code, 1, f"{command}: {out}{err}")
                    self.assertIn(says, err)

    def test_a_damaged_archive_is_indexed_as_far_as_it_is_sound(self):
        with LocalSite(pages=8) as site:
            crawl = self.new_crawl(site)
            self.assertEqual(crawl.run()[0], 0)
            whole = next((crawl.collection / "archive").iterdir())
            cut = crawl.folder / "cut.warc.gz"
            cut.write_bytes(whole.read_bytes()[:-200])
            code, out, err = self.caddis("index", "add", cut)
            self.assertEqual(code, 1, err)
            self.assertIn("caddis warc check", err)
            self.assertGreater(len(out.splitlines()), 3)
            code, out, err = self.caddis("index", "query", site.seeds[0], "--collection", crawl.collection, "--fields", "url,statsu")
            self.assertEqual(code, 0, err)
            self.assertIn("did you mean 'status'?", err)
            code, out, err = self.caddis("index", "query", site.seeds[0], "--collection", crawl.collection, "--filter", "~mime:(")
            self.assertEqual(code, 2, err)
            self.assertIn("regular expression", err)

    def test_contact_is_needed_beyond_loopback(self):
        with LocalSite(pages=8) as site:
            crawl = self.new_crawl(site)
            process = harness.subprocess.run([harness.BINARY, "crawl", "http://archive.invalid/", "--collection", crawl.collection],
                                             capture_output=True, text=True, env=harness.clean_environment(crawl.folder))
            self.assertEqual(process.returncode, 2, process.stderr)
            for place in ("--contact", "CADDIS_CONTACT", "caddis.yaml"):
                self.assertIn(place, process.stderr)

    def test_settings_changed_on_resume(self):
        with LocalSite(pages=80, rate=4) as site:
            crawl = self.new_crawl(site)
            process = crawl.start()
            self.wait_for_commits(crawl)
            self.interrupt(process)
            # What the state depends on may not change.
            other = crawl.folder / "other.yaml"
            other.write_text("canonicalization:\n  crawl: exact\n")
            code, out, err = crawl.run(resume=True, more=["--config", other])
            self.assertEqual(code, 2, out + err)
            self.assertIn("canonicalization.crawl is 'caddis/1' for all of this crawl", err)
            # What may change does, and is told.
            other.write_text("politeness:\n  delay: 10ms\n")
            code, out, err = crawl.run(resume=True, more=["--config", other])
            self.assertEqual(code, 0, out + err)
            self.assertIn("politeness.delay changed from", err)
            self.assertEqual(crawl.check(), [])

    def test_nothing_to_resume(self):
        with LocalSite(pages=8) as site:
            crawl = self.new_crawl(site)
            code, out, err = crawl.run(resume=True)
            self.assertEqual(code, 2, out + err)
            self.assertIn("no crawl to resume", err)

    def test_a_refused_crawl_leaves_nothing(self):
        def tree(folder):
            return sorted(str(path) for path in folder.rglob("*"))

        with LocalSite(pages=8) as site, socket.create_server(("127.0.0.1", 0)) as taken:
            crawl = self.new_crawl(site)
            before = tree(crawl.folder)
            refusals = [(2, False, ["--exclude", "("]), (2, False, ["--user-agent", "a\nb"]), (2, True, []),
                        (2, False, ["--proxy", "http://no-such-host.invalid:1"]),
                        (1, False, ["--listen", "127.0.0.1:%d" % taken.getsockname()[1]])]

            def refuse_all():
                for expected, resume, more in refusals:
                    code, out, err = crawl.run(resume=resume, more=more)
                    self.assertEqual(code, expected, (more, out, err))
                    self.assertTrue(err.startswith("caddis crawl: "), err)

            refuse_all()
            self.assertEqual(tree(crawl.folder), before)
            # A folder of the user stays; what a crawl made is as it was.
            crawl.collection.mkdir()
            before = tree(crawl.folder)
            refuse_all()
            self.assertEqual(tree(crawl.folder), before)
            self.assertEqual(crawl.run()[0], 0)
            before, refusals[2:3] = tree(crawl.folder), []
            refuse_all()
            self.assertEqual(tree(crawl.folder), before)

    def test_a_password_stands_in_one_file_and_outlives_the_launch(self):
        def files_with(text):
            return sorted(path.name for path in crawl.collection.rglob("*") if path.is_file() and text in path.read_bytes())

        with LocalSite(pages=8) as site, PasswordProxy("user", "sesame-17") as proxy:
            crawl = self.new_crawl(site)
            more = ["--proxy", f"http://user:sesame-17@127.0.0.1:{proxy.port}", "--max-documents", "3"]
            code, out, err = crawl.run(more=more)
            self.assertEqual(code, 3, out + err)
            self.assertGreater(proxy.served, 2)
            self.assertEqual(files_with(b"sesame-17"), ["secrets.yaml"])
            launch = crawl.launches[0]
            secrets = launch / "state/secrets.yaml"
            self.assertEqual(secrets.stat().st_mode & 0o777, 0o600)
            # As a launch stands that died before its state was written.
            for path in (launch / "state").iterdir():
                if path.is_dir():
                    shutil.rmtree(path)
                elif path != secrets:
                    path.unlink()
            for path in [*(launch / "logs").iterdir(), *(crawl.collection / "archive").iterdir()]:
                path.unlink()
            served = proxy.served
            code, out, err = crawl.run(resume=True)
            self.assertEqual(code, 3, out + err)
            self.assertGreater(proxy.served, served + 2)
            # A changed one is kept, too, and not told.
            proxy.password = "rosebud-23"
            more = ["--proxy", f"http://user:rosebud-23@127.0.0.1:{proxy.port}", "--max-documents", "6"]
            code, out, err = crawl.run(resume=True, more=more)
            self.assertEqual(code, 3, out + err)
            self.assertIn("fetch.proxy changed from (secret) to (secret)", err)
            self.assertEqual(files_with(b"rosebud-23"), ["secrets.yaml"])
            self.assertEqual(files_with(b"sesame-17"), [])
            self.assertEqual(proxy.refused, 0)

    def test_a_proxy_finds_the_names(self):
        with LocalSite(pages=8) as site, PasswordProxy("user", "sesame-17") as proxy:
            crawl = self.new_crawl(site)
            url = f"http://no-such-host.invalid:{site.port}/"
            more = [url, "--contact", "nobody@example.org", "--proxy", f"http://user:sesame-17@127.0.0.1:{proxy.port}"]
            code, out, err = crawl.run(more=more)
            self.assertEqual(code, 0, out + err)
            records = crawl.records()
            self.assertIn(url, [record.url for record in records if record.type in ("response", "revisit")])
            self.assertEqual([record.url for record in records if record.url.startswith("dns:")], [])
            # What the server sees, without what the proxy is told.
            requests = [record.block for record in records if record.type == "request"]
            self.assertTrue(requests)
            for request in requests:
                self.assertTrue(request.startswith(b"GET /"), request)
                self.assertNotIn(b"proxy-authorization", request.lower())

    def test_pages_lead_nowhere_into_the_network(self):
        targets = ["http://10.255.255.1/x.png", "http://169.254.169.254/y.png", "http://[fe80::1]/z.png"]
        pages = {"/": "".join(f"<img src='{target}'>" for target in targets) + "<img src='/here.png'>", "/here.png": "x"}
        with SmallSite(pages) as site:
            crawl = self.new_crawl(site)
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            lines = [line.split() for line in (crawl.launches[0] / "logs/crawl.log").read_text().splitlines()]
            refused = {line[3]: line[11] for line in lines if line[1] == "-5010" and not line[3].endswith("/robots.txt")}
            self.assertEqual(refused, {target: "refused:" + urllib.parse.urlsplit(target).hostname for target in targets})
            self.assertIn(site.seeds[0] + "here.png", [record.url for record in crawl.records() if record.type in ("response", "revisit")])
            code, out, err = self.new_crawl(site).run(more=["--allow-addresses", "lan"])
            self.assertEqual(code, 2, out + err)
            self.assertIn("'lan' is no address", err)

    def test_robots_policies(self):
        rules = ("User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /c\n\nUser-agent: friend\nDisallow: /a\nDisallow: /c\n\n"
                 "User-agent: stranger\nDisallow: /b\n")
        pages = {"/": "<a href=/a>a</a> <a href=/b>b</a> <a href=/c>c</a> <a href=/d>d</a>", "/robots.txt": rules}
        custom = "robots:\n  custom: ['User-agent: *', 'Disallow: /d']\n"
        friends = ["--robots-agent", "nobody", "--robots-agent", "friend", "--robots-agent", "stranger"]
        cases = [("obey", [], "/d"), ("ignore", [], "/a /b /c /d"), ("robots-txt-only", [], "/d"), ("first-named", friends, "/b /d"),
                 ("most-favored", friends, "/a /b /c /d"), ("custom", [], "/a /b /c")]
        with SmallSite(pages) as site:
            for policy, more, expected in cases:
                crawl = self.new_crawl(site)
                crawl.config.write_text(harness.SETTINGS + (custom if policy == "custom" else ""))
                code, out, err = crawl.run(more=["--robots", policy, *more])
                self.assertEqual(code, 0, out + err)
                lines = [line.split() for line in (crawl.launches[0] / "logs/crawl.log").read_text().splitlines()]
                found = {urllib.parse.urlsplit(line[3]).path for line in lines if line[1] == "404" and len(line[4]) == 1
                         and line[4] == "L"}
                refused = {urllib.parse.urlsplit(line[3]).path for line in lines if line[1] == "-9998"}
                self.assertEqual(found, set(expected.split()), policy)
                self.assertEqual(refused, {"/a", "/b", "/c", "/d"} - found, policy)
                info = crawl.records()[0].block.decode()
                self.assertRegex(info, rf"(?m)^robots: {policy}" + (r" \(nobody, friend, stranger\)" if more else ""))
            # What a policy needs is asked for.
            crawl = self.new_crawl(site)
            for more in (["--robots", "custom"], ["--robots", "first-named"], ["--robots", "most-favored"],
                         ["--robots", "first-named", "--robots-agent", "a b"]):
                code, out, err = crawl.run(more=more)
                self.assertEqual(code, 2, out + err)
                self.assertIn("robots.custom" if "custom" in more else "robots-agent", err)

    def test_too_little_space_pauses(self):
        with LocalSite(pages=200, rate=4) as site:
            crawl = self.new_crawl(site)
            crawl.config.write_text(harness.SETTINGS + "limits:\n  min-free-space: 1000000TB\n")
            process = crawl.start()
            harness.wait_until(lambda: "disk" in crawl.status().get("waits_for", ""), "pause")
            self.assertIsNone(process.poll())
            self.interrupt(process)
            captured = sum(record.type in ("response", "revisit") for record in crawl.records())
            self.assertEqual(captured, 0)
            code, out, err = crawl.run(resume=True, more=["--config", self.roomy(crawl)])
            self.assertEqual(code, 0, out + err)
            self.assertEqual(crawl.check(), [])

    @staticmethod
    def roomy(crawl):
        path = crawl.folder / "roomy.yaml"
        path.write_text("limits:\n  min-free-space: 1MB\n")
        return path


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
