#!/usr/bin/env python3
"""Extractors as a person meets them: chosen by site, counted in the processors report, refused by name; formats end to end."""

import csv
import http.server
import json
import sys
import threading
import unittest

import harness

FEED = "<rss><channel><link>{base}/</link><item><link>{base}/item.html</link><enclosure url='{base}/cast.mp3'/></item></channel></rss>"
MASTER = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlow.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nhigh.m3u8\n"
MEDIA = "#EXTM3U\n#EXTINF:4,\n{name}-1.ts\n"
PAGE = "<a href=/feed.xml>f</a><video src=/film.m3u8></video><a href='/bytes.bin'>b</a><script src=/a.js></script><a href=/pit/>p</a>"
FILES = {
    "/": ("text/html", PAGE),
    "/feed.xml": ("application/rss+xml", FEED),
    "/item.html": ("text/html", "<p>an item"),
    "/film.m3u8": ("application/vnd.apple.mpegurl", MASTER),
    "/low.m3u8": ("application/vnd.apple.mpegurl", MEDIA.replace("{name}", "low")),
    "/high.m3u8": ("application/vnd.apple.mpegurl", MEDIA.replace("{name}", "high")),
    "/bytes.bin": ("application/octet-stream", "\0\1 {base}/within.html \2"),
    "/a.js": ("text/javascript", "fetch('/told?of=page')\n//# sourceMappingURL=a.js.map\n"),
}

# Pages as some sites serve them, and the path that each of them leads to.
WILD = {
    "/feed-called-html": ("text/html", "<?xml version='1.0'?>" + FEED.replace("item.html", "found-feed.html"), "/found-feed.html"),
    "/template.html": ("text/html", "<script type='text/x-template'><img src='{{ picture }}'><a href='/found-template.html'>"
                       "<a href='/no-{{ id }}.html'></script>", "/found-template.html"),
    "/late.html": ("text/html", "<img data-cfsrc=/found-late.png>", "/found-late.png"),
    "/late-style.html": ("text/html", "<link rel=stylesheet data-href=/found-late.css>", "/found-late.css"),
    "/picture.svg": ("image/svg+xml", "<?xml-stylesheet href='found-svg.css'?><svg></svg>", "/found-svg.css"),
    "/text.xml": ("text/xml", "<a><u>/found-text.pdf</u></a>", "/found-text.pdf"),
    "/base.xml": ("application/atom+xml", "<feed><entry xml:base='/deep/'><link href='found-base.html'/></entry></feed>",
                  "/deep/found-base.html"),
    "/map-called-html": ("text/html", "<urlset><url><loc>{base}/found-map.html</loc></url></urlset>", "/found-map.html"),
}

PIT = ("text/html", "<a href=x/>on</a>")

SETTINGS = harness.SETTINGS + """
sheets:
  other:
    sites: [beta.localhost]
    settings:
      extract: {extractors: [-source-maps, +universal], renditions: best, site-paths: [/humans.txt], suppress-traps: true}
"""


class Site:
    """FILES under two host names; below /pit/ all is one page, and what else is not there is an empty text."""

    def __init__(self):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                kind, text = PIT if self.path.startswith("/pit/") else (FILES | WILD).get(self.path, ("text/plain", ""))[:2]
                body = text.replace("{base}", "http://" + self.headers["Host"]).encode()
                self.send_response(404 if self.path == "/robots.txt" else 200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        self.seeds = [f"http://{host}.localhost:{self.server.server_port}/" for host in ("alpha", "beta")]

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class ExtractorCase(unittest.TestCase):
    def setUp(self):
        self.site = Site()
        self.addCleanup(self.site.close)
        self.crawl = harness.Crawl(self.site, SETTINGS)
        self.addCleanup(self.crawl.remove)

    def test_sites_have_extractors_of_their_own(self):
        code, out, err = self.crawl.run()[:3]
        self.assertEqual(code, 0, err)
        found, words = {"alpha": {}, "beta": {}}, {}
        for line in (self.crawl.launches[0] / "logs/crawl.log").read_text().splitlines():
            fields = line.split()
            words[fields[3]] = fields[11].split(",")
            for host, paths in found.items():
                if f"//{host}.localhost" in fields[3]:
                    paths["/" + fields[3].split("/", 3)[3]] = fields[4]
        self.assertEqual(found["alpha"].get("/item.html"), "LL")
        self.assertEqual(found["alpha"].get("/cast.mp3"), "LE")
        self.assertIn("/low-1.ts", found["alpha"])
        self.assertIn("/high-1.ts", found["alpha"])
        self.assertEqual(found["alpha"].get("/a.js.map"), "EI")
        self.assertEqual(found["alpha"].get("/told?of=page"), "EX")
        self.assertNotIn("/within.html", found["alpha"])
        self.assertIn("/high-1.ts", found["beta"])
        self.assertNotIn("/low.m3u8", found["beta"])
        self.assertNotIn("/a.js.map", found["beta"])
        self.assertEqual(found["beta"].get("/within.html"), "LX")
        self.assertEqual((found["alpha"].get("/humans.txt"), found["beta"].get("/humans.txt")), (None, "I"))
        pits = {host: sorted(path for path in paths if path.startswith("/pit/")) for host, paths in found.items()}
        self.assertEqual(pits, {"alpha": ["/pit/", "/pit/x/", "/pit/x/x/"], "beta": ["/pit/", "/pit/x/"]})
        root = self.site.seeds[1]
        self.assertIn("trapSuppressExtractor", words[root + "pit/x/"])
        self.assertNotIn("trapSuppressExtractor", words[root + "pit/"])
        with open(next(self.crawl.launches[0].glob("reports/processors-report.csv")), newline="") as file:
            rows = {row["step"]: row for row in csv.DictReader(file) if row["pipeline"] == "url"}
        self.assertEqual(int(rows["extract/feeds"]["visits"]), 2)
        self.assertGreaterEqual(int(rows["extract/feeds"]["links"]), 6)
        self.assertEqual(int(rows["extract/source-maps"]["links"]), 1)
        self.assertEqual(int(rows["extract/universal"]["links"]), 1)
        self.assertNotIn("extract/dash", rows)

    def test_pages_as_they_are_served(self):
        root = self.site.seeds[0].rstrip("/")
        self.site.seeds = [root + path for path in WILD]
        code, out, err = self.crawl.run()[:3]
        self.assertEqual(code, 0, err)
        crawled = {line.split()[3] for line in (self.crawl.launches[0] / "logs/crawl.log").read_text().splitlines()}
        for path, (_, _, found) in WILD.items():
            with self.subTest(path=path):
                self.assertIn(root + found, crawled)

    def test_a_name_that_is_none_is_refused(self):
        self.crawl.config.write_text(harness.SETTINGS + "extract: {extractors: [html, htlm]}\n")
        code, out, err = self.crawl.run()[:3]
        self.assertEqual(code, 2)
        self.assertIn("there is no extractor 'htlm': there are http, robots,", err)
        self.assertFalse(self.crawl.can_resume())

    def test_the_reference_page_is_printed(self):
        page = self.crawl.caddis("schema", "--extractors").stdout
        self.assertIn("| `uri-in-uri` | no |", page)
        schema = json.loads(self.crawl.caddis("schema").stdout)
        self.assertIn("extractors", json.dumps(schema))


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
