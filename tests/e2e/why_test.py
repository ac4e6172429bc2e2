#!/usr/bin/env python3
"""`caddis why` and `caddis log` on one crawl that has a URL of each fate, while it is paused and when it has ended."""

import collections
import contextlib
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

try:
    import jsonschema
except ImportError:  # lines are not held against the schema then
    jsonschema = None

import harness
from local_site import LocalSite, free_port

SETTINGS = """
politeness: {delay: 100ms, url-retries: 1, url-retry-delay: 300ms, host-retry-delay: 300ms, host-failures: 2, host-probes: 0}
fetch: {max-length: 100kB}
pipeline: {guard: ['records: not url /p5[.]html$']}
"""
SECRET = "/private/secret.html"


class WhyTest(unittest.TestCase):
    def why(self, url, *more, code=0):
        done = self.crawl.caddis("why", url, self.crawl.collection, *more)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def expect(self, url, fate, *parts, more=(), first=""):
        """The fate of a URL, words of the answer, and words of its first sentence."""
        # Nothing is known of most that was never queued.
        done = self.crawl.caddis("why", url, self.crawl.collection, "--json", *more)
        answer = json.loads(done.stdout)
        is_known = fate not in ("rejected", "unknown") or answer["judged"] or answer["outlinks"] or answer.get("links_found")
        code = 0 if is_known else 1
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        told = "\n".join(answer["sentences"])
        self.assertEqual(answer["fate"], fate, told)
        for part in parts:
            self.assertIn(part, told)
        self.assertIn(first, answer["sentences"][0])
        self.assertEqual(answer["problems"], [], told)
        text = self.crawl.caddis("why", url, self.crawl.collection, *more).stdout.splitlines()
        self.assertEqual(text[0], answer["url"])
        self.assertEqual([line.strip() for line in text[1:]], answer["sentences"])
        return answer

    def log(self, *arguments, code=0):
        done = self.crawl.caddis("log", self.crawl.collection, *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def lines(self):
        return [line.split() for line in (self.crawl.launches[0] / "logs/crawl.log").read_text().splitlines()]

    def at(self, host, path):
        return self.site.url(f"{host}.localhost", path)

    def while_paused_at_first(self):
        answer = self.expect(self.at("beta", "/p0.html"), "waiting", "is a seed", "The crawl is paused",
                             first=f"waits in {self.at('beta', '')}")
        self.assertTrue(answer["running"])
        self.assertTrue(answer["frontier"]["seen"])
        self.expect("http://elsewhere.test/", "rejected", "would reject it", "--search", first="was not queued so far (the crawl runs)")
        self.expect(self.at("alpha", "/nowhere.html"), "unknown", "would accept it", first="was not queued so far")
        self.assertIn("caddis why: ", self.why("mailto:somebody@a.test", code=2))

    def while_paused_later(self):
        waiting = self.crawl.caddis("frontier", self.crawl.collection, "--urls", "--host", "alpha.localhost", "--regex",
                                    r"/p\d+\.html").stdout.split()
        self.assertTrue(waiting)
        self.expect(waiting[-1], "waiting", "It was found on ", "The crawl is paused", first="waits in")
        self.expect(self.at("alpha", "/p0.html"), "captured", first="It is in the archive: 1 capture")
        self.expect(self.at("alpha", SECRET), "robots", first="robots.txt of its site forbids it (-9998)")
        self.expect("http://outside.localhost:1/", "rejected", "links of captured pages lead", "rejects it", more=["--search"],
                    first="It was found, and not queued so far")

    def after_its_end(self):
        listed = self.crawl.caddis("warc", "ls", "--json", *sorted((self.crawl.collection / "archive").glob("*.warc.gz"))).stdout
        records = {(one["uri"], one["type"]): one for one in map(json.loads, listed.splitlines()) if "uri" in one}
        page = self.at("alpha", "/p1.html")
        record = records[page, "response"]
        self.expect(page, "captured", f"in {pathlib.Path(record['file']).name} at offset {record['offset']}", "status 200 (OK), text/html",
                    f"found on {self.at('alpha', '/p0.html')} by hops L, from the seed {self.at('alpha', '/p0.html')}")
        self.expect(self.at("beta", "/missing.html"), "captured", "status 404 (Not Found)")
        revisits = {url: one["refers_to_uri"] for (url, kind), one in records.items() if kind == "revisit"}
        # Pages that are not there are alike; but those of one group are committed together, and none refers to another.
        for url, original in [*revisits.items()][:3]:
            self.expect(url, "captured", f"It is a revisit: its payload is stored with {original} of 20")
        self.expect(self.at("beta", "/i20.png"), "captured", "was cut: it was longer than allowed", "(lenTrunc)")
        self.expect(self.at("beta", "/p5.html"), "left-out", "left out of the archive by a guard", first="200 (OK)")
        self.expect(self.at("delta", SECRET), "robots", "It was found on ", first="forbids it (-9998)")
        answer = self.expect(self.dead, "failed", f"The visit of {self.dead}robots.txt at 20", "-2 (no connection): connection to 127.0.0.1:", "Connection refused.",
                             "is a seed",
                             first="with -61 (robots.txt could not be had)")
        self.assertEqual(answer["prerequisite"]["status"], -2)
        self.expect(self.at("alpha", "/down"), "captured", "1 try of it failed and was to be repeated", "with 503")
        self.expect(self.at("gamma", "/p0.html"), "excluded", "-6000")
        shouted = self.at("alpha", "/P1.html")
        self.expect(shouted, "captured-as", first=f"under another spelling with the same key, {page}")
        session = self.at("delta", SECRET + ";jsessionid=0123456789abcdef0123456789abcdef")
        self.expect(session, "robots", first=f"As {self.at('delta', SECRET)}, which has the same key: The robots.txt")
        self.expect("http://elsewhere.test/", "rejected", "No captured page links to it", "would reject it", more=["--search"])
        found = self.expect("http://outside.localhost:1/", "rejected", "links of captured pages lead", more=["--search"],
                            first="It was found, and never queued")
        self.assertEqual({link["page"] for link in found["links"]},
                         {self.at(host, "/p1.html") for host in ("alpha", "beta", "gamma", "delta")})
        self.assertEqual(found["links"][0]["hop"], "L")

    def logs_by_fate(self):
        """The logs by protocol and by fate say the same as crawl.log, in lines that are as their schema has them."""
        schema = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/formats/logs.schema.json").read_text())
        launch = self.crawl.launches[0]
        found = [*harness.outcomes(launch)]
        self.assertEqual(collections.Counter((line["url"], str(status)) for _, line, status in found),
                         collections.Counter((line[3], line[1]) for line in self.lines()))
        for log in harness.OUTCOME_LOGS:
            header = json.loads((launch / f"logs/{log}.jsonl").read_text().splitlines()[0])
            self.assertEqual((header["log"], header["launch"]), (log, launch.name))
            # Lines that were converted have one member more.
            self.assertEqual([*header["fields"], "legacy"], [*schema["$defs"][log]["properties"]])
            lines = [line for name, line, _ in found if name == log]
            self.assertTrue(lines, log)
            if jsonschema:
                judge = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{log}", "$defs": schema["$defs"]})
                self.assertEqual([(line, fault.message) for line in lines for fault in judge.iter_errors(line)], [])
        page = next(line for _, line, _ in found if line["url"] == self.at("alpha", "/p1.html"))
        self.assertIn(f"in {page['warc']} at offset {page['offset']}", self.why(page["url"]))

    def when_files_are_gone(self):
        """What the state knows, and what the log knows, where the rest is missing."""
        launch, page = self.crawl.launches[0], self.at("alpha", "/p1.html")
        for path in [*(self.crawl.collection / "indexes").glob("*"), *(launch / "state").glob("cdx-journal*")]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.expect(page, "unindexed", "No index of the collection has it", first="It was captured at 20")
        (launch / "logs/crawl.log").rename(launch / "kept.log")
        for log in harness.OUTCOME_LOGS:
            (launch / f"logs/{log}.jsonl").rename(launch / f"kept-{log}")
        self.expect(page, "ended", first="does not wait any more")
        self.assertIn("has no crawl.log", self.log("--count", code=1))
        packed = pathlib.Path(str(launch / "logs/crawl.log") + ".gz")
        packed.write_bytes(gzip.compress((launch / "kept.log").read_bytes()))
        self.expect(page, "unindexed")
        self.assertEqual(self.log(), (launch / "kept.log").read_text())

    def read_log(self):
        lines, text = self.lines(), (self.crawl.launches[0] / "logs/crawl.log").read_text()
        self.assertEqual(self.log(), text)
        self.assertEqual(self.log("-n", "3"), "".join(text.splitlines(keepends=True)[-3:]))
        sizes = sum(map(harness.content_size, lines))
        self.assertEqual(self.log("--count"), f"{len(lines)}\t{sizes}\n")
        groups = dict(line.split("\t")[:2] for line in self.log("--group-by", "status").splitlines())
        self.assertEqual(groups, {status: str(count) for status, count in collections.Counter(line[1] for line in lines).items()})
        self.assertEqual(len(self.log("--group-by", "host,class", "--top", "2").splitlines()), 2)
        forbidden = sorted(line[3] for line in lines if line[1] == "-9998")
        self.assertEqual(sorted(self.log("--status", "-9998", "--fields", "url").split()), forbidden)
        hosts = [line[3] for line in lines if "//beta.localhost:" in line[3] or line[3] == "dns:beta.localhost"]
        self.assertEqual(self.log("--host", "beta.localhost", "--fields", "url").split(), hosts)
        self.assertEqual(self.log("--host", "beta.localhost", "--fields", "url", "-n", "2").split(), hosts[-2:])
        self.assertEqual(self.log("--domain", "localhost", "--regex", r"/p\d+\.html$", "--status", "ok", "--count", "--json"),
                         json.dumps({"lines": sum("/p" in line[3] and line[3].endswith(".html") and "private" not in line[3]
                                                  and line[1] == "200" for line in lines),
                                     "bytes": sum(harness.content_size(line) for line in lines if line[1] == "200" and "/p" in line[3] and
                                                  line[3].endswith(".html") and "private" not in line[3])},
                                    separators=(",", ":")) + "\n")
        middle = lines[len(lines) // 2][0]
        self.assertEqual(self.log("--from", middle, "--fields", "time").split(), [line[0] for line in lines if line[0] >= middle])
        objects = [json.loads(line) for line in self.log("--json").splitlines()]
        self.assertEqual([one["url"] for one in objects], [line[3] for line in lines])
        self.assertEqual([one["status"] for one in objects], [int(line[1]) for line in lines])
        revisit = next(one for one in objects if "duplicate:digest" in one.get("annotations", []))
        self.assertTrue(any(said.startswith("revisitOf:") for said in revisit["annotations"]))
        self.assertIn(self.at("alpha", "/down") + "\t503", self.log("--errors", "--fields", "url,status").splitlines())
        for arguments, words in (("--fields urll", "did you mean 'url'"), ("--status maybe", "not a status"), ("--regex (", "--regex ("),
                                 ("--count -f", "-f goes with lines"), ("--from soon", "not a time"), ("--top 2", "goes with --group-by")):
            self.assertIn(words, self.log(*arguments.split(), code=2))
        self.assertIn("there is no such launch", self.log("--launch", "other", code=2))
        self.log("--host", "nobody.test", code=1)
        self.assertEqual(self.log("--host", "nobody.test", "--count", code=1), "")

    def test_every_fate(self):
        with LocalSite(pages=96) as site, contextlib.ExitStack() as stack:
            self.site, self.dead = site, f"http://127.0.0.1:{free_port()}/"
            self.crawl = harness.Crawl(site, SETTINGS)
            self.addCleanup(self.crawl.remove)
            process = self.crawl.popen([*self.crawl.arguments(more=["--paused"]), self.dead])
            stack.callback(lambda: process.poll() is None and harness.kill(process))
            harness.wait_until(lambda: self.crawl.status().get("state") == "paused", "paused crawl")
            self.while_paused_at_first()
            follower = subprocess.Popen([harness.BINARY, "log", "-f", str(self.crawl.collection)], stdout=subprocess.PIPE, text=True)
            stack.callback(follower.stdout.close)
            stack.callback(follower.wait)
            stack.callback(follower.kill)
            gone = self.crawl.caddis("frontier", self.crawl.collection, "--delete", "--host", "gamma.localhost")
            self.assertIn("1 URL deleted", gone.stdout, gone.stderr)
            self.crawl.caddis("resume", self.crawl.collection)
            followed = []
            while not followed or self.at("alpha", SECRET) not in followed[-1]:
                followed.append(follower.stdout.readline())
                self.assertTrue(followed[-1].endswith("\n"), "the log ended")
            self.crawl.caddis("pause", self.crawl.collection)
            harness.wait_until(lambda: self.crawl.status().get("state") == "paused", "paused crawl")
            self.while_paused_later()
            self.crawl.caddis("resume", self.crawl.collection)
            code, out, err = harness.finish(process)
            self.assertEqual(code, 0, out + err)
            self.assertEqual([line.split() for line in followed], self.lines()[:len(followed)])
            self.after_its_end()
            self.read_log()
            self.logs_by_fate()
            self.when_files_are_gone()

    def test_stopped_and_without_crawl(self):
        with LocalSite(pages=8) as site:
            self.site, self.crawl = site, harness.Crawl(site)
            self.addCleanup(self.crawl.remove)
            self.assertIn("is no collection", self.why(site.seeds[0], code=2))
            self.assertIn("is not there", self.log(code=2))
            process = self.crawl.start(more=["--paused"])
            self.addCleanup(process.kill)
            harness.wait_until(lambda: self.crawl.status().get("state") == "paused", "paused crawl")
            self.assertEqual(self.crawl.caddis("stop", self.crawl.collection).returncode, 0)
            harness.finish(process)
            answer = self.expect(site.seeds[0], "waiting", "The crawl does not run", first="waits in")
            self.assertFalse(answer["running"])
            self.expect("http://elsewhere.test/", "rejected", "would reject it")
            (self.crawl.folder / "only").mkdir()
            shutil.copytree(self.crawl.collection / "indexes", self.crawl.folder / "only/indexes")
            done = self.crawl.caddis("why", site.seeds[0], self.crawl.folder / "only")
            self.assertIn("Nothing is known of it", done.stdout, done.stderr)
            self.assertEqual(done.returncode, 1)
            self.assertIn("there is no launch 'other'", self.why(site.seeds[0], "--launch", "other", code=2))

    def test_links_on_record(self):
        """Each URL that the crawl has met is in one log; `why` tells of links that were not queued."""
        with LocalSite(pages=24) as site:
            self.site = site
            self.crawl = harness.Crawl(site, harness.SETTINGS + "logs: {write: [http, dns, failures, not-crawled, scope], "
                                       "rejected-links: true, outlinks: true}\n")
            self.addCleanup(self.crawl.remove)
            code, out, err = self.crawl.run()
            self.assertEqual(code, 0, out + err)
            launch = self.crawl.launches[0]
            links = [json.loads(line) for line in (launch / "logs/outlinks.jsonl").read_text().splitlines()]
            unqueued = harness.unqueued(launch)
            logged = collections.Counter([line["url"] for _, line, _ in harness.outcomes(launch)] + [line["url"] for line in unqueued])
            self.assertEqual([url for url, count in logged.items() if count > 1], [])
            self.assertEqual({link["to"] for link in links} - {*logged}, set())
            rejected = next(line for line in unqueued if line["status"] == "rejected")
            answer = self.expect(rejected["url"], "rejected", "It was found on http://", f"the rule '{rejected['rule']}' rejected it",
                                 first="It was found, and never queued")
            self.assertTrue(answer["outlinks"])
            self.expect(rejected["url"], "rejected", more=["--launch", launch.name])

    def test_logs_of_heritrix(self):
        with LocalSite(pages=8) as site:
            self.crawl = harness.Crawl(site)
            self.addCleanup(self.crawl.remove)
            page = ("2013-03-20T15:26:05.000Z   200       2064 http://netpreserve.org/logo.png LE http://netpreserve.org/ image/png "
                    "#013 20130320152604787+212 sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ - "
                    'duplicate:"IAH-2013,1.warc,2012",content-size:2471,3t {"contentSize":2471}')
            lost = "2013-03-20T15:26:06.000Z    -6          - http://gone.org/ L http://netpreserve.org/ unknown #001 - - - -"
            log = self.crawl.folder / "heritrix.log.gz"
            log.write_bytes(gzip.compress(f"{page}\n{lost}\nnonsense\n".encode()))
            done = self.crawl.caddis("log", log, "--fields", "url,status,words,annotations", "--json")
            objects = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual(objects, [
                {"url": "http://netpreserve.org/logo.png", "status": 200, "words": "200",
                 "annotations": ['duplicate:"IAH-2013,1.warc,2012"', "content-size:2471", "3t"]},
                {"url": "http://gone.org/", "status": -6, "words": "host could not be resolved"}])
            self.assertIn("1 line has no fields of a crawl log", done.stderr)
            self.assertEqual(self.crawl.caddis("log", log, "--group-by", "outcome").stdout, "captured\t1\t2471\nfailed\t1\t0\n")
            self.assertEqual(self.crawl.caddis("log", log).stdout, f"{page}\n{lost}\nnonsense\n")
            log.write_bytes(log.read_bytes()[:-12])
            self.assertEqual(self.crawl.caddis("log", log, "--count").returncode, 2)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
