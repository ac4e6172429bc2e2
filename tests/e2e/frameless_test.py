#!/usr/bin/env python3
"""`caddis serve --frameless`: a capture is a window's own document, under the captures' host, and reaches neither the archive's own pages
nor another collection. In Chromium, where there is one.
"""

import os
import sys
import unittest

import devtools
import harness
from dated_archive import DatedArchive

PAGE = b"""<!doctype html><title>Old</title><h1>Old</h1><a id="next" href="/next">next</a><a id="pdf" href="/a.pdf">pdf</a>
<script>document.title = 'ran ' + (top === self) + ' ' + location.href;</script>"""
CAPTURES = [("http://old.example/", "20200102030405", PAGE), ("http://old.example/next", "20200102030405", b"<title>Next</title>next"),
            ("http://old.example/a.pdf", "20200102030405", b"%PDF-1.4", "application/pdf")]


class FramelessTest(unittest.TestCase):
    def setUp(self):
        self.archive = DatedArchive(self, CAPTURES)

    def test_windows_are_led_to_the_captures_host(self):
        self.archive.serve(None, "--frameless")
        window = {"Sec_Fetch_Dest": "document", "Accept": "text/html"}
        status, headers, _ = self.archive.ask("/c/20200102030405/http://old.example/", **window)
        at = f"//c.localhost:{self.archive.port}/c/20200102030405mp_/http://old.example/"
        self.assertEqual((status, headers["Location"]), (302, at))
        status, headers, body = self.archive.ask("/" + at.split("/", 3)[3], Host=f"c.localhost:{self.archive.port}", **window)
        self.assertEqual(status, 200)
        self.assertIn("sandbox allow-scripts", headers["Content-Security-Policy"])
        self.assertNotIn("data-own", body)
        # The archive's own pages are not there.
        for path in ("/", "/c/", "/c/search?url=*", "/c/cdx?url=old.example/"):
            status, _, body = self.archive.ask(path, Host=f"c.localhost:{self.archive.port}", **window)
            self.assertEqual(status, 404, path)
        # A PDF is shown as before: by itself, and without scripts.
        status, headers, _ = self.archive.ask("/c/20200102030405/http://old.example/a.pdf", **window)
        self.assertEqual((status, headers["Content-Type"]), (200, "application/pdf"))

    def test_without_a_host_for_captures_there_are_frames(self):
        self.archive.serve(None, "--frameless", "--public-name", "archive.example")
        status, _, body = self.archive.ask("/c/20200102030405/http://old.example/", Host="archive.example", Sec_Fetch_Dest="document")
        self.assertEqual(status, 200)
        self.assertIn("<iframe", body)

    def test_it_needs_addresses_that_last(self):
        self.archive.caddis("users", "add", "anna", "--role", "viewer", "--file", "users")
        said = self.archive.caddis("serve", self.archive.path, "--listen", "127.0.0.1:0", "--users", "users", "--frameless", code=2)
        self.assertIn("--frameless cannot be used with --users", said)

    @unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), "needs Chromium")
    def test_a_browser(self):
        self.archive.serve(None, "--frameless")
        own = f"http://127.0.0.1:{self.archive.port}"
        with devtools.Browser() as browser:
            target = browser.call("Target.createTarget", url="about:blank")["targetId"]
            session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

            def value(expression, **where):
                answer = browser.call("Runtime.evaluate", session, wait=90, expression=expression, returnByValue=True, awaitPromise=True, **where)
                return answer["result"].get("value")
            browser.call("Page.navigate", session, wait=90, url=f"{own}/c/20200102030405/http://old.example/")
            harness.wait_until(lambda: "ran" in (value("document.title") or ""), "page", seconds=60)
            self.assertEqual(value("document.title"), "ran true http://old.example/")
            here = f"http://c.localhost:{self.archive.port}/c/20200102030405mp_/http://old.example/"
            self.assertEqual(browser.call("Target.getTargetInfo", targetId=target)["targetInfo"]["url"], here)
            # Neither the own pages nor a window beside this one.
            # Asked past the client script, which would lead it into the archive.
            frame = browser.call("Page.getFrameTree", session)["frameTree"]["frame"]["id"]
            beside = browser.call("Page.createIsolatedWorld", session, frameId=frame)["executionContextId"]
            read = f"fetch('{own}/c/').then(answer => answer.text()).then(() => 'read', () => 'refused')"
            self.assertEqual(value(read, contextId=beside), "refused")
            self.assertEqual(value(f"fetch('{here}').then(answer => answer.text()).then(() => 'read', () => 'refused')", contextId=beside), "read")
            self.assertIsNone(value("window.open('about:blank')"))
            value("document.getElementById('next').click()")
            harness.wait_until(lambda: value("document.title") == "Next", "next page", seconds=60)
            self.assertEqual(browser.call("Target.getTargetInfo", targetId=target)["targetInfo"]["url"], here + "next")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
