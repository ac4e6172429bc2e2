#!/usr/bin/env python3
"""The batch modes, a fixed interface, on all lines of the public data through the executable: one line out for each line in.

Where Caddis answers otherwise than the data, the reason stands in a table here. The rest of `caddis url` (every line of the URL
standard's tests, of index keys) is in src/caddis/url/batch_test.cc.
"""

import base64
import collections
import json
import os
import pathlib
import re
import select
import subprocess
import sys
import tempfile
import unittest

import harness

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = pathlib.Path(os.environ.get("CADDIS_TESTDATA", ROOT.parent / "shared/testdata"))

# Verdicts of Google's parser beyond RFC 9309: "Allow: /x/index.html" is no "Allow: /x/".
BEYOND_RFC = {("GoogleOnly_IndexHTMLisDirectory", "http://foo.com/allowed-slash/")}

# Links that Heritrix reports and Caddis does not, by a part of the URL.
NOT_REPORTED = {
    "clsid:": "names a class, not a document", "mailto:": "not fetched", "ftp://": "not fetched",
    "/movies.": "the value of an <option>, a word with a dot: 404", "/software.": "the same", "/texts.": "the same",
    "/mediawiki.u": "a word with a dot in a script: 404", "/user.": "the same", "/skins.vector": "the same", "/0.2em": "the same",
    "bl_search_area=": "a string that waits for more; the whole URL is in an <img>", "/test?_=": "joined to a number by '+'",
    "brandcode=": "joined: what is to be filled in is missing", "date=": "the same", "/image_view.html": "the same",
    "/api.php?action=query": "the end of a path that a variable begins", "//bits.wikimedia.org/": "a lone '/'",
    "{latdegdec}": "a template", "//www.archive.org/": "the first parts of joined strings",
    "google-analytics.com/analytics.js": "in a script with damaged quotes",
}
# Links with another hop than Heritrix's.
ANOTHER_HOP = {"/s/d9522a.png": "rel=apple-touch-icon-precomposed is a picture of the page: E, not L"}
# Reported by Caddis only.
ADDED = {"/Vector/modules/images/": "url(…) of a style in a string of a script"}
# Which one setting of the extractors differs from its default: no batch option sets it.
NOFOLLOW = "obey_rel_nofollow"

# Where warcio gave up, Caddis reads on.
READ_FURTHER = {
    "warcio__example-bad-non-chunked.warc.gz": "a whole-file gzip: 6 records in one member",
    "warcio__example-bad.warc.gz.bad": "the same",
    "warcio__example-wrong-chunks.warc.gz": "a record's head and body lie in a member each",
    "pywb__example-extra.warc": "a record whose HTTP head begins HTTPX/1.1",
    "py-wacz__example-warcinfo-metadata.warc": "a request that holds a response",
}
# Files that are not sound, and the codes of their errors.
UNSOUND = {
    "cdxj-indexer__example.warc.gz": ["block-digest", "block-digest"],
    "cdxj-indexer__missing-http.warc.gz": ["payload-digest"],
    "pywb__example-extra.warc": ["payload-digest"],
    "pywb__example.warc": ["garbage"],
    "warcio__bad.arc": ["content-length"] * 3,
    "warcio__example-bad-non-chunked.warc.gz": ["gzip-several-records", "block-digest"],
    "warcio__example-bad.warc.gz.bad": ["gzip-several-records"],
    "warcio__example-digest.warc": ["payload-digest"],
    "warcio__example-space-in-url.arc": ["cut"],
    "warcio__example-trunc.warc": ["garbage", "block-digest", "payload-digest"],
    "warcio__example-wrong-chunks.warc.gz": ["block-digest", "record-spans-members"],
}


def rows(name):
    return [json.loads(line) for line in (DATA / name).read_text().split("\n") if line]


