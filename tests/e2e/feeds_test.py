#!/usr/bin/env python3
"""Feeds that are polled by a real crawl: new items are captured with what they embed, once, over kills and restarts; sites are
named by crawl.yaml, by the control API and by a database."""

import collections
import email.utils
import http.server
import json
import pathlib
import sqlite3
import sys
import threading
import time
import unittest

import harness

ITEM = "<html><head><link rel=stylesheet href=/style.css></head><body><img src=/{name}.png><a href=/about>us</a></body></html>"


class News:
    """A news site on loopback, to which items may be added while it is crawled."""

    def __init__(self):
        self.items, self.requests, self.is_down, self.lock = [], collections.Counter(), False, threading.Lock()
        self.conditional = []

    def __enter__(self):
        news = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                with news.lock:
                    status, kind, body, etag = news.answer(self.path, self.headers)
                self.send_response(status)
                if etag:
                    self.send_header("ETag", etag)
                if status == 301:
                    self.send_header("Location", body.decode())
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.base = f"http://news.localhost:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def add(self, *names):
        with self.lock:
            for name in names:
                self.items.insert(0, (name, time.time()))

    def answer(self, path, headers):
        self.requests[path] += 1
        if path in ("/rss", "/atom") and self.is_down:
            return 500, "text/plain", b"down", ""
        if path == "/rss":
            return 200, "application/rss+xml", self.rss().encode(), ""
        if path == "/moved":
            return 200, "application/atom+xml", self.atom().encode(), ""
        if path == "/atom":
            body, asked = self.atom(), headers.get("If-None-Match")
            etag = f'"{hash(body)}"'
            self.conditional.append(asked)
            return (304, "text/plain", b"", etag) if asked == etag else (200, "application/atom+xml", body.encode(), etag)
        name = path.strip("/")
        if name in ("hop2", "hop1"):
            return 301, "text/plain", f"/hop{int(name[3]) - 1}".encode(), ""
        if name in {name.partition("#")[0] for name, _ in self.items}:
            return 200, "text/html", ITEM.format(name=name).encode(), ""
        if path.endswith(".png"):
            return 200, "image/png", b"picture of " + path.encode(), ""
        if path == "/style.css":
            return 200, "text/css", b"body { background: url(/paper.png) }", ""
        if path == "/":
            return 200, "text/html", "".join(f"<a href=/{name}>x</a>" for name, _ in self.items).encode() + b"<p>front", ""
        return 404, "text/plain", b"no", ""

    def rss(self):
        return "<rss version='2.0'><channel><title>News</title>" + "".join(
            f"<item><link>{self.base}/{name}</link><pubDate>{email.utils.formatdate(at)}</pubDate></item>"
            for name, at in self.items) + "</channel></rss>"

    def atom(self):
        return "<feed xmlns='http://www.w3.org/2005/Atom'>" + "".join(
            f"<entry><id>{name}</id><link href='/{name}'/><updated>{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime(at))}</updated></entry>"
            for name, at in self.items) + "</feed>"


SETTINGS = """
politeness: {delay: 0s, url-retries: 0, host-retry-delay: 1s}
robots: {policy: ignore}
fetch: {user-agent: "feeds-test"}
crawl: {contact: "https://archive.example/"}
"""


