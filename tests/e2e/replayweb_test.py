#!/usr/bin/env python3
"""Packages of ours in ReplayWeb.page, the viewer of the field that runs in a browser and reads a WACZ by ranges: pages, what belongs to
them, captures of several times, and a revisit. Skipped where npm does not give it."""

import json
import os
import pathlib
import shutil
import sys
import tarfile
import unittest

import built_site
import devtools
import harness
import peers
import png
from dated_archive import DatedArchive, revisit
from replay_scripts_test import Tab

VERSION = "2.5.3"
HOST = "http://example.org"
PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Year %s</title><link rel="stylesheet" href="/style.css"></head>
<body><p id="p">of %s</p><img id="i" src="/picture.png"><a href="/next">next</a><script src="/script.js"></script></body></html>"""
SCRIPT = "fetch('/told.json').then((answer) => answer.json()).then((told) => { document.getElementById('p').append(' ' + told.word); });"
VIEWER = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>Viewer</title><script src="/viewer/ui.js"></script></head>
<body><replay-web-page source="/archive.wacz" url="%s" ts="%s" embed="replayonly" replayBase="/replay/" style="display: block; height: 500px">
</replay-web-page></body></html>"""
WORKER = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>starting</title><script>
navigator.serviceWorker.register('/replay/sw.js?serveIndex=1', {scope: '/replay/'}).then((place) => {
  const worker = place.installing ?? place.waiting ?? place.active;
  const look = () => { if (worker.state === 'activated') document.title = 'started'; };
  worker.onstatechange = look;
  look();
});
</script></head></html>"""
STATE = """JSON.stringify({title: document.title, text: document.getElementById('p')?.innerText ?? '', picture: document.getElementById('i')?.naturalWidth ?? 0,
  colour: document.body && getComputedStyle(document.body).color})"""


def package_of_npm():
    """The folder with the viewer: it has what it needs in two files, and its dependencies are not asked for."""
    if not shutil.which("npm"):
        raise unittest.SkipTest("npm is not installed")
    folder = peers.FOLDER / "replayweb"
    if not (folder / "package/sw.js").exists():
        folder.mkdir(parents=True, exist_ok=True)
        peers.fetch(["npm", "pack", "--silent", "--pack-destination", folder, f"replaywebpage@{VERSION}"], "ReplayWeb.page of npm")
        with tarfile.open(folder / f"replaywebpage-{VERSION}.tgz") as packed:
            packed.extractall(folder)
    return folder / "package"


@unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), f"{devtools.CHROMIUM} is not installed (Debian package chromium)")
class ReplayWebTest(unittest.TestCase):
    def setUp(self):
        self.viewer = package_of_npm()
        page = [(f"{HOST}/", f"{year}0101000000", (PAGE % (year, year)).encode()) for year in (2020, 2022)]
        parts = [(f"{HOST}/style.css", b"body { color: rgb(1, 2, 3) }", "text/css"), (f"{HOST}/script.js", SCRIPT.encode(), "text/javascript"),
                 (f"{HOST}/told.json", b'{"word": "told"}', "application/json"),
                 (f"{HOST}/picture.png", png.encode(7, 5, (0, 0, 0)), "image/png")]
        self.archive = DatedArchive(self, [*page, *((url, "20200101000001", body, kind) for url, body, kind in parts)])
        with (self.archive.path / "archive/a.warc").open("ab") as file:
            file.write(revisit(f"{HOST}/again", "20230101000000", *page[0]))
        self.package = self.archive.folder / "archive.wacz"
        self.archive.caddis("wacz", "create", "-o", self.package, "--collection", self.archive.path)
        self.archive.caddis("wacz", "validate", self.package)

    def shown(self, browser, site, url, stamp):
        """What the viewer shows of a capture."""
        site.add(f"/{stamp}.html", VIEWER % (url, stamp))
        tab = Tab(browser)
        tab.browser.call("Page.enable", tab.session)
        tab.open(f"http://{site.site}/{stamp}.html")

        def frames(tree):
            yield tree["frame"]
            for child in tree.get("childFrames", ()):
                yield from frames(child)

        def state():
            try:
                tree = browser.call("Page.getFrameTree", tab.session)["frameTree"]
                for frame in frames(tree):
                    if f"mp_/{url}" in frame["url"]:
                        world = browser.call("Page.createIsolatedWorld", tab.session, frameId=frame["id"])["executionContextId"]
                        answer = browser.call("Runtime.evaluate", tab.session, expression=STATE, contextId=world, returnByValue=True)
                        told = json.loads(answer["result"]["value"])
                        return told if "told" in told["text"] and told["picture"] else None
            except devtools.DevToolsError:
                pass
            return None

        try:
            return harness.wait_until(state, f"{url} at {stamp} in the viewer", 60, 0.2)
        finally:
            tab.close()

    def start_worker(self, browser, site):
        """Has the viewer's worker in charge of its folder. The viewer opens its frame without waiting for that, and at times meets the server."""
        site.add("/worker.html", WORKER)
        tab = Tab(browser)
        try:
            tab.open(f"http://{site.site}/worker.html")
            harness.wait_until(lambda: tab.value("document.title", False) == "started", "the worker of the viewer")
        finally:
            tab.close()

    def test_our_package_is_shown(self):
        with built_site.BuiltSite() as site, devtools.Browser() as browser:
            site.add("/archive.wacz", self.package.read_bytes(), "application/wacz")
            site.add("/viewer/ui.js", (self.viewer / "ui.js").read_bytes(), "text/javascript")
            site.add("/replay/sw.js", (self.viewer / "sw.js").read_bytes(), "text/javascript")
            self.start_worker(browser, site)
            for path, stamp, year in (("/", "20200101000000", 2020), ("/", "20220101000000", 2022), ("/again", "20230101000000", 2020)):
                self.assertEqual(self.shown(browser, site, HOST + path, stamp),
                                 {"title": f"Year {year}", "text": f"of {year} told", "picture": 7, "colour": "rgb(1, 2, 3)"})
            self.assertFalse([one for one in site.requests if "picture.png" in one or "told.json" in one], "the live web was asked")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
