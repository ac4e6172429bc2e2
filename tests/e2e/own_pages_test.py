#!/usr/bin/env python3
"""The archive's own pages as people meet them in Chromium: wide and narrow, light and dark, in two languages. axe (WCAG 2.2 AA)
looks at each, no page is wider than its window, and no request leaves the server.

CADDIS_SHOTS=FOLDER keeps screenshots.
"""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request

import devtools
import harness
import png

AXE = pathlib.Path(__file__).resolve().parents[2] / "web/engine/node_modules/axe-core/axe.min.js"
PAGE = """<!DOCTYPE html><html lang="en"><title>News</title><meta charset="utf-8"><h1>News</h1>
<p>%s houses were built by the river.</p><p>Nothing else has changed.</p><img src="/missing-%s.png" alt="">
<script src="/code.js?v=%s"></script>"""


def record(kind, url, time, fields, block):
    date = f"{time[:4]}-{time[4:6]}-{time[6:8]}T{time[8:10]}:{time[10:12]}:{time[12:14]}Z"
    head = {"WARC-Type": kind, "WARC-Date": date, "WARC-Record-ID": f"<urn:test:{kind}:{time}:{urllib.parse.quote(url)}>",
            **({"WARC-Target-URI": url} if url else {}), **fields, "Content-Length": str(len(block))}
    return b"WARC/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in head.items()).encode() + b"\r\n" + block + b"\r\n\r\n"


def response(url, time, kind, body):
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    return record("response", url, time, {"Content-Type": "application/http;msgtype=response", "WARC-IP-Address": "192.0.2.1"}, head + body)


def followers(url, time):
    about = {"WARC-Concurrent-To": f"<urn:test:response:{time}:{urllib.parse.quote(url)}>"}
    request = b"GET / HTTP/1.1\r\nHost: example.org\r\nUser-Agent: Caddis\r\n\r\n"
    metadata = b"via: http://example.org/from\r\nhopsFromSeed: L\r\nsourceTag: http://example.org/\r\nfetchTimeMs: 120\r\n"
    return (record("request", url, time, {"Content-Type": "application/http;msgtype=request", **about}, request) +
            record("metadata", url, time, {"Content-Type": "application/warc-fields", **about}, metadata))


def archive():
    """Two collections: a page over years, pictures, many addresses, names in other scripts."""
    main = record("warcinfo", "", "20190101000000", {"Content-Type": "application/warc-fields"},
                  b"software: Caddis\r\noperator: A library\r\nrobots: obey\r\nisPartOf: news\r\n")
    for number, time in enumerate(("20190102030405", "20210203040506", "20210203050607", "20220304050607")):
        body = (PAGE % (number + 2, number, number)).encode()
        main += response("http://example.org/", time, "text/html; charset=utf-8", body) + followers("http://example.org/", time)
        main += response("http://example.org/logo.png", time, "image/png", png.encode(200, 80, (40 * number, 120, 90)))
    main += response("http://example.org/code.js?v=77", "20190102030405", "text/javascript", b"document.title += ' (code)';")
    for number in range(130):
        main += response(f"http://example.org/reports/{number:04}.html", "20220304050607", "text/html", b"<p>report")
    for year in range(1997, 2027):
        main += response("http://decades.test/", f"{year}0304050607", "text/html", b"<p>decades")
    main += response("http://xn--bcher-kva.test/", "20220304050607", "text/html", b"<p>Books")
    main += response("http://decades.test/elsewhere", "20220304050607", "text/html", b"<a href='http://xn--bcher-kva.test/'>on</a>")
    main += response("http://xn--80ak6aa92e.com/", "20220304050607", "text/html", b"<p>taken for another")
    other = response("http://example.org/elsewhere", "20220304050607", "text/html", b"<p>elsewhere")
    return {"news": main, "other": other}


class Served:
    def __init__(self, *options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        for name, records in archive().items():
            (self.folder / "all" / name / "archive").mkdir(parents=True)
            (self.folder / "all" / name / "archive" / "a.warc").write_bytes(records)
        self.errors = open(self.folder / "stderr", "w")
        self.process = subprocess.Popen([os.path.abspath(harness.BINARY), "serve", str(self.folder / "all"), "--listen", "127.0.0.1:0", *map(str, options)],
                                        stdout=subprocess.PIPE, stderr=self.errors, text=True, cwd=self.folder,
                                        env=harness.clean_environment(self.folder))
        found = re.search(r"http://(127\.0\.0\.1:(\d+))/", self.process.stdout.readline())
        if not found:
            self.stop()
            raise AssertionError("caddis serve does not serve")
        self.host, self.port = found.groups()

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=60)
        self.errors.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def get(self, path, **headers):
        request = urllib.request.Request(f"http://{self.host}{path}", headers={name.replace("_", "-"): value for name, value in headers.items()})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.read().decode("utf-8", "replace")


