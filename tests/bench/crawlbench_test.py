#!/usr/bin/env python3
"""What the benchmark computes: the bound, the comparison with a baseline, stages from samples, settings, tables."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "tests" / "e2e")]

import harness  # noqa: E402
from crawlbench import bound, compare, crawl, orders, peers, profiles, stages, table  # noqa: E402

MICROS = {"receive": 10.0, "send": 9.0, "decrypt": 2.0, "sha1": 20.0, "gunzip": 5.0, "scan": 3.0, "gzip_fast": 40.0, "gzip_small": 90.0,
          "copy": 1.0, "write": 4.0, "rows": 20.0, "connect": 30.0, "handshake": 500.0}
YARD = {"us": MICROS, "sample": {"wire_bytes": 20000.0}, "cpu": "a cpu", "cpu_flags": ["sha_ni"]}
REPORT = {"seconds": 10.0, "connections": 100, "requests": 1010, "trap_requests": 3, "hosts": 50,
          "coverage": {"share": 0.5, "missing": ["http://h1/"]}, "duplicates": {"count": 2, "examples": ["http://h2/"]}, "violations": 1,
          "violation_kinds": {"forbidden": {"count": 1, "examples": ["http://h3/"]}, "min_gap": {"count": 0, "examples": []}},
          "most_at_once": {}, "host_gaps": {"smallest_ms": 7.0}, "curve": [], "mass": "pagerank",
          "mass_at": {"10": 0.3, "25": 0.5, "50": None}}


class Bound(unittest.TestCase):
    def test_over_http_is_the_sum_of_what_is_needed(self):
        found = bound.bound(YARD)
        self.assertEqual(found["us"], 100)
        self.assertEqual(found["pages_per_second"], 10000)
        self.assertNotIn("scan", found["parts"])
        self.assertNotIn("handshake", found["parts"])

    def test_connections_and_handshakes_count_by_document(self):
        found = bound.bound(YARD, https=0.5, connections=0.1)
        self.assertEqual(found["parts"]["connect"], 3)
        self.assertEqual(found["parts"]["handshake"], 25)
        self.assertEqual(found["parts"]["decrypt"], 1)
        self.assertEqual(found["us"], 129)

    def test_ratio(self):
        self.assertEqual(bound.ratio(100, 200), 0.5)
        self.assertEqual(bound.ratio(100, 0), 0)

    def test_stages_stand_beside_what_does_the_same(self):
        rows = bound.beside({"network": 50, "links": 60, "crawl": 5}, bound.bound(YARD, connections=1)["parts"], MICROS)
        self.assertEqual(rows, [("links", 60, 3.0), ("network", 50, 40.0), ("crawl", 5, None)])

    def test_every_needed_part_stands_beside_a_stage(self):
        parts = bound.bound(YARD, https=1, connections=1)["parts"]
        self.assertEqual({name for names in bound.BESIDE.values() for name in names} - {"scan"}, set(parts))


class Stages(unittest.TestCase):
    def test_samples_are_counted_by_library_function_and_thread(self):
        lines = [
            "loop     55d7c2b04dc8 caddis::html::Tokenizer::next (/usr/bin/caddis)",
            "loop     55d7c2b04dc8 caddis::(anonymous namespace)::HtmlLinks<char (*)(int)>::run (/usr/bin/caddis)",
            "loop     7f0000000001 isal_deflate_icf_body_hash_hist_04 (/usr/lib/x86_64-linux-gnu/libisal.so.2.0.30)",
            "loop  ffffffff813a2293 finish_task_switch.isra.0 ([kernel.kallsyms])",
            "disk  ffffffff813a2293 copy_folio_from_iter_atomic ([kernel.kallsyms])",
            "rocksdb:low 7f0000000002 rocksdb::MemTable::Add (/usr/lib/librocksdb.so.7.8.3)",
            "loop     7f0000000003 [unknown] (/usr/lib/x86_64-linux-gnu/libcrypto.so.3)",
            "loop     7f0000000004 __memchr_avx2 (/usr/lib/x86_64-linux-gnu/libc.so.6)",
            "", "# a comment",
        ]
        found = stages.shares(lines)
        self.assertEqual(found, {"links": 0.25, "crawl": 0.125, "deflate": 0.125, "network": 0.125, "files": 0.125, "store": 0.125,
                                 "digests, TLS": 0.125})

    def test_nothing_gives_nothing(self):
        self.assertEqual(stages.shares([]), {})


class Compare(unittest.TestCase):
    def setUp(self):
        self.good = {"ratio": 0.5, "bytes_per_url": None, "bytes_per_host": 100.0, "complete": True,
                     "judge": {"coverage": 1.0, "duplicates": 0, "violations": 0}}
        self.baseline = {"profiles": {"small": {"ratio": 0.5, "bytes_per_host": 100.0}}}

    def worse(self, **changes):
        return compare.worse({"profiles": {"small": {**self.good, **changes}}}, self.baseline)

    def test_the_same_is_not_worse(self):
        self.assertEqual(self.worse(), [])

    def test_noise_and_improvement_are_not_worse(self):
        self.assertEqual(self.worse(ratio=0.46, bytes_per_host=109), [])
        self.assertEqual(self.worse(ratio=0.9, bytes_per_host=1), [])

    def test_a_smaller_ratio_is_worse(self):
        self.assertEqual(self.worse(ratio=0.4), ["small: ratio 0.4, was 0.5: 20% worse"])

    def test_more_memory_is_worse(self):
        self.assertEqual(self.worse(bytes_per_host=150.0), ["small: bytes_per_host 150, was 100: 50% worse"])

    def test_a_figure_that_is_gone_is_worse(self):
        self.assertEqual(self.worse(bytes_per_host=None), ["small: bytes_per_host is not known any more, was 100"])

    def test_what_the_judge_finds_is_never_accepted(self):
        found = self.worse(judge={"coverage": 0.99, "duplicates": 1, "violations": 2})
        self.assertEqual(found, ["small: 99.0000% of the pages that had to be asked for were", "small: 1 duplicates", "small: 2 violations"])
        self.assertEqual(self.worse(complete=False, judge={"coverage": 0.1, "duplicates": 0, "violations": 0}), [])

    def test_faults_of_the_archive_are_never_accepted(self):
        self.assertEqual(self.worse(verify={"exit_code": 1, "lines": ["missing http://h1/", "1 fault"]}), ["small: simweb verify: 1 fault"])
        self.assertEqual(self.worse(verify={"exit_code": 0, "lines": []}), [])

    def test_a_failed_profile_is_worse(self):
        self.assertEqual(compare.worse({"profiles": {"small": {"error": "caddis ended with 1"}}}, self.baseline), ["small: caddis ended with 1"])

    def test_a_baseline_keeps_what_is_known_and_agrees_with_its_results(self):
        results = {"profiles": {"small": self.good}}
        self.assertEqual(compare.kept(results), self.baseline)
        self.assertEqual(compare.worse(results, compare.kept(results)), [])

    def test_profiles_left_out_are_named(self):
        self.assertEqual(compare.covered({"profiles": {}}, self.baseline), ["small"])


class Profiles(unittest.TestCase):
    def test_scale_shrinks_pages_and_hosts(self):
        small = profiles.PROFILES["hosts-1M"].scaled(0.01)
        self.assertEqual((small.pages, small.hosts, small.max_documents), (20_000, 10_000, 200))
        tiny = profiles.PROFILES["small-20k"].scaled(1e-6)
        self.assertEqual((tiny.pages, tiny.hosts, tiny.max_documents, tiny.preload), (100, 10, 0, 0))

    def test_the_web_gets_its_size_and_its_changes(self):
        arguments = profiles.PROFILES["polite"].scaled(0.001).web_arguments()
        self.assertEqual(arguments[:8], ["--profile", "polite", "--set", "pages=200", "--set", "hosts=100", "--set", "zipf=0.2"])
        self.assertIn("--min-gap", arguments)

    def test_settings_are_layered_and_written(self):
        text = profiles.settings_yaml(profiles.merged(profiles.BASE, {"politeness": {"delay": None}}, {"crawl": {"seeds": ["http://a/"]}}))
        self.assertEqual(text, 'archive:\n  compression: fast\ncrawl:\n  contact: bench@localhost\n  seeds: ["http://a/"]\nscope:\n  kind: any\n  max-hops: 100000\n')

    def test_the_issues_profiles_are_there(self):
        self.assertEqual(list(profiles.PROFILES), ["http-100k", "https-100k", "small-20k", "modern-242k", "hosts-1M", "seen-100M", "polite",
                                                   "hostile", "members"])


class Results(unittest.TestCase):
    def figures(self, start=(0.0, 0.0, 0.0)):
        usage = crawl.processes.Usage(12.0, 0.15, 0.05, 50_000_000, 0, False, {"network": 0.5, "links": 0.5})
        profile = profiles.PROFILES["small-20k"].scaled(0.01)
        return crawl.figures(profile, usage, REPORT, 1000, bound.bound(YARD), YARD, start)

    def test_figures_are_per_document(self):
        found = self.figures()
        self.assertEqual((found["pages_per_second"], found["mb_per_second"]), (100, 2))
        self.assertAlmostEqual(found["cpu_us"], 200)
        self.assertAlmostEqual(found["ratio"], 0.5)
        self.assertEqual(sorted((stage, round(ours), yard) for stage, ours, yard in found["stages"]),
                         [("links", 100, 3.0), ("network", 100, 10.0)])

    def test_a_start_that_is_told_apart_does_not_count(self):
        found = self.figures(start=(2.0, 0.05, 0.05))
        self.assertEqual((found["pages_per_second"], found["start_seconds"]), (100, 2))
        self.assertAlmostEqual(found["cpu_us"], 100)

    def test_the_judge_is_kept_in_short(self):
        judge = self.figures()["judge"]
        self.assertEqual((judge["coverage"], judge["duplicates"], judge["violations"], judge["violation_kinds"]), (0.5, 2, 1, {"forbidden": 1}))
        self.assertEqual(judge["examples"], ["http://h2/", "http://h3/"])

    def test_the_table_names_every_profile_and_stage(self):
        result = {**self.figures(), "bytes_per_url": None, "bytes_per_host": 12.0}
        text = table.everything({"machine": {"cpu": "a cpu", "cores": 2, "flags": ["sha_ni"]},
                                 "profiles": {"small-20k": result, "polite": {"error": "caddis ended with 1"}}})
        for part in ("sha_ni", "small-20k", "50.00%", "network", "polite: caddis ended with 1", "mass@25%", "pagerank    30.00%"):
            self.assertIn(part, text)


class Orders(unittest.TestCase):
    def test_every_order_is_a_row_with_its_mass(self):
        judge = crawl.judge_figures(REPORT, profiles.ORDER)
        text = orders.text({"found": {"pages": 1000, "judge": judge}, "deep": {"error": "caddis ended with 1"}}).splitlines()
        self.assertEqual(text[1].split(), ["found", "1,000", "pagerank", "30.00%", "50.00%", "-", "50.00%", "2", "1"])
        self.assertEqual(text[2], "deep: caddis ended with 1")

    def test_the_web_of_orders_is_small_enough_for_page_rank(self):
        self.assertLessEqual(profiles.ORDER.pages, 500_000)


class Peers(unittest.TestCase):
    def test_ratios_are_of_processor_time_a_page(self):
        text = peers.text({"caddis": {"pages": 1000, "cpu_us": 200.0, "seconds": 1.0, "rss_bytes": 50e6},
                           "wget": {"pages": 100, "cpu_us": 2000.0, "seconds": 2.0, "rss_bytes": 10e6}, "heritrix": {"left_out": "no java"}})
        self.assertIn("10.0", text)
        self.assertIn("heritrix: no java", text)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules["__main__"]))
