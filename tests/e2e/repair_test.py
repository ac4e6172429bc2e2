#!/usr/bin/env python3
"""caddis repair: what a disk or people have taken from a stopped crawl is named, nothing is changed until --apply, and the crawl
then ends as if it had not happened. A resume mends by itself what the setting allows."""

import hashlib
import re
import shutil
import signal
import sys
import unittest

import harness
from local_site import LocalSite

PAGES = 120
# Several WARC files, and known URLs in runs.
NARROW = harness.SETTINGS + """
archive:
  max-file-size: 1MB
memory:
  seen: 100B
"""


class RepairTest(unittest.TestCase):
    def setUp(self):
        self.site = LocalSite(pages=PAGES, rate=12, image=240_000)
        self.site.__enter__()
        self.addCleanup(self.site.__exit__, None, None, None)

    def stopped(self, settings=harness.SETTINGS, more="", killed=False):
        """A crawl that was stopped half-way: all that it wrote is committed, unless it was killed."""
        crawl = harness.Crawl(self.site, settings + more)
        self.addCleanup(crawl.remove)
        process = crawl.start()
        harness.wait_until(lambda: crawl.status().get("documents", 0) >= PAGES // 2, "half of the documents")
        if killed:
            harness.kill(process)
            return crawl
        process.send_signal(signal.SIGTERM)
        code, out, err = harness.finish(process)
        self.assertEqual(code, 4, out + err)
        return crawl

    @staticmethod
    def state(crawl):
        """All of the collection but the store, whose own log changes when it is opened."""
        return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in crawl.collection.rglob("*")
                if path.is_file() and "db" not in path.parts and path.name != "lock"}

    def look(self, crawl, *more, code=3):
        """What `caddis repair` says; it changes nothing."""
        before = self.state(crawl)
        said = crawl.caddis("repair", crawl.collection, *more)
        self.assertEqual(said.returncode, code, said.stdout + said.stderr)
        self.assertEqual(self.state(crawl), before)
        return said.stdout

    def mend(self, crawl, *more):
        done = crawl.caddis("repair", crawl.collection, "--apply", *more)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("nothing to repair", self.look(crawl, code=0))
        return done.stdout

    def refused(self, crawl, *words):
        code, out, err = crawl.run(resume=True)
        self.assertIn(code, (1, 2), out + err)
        for word in words:
            self.assertIn(word, err)
        return err

    def finish(self, crawl, may_repeat=False):
        code, out, err = crawl.run(resume=True)
        self.assertEqual(code, 0, out + err)
        checked = crawl.caddis("warc", "check", *sorted((crawl.collection / "archive").glob("*.warc.gz")))
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
        wrong = crawl.check()
        # What was captured again, since nobody knew what became of it, stands in the logs twice.
        self.assertEqual([line for line in wrong if not may_repeat or not re.search(r"(crawl.log|lookups|logs by fate): ", line)], [])
        return err

    @staticmethod
    def archives(crawl):
        return sorted((crawl.collection / "archive").iterdir(), key=lambda path: path.stat().st_mtime)

    @staticmethod
    def cut(path, count):
        with open(path, "r+b") as file:
            file.truncate(path.stat().st_size - count)

    def committed_cut(self, crawl):
        """Bytes that were committed are gone from the latest WARC file."""
        self.assertEqual(self.look(crawl, code=0), "nothing to repair\n")
        self.cut(self.archives(crawl)[-1], 20_000)

    def test_nothing_is_wrong(self):
        crawl = self.stopped(killed=True)
        self.assertIn("nothing to repair", self.look(crawl, code=0))
        self.assertIn("nothing to repair", crawl.caddis("repair", crawl.collection, "--apply").stdout)
        self.finish(crawl)
        self.assertEqual(self.look(crawl, code=0), "nothing to repair\n")

    def test_the_disk_has_lost_the_end_of_a_file(self):
        crawl = self.stopped()
        self.committed_cut(crawl)
        said = self.look(crawl)
        self.assertIn(self.archives(crawl)[-1].name.removesuffix(".open"), said)
        self.assertIn("the disk has lost", said)
        self.assertIn("goes back by", said)
        self.assertIn("goes back by", self.mend(crawl))
        self.finish(crawl)

    def test_a_resume_mends_what_loses_nothing(self):
        crawl = self.stopped()
        self.committed_cut(crawl)
        self.assertIn("goes back by", self.finish(crawl))

    def test_a_resume_may_be_told_to_mend_nothing(self):
        crawl = self.stopped(more="crawl:\n  repair: never\n")
        self.committed_cut(crawl)
        before = self.state(crawl)
        self.refused(crawl, "the disk has lost", f"caddis repair {crawl.collection}", "crawl.repair=lossless")
        self.assertEqual(self.state(crawl), before)
        self.mend(crawl)
        self.finish(crawl)

    def test_a_file_was_taken_away(self):
        crawl = self.stopped(NARROW)
        taken = next(path for path in self.archives(crawl) if path.name.endswith(".warc.gz"))
        elsewhere = crawl.folder / taken.name
        shutil.move(taken, elsewhere)
        self.assertIn(f"{taken.name}. Put it back", self.look(crawl))
        self.refused(crawl, taken.name, "--missing moved")
        failed = crawl.caddis("repair", crawl.collection, "--apply")
        self.assertEqual(failed.returncode, 1, failed.stdout)
        self.assertIn("--missing moved", failed.stderr)
        self.assertIn("its captures stand", self.look(crawl, "--missing", "moved"))
        self.mend(crawl, "--missing", "moved")
        code, out, err = crawl.run(resume=True)
        self.assertEqual(code, 0, out + err)
        shutil.move(elsewhere, taken)
        self.assertEqual(crawl.check(), [])

    def test_a_file_was_lost(self):
        # Revisits whose original was lost are not mended (docs/deduplication.md).
        crawl = self.stopped(NARROW + "dedup: {strategy: 'off'}\n")
        taken = next(path for path in self.archives(crawl) if path.name.endswith(".warc.gz"))
        taken.unlink()
        self.assertIn("what was captured in it is fetched again", self.look(crawl, "--missing", "lost"))
        self.mend(crawl, "--missing", "lost")
        self.finish(crawl, may_repeat=True)

    def test_files_of_earlier_launches_are_lost(self):
        """Three launches; of each a WARC file is lost. All are named, and the captures of the first two are put into lists."""
        site = LocalSite(pages=8)
        site.__enter__()
        self.addCleanup(site.__exit__, None, None, None)
        crawl = harness.Crawl(site, harness.SETTINGS + "dedup: {strategy: 'off'}\n")
        self.addCleanup(crawl.remove)
        written, before = [], set()
        for _ in range(3):
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            written.append(sorted(set(self.archives(crawl)) - before))
            before = set(self.archives(crawl))
        self.assertEqual(self.look(crawl, code=0), "nothing to repair\n")
        names = [path.name for path in sorted((crawl.collection / "crawls").iterdir())]
        for files in written:
            files[0].unlink()
        said = self.look(crawl)
        for name, files in zip(names, written):
            self.assertIn(files[0].name, said)
        self.assertIn(f"The launch {names[0]}", said)
        self.assertIn(f"The launch {names[1]}", said)
        self.assertIn("--missing lost", said)
        self.assertEqual(crawl.caddis("repair", crawl.collection, "--apply").returncode, 1)
        self.look(crawl, "--missing", "lost")
        # What became of the files of the latest says nothing of the others.
        said = crawl.caddis("repair", crawl.collection, "--missing", "lost", "--apply")
        self.assertEqual(said.returncode, 3, said.stdout + said.stderr)
        self.assertIn(f"--launch {names[0]} --missing", said.stdout)
        self.assertEqual(crawl.caddis("repair", crawl.collection, "--launch", "none").returncode, 2)
        for name in names[:2]:
            lost = crawl.collection / "crawls" / name / "lost-urls.txt"
            self.assertFalse(lost.exists())
            done = crawl.caddis("repair", crawl.collection, "--launch", name, "--missing", "lost", "--apply")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn(str(lost), done.stdout)
            self.assertIn(site.seeds[0], lost.read_text().splitlines())
        self.assertFalse((crawl.collection / "crawls" / names[2] / "lost-urls.txt").exists())
        self.assertEqual(self.look(crawl, code=0), "nothing to repair\n")

    def test_the_known_urls_are_damaged(self):
        crawl = self.stopped(NARROW)
        runs = sorted(crawl.collection.glob("crawls/*/state/seen-runs/*.run"))
        self.assertTrue(runs)
        # The kill may have left one that nothing refers to yet.
        for run in runs:
            self.cut(run, 1)
        said = self.look(crawl)
        self.assertTrue(any(run.name in said for run in runs), said)
        self.assertIn("made anew", said)
        self.assertIn("made anew", self.mend(crawl))
        self.finish(crawl)

    def test_a_crawl_that_runs_is_left_alone(self):
        crawl = harness.Crawl(self.site)
        self.addCleanup(crawl.remove)
        process = crawl.start()
        harness.wait_until(lambda: crawl.status().get("documents", 0) >= 5, "documents")
        said = crawl.caddis("repair", crawl.collection)
        self.assertEqual(said.returncode, 1, said.stdout)
        harness.kill(process)
        self.assertEqual(crawl.caddis("repair", crawl.folder / "none").returncode, 2)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
