#!/usr/bin/env python3
"""Scripts in replay: each small feature of replay_features.py gives in the archive what it gives on the live page, in one run of
one browser. With CADDIS_PEER=pywb the same features are tried in pywb, and told beside ours."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import devtools
import harness
from replay_features import EXPECTED, FEATURES
from replay_site import STAMP, ReplaySite

# Known not to be right, with the reason in docs/replay-of-scripts.md.
KNOWN = {}


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
        self.open(address)
        try:
            harness.wait_until(lambda: self.value("window.finished === true", framed), f"{address} to have tried its features", 120)
        except AssertionError:
            pass
        return self.value("window.results", framed) or {}


class Serve:
    """`caddis serve` of one archive file."""

    def __init__(self, archive):
        self.process = subprocess.Popen([harness.BINARY, "serve", str(archive), "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True,
                                        env=harness.clean_environment(archive.parent))
        line = self.process.stdout.readline()
        found = re.search(r"http://(127\.0\.0\.1:\d+)/", line)
        if not found:
            self.stop()
            raise AssertionError(f"caddis serve said: {line}")
        self.host, self.collection = found[1], archive.name.split(".")[0]

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
        cls.server = Serve(cls.site.write_archive(cls.folder / "features.warc.gz"))
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
            if os.environ.get("CADDIS_SHOW"):
                print("\n".join(f"{column}: {name}: {live.get(name)}" for name, _ in FEATURES[column]))
            for name, _ in FEATURES[column]:
                expected = EXPECTED.get(name, live.get(name, "not tried live"))
                if replayed.get(name) != expected and name not in KNOWN:
                    failed.append(f"{column}: {name}: live {expected}, replayed {replayed.get(name)}")
            figures.append(f"{column} {len(FEATURES[column]) - len(failed)}/{len(FEATURES[column])}")
            wrong += failed + ([f"{column}: console: {line}" for line in console[:20]] if failed else [])
        print("; ".join(figures))
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
