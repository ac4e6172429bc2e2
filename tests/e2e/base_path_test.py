#!/usr/bin/env python3
"""`caddis serve --base-path`: everything is below a path of a host that has other things, too. Over HTTP, and in Chromium if there is one."""

import os
import re
import sys
import unittest

import devtools
import harness
from dated_archive import DatedArchive

TIME = "20200102030405"
PAGE = b"""<!doctype html><title>Old</title><link rel="stylesheet" href="/s.css"><h1>Old</h1><a id="next" href="/next">next</a>
<iframe id="empty"></iframe><script>
const said = [];
function show(word) { said.push(word); document.title = said.sort().join(' '); }
const attempts = [
  () => fetch('/data.json').then((answer) => answer.json()).then((data) => show('fetched:' + data.x)),
  () => {
    const empty = document.getElementById('empty').contentDocument;
    empty.write('<script>parent.show("written:" + parent.location.host)<\\/script>');
    empty.close();
  },
  () => { new Worker('/w.js').onmessage = (event) => show('worker:' + event.data); },
  () => {
    const code = new Blob(["postMessage('blob')"], { type: 'text/javascript' });
    new Worker(URL.createObjectURL(code)).onmessage = (event) => show('worker:' + event.data);
  },
];
for (const attempt of attempts) try { attempt(); } catch { /* not without an origin */ }
onload = () => show('red:' + (getComputedStyle(document.querySelector('h1')).color === 'rgb(255, 0, 0)'));
</script>"""
CAPTURES = [("http://old.example/", TIME, PAGE), ("http://old.example/next", TIME, b"<title>Next</title>next"),
            ("http://old.example/s.css", TIME, b"h1 { color: rgb(255, 0, 0); background: url(/b.png) }", "text/css"),
            ("http://old.example/data.json", TIME, b'{"x": 1}', "application/json"),
            ("http://old.example/w.js", TIME, b"postMessage(location.pathname)", "text/javascript")]
SHOWN = "fetched:1 red:true worker:/w.js worker:blob written:old.example"
SHOWN_WITHOUT_ORIGIN = "fetched:1 red:true worker:blob"
WINDOW = {"Sec_Fetch_Dest": "document", "Accept": "text/html"}


