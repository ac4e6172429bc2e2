#!/usr/bin/env python3
"""What stands still: a lane that never comes back, and a monotonic clock that jumps (tests/support/disturbed_system.cc)."""

import os
import pathlib
import signal
import struct
import subprocess
import sys
import tempfile
import unittest

import harness
from local_site import LocalSite, free_port

DISTURBED = os.environ.get("CADDIS_DISTURBED_SYSTEM", "build/dev/tests/libdisturbed_system.so")


class DisturbedCrawl(harness.Crawl):
    def __init__(self, site, settings=harness.SETTINGS, **disturbance):
        super().__init__(site, settings)
        self.disturbance = disturbance

    def popen(self, arguments):
        environment = {**harness.clean_environment(self.folder), **self.disturbance, "LD_PRELOAD": DISTURBED}
        return subprocess.Popen([str(part) for part in arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=environment)


class LaneTest(unittest.TestCase):
    """Who connects to one port never comes back: as if what a lane computes had no end."""

    def setUp(self):
        site = self.enterContext(LocalSite(pages=40))
        port = free_port()
        self.url = f"http://stuck.localhost:{port}/x"
        self.crawl = DisturbedCrawl(site, harness.SETTINGS + "robots: {policy: ignore}\ncrawl:\n  lanes: 2\n  stop-grace: 1s\n",
                                    CADDIS_TEST_HANG_PORT=str(port))
        self.addCleanup(self.crawl.remove)

    def start(self, resume):
        process = self.crawl.start(resume, () if resume else [self.url])
        self.addCleanup(process.kill)
        return process

    def standing(self):
        return self.crawl.status().get("standing")

    def hang(self, resume, end):
        """A process that hangs, until `end` ends it once that is seen; what it has said."""
        process = self.start(resume)
        lanes = harness.wait_until(self.standing, "lane that stands still", every=0.5)
        self.assertEqual([(lane["url"], lane["step"]) for lane in lanes], [(self.url, "connect")])
        self.assertGreaterEqual(lanes[0]["seconds"], 10)
        self.assertIn("has not come back for", self.crawl.caddis("status", self.crawl.collection).stdout)
        progress = self.crawl.launches[0] / "logs/progress-statistics.log"
        harness.wait_until(lambda: "STANDS STILL" in progress.read_text(), "line in the log")
        # The group with that line and with the count of the URL is on disk long before this.
        harness.wait_until(lambda: self.standing()[0]["seconds"] >= lanes[0]["seconds"] + 5, "later groups", every=0.5)
        end(process)
        return harness.finish(process, 300)

    def test_a_crawl_is_stopped_and_resumed_without_it(self):
        code, out, err = self.hang(False, lambda process: process.send_signal(signal.SIGINT))
        self.assertEqual(code, 4, out + err)
        self.assertIn(f"at connect of {self.url}", err)
        self.assertIn("left behind: lane", out)
        self.assertIn("caddis crawl --resume", out)
        # A process that is killed counts, too.
        self.assertEqual(self.hang(True, lambda process: process.kill())[0], -signal.SIGKILL)
        code, out, err = harness.finish(self.start(True), 300)
        self.assertEqual(code, 0, out + err)
        lines = [line.split() for line in (self.crawl.launches[0] / "logs/crawl.log").read_text().splitlines()]
        self.assertEqual([(line[1], line[11]) for line in lines if line[3] == self.url], [("-5", "hung:2:connect")])
        # All else is captured, and once.
        captured = [line[3] for line in lines if int(line[1]) > 1]
        self.assertEqual(len(captured), len(set(captured)))
        self.assertLessEqual({url for url in self.crawl.site.captures if not url.endswith("/robots.txt")}, set(captured))

    def test_a_limit_ends_it(self):
        self.crawl.config.write_text(self.crawl.config.read_text() + "limits: {max-time: 12s}\n")
        code, out, err = harness.finish(self.start(False), 300)
        self.assertEqual(code, 3, out + err)
        self.assertIn("reached max-time (12s)", out)


class ClockTest(unittest.TestCase):
    """The monotonic clock jumps, as where a virtual machine is restored."""

    def jump(self, seconds):
        with LocalSite(pages=60, rate=10) as site:
            clock = self.enterContext(Clock())
            crawl = DisturbedCrawl(site, harness.SETTINGS + "limits:\n  max-time: 1h\n  max-idle: 1h\n", CADDIS_TEST_CLOCK=str(clock.path))
            self.addCleanup(crawl.remove)
            process = crawl.start()
            self.addCleanup(process.kill)
            harness.wait_until(crawl.logged, "document")
            clock.jump(seconds)
            code, out, err = harness.finish(process, 300)
            self.assertEqual(code, 0, out + err)
            self.assertEqual(crawl.check(), [])

    def test_back(self):
        self.jump(-3600)

    def test_ahead(self):
        self.jump(400 * 24 * 3600)


class Clock:
    """How far the clock of a process is off, in a file."""

    def __enter__(self):
        self.path = pathlib.Path(tempfile.mkstemp(prefix="caddis-clock-")[1])
        self.off = 2 * 3600 * 10**9
        self.write()
        return self

    def __exit__(self, *_):
        self.path.unlink()

    def write(self):
        with open(self.path, "r+b") as file:
            file.write(struct.pack("<q", self.off))

    def jump(self, seconds):
        self.off += seconds * 10**9
        self.write()


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
