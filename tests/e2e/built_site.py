"""Sites of built pages, served live on loopback from folders, and recorded while a browser is on them; and walks through them,
live and in the archive, that are held against each other."""

import base64
import collections
import fcntl
import functools
import http.server
import json
import mimetypes
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

import devtools
import harness
import peers
import png
from replay_scripts_test import Pywb, Serve, Tab
from replay_site import write_responses

# Everything that the tests of built pages take from npm, by one installation.
PACKAGES = ["esbuild@0.25", "react@19", "react-dom@19", "react-router-dom@7", "vue@3", "vue-router@4", "svelte@5", "webpack@5", "vitepress@1",
            "leaflet@1", "swagger-ui-dist@5", "jquery@3", "datatables.net@2", "datatables.net-dt@2", "pdfjs-dist@5", "video.js@8", "monaco-editor@0.52",
            "@angular/core@20", "@angular/common@20", "@angular/compiler@20", "@angular/platform-browser@20", "@angular/router@20", "rxjs@7",
            "zone.js@0.15", "tslib@2"]
APPS = pathlib.Path(__file__).parent / "apps"
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8", ".json": "application/json",
         ".svg": "image/svg+xml", ".wasm": "application/wasm", ".m3u8": "application/vnd.apple.mpegurl", ".mp4": "video/mp4", ".m4s": "video/mp4",
         ".woff2": "font/woff2", ".txt": "text/plain", ".xml": "text/xml", ".pdf": "application/pdf", ".ttf": "font/ttf"}


