#!/usr/bin/env python3
"""What may happen to a crawling process: in the end everything is there, once, and valid.

CADDIS_KILLS: how often it is killed in each test (8 by default); CADDIS_KILL_SEED: of the moments.
"""

import collections
import os
import random
import signal
import subprocess
import sys
import threading
import time
import unittest

import harness
import warc_records
from local_site import LocalSite

KILLS = int(os.environ.get("CADDIS_KILLS", "8"))
SEED = int(os.environ.get("CADDIS_KILL_SEED", str(time.time_ns() % 1_000_000)))
# WARC files of the smallest size, hosts that come and go, known URLs in many small files that are merged.
NARROW = harness.SETTINGS + """
archive:
  max-file-size: 1MB
memory:
  hosts: 1
  seen: 100B
"""
CHECKPOINTS = NARROW + """
checkpoint:
  interval: 1s
  kept: 3
"""

DELAY = 0.2
POLITE = f"""
politeness:
  delay: {int(DELAY * 1000)}ms
  url-retries: 1
  url-retry-delay: 300ms
"""


def narrow_site():
    """With one host in memory, one is visited at a time: it is faster than others."""
    return LocalSite(pages=200, rate=30, image=240_000)


class Moments:
    """Random moments in the life of a process: at its start, between two commits, and within one."""

    def __init__(self, chance):
        self.chance = chance
        self.first = 1.0  # seconds to the first commit, as long as that has taken

    def wait(self, crawl, process):
        """For one of them, or until the process has ended by itself."""
        began = time.monotonic()
        commits = self.chance.choice([0, 1, 1, 2])
        for commit in range(commits):
            before = crawl.logged()
            harness.wait_until(lambda: crawl.logged() != before or process.poll() is not None, "commit", every=0.002)
            if commit == 0:
                self.first = max(self.first, time.monotonic() - began)
        # The log is written first of what belongs to a commit: the next moments are within it.
        time.sleep(self.chance.uniform(0, self.chance.choice([0.02, 1.0]) if commits else self.first))


class KillTest(unittest.TestCase):
    """kill -9 at random moments, each followed by --resume."""

    def setUp(self):
        self.chance = random.Random(SEED)
        self.moments = Moments(self.chance)
        print(f"seed {SEED}", flush=True)

    def test_kills(self):
        self.kill_again_and_again(LocalSite(pages=200, rate=8), harness.SETTINGS)

    def test_kills_in_roll_overs_and_merges(self):
        self.kill_again_and_again(narrow_site(), NARROW)

    def kill_again_and_again(self, site, settings):
        kills = crawls = 0
        with site:
            while kills < KILLS:
                crawl = harness.Crawl(site, settings)
                kills += self.one_crawl(crawl, KILLS - kills)
                crawls += 1
                crawl.remove()
        print(f"{kills} kills in {crawls} crawls", flush=True)
        harness.tell(self, moments=kills, crawls=crawls)

    def one_crawl(self, crawl, most, start=None):
        """Crawls the site with at most so many kills; how many there were before it ended."""
        kills, code = 0, None
        while code is None:
            process = start() if start else crawl.start(resume=crawl.can_resume())
            if kills < most:
                self.moments.wait(crawl, process)
                if process.poll() is None:
                    harness.kill(process)
                    kills += 1
                    continue
            code, out, err = harness.finish(process)
            self.assertEqual(code, 0, f"after {kills} kills: {out}\n{err}")
        self.assertEqual(crawl.check(), [], f"after {kills} kills, see {crawl.folder}")
        self.assertEqual(len(crawl.launches), 1)
        return kills


class Asker:
    """Asks for one checkpoint after the other while a crawl runs."""

    def __init__(self, crawl, chance):
        self.crawl, self.pauses = crawl, random.Random(chance.random())
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.ask)

    def __enter__(self):
        self.thread.start()

    def __exit__(self, *_):
        self.ended.set()
        self.thread.join()

    def ask(self):
        while not self.ended.wait(self.pauses.uniform(0, 0.4)):
            # Those with a name stay.
            name = ["--name", f"n{time.monotonic_ns()}"] if self.pauses.random() < 0.2 else []
            self.crawl.caddis("checkpoint", self.crawl.collection, *name)


