#!/usr/bin/env python3
"""caddis dedup on real archives and on texts made here: build, merge, query and stats as a person uses them."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("CADDIS_TESTDATA", ROOT.parent / "shared/testdata")) / "07-warc"

DIGEST_A, DIGEST_B = "A" * 32, "B" * 32


def cdxj(url, digest, date="20200101000000", key="key", **more):
    return f"{key} {date} " + json.dumps({"url": url, "mime": "text/html", "status": "200", "digest": digest, **more}) + "\n"


class Dedup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="caddis-dedup-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def caddis(self, *arguments, stdin=""):
        done = subprocess.run([harness.BINARY, "dedup", *[str(one) for one in arguments]], input=stdin, capture_output=True,
                              text=True, cwd=self.folder, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def built(self, *arguments):
        code, out, err = self.caddis("build", *arguments, "--json")
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def answers(self, index, lines, *options):
        code, out, err = self.caddis("query", index, "--json", *options, stdin="".join(line + "\n" for line in lines))
        self.assertEqual(code, 0, err)
        return [json.loads(line) for line in out.splitlines()]

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return name


class Texts(Dedup):
    def test_a_batch_has_a_line_for_each_line(self):
        self.write("x.cdxj", cdxj("http://a.example/", DIGEST_A) + cdxj("https://www.a.example/", DIGEST_B))
        self.built("x.dig", "x.cdxj")
        asked = [f"sha1:{DIGEST_A} http://a.example/", f"sha1:{DIGEST_B} http://a.example/", f"{DIGEST_A} http://z.example/",
                 "sha1:" + "C" * 32, "nonsense", ""]
        told = self.answers("x.dig", asked)
        self.assertEqual([one.get("likeness") for one in told], ["url", "canonical", "digest", None, None, None])
        self.assertEqual(told[1]["url"], "https://www.a.example/")
        self.assertEqual(told[3]["found"], False)
        self.assertIn("error", told[4])
        self.assertIn("error", told[5])
        code, out, _ = self.caddis("query", "x.dig", stdin="\n".join(asked) + "\n")
        self.assertEqual((code, len(out.splitlines())), (0, len(asked)))
        self.assertEqual(out.splitlines()[4], "-")

    def test_strategies(self):
        self.write("x.cdxj", cdxj("http://early.example/", DIGEST_A, "20190101000000") + cdxj("http://www.a.example/", DIGEST_A))
        self.built("x.dig", "x.cdxj")
        expected = {"off": None, "url": None, "canonical": "http://www.a.example/", "url-preferred": "http://www.a.example/",
                    "any": "http://early.example/"}
        for strategy, url in expected.items():
            (told,) = self.answers("x.dig", [f"sha1:{DIGEST_A} https://a.example/"], "--strategy", strategy)
            self.assertEqual(told.get("url"), url, strategy)
        code, _, err = self.caddis("query", "x.dig", DIGEST_A, "--strategy", "best")
        self.assertEqual(code, 2)
        self.assertIn("url-preferred", err)

    def test_all_that_is_known_of_a_url(self):
        self.write("x.cdxj", cdxj("http://a.example/", DIGEST_A, etag='"v1"') + cdxj("http://a.example/", DIGEST_B, "20210101000000")
                   + cdxj("http://b.example/", DIGEST_B))
        self.built("x.dig", "x.cdxj")
        code, out, err = self.caddis("query", "x.dig", "--url", "http://a.example/", "--json")
        self.assertEqual(code, 0, err)
        found = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([one["digest"] for one in found], ["sha1:" + DIGEST_A, "sha1:" + DIGEST_B])
        self.assertEqual(found[0]["etag"], '"v1"')

    def test_nothing_is_overwritten_without_force(self):
        self.write("x.cdxj", cdxj("http://a.example/", DIGEST_A))
        self.built("x.dig", "x.cdxj")
        before = (self.folder / "x.dig").read_bytes()
        code, _, err = self.caddis("build", "x.dig", "x.cdxj")
        self.assertEqual(code, 2)
        self.assertIn("--force", err)
        self.write("x.cdxj", cdxj("http://b.example/", DIGEST_B))
        self.assertEqual((self.folder / "x.dig").read_bytes(), before)
        self.built("x.dig", "x.cdxj", "--force")
        self.assertNotEqual((self.folder / "x.dig").read_bytes(), before)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["x.cdxj", "x.dig"])

    def test_what_is_damaged_or_foreign_is_refused(self):
        self.write("x.cdxj", "".join(cdxj(f"http://a.example/{i}", DIGEST_A[:-2] + f"{'ABCDEFGH'[i % 8]}A") for i in range(200)))
        self.built("x.dig", "x.cdxj")
        bytes_of = bytearray((self.folder / "x.dig").read_bytes())
        bytes_of[100] ^= 1
        (self.folder / "damaged.dig").write_bytes(bytes_of)
        code, _, err = self.caddis("stats", "damaged.dig", "--check")
        self.assertEqual(code, 1)
        self.assertIn("make it anew", err)
        for foreign in (self.write("text", "hello\n"), "x.cdxj"):
            code, _, err = self.caddis("query", foreign, DIGEST_A)
            self.assertEqual(code, 1)
            self.assertIn("no digest index", err)
        self.assertEqual(self.caddis("query", "absent", DIGEST_A)[0], 2)
        code, _, err = self.caddis("build", "y.dig", "text")
        self.assertNotEqual(code, 0)
        self.assertFalse((self.folder / "y.dig").exists())

    def test_stats_tell_what_has_changed(self):
        self.write("x.cdxj", cdxj("http://a.example/", DIGEST_A) + cdxj("http://b.example/", DIGEST_A))
        self.built("x.dig", "x.cdxj")
        code, out, err = self.caddis("stats", "x.dig", "--json", "--check")
        self.assertEqual(code, 0, err)
        stats = json.loads(out)
        self.assertEqual((stats["originals"], stats["digests"], stats["changed_sources"]), (2, 1, []))
        self.assertEqual(stats["most_shared"][0], {"digest": "sha1:" + DIGEST_A, "urls": 2, "url": "http://a.example/"})
        self.write("x.cdxj", cdxj("http://a.example/", DIGEST_A))
        changed = json.loads(self.caddis("stats", "x.dig", "--json")[1])["changed_sources"]
        self.assertEqual([one["name"] for one in changed], ["x.cdxj"])
        self.assertIn("1 of them changed", self.caddis("stats", "x.dig")[1])

    def test_indexes_are_merged(self):
        self.write("x.cdxj", cdxj("http://a.example/", DIGEST_A, "20210101000000"))
        self.write("y.cdxj", cdxj("http://a.example/", DIGEST_A, "20200101000000") + cdxj("http://b.example/", DIGEST_B))
        self.built("x.dig", "x.cdxj")
        self.built("y.dig", "y.cdxj")
        code, _, err = self.caddis("merge", "both.dig", "x.dig", "y.dig")
        self.assertEqual(code, 0, err)
        self.built("at-once.dig", "x.cdxj", "y.cdxj")
        asked = [f"sha1:{DIGEST_A} http://a.example/", f"sha1:{DIGEST_B} http://b.example/"]
        self.assertEqual(self.answers("both.dig", asked), self.answers("at-once.dig", asked))
        self.assertEqual(self.caddis("merge", "z.dig", "x.cdxj")[0], 1)

    def test_a_file_that_cannot_be_read_does_not_keep_others_out(self):
        self.write("x.cdxj", cdxj("http://a.example/", DIGEST_A))
        self.write("text", "hello\n")
        code, out, err = self.caddis("build", "x.dig", "text", "x.cdxj", "--json")
        self.assertEqual(code, 1)
        self.assertIn("neither an archive", err)
        self.assertEqual((json.loads(out)["originals"], json.loads(out)["failed_files"]), (1, 1))


    def test_it_goes_by_the_key_policy_of_its_sources(self):
        self.write("x.cdxj", cdxj("http://www.a.example/", DIGEST_A))
        told = {}
        for policy in ("", "exact", "ia-surt -strip-www-n"):
            name = policy.replace(" ", "") or "own"
            self.built(name, "x.cdxj", *(["--key-policy", policy] if policy else []))
            (answer,) = self.answers(name, [f"sha1:{DIGEST_A} http://a.example/"])
            told[policy] = answer["likeness"]
        self.assertEqual(told, {"": "canonical", "exact": "digest", "ia-surt -strip-www-n": "digest"})
        done = subprocess.run([harness.BINARY, "index", "rekey", "x.cdxj", "--key-policy", "exact"], cwd=self.folder, capture_output=True,
                              text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.built("rekeyed", "x.cdxj")
        rules = [json.loads(self.caddis("stats", name, "--json")[1])["rules"] for name in ("rekeyed", "exact", "own")]
        self.assertEqual((rules[0] == rules[1], rules[1] == rules[2]), (True, False))
        code, _, err = self.caddis("build", "both", "exact", "own")
        self.assertEqual(code, 1)
        self.assertIn("caddis dedup build --key-policy", err)
        self.assertEqual(self.caddis("merge", "merged", "rekeyed", "exact")[0], 0)

    def test_a_collection_without_indexes_is_read_with_its_further_folders(self):
        for number, folder in enumerate(("c/archive", "c/arcs", "elsewhere")):
            (self.folder / folder).mkdir(parents=True)
            block = f"text {number}"
            (self.folder / folder / f"{number}.warc").write_text(
                f"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:test:{number}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                f"WARC-Target-URI: http://a.example/{number}\r\nContent-Type: text/plain\r\nContent-Length: {len(block)}\r\n\r\n"
                f"{block}\r\n\r\n")
        self.write("c/archive-folders.txt", f"arcs\n{self.folder}/elsewhere\n{self.folder}/gone\n")
        built = self.built("x.dig", "c", "--status", "any")
        self.assertEqual((built["originals"], built["files"]), (3, 3))


@unittest.skipUnless(DATA.is_dir(), "no test data")
class Archives(Dedup):
    def test_every_archive_gives_what_its_index_gives(self):
        for name in ("dupes", "example", "example2", "iana", "httpbin-resource"):
            with self.subTest(name):
                archive = DATA / f"files/pywb__{name}.warc.gz"
                done = subprocess.run([harness.BINARY, "index", "add", archive], capture_output=True, text=True, timeout=120)
                index = self.write("x.cdxj", done.stdout)
                built = [self.built(out, source, "--status", "any", "--force") for out, source in (("w", archive), ("i", index))]
                self.assertGreater(built[0]["originals"], 0)
                told = [{(one["url"], one["digest"], one["date"][:19]) for one in self.everything(out, done.stdout)} for out in "wi"]
                self.assertLessEqual(told[1], told[0])
                # Revisits tell of originals to those who read them.
                self.assertLessEqual(built[0]["originals"] - built[1]["originals"], built[0]["counts"]["witnesses"])
                self.assertEqual(len(told[1]), built[1]["originals"])

    def everything(self, index, lines):
        """What an index knows of the URLs in lines of CDXJ."""
        for url in sorted({json.loads(line.split(" ", 2)[2])["url"] for line in lines.splitlines()}):
            for line in self.caddis("query", index, "--url", url, "--json")[1].splitlines():
                yield json.loads(line)

    def test_a_revisit_of_another_crawl_is_found_by_its_payload(self):
        files = DATA / "files"
        self.built("x.dig", files / "pywb__example-url-agnostic-orig.warc.gz")
        (told,) = self.answers("x.dig", ["sha1:B2LTWWPUOYAH7UIPQ7ZUPQ4VMBSVC36A http://test@example.com/"])
        self.assertEqual((told["likeness"], told["url"]), ("digest", "http://example.iana.org/"))
        self.assertTrue(told["record_id"].startswith("<urn:uuid:"))

    def test_revisits_bear_witness_of_originals_elsewhere(self):
        files = DATA / "files"
        revisit = files / "warc-specifications__20141129-heritrix-revisit-with-http-headers-and-new-warc-headers.warc.gz"
        alone = self.built("x.dig", revisit)
        self.assertEqual((alone["counts"]["originals"], alone["counts"]["witnesses"] > 0), (0, True))
        both = self.built("y.dig", revisit, files / "warc-specifications__20141129-heritrix-original.warc.gz")
        told = json.loads(self.caddis("stats", "y.dig", "--json", "--check")[1])
        self.assertEqual(told["originals"], both["originals"])

    def test_all_files_of_a_folder(self):
        code, out, err = self.caddis("build", "x.dig", DATA / "files", "--json")
        self.assertEqual(code, 1, "some of them are damaged")
        self.assertIn("damaged", err)
        self.assertGreater(json.loads(out)["originals"], 50)
        self.assertEqual(self.caddis("stats", "x.dig", "--check")[0], 0)

    def collection_of(self, *names):
        collection = self.folder / "c"
        (collection / "archive").mkdir(parents=True)
        for name in names:
            shutil.copy(DATA / "files" / name, collection / "archive")
        done = subprocess.run([harness.BINARY, "index", "add", *sorted((collection / "archive").iterdir()), "--collection", collection],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return collection

    def test_captures_that_depend_on_a_file(self):
        original, revisit = "pywb__example-url-agnostic-orig.warc.gz", "pywb__example-url-agnostic-revisit.warc.gz"
        collection = self.collection_of(original, revisit, "pywb__iana.warc.gz")
        code, out, err = self.caddis("dependents", collection / "archive" / original, "--collection", collection, "--json")
        self.assertEqual(code, 0, err)
        (lost,) = [json.loads(line) for line in out.splitlines()]
        self.assertEqual((lost["url"], lost["filename"], lost["refers_to_url"]),
                         ("http://test@example.com/", revisit, "http://example.iana.org/"))
        self.assertFalse(lost["payload_elsewhere"])
        code, out, _ = self.caddis("dependents", collection / "archive/pywb__iana.warc.gz", "--collection", collection)
        self.assertEqual((code, len(out.splitlines())), (0, 1))
        self.assertIn("0 captures", out)

    def test_a_payload_that_is_elsewhere_too(self):
        original = "pywb__example-url-agnostic-orig.warc.gz"
        collection = self.collection_of(original, "pywb__example-url-agnostic-revisit.warc.gz", "pywb__example2.warc.gz",
                                        "pywb__dupes.warc.gz")
        code, out, err = self.caddis("dependents", collection / "archive" / original, "--collection", collection, "--json")
        self.assertEqual(code, 0, err)
        self.assertEqual([json.loads(line)["payload_elsewhere"] for line in out.splitlines()], [True])

    def test_the_most_cited_payloads(self):
        collection = self.collection_of("pywb__example-url-agnostic-orig.warc.gz", "pywb__example-url-agnostic-revisit.warc.gz",
                                        "pywb__iana.warc.gz")
        code, out, err = self.caddis("cited", collection, "--json", "--top", "3")
        self.assertEqual(code, 0, err)
        most = [json.loads(line) for line in out.splitlines()]
        self.assertLessEqual(len(most), 3)
        self.assertEqual(most, sorted(most, key=lambda one: -one["revisits"]))
        self.assertIn("http://example.iana.org/", [one["url"] for one in map(json.loads, self.caddis(
            "cited", collection, "--json", "--top", "99")[1].splitlines())])

    def test_types_are_left_out(self):
        archive = DATA / "files/pywb__iana.warc.gz"
        everything = self.built("x.dig", archive)["originals"]
        without = self.built("y.dig", archive, "--exclude-mime", "text/.*")
        only = self.built("z.dig", archive, "--include-mime", "text/.*")
        self.assertEqual(without["originals"] + only["originals"], everything)
        self.assertGreater(without["counts"]["other_type"], 0)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
