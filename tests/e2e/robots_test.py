#!/usr/bin/env python3
"""Pages that ask robots not to keep them, and parts of pages that a robots.txt keeps from robots."""

import http.server
import json
import sys
import threading
import unittest

import harness

META = '<meta name="{}" content="{}">'
PAGES = {  # path: fields of the response, body
    "/plain": ([], "plain"),
    "/noindex": ([], META.format("robots", "noindex") + "<a href=/behind-noindex>x</a>"),
    "/noarchive": ([("X-Robots-Tag", "noarchive")], "<a href=/behind-noarchive>x</a>"),
    "/mine": ([], META.format("testbot", "NoArchive, nosnippet")),
    "/ours": ([("X-Robots-Tag", "otherbot: noindex, caddis: noarchive")], "ours"),
    "/other": ([("X-Robots-Tag", "otherbot: noarchive")], META.format("otherbot", "noarchive")),
    "/past": ([("X-Robots-Tag", "unavailable_after: 25 Jun 2010 15:00:00 PST")], "past"),
    "/future": ([("X-Robots-Tag", "unavailable_after: 2999-01-01")], "future"),
    "/behind-noindex": ([], "1"),
    "/behind-noarchive": ([], "2"),
}


class Site:
    """Serves `pages`; a path with a target redirects there."""

    def __init__(self, pages, robots=None):
        site = self
        self.pages, self.asked = dict(pages), []
        self.pages.setdefault("/", ([], "".join(f"<a href={path}>x</a>" for path in pages if not path.startswith("/behind"))))

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                site.asked.append(self.path)
                found = site.pages.get(self.path)
                fields, body = ([], robots) if self.path == "/robots.txt" and robots else found or ([], "none")
                self.send_response(302 if "Location" in dict(fields) else 200 if found or body == robots else 404)
                for name, value in fields:
                    self.send_header(name, value)
                body = body.encode()
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.root = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.seeds = [self.root + "/"]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class RobotsCase(unittest.TestCase):
    maxDiff = None

    def crawl(self, site, settings):
        crawl = harness.Crawl(site, harness.SETTINGS + settings)
        self.addCleanup(crawl.remove)
        code, out, err = crawl.run()
        self.assertEqual(code, 0, out + err)
        return crawl

    @staticmethod
    def lines(crawl, log="http"):
        lines = map(json.loads, (crawl.launches[-1] / f"logs/{log}.jsonl").read_text().splitlines())
        return {"/" + line["url"].split("/", 3)[3]: line for line in lines if "log" not in line and line["url"].startswith("http")}

    @staticmethod
    def archived(crawl):
        return {"/" + record.url.split("/", 3)[3] for record in crawl.records() if record.type in ("response", "revisit")}

    def test_pages_are_kept_and_left_out_by_what_they_ask(self):
        settings = "extract: {favicon: false}\nfetch: {user-agent: 'testbot/1.0'}\n"
        kept_out = {"/noarchive", "/mine", "/ours", "/past"}
        for leaves_out in (False, True):
            more = "robots: {noarchive: leave-out, unavailable-after: leave-out}\n" if leaves_out else ""
            with self.subTest(leaves_out), Site(PAGES) as site:
                crawl = self.crawl(site, settings + more)
                lines = self.lines(crawl)
                self.assertEqual({path: line["directives"] for path, line in lines.items() if "directives" in line}, {
                    "/noindex": "noindex", "/noarchive": "noarchive", "/mine": "noarchive+nosnippet", "/ours": "noarchive",
                    "/past": "unavailable_after", "/future": "unavailable_after"})
                self.assertEqual({path for path, line in lines.items() if "left_out" in line}, kept_out if leaves_out else set())
                self.assertEqual(self.archived(crawl), {*PAGES, "/", "/robots.txt"} - (kept_out if leaves_out else set()))
                log = (crawl.launches[-1] / "logs/crawl.log").read_text()
                self.assertIn("directives:noarchive+nosnippet", log)

    def test_without_the_step_nothing_could_be_left_out(self):
        with Site({}) as site:
            crawl = harness.Crawl(site, harness.SETTINGS + "robots: {noindex: leave-out}\npipeline:\n  url: [preselect, precondition, "
                                  "fetch, decode, extract, records, links]\n")
            self.addCleanup(crawl.remove)
            code, _, err = crawl.run()
            self.assertEqual(code, 2, err)
            self.assertIn("without the step 'directives'", err)

    def test_parts_of_pages_may_be_fetched_against_robots_txt(self):
        pages = {"/": ([], "<img src=/parts/a.png><img src=/moved><a href=/parts/page>x</a><a href=/free>x</a>"),
                 "/moved": ([("Location", "/parts/b.png")], ""), "/free": ([], "free"), "/parts/a.png": ([], "a"),
                 "/parts/b.png": ([], "b"), "/parts/page": ([], "page")}
        for spares in (False, True):
            with self.subTest(spares), Site(pages, "User-agent: *\nDisallow: /parts/\n") as site:
                crawl = self.crawl(site, "extract: {favicon: false}\n" + ("robots: {requisites: ignore}\n" if spares else ""))
                parts = {"/parts/a.png", "/parts/b.png"}
                self.assertEqual({path for path, line in self.lines(crawl).items() if "against_robots" in line},
                                 parts if spares else set())
                refused = {path for path, line in self.lines(crawl, "not-crawled").items() if line["status"] == "robots-excluded"}
                self.assertEqual(refused, {"/parts/page"} if spares else {"/parts/page", *parts})
                self.assertNotIn("/parts/page", site.asked)
                log = (crawl.launches[-1] / "logs/crawl.log").read_text()
                self.assertEqual(log.count("againstRobots"), 2 if spares else 0)
                info = next(record for record in crawl.records() if record.type == "warcinfo")
                self.assertIn("robots: obey" + ("; ignore (parts of pages)" if spares else "") + "\r\n", info.block.decode())


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
