#!/usr/bin/env python3
"""Applications of one page, built from npm, with routes in the history and parts that are loaded later: they do in the archive
what they do live, in one run of one browser. Skipped where npm has nothing to give."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import devtools
import harness
import peers
from replay_scripts_test import Serve, Tab
from replay_site import ReplaySite

PACKAGES = ["esbuild@0.25", "react@19", "react-dom@19", "react-router-dom@7", "vue@3", "vue-router@4", "svelte@5"]
APPS = pathlib.Path(__file__).parent / "apps"
PAGE = '<!DOCTYPE html><html><head><meta charset="utf-8"><title>{0}</title></head><body><div id="app"></div>' \
       '<script type="module" src="/{0}/{0}_app.js"></script></body></html>'


def built(output):
    """Builds the applications into a folder."""
    if not shutil.which("npm") or not shutil.which("node"):
        raise unittest.SkipTest("Node and npm are not installed")
    packages = peers.FOLDER / "apps"
    if not (packages / "whole").exists():
        packages.mkdir(parents=True, exist_ok=True)
        (packages / "package.json").write_text("{}")
        peers.fetch(["npm", "install", "--prefix", packages, "--no-audit", "--no-fund", "--loglevel=error", *PACKAGES], "packages of npm")
        (packages / "whole").touch()
    done = subprocess.run(["node", APPS / "build.mjs", packages, output], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)


@unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), f"{devtools.CHROMIUM} is not installed (Debian package chromium)")
class ReplayAppsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-apps-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        built(cls.folder / "built")
        cls.site = cls.enterClassContext(ReplaySite())
        cls.site.add("/words.json", '["fetched", "words"]', "application/json")
        for app in ("react", "vue", "svelte"):
            for file in (cls.folder / "built" / app).iterdir():
                cls.site.add(f"/{app}/{file.name}", file.read_bytes(), "text/javascript")
            for path in ("", "item/7?x=1"):
                cls.site.add(f"/{app}/{path}", PAGE.format(app), "text/html; charset=utf-8")
        cls.browser = cls.enterClassContext(devtools.Browser())
        cls.server = Serve(cls.site.write_collection(cls.folder / "apps"))
        cls.addClassCleanup(cls.server.stop)

    def walk(self, tab, app, framed):
        """What is shown after each step of a person."""
        url = f"http://{self.site.site}/{app}/"
        shown = []

        def see(what):
            text = "document.getElementById('app') ? document.getElementById('app').innerText : ''"
            harness.wait_until(lambda: what in (tab.value(text, framed) or ""), f"{app}: {what} (it shows {tab.value(text, framed)!r}; {tab.console})", 30)
            shown.append(tab.value(text, framed))

        def click(name):
            tab.value(f"document.getElementById('{name}').click()", framed)

        tab.open(self.server.address(url) if framed else url)
        see("home")
        click("to-item")
        see("item 7 fetched words")
        click("back")
        see("home")
        click("push")
        see("item 8 fetched words")
        tab.open(self.server.address(url + "item/7?x=1") if framed else url + "item/7?x=1")
        see("item 7 fetched words")
        return shown

    def check(self, app):
        live, replayed = Tab(self.browser), Tab(self.browser)
        try:
            self.assertEqual(self.walk(replayed, app, True), self.walk(live, app, False))
            self.assertEqual(replayed.console, live.console)
        finally:
            live.close()
            replayed.close()

    def test_react(self):
        self.check("react")

    def test_vue(self):
        self.check("vue")

    def test_svelte(self):
        self.check("svelte")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
