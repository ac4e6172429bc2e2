#!/usr/bin/env python3
"""The pages for people, used by a browser as people use them: of an engine, and of `caddis crawl --listen`. Wide and narrow,
light and dark; axe (WCAG 2.2 AA) looks at each page, and no request may leave its server.

CADDIS_SHOTS=FOLDER keeps screenshots.
"""

import itertools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness
from frontier_test import SlowSite

WEB = pathlib.Path(__file__).resolve().parents[2] / "web/engine"
BUILT = pathlib.Path(os.environ.get("CADDIS_BUILD_DIR", "build/dev")) / "src/caddis/webui/built"
SETTINGS = """
crawl: {contact: "https://crawler.example/"}
politeness: {delay: 500ms}
limits: {max-time: 1h}
"""


def missing():
    """Why no browser can be driven; empty if one can."""
    if shutil.which("node") is None or shutil.which("chromium") is None:
        return "needs Node and Chromium"
    if not (WEB / "node_modules/playwright-core").is_dir():
        return "npm has not fetched what web/engine/package-lock.json names (make setup)"
    is_built = (BUILT / "app.js").exists() and (BUILT / "app.js").stat().st_size > 1000
    return "" if is_built else "the pages are not in this build"


@unittest.skipIf(missing(), missing())
class WebUiTest(unittest.TestCase):
    def node(self, script, *arguments):
        done = subprocess.run(["node", WEB / "tests" / script, *map(str, arguments)], capture_output=True, text=True, timeout=900,
                              env={**os.environ, "CADDIS_WEB": str(BUILT.resolve())})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def tour_of_a_crawl(self, width):
        with SlowSite() as site:
            crawl = harness.Crawl(site, SETTINGS)
            self.addCleanup(crawl.remove)
            process = crawl.start(more=["--paused", "--listen", "127.0.0.1:0"])
            self.addCleanup(harness.kill, process)
            address = re.search(r"http://\S+", process.stderr.readline())[0]
            self.node("crawl_tour.mjs", address, width, "alpha.localhost")
            self.assertEqual(harness.finish(process)[0], 4)

    def tour_of_an_engine(self, width):
        jobs = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.addCleanup(shutil.rmtree, jobs, ignore_errors=True)
        # A crawl outlives its engine.
        self.addCleanup(lambda: [subprocess.run([harness.BINARY, "stop", launch], capture_output=True) for launch in jobs.glob("jobs/*/2*")])
        with SlowSite() as site:
            process = subprocess.Popen([harness.BINARY, "engine", "--jobs", jobs / "jobs", "--listen", "127.0.0.1:0"], text=True,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=harness.clean_environment(jobs))
            self.addCleanup(harness.kill, process)
            said = "".join(itertools.takewhile(lambda line: not line.startswith("0 jobs in"), process.stdout))
            self.assertRegex(said, r"with the password \S+")
            address, password = re.search(r"http://\S+", said)[0], re.search(r"with the password (\S+)", said)[1]
            self.node("engine_tour.mjs", address, width, "alpha.localhost", " ".join(site.seeds), "admin", password)

    def test_an_engine_on_a_desk(self):
        self.tour_of_an_engine(1280)

    def test_an_engine_on_a_phone(self):
        self.tour_of_an_engine(360)

    def test_a_crawl_by_itself_on_a_desk(self):
        self.tour_of_a_crawl(1280)

    def test_a_crawl_by_itself_on_a_phone(self):
        self.tour_of_a_crawl(360)

    def test_settings_are_edited_in_place(self):
        self.node("edit_test.mjs")

    def test_the_last_error_of_a_job(self):
        self.node("job_log_test.mjs")

    def test_every_page_with_something_of_everything(self):
        self.node("looks.mjs")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