class CheckpointKillTest(KillTest):
    """The same while checkpoints are taken, by the clock and by command; and on the way back to one of them."""

    # Not once more.
    test_kills = test_kills_in_roll_overs_and_merges = None

    def test_kills_while_checkpoints_are_taken(self):
        self.went_back = self.begun = kills = crawls = 0
        with narrow_site() as site:
            while kills < KILLS:
                crawl = harness.Crawl(site, CHECKPOINTS)
                kills += self.one_crawl(crawl, KILLS - kills, lambda: self.start(crawl))
                self.check_aside(crawl)
                crawls += 1
                kills += self.begin_from_one(crawl, site)
                crawl.remove()
        print(f"{kills} kills in {crawls} crawls, {self.went_back} times back, {self.begun} crawls begun from one", flush=True)
        harness.tell(self, moments=kills, crawls=crawls + self.begun)

    def one_crawl(self, crawl, most, start=None):
        with Asker(crawl, self.chance):
            return super().one_crawl(crawl, most, start)

    def start(self, crawl):
        """Resumes it where it was, or at a checkpoint."""
        found, more = crawl.checkpoints(), []
        underway = any((launch / "state/going-back").exists() for launch in crawl.launches)
        if found and not underway and self.chance.random() < 0.3:
            more = ["--checkpoint", self.chance.choice(found).name]
            self.went_back += 1
        return crawl.start(resume=crawl.can_resume(), more=more)

    def check_aside(self, crawl):
        """What was newer than a checkpoint is still there, and whole."""
        for path in crawl.collection.glob("archive/after-*/*.warc.gz"):
            self.assertTrue(warc_records.read_file(path), path)

    def begin_from_one(self, old, site):
        """A new crawl does what was not done at that checkpoint, and nothing else."""
        waits = [path for path in old.checkpoints() if "\nqueued: 0\n" not in (path / "manifest").read_text()]
        if not waits:
            return 0
        checkpoint = self.chance.choice(waits)
        new = harness.Crawl(harness.Remainder(site, old.log_at(checkpoint)), CHECKPOINTS)
        begin = [harness.BINARY, "crawl", "--from-checkpoint", checkpoint, "--collection", new.collection]
        kills = self.one_crawl(new, 1, lambda: new.start(resume=True) if new.can_resume() else new.popen(begin))
        new.remove()
        self.begun += 1
        return kills


class StopTest(unittest.TestCase):
    """SIGSTOP and SIGCONT: nothing is lost, and no host is asked sooner than it may be."""

    def test_stop_and_continue(self):
        chance = random.Random(SEED)
        stops = 0
        with LocalSite(pages=60) as site:
            crawl = harness.Crawl(site, POLITE)
            process = crawl.start()
            while process.poll() is None:
                time.sleep(chance.uniform(0.1, 1))
                process.send_signal(signal.SIGSTOP)
                time.sleep(chance.uniform(0.05, 1.5))
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
        self.site = self.enterContext(LocalSite(pages=200, rate=10))

    def crawl_on_small_disk(self, settings):
        crawl = harness.Crawl(self.site, settings)
        crawl.collection.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256m", "tmpfs", str(crawl.collection)], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("cannot mount a file system in memory")
        self.addCleanup(subprocess.run, ["umount", "-l", str(crawl.collection)], check=False)
        return crawl

    @staticmethod
    def leave(crawl, left):
        """Fills the disk to this number of bytes."""
        disk = os.statvfs(crawl.collection)
        ballast = crawl.collection / "ballast"
        try:
            ballast.write_bytes(bytes(max(0, disk.f_bavail * disk.f_frsize - left)))
        except OSError:  # the crawl wrote meanwhile, and the disk is full now
            os.truncate(ballast, max(0, ballast.stat().st_size - left))

    @staticmethod
    def fill(crawl):
        with open(crawl.collection / "ballast", "ab", buffering=0) as ballast:
            try:
                while True:
                    ballast.write(bytes(1 << 12))
            except OSError:
                pass

    def test_pauses_until_there_is_room(self):
        crawl = self.crawl_on_small_disk(harness.SETTINGS + "limits:\n  min-free-space: 16MB\n")
        process = crawl.start()
        harness.wait_until(lambda: crawl.status().get("documents", 0) > 0, "document")
        self.leave(crawl, 6 << 20)
        harness.wait_until(lambda: "disk" in crawl.status().get("waits_for", "") and crawl.status()["visiting"] == 0, "pause")
        before = crawl.status()
        harness.wait_until(lambda: crawl.status()["elapsed_seconds"] > before["elapsed_seconds"] + 1, "second that passes")
        self.assertEqual(crawl.status()["documents"], before["documents"])
        (crawl.collection / "ballast").unlink()
        code, out, err = harness.finish(process)
        self.assertEqual(code, 0, f"{out}\n{err}")
        self.assertEqual(crawl.check(), [], f"see {crawl.folder}")
        harness.tell(self, moments=1, crawls=1)

    def test_loses_nothing_when_full_to_the_last_byte(self):
        crawl = self.crawl_on_small_disk(harness.SETTINGS + "limits:\n  min-free-space: 0\n")
        process = crawl.start()
        harness.wait_until(crawl.logged, "commit")
        self.leave(crawl, 1 << 20)
        self.fill(crawl)
        harness.wait_until(lambda: process.poll() is not None or crawl.status().get("waits_for"), "trouble")
        (crawl.collection / "ballast").unlink()
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