class FeedsTest(unittest.TestCase):
    def setUp(self):
        self.news = self.enterContext(News())
        self.news.seeds = []
        self.crawl = harness.Crawl(self.news, SETTINGS)
        self.addCleanup(self.crawl.remove)
        self.process = None
        self.addCleanup(lambda: self.process and self.process.poll() is None and harness.kill(self.process))

    def write(self, line="", more=""):
        sites = f"feeds:\n  sites:\n    - >-\n      {line}\n" if line else ""
        self.crawl.config.write_text(SETTINGS + sites + more)

    def start(self, resume=False, more=()):
        arguments = [harness.BINARY, "crawl", *(["--resume"] if resume else ["--config", self.crawl.config]), "--collection", self.crawl.collection]
        self.process = self.crawl.popen([*arguments, *more])
        harness.wait_until(lambda: self.crawl.status().get("state") in ("running", "empty"), "crawl")

    def stop(self):
        self.crawl.caddis("stop", self.crawl.collection)
        code, _, err = harness.finish(self.process)
        self.assertIn(code, (0, 4), err)

    def ask(self, method, path, body=None):
        from control_api_test import SocketConnection
        connection = SocketConnection(str(self.crawl.launches[0] / "state/control.sock"))
        try:
            connection.request(method, path, body)
            answer = connection.getresponse()
            text = answer.read().decode()
            self.assertEqual(answer.status, 200, text)
            return json.loads(text)
        finally:
            connection.close()

    def poll(self, site="news"):
        """Has the site polled now, and waits until all that came of it is done."""
        before = self.ask("GET", "/feeds?site=" + site)["sites"][0]["round"]
        self.ask("POST", "/feeds/poll?site=" + site)
        self.rest(before + 1, site)

    def rest(self, polls, site="news"):
        def is_done():
            known = [one for one in self.ask("GET", "/feeds")["sites"] if one["name"] == site]
            return known and known[0]["round"] >= polls and known[0]["state"] == "waiting" and known[0]
        return harness.wait_until(is_done, f"poll {polls}")

    def log(self):
        text = "".join(path.read_text() for path in self.crawl.collection.glob("crawls/*/logs/crawl.log*"))
        return [line.split() for line in text.splitlines()]

    def captures(self):
        """How often each path of the site is on record, and the hops to it."""
        lines = [line for line in self.log() if line[3].startswith(self.news.base)]
        return collections.Counter(line[3].removeprefix(self.news.base) for line in lines), {line[3].removeprefix(self.news.base): line[4] for line in lines}

    def test_new_items_are_captured_once_with_their_embeds_over_kills(self):
        self.news.add("one", "two")
        self.write(f"news: every 1h feed {self.news.base}/rss implies {self.news.base}/ feed {self.news.base}/atom")
        self.start()
        self.rest(1)
        self.news.add("three")
        self.poll()
        harness.kill(self.process)
        self.start(resume=True)
        self.poll()
        self.news.add("four", "five")
        self.ask("POST", "/feeds/poll?site=news")
        harness.wait_until(lambda: self.news.requests["/five"], "item")
        harness.kill(self.process)
        self.start(resume=True)
        self.poll()  # the one before may have gone with the process
        self.poll()  # an unchanged feed
        self.stop()
        found, hops = self.captures()
        for name in ("one", "two", "three", "four", "five"):
            self.assertEqual((found["/" + name], hops["/" + name]), (1, "L"), name)
            self.assertEqual((found[f"/{name}.png"], hops[f"/{name}.png"]), (1, "LE"), name)
        self.assertEqual((found["/style.css"], found["/paper.png"], found["/about"]), (1, 1, 0))
        # The implied page comes with new items alone, in three polls.
        self.assertEqual(found["/"], 3)
        self.assertGreaterEqual(found["/rss"], 3)
        self.assertEqual(set(found), {"/", "/rss", "/atom", "/style.css", "/paper.png", *("/" + name + end for name in ("one", "two", "three", "four", "five") for end in ("", ".png"))})
        self.assertTrue(any(self.news.conditional[1:]), self.news.conditional)
        self.assertIn("304", [line[1] for line in self.log() if line[3].endswith("/atom")])
        revisits = [record for record in self.crawl.records() if record.type == "revisit"]
        self.assertEqual({record.fields["warc-profile"].rsplit("/", 1)[1] for record in revisits if record.url.endswith("/atom")}, {"server-not-modified"})
        self.assertTrue(all("warc-refers-to-date" in record.fields for record in revisits))
        report = json.loads((self.crawl.launches[0] / "reports/feeds-report.json").read_text())
        rows = {row["feed"].rsplit("/", 1)[1]: row for row in report["rows"]}
        self.assertEqual((rows["rss"]["items"], rows["rss"]["form"], rows["atom"]["site-items"]), (5, "RSS 2.0", 5))
        self.assertGreaterEqual(rows["atom"]["unchanged"], 1)

    def test_pages_of_several_items_and_items_behind_redirects(self):
        self.news.add("live#post-0", "live#post-1", "hop2")
        self.write(f"news: every 1h feed {self.news.base}/rss")
        self.start()
        self.rest(1)
        self.stop()
        requests = self.news.requests
        self.assertEqual((requests["/live"], requests["/hop2"], requests["/hop1"], requests["/hop0"]), (1, 1, 1, 0))
        row, = json.loads((self.crawl.launches[0] / "reports/feeds-report.json").read_text())["rows"]
        self.assertEqual((row["items"], row["lost-redirects"]), (2, 1))

    def test_feeds_that_fail_back_off_and_are_told(self):
        self.news.is_down = True
        self.write(f"news: every 1h feed {self.news.base}/rss", "  failures-told: 2\n")
        self.start()
        first = self.rest(1)["feeds"][0]
        self.assertEqual((first["failures"], first["trouble"]), (1, "it is answered with the status 500"))
        self.poll()
        second = self.rest(2)["feeds"][0]
        self.assertEqual(second["failures"], 2)
        self.assertGreater(second["not_before"], first["not_before"])
        self.assertIn("has failed 2 times in a row", (self.crawl.launches[0] / "logs/alerts.log").read_text())
        self.stop()

    def test_sites_come_from_other_programs(self):
        self.news.add("one")
        self.write(more="limits: {run-while-empty: true}\n")
        self.process = self.crawl.popen([harness.BINARY, "crawl", self.news.base + "/style.css", "--config", self.crawl.config, "--collection", self.crawl.collection])
        harness.wait_until(lambda: self.crawl.status().get("state") in ("running", "empty"), "crawl")
        self.ask("POST", "/feeds", json.dumps({"sites": [{"name": "news", "wait": "2h", "feeds": [{"url": self.news.base + "/rss"}]}]}))
        self.rest(1)
        harness.kill(self.process)
        self.start(resume=True)
        self.assertEqual(self.rest(1)["source"], "api")
        self.news.add("two")
        self.poll()
        self.ask("POST", "/feeds/remove?site=news")
        self.stop()
        found, _ = self.captures()
        self.assertEqual((found["/one"], found["/two"]), (1, 1))

    def test_sites_come_from_a_database_and_go_on_in_another_crawl(self):
        path = self.crawl.folder / "feeds.db"
        self.news.add("one")
        self.write(more=f"feeds: {{database: 'sqlite:{path}', database-interval: 1s}}\n")
        self.start()
        tables = lambda: path.exists() and self.sql(path, "SELECT count(*) FROM sqlite_master WHERE name IN ('feed_sites', 'feeds', 'implied_pages')")[0][0] == 3
        harness.wait_until(tables, "tables")
        self.sql(path, "INSERT INTO feed_sites (name, min_wait) VALUES ('news', '1h')")
        self.sql(path, f"INSERT INTO feeds (site, uri) VALUES ('news', '{self.news.base}/rss')")
        self.sql(path, f"INSERT INTO implied_pages (site, feed, uri) VALUES ('news', '{self.news.base}/rss', '{self.news.base}/')")
        self.rest(1)
        harness.wait_until(lambda: self.sql(path, "SELECT items FROM feeds")[0][0] == 1, "figures in the database")
        self.assertTrue(self.sql(path, "SELECT most_recently_seen FROM feeds WHERE last_fetch <> ''")[0][0])
        self.sql(path, "UPDATE feed_sites SET min_wait = '2h'")
        harness.wait_until(lambda: self.ask("GET", "/feeds")["sites"][0]["wait_seconds"] == 7200, "change")
        self.stop()
        found, _ = self.captures()
        self.assertEqual((found["/one"], found["/"]), (1, 1))
        # Another crawl of the same database captures what is newer alone.
        self.news.items.insert(0, ("two", time.time() + 2))  # the dates of RSS are whole seconds
        other = harness.Crawl(self.news)
        self.addCleanup(other.remove)
        other.config.write_text(self.crawl.config.read_text())
        self.crawl = other
        self.start()
        self.rest(1)
        self.stop()
        found, _ = self.captures()
        self.assertEqual((found["/one"], found["/two"]), (0, 1))

    @staticmethod
    def sql(path, statement):
        with sqlite3.connect(path, timeout=30) as database:
            return database.execute(statement).fetchall()


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
