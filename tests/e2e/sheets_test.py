#!/usr/bin/env python3
"""Settings that differ between sites: what the servers see of them, and what an operator is told."""

import json
import sys
import unittest

import harness
from local_site import LocalSite

SHEETS = r"""
sheets:
  gentle:
    sites: [alpha.localhost]
    settings:
      politeness: {delay: 400ms}
      fetch: {headers: ["X-Sheet: gentle"]}
  free:
    sites: [delta.localhost]
    settings:
      robots: {policy: ignore}
  near:
    urls: ['gamma\.localhost:[0-9]+/p[1-9]']
    settings:
      scope: {exclude: ['.']}
"""


TIMED = r"""
crawl: {sheet-order: most-specific}
sheets:
  pages:
    sites: [alpha.localhost]
    when: url /p[12][.]html$
    settings: {fetch: {accept: text/pages}}
  now:
    times: ["2020-01-01..2099-12-31 Europe/Vienna"]
    settings: {fetch: {accept: text/now}}
  first:
    when: not file misc and url /p1[.]
    settings: {fetch: {accept: text/first}}
  past:
    times: ["2020-01-01..2020-01-02", "2020-01-05"]
    settings: {fetch: {accept: text/past}}
  future:
    times: ["2099-12-31"]
    settings: {fetch: {accept: text/future}}
"""


def country_file(country):
    """A file in the MaxMind DB format in which 127.0.0.0/8 is in a country."""
    def text(value):
        return bytes([2 << 5 | len(value)]) + value.encode()

    def mapping(**entries):
        return bytes([7 << 5 | len(entries)]) + b"".join(text(name) + value for name, value in entries.items())

    nodes = 8
    records = [[nodes, nodes] for _ in range(nodes)]  # "nothing is known"
    for bit in range(nodes):
        records[bit][127 >> (7 - bit) & 1] = bit + 1 if bit + 1 < nodes else nodes + 16
    tree = b"".join(record.to_bytes(3, "big") for pair in records for record in pair)
    number = lambda value: bytes([5 << 5 | 2]) + value.to_bytes(2, "big")
    return (tree + bytes(16) + mapping(country=mapping(iso_code=text(country))) + b"\xab\xcd\xefMaxMind.com" +
            mapping(binary_format_major_version=number(2), binary_format_minor_version=number(0), ip_version=number(4),
                    node_count=bytes([6 << 5 | 1, nodes]), record_size=number(24), database_type=text("Country"),
                    build_epoch=bytes([1, 2, 1]), description=bytes([7 << 5]), languages=bytes([0, 4])))


