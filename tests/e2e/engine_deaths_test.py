#!/usr/bin/env python3
"""Engine and crawls die at random moments, and the disk is full: every job stands where it stood, and has all it had.

CADDIS_ENGINE_KILLS: how often something happens (6 by default; 100 by hand); CADDIS_ENGINE_SEED: of the moments.
"""

import os
import random
import signal
import subprocess
import sys
import time

import harness
from engines import EngineCase

KILLS = int(os.environ.get("CADDIS_ENGINE_KILLS", "6"))
SEED = int(os.environ.get("CADDIS_ENGINE_SEED", str(time.time_ns() % 1_000_000)))
ROOM = 16 << 20


class DeathsTest(EngineCase):
    """Two jobs. One of them pauses before the disk is full, the other one writes to its last byte."""

    MARGINS = {"a": "16MB", "b": "0"}

    def setUp(self):
        super().setUp()
        self.chance = random.Random(SEED)
        print(f"seed {SEED}", flush=True)
        self.ballast = None
        self.engine.folder.mkdir()
        self.site = self.site_of()

    def begin(self):
        self.engine.start()
        for name, margin in self.MARGINS.items():
            self.new_job(name, self.site, f"limits:\n  min-free-space: {margin}\n")
            self.engine.act(name, "launch")

    def all_run(self):
        for name in self.MARGINS:
            if self.engine.job(name)["state"] == "FINISHED":
                self.engine.act(name, "resume")
            # It answers, and has visited something since.
            before = self.engine.job(name)["documents"]
            harness.wait_until(lambda: (job := self.engine.job(name))["state"] == "RUNNING" and job["crawl"] and job["documents"] > before,
                               f"{name}, which goes on: {self.engine.job(name)}", 120)

    def kill(self, victim):
        """Kills the engine, one crawl, or the engine with some crawls; the names of crawls that died."""
        killed = set()
        if victim in ("engine", "both"):
            self.engine.kill()
        for folder, pid in list(self.engine.processes()):
            if folder.parent.name == victim or (victim == "both" and self.chance.random() < 0.5):
                os.kill(pid, signal.SIGKILL)
                killed.add(folder.parent.name)
        if victim in ("engine", "both"):
            self.engine.start()
        return killed

    def fill(self):
        disk = os.statvfs(self.engine.folder)
        try:
            with self.ballast.open("wb") as file:
                while True:
                    file.write(bytes(min(1 << 20, max(4096, disk.f_bsize))))
                    file.flush()
        except OSError:
            pass

    def ends_well(self):
        for name in self.MARGINS:
            self.engine.act(name, "terminate")
            job = self.engine.wait(name, "FINISHED")
            self.assertEqual((job["exit"], job["launch_count"]), ("ABORTED", 1))
            log = (self.engine.folder / name / "latest/logs/crawl.log").read_text().splitlines()
            urls = [line.split()[3] for line in log if line.split()[3].startswith("http")]
            self.assertEqual(len(urls), len(set(urls)), "a URL was recorded twice")

    def test_anything_may_be_killed(self):
        self.begin()
        for _ in range(KILLS):
            self.all_run()
            time.sleep(self.chance.random())
            before = {name: self.engine.job(name)["state"] for name in self.MARGINS}
            killed = self.kill(self.chance.choice(["engine", "a", "b", "both"]))
            for name in self.MARGINS:
                if name in killed:
                    self.assertEqual(self.engine.wait(name, "FINISHED")["exit"], "ABNORMAL")
                else:
                    self.engine.wait(name, before[name])
        self.all_run()
        self.ends_well()
        harness.tell(self, kills=KILLS)

    def test_the_disk_is_full_meanwhile(self):
        """Also at the moment at which something dies, and while the engine starts."""
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300m", "tmpfs", self.engine.folder], capture_output=True)
        if mounted.returncode:
            self.skipTest("cannot mount a file system in memory")
        self.addCleanup(subprocess.run, ["umount", "-l", self.engine.folder], check=False)
        self.ballast = self.engine.folder / ".ballast"
        self.begin()
        for _ in range(max(2, KILLS // 2)):
            self.all_run()
            self.fill()
            time.sleep(self.chance.uniform(0, 2))
            killed = self.kill(self.chance.choice(["engine", "a", "b", "both", "nobody"]))
            for name in killed:
                self.assertEqual(self.engine.wait(name, "FINISHED")["exit"], "ABNORMAL")
            self.assertEqual(set(self.MARGINS), {job["name"] for job in self.engine.ask("GET", "/api/jobs")["jobs"]})
            self.ballast.unlink()
        self.all_run()
        self.ends_well()
        harness.tell(self, kills=max(2, KILLS // 2))


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