class BasePathTest(unittest.TestCase):
    def setUp(self):
        self.archive = DatedArchive(self, CAPTURES)

    def test_nothing_is_outside(self):
        self.archive.serve(None, "--base-path", "/web/archive/")
        for path in ("/", "/c/", "/c/cdx?url=old.example", "/web/", "/web/archivec/", "/-/style.css"):
            self.assertEqual(self.archive.status(path, **WINDOW), 404, path)
        self.assertEqual(self.archive.ask("/web/archive", **WINDOW)[1]["Location"], "/web/archive/")
        self.assertEqual(self.archive.json("/web/archive/c/cdx?url=old.example&output=json")["timestamp"], TIME)
        self.assertEqual(self.archive.ask("/web/archive/c", **WINDOW)[1]["Location"], "/web/archive/c/")

    def test_all_links_of_own_pages_lead_somewhere(self):
        self.archive.serve(None, "--base-path", "/w")
        to_do, seen = ["/w/", "/w/c/*/http://old.example/"], set()
        while to_do:
            path = to_do.pop()
            if path in seen:
                continue
            seen.add(path)
            self.assertTrue(path.startswith("/w/"), path)
            status, headers, body = self.archive.ask(path, Sec_Fetch_Dest="document", Accept="text/html")
            self.assertIn(status, (200, 302, 303), path)
            if status != 200:
                to_do.append(headers["Location"])
            elif headers["Content-Type"].startswith("text/html") and "id_/" not in path:  # as captured
                to_do += [link.replace("&amp;", "&") for link in re.findall(r'(?:href|src)="(/[^/"][^"]*)"', body)]
        for page in ("/w/c/", f"/w/c/{TIME}/http://old.example/", "/w/-/style.css", "/w/-/frame.js", f"/w/c/info?time={TIME}&url=http%3A%2F%2Fold.example%2F"):
            self.assertIn(page, seen)

    def test_logging_in(self):
        self.archive.caddis("users", "add", "anna", "--role", "viewer", "--file", "users", "--ask", text="long-enough-word\n")
        log = self.archive.folder / "access.log"
        self.archive.serve(None, "--base-path", "/w", "--users", "users", "--access-log", log)
        status, headers, _ = self.archive.ask("/w/c/", **WINDOW)
        self.assertEqual((status, headers["Location"]), (303, "/w/login?next=%2Fc%2F"))
        self.assertIn('action="/w/login"', self.archive.ask("/w/login?next=%2Fc%2F")[2])
        self.assertEqual(self.archive.status("/login"), 404)
        status, headers, _ = self.archive.ask("/w/login", "POST", "name=anna&password=long-enough-word&next=/c/", Content_Type="application/x-www-form-urlencoded",
                                              Origin=f"http://127.0.0.1:{self.archive.port}")
        self.assertEqual((status, headers["Location"]), (303, "/w/c/"))
        self.assertIn("; Path=/w/;", headers["Set-Cookie"])
        cookie = headers["Set-Cookie"].split(";")[0]
        body = self.archive.ask(f"/w/c/{TIME}/http://old.example/", Cookie=cookie, **WINDOW)[2]
        framed = re.search(r'src="(/w/~(\w+)/c/[^"]*)"', body)
        status, _, body = self.archive.ask(framed[1], Sec_Fetch_Dest="iframe")
        self.assertEqual(status, 200)
        self.assertIn(f'<script src="/w/-/client.js" data-prefix="/w/~{framed[2]}/c/"', body)
        self.assertEqual(self.archive.status("/w/-/client.js"), 200)
        lines = harness.wait_until(lambda: '"GET /w/~*/c/' in (text := log.read_text()) and text, "line with a hidden key")
        self.assertNotIn(framed[2], lines)

    def test_what_is_no_path_is_refused(self):
        said = self.archive.caddis("serve", self.archive.path, "--listen", "127.0.0.1:0", "--base-path", "https://a.test/w", code=2)
        self.assertIn("'https://a.test/w' is no path for a server", said)

    @unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), "needs Chromium")
    def test_a_browser(self):
        # With a host for captures, and with a key.
        for more, base, users in (([], "/w", False), (["--public-name", "archive.localhost.test"], "/a/b", True)):
            if users:
                self.archive.caddis("users", "add", "anna", "--role", "viewer", "--file", "users", "--ask", text="long-enough-word\n")
                more = [*more, "--users", "users"]
            self.archive.serve(None, "--base-path", base, *more)
            own = f"http://127.0.0.1:{self.archive.port}{base}"
            with devtools.Browser() as browser:
                target = browser.call("Target.createTarget", url="about:blank")["targetId"]
                session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

                def value(expression):
                    return browser.call("Runtime.evaluate", session, wait=90, expression=expression, returnByValue=True, awaitPromise=True)["result"].get("value")

                def location():
                    return browser.call("Target.getTargetInfo", targetId=target)["targetInfo"]["url"]
                start = f"{own}/c/{TIME}/http://old.example/"
                browser.call("Page.navigate", session, wait=90, url=start)
                if users:
                    harness.wait_until(lambda: "log in" in (value("document.title") or ""), "log-in", seconds=60)
                    value("document.querySelector('[name=name]').value = 'anna'; document.querySelector('[name=password]').value = 'long-enough-word';"
                          "document.querySelector('form').submit()")
                expected = SHOWN_WITHOUT_ORIGIN if users else SHOWN
                try:
                    harness.wait_until(lambda: value("document.title") == expected, "page", seconds=30)
                except AssertionError:
                    self.fail(f"{value('document.title')} at {location()}")
                self.assertEqual(location(), start)
                value("document.getElementById('about').click()")
                harness.wait_until(lambda: "/c/info?" in location(), "details", seconds=60)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
