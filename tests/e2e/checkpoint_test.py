#!/usr/bin/env python3
"""Checkpoints of the real process: taken while it crawls, gone back to after kill -9, begun from; recovery logs written and read."""

import collections
import gzip
import json
import re
import shutil
import signal
import subprocess
import sys
import unittest
import zlib

import harness
import warc_records
from local_site import LocalSite

SETTINGS = harness.SETTINGS + """
checkpoint:
  interval: 0s
"""


class CheckpointCrawl(harness.Crawl):
    def __init__(self, site, more=""):
        super().__init__(site)
        self.config.write_text(SETTINGS + more)

    @property
    def launch(self):
        return self.launches[-1]

    def wait_for(self, documents):
        harness.wait_until(lambda: self.status().get("documents", 0) >= documents, f"{documents} documents")

    def log_lines(self):
        return (self.launch / "logs/crawl.log").read_text().splitlines()


def archived(crawl, folder="archive"):
    return {record.url for path in (crawl.collection / folder).glob("*.warc.gz*") for record in warc_records.read_file(path)
            if record.type in ("response", "revisit")}


class CheckpointTest(unittest.TestCase):
    def test_back_to_the_first_of_two_after_a_kill(self):
        with LocalSite(pages=240, rate=20) as site:
            crawl = CheckpointCrawl(site)
            process = crawl.start()
            taken = []
            for number, documents in enumerate((20, 80)):
                crawl.wait_for(documents)
                done = crawl.caddis("checkpoint", crawl.collection, "--name", f"c{number}", "--json")
                self.assertEqual(done.returncode, 0, done.stderr)
                taken.append(json.loads(done.stdout))
            self.assertLess(taken[0]["documents"], taken[1]["documents"])
            again = crawl.caddis("checkpoint", crawl.collection, "--name", "c0")
            self.assertEqual(again.returncode, 1)
            self.assertIn("c0", again.stderr)
            crawl.wait_for(120)
            self.assertIn("c1", crawl.caddis("status", crawl.collection).stdout)
            harness.kill(process)
            # As if it had died while one was taken.
            (crawl.launch / "state/checkpoints/c2.tmp/db").mkdir(parents=True)
            self.assertIn("c0", crawl.caddis("status", crawl.collection).stdout)

            code, _, err = crawl.run(resume=True, more=["--checkpoint", "none-such"])
            self.assertEqual(code, 2)
            self.assertIn("c0, c1", err)
            code, _, err = crawl.run(resume=True, more=["--checkpoint", "c0"])
            self.assertEqual(code, 0, err)
            self.assertIn("went back to the checkpoint 'c0'", err)
            self.assertIn("c2.tmp", err)
            self.assertEqual(crawl.check(), [], crawl.folder)
            # What was newer is still there: WARC files that hold captures, and the other checkpoint.
            aside = crawl.collection / "archive/after-c0"
            self.assertTrue(archived(crawl, "archive/after-c0"), list(aside.iterdir()))
            self.assertTrue((crawl.launch / "state/after-c0/checkpoints/c1/manifest").exists())
            self.assertFalse((crawl.launch / "state/going-back").exists())
            self.return_to_what_was_newer(crawl, serial_named(err))
            crawl.remove()

    def return_to_what_was_newer(self, crawl, first_newer):
        """As docs/formats/checkpoint.md tells: what c0 was left with, what lies aside up to c1, and a new crawl from there."""
        new = CheckpointCrawl(crawl.site)
        code, _, err = harness.finish(new.popen([harness.BINARY, "crawl", "--from-checkpoint", crawl.launch /
                                                 "state/after-c0/checkpoints/c1", "--collection", new.collection]))
        self.assertEqual(code, 0, err)
        below = serial_named(err)
        self.assertLess(first_newer, below)
        for folder, end in (("archive", first_newer), ("archive/after-c0", below)):
            for path in (crawl.collection / folder).glob("*.warc.gz"):
                if serial_number(path) < end:
                    shutil.copy(path, new.collection / "archive")
        captured = collections.Counter(record.url for record in new.records() if record.type in ("response", "revisit"))
        self.assertEqual(captured, collections.Counter(crawl.site.captures.keys()))
        new.remove()

    def test_periodic_and_last_ones(self):
        with LocalSite(pages=300, rate=20) as site:
            crawl = CheckpointCrawl(site)
            crawl.config.write_text(harness.SETTINGS + "checkpoint:\n  interval: 1s\n  kept: 2\n")
            code, _, err = crawl.run()
            self.assertEqual(code, 0, err)
            names = sorted(path.name for path in (crawl.launch / "state/checkpoints").iterdir())
            self.assertEqual(len(names), 2, names)
            self.assertGreater(names[-1], "cp00002")
            manifest = (crawl.launch / "state/checkpoints" / names[-1] / "manifest").read_text()
            self.assertIn("queued: 0\n", manifest)
            self.assertEqual(crawl.check(), [], crawl.folder)
            crawl.remove()

    def test_a_new_crawl_from_an_old_state(self):
        with LocalSite(pages=160, rate=20) as site:
            old = CheckpointCrawl(site)
            process = old.start()
            old.wait_for(60)
            done = old.caddis("checkpoint", old.collection, "--name", "half")
            self.assertEqual(done.returncode, 0, done.stderr)
            folder = old.launch / "state/checkpoints/half"
            process.send_signal(signal.SIGINT)
            harness.finish(process)
            lengths = [line.split() for line in (folder / "manifest").read_text().splitlines() if " crawl.log" in line]
            done_then = {line.split()[3] for line in
                         (old.launch / "logs/crawl.log").read_bytes()[:int(lengths[0][1])].decode().splitlines()}

            new = CheckpointCrawl(site)
            code, _, err = harness.finish(subprocess.Popen(
                [harness.BINARY, "crawl", "--from-checkpoint", str(folder), "--collection", str(new.collection)],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=harness.clean_environment(new.folder)))
            self.assertEqual(code, 0, err)
            self.assertIn("half", err)
            found = archived(new)
            self.assertEqual(found & done_then, set(), "what was done is not done again")
            self.assertEqual((found | done_then) & set(site.captures), set(site.captures))
            # It is a crawl like any other: it has its own checkpoint, and goes on from it.
            code, _, err = new.run(resume=True, more=["--checkpoint", "latest"])
            self.assertEqual(code, 0, err)
            refused = new.caddis("crawl", "--from-checkpoint", new.folder, "--collection", new.folder / "x")
            self.assertEqual(refused.returncode, 2)
            self.assertFalse((new.folder / "x").exists())
            self.begin_from_an_ended_one(site, new)
            old.remove()
            new.remove()

    def begin_from_an_ended_one(self, site, ended):
        """Nothing waits there: that is no failure."""
        for more, code, says in (([], 0, "nothing was left to do"), ([site.seeds[0]], 0, "nothing was left to do"),
                                 (["gopher://a.test/"], 1, "nothing was captured")):
            last = CheckpointCrawl(site)
            done = last.caddis("crawl", "--from-checkpoint", ended.collection, "--collection", last.collection, *more)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(says, done.stderr)
            self.assertEqual(archived(last), set())
            last.remove()

    def test_a_recovery_log_is_written_and_taken_over(self):
        with LocalSite(pages=160, rate=20) as site:
            old = CheckpointCrawl(site, "crawl:\n  recovery-log: true\n")
            process = old.start()
            old.wait_for(40)
            path = old.launch / "logs/frontier.recover.gz"
            harness.wait_until(lambda: "\nFs " in read_members(path.read_bytes()), "finished URL in the recovery log")
            harness.kill(process)
            lines = [line.split(" ") for line in read_members(path.read_bytes()).splitlines()]
            self.assertTrue(all(len(line) == 4 for line in lines), lines[:3])
            queued = {line[1] for line in lines if line[0] == "F+"}
            finished = {line[1] for line in lines if line[0] in ("Fs", "Ff", "Fd")}
            self.assertTrue(finished and finished < queued, f"{len(finished)} of {len(queued)}")

            new = CheckpointCrawl(site)
            damaged = new.folder / "frontier.recover.gz"
            damaged.write_bytes(path.read_bytes() + gzip.compress(b"Fx nonsense\nF+ dns:x.example P -\n") +
                                gzip.compress(b"F+ http://never.example/ L -\n")[:-12])
            code, _, err = new.run(more=["--recover", damaged])
            self.assertEqual(code, 0, err)
            self.assertIn("1 line is bad", err)
            self.assertIn("ends within a gzip member", err)
            found = archived(new)
            self.assertEqual(found & finished, set())
            self.assertEqual((found | finished) & set(site.captures), set(site.captures) - prerequisites(site, found))
            self.assertTrue((new.launch / "reports/recovery-report.txt").exists())

            # Known, and nothing else: only what is found from the seeds that were not done.
            only = CheckpointCrawl(site)
            code, _, err = only.run(more=["--recover", damaged, "--recover-include-only"])
            self.assertIn(code, (0, 1), err)
            self.assertEqual(archived(only) & finished, set())
            for crawl in (old, new, only):
                crawl.remove()


def serial_named(said):
    """What was captured until a checkpoint lies in WARC files below it."""
    return int(re.search(r"serial numbers below (\d+)", said).group(1))


def serial_number(path):
    return int(path.name.split("-")[2])


def prerequisites(site, found):
    """robots.txt of hosts of which nothing was left to fetch."""
    return {url for url in site.captures if url.endswith("/robots.txt") and url not in found}


def read_members(data):
    """As far as it is whole: its writer was killed."""
    text, at = b"", 0
    while at < len(data):
        member = zlib.decompressobj(31)
        text += member.decompress(data[at:])
        if not member.eof:
            break
        at = len(data) - len(member.unused_data)
    return text[:text.rfind(b"\n") + 1].decode()


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
