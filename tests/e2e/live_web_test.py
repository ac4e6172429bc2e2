#!/usr/bin/env python3
"""`caddis serve --live`: pages of the live web, shown as they will replay, of which nothing is kept. A live site on loopback, programs
and Chromium.
"""

import contextlib
import hashlib
import http.client
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import devtools
import harness
import record_site

ALLOWED = ("--set", "fetch.allow-addresses=127.0.0.0/8", "--set", "fetch.allow-addresses=::1/128")
CAPTURES = "live.localhost"


class LiveTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="caddis-e2e-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.site = record_site.LiveSite(self.folder)
        self.addCleanup(self.site.stop)
        self.site.fixed["/moved"] = ("text/html", b"<title>new</title><a href='/'>back</a>")
        self.collection = pathlib.Path(self.folder) / "c"
        (self.collection / "archive").mkdir(parents=True)
        (self.collection / "indexes").mkdir()

    def environment(self):
        spools = pathlib.Path(self.folder) / "tmp"
        spools.mkdir(exist_ok=True)
        return {**harness.clean_environment(self.folder), "TMPDIR": str(spools)}

    def serve(self, *options, allowed=True):
        command = [os.path.abspath(harness.BINARY), "serve", "c", "--listen", "127.0.0.1:0", "--live", *(ALLOWED if allowed else ()), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                                        env=self.environment())
        self.addCleanup(lambda: self.process.poll() is None and harness.kill(self.process))
        for line in self.process.stdout:
            if found := re.search(r"the live web at http://127\.0\.0\.1:(\d+)(\S*)/live/URL", line):
                self.port, self.base = int(found[1]), found[2]
                return
        raise AssertionError(self.process.communicate()[1])

    def stop(self):
        self.process.terminate()
        _, errors = self.process.communicate(timeout=120)
        self.assertEqual(self.process.returncode, 0, errors)
        self.assertEqual(list((pathlib.Path(self.folder) / "tmp").iterdir()), [])

    def ask(self, path, method="GET", body=None, host=None, **headers):
        """(status, headers, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            fields = {name.replace("_", "-"): value for name, value in headers.items()}
            if host:
                fields["Host"] = f"{host}:{self.port}"
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            body = answer.read()
            if path.startswith(f"{self.base}/live") and answer.status != 421:
                self.assertEqual((answer.headers["Memento-Datetime"], answer.headers["Link"]), (None, None), path)
                self.assertEqual(answer.headers["Cache-Control"], "no-store", path)
            return answer.status, answer.headers, body

    def files(self):
        return {str(path.relative_to(self.collection)): hashlib.sha1(path.read_bytes()).hexdigest() if path.is_file() else ""
                for path in self.collection.rglob("*")}

    def seen(self):
        return [(method, path) for method, path, _ in self.site.seen]

    def test_a_page_is_shown_as_it_will_replay(self):
        self.serve()
        before = self.files()
        site = self.site.plain
        # Without a time it is that of now.
        status, headers, _ = self.ask(f"/live/mp_/{site}/")
        self.assertEqual(status, 302)
        [stamp] = re.findall(rf"^/live/(\d{{14}})mp_/{re.escape(site)}/$", headers["Location"])
        self.assertEqual(self.seen(), [])
        status, headers, body = self.ask(headers["Location"], User_Agent="Browser/1", Cookie="own=1")
        self.assertEqual(status, 200)
        self.assertIn("text/html", headers["Content-Type"])
        self.assertIn(f"/live/{stamp}cs_/{site}/style.css".encode(), body)
        self.assertIn(f"/live/{stamp}im_/{site}/picture.png".encode(), body)
        self.assertIn(b"/-/client.js", body)
        self.assertIn("content-security-policy", {name.lower() for name in headers})
        sent = self.site.seen[0][2]
        self.assertEqual((sent["User-Agent"], sent.get("Cookie")), ("Browser/1", None))
        # Each request fetches, whatever its time.
        for time in (stamp, "20010101000000", ""):
            self.assertEqual(self.ask(f"/live/{time}im_/{site}/picture.png")[2], self.site.fixed["/picture.png"][1])
        self.assertEqual(self.ask(f"/live/{stamp}id_/{site}/")[2], record_site.PAGE)
        self.assertEqual(self.seen(), [("GET", "/")] + [("GET", "/picture.png")] * 3 + [("GET", "/")])
        # Redirects are led on, also those that an archive would take for the same page.
        status, headers, _ = self.ask(f"/live/{stamp}mp_/{site}/MOVED")
        self.assertEqual((status, headers["Location"]), (301, f"/live/{stamp}mp_/{site}/moved"))
        self.assertIn(b"<title>new", self.ask(headers["Location"])[2])
        # What a page posts, and the part that a player asks for.
        status, _, body = self.ask(f"/live/{stamp}mp_/{site}/form", "POST", b"name=live", Content_Type="application/x-www-form-urlencoded")
        self.assertEqual((status, body), (200, b"got name=live"))
        self.assertEqual(self.site.seen[-1][2]["Content-Type"], "application/x-www-form-urlencoded")
        status, headers, body = self.ask(f"/live/{stamp}oe_/{site}/large", Range="bytes=5-24")
        self.assertEqual((status, headers["Content-Range"], body), (206, f"bytes 5-24/{len(self.site.large)}", self.site.large[5:25]))
        self.assertEqual(self.site.seen[-1][2]["Range"], "bytes=5-24")
        self.assertEqual(self.ask(f"/live/{stamp}oe_/{site}/large")[2], self.site.large)
        self.assertEqual(self.ask(f"/live/{stamp}id_/{site}/nothing")[::2], (404, b"not here"))
        self.assertEqual(self.ask(f"/live/{stamp}mp_/{site}/", "HEAD")[::2], (200, b""))
        # The archive beside it is as it was.
        self.assertEqual(self.ask(f"/c/{stamp}mp_/{site}/")[0], 404)
        self.stop()
        self.assertEqual(self.files(), before)

    def test_windows_and_frames(self):
        self.serve()
        site = self.site.plain
        window = {"Sec_Fetch_Site": "none", "Sec_Fetch_Dest": "document", "Sec_Fetch_Mode": "navigate"}
        frame = {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "iframe", "Sec_Fetch_Mode": "navigate"}
        stamp = re.search(r"/live/(\d{14})/http", self.ask(f"/live/{site}/", **window)[1]["Location"])[1]
        page = f"/live/{stamp}/{site}/"
        status, headers, body = self.ask(page, **window)
        self.assertEqual(status, 200)
        inside = f"//{CAPTURES}:{self.port}/live/{stamp}mp_/{site}/"
        self.assertIn(inside.partition(f"{stamp}mp_")[0].encode(), body)
        self.assertIn(b"nothing of it is kept", body)
        self.assertNotIn(b"/live/info", body)
        # The frame is given what the window has fetched, once; afterwards it asks the window to open the address.
        status, headers, body = self.ask(f"/live/{stamp}mp_/{site}/", host=CAPTURES, **frame)
        self.assertEqual(status, 200)
        self.assertIn(b"<h1>Live</h1>", body)
        self.assertEqual(self.seen(), [("GET", "/")])
        status, _, body = self.ask(f"/live/{stamp}mp_/{site}/", host=CAPTURES, **frame)
        self.assertEqual(status, 404)
        self.assertIn(b"data-alone", body)
        self.assertEqual(self.seen(), [("GET", "/")])
        # What the page asks for is fetched for it, also by an address that its script has made up.
        of_page = {"Sec_Fetch_Site": "same-origin", "Sec_Fetch_Dest": "empty", "Referer": f"http://{CAPTURES}:{self.port}{page}"}
        self.assertEqual(self.ask(f"/live/{stamp}mp_/{site}/form", "POST", b"a=b", CAPTURES, **of_page)[2], b"got a=b")
        self.assertEqual(self.site.seen[-1][2]["Referer"], f"{site}/")
        stray = self.ask("/style.css", host=CAPTURES, **{**of_page, "Sec_Fetch_Dest": "style"})
        self.assertEqual((stray[0], stray[1]["Location"]), (307, f"/live/{stamp}cs_/{site}/style.css"))
        self.assertEqual(self.ask("/-/client.js", host=CAPTURES, **of_page)[0], 200)
        # A window at the captures' host is led to the own pages, a frame at those to it.
        self.assertEqual(self.ask(page, host=CAPTURES, **window)[1]["Location"], f"http://127.0.0.1:{self.port}{page}")
        self.assertEqual(self.ask(f"/live/{stamp}mp_/{site}/", **frame)[1]["Location"], inside)
        self.assertEqual(self.seen(), [("GET", "/"), ("POST", "/form")])
        self.stop()

    def test_strangers_have_nothing_fetched(self):
        self.serve("--access-log", "access.log")
        site = self.site.plain
        for stranger in ({"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}, {"Origin": "http://other.example"},
                         {"Referer": "http://other.example/"}):
            for host in (None, CAPTURES):
                self.assertEqual(self.ask(f"/live/20260101000000mp_/{site}/", host=host, **stranger)[0], 403, stranger)
        self.assertEqual(self.ask(f"/live/20260101000000mp_/{site}/", host="rebound.example")[0], 421)
        for path in ("/live", "/live/", "/live/favicon.ico", "/live/cdx?url=x", f"/live/*/{site}/", "/live/20260101000000mp_/ftp://a.example/"):
            self.assertIn(self.ask(path)[0], (400, 404), path)
        self.assertEqual(self.ask(f"/live/20260101000000mp_/http://127.0.0.1:{self.port}/")[0], 502)  # itself
        self.assertEqual(self.ask("/live/20260101000000mp_/http://127.0.0.1:1/")[0], 502)
        self.assertEqual(self.seen(), [])
        self.stop()
        self.assertIn('"GET /live HTTP/1.1" 404', (pathlib.Path(self.folder) / "access.log").read_text())
        # It is no way into the local network, unless it is told.
        self.serve(allowed=False)
        status, _, body = self.ask(f"/live/20260101000000mp_/{site}/")
        self.assertEqual(status, 502)
        self.assertIn(b"fetch.allow-addresses", body)
        self.assertEqual(self.seen(), [])
        self.stop()

    def test_it_is_shown_below_a_path(self):
        self.serve("--base-path", "/w")
        self.assertEqual(self.base, "/w")
        site = self.site.plain
        location = self.ask(f"/w/live/{site}/")[1]["Location"]
        stamp = re.search(r"^/w/live/(\d{14})/", location)[1]
        self.assertIn(f"/w/live/{stamp}cs_/{site}/style.css".encode(), self.ask(f"/w/live/{stamp}mp_/{site}/")[2])
        outside = {"Sec_Fetch_Site": "same-origin", "Referer": f"http://127.0.0.1:{self.port}/other/"}
        self.assertEqual(self.ask(f"/w/live/{stamp}im_/{site}/picture.png", **outside)[0], 403)
        self.assertEqual(self.seen(), [("GET", "/")])
        self.stop()

    def test_what_cannot_be_done_is_refused(self):
        def refused(*options):
            done = subprocess.run([os.path.abspath(harness.BINARY), "serve", *options], capture_output=True, text=True, timeout=60, cwd=self.folder,
                                  env=self.environment(), check=False)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            return done.stderr
        self.assertIn("others can reach", refused("c", "--live", "--listen", "0.0.0.0:0", "--insecure", "0.0.0.0:0"))
        self.assertIn("--captures-host", refused("c", "--live", "--listen", "127.0.0.1:0", "--public-name", "archive.example"))
        self.assertIn("--live", refused("c", "--listen", "127.0.0.1:0", *ALLOWED))
        self.assertIn("--users", refused("c", "--live", "--listen", "127.0.0.1:0", "--users", "users"))
        self.collection.rename(self.collection.with_name("live"))
        self.assertIn("rename", refused("live", "--live", "--listen", "127.0.0.1:0"))

    @unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), "needs Chromium")
    def test_a_browser_shows_it(self):
        self.serve()
        before = self.files()
        with devtools.Browser() as browser:
            target = browser.call("Target.createTarget", url="about:blank")["targetId"]
            session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            browser.call("Page.navigate", session, wait=90, url=f"http://127.0.0.1:{self.port}/live/{self.site.plain}/")
            wanted = {("GET", "/"), ("GET", "/style.css"), ("GET", "/picture.png"), ("POST", "/form")}
            harness.wait_until(lambda: wanted <= set(self.seen()), "all that the page asks for", seconds=90)

            def title():
                return browser.call("Runtime.evaluate", session, expression="document.title", returnByValue=True)["result"].get("value")
            # The page around it is told, so the script of the page in it runs.
            harness.wait_until(lambda: title() in ("A page", "ready"), "the title", seconds=90)
        self.assertEqual(self.seen().count(("GET", "/")), 1)
        self.stop()
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