def packages_of_npm(wanted=tuple(PACKAGES), name="apps"):
    """The folder with them, installed once."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise unittest.SkipTest("Node and npm are not installed")
    folder = peers.FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    # Tests run side by side.
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        whole = folder / "whole"
        if not whole.exists() or whole.read_text() != " ".join(wanted):
            whole.unlink(missing_ok=True)
            (folder / "package.json").write_text("{}")
            peers.fetch(["npm", "install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", *wanted], "packages of npm")
            whole.write_text(" ".join(wanted))
    return folder


def build(*command, cwd=None, **environment):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, check=False, cwd=cwd,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise AssertionError(f"{command}: {(done.stderr or done.stdout)[-2000:]}")


class BuiltSite:
    """Hosts below localhost on one port. What is answered, by 200 or another status, is recorded."""

    def __init__(self):
        self.pages, self.mounts, self.recorded, self.requests = {}, [], {}, []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.server.daemon_threads = True
        self.port = self.server.server_port
        self.site, self.other = f"site.localhost:{self.port}", f"other.localhost:{self.port}"
        self.add("/favicon.ico", png.encode(1, 1, (0, 0, 0)), "image/png")
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def add(self, path, body, kind=None):
        """A path that all hosts have. In a text __site__ and __other__ are the two origins."""
        if isinstance(body, str):
            body = body.replace("__site__", f"http://{self.site}").replace("__other__", f"http://{self.other}").encode()
        kind = kind or TYPES[pathlib.PurePosixPath(path).suffix or ".html"]
        self.pages[path] = (kind, body)

    def mount(self, prefix, folder, whole=False):
        """Serves the files of a folder below a path; a folder has its index.html. `whole`: all of them are recorded, as a crawler
        would, whether the browser asks for them or not (some load in advance what may be wanted next, if they have the time)."""
        self.mounts.append((prefix, pathlib.Path(folder), whole))

    def record(self, *paths):
        """Records pages of both hosts, whether the browser asks for them or not."""
        for host in (self.site, self.other):
            for path in paths:
                self.recorded[f"http://{host}{path}"] = self._response(self._find(path))

    def _find(self, target):
        if target in self.pages:
            return self.pages[target]
        path = urllib.parse.unquote(target.partition("?")[0])
        if path in self.pages:
            return self.pages[path]
        for prefix, folder, _ in self.mounts:
            if path.startswith(prefix):
                file = folder / path.removeprefix(prefix).lstrip("/")
                for one in (file, file / "index.html", file.with_name(file.name + ".html")):
                    if one.is_file() and (one.name != "index.html" or path.endswith(("/", "index.html"))):
                        return TYPES.get(one.suffix) or mimetypes.guess_type(one.name)[0] or "application/octet-stream", one.read_bytes()
        return None

    @staticmethod
    def _response(found):
        kind, body = found or ("text/plain", b"nothing")
        fields = [("Content-Type", kind), ("Access-Control-Allow-Origin", "*"), ("Accept-Ranges", "bytes")]
        return "200 OK" if found else "404 Not Found", fields, body

    def _handler(site):
        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                found = site._find(self.path)
                host = self.headers["Host"]
                site.requests.append(f"http://{host}{self.path}")
                status, fields, body = site.recorded[f"http://{host}{self.path}"] = site._response(found)
                wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
                if found and wanted:
                    first, last = int(wanted[1]), min(int(wanted[2] or len(body) - 1), len(body) - 1)
                    fields, status = [*fields, ("Content-Range", f"bytes {first}-{last}/{len(body)}")], "206 Partial Content"
                    body = body[first:last + 1]
                self.send_response(int(status.partition(" ")[0]), status.partition(" ")[2])
                for name, value in fields:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        return Handler

    def write_collection(self, folder):
        """What was recorded so far, as if it had been captured in another year."""
        for prefix, source, whole in self.mounts:
            for file in source.rglob("*") if whole else ():
                path = prefix + urllib.parse.quote(file.relative_to(source).as_posix().removesuffix("index.html"))
                if file.is_file() and (found := self._find(path)):
                    self.recorded.setdefault(f"http://{self.site}{path}", self._response(found))
        lines = write_responses(folder, ((url, *response) for url, response in list(self.recorded.items())))
        (folder / "indexes/index.cdxj").write_text("".join(f"{line}\n" for line in sorted(lines)))
        return folder


class AppTab(Tab):
    """Also keeps the errors that a person would see in the console, and what requests were refused by a policy."""

    def __init__(self, browser):
        self.refused, self.session = [], None
        super().__init__(browser)
        self._enable(self.session)

    def _enable(self, session):
        for domain in ("Log", "Network"):
            self.browser.call(f"{domain}.enable", session)
        # Whichever tab is in front, the page has the focus.
        self.browser.call("Emulation.setFocusEmulationEnabled", session, enabled=True)

    def _watch(self, session):
        super()._watch(session)
        try:
            self._enable(session)
        except devtools.DevToolsError:
            pass

    def _on_event(self, session, method, parameters):
        super()._on_event(session, method, parameters)
        if session != self.session and session not in self.frames:
            return
        if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.console.append(" ".join(str(one.get("value", one.get("description"))) for one in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.console.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")
        elif method == "Network.loadingFailed" and parameters.get("blockedReason"):
            self.refused.append(parameters["blockedReason"])

    def picture(self, framed):
        """A picture of the page as PNG, without the archive's banner."""
        if framed:
            self.browser.call("Runtime.evaluate", self.session, expression="document.getElementById('banner').style.visibility = 'hidden'")
        return base64.b64decode(self.browser.call("Page.captureScreenshot", self.session, wait=60)["data"])


# Nothing that moves by itself is in a picture.
STILL = """(() => { if (document.getElementById('still')) return 1;
  const s = document.createElement('style'); s.id = 'still';
  s.textContent = '*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; scroll-behavior: auto !important }';
  document.head.append(s); return 1; })()"""


@unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), f"{devtools.CHROMIUM} is not installed (Debian package chromium)")
class BuiltAppTest(unittest.TestCase):
    """A test calls check() with the steps of a walk: (what is done, what is seen), both expressions of JavaScript. What is seen is
    waited for until it is true, and is the same live and in the archive."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-built-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.site = cls.enterClassContext(BuiltSite())
        cls.prepare()
        cls.browser = cls.enterClassContext(devtools.Browser())

    @classmethod
    def prepare(cls):
        """Fills the site."""

    def address(self, path):
        return f"http://{self.site.site}{path}"

    def walk(self, tab, address, steps, framed, expected=None):
        """What each step shows, once it shows that twice in a row; where it is known what is expected, once it shows that."""
        shown = []
        tab.open(address)
        for number, (act, see) in enumerate(steps):
            if act:
                tab.value(act, framed)

            seen = [None]

            def is_seen(see=see, seen=seen, number=number):
                seen.append(tab.value(f"document.readyState === 'complete' && ({see})", framed))
                return seen[-1] and seen[-1] == (seen[-2] if expected is None else expected[number])

            try:
                harness.wait_until(is_seen, f"step {number}", 40)
            except AssertionError:
                if expected is not None and seen[-1]:
                    raise AssertionError(f"step {number} shows {seen[-1]!r} instead of {expected[number]!r}: {see} (console: {tab.console})") from None
                text = tab.value("document.body ? document.body.innerText.slice(0, 300) : ''", framed)
                raise AssertionError(f"step {number} is not seen: {see} (the page shows {text!r}; console: {tab.console})") from None
            shown.append(seen[-1])
        return shown

    def settled_picture(self, tab, framed):
        """Once three pictures in a row are the same."""
        tab.value(STILL, framed)
        pictures = []
        for _ in range(20):
            pictures.append(tab.picture(framed))
            if len(pictures) >= 3 and pictures[-1] == pictures[-2] == pictures[-3]:
                break
            tab.value("new Promise((done) => setTimeout(done, 150))", framed)
            time.sleep(0.15)
        return pictures[-1]

    def console_of(self, tab):
        """Without what a page cannot know: the address in the archive."""
        plain = re.compile(r"http://[^/\s]*/built/\d*(?:[a-z]+_)?/(?=https?:)")
        return collections.Counter(plain.sub("", re.sub(r"\s+at .*", "", line, flags=re.S)) for line in tab.console)

    def peer(self):
        return os.environ.get("CADDIS_PEER") == "pywb"

    def check(self, path, steps, pictures=True, tolerance=32):
        live = AppTab(self.browser)
        try:
            shown = self.walk(live, self.address(path), steps, False)
            picture = pictures and self.settled_picture(live, False)
        finally:
            live.close()
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "built"
        server = Serve(self.site.write_collection(folder))
        self.addCleanup(server.stop)
        if self.peer():
            self.compare_peer(path, steps, shown, folder)
        self.site.requests.clear()
        replayed = AppTab(self.browser)
        try:
            self.walk(replayed, server.address(self.address(path)), steps, True, shown)
            self.assertEqual(self.console_of(replayed) - self.console_of(live), collections.Counter())
            self.assertEqual(self.site.requests, [], "requests that left the archive")
            if pictures:
                self.assert_same_picture(replayed, picture, tolerance)
        finally:
            replayed.close()

    def assert_same_picture(self, replayed, picture, tolerance):
        """Sooner or later. Edges are drawn a little otherwise in a frame, once in a while a pixel of a letter far otherwise."""
        copies, differ = [], functools.partial(png.difference, tolerance=tolerance, strays=8)

        def is_same():
            copies.append(self.settled_picture(replayed, True))
            return differ(copies[-1], picture) is None

        try:
            harness.wait_until(is_same, "picture that is as the live one", 10)
        except AssertionError:
            if os.environ.get("CADDIS_KEEP_PICTURES"):
                for name, data in (("live", picture), ("replayed", copies[-1])):
                    pathlib.Path(os.environ["CADDIS_KEEP_PICTURES"], f"{self.id()}-{name}.png").write_bytes(data)
            self.fail(f"the pictures differ: {differ(copies[-1], picture)}")

    def compare_peer(self, path, steps, shown, folder):
        """Tells whether pywb gives the same. By hand: CADDIS_PEER=pywb."""
        peer = Pywb(folder, folder.parent / "pywb")
        self.addCleanup(peer.stop)
        self.site.requests.clear()
        tab = AppTab(self.browser)
        try:
            # Its frame takes the whole window, as pages have live.
            whole = "(() => { const f = document.querySelector('iframe'); f && (f.style.cssText += ';position:fixed;inset:0;width:100%;height:100%'); })(), "
            framed = [(act and f"window[0].eval({json.dumps(act)})", f"({whole}window[0] && window[0].eval({json.dumps(see)}))") for act, see in steps]
            again = self.walk(tab, peer.address(self.address(path)), framed, False)
            verdict = "same" if again == shown else f"differs: {again} instead of {shown}"
        except AssertionError as error:
            verdict = f"fails: {str(error)[:200]}"
        finally:
            tab.close()
        print(f"pywb: {self.id()}: {verdict}; left the archive: {len(self.site.requests)}")