class BatchCase(unittest.TestCase):
    maxDiff = 4000

    def need(self, name):
        if not (DATA / name).exists():
            self.skipTest(f"test data {name} is not here")

    def command(self, arguments, lines):
        """The lines that the command prints for these; each is checked to have its one."""
        process = subprocess.run([harness.BINARY, *arguments], input=b"".join(line.encode() + b"\n" for line in lines),
                                 stdout=subprocess.PIPE, check=True)
        self.assertTrue(not lines or process.stdout.endswith(b"\n"))
        answers = process.stdout.decode().split("\n")[:-1]
        self.assertEqual(len(answers), len(lines), arguments)
        return answers

    def objects(self, arguments, items):
        return [json.loads(line) for line in self.command(arguments, [json.dumps(item) for item in items])]

    def answers_at_once(self, arguments, lines):
        """What comes for each line while the next has not been sent."""
        with subprocess.Popen([harness.BINARY, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            answers = []
            for line in lines:
                process.stdin.write(line.encode() + b"\n")
                process.stdin.flush()
                self.assertTrue(select.select([process.stdout], [], [], 60)[0], f"no answer to {line}")
                answers.append(process.stdout.readline().decode().rstrip("\n"))
            self.assertEqual(process.communicate()[0], b"")
            self.assertEqual(process.returncode, 0)
        return answers

    def assert_flushed(self, arguments, good, bad):
        """Answers when input pauses, and goes on behind a bad item."""
        answers = self.answers_at_once(arguments, [good, *bad, good])
        self.assertEqual(answers[0], answers[-1])
        self.assertNotIn("error", json.loads(answers[0]))
        for line, answer in zip(bad, answers[1:-1]):
            self.assertEqual(list(json.loads(answer)), ["error"], line)


class Robots(BatchCase):
    def verdicts(self, name, items):
        answers = self.objects(["robots", "check", "--json"], [item for item, _ in items])
        for (item, row), answer in zip(items, answers):
            self.assertEqual(set(answer), {"allowed", "rule", "line", "crawl_delay"}, name)
            self.assertEqual(answer["rule"] is None, answer["line"] is None)
            if (row.get("test"), row["url"]) in BEYOND_RFC:
                continue
            self.assertEqual(answer["allowed"], row["allowed"], row)
            if answer["rule"]:
                self.assertEqual(answer["rule"].lower().startswith("allow"), answer["allowed"], row)

    def test_cases_of_google(self):
        self.need("03-robots/google_robotstxt.jsonl")
        self.verdicts("google", [({"robots": row["robots_txt"], "user_agent": row["user_agent"], "url": row["url"]}, row)
                                 for row in rows("03-robots/google_robotstxt.jsonl")])

    def test_examples_of_rfc_9309(self):
        self.need("03-robots/rfc9309_examples.jsonl")
        self.verdicts("rfc9309", [({"robots": row["robots_txt"], "user_agent": agent, "url": row["url"]}, row)
                                  for row in rows("03-robots/rfc9309_examples.jsonl") for agent in row["user_agents"]])

    def test_real_files_on_which_three_parsers_agree(self):
        self.need("03-robots/real_agree.jsonl")
        cases = rows("03-robots/real_agree.jsonl")
        items = [({**row, "robots_file": str(DATA / "03-robots" / row["robots_file"])}, row) for row in cases]
        self.verdicts("real", items)

    def test_parts_of_googles_parser(self):
        """The helpers' data state what inner functions give, which no command shows (robots_test.cc has them); every input that
        is a file is answered as one."""
        self.need("03-robots/google_robotstxt_helpers.jsonl")
        texts = [base64.b64decode(row["input_b64"]).decode("latin-1") if "input_b64" in row else row["input"]
                 for row in rows("03-robots/google_robotstxt_helpers.jsonl")]
        items = [{"robots": text, "user_agent": "FooBot", "url": "http://foo.bar/x"} for text in texts]
        self.assertTrue(all("allowed" in answer for answer in self.objects(["robots", "check", "--json"], items)))

    def test_says_which_line(self):
        text = "User-agent: *\nCrawl-delay: 2.5\nDisallow: /a\nAllow: /a/b\n"
        answers = self.objects(["robots", "check", "--json"],
                               [{"robots": text, "user_agent": "x", "url": "http://h" + path} for path in ("/a", "/a/b", "/c")])
        self.assertEqual(answers, [{"allowed": False, "rule": "Disallow: /a", "line": 3, "crawl_delay": 2.5},
                                   {"allowed": True, "rule": "Allow: /a/b", "line": 4, "crawl_delay": 2.5},
                                   {"allowed": True, "rule": None, "line": None, "crawl_delay": 2.5}])

    def test_answers_at_once_and_survives_bad_lines(self):
        good = json.dumps({"robots": "", "user_agent": "x", "url": "http://a/"})
        bad = ["", "{", "[]", "{}", '{"robots":""}', '{"robots_file":"/nowhere","url":"http://a/"}', '{"robots":1,"url":"http://a/"}']
        self.assert_flushed(["robots", "check", "--json"], good, bad)


class Extract(BatchCase):
    """Against Heritrix's own extractors: every link that only one side has, or with another hop, has its reason."""

    def links(self, items):
        answers = self.objects(["extract", "--json"], items)
        found = []
        for answer in answers:
            self.assertEqual(set(answer), {"links", "charset"})
            for link in answer["links"]:
                self.assertEqual(set(link), {"url", "hop", "context"})
                self.assertRegex(link["hop"], "^[LERXIPSM]$")
                self.assertRegex(link["url"], "^(https?|ftp|sftp)://")
            found.append({(link["url"], link["hop"]) for link in answer["links"]})
        return found

    def compare(self, expectations, found):
        agreed = total = 0
        for row, links in zip(expectations, found):
            favicon = re.sub(r"^(https?://[^/]*).*", r"\1/favicon.ico", row["base"], flags=re.S)
            links = links - {(favicon, "I")}  # Heritrix's is ExtractorHTTP's, not in these expectations
            expected = {(link["url"], link["hop"]) for link in row["expected"]} - {(favicon, "I")}
            agreed, total = agreed + len(links & expected), total + len(expected)
            for url, hop in expected - links:
                # A place in the page itself ("#top", usemap="#map") is no link.
                reason = url == row["base"] or any(part in url for part in [*NOT_REPORTED, *ANOTHER_HOP])
                self.assertTrue(reason, f"{row.get('file') or row.get('src')} lacks {hop} {url}")
            for url, hop in links - expected:
                reason = any(part in url for part in [*ANOTHER_HOP, *ADDED])
                self.assertTrue(reason, f"{row.get('file') or row.get('src')} adds {hop} {url}")
        return agreed, total

    def test_cases_of_heritrix(self):
        self.need("05-extractors/heritrix_tests.jsonl")
        cases = rows("05-extractors/heritrix_tests.jsonl")
        items = [{"body": row["content"], "url": row["base"], "content_type": row["content_type"]} for row in cases]
        pairs = [(row, links) for row, links in zip(cases, self.links(items)) if not row.get("opts", {}).get(NOFOLLOW)]
        self.assertGreater(len(pairs), len(cases) * 0.9)
        agreed, total = self.compare(*zip(*pairs))
        self.assertEqual(agreed + 1, total)  # clsid:

    def test_real_documents(self):
        self.need("05-extractors/heritrix_oracle_docs.jsonl")
        cases = rows("05-extractors/heritrix_oracle_docs.jsonl")
        items = [{"file": str(DATA / "05-extractors" / row["file"]), "url": row["base"], "content_type": row["content_type"],
                  "charset": row["charset"] or ""} for row in cases]
        agreed, total = self.compare(cases, self.links(items))
        self.assertGreaterEqual(agreed, 0.85 * total)

    def test_every_input_of_the_tokenizer_tests(self):
        self.need("02-html5lib/tokenizer")
        bodies = [test["input"] for path in sorted((DATA / "02-html5lib/tokenizer").glob("*.test"))
                  for tests in json.loads(path.read_text()).values() for test in tests]
        self.assertGreater(len(bodies), 1000)
        items = [{"body": body, "url": "http://a/", "content_type": "text/html"} for body in bodies]
        for body, answer in zip(bodies, self.objects(["extract", "--json"], items)):
            lone = any(0xD800 <= ord(c) <= 0xDFFF for c in body)  # no Unicode text, so no JSON either
            self.assertEqual("error" in answer, lone, repr(body))

    def test_encodings_of_documents(self):
        self.need("02-html5lib/encoding")
        cases = []
        for path in sorted((DATA / "02-html5lib/encoding").glob("*.dat")):
            for part in (b"\n" + path.read_bytes()).split(b"\n#data\n")[1:]:
                data, encoding = part.split(b"\n#encoding\n")[:2]
                cases.append((data, encoding.split(b"\n")[0].decode()))
        self.assertGreater(len(cases), 50)
        with tempfile.TemporaryDirectory(prefix="caddis-e2e-") as folder:
            items = []
            for number, (data, _) in enumerate(cases):
                path = pathlib.Path(folder) / str(number)
                path.write_bytes(data)
                items.append({"file": str(path), "url": "http://a/", "content_type": "text/html"})
            for (data, expected), answer in zip(cases, self.objects(["extract", "--json"], items)):
                self.assertEqual(answer["charset"].lower(), expected.lower(), data)

    def test_answers_at_once_and_survives_bad_lines(self):
        good = json.dumps({"body": "<a href=b>", "url": "http://a/", "content_type": "text/html"})
        bad = ["", "{", "7", "{}", '{"body":"x"}', '{"file":"/nowhere","url":"http://a/"}', '{"body":1,"url":"http://a/"}',
               '{"body":"x","url":"no URL"}']
        self.assert_flushed(["extract", "--json"], good, bad)


class Warc(BatchCase):
    FIELDS = ["file", "offset", "length", "type", "id", "uri", "date", "content_type", "status", "payload_digest", "refers_to_uri"]

    def setUp(self):
        self.need("07-warc/files")
        self.files = sorted((DATA / "07-warc/files").iterdir())

    def lines(self, command, files):
        process = subprocess.run([harness.BINARY, "warc", command, "--json", *files], stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, check=False)
        return process.returncode, [json.loads(line) for line in process.stdout.decode().split("\n") if line]

    def test_ls_agrees_with_warcio(self):
        expected = collections.defaultdict(list)
        for row in rows("07-warc/warcio_records.jsonl"):
            expected[row["file"]].append(row)
        code, lines = self.lines("ls", self.files)
        self.assertEqual(code, 1)  # there are damaged ones
        listed = collections.defaultdict(list)
        for line in lines:
            self.assertEqual(list(line), self.FIELDS)
            listed[pathlib.Path(line["file"]).name].append(line)
        self.assertEqual(set(listed), set(expected))
        for name, records in expected.items():
            if name in READ_FURTHER:
                self.assertGreater(len(listed[name]), len(records), name)
            else:
                self.assertEqual(len(listed[name]), len(records), name)
            for record, line in zip(records, listed[name]):
                self.assert_same(record, line)

    def assert_same(self, record, line):
        arc = record["format"] == "arc"
        date = re.sub(r"[^0-9]", "", record["date"] or "")[:14] if arc else record["date"]
        expected = {"offset": record["offset"], "type": record["type"], "id": record["record_id"], "uri": record["target_uri"],
                    "date": date, "payload_digest": record["payload_digest"], "refers_to_uri": record["refers_to_uri"]}
        found = {name: line[name] for name in expected}
        if arc:
            found["date"] = re.sub(r"[^0-9]", "", line["date"] or "")[:14]
        if record["length"] > 0:  # warcio's own may be negative
            expected["length"], found["length"] = record["length"], line["length"]
        if not arc:
            expected["content_type"], found["content_type"] = record["content_type"], line["content_type"]
        # warcio takes the version of a request for a status.
        if record["type"] in ("response", "revisit") and (record.get("http_status") or "").isdigit():
            expected["status"], found["status"] = int(record["http_status"]), line["status"]
        self.assertEqual(found, {name: value or None if name != "offset" else value for name, value in expected.items()},
                         record["file"])

    def test_check_finds_what_is_damaged(self):
        code, lines = self.lines("check", self.files)
        self.assertEqual(code, 1)
        *findings, summary = lines
        found, levels = collections.defaultdict(list), collections.Counter()
        for finding in findings:
            self.assertEqual(list(finding), ["file", "offset", "level", "code", "message", "repair"])
            self.assertIn(finding["level"], ("info", "warning", "error"))
            levels[finding["level"]] += 1
            if finding["level"] == "error":
                self.assertTrue(finding["repair"], finding)
                found[pathlib.Path(finding["file"]).name].append(finding["code"])
        no_archive = {path.name: ["not-an-archive"] for path in self.files if path.suffix == ".wacz"}
        self.assertEqual(dict(found), {**UNSOUND, **no_archive})
        self.assertEqual(list(summary), ["summary", "files", "records", "bytes", "digests", "warnings", "errors"])
        self.assertEqual((summary["files"], summary["warnings"], summary["errors"]),
                         (len(self.files), levels["warning"], levels["error"]))
        _, records = self.lines("ls", self.files)
        self.assertEqual(summary["records"], len(records))

    def test_a_file_that_cannot_be_read_ends_nothing(self):
        sound = DATA / "07-warc/files/pywb__iana.warc.gz"
        code, lines = self.lines("check", ["/nowhere", sound])
        self.assertEqual((code, lines[0]["file"], lines[0]["code"]), (1, "/nowhere", "unreadable"))
        self.assertEqual((lines[-1]["files"], lines[-1]["errors"]), (2, 1))
        code, lines = self.lines("ls", ["/nowhere", sound])
        self.assertEqual((code, {line["file"] for line in lines}), (1, {str(sound)}))
        self.assertEqual(self.lines("check", [sound])[0], 0)


class UrlKeys(BatchCase):
    def setUp(self):
        self.need("06-canon")

    def keys(self, arguments, texts):
        """text → key ("-" for none), for texts that are a line."""
        texts = [text for text in texts if isinstance(text, str) and not re.search(r"[\r\n]", text)]
        return dict(zip(texts, self.command(["url", *arguments], texts)))

    def inputs(self):
        texts = []
        for name in ("oracle_multi", "surt_python", "urlcanon", "heritrix_rules"):
            texts += [row["in"] for row in rows(f"06-canon/{name}.jsonl")]
        return texts

    def test_each_line_has_one_key_under_every_policy(self):
        for policy in ("caddis", "exact", "heritrix", "ia-surt", "ssurt"):
            plain = self.keys(["canonicalize", "--policy", policy], self.inputs())
            as_json = self.keys(["canonicalize", "--policy", policy, "--json"], plain)
            for text, key in plain.items():
                answer = json.loads(as_json[text])
                # The IA's key of the empty text is "-" too.
                if "error" in answer:
                    self.assertEqual((list(answer), key), (["error"], "-"), text)
                else:
                    self.assertEqual(answer, {"in": text, "key": key})
            if policy in ("caddis", "exact"):
                keys = [key for key in plain.values() if key != "-"]
                self.assertEqual(list(self.keys(["canonicalize", "--policy", policy], keys)), list(dict.fromkeys(keys)))
                for key, again in self.keys(["canonicalize", "--policy", policy], keys).items():
                    self.assertEqual(key, again)

    def test_surt_is_that_of_python(self):
        """Calls without options; those with options (schemes, trailing commas) and of the package's parts are not this command."""
        cases = [row for row in rows("06-canon/surt_python.jsonl") if re.fullmatch(r"surt\.surt\((['\"]).*\1\)", row["expr"])]
        self.assertGreater(len(cases), 15)
        keys = self.keys(["surt"], [row["in"] for row in cases])
        for row in cases:
            # The reference itself fails one of its tests: it reads %26 as '&'.
            if row["reference_passes"]:
                self.assertEqual(keys[row["in"]], row["out"])

    def test_surt_is_that_of_java(self):
        cases = [row for row in rows("06-canon/urlcanon.jsonl") if row["scheme"] == "surt.defaultIASurt"]
        self.assertGreater(len(cases), 10)
        keys = self.keys(["surt"], [row["in"] for row in cases])
        for row in cases:
            self.assertEqual(keys[row["in"]], row["out"])

    def test_heritrix_policy_is_that_of_heritrix(self):
        cases = [row for row in rows("06-canon/heritrix_rules.jsonl") if row["scheme"] == "heritrix.RulesCanonicalizationPolicy"]
        keys = self.keys(["canonicalize", "--policy", "heritrix"], [row["in"] for row in cases])
        for row in cases:
            self.assertEqual(keys[row["in"]], row["out"])

    def test_ssurt_is_that_of_urlcanon(self):
        """Fragments aside, which no key of an archive has."""
        cases = [row for row in rows("06-canon/urlcanon.jsonl") if row["scheme"] == "ssurt.ssurt"]
        keys = self.keys(["canonicalize", "--policy", "ssurt"], [row["in"] for row in cases])
        for row in cases:
            self.assertEqual(keys[row["in"]], row["out"].split("#")[0])

    def test_exact_is_urlcanons_reading_of_the_standard(self):
        """Where both take the URL for one: urlcanon repairs what the standard refuses, and knows its older ways with dots in hosts."""
        cases = [row for row in rows("06-canon/urlcanon.jsonl") if row["scheme"] == "urlcanon.whatwg"]
        keys = self.keys(["canonicalize", "--policy", "exact"], [row["in"] for row in cases])
        compared = 0
        for row in cases:
            key = keys.get(row["in"] if isinstance(row["in"], str) else None, "-")
            if key == "-" or re.search(r"^\w+:/*(%2e)+/", row["in"]):
                continue
            self.assertEqual(key, row["out"].split("#")[0])
            compared += 1
        self.assertGreater(compared, 60)

    def test_answers_at_once_and_survives_bad_lines(self):
        self.assert_flushed(["url", "canonicalize", "--json"], "http://a/", ["", "{", "x", "http://"])
        self.assert_flushed(["url", "parse", "--json"], "http://a/", ["", "{", "x", "http://"])
        self.assertEqual(self.answers_at_once(["url", "surt"], ["http://a/", "http://x:y/", "http://a/"]), ["a)/", "-", "a)/"])


class EndlessLine(unittest.TestCase):
    def test_it_is_a_bad_item(self):
        lines = b"http://a/\n" + b"x" * (65 << 20) + b"\r\n" + b"http://b/\n" + b"y" * (65 << 20)
        for more, bad in ([], b"-"), (["--json"], b'{"error":"a line of more than 64 MB"}'):
            done = subprocess.run([harness.BINARY, "url", "canonicalize", *more], input=lines, stdout=subprocess.PIPE, check=True)
            answers = done.stdout.split(b"\n")
            self.assertEqual((len(answers), answers[1], answers[3], answers[4]), (5, bad, bad, b""))
            self.assertIn(b"http://b/", answers[2])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
