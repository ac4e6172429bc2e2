#!/usr/bin/env python3
"""Reports as a person and a program meet them: files, `caddis report`, a signal, and index.html in Chromium, light, dark and narrow."""

import base64
import collections
import csv
import html.parser
import io
import json
import os
import pathlib
import re
import shutil
import signal
import sys
import unittest

import devtools
import harness
from frontier_test import SlowSite
from local_site import LocalSite

HERITRIX_HOSTS = ("[#urls] [#bytes] [host] [#robots] [#remaining] [#novel-urls] [#novel-bytes] [#dup-by-hash-urls] [#dup-by-hash-bytes] "
                  "[#not-modified-urls] [#not-modified-bytes]")
HERITRIX = ["crawl-report", "seeds-report", "hosts-report", "source-report", "mimetype-report", "responsecode-report",
            "processors-report", "frontier-summary-report", "frontier-nonempty-report", "threads-report", "crawl-manifest"]
HOSTILE = '"><img/src=x:y><script>alert(1)</script>'


class Tables(html.parser.HTMLParser):
    """The tables of a page, by the ids of what they stand in: lists of rows of texts; and its links and tags."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.links, self.tags = {}, [], collections.Counter()
        self.cell = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags[tag] += 1
        if tag == "a":
            self.links.append(attributes["href"])
        elif tag == "details":
            self.rows = self.tables[attributes["id"]] = []
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.cell = ""

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.rows[-1].append(self.cell)
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data


def read_csv(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def named(table):
    return [dict(zip(table[0], row)) for row in table[1:]]


class Reports:
    """The folder of reports of the latest launch."""

    def __init__(self, crawl):
        self.launch = crawl.launches[-1]
        self.folder = self.launch / "reports"

    def text(self, name):
        return (self.folder / name).read_bytes().decode()

    def table(self, name):
        return read_csv(self.text(name + ".csv"))

    def names(self):
        return sorted(path.stem for path in self.folder.glob("*.csv"))

    def log(self):
        return [line.split() for line in (self.launch / "logs/crawl.log").read_text().splitlines()]


class EndedTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = cls.enterClassContext(LocalSite(pages=60))
        cls.crawl = harness.Crawl(cls.site)
        cls.addClassCleanup(cls.crawl.remove)
        code, out, err = cls.crawl.run()
        if code != 0:
            raise AssertionError(out + err)
        cls.reports = Reports(cls.crawl)

    def test_all_of_heritrixs_are_there_in_three_forms(self):
        for name in HERITRIX:
            for ending in ("txt", "csv", "json"):
                self.assertTrue((self.reports.folder / f"{name}.{ending}").exists(), f"{name}.{ending}")
        self.assertTrue(self.reports.text("hosts-report.txt").startswith(HERITRIX_HOSTS + " [#excluded]"))
        self.assertTrue(self.reports.text("source-report.txt").startswith("[source] [host] [#urls] "))
        self.assertTrue(self.reports.text("mimetype-report.txt").startswith("[#urls] [#bytes] [mime-types]\n"))
        self.assertTrue(self.reports.text("responsecode-report.txt").startswith("[#urls] [rescode] "))
        self.assertTrue(self.reports.text("crawl-report.txt").startswith("crawl name: "))
        self.assertIn("\nL+ logs/crawl.log\n", self.reports.text("crawl-manifest.txt"))
        self.assertFalse(list(self.reports.folder.glob("*.part")))

    def test_json_and_csv_say_the_same(self):
        for name in self.reports.names():
            document, table = json.loads(self.reports.text(name + ".json")), self.reports.table(name)
            self.assertEqual(document["report"], name)
            self.assertEqual(document["columns"], table[0], name)
            rows = [["" if row[column] is None else str(row[column]) for column in document["columns"]] for row in document["rows"]]
            self.assertEqual(rows, table[1:], name)

    def test_sums_are_those_of_the_log(self):
        captured = [line for line in self.reports.log() if int(line[1]) > 0]
        size = sum(map(harness.content_size, captured))
        for name in ("hosts-report", "domains-report", "groups-report", "source-report", "seeds-report", "mimetype-report"):
            rows = named(self.reports.table(name))
            self.assertEqual(sum(int(row["urls"]) for row in rows), len(captured), name)
            self.assertEqual(sum(int(row["bytes"]) for row in rows), size, name)
        statuses = {row["rescode"]: int(row["urls"]) for row in named(self.reports.table("responsecode-report"))}
        self.assertEqual(statuses, collections.Counter(line[1] for line in self.reports.log()))
        report = self.crawl.status()["report"]
        self.assertEqual((report["URI successes"], report["total crawled bytes"].split()[0]), (str(len(captured)), str(size)))
        stops = {row["host"]: row["stop-reason"] for row in named(self.reports.table("hosts-report"))}
        self.assertEqual(stops["alpha.localhost"], "finished")

    def test_the_command_shows_the_files(self):
        for arguments, ending in ((["hosts"], "txt"), (["hosts-report", "--format", "csv"], "csv"), (["hosts", "--format", "json"], "json")):
            done = self.crawl.caddis("report", arguments[0], self.crawl.collection, *arguments[1:])
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.replace("\r\n", "\n"), self.reports.text("hosts-report." + ending).replace("\r\n", "\n"))
        launch = self.crawl.launches[-1].name
        self.assertEqual(self.crawl.caddis("report", "crawl", self.crawl.collection, "--launch", launch).returncode, 0)
        self.assertIn("domains-report", self.crawl.caddis("report").stdout)
        for wrong in (["nonsense", self.crawl.collection], ["hosts", self.crawl.collection, "--format", "xml"],
                      ["hosts", self.crawl.collection, "--launch", "never"], ["hosts", self.crawl.folder / "nowhere"]):
            done = self.crawl.caddis("report", *wrong)
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn("caddis report: ", done.stderr)

    def test_a_file_that_is_missing_is_made_alone(self):
        with LocalSite(pages=10) as site:
            crawl = harness.Crawl(site)
            self.addCleanup(crawl.remove)
            self.assertEqual(crawl.run(more=["--max-documents", "5"])[0], 3)
            reports = Reports(crawl)
            before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in reports.folder.iterdir()}
            (reports.folder / "crawl-report.csv").unlink()
            done = crawl.caddis("report", "crawl", crawl.collection, "--format", "csv")
            self.assertIn("made from its state", done.stderr)
            self.assertIn(".csv is not there any more", done.stderr)
            self.assertIn("Finished - Maximum number of documents limit hit; reached max-documents (5)", done.stdout)
            self.assertFalse((reports.folder / "crawl-report.csv").exists())
            self.assertEqual(crawl.caddis("report", "--write", crawl.collection).returncode, 0)
            after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in reports.folder.iterdir()}
            self.assertEqual(after["crawl-report.csv"][0], before.pop("crawl-report.csv")[0])
            del after["crawl-report.csv"]
            self.assertEqual(after, before)

    def test_tables_of_the_page_are_those_of_the_csv(self):
        page = Tables(self.reports.text("index.html"))
        self.assertEqual(sorted(page.tables), self.reports.names())
        for name, rows in page.tables.items():
            self.assertEqual(rows, self.reports.table(name)[:501], name)
        for link in page.links:
            self.assertNotIn("://", link)
            if not link.startswith("#"):
                self.assertTrue((self.reports.folder / link).exists(), link)
        self.assertGreaterEqual(page.tags["svg"], 8)
        self.assertEqual((page.tags["script"], page.tags["img"]), (0, 0))


class PageTest(unittest.TestCase):
    """In the browser; pictures go to CADDIS_PICTURES, if that is set, to be looked at."""

    @classmethod
    def setUpClass(cls):
        if not os.path.exists(devtools.CHROMIUM):
            raise unittest.SkipTest("there is no Chromium")
        site = cls.enterClassContext(LocalSite(pages=60))
        cls.crawl = harness.Crawl(site, "politeness: {delay: 200ms, url-retries: 1, url-retry-delay: 300ms}\n")  # for some seconds
        cls.addClassCleanup(cls.crawl.remove)
        code, out, err = cls.crawl.run()
        if code != 0:
            raise AssertionError(out + err)
        cls.browser = cls.enterClassContext(devtools.Browser())

    def open(self, crawl, width=1200, scheme="light"):
        """(session, URLs that the page asked for)"""
        address = Reports(crawl).folder.joinpath("index.html").as_uri()
        asked = []
        target = self.browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.addCleanup(self.browser.call, "Target.closeTarget", targetId=target)
        session = self.browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

        def listen(of, method, parameters):
            if of == session and method == "Network.requestWillBeSent":
                asked.append(parameters["request"]["url"])

        self.browser.listeners.append(listen)
        self.browser.call("Network.enable", session)
        self.browser.call("Emulation.setDeviceMetricsOverride", session, width=width, height=1400, deviceScaleFactor=1, mobile=False)
        self.browser.call("Emulation.setEmulatedMedia", session, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.browser.call("Page.navigate", session, url=address)
        harness.wait_until(lambda: self.value(session, "document.readyState == 'complete' && location.href") == address, address)
        return session, asked

    def value(self, session, expression):
        return self.browser.call("Runtime.evaluate", session, expression=expression, returnByValue=True)["result"].get("value")

    def picture(self, session, name):
        data = base64.b64decode(self.browser.call("Page.captureScreenshot", session, captureBeyondViewport=True)["data"])
        if folder := os.environ.get("CADDIS_PICTURES"):
            pathlib.Path(folder, name).write_bytes(data)
        return data

    def test_light_dark_and_narrow(self):
        grounds = set()
        for name, width, scheme in (("light", 1200, "light"), ("dark", 1200, "dark"), ("narrow", 360, "light")):
            session, asked = self.open(self.crawl, width, scheme)
            self.assertEqual([url for url in asked if not url.startswith("file:")], [], name)
            self.assertEqual(len(asked), 1, asked)
            self.picture(session, f"reports-{name}.png")
            grounds.add(self.value(session, "getComputedStyle(document.body).backgroundColor"))
            self.assertLessEqual(self.value(session, "document.documentElement.scrollWidth"), width, name)
            self.assertGreaterEqual(self.value(session, "document.querySelectorAll('svg .line').length"), 4)
            # Text of plots is large enough to be read.
            size = self.value(session, "Math.min(...[...document.querySelectorAll('svg text')].map(t => t.getBoundingClientRect().height))")
            self.assertGreater(size, 7, name)
        self.assertEqual(len(grounds), 2)

    def test_markup_from_elsewhere_stays_text(self):
        with LocalSite(pages=5) as site:
            crawl = harness.Crawl(site)
            self.addCleanup(crawl.remove)
            seeds = crawl.folder / "seeds.txt"
            seeds.write_text(HOSTILE + "\n")
            self.assertEqual(crawl.run(more=["--seeds", seeds])[0], 0)
            table = Reports(crawl).table("seeds-report")
            self.assertTrue([row for row in table if "<script>" in row[2]], table)
            session, asked = self.open(crawl)
            self.assertEqual(len(asked), 1, asked)
            self.assertEqual(self.value(session, "document.querySelectorAll('img, script').length"), 0)
            shown = self.value(session, "[...document.querySelectorAll('#seeds-report td:nth-child(3)')].map(t => t.textContent)")
            self.assertEqual(shown, [row[2] for row in table[1:]])


class RunningTest(unittest.TestCase):
    SETTINGS = "politeness: {delay: 300ms, url-retries: 1, url-retry-delay: 300ms}\nscope: {kind: any}\nlimits: {max-time: 1h}\n"

    def setUp(self):
        site = self.enterContext(SlowSite())
        self.crawl = harness.Crawl(site, self.SETTINGS)
        self.addCleanup(self.crawl.remove)
        self.process = self.crawl.start()
        self.addCleanup(harness.kill, self.process)
        harness.wait_until(lambda: self.crawl.status().get("documents", 0) > 3, "documents")

    def test_a_signal_has_them_written(self):
        reports = Reports(self.crawl)
        self.assertFalse((reports.folder / "index.html").exists())
        self.process.send_signal(signal.SIGUSR1)
        harness.wait_until(lambda: (reports.folder / "index.html").exists(), "reports")
        self.assertIn("\ncrawl status: Running - Active\n", reports.text("crawl-report.txt"))
        self.assertEqual(self.crawl.status()["state"], "running")
        harness.wait_until(lambda: " OPERATOR the reports are in " in (reports.launch / "logs/progress-statistics.log").read_text(), "its line")

    def test_the_command_asks_the_crawl(self):
        done = self.crawl.caddis("report", "hosts", self.crawl.collection)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.startswith(HERITRIX_HOSTS))
        rows = named(read_csv(self.crawl.caddis("report", "hosts", self.crawl.collection, "--format", "csv").stdout))
        self.assertIn("waiting", [row["stop-reason"] for row in rows])
        threads = named(read_csv(self.crawl.caddis("report", "threads", self.crawl.collection, "--format", "csv").stdout))
        for row in threads:
            self.assertLessEqual(int(row["step-ms"]), int(row["total-ms"]))
        whole = self.crawl.caddis("report", "hosts", self.crawl.collection)
        self.assertEqual(whole.stderr, "")
        self.assertFalse(list(Reports(self.crawl).folder.iterdir()))
        done = self.crawl.caddis("report", "--write", self.crawl.collection)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((Reports(self.crawl).folder / "index.html").exists())

    def test_of_a_crawl_that_died(self):
        self.crawl.caddis("report", "--write", self.crawl.collection)
        harness.kill(self.process)
        self.assertEqual(self.crawl.status()["state"], "interrupted")
        shutil.rmtree(Reports(self.crawl).folder)
        Reports(self.crawl).folder.mkdir()
        done = self.crawl.caddis("report", "crawl", self.crawl.collection)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("made from its state", done.stderr)
        self.assertRegex(done.stdout, re.compile("^crawl status: Interrupted - ", re.M))
        self.assertEqual(self.crawl.status()["state"], "interrupted")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
