#!/usr/bin/env python3
"""`caddis log convert`, `caddis log graph` and `caddis log --log` on a crawl that writes its links, and on lines of Heritrix."""

import collections
import gzip
import json
import pathlib
import sys
import unittest
import urllib.parse

try:
    import jsonschema
except ImportError:  # a part of the checks goes without it
    jsonschema = None

import harness
from local_site import LocalSite

HERITRIX = """\
2013-03-20T15:26:05.000Z   200       2064 http://netpreserve.org/logo.png LE http://netpreserve.org/ image/png #013 20130320152604787+212 \
sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - duplicate:"IAH-2013,1.warc,20130320152604",content-size:2471,3t {"contentSize":2471}
2013-03-20T15:26:06.000Z    -6          - http://gone.org/ L http://netpreserve.org/ unknown #001 - - - -
2013-03-20T15:26:06.000Z     1         53 dns:gone.org P http://gone.org/ text/dns #044 20130320152605937+40 sha1:X - -
nonsense  \\ "quoted"

2013-03-20T15:26:06.000Z -5002          - http://a.org/a,b 12+LLLLL http://a.org/ unknown #010 - - - deny
2013-03-20T15:26:07.000Z -5000          - http://a.org/r L http://a.org/ unknown #000 - - - scope:a,scope:b,1t
2013-03-20T15:26:07.000Z   226    1000000 ftp://a.org/x L http://a.org/ application/octet-stream #010 20130320152605937+4000 - - -
2013-03-20T15:26:08.000Z   200          1 scope:x L - text/plain #010 - - - -
2013-03-20T15:26:08.000Z   200          1 failures:x L - text/plain #010 - - - -
2013-03-20T15:26:09.000Z   200       2064 http://a.org/w L http://a.org/ image/png #013 20130320152604787+212 - - - \
{"contentSize":2471,"warcFilename":"w.warc.gz","warcFileOffset":007}
"""


