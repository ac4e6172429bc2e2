#!/usr/bin/env python3
"""Replay as a person sees it: a crawled site in Chromium, live and from the archive, with the live site gone for the latter."""

import base64
import gzip
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

import devtools
import harness
import png
from browser_site import BrowserSite

CHROMIUM = devtools.CHROMIUM
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1000,800",
         "--virtual-time-budget=5000", "--dump-dom"]
# Asked for by the browser itself, not by a page.
BROWSERS_OWN = re.compile(r"(^|\.)(google|googleapis|gstatic|gvt1|googleusercontent)\.com(:\d+)?$")


class Recorder:
    """In place of a proxy: notes the host of every request and answers none."""

    def __init__(self):
        self.hosts = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(2)
                try:
                    self._note(connection.recv(4096).split(b"\r\n")[0].decode("latin-1"))
                    connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                except OSError:
                    pass

    def _note(self, line):
        """`CONNECT host:port HTTP/1.1` or `GET http://host/path HTTP/1.1`; a connection without a request asks for nothing."""
        if not line:
            return
        target = (line.split(" ") + [line])[1]
        host = target.split("://")[-1].split("/")[0]
        if not BROWSERS_OWN.search(host):
            self.hosts.append(host)

    def close(self):
        self.listener.close()


class View:
    """What came of opening a URL: `dom` after the scripts, `screenshot`, and the hosts asked for beyond `host`."""

    def __init__(self, url, host):
        folder, recorder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-browser-")), Recorder()
        shot = folder / "shot.png"
        command = [CHROMIUM, *FLAGS, f"--user-data-dir={folder}/profile", f"--screenshot={shot}",
                   f"--proxy-server=http://127.0.0.1:{recorder.port}", f"--proxy-bypass-list=<-loopback>;{host}", url]
        try:
            done = subprocess.run(command, capture_output=True, timeout=60, env=harness.clean_environment(folder))
            self.dom = done.stdout.decode("utf-8", "replace")
            if not shot.exists():
                raise AssertionError(f"no screenshot of {url}: {done.stderr.decode('utf-8', 'replace')[-2000:]}")
            self.screenshot = shot.read_bytes()
            self.hosts_beyond = recorder.hosts
        finally:
            recorder.close()
            shutil.rmtree(folder, ignore_errors=True)


