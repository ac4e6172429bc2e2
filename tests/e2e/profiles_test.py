#!/usr/bin/env python3
"""Profiles as a person meets them: listed, printed, crawled with, and extended by files."""

import os
import subprocess
import sys
import unittest

import harness
from local_site import LocalSite


def caddis(*arguments):
    done = subprocess.run([harness.BINARY, *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


class ProfilesTest(unittest.TestCase):
    def test_listed_and_printed(self):
        code, out, _ = caddis("profiles")
        self.assertEqual(code, 0)
        names = [line.split()[0] for line in out.splitlines()]
        self.assertEqual(names, ["one-site", "focused", "domain", "broad", "event", "feeds", "news", "news-database"])
        code, out, _ = caddis("profiles", "broad")
        self.assertEqual(code, 0)
        self.assertIn("\n  kind: any\n", out)
        code, out, err = caddis("profiles", "brod")
        self.assertEqual((code, out), (2, ""))
        self.assertIn("did you mean 'broad'?", err)

    def test_a_crawl_with_a_profile_and_a_file_that_extends_one(self):
        with LocalSite(pages=12) as site:
            crawl = harness.Crawl(site)
            self.addCleanup(crawl.remove)
            (crawl.folder / "house").mkdir()
            (crawl.folder / "house/house.yaml").write_text("extends: domain\narchive: {operator: House}\nscope: {max-hops: 7}\n")
            crawl.config.write_text(harness.SETTINGS + "extends: house/house.yaml\nscope: {max-path-depth: 9}\n")
            code, out, err = crawl.run(more=["--profile", "focused", "--set", "politeness.max-per-address=3"])
            self.assertEqual(code, 0, out + err)
            self.assertEqual(crawl.check(), [])
            kept = (crawl.launches[0] / "crawl.yaml").read_text()
            for line in ("kind: domain", "max-hops: 7", "max-path-depth: 9", "operator: House", "cost: anti-calendar",
                         "domain-hosts: 2000", "max-per-address: 3", "url-retries: 1"):
                self.assertIn(f"\n  {line}\n", kept)
            self.assertNotIn("extends", kept)

    def test_secrets_of_the_environment_are_kept_apart(self):
        with LocalSite(pages=3) as site:
            crawl = harness.Crawl(site)
            self.addCleanup(crawl.remove)
            crawl.config.write_text(harness.SETTINGS + "fetch: {headers: ['X-Key: ${E2E_KEY}']}\n")
            code, out, err = crawl.run()
            self.assertEqual(code, 2, out + err)
            self.assertIn("E2E_KEY, which is not set", err)
            os.environ["E2E_KEY"] = "open-sesame"
            self.addCleanup(os.environ.pop, "E2E_KEY")
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            launch = crawl.launches[0]
            self.assertNotIn("open-sesame", (launch / "crawl.yaml").read_text())
            self.assertIn("open-sesame", (launch / "state/secrets.yaml").read_text())

    def test_what_cannot_be_laid_is_refused_before_anything_is_written(self):
        with LocalSite(pages=3) as site:
            crawl = harness.Crawl(site)
            self.addCleanup(crawl.remove)
            for text, told in (("extends: nowhere.yaml\n", "crawl.yaml:1: extends: there is no file"),
                               ("extends: ./crawl.yaml\n", "extends itself"),
                               ("\nextends: event-2\n", "crawl.yaml:2: extends: there is no profile")):
                crawl.config.write_text(text)
                code, out, err = crawl.run()
                self.assertEqual(code, 2, out + err)
                self.assertIn(told, err)
            self.assertFalse(crawl.collection.exists())


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