class LogToolsTest(unittest.TestCase):
    def caddis(self, *arguments, code=0):
        done = self.crawl.caddis(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def there_and_back(self, source, name):
        """The bytes of a log as they come back, and the folder of its new form."""
        folder, back = self.crawl.folder / name, self.crawl.folder / (name + ".log")
        self.caddis("log", "convert", source, "--to", folder)
        self.check_schema(folder)
        self.caddis("log", "convert", "--back", folder, "--to", back)
        return back.read_bytes(), folder

    def check_schema(self, folder):
        schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/formats/logs.schema.json").read_text())
        for path in folder.iterdir():
            header, *lines = [json.loads(line) for line in path.read_text().splitlines()]
            self.assertEqual(header["log"], path.stem)
            for line in lines:
                self.assertLessEqual(set(line), set(header["fields"]), path.name)
            if jsonschema:
                def judge(name):
                    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
                judge("header").validate(header)
                for line in lines:
                    judge(path.stem).validate(line)

    def check_own_log(self):
        log = self.crawl.launches[0] / "logs/crawl.log"
        back, folder = self.there_and_back(log, "own")
        self.assertEqual(back, log.read_bytes())
        lines = [line.split() for line in log.read_text().splitlines()]
        count = {path.name: sum(1 for _ in path.open()) - 1 for path in folder.iterdir()}
        self.assertEqual(count["dns.jsonl"], sum(line[1] == "1" for line in lines))
        self.assertEqual(count["http.jsonl"], sum(int(line[1]) >= 100 for line in lines))
        self.assertEqual(count["not-crawled.jsonl"], sum(line[1] == "-9998" for line in lines))
        self.assertEqual(sum(count.values()), len(lines))
        groups = self.caddis("log", folder / "http.jsonl", "--group-by", "status")
        self.assertEqual({row.split("\t")[0]: int(row.split("\t")[1]) for row in groups.splitlines()},
                         collections.Counter(line[1] for line in lines if int(line[1]) >= 100))
        missing = self.caddis("log", folder / "http.jsonl", "--status", "404", "--fields", "url,host").splitlines()
        self.assertEqual([row.split("\t")[0] for row in missing], [line[3] for line in lines if line[1] == "404"])
        self.assertEqual({row.split("\t")[1] for row in missing}, {urllib.parse.urlsplit(row.split("\t")[0]).hostname for row in missing})
        self.assertEqual(self.caddis("log", folder / "not-crawled.jsonl", "--status", "robots-excluded", "--count"),
                         f"{count['not-crawled.jsonl']}\t0\n")
        shown = [json.loads(line) for line in self.caddis("log", folder / "dns.jsonl", "--json", "--fields", "url,status", "-n", "2").splitlines()]
        self.assertEqual(shown, [{"url": line[3], "status": 0} for line in lines if line[1] == "1"][-2:])
        revisits = [line[3] for line in lines if "duplicate:digest" in line[11]]
        self.assertEqual(self.caddis("log", folder / "http.jsonl", "--where", "revisit=identical-payload-digest", "--fields", "url",
                                     code=0 if revisits else 1).split(), revisits)
        for arguments, words in ((("--fields", "urll"), "did you mean 'url'"), (("--annotation", "x"), "--annotation goes with crawl.log"),
                                 (("--where", "x"), "FIELD=VALUE")):
            self.assertIn(words, self.caddis("log", folder / "http.jsonl", *arguments, code=2))
        self.assertIn("is there", self.caddis("log", "convert", log, "--to", folder, code=2))
        self.assertIn("is there", self.caddis("log", "convert", "--back", folder, "--to", log, code=2))
        self.assertEqual(log.read_bytes(), back)

    def check_graphs(self):
        links = [json.loads(line) for line in (self.crawl.launches[0] / "logs/outlinks.jsonl").read_text().splitlines()]
        self.assertTrue(any(link["hop"] == "E" and link["context"] for link in links))
        archived = collections.Counter()
        for path in sorted((self.crawl.collection / "archive").glob("*.warc.gz")):
            page = None
            for line in gzip.decompress(path.read_bytes()).decode("latin-1").split("\r\n"):
                if line.startswith("WARC-Target-URI: "):
                    page = line.split(" ")[1].strip("<>")
                elif line.startswith("outlink: "):
                    archived[page, line.split(" ")[1]] += 1
        pages = collections.Counter((link["from"], link["to"]) for link in links)
        self.assertEqual(pages, archived, "the log of links has what the metadata records have")
        for level, vertex in (("hosts", lambda url: urllib.parse.urlsplit(url).hostname), ("pages", lambda url: url)):
            expected = collections.Counter()
            for (source, target), count in pages.items():
                expected[vertex(source), vertex(target)] += count
            prefix = self.crawl.folder / ("of-" + level)
            self.caddis("log", "graph", self.crawl.collection, "--of", level, "--to", prefix, "--memory", "65536")
            read = lambda name: [line.split("\t") for line in (self.crawl.folder / f"of-{level}.{name}").read_text().splitlines()]
            edges, vertices, arcs = read("edges.tsv"), [row[0] for row in read("vertices")], read("arcs")
            self.assertEqual({(source, target): int(count) for source, target, count in edges}, expected)
            self.assertEqual(vertices, sorted({name for edge in expected for name in edge}, key=str.encode))
            numbers = [(int(source), int(target)) for source, target in arcs]
            self.assertEqual(numbers, sorted(numbers))
            self.assertEqual({(vertices[source], vertices[target]) for source, target in numbers}, set(expected))
            self.assertIn("is there", self.caddis("log", "graph", self.crawl.collection, "--of", level, "--to", prefix, code=2))
        # The same from the archive.
        other = self.crawl.folder / "of-archive"
        self.caddis("log", "graph", *sorted((self.crawl.collection / "archive").glob("*.warc.gz")), "--of", "pages", "--to", other)
        for name in ("edges.tsv", "vertices", "arcs"):
            self.assertEqual((self.crawl.folder / f"of-archive.{name}").read_bytes(), (self.crawl.folder / f"of-pages.{name}").read_bytes())

    def test_crawl(self):
        with LocalSite(pages=24) as site:
            self.crawl = harness.Crawl(site, harness.SETTINGS + "logs: {outlinks: true}\n")
            self.addCleanup(self.crawl.remove)
            code, out, err = self.crawl.run()
            self.assertEqual(code, 0, out + err)
            self.check_own_log()
            self.check_graphs()

    def test_heritrix(self):
        with LocalSite(pages=4) as site:
            self.crawl = harness.Crawl(site)
            self.addCleanup(self.crawl.remove)
            log = self.crawl.folder / "heritrix.log"
            returns = HERITRIX.replace("\n", "\r\n", 3).encode()
            for text in (HERITRIX.encode(), HERITRIX.encode()[:-1], HERITRIX.encode() + b"caf\xe9 \xff\x01\tx\n", returns, returns + b"\r"):
                log.write_bytes(text)
                back, folder = self.there_and_back(log, f"new{len(text)}")
                self.assertEqual(back, text)
                self.assertTrue((folder / "legacy.jsonl").exists())
            packed = self.crawl.folder / "packed.log.gz"
            packed.write_bytes(gzip.compress(HERITRIX.encode()))
            self.assertEqual(self.there_and_back(packed, "packed")[0], HERITRIX.encode())
            first, last = [json.loads(line) for line in (self.crawl.folder / "packed/http.jsonl").read_text().splitlines()[1:]]
            self.assertEqual((first["received"], first["body_size"], first["attempts"]), (2471, 2064, 3))
            self.assertEqual((last["warc"], last["offset"]), ("w.warc.gz", 7))
            self.check_packing(self.crawl.folder / "packed")

    def check_packing(self, folder):
        """A log lies there in two forms while it is packed, and the half of a packed one."""
        plain = (folder / "http.jsonl").read_bytes()
        (folder / "http.jsonl.gz").write_bytes(gzip.compress(plain))
        (folder / "dns.jsonl.gz.open").write_bytes(gzip.compress(plain)[:40])
        for name in ("both", "packed-only"):
            back = self.crawl.folder / (name + ".back")
            self.caddis("log", "convert", "--back", folder, "--to", back)
            self.assertEqual(back.read_bytes(), HERITRIX.encode(), name)
            (folder / "http.jsonl").unlink(missing_ok=True)
        # The last lines of a log that has just gone on in another file, with packed ones before.
        logs = self.crawl.folder / "c/crawls/a-20260101000000/logs"
        logs.mkdir(parents=True)
        (logs.parent / "crawl.yaml").write_text("crawl: {seeds: [http://a/]}\n")
        lines = [f"2026-01-02T03:04:05.006Z   200          1 http://a/{i} L - text/plain #001 - - - -" for i in range(9)]
        text = lambda part: "".join(line + "\n" for line in part).encode()
        (logs / "crawl.log.gz").write_bytes(gzip.compress(text(lines[:4])))
        (logs / "crawl.log.2").write_bytes(text(lines[4:8]))
        (logs / "crawl.log.3").write_bytes(text(lines[8:]))
        for count in (0, 1, 2, 5, 6, 9, 10):
            self.assertEqual(self.caddis("log", self.crawl.folder / "c", "-n", str(count), code=0 if count else 1).splitlines(), lines[max(0, 9 - count):], count)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
