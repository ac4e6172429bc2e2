#!/usr/bin/env python3
"""The revisit test set of docs/revisits: each case is replayed as its expectation says, after the files were indexed and also without
any index, and the samples that the IIPC has published resolve. pywb does the same in the same run, for comparison."""

import base64
import datetime
import gzip
import hashlib
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness
from dated_archive import DatedArchive
from replay_scripts_test import Pywb

ROOT = pathlib.Path(__file__).resolve().parents[2]
SET = ROOT / "docs/revisits"
SAMPLES = pathlib.Path(os.environ.get("CADDIS_TESTDATA", ROOT.parent / "shared/testdata")) / "07-warc/files"
# An archive file is written only of what a digest verifies, by a profile that is known.
LOST = {"missing", "circle", "unknown-profile", "not-modified-alone", "not-modified-heritrix", "not-modified-heritrix-alone"}
EMPTY = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
CASES = [json.loads(line) for line in (SET / "expected.jsonl").read_text().splitlines()]


def faults(case, status, headers, body):
    """What is wrong with an answer. Instead of an error there may be another capture, if it says so."""
    if case["body"] is None:
        date = datetime.datetime.strptime(case["timestamp"], "%Y%m%d%H%M%S").strftime("%a, %d %b %Y %H:%M:%S GMT")
        return [] if status >= 400 or headers.get("memento-datetime") not in (None, date) else [f"status {status}"]
    found = [] if status == case["status"] else [f"status {status}"]
    found += [] if body == case["body"] else [f"body {body[:60]!r}"]
    for name, wanted in case["headers"].items():
        got = headers.get(name) or headers.get("x-archive-orig-" + name) or ""
        # Redirects lead within the archive, raw ones too.
        if not (got.endswith(wanted) if name == "location" else got.partition(";")[0] == wanted):
            found.append(f"{name}: {got}")
    return found


class RevisitsTest(unittest.TestCase):
    def collection(self, *files):
        archive = DatedArchive(self, [])
        (archive.path / "archive/a.warc").unlink()
        for file in files:
            shutil.copy(file, archive.path / "archive")
        return archive

    def test_files_are_those_that_the_program_makes(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-B", ROOT / "tools/make_revisits.py", folder], check=True)
            made = {path.name: path.read_bytes() for path in pathlib.Path(folder).iterdir()}
        self.assertEqual(made, {path.name: path.read_bytes() for path in SET.iterdir() if path.name != "README.md"})
        self.assertGreater(len(CASES), 20)

    def replay(self, archive):
        wrong = {}
        for case in CASES:
            found = faults(case, *archive.ask(f"/c/{case['timestamp']}id_/{case['url']}"))
            if found:
                wrong[case["case"]] = found
        self.assertEqual(wrong, {})

    def test_each_case_is_replayed(self):
        archive = self.collection(*SET.glob("*.gz"))
        archive.serve()
        self.replay(archive)

    def test_each_case_is_replayed_with_an_index_file(self):
        archive = self.collection(*SET.glob("*.gz"))
        (archive.path / "indexes").mkdir()
        archive.caddis("index", "add", "--collection", archive.path, *sorted((archive.path / "archive").iterdir()))
        archive.serve()
        self.replay(archive)

    def test_broken_out_they_are_responses(self):
        """A discrete crawl keeps those revisits whose payload is not certain."""
        archive = self.collection(*SET.glob("*.gz"))
        out = archive.folder / "out"
        files = sorted((archive.path / "archive").glob("*.gz"))
        done = subprocess.run([harness.BINARY, "warc", "break-out", "--into", out, *files], capture_output=True, text=True, check=False)
        listed = (json.loads(line) for line in archive.caddis("warc", "ls", "--json", *out.glob("*.warc.gz")).splitlines())
        left = {one["uri"].split("/")[2].split(".")[0] for one in listed if one["type"] == "revisit"}
        self.assertEqual(left, LOST, done)

    @unittest.skipUnless(SAMPLES.is_dir(), "no test data")
    def test_samples_of_the_iipc_resolve(self):
        archive = self.collection(*SAMPLES.glob("warc-specifications__201*.warc.gz"))
        archive.serve()
        seen = set()
        for file in (archive.path / "archive").iterdir():
            text = gzip.decompress(file.read_bytes()).decode("latin-1")
            for url, date, digest in ((re.search(rf"\r\n{name}: <?(\S+?)>?\r\n", head)[1] for name in ("WARC-Target-URI", "WARC-Date", "WARC-Payload-Digest"))
                                      for head in text.split("WARC/1.0\r\n") if "WARC-Type: revisit" in head):
                stamp = "".join(c for c in date if c.isdigit())
                status, headers, body = archive.ask(f"/c/{stamp}id_/{url}")
                # A 304 has the digest of its own, empty body.
                is_unmodified = digest == EMPTY
                seen.add((is_unmodified, status, headers["memento-datetime"]))
                self.assertEqual(status, 200, url)
                self.assertTrue(is_unmodified and body or digest == f"sha1:{base64.b32encode(hashlib.sha1(body.encode('latin-1')).digest()).decode()}")
        self.assertEqual(len(seen), 3)

    def test_beside_pywb(self):
        archive = self.collection(*SET.glob("*.gz"))
        pywb = Pywb(archive.path, archive.folder / "pywb")
        self.addCleanup(pywb.stop)
        wrong = {}
        for case in CASES:
            connection = http.client.HTTPConnection("127.0.0.1", pywb.port, timeout=60)
            connection.request("GET", f"/features/{case['timestamp']}id_/{case['url']}")
            answer = connection.getresponse()
            if found := faults(case, answer.status, answer.headers, answer.read().decode("latin-1")):
                wrong[case["case"]] = found
            connection.close()
        harness.tell(self, cases=len(CASES), pywb=len(CASES) - len(wrong), wrong=wrong)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
