#!/usr/bin/env python3
"""simweb as it is run: the oracle's lines, and a collection that caddis crawled twice, found sound and found faulty.

caddis comes from CADDIS_BINARY, simweb lies beside it.
"""

import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "e2e")]

import harness  # noqa: E402
import warc_records  # noqa: E402
from crawlbench import processes, profiles  # noqa: E402

SIMWEB = pathlib.Path(harness.BINARY).resolve().parent / "simweb"
WEB = ["--profile", "small-20k"]
for setting in ("hosts=6", "pages=120", "mean_size=2000", "mean_links=8", "zipf=0.5", "robots_rules=0.8", "robots_disallow_all=0.2",
                "dns_nxdomain=0.2", "hidden=0.05", "duplicate=0.1"):
    WEB += ["--set", setting]


def simweb(*arguments):
    """(exit status, lines of output)"""
    done = subprocess.run([str(part) for part in (SIMWEB, *arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          timeout=60, check=False)
    return done.returncode, done.stdout.splitlines()


class Oracle(unittest.TestCase):
    def lines(self, *more):
        status, lines = simweb("oracle", *WEB, *more)
        self.assertEqual(status, 0)
        return [json.loads(line) for line in lines]

    def test_every_url_has_one_line_and_the_summary_counts_them(self):
        lines = self.lines()
        self.assertEqual(len({line["url"] for line in lines}), len(lines))
        counts = {verdict: sum(line["verdict"] == verdict for line in lines) for verdict in ("must", "may", "must_not")}
        self.assertTrue(all(counts.values()), counts)
        summary, = self.lines("--summary")
        self.assertEqual(summary, {"seed": lines[0]["url"], "hosts": 6, **counts})
        self.assertEqual(lines[0]["verdict"], "must")

    def test_what_can_be_captured_has_a_digest(self):
        lines = self.lines("--digests")
        self.assertTrue(all("digest" in line for line in lines if line["status"] == 200))
        self.assertTrue(all("digest" not in line for line in lines if line["status"] < 0))
        self.assertNotEqual([line.get("digest") for line in lines], [line.get("digest") for line in self.lines("--digests", "--identity")])
        self.assertEqual(lines, self.lines("--digests"), "it is the same each time")

    def test_another_seed_is_another_web(self):
        self.assertNotEqual(self.lines(), self.lines("--set", "seed=2"))

    def test_wrong_usage(self):
        for arguments in (["oracle", "--profile", "smal-20k"], ["oracle", "--set", "pages=many"], ["verify"], ["nonsense"]):
            self.assertEqual(simweb(*arguments)[0], 2, arguments)


class Verify(unittest.TestCase):
    """One collection, crawled twice; every case that spoils it has a copy."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-simweb-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.collection = cls.folder / "c"
        with processes.Simweb(SIMWEB, [*WEB, "--page-rank"], cls.folder / "judge.json") as web:
            cls.web = [*WEB, *(part for name in ("http_port", "https_port") for part in ("--set", f"{name}={web.ready[name]}"))]
            crawl = {"crawl": {"seeds": [web.ready["seed"]]}, "dns": {"servers": [f"127.0.0.1:{web.ready['dns_port']}"]}}
            config = cls.folder / "crawl.yaml"
            config.write_text(profiles.settings_yaml(profiles.merged(profiles.BASE, crawl)))
            for _ in range(2):
                done = subprocess.run([harness.BINARY, "crawl", "--collection", cls.collection, "--config", config],
                                      env=harness.clean_environment(cls.folder), capture_output=True, text=True, timeout=120, check=False)
                if done.returncode != 0:
                    raise AssertionError(f"caddis ended with {done.returncode}: {done.stderr}")
            cls.report = web.stop()
        cls.launches = sorted(path.name for path in (cls.collection / "crawls").iterdir())

    def verify(self, collection=None, *more):
        """(exit status, faults, numbers)"""
        status, lines = simweb("verify", collection or self.collection, "--json", *self.web, *more)
        found = [json.loads(line) for line in lines]
        return status, found[:-1], found[-1]

    def spoiled(self):
        copy = self.folder / self.id()
        shutil.copytree(self.collection, copy, ignore=shutil.ignore_patterns("state"))
        return copy

    def image(self, collection):
        """The archive file and first record of an image's response: (path, its record)"""
        for path in sorted((collection / "archive").iterdir()):
            for record in warc_records.read_file(path):
                if record.type == "response" and record.http()[:1] == (200,) and record.http()[1]["content-type"].startswith("image/"):
                    return path, record
        raise AssertionError("no image")

    def expect_one(self, collection, fault, url, crawl):
        status, faults, numbers = self.verify(collection)
        self.assertEqual([(found["fault"], found["url"], found["crawl"]) for found in faults], [(fault, url, crawl)])
        self.assertEqual((status, numbers[fault]), (1, 1))

    def test_two_crawls_of_a_collection_are_each_complete(self):
        status, faults, numbers = self.verify()
        self.assertEqual((status, faults, numbers["crawls"]), (0, [], 2))
        status, _, one = self.verify(self.collection, "--crawl", self.launches[0])
        self.assertEqual((status, one["crawls"], 2 * one["expected"]), (0, 1, numbers["expected"]))
        self.assertGreater(one["captured"], 80)
        self.assertGreater(one["on_record"], 0)

    def test_the_judge_agrees(self):
        self.assertEqual((self.report["coverage"]["share"], self.report["violations"]), (1, 0))
        self.assertEqual(self.report["mass"], "pagerank")
        masses = [self.report["mass_at"][part] for part in ("10", "25", "50")]
        self.assertEqual(masses, sorted(masses))
        self.assertTrue(0 < masses[0] and masses[2] < 1, masses)

    def test_a_lost_record_is_missing(self):
        copy = self.spoiled()
        path, record = self.image(copy)
        data = path.read_bytes()
        path.write_bytes(data[:record.offset] + data[record.offset + record.length:])
        self.expect_one(copy, "missing", record.url, self.launches[0])

    def test_a_record_kept_again_is_a_duplicate(self):
        copy = self.spoiled()
        path, record = self.image(copy)
        data = path.read_bytes()
        path.write_bytes(data + data[record.offset:record.offset + record.length])
        self.expect_one(copy, "duplicate", record.url, self.launches[0])

    def test_another_byte_is_altered(self):
        copy = self.spoiled()
        path, record = self.image(copy)
        data = path.read_bytes()
        text = bytearray(gzip.decompress(data[record.offset:record.offset + record.length]))
        text[text.index(b"\r\n\r\n", text.index(b"\r\n\r\n") + 4) + 4 + 12] ^= 1
        path.write_bytes(data[:record.offset] + gzip.compress(text) + data[record.offset + record.length:])
        status, faults, _ = self.verify(copy)
        self.assertEqual(status, 1)
        self.assertIn(("altered", record.url), {(found["fault"], found["url"]) for found in faults})

    def test_a_forbidden_url_in_the_log_is_told(self):
        copy = self.spoiled()
        _, lines = simweb("oracle", *self.web)
        url = next(line["url"] for line in map(json.loads, lines) if line["reason"] == "hidden" and line["verdict"] == "must_not")
        with open(copy / "crawls" / self.launches[1] / "logs" / "crawl.log", "a", encoding="utf-8") as log:
            log.write(f"2026-11-21T00:00:00.000Z 200 100 {url} L - text/html #001 - - - -\n")
        self.expect_one(copy, "forbidden", url, self.launches[1])

    def test_what_is_no_collection(self):
        empty = self.folder / "empty"
        empty.mkdir()
        status, lines = simweb("verify", empty, *self.web)
        self.assertEqual(status, 1)
        self.assertIn("no WARC files", lines[0])
        status, lines = simweb("verify", self.collection, *self.web, "--crawl", "other")
        self.assertEqual(status, 1)
        self.assertIn(self.launches[0], lines[0])


class Doors(unittest.TestCase):
    """Hosts that want a cookie, or a user and a password: what a crawl with both finds, and what one without."""

    WEB = [*WEB, *(part for setting in ("hosts=16", "pages=300", "cookie_host=0.4", "login_host=0.4") for part in ("--set", setting))]

    def crawl(self, **settings):
        """(faults by kind, what the judge reports)"""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-simweb-"))
        self.addCleanup(shutil.rmtree, folder)
        with processes.Simweb(SIMWEB, self.WEB, folder / "judge.json") as web:
            ports = [part for name in ("http_port", "https_port") for part in ("--set", f"{name}={web.ready[name]}")]
            crawl = {"crawl": {"seeds": [web.ready["seed"]]}, "dns": {"servers": [f"127.0.0.1:{web.ready['dns_port']}"]}, **settings}
            config = folder / "crawl.yaml"
            config.write_text(profiles.settings_yaml(profiles.merged(profiles.BASE, crawl)))
            done = subprocess.run([harness.BINARY, "crawl", "--collection", folder / "c", "--config", config],
                                  env=harness.clean_environment(folder), capture_output=True, text=True, timeout=120, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = web.stop()
        _, lines = simweb("verify", folder / "c", "--json", "--limit", "100000", *self.WEB, *ports)
        return [json.loads(line) for line in lines][:-1], report

    def test_members_with_cookies_find_everything(self):
        faults, report = self.crawl(logins={"site": "test", "user": "member", "password": "of simweb"})
        self.assertEqual(faults[:10], [])
        self.assertEqual((report["coverage"]["share"], report["violations"], report["duplicates"]["count"]), (1, 0, 0), report)

    def test_strangers_stand_before_the_doors(self):
        faults, report = self.crawl()
        reasons = {fault["reason"].partition(" instead")[0] for fault in faults if fault["fault"] == "altered"}
        self.assertEqual(reasons, {"its status is 401"})
        self.assertLess(report["coverage"]["share"], 1)
        faults, _ = self.crawl(cookies={"enabled": "false"}, logins={"site": "test", "user": "member", "password": "of simweb"})
        self.assertTrue(faults)
        self.assertFalse([fault for fault in faults if "401" in fault["reason"]], faults[:5])


class Sessions(unittest.TestCase):
    """Hosts that speak HTTP/2, and hosts that want a session which a form gives and which ends again and again."""

    WEB = ["--profile", "sessions", *(part for setting in (
        "hosts=24", "pages=500", "mean_size=2000", "mean_links=8", "zipf=0.3", "session_pages=9", "robots_unavailable=0",
        "robots_disallow_all=0", "robots_retry=0", "dead_host=0", "dns_nxdomain=0", "dns_servfail=0", "dns_timeout=0", "trap_host=0",
        "slow_host=0", "truncated=0", "reset=0", "hang=0", "endless=0", "drip=0", "gzip_bomb=0", "too_many=0", "unavailable=0", "feed=0",
        "robots_crawl_delay=0") for part in ("--set", setting))]

    def crawl(self, http2=True, password="of simweb", check=True):
        """(faults, what the judge reports, lines of crawl.log)"""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-simweb-"))
        self.addCleanup(shutil.rmtree, folder)
        with processes.Simweb(SIMWEB, self.WEB, folder / "judge.json") as web:
            ports = [part for name in ("http_port", "https_port") for part in ("--set", f"{name}={web.ready[name]}")]
            status, lines = simweb("doors", *self.WEB, *ports)
            self.assertEqual(status, 0)
            self.doors = [json.loads(line) for line in lines]
            crawl = {"crawl": {"seeds": [web.ready["seed"]]}, "dns": {"servers": [f"127.0.0.1:{web.ready['dns_port']}"]},
                     "fetch": {"http-version": "2" if http2 else "1.1"}}
            config = folder / "crawl.yaml"
            config.write_text(profiles.settings_yaml(profiles.merged(profiles.BASE, crawl)) + profiles.door_sheets(self.doors, password, check))
            done = subprocess.run([harness.BINARY, "crawl", "--collection", folder / "c", "--config", config],
                                  env=harness.clean_environment(folder), capture_output=True, text=True, timeout=300, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            report = web.stop()
        _, lines = simweb("verify", folder / "c", "--json", "--limit", "100000", *self.WEB, *ports)
        logged = [line for path in (folder / "c").glob("crawls/*/logs/crawl.log") for line in path.read_text().splitlines()]
        return [json.loads(line) for line in lines][:-1], report, logged

    def test_members_with_http2_find_everything(self):
        faults, report, logged = self.crawl()
        self.assertEqual(faults[:10], [])
        self.assertEqual((report["coverage"]["share"], report["violations"], report["duplicates"]["count"]), (1, 0, 0), report)
        ends = {door.get("ends") for door in self.doors} - {None}
        self.assertEqual(ends, {"in place", "redirect"})
        logins = report["form_logins"]
        self.assertEqual(logins["refused"], 0, logins)
        self.assertGreater(logins["ended"], len(ends), logins)
        self.assertGreaterEqual(logins["accepted"], logins["ended"], logins)
        self.assertGreater(report["http2_hosts"]["http2"], 50)
        self.assertEqual(report["http2_hosts"]["http1_instead"], 0)
        self.assertTrue(any("form-again" in line for line in logged))

    def test_another_version_is_a_fault(self):
        faults, report, _ = self.crawl(http2=False)
        self.assertEqual({fault["fault"] for fault in faults}, {"protocol"})
        self.assertEqual(report["http2_hosts"]["http2"], 0)
        self.assertGreaterEqual(report["http2_hosts"]["http1_instead"], len(faults))

    def test_strangers_are_told_apart(self):
        faults, report, _ = self.crawl(password="of another")
        self.assertEqual(report["form_logins"]["accepted"], 0)
        self.assertGreater(report["form_logins"]["refused"], 0)
        self.assertIn("altered", {fault["fault"] for fault in faults})
        self.assertLess(report["coverage"]["share"], 1)
        # Without words to look for, a form in place of a page passes for the page; the truth tells.
        faults, report, _ = self.crawl(check=False)
        self.assertTrue([fault for fault in faults if fault["fault"] == "altered" and "payload" in fault["reason"]], faults[:5])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules["__main__"]))
