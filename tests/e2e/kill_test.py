#!/usr/bin/env python3
"""What may happen to a crawling process: in the end everything is there, once, and valid.

CADDIS_KILLS: how often it is killed in each test (25 by default); CADDIS_KILL_SEED: of the moments.
"""

import collections
import os
import pathlib
import random
import signal
import subprocess
import sys
import time
import unittest

import harness
from local_site import LocalSite

KILLS = int(os.environ.get("CADDIS_KILLS", "25"))
SEED = int(os.environ.get("CADDIS_KILL_SEED", str(time.time_ns() % 1_000_000)))
# WARC files of the smallest size, hosts that come and go, known URLs in many small files that are merged.
NARROW = harness.SETTINGS + """
archive:
  max-file-size: 1MB
crawl:
  hosts-in-memory: 1
  seen-memory: 100B
"""
DELAY = 0.2
POLITE = f"""
politeness:
  delay: {int(DELAY * 1000)}ms
"""


class KillTest(unittest.TestCase):
    """kill -9 at random moments, each followed by --resume."""

    def test_kills(self):
        self.kill_again_and_again(LocalSite(pages=480, rate=10), harness.SETTINGS)

    def test_kills_in_roll_overs_and_merges(self):
        self.kill_again_and_again(LocalSite(pages=480, rate=10, image=120_000), NARROW)

    def kill_again_and_again(self, site, settings):
        chance = random.Random(SEED)
        print(f"seed {SEED}", flush=True)
        kills = crawls = 0
        with site:
            while kills < KILLS:
                kills += self.one_crawl(site, settings, chance, KILLS - kills)
                crawls += 1
        print(f"{kills} kills in {crawls} crawls", flush=True)
        harness.tell(self, moments=kills, crawls=crawls)

    def one_crawl(self, site, settings, chance, most):
        """Crawls the site with at most so many kills; how many there were before it ended."""
        crawl = harness.Crawl(site, settings)
        kills, code = 0, None
        while code is None:
            process = crawl.start(resume=crawl.can_resume())
            if kills < most:
                # Groups are committed every second: most lives reach one commit or two.
                time.sleep(chance.uniform(0.02, 2.2))
                if process.poll() is None:
                    harness.kill(process)
                    kills += 1
                    continue
            code, out, err = harness.finish(process)
            self.assertEqual(code, 0, f"after {kills} kills: {out}\n{err}")
        self.assertEqual(crawl.check(), [], f"after {kills} kills, see {crawl.folder}")
        self.assertEqual(len(crawl.launches), 1)
        crawl.remove()
        return kills


class StopTest(unittest.TestCase):
    """SIGSTOP and SIGCONT: nothing is lost, and no host is asked sooner than it may be."""

    def test_stop_and_continue(self):
        chance = random.Random(SEED)
        stops = 0
        with LocalSite(pages=160) as site:
            crawl = harness.Crawl(site, POLITE)
            process = crawl.start()
            while process.poll() is None:
                time.sleep(chance.uniform(0.1, 1.5))
                process.send_signal(signal.SIGSTOP)
                time.sleep(chance.uniform(0.05, 3))
                process.send_signal(signal.SIGCONT)
                stops += 1
            code, out, err = harness.finish(process)
            self.assertEqual(code, 0, f"{out}\n{err}")
            self.assertEqual(crawl.check(), [], f"see {crawl.folder}")
            self.assertEqual(self.too_soon(site.requests()), [])
            crawl.remove()
        harness.tell(self, moments=stops, crawls=1)

    @staticmethod
    def too_soon(requests):
        """Requests that began sooner after the one before than the delay, by host, with some room for rounding."""
        last, found = collections.defaultdict(float), []
        for begin, end, host in requests:
            if begin - last[host] < DELAY - 0.01:
                found.append(f"{host}: after {begin - last[host]:.3f} s")
            last[host] = end
        return found


class FullDiskTest(unittest.TestCase):
    """The disk is full for a while: a small file system in memory, which takes root to mount."""

    def setUp(self):
        self.site = self.enterContext(LocalSite(pages=240, rate=10))

    def crawl_on_small_disk(self, settings):
        crawl = harness.Crawl(self.site, settings)
        crawl.collection.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", str(crawl.collection)], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a file system in memory")
        self.addCleanup(subprocess.run, ["umount", "-l", str(crawl.collection)], check=False)
        return crawl

    def wait_until(self, holds):
        for _ in range(600):
            if holds():
                return
            time.sleep(0.1)
        self.fail("that did not come within a minute")

    @staticmethod
    def fill(path):
        with open(path, "wb") as ballast:
            try:
                while True:
                    ballast.write(bytes(1 << 16))
                    ballast.flush()
            except OSError:
                pass

    def test_pauses_until_there_is_room(self):
        crawl = self.crawl_on_small_disk(harness.SETTINGS + "crawl:\n  min-free-space: 16MB\n")
        ballast = pathlib.Path(crawl.collection) / "ballast"
        process = crawl.start()
        self.wait_until(lambda: crawl.status().get("documents", 0) > 0)
        # Between what the crawl asks for and nothing.
        disk = os.statvfs(crawl.collection)
        ballast.write_bytes(bytes(max(0, disk.f_bavail * disk.f_frsize - (6 << 20))))
        self.wait_until(lambda: "disk" in crawl.status().get("waits_for", "") and crawl.status()["visiting"] == 0)
        before = crawl.status()
        time.sleep(2)
        self.assertEqual(crawl.status()["documents"], before["documents"])
        ballast.unlink()
        code, out, err = harness.finish(process)
        self.assertEqual(code, 0, f"{out}\n{err}")
        self.assertEqual(crawl.check(), [], f"see {crawl.folder}")
        harness.tell(self, moments=1, crawls=1)

    def test_loses_nothing_when_full_to_the_last_byte(self):
        crawl = self.crawl_on_small_disk(harness.SETTINGS + "crawl:\n  min-free-space: 0\n")
        ballast = pathlib.Path(crawl.collection) / "ballast"
        process = crawl.start()
        time.sleep(1.5)
        self.fill(ballast)
        time.sleep(3)
        ballast.unlink()
        code, out, err = harness.finish(process)
        # Where the store itself could not write, the crawl has ended, to be resumed.
        if code != 0:
            self.assertEqual(code, 1, f"{out}\n{err}")
            code, out, err = crawl.run(resume=True)
        self.assertEqual(code, 0, f"{out}\n{err}")
        self.assertEqual(crawl.check(), [], f"see {crawl.folder}")
        harness.tell(self, moments=1, crawls=1)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