class Replay:
    """A replayed URL in a window: `window` and `dom` are the documents of the window and of the frame in it, after the
    scripts; `screenshot`, and the hosts asked for beyond those of `server`."""

    def __init__(self, address, server, until=""):
        recorder = Recorder()
        bypass = f"<-loopback>;127.0.0.1:{server.port};*.localhost:{server.port}"
        with devtools.Browser(f"--proxy-server=http://127.0.0.1:{recorder.port}", f"--proxy-bypass-list={bypass}") as browser:
            self.browser, self.frames = browser, []
            browser.listeners.append(self._on_event)
            target = browser.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            self._follow(self.session)
            browser.call("Emulation.setDeviceMetricsOverride", self.session, width=1000, height=800, deviceScaleFactor=1, mobile=False)
            browser.call("Page.navigate", self.session, url=address)
            harness.wait_until(lambda: self._is_shown(until), f"{address} to be shown")
            self.screenshot = base64.b64decode(browser.call("Page.captureScreenshot", self.session)["data"])
            self.address = self._value(self.session, "location.href")
        recorder.close()
        self.hosts_beyond = recorder.hosts

    def _follow(self, session):
        self.browser.send("Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=False, flatten=True)

    def _on_event(self, session, method, parameters):
        if method == "Target.attachedToTarget" and parameters["targetInfo"]["type"] == "iframe" and session == self.session:
            self.frames.append(parameters["sessionId"])
        elif method == "Target.detachedFromTarget" and parameters["sessionId"] in self.frames:
            self.frames.remove(parameters["sessionId"])

    def _value(self, session, expression):
        return self.browser.call("Runtime.evaluate", session, expression=expression, returnByValue=True)["result"].get("value")

    def _is_shown(self, until):
        """Once both documents are loaded, and the text is there that scripts write last."""
        try:
            documents = "[document.readyState, document.documentElement.outerHTML]"
            state, self.window = self._value(self.session, documents)
            framed_state, self.dom = self._value(self.frames[-1], documents) if self.frames else ["complete", ""]
        except (devtools.DevToolsError, TypeError):
            return False  # on its way from one document to the next
        return state == framed_state == "complete" and until in self.window + self.dom


class Server:
    """`caddis serve` on a free port."""

    def __init__(self, crawl):
        self.process = subprocess.Popen([harness.BINARY, "serve", str(crawl.collection), "--listen", "127.0.0.1:0"],
                                        stdout=subprocess.PIPE, text=True, env=harness.clean_environment(crawl.folder))
        line = self.process.stdout.readline()
        found = re.search(r"http://(127\.0\.0\.1:\d+)/(\S+)/$", line)
        if not found:
            self.stop()
            raise AssertionError(f"caddis serve said: {line}")
        self.host, self.collection = found.groups()
        self.port = self.host.split(":")[1]

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=30)
        return self.process.returncode

    def address(self, stamp, url):
        return f"http://{self.host}/{self.collection}/{stamp}/{url}"

    def get(self, address):
        """(status, headers, body)"""
        try:
            with urllib.request.urlopen(address, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as answer:
            with answer:
                return answer.code, answer.headers, answer.read()

    def timestamp(self, url):
        body = self.get(f"http://{self.host}/{self.collection}/cdx?url={url}")[2]
        return body.decode().split()[1]


@unittest.skipUnless(os.access(CHROMIUM, os.X_OK), f"{CHROMIUM} is not installed (Debian package chromium)")
class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = cls.enterClassContext(BrowserSite())
        cls.crawl = harness.Crawl(cls.site)
        cls.addClassCleanup(cls.crawl.remove)
        code, out, err = cls.crawl.run(more=["--scope", "host", "--exclude", "^http://elsewhere"])
        if code != 0:
            raise AssertionError(out + err)
        cls.live = View(cls.site.url("/index.html"), cls.site.host)
        cls.live_leaks = View(cls.site.url("/leaks.html"), cls.site.host)
        cls.site.stop()
        cls.server = Server(cls.crawl)
        cls.addClassCleanup(cls.server.stop)
        cls.replayed = cls.replay("/index.html", "fetched by the script")

    @classmethod
    def replay(cls, path, until):
        url = cls.site.url(path)
        return Replay(cls.server.address(cls.server.timestamp(url), url), cls.server, until)

    def test_looks_as_it_did_live(self):
        for text in ("written by the script", "fetched by the script", self.site.url("/index.html") + "</p>"):
            self.assertIn(text, self.live.dom)
            self.assertIn(text, self.replayed.dom)
        self.assertEqual(self.replayed.hosts_beyond, [])
        # But for the banner, which lies in a corner and moves nothing of the page; a frame may round a colour otherwise.
        left, top, right, bottom = png.difference(self.live.screenshot, self.replayed.screenshot, tolerance=8)
        self.assertGreater(left, 500)
        self.assertGreater(top, 600)

    def test_nothing_is_loaded_from_elsewhere(self):
        # Live, the page does load from there: what would leave is seen.
        self.assertIn(self.site.other_host, self.live_leaks.hosts_beyond)
        leaks = self.replay("/leaks.html", "all tried")
        self.assertEqual(leaks.hosts_beyond, [])

    def test_a_page_cannot_leave(self):
        leaves = self.replay("/leaves.html", "Not in the archive")
        self.assertEqual(leaves.hosts_beyond, [])
        self.assertIn(f"/{self.server.collection}/", leaves.address)

    def test_banner_tells_the_date(self):
        stamp = self.server.timestamp(self.site.url("/index.html"))
        date = f"{int(stamp[6:8])} {'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split()[int(stamp[4:6]) - 1]} {stamp[:4]}"
        self.assertRegex(self.replayed.window, f'<a id="time"[^>]*>{date}, ')
        self.assertIn("<title>A page of today</title>", self.replayed.window)
        self.assertEqual(self.replayed.address, self.server.address(stamp, self.site.url("/index.html")))

    def test_what_is_not_there_is_told(self):
        url = self.site.url("/never.html")
        status, _, body = self.server.get(self.server.address("20260101000000", url))
        self.assertEqual(status, 404)
        self.assertIn(b"Not in the archive", body)
        self.assertIn(url.encode(), body)

    def test_identity_is_what_was_served(self):
        for url, served in self.site.files.items():
            status, headers, body = self.server.get(self.server.address(self.server.timestamp(url) + "id_", url))
            self.assertEqual(status, 200, url)
            if headers["Content-Encoding"] == "gzip":
                body = gzip.decompress(body)
            self.assertEqual(body, served, url)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
