#!/usr/bin/env python3
"""`caddis selftest`: passes where Caddis works, says what is wrong where it does not, and leaves nothing behind."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness

CHECKS = ["site", "crawl", "second crawl", "ways of URLs", "robots.txt", "traps", "repetitions", "WARC and index", "logs", "reports", "replay"]


class SelftestTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def selftest(self, *options, **environment):
        return subprocess.run([harness.BINARY, "selftest", *options], capture_output=True, text=True, timeout=300,
                              env={**harness.clean_environment(self.folder), "TMPDIR": str(self.folder), **environment})

    def test_it_passes_here_and_leaves_nothing(self):
        done = self.selftest("--json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        *checks, ruling = map(json.loads, done.stdout.splitlines())
        self.assertEqual([check["check"] for check in checks], CHECKS)
        self.assertTrue(all(check["passed"] for check in checks), checks)
        self.assertEqual(ruling, {"sound": True})
        self.assertEqual(os.listdir(self.folder), [])

    def test_the_users_own_settings_do_not_count_and_the_archive_may_stay(self):
        own = self.folder / ".config/caddis/caddis.yaml"
        own.parent.mkdir(parents=True)
        own.write_text("limits: {max-documents: 1}\n")
        done = self.selftest("--keep")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), len(CHECKS) + 2, done.stdout)
        self.assertIn("Caddis works on this machine.", done.stdout)
        self.assertEqual(len([*self.folder.glob("caddis-selftest-*/c/crawls/*/crawl.yaml")]), 2)

    def test_without_a_folder_it_says_so(self):
        done = self.selftest(TMPDIR=str(self.folder / "missing"))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("TMPDIR", done.stderr)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
