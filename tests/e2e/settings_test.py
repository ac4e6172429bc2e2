#!/usr/bin/env python3
"""Settings as an operator meets them: asked for, explained, and changed while a crawl runs."""

import json
import subprocess
import sys
import unittest

import harness
from local_site import LocalSite


class SettingsTest(unittest.TestCase):
    def settings(self, crawl, verb, *arguments, code=0, out=False):
        done = subprocess.run([harness.BINARY, "settings", verb, "--collection", str(crawl.collection), *arguments],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 or out else done.stderr

    def value(self, crawl, name, *where):
        return json.loads(self.settings(crawl, "get", name, "--json", *where))["settings"][0]["value"]

    def test_asked_for_and_changed_while_it_runs(self):
        with LocalSite(pages=40) as site:
            crawl = harness.Crawl(site)
            self.addCleanup(crawl.remove)
            crawl.config.write_text(harness.SETTINGS)
            process = crawl.start(more=["--max-documents", "12", "--at-limit", "pause"])
            try:
                harness.wait_until(lambda: crawl.status().get("state") == "paused", "crawl that is paused")
                self.assertEqual(self.value(crawl, "scope.max-hops"), "20")
                self.assertEqual(self.settings(crawl, "get", "scope.max-hops"), "scope.max-hops = 20\n")
                self.assertIn("did you mean 'scope.max-hops'?", self.settings(crawl, "get", "scope.max-hop", code=1))

                self.settings(crawl, "set", "scope.rules=shorthand", "scope.rules=reject url /p1[0-9]")
                self.settings(crawl, "set", "fetch.accept=text/x", "--site", "sheet.test", "--sheet", "theirs")
                explained = self.settings(crawl, "explain", "fetch.accept", "--host", "www.sheet.test")
                self.assertRegex(explained, r"fetch.accept = text/x\n(?:.*\n)+  counts  sheet 'theirs' +text/x\n"
                                            r"  without by default +text/html")
                self.assertIn("may change while the crawl runs, for the crawl or for sites", explained)
                self.assertNotEqual(self.value(crawl, "fetch.accept"), "text/x")
                self.assertIn("cannot differ between sites",
                              self.settings(crawl, "set", "limits.max-documents=9", "--site", "a.test", code=1))
                self.assertIn("cannot change", self.settings(crawl, "set", "crawl.name=X", code=1))
                self.assertIn("did you mean 'hops'", self.settings(crawl, "set", "scope.rules=reject hop > 1", code=1))
                self.assertEqual(self.value(crawl, "scope.rules"), "shorthand\nreject url /p1[0-9]")

                # Without effect, and with one.
                tried = self.settings(crawl, "set", "crawl.name=X", "scope.max-hops=9", "--dry-run", code=1, out=True)
                self.assertRegex(tried, r"scope.max-hops = 9 \(was 20\)\n")
                self.assertRegex(tried, r"crawl.name = X \(was crawl\)\n  refused crawl.name holds for the whole crawl")
                self.assertEqual(self.value(crawl, "scope.max-hops"), "20")
                self.assertIn("would change", self.settings(crawl, "set", "scope.max-hops=20", "--dry-run"))

                self.settings(crawl, "set", "fetch.accept=text/y", "fetch.from=a@b.test", "--site", "own.test")
                listed = self.settings(crawl, "sheets")
                self.assertIn("theirs\n  sites  sheet.test\n  fetch.accept = text/x\n", listed)
                self.assertIn("own.test\n  sites  own.test\n  fetch.accept = text/y\n  fetch.from = a@b.test\n", listed)
                self.settings(crawl, "unset", "fetch.from", "--site", "own.test")
                self.assertEqual(self.settings(crawl, "sheets", "own.test"), "own.test\n  sites  own.test\n  fetch.accept = text/y\n")
                self.assertIn("says nothing about fetch.from", self.settings(crawl, "unset", "fetch.from", "--sheet", "own.test", code=1))
                self.assertIn("text/y for own.test)", self.settings(crawl, "unset", "--sheet", "own.test"))
                self.assertNotIn("own.test", self.settings(crawl, "sheets"))
                self.assertIn("name settings", self.settings(crawl, "unset", code=2))
                self.settings(crawl, "set", "scope.max-hops=9")
                self.assertEqual(self.settings(crawl, "unset", "scope.max-hops"), "scope.max-hops = 20 (was 9)\n")

                self.settings(crawl, "set", "limits.max-documents=0")
                subprocess.run([harness.BINARY, "resume", str(crawl.collection)], check=True, capture_output=True, timeout=60)
                code, out, err = harness.finish(process, 120)
                self.assertEqual(code, 0, out + err)
            finally:
                if process.poll() is None:
                    harness.kill(process)
            launch = crawl.launches[0]
            rejected = [line for line in (launch / "logs/crawl.log").read_text().splitlines() if " -5000 " in line]
            self.assertTrue(all("/p1" in line for line in rejected), rejected)
            self.assertIn("reject url /p1[0-9]", (launch / "crawl.yaml").read_text())
            self.assertIn("OPERATOR scope.rules changed from", (launch / "logs/progress-statistics.log").read_text())
            # A crawl that has ended tells by its files, and takes no new ones.
            self.assertEqual(self.value(crawl, "scope.rules"), "shorthand\nreject url /p1[0-9]")
            self.assertIn("--resume", self.settings(crawl, "set", "scope.max-hops=3", code=1))
            self.assertEqual(self.settings(crawl, "sheets"), "theirs\n  sites  sheet.test\n  fetch.accept = text/x\n")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