class SheetsTest(unittest.TestCase):
    def new_crawl(self, site, settings):
        crawl = harness.Crawl(site)
        self.addCleanup(crawl.remove)
        crawl.config.write_text(harness.SETTINGS + settings)
        return crawl

    def test_sites_differ(self):
        with LocalSite(pages=24) as site:
            crawl = self.new_crawl(site, SHEETS)
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            begins = {}
            for begin, _, host in site.requests():
                begins.setdefault(host, []).append(begin)
            pauses = {host: min(b - a for a, b in zip(times, times[1:])) for host, times in begins.items()}
            self.assertGreater(pauses["alpha.localhost"], 0.39)
            self.assertLess(pauses["delta.localhost"], 0.3)

            log = {line.split()[3]: int(line.split()[1]) for path in crawl.collection.glob("crawls/*/logs/crawl.log")
                   for line in path.read_text().splitlines()}
            self.assertEqual(log[site.url("alpha.localhost", "/private/secret.html")], -9998)
            self.assertNotEqual(log[site.url("delta.localhost", "/private/secret.html")], -9998)
            self.assertNotIn(site.url("delta.localhost", "/robots.txt"), log)
            self.assertNotIn(site.url("gamma.localhost", "/p1.html"), log)
            self.assertIn(site.url("gamma.localhost", "/p0.html"), log)
            self.assertIn("gentle:", (crawl.launches[0] / "crawl.yaml").read_text())
            told = {record.url: b"X-Sheet: gentle" in record.block for record in crawl.records() if record.type == "request"}
            self.assertTrue(told[site.url("alpha.localhost", "/p1.html")])
            self.assertFalse(told[site.url("delta.localhost", "/p1.html")])

            host = crawl.caddis("frontier", crawl.collection, "--host", "alpha.localhost", "--json")
            self.assertEqual(json.loads(host.stdout)["sheets"], ["gentle"], host.stderr)
            self.assertIn("gentle", crawl.caddis("frontier", crawl.collection, "--host", "alpha.localhost").stdout)
            url = site.url("gamma.localhost", "/p1.html")
            told = crawl.caddis("scope", "explain", "--config", crawl.launches[0] / "crawl.yaml", "--json", url)
            answer = json.loads(told.stdout)
            self.assertEqual((answer["accepted"], answer["rule"], answer["sheets"]), (False, "exclude", ["near"]))

    def test_mistakes_are_named(self):
        with LocalSite(pages=4) as site:
            for sheet, words in (("{sites: [a.org], settings: {politeness: {dely: 1s}}}", "did you mean 'delay'"),
                                 ("{sites: ['(org,a)/x'], settings: {scope: {max-hops: 1}}}", "a comma is missing"),
                                 ("{sites: [a.org], settings: {limits: {max-bytes: 1}}}", "no sheet can set it")):
                crawl = self.new_crawl(site, f"sheets:\n  gentle: {sheet}\n")
                code, _, err = crawl.run()
                self.assertEqual(code, 2, err)
                self.assertIn("sheet 'gentle'", err)
                self.assertIn(words, err)
                self.assertIn(str(crawl.config), err)

    def test_times_and_conditions(self):
        with LocalSite(pages=24) as site:
            crawl = self.new_crawl(site, TIMED)
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            asked = {record.url: record.block for record in crawl.records() if record.type == "request"}
            self.assertIn(b"Accept: text/pages\r\n", asked[site.url("alpha.localhost", "/p1.html")])
            self.assertIn(b"Accept: text/first\r\n", asked[site.url("delta.localhost", "/p1.html")])
            self.assertIn(b"Accept: text/now\r\n", asked[site.url("delta.localhost", "/p2.html")])
            explained = crawl.caddis("settings", "explain", "fetch.accept", "--collection", crawl.collection, "--url",
                                     site.url("delta.localhost", "/p2.html")).stdout
            self.assertRegex(explained, r"counts +sheet 'now' +text/now +until 2099-12-31T23:00:00Z\n")
            self.assertRegex(explained, r"not now sheet 'past' +text/past +never again\n")
            self.assertRegex(explained, r"not now sheet 'future' +text/future +from 2099-12-31T00:00:00Z\n")
            refused = harness.Crawl(site)
            self.addCleanup(refused.remove)
            refused.config.write_text(harness.SETTINGS + "sheets: {x: {when: hops > 2, settings: {fetch: {accept: a}}}}\n")
            code, out, err = refused.run()
            self.assertNotEqual(code, 0)
            self.assertIn("sheet 'x': when: 'hops' asks of more than the URL", err)

    def test_guards_ask_for_the_country(self):
        for country, is_archived in (("AT", True), ("NZ", False)):
            with LocalSite(pages=24) as site:
                crawl = self.new_crawl(site, "")
                countries = crawl.folder / "countries.mmdb"
                countries.write_bytes(country_file(country))
                crawl.config.write_text(harness.SETTINGS + f"pipeline: {{countries: {countries}, "
                                                           "guard: ['records: country AT CH']}\n")
                code, out, err = crawl.run()
                self.assertEqual(code, 0, out + err)
                archived = {record.url for record in crawl.records() if record.type in ("response", "revisit")}
                self.assertEqual(site.url("alpha.localhost", "/p1.html") in archived, is_archived)

    def test_a_scope_asks_for_the_country(self):
        for country, is_fetched in (("AT", True), ("NZ", False)):
            with LocalSite(pages=24) as site:
                crawl = self.new_crawl(site, "")
                countries = crawl.folder / "countries.mmdb"
                rules = "scope: {rules: [shorthand, 'reject not country AT CH']}\n"
                crawl.config.write_text(harness.SETTINGS + rules)
                code, out, err = crawl.run()
                self.assertNotEqual(code, 0)
                self.assertIn("name it by pipeline.countries", err)
                countries.write_bytes(country_file(country))
                crawl.config.write_text(harness.SETTINGS + rules + f"pipeline: {{countries: {countries}}}\n")
                code, out, err = crawl.run()
                self.assertEqual(code, 0 if is_fetched else 1, out + err)
                fetched = {record.url for record in crawl.records() if record.type in ("response", "revisit")}
                self.assertEqual(site.url("alpha.localhost", "/p1.html") in fetched, is_fetched)
                log = (crawl.launches[0] / "logs/crawl.log").read_text()
                self.assertEqual("scope:reject%20not%20country" in log, not is_fetched)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
