#!/usr/bin/env python3
"""Lists of seeds: taken while the crawl runs, gone on with after a kill, whatever they come from."""

import gzip
import os
import subprocess
import sys
import time
import unittest

import harness
from local_site import LocalSite


class SeedsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = cls.enterClassContext(LocalSite(pages=40))

    def setUp(self):
        self.crawl = harness.Crawl(self.site)
        self.addCleanup(self.crawl.remove)

    def arguments(self, *more):
        return [harness.BINARY, "crawl", "--config", self.crawl.config, "--collection", self.crawl.collection, *more]

    def write(self, text, name="seeds.txt"):
        path = self.crawl.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    def finish(self, *more, **options):
        process = subprocess.run([str(part) for part in self.arguments(*more)], capture_output=True, text=True, timeout=300,
                                 env=harness.clean_environment(self.crawl.folder), **options)
        return process.returncode, process.stdout + process.stderr

    def report(self):
        return (self.crawl.launches[0] / "reports/seeds-report.txt").read_text()

    def test_a_list_has_comments_and_hosts(self):
        first, *others = self.site.seeds
        text = f"# mine\n\n  {first.removeprefix('http://')}  # no scheme\r\n" + "\n".join(others)
        code, said = self.finish("--seeds", self.write(text))
        self.assertEqual(code, 0, said)
        self.assertEqual(self.crawl.check(), [])
        self.assertEqual(self.report().count("\n200 CRAWLED "), len(self.site.seeds))

    def test_a_list_may_be_compressed_or_come_through_standard_input(self):
        lines = "\n".join(self.site.seeds) + "\n"
        code, said = self.finish("--seeds", self.write(gzip.compress(lines.encode()), "seeds.txt.gz"))
        self.assertEqual(code, 0, said)
        self.assertEqual(self.crawl.check(), [])
        other = harness.Crawl(self.site)
        self.addCleanup(other.remove)
        self.crawl = other
        code, said = self.finish("--seeds", "-", input=lines)
        self.assertEqual(code, 0, said)
        self.assertEqual(self.crawl.check(), [])

    def test_the_archive_is_named_after_the_first_seed_of_a_list(self):
        for source in (self.write("\n".join(self.site.seeds)), "-"):
            with self.subTest(source):
                folder = self.crawl.folder / f"in-{len(str(source))}"
                folder.mkdir()
                process = subprocess.run([os.path.abspath(harness.BINARY), "crawl", "--config", self.crawl.config, "--seeds", source], cwd=folder,
                                         input="\n".join(self.site.seeds), capture_output=True, text=True, timeout=300,
                                         env=harness.clean_environment(self.crawl.folder))
                self.assertEqual(process.returncode, 0, process.stderr)
                self.assertEqual([path.name for path in folder.iterdir()], ["alpha.localhost"])

    def test_a_copy_that_a_kill_cut_short_is_removed(self):
        lines = "\n".join(self.site.seeds) + "\n"
        process = subprocess.Popen([str(part) for part in self.arguments("--seeds", "-")], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=harness.clean_environment(self.crawl.folder))
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.stdin.write(lines.encode())
        process.stdin.flush()

        def parts():
            return list(self.crawl.collection.glob("crawls/*/state/seeds/*.part"))

        harness.wait_until(parts, "copy that is being made")
        process.kill()
        process.wait()
        process.stdin.close()
        self.assertEqual(len(parts()), 1)
        code, said = self.finish("--seeds", "-", input=lines)
        self.assertEqual(code, 0, said)
        self.assertEqual(parts(), [])
        self.assertEqual(self.crawl.check(), [])

    def queued(self):
        return self.crawl.status().get("queued", 0)

    def test_a_long_list_is_gone_on_with_after_a_kill(self):
        number = 40_000
        lines = "".join(f"http://h{n}.localhost:9/{'x' * 50}\n" for n in range(number))
        seeds = self.write(lines + "no seed\n")
        middles = 0
        process = self.crawl.popen(self.arguments("--paused", "--seeds", seeds))
        for kill in range(4):
            self.addCleanup(harness.kill, process)
            before = harness.wait_until(self.queued, "seed")
            middles += 0 < before < number
            harness.kill(process)
            process = self.crawl.popen(self.arguments("--resume", "--paused"))
            if kill == 0:
                seeds.write_text("changed meanwhile\n")
        self.addCleanup(harness.kill, process)
        harness.wait_until(lambda: self.queued() == number, f"{number} URLs that wait")
        self.assertGreater(middles, 0)
        time.sleep(2)
        self.assertEqual(self.queued(), number)
        self.crawl.caddis("stop", self.crawl.collection)
        harness.finish(process)
        launch = self.crawl.launches[0]
        settings = (launch / "crawl.yaml").read_text()
        self.assertIn(str(seeds), settings)
        self.assertNotIn("h1.localhost", settings)
        report = self.report().splitlines()
        self.assertEqual(len(report), number + 2)
        for begin in ("0 NOTCRAWLED http://h39999.localhost:9/" + "x" * 50 + " - ", "-7 NOTCRAWLED no_seed - "):
            self.assertEqual(sum(line.startswith(begin) for line in report), 1, begin)

    def test_a_crawl_takes_another_list_when_it_is_resumed(self):
        code, said = self.finish("--seeds", self.write(self.site.seeds[0] + "\n"))
        self.assertEqual(code, 0, said)
        process = self.crawl.popen([harness.BINARY, "crawl", "--collection", self.crawl.collection, "--resume", "--seeds",
                                    self.write("\n".join(self.site.seeds), "more.txt")])
        code, out, err = harness.finish(process)
        self.assertEqual(code, 0, out + err)
        self.assertEqual(self.crawl.check(), [])
        # The same command once more finds nothing new.
        process = self.crawl.popen([harness.BINARY, "crawl", "--collection", self.crawl.collection, "--resume", "--seeds",
                                    self.crawl.folder / "more.txt"])
        code, out, err = harness.finish(process)
        self.assertEqual(code, 0, out + err)
        self.assertEqual(len(list((self.crawl.launches[0] / "state/seeds").iterdir())), 2)

    def test_a_seed_is_removed_while_the_crawl_runs(self):
        (self.crawl.folder / "no-more.txt").write_text(f"# these\n{self.site.seeds[1]}\n")
        process = self.crawl.popen(self.arguments(*self.site.seeds, "--max-documents", "12", "--at-limit", "pause"))
        self.addCleanup(harness.kill, process)
        harness.wait_until(lambda: self.crawl.status().get("state") == "paused", "crawl that is paused")
        told = self.crawl.caddis("seeds", "remove", "http://none.localhost/", self.site.seeds[0], "--collection", self.crawl.collection)
        self.assertEqual(told.returncode, 1)
        self.assertIn("http://none.localhost/ is no seed of this crawl", told.stderr)
        self.assertEqual(self.crawl.caddis("seeds", "remove", "--collection", self.crawl.collection).returncode, 2)
        told = self.crawl.caddis("seeds", "remove", "--file", self.crawl.folder / "no-more.txt", "--collection", self.crawl.collection)
        self.assertEqual((told.returncode, told.stdout), (0, "1 seed removed\n"), told.stderr)
        # Right behind the answer: it holds all the same.
        harness.kill(process)
        before = self.urls_of(self.site.seeds[1])
        process = self.crawl.popen([harness.BINARY, "crawl", "--resume", "--collection", self.crawl.collection, "--set",
                                    "limits.max-documents=0"])
        code, out, err = harness.finish(process)
        self.assertEqual(code, 0, out + err)
        after = self.urls_of(self.site.seeds[1])
        self.assertEqual(self.fetched(after), self.fetched(before))
        self.assertIn("-5000", after.values())
        self.assertIn(f" REMOVED {self.site.seeds[1]} - ", self.report())
        self.assertEqual(self.report().count(" CRAWLED "), len(self.site.seeds) - 1)
        told = self.crawl.caddis("seeds", "remove", self.site.seeds[0], "--collection", self.crawl.collection)
        self.assertEqual(told.returncode, 1)
        self.assertIn("the crawl does not run: resume it", told.stderr)

    def urls_of(self, seed):
        """Status by URL of what crawl.log has of the seed's host. Left out are robots.txt, and what pages embed or imply
        (an icon): the default scope takes that along with a page, whoever its seed was."""
        lines = [line.split() for line in (self.crawl.launches[0] / "logs/crawl.log").read_text().splitlines()]
        host = seed.split("/")[2]
        return {line[3]: line[1] for line in lines if line[3].startswith(f"http://{host}/")
                and line[4].rstrip("LR") in ("", "-") and not line[3].endswith("/robots.txt")}

    @staticmethod
    def fetched(status_by_url):
        return {url for url, status in status_by_url.items() if int(status) > 0}

    def test_many_seeds_in_settings_are_refused_with_the_way_out(self):
        self.crawl.config.write_text("crawl:\n  seeds:\n" + "".join(f"    - http://h{n}.localhost/\n" for n in range(10_001)))
        code, said = self.finish()
        self.assertEqual(code, 2, said)
        self.assertIn("--seeds FILE", said)
        self.assertFalse(self.crawl.collection.exists())


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