COMPARE = "/news/compare?url=http%3A%2F%2Fexample.org%2F&a=20190102030405&b=20220304050607"
PICTURES = COMPARE.replace("example.org%2F", "example.org%2Flogo.png")
# Name, address, and a text that has to be there, in English.
TOUR = [("start", "/", "Collections"), ("collection", "/news/", "captures"), ("calendar", "/news/*/http://example.org/", "4 captures"),
        ("period", "/news/2021*/http://example.org/", "2021"), ("search", "/news/search?url=example.org/reports/*", "The first 100 addresses"),
        ("narrow", "/news/search?url=*.com&status=200&from=2019", "misleading name"), ("everywhere", "/-/search?url=example.org*", "elsewhere"),
        ("misleading", "/news/*/http://xn--80ak6aa92e.com/", "looks like one in Latin letters"),
        ("details", "/news/info?time=20190102030405&url=http%3A%2F%2Fexample.org%2F", "A library"),
        ("text", COMPARE, "1 line removed"), ("source", COMPARE + "&by=source", "removed"), ("headers", COMPARE + "&by=headers", "Both are the same."),
        ("rendered", COMPARE + "&by=rendered", "Side by side"), ("picture", PICTURES, "Difference"),
        ("missing", "/news/2022/http://example.org/elsewhere", "In other collections"), ("qa", "/news/qa", "Missing resources"),
        ("frame", "/news/20220304050607/http://example.org/", "4 Mar 2022, 05:06:07"),
        ("decades", "/news/*/http://decades.test/", "30 captures"), ("empty", "/news/1990*/http://decades.test/", "There is none"),
        ("misleading-frame", "/news/20220304050607/http://xn--80ak6aa92e.com/", "looks like one in Latin letters"),
        ("foreign-frame", "/news/20220304050607/http://xn--bcher-kva.test/", "b\u00fccher.test")]


class Window:
    """A tab of a browser that notes every host it asks."""

    def __init__(self, browser, width, dark, language):
        self.browser, self.hosts = browser, set()
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        browser.listeners.append(self._note)
        call = lambda method, **parameters: browser.call(method, self.session, wait=90, **parameters)
        self.call = call
        call("Network.enable")
        call("Network.setExtraHTTPHeaders", headers={"Accept-Language": language})
        call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
        call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def _note(self, session, method, parameters):
        if session == self.session and method == "Network.requestWillBeSent":
            self.hosts.add(urllib.parse.urlsplit(parameters["request"]["url"]).netloc)

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def open(self, address):
        self.call("Page.navigate", url=address)
        harness.wait_until(lambda: self.value("document.readyState") == "complete" and self.value("location.href") != "about:blank", address)
        return self.value("document.documentElement.outerHTML")

    def shot(self, name):
        if folder := os.environ.get("CADDIS_SHOTS"):
            pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
            image = self.call("Page.captureScreenshot", captureBeyondViewport=False)["data"]
            (pathlib.Path(folder) / f"{name}.png").write_bytes(base64.b64decode(image))

    def faults(self):
        """What axe finds, in words."""
        self.value(AXE.read_text() + "; 0")
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
        run = f"axe.run(document, {{runOnly: {json.dumps(tags)}, iframes: false}})"
        found = self.value(f"{run}.then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.slice(0, 3).map((n) => n.html).join(' | ')))")
        return found

    def is_too_wide(self):
        return self.value("document.documentElement.scrollWidth > document.documentElement.clientWidth")


@unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), "needs Chromium")
@unittest.skipUnless(AXE.exists(), "npm has not fetched what web/engine/package-lock.json names (make setup)")
class OwnPagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Served()
        cls.addClassCleanup(cls.served.stop)
        cls.browser = cls.enterClassContext(devtools.Browser())

    def tour(self, width, dark, language, texts):
        window = Window(self.browser, width, dark, language)
        for name, path, text in TOUR:
            with self.subTest(page=name, width=width):
                html = window.open(f"http://{self.served.host}{path}")
                window.shot(f"{name}-{width}-{'dark' if dark else 'light'}-{language}")
                if texts:
                    self.assertIn(text, html)
                self.assertIn(f'<html lang="{language}"', html)
                self.assertEqual(window.faults(), [])
                self.assertFalse(window.is_too_wide(), "wider than the window")
        own = {self.served.host, f"news.localhost:{self.served.port}", ""}
        self.assertEqual(window.hosts - own, set())

    def test_on_a_desk(self):
        self.tour(1280, False, "en", True)

    def test_on_a_phone_in_the_dark(self):
        self.tour(360, True, "de", False)

    def test_what_a_replayed_page_missed_becomes_seeds(self):
        window = Window(self.browser, 1000, False, "en")
        window.open(f"http://{self.served.host}/news/20220304050607/http://example.org/")
        seeds = lambda: "http://example.org/missing-3.png" in self.served.get("/news/qa?as=seeds")[1]
        harness.wait_until(seeds, "the missing picture in the list of seeds")
        # The script was captured with another version in its query, and is not missing.
        self.assertNotIn("code.js", self.served.get("/news/qa?as=seeds")[1])
        self.assertEqual(self.served.get("/news/20220304050607js_/http://example.org/code.js?v=3")[0], 200)

    def test_the_marked_year_is_in_sight(self):
        for width in (1000, 320):
            window = Window(self.browser, width, False, "en")
            for period, year in (("*", "2026"), ("2010*", "2010"), ("1997*", "1997")):
                window.open(f"http://{self.served.host}/news/{period}/http://decades.test/")
                window.shot(f"decades-{year}-{width}")
                marked = window.value("(() => { const of = (s) => document.querySelector(s).getBoundingClientRect();"
                                      " const a = of('.timeline [aria-current]'), all = of('.timeline');"
                                      " return [document.querySelector('.timeline [aria-current] b').textContent, a.left >= all.left, a.right <= all.right,"
                                      " a.right <= innerWidth, a.bottom <= all.bottom]; })()")
                self.assertEqual(marked, [year, True, True, True, True], width)
                self.assertFalse(window.is_too_wide(), width)

    def test_the_banner_tells_the_host_that_the_capture_goes_to(self):
        window = Window(self.browser, 1000, False, "en")
        root = f"http://{self.served.host}/news/20220304050607/"
        shown = lambda: window.value("document.getElementById('banner').innerText")
        window.open(root + "http://decades.test/elsewhere")
        harness.wait_until(lambda: window.value("document.title") == "http://decades.test/elsewhere", "title")
        self.assertNotIn(".test", shown())
        # The script of the page in the frame tells of where it goes.
        frame = "document.getElementById('capture').src = document.getElementById('capture').src.replace('decades.test/elsewhere', '%s')"
        window.value(frame % "xn--bcher-kva.test/")
        harness.wait_until(lambda: "xn--bcher-kva.test" in shown(), "the name in the banner")
        window.open(root + "http://xn--80ak6aa92e.com/")
        self.assertIn("looks like one in Latin letters", shown())
        window.value(frame.replace("decades.test/elsewhere", "xn--80ak6aa92e.com/") % "decades.test/elsewhere")
        harness.wait_until(lambda: "Latin" not in shown(), "no warning of another host")

    def test_the_keyboard_reaches_what_the_mouse_does(self):
        window = Window(self.browser, 1000, False, "en")
        window.open(f"http://{self.served.host}/")
        focused = []
        for _ in range(12):
            window.call("Input.dispatchKeyEvent", type="keyDown", key="Tab", code="Tab", windowsVirtualKeyCode=9)
            window.call("Input.dispatchKeyEvent", type="keyUp", key="Tab", code="Tab", windowsVirtualKeyCode=9)
            focused.append(window.value("document.activeElement.name || document.activeElement.textContent.trim()"))
        self.assertEqual(focused[0], "Skip to the content")
        for name in ("url", "match", "news", "Deutsch"):
            self.assertIn(name, focused)

    def test_a_theme(self):
        theme = self.served.folder / "theme"
        theme.mkdir()
        (theme / "theme.json").write_text('{"name": "Bibliothek & Archiv", "colours": {"accent": "#7a1f3d"}}')
        (theme / "logo.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>')
        (theme / "footer.html").write_text("<p>Imprint of ours</p>")
        served = Served("--theme", theme)
        self.addCleanup(served.stop)
        window = Window(self.browser, 1000, False, "de")
        html = window.open(f"http://{served.host}/")
        window.shot("theme-1000-light-de")
        self.assertIn("Bibliothek &amp; Archiv", html)
        self.assertIn("Imprint of ours", html)
        self.assertEqual(window.value("getComputedStyle(document.querySelector('button')).backgroundColor"), "rgb(122, 31, 61)")
        self.assertEqual(window.faults(), [])
        (theme / "theme.json").write_text('{"colors": {}}')
        done = subprocess.run([harness.BINARY, "serve", served.folder / "all", "--theme", theme], capture_output=True, text=True,
                              env=harness.clean_environment(served.folder), timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("theme.json: there is no 'colors'", done.stderr)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
