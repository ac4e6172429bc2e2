#!/usr/bin/env python3
"""Scripts in replay: each small feature of replay_features.py gives in the archive what it gives on the live page, in one run of
one browser. With CADDIS_PEER=pywb the same features are tried in pywb, and told beside ours."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

import devtools
import harness
import peers
from local_site import free_port
from replay_features import EXPECTED, FEATURES
from replay_site import STAMP, ReplaySite


class Tab:
    """A tab, and the frames in it that are documents of their own process."""

    def __init__(self, browser):
        self.browser, self.frames, self.console = browser, {}, []
        browser.listeners.append(self._on_event)
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target, flatten=True)["sessionId"]
        browser.call("Target.setAutoAttach", self.session, autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        browser.call("Runtime.enable", self.session)

    def close(self):
        self.browser.listeners.remove(self._on_event)
        self.browser.call("Target.closeTarget", targetId=self.target)

    def _on_event(self, session, method, parameters):
        if method == "Target.attachedToTarget" and parameters["targetInfo"]["type"] == "iframe" and session == self.session:
            self.frames[parameters["sessionId"]] = True
            threading.Thread(target=self._watch, args=[parameters["sessionId"]], daemon=True).start()
        elif method == "Target.detachedFromTarget":
            self.frames.pop(parameters["sessionId"], None)
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description") or details["text"])

    def _watch(self, session):
        try:
            self.browser.call("Runtime.enable", session)
        except devtools.DevToolsError:
            pass

    def open(self, address):
        self.browser.call("Page.navigate", self.session, url=address)

    def value(self, expression, framed):
        try:
            session = list(self.frames)[0] if framed else self.session
            answer = self.browser.call("Runtime.evaluate", session, expression=expression, returnByValue=True)
            return answer["result"].get("value")
        except (devtools.DevToolsError, IndexError):
            return None

    def results(self, address, framed):
        """What window.results is once all is tried. A frame in the process of its page is found as well."""
        self.open(address)
        window = "window" if framed or address.startswith("http://site.") else "(window[0] || window)"
        try:
            harness.wait_until(lambda: self.value(f"{window}.finished === true", framed), f"{address} to have tried its features", 60)
        except AssertionError:
            pass
        return self.value(f"{window}.results", framed) or {}


class Pywb:
    """pywb of PyPI on the archive files of a collection."""

    def __init__(self, collection, folder):
        python = pathlib.Path(peers.python_with("pywb")[0])
        self.port = free_port()
        folder.mkdir()
        for arguments in (["init", "features"], ["add", "features", *(collection / "archive").iterdir()]):
            subprocess.run([python.parent / "wb-manager", *arguments], cwd=folder, check=True, capture_output=True, timeout=120)
        self.process = subprocess.Popen([python.parent / "wayback", "--port", str(self.port), "--bind", "127.0.0.1"], cwd=folder,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        harness.wait_until(self._answers, "pywb to answer", 60)

    def _answers(self):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=5):
                return True
        except OSError:
            return False

    def stop(self):
        self.process.terminate()
        self.process.wait(30)

    def address(self, url):
        return f"http://localhost:{self.port}/features/{STAMP}/{url}"


class Serve:
    """`caddis serve` of one collection."""

    def __init__(self, collection):
        self.process = subprocess.Popen([harness.BINARY, "serve", str(collection), "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True,
                                        env=harness.clean_environment(collection.parent))
        line = self.process.stdout.readline()
        found = re.search(r"http://(127\.0\.0\.1:\d+)/", line)
        if not found:
            self.stop()
            raise AssertionError(f"caddis serve said: {line}")
        self.host, self.collection = found[1], collection.name

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=30)

    def address(self, url):
        return f"http://{self.host}/{self.collection}/{STAMP}/{url}"


@unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), f"{devtools.CHROMIUM} is not installed (Debian package chromium)")
class ReplayScriptsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-replay-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.site = cls.enterClassContext(ReplaySite())
        cls.browser = cls.enterClassContext(devtools.Browser())
        cls.server = Serve(cls.site.write_collection(cls.folder / "features"))
        cls.addClassCleanup(cls.server.stop)

    def tried(self, address, framed):
        tab = Tab(self.browser)
        try:
            return tab.results(address, framed), tab.console
        finally:
            tab.close()

    def test_features(self):
        columns = [c for c in FEATURES if re.search(os.environ.get("CADDIS_COLUMN", ""), c)]
        wrong, figures = [], []
        for column in columns:
            page = f"http://{self.site.site}{self.site.page_of(column)}"
            live, _ = self.tried(page, False)
            replayed, console = self.tried(self.server.address(page), True)
            failed = []
            for name, _ in FEATURES[column]:
                expected = EXPECTED.get(name, live.get(name, "not tried live"))
                if replayed.get(name) != expected:
                    failed.append(f"{column}: {name}: live {expected}, replayed {replayed.get(name)}")
            figures.append(f"{column} {len(FEATURES[column]) - len(failed)}/{len(FEATURES[column])}")
            wrong += failed + ([f"{column}: console: {line}" for line in console[:20]] if failed else [])
        print("; ".join(figures))
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))


    @unittest.skipUnless(os.environ.get("CADDIS_PEER") == "pywb", "by hand: CADDIS_PEER=pywb")
    def test_pywb(self):
        peer = Pywb(self.folder / "features", self.folder / "pywb")
        self.addCleanup(peer.stop)
        for column, features in FEATURES.items():
            page = f"http://{self.site.site}{self.site.page_of(column)}"
            live, _ = self.tried(page, False)
            theirs, _ = self.tried(peer.address(page), False)
            right = sum(theirs.get(name) == EXPECTED.get(name, live.get(name, "")) for name, _ in features)
            print(f"pywb: {column} {right}/{len(features)}")

    def test_rewriting_in_the_browser(self):
        """The client's rewriter is held to the vectors of the server's."""
        source = pathlib.Path(__file__).parents[2]
        parts = "".join((source / f"web/replay/client/{part}.js").read_text() for part in ("script_lexer", "script_rewriter"))
        vectors = json.loads((source / "tests/data/script_rewriter.json").read_text())
        options = """{ module, base: 'http://example.org/dir/a.js', specifier: (s) => /^(\\/|https?:)/.test(s) && !s.startsWith('/c/') ?
          '/c/20260102030405js_/' + new URL(s, 'http://example.org/dir/a.js').href : null }"""
        program = f"(() => {{ {parts}; return {json.dumps(vectors)}.map(({{ script, module }}) => rewriteScript(script, {options})); }})()"
        tab = Tab(self.browser)
        self.addCleanup(tab.close)
        for vector, out in zip(vectors, tab.value(program, False), strict=True):
            self.assertEqual(out, vector.get("rewritten", vector["script"]), vector["script"])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
