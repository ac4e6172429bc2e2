#!/usr/bin/env python3
"""`caddis index serve`: lines are sent to it and asked for as of OutbackCDX, by hand and while others send."""

import concurrent.futures
import base64
import http.client
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

import harness

ELEVEN = ("- 20050614070159 http://nla.gov.au/ text/html 200 AKMCCEPOOWFMGGO5635HFZXGFRLRGWIX - - - 337023 NLA-AU-CRAWL-000.arc.gz\n"
          "- 20060614070159 http://nla.gov.au/ text/html 200 AKMCCEPOOWFMGGO5635HFZXGFRLRGWIX - - - 337024 NLA-AU-CRAWL-001.arc.gz\n")
KEYED = ELEVEN.replace("- 200", "au,gov,nla)/ 200")


class Server:
    """An index server over a folder of its own."""

    def __init__(self, test, more=(), folder=None, kept="1h", log=None):
        self.test = test
        self.folder = folder or pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        if folder is None:
            test.addCleanup(shutil.rmtree, self.folder)
        environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1:detect_leaks=0"}
        self.process = subprocess.Popen([harness.BINARY, "index", "serve", "--data", self.folder / "data", "--listen", "127.0.0.1:0",
                                         "--checkpoint-dir", self.folder / "checkpoints", "--keep-changes", kept, *more],
                                        stdout=subprocess.PIPE, stderr=log, text=True, env=environment)
        test.addCleanup(self.stop)
        test.assertTrue(select.select([self.process.stdout], [], [], 120)[0], "the server does not start")
        told = self.process.stdout.readline()
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)/", told).group(1))
        self.address = f"http://127.0.0.1:{self.port}"

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.test.assertEqual(self.process.wait(60), 0)
        self.process.stdout.close()

    def ask(self, path, body=None, method=None):
        """Status and text."""
        data = body.encode() if isinstance(body, str) else body
        request = urllib.request.Request(self.address + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def get(self, path):
        status, text = self.ask(path)
        self.test.assertEqual(status, 200, text)
        return text

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) // 1024


def lines(begin, end):
    return "".join(f"- 2020010100{i // 60 % 60:02}{i % 60:02} http://site{i % 997}.example/page/{i} text/html 200 "
                   f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[i % 32] * 32} - - 1234 {i * 100} some-archive-{i // 5000:05}.warc.gz\n"
                   for i in range(begin, end))


class Lines(unittest.TestCase):
    def test_a_first_day(self):
        server = Server(self)
        self.assertEqual(json.loads(server.get("/api/collections")), [])
        self.assertEqual(server.ask("/myindex?url=nla.gov.au")[0], 404)
        self.assertEqual(server.ask("/myindex", " CDX N b a m s k r M S V g\n" + ELEVEN), (200, "Added 2 records\n"))
        self.assertEqual(json.loads(server.get("/api/collections")), ["myindex"])
        self.assertEqual(server.get("/myindex?url=http://www.nla.gov.au/"), KEYED)
        self.assertEqual(json.loads(server.get("/myindex?url=nla.gov.au&output=json&fl=timestamp,status,filename&limit=1")),
                         [[20050614070159, 200, "NLA-AU-CRAWL-000.arc.gz"]])
        self.assertIn("au,gov,nla)/ 20060614070159", server.get("/myindex?url=nla.gov.au&sort=reverse&limit=1"))
        self.assertIn("au,gov,nla)/ 20060614070159", server.get("/myindex?url=nla.gov.au&sort=closest&closest=20061231000000&limit=1"))
        self.assertEqual(json.loads(server.get("/myindex/stats"))["keyPolicy"], "ia-surt/1")
        self.assertEqual(len(json.loads(server.get("/myindex/captures?key=au&limit=1"))), 1)
        self.assertEqual(server.get("/myindex/cube"), "au,gov,nla text/html 200 2005 1 0\nau,gov,nla text/html 200 2006 1 0\n")
        self.assertIn("<capturedate>20060614070159</capturedate>", server.get("/myindex?q=type:urlquery+url:http%253A%252F%252Fnla.gov.au%252F"))
        self.assertIn("About 2 captures", server.get("/myindex"))
        self.assertIn("myindex", server.get("/"))
        # The same index in the other dialects.
        self.assertEqual(server.get("/myindex/cdx?url=nla.gov.au&limit=1").split(" ")[1], "20050614070159")
        self.assertEqual(json.loads(server.get("/cdx/search/cdx?url=nla.gov.au&output=json&fl=timestamp")),
                         [["timestamp"], ["20050614070159"], ["20060614070159"]])

    def test_counters_of_the_internet_archive(self):
        server = Server(self)
        server.ask("/c", "".join(f"- {time} http://a.example/ {mime} 200 {digest * 32} - - - {i} f.warc.gz\n" for i, (time, mime, digest) in
                                 enumerate([("20200101000000", "text/html", "A"), ("20200601000000", "warc/revisit", "A"),
                                            ("20210101000000", "text/html", "B"), ("20210201000000", "text/html", "A")])))
        base = "/c/cdx/search/cdx?url=a.example&fl=timestamp,mimetype"
        self.assertEqual(server.get(base + "&showDupeCount=true"),
                         "20200101000000 text/html 0\n20200601000000 text/html 1\n20210101000000 text/html 0\n20210201000000 text/html 2\n")
        self.assertEqual(json.loads(server.get(base + "&output=json&collapse=timestamp:4&showSkipCount=true&lastSkipTimestamp=true")),
                         [["timestamp", "mimetype", "skipcount", "endtimestamp"], ["20200101000000", "text/html", "1", "20200601000000"],
                          ["20210101000000", "text/html", "1", "20210201000000"]])
        first = server.get(base + "&collapse=timestamp:4&showSkipCount=true&limit=1&showResumeKey=true")
        self.assertEqual(first, "20200101000000 text/html 1\n\nexample%2Ca%29%2F+20210101000000\n")
        self.assertEqual(server.get(base + "&collapse=timestamp:4&showSkipCount=true&resumeKey=" + first.split("\n")[2]),
                         "20210101000000 text/html 1\n")
        self.assertEqual(server.get(base + "&last=true"), "20210201000000 text/html\n")

    def test_deletion_and_aliases(self):
        server = Server(self)
        server.ask("/i", ELEVEN + "@alias http://old.example/ http://nla.gov.au/\n")
        self.assertEqual(server.get("/i?url=http://old.example/"), server.get("/i?url=http://nla.gov.au/"))
        self.assertEqual(json.loads(server.get("/i/aliases")), [{"alias": "example,old)/", "target": "au,gov,nla)/"}])
        first = ELEVEN.splitlines(True)[0]
        self.assertEqual(server.ask("/i/delete", first), (200, "Deleted 1 records\n"))
        self.assertEqual(server.ask("/i/delete", first), (200, "Deleted 1 records\n"))
        self.assertEqual(len(server.get("/i?url=nla.gov.au").splitlines()), 1)
        self.assertEqual(server.ask("/i/delete", "@alias http://old.example/ http://nla.gov.au/\n")[0], 200)
        self.assertEqual(server.get("/i?url=http://old.example/"), "")
        self.assertEqual(server.ask("/other/delete", first)[0], 404)

    def test_what_is_wrong_is_told(self):
        server = Server(self)
        status, told = server.ask("/i", ELEVEN + "what is this\n")
        self.assertEqual(status, 400)
        self.assertIn("line 3: ", told)
        self.assertIn("nothing of this request was done", told)
        self.assertEqual(server.get("/i?url=nla.gov.au"), "")
        self.assertEqual(server.ask("/i?badLines=skip", ELEVEN + "what is this\n"),
                         (200, "Added 2 records, 1 bad lines were passed over\n"))
        for path, word in (("/i?url=nla.gov.au&limt=1", "did you mean limit=?"), ("/i?url=nla.gov.au&filter=status:(", "regular expression"),
                           ("/i?url=nla.gov.au&from=x", "1 to 17 digits")):
            status, told = server.ask(path)
            self.assertEqual((status, word in told), (400, True), told)
        self.assertEqual(server.ask("/i?badLines=maybe", ELEVEN)[0], 400)
        self.assertEqual(server.ask("/..%2fx", ELEVEN)[0], 400)
        self.assertEqual(server.ask("/i", method="DELETE")[0], 405)
        server.stop()
        refused = subprocess.run([harness.BINARY, "index", "serve", "--data", server.folder / "data", "--listen", "0.0.0.0:0"],
                                 capture_output=True, text=True, timeout=60)
        self.assertNotEqual(refused.returncode, 0)

    def test_access_points(self):
        server = Server(self)
        url = "http://{}.ex.org/"
        server.ask("/i", "".join(f"- 2015010100000{n} {url.format(name)} text/html 200 {'A' * 32} - - 10 {n} f.warc\n"
                                 for n, name in enumerate("abc")))
        policies = json.loads(server.get("/i/access/policies"))
        self.assertEqual([policy["name"] for policy in policies], ["Public", "Staff Only", "No Access"])
        status, made = server.ask("/i/access/policies", json.dumps({"name": "Room", "accessPoints": ["room"]}))
        self.assertEqual(status, 201)
        room = int(json.loads(made)["id"])

        def seen(point, more=""):
            return sorted(re.findall(r"http://(\w)\.ex", server.get(f"/i/ap/{point}?url=*.ex.org{more}")))
        self.assertEqual(seen("public"), ["a", "b", "c"])
        rule = {"policyId": 1, "urlPatterns": [url.format("a"), "*.b.ex.org"], "publicMessage": "For staff."}
        status, made = server.ask("/i/access/rules", json.dumps(rule))
        self.assertEqual(status, 201)
        number = json.loads(made)["id"]
        self.assertEqual((seen("public"), seen("staff"), seen("room")), (["c"], ["a", "b", "c"], ["c"]))
        # What is hidden is not counted, nor in the other protocol; who names no access point gets all.
        self.assertEqual(seen("public", "&limit=1"), ["c"])
        self.assertNotIn("a.ex.org", server.get("/i/ap/public?q=type:urlquery+url:http%253A%252F%252Fa.ex.org%252F"))
        self.assertEqual(len(server.get("/i?url=*.ex.org").splitlines()), 3)
        told = json.loads(server.get("/i/ap/public/check?url=https://www.a.ex.org/&timestamp=20150101000000"))
        self.assertEqual((told["allowed"], told["publicMessage"], told["rule"]["id"]), (False, "For staff.", int(number)))
        asked = json.dumps([{"url": url.format(name), "timestamp": "20150101000000"} for name in "ac"])
        status, told = server.ask("/i/ap/public/check", asked)
        self.assertEqual((status, [one["allowed"] for one in json.loads(told)]), (200, [False, True]))
        kept = json.loads(server.get("/i/access/rules/" + number))
        self.assertEqual(server.ask("/i/access/rules", json.dumps({**kept, "policyId": room})), (200, "\n"))
        self.assertEqual((seen("staff"), seen("room")), (["c"], ["a", "b", "c"]))
        status, wrong = server.ask("/i/access/rules", json.dumps({"policyId": 1, "urlPatterns": ["*.a/x"]}))
        self.assertEqual((status, json.loads(wrong)[0]["message"]), (400, "can't use a domain wildcard with path"))
        self.assertIn("no such policyId: 77", server.ask("/i/access/rules", json.dumps({"policyId": 77, "urlPatterns": ["*"]}))[1])
        self.assertIn("For staff.", server.get("/i/access/rules?output=csv&sort=-surt"))
        self.assertIsNone(json.loads(server.get("/i/access/rules/new"))["id"])
        # They are there after a restart, and no index.
        server.stop()
        again = Server(self, folder=server.folder)
        self.assertEqual(json.loads(again.get("/api/collections")), ["i"])
        self.assertEqual(json.loads(again.get("/i/access/rules"))[0]["policyId"], room)
        self.assertEqual(again.ask("/i/access/rules/" + number, method="DELETE")[0], 200)
        self.assertEqual(again.ask("/i/access/rules/" + number, method="DELETE")[0], 404)
        self.assertEqual(len(again.get("/i/ap/staff?url=*.ex.org").splitlines()), 3)
        again.stop()
        closed = Server(self, ["--read-only"], folder=server.folder)
        self.assertEqual(closed.ask("/i/access/rules", json.dumps(rule))[0], 403)
        self.assertEqual(closed.ask("/i/ap/public/check", asked)[0], 200)

    def test_rules_of_an_archive_are_brought_in(self):
        """As docs/index-server.md tells: what the index shows at the access point "public" is what the rules show to everybody."""
        server = Server(self)
        server.ask("/i", ELEVEN)
        file, policies = server.folder / "access.yaml", server.folder / "policies.json"
        file.write_text("default: block\nrules:\n"
                        "- {id: open, verdict: allow, domain: open.example}\n"
                        "- {id: letter, verdict: exclude, url: 'http://open.example/x', captured: '20200101000000'}\n"
                        "- {id: folder, verdict: block, surt: 'example,open)/private', message: Not yet.}\n"
                        "- {id: room, verdict: allow, surt: 'example,open)/private', groups: room}\n"
                        "- {id: secret, verdict: block, domain: secret.example}\n"
                        "- {id: house, verdict: allow, domain: secret.example, networks: 10.0.0.0/8}\n"
                        "- {id: bob, verdict: allow, url: 'http://secret.example/x', users: bob}\n"
                        "- {id: host, verdict: allow, host: www.other.example}\n"
                        "- {id: first, verdict: block, domain: b.other.example, priority: 1}\n"
                        "- {id: later, verdict: allow, url: 'http://b.other.example/x'}\n")

        def caddis(*arguments):
            done = subprocess.run([harness.BINARY, "access", *arguments, "--file", file], capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done
        written = caddis("export", "--format", "outbackcdx", "--policies", policies)
        for rule in ("house", "bob", "first", "later"):
            self.assertRegex(written.stderr, f"(?m)^caddis access: {rule}: ")
        self.assertEqual(server.ask("/i/access/policies", policies.read_text())[0], 200)
        status, told = server.ask("/i/access/rules", written.stdout)
        self.assertEqual((status, set(json.loads(told))), (200, {None}), told)
        self.assertEqual(server.ask("/i/access/policies", policies.read_text())[0], 200)  # once more
        self.assertEqual([policy["name"] for policy in json.loads(server.get("/i/access/policies"))][:3],
                         ["Public", "Staff Only", "No Access"])
        shown = {}
        for url in ("http://open.example/", "http://open.example/x", "http://open.example/private/a", "http://secret.example/",
                    "http://secret.example/x", "http://other.example/", "http://third.example/", "http://b.other.example/x"):
            for stamp in ("20200101000000", "20200101000001"):
                told = json.loads(server.get(f"/i/ap/public/check?url={url}&timestamp={stamp}"))
                decided = caddis("check", url, "--time", stamp, "--collection", server.folder / "none").stdout
                # It may be stricter, and is so where a priority cannot be said.
                if "b.other" not in url:
                    self.assertEqual(told["allowed"], decided.startswith("allow"), (url, stamp, decided))
                shown[url, stamp[-1]] = told["allowed"]
        self.assertEqual(sorted(key for key, is_shown in shown.items() if is_shown),
                         [("http://open.example/", "0"), ("http://open.example/", "1"), ("http://open.example/x", "1"),
                          ("http://other.example/", "0"), ("http://other.example/", "1")])
        room = json.loads(server.get("/i/ap/room/check?url=http://open.example/private/a&timestamp=20200101000000"))
        self.assertEqual((room["allowed"], room["rule"]["urlPatterns"]), (True, ["http://open.example/private*"]))

    def test_it_is_all_there_after_a_kill(self):
        server = Server(self)
        server.ask("/i", ELEVEN)
        harness.kill(server.process)
        again = Server(self, folder=server.folder)
        self.assertEqual(again.get("/i?url=nla.gov.au"), KEYED)

    def test_checkpoint_compaction_and_followers(self):
        server = Server(self)
        server.ask("/i", ELEVEN)
        server.ask("/i/access/rules", json.dumps({"policyId": 1, "urlPatterns": ["*.nla.gov.au"]}))
        self.assertEqual(server.ask("/i/checkpoint?name=first", "")[0], 200)
        self.assertEqual(server.ask("/i/checkpoint?name=first", "")[0], 409)
        self.assertEqual(server.ask("/i/checkpoint?name=..", "")[0], 400)
        with concurrent.futures.ThreadPoolExecutor(8) as clients:
            told = sorted(clients.map(lambda _: server.ask("/i/checkpoint?name=second", "")[0], range(8)))
        self.assertEqual(told, [200] + 7 * [409])
        self.assertTrue((server.folder / "checkpoints/second/i.access.json").exists())
        changes = json.loads(server.get("/i/changes?since=0"))
        self.assertEqual(int(changes[0]["sequenceNumber"]), 1)
        self.assertEqual(int(server.get("/i/sequence")), int(changes[-1]["sequenceNumber"]) + changes[-1]["rows"] - 1)
        self.assertEqual(json.loads(server.get(f"/i/changes?since={int(server.get('/i/sequence')) + 1}")), [])
        self.assertEqual(server.ask("/i/compact", "")[0], 202)
        self.assertEqual(server.ask("/i/truncate_replication", "")[0], 200)
        self.assertEqual(len(server.get("/i?url=nla.gov.au").splitlines()), 2)
        server.ask("/i", lines(0, 10))
        server.stop()
        # The checkpoint is an index as any other.
        shutil.move(server.folder / "checkpoints/first/i", server.folder / "data/copy")
        shutil.move(server.folder / "checkpoints/first/i.access.json", server.folder / "data/copy.access.json")
        again = Server(self, ["--read-only"], folder=server.folder)
        self.assertEqual(again.get("/copy/captures").count("http"), 2)
        # Its access points are closed as they were.
        self.assertEqual((again.get("/copy/ap/public?url=nla.gov.au"), again.get("/copy/ap/staff?url=nla.gov.au").count("\n")), ("", 2))
        self.assertEqual(again.get("/i/captures").count("http"), 12)
        self.assertEqual(again.ask("/i", ELEVEN)[0], 403)

    def test_a_copy_follows(self):
        server = Server(self)
        server.ask("/i", ELEVEN)
        follow = ["--primary", server.address + "/i", "--follow-every", "200ms"]
        copy = Server(self, follow)
        harness.wait_until(lambda: copy.ask("/i?url=nla.gov.au") == (200, KEYED), "the first lines")
        server.ask("/i", lines(0, 500))
        whole = "/i?url=example&matchType=domain"
        harness.wait_until(lambda: copy.get(whole).count("\n") == 500, "lines that came later")
        self.assertEqual(copy.ask("/i", ELEVEN)[0], 403)
        harness.kill(copy.process)
        server.ask("/i/delete", ELEVEN)
        again = Server(self, follow, folder=copy.folder)
        harness.wait_until(lambda: again.get("/i?url=nla.gov.au") == "", "what was removed meanwhile")
        self.assertEqual(again.get(whole), server.get(whole))

    def test_a_copy_has_the_access_rules(self):
        server = Server(self)
        server.ask("/i", ELEVEN)
        rule = {"policyId": 1, "urlPatterns": ["*.nla.gov.au"]}
        number = json.loads(server.ask("/i/access/rules", json.dumps(rule))[1])["id"]
        follow = ["--primary", server.address + "/i", "--follow-every", "200ms"]
        copy = Server(self, follow)
        harness.wait_until(lambda: copy.ask("/i?url=nla.gov.au") == (200, KEYED), "the lines")
        # No capture is there before the rules are.
        self.assertEqual((copy.get("/i/ap/public?url=nla.gov.au"), copy.get("/i/ap/staff?url=nla.gov.au")), ("", KEYED))
        self.assertEqual(copy.ask("/i/access/rules", json.dumps(rule))[0], 403)
        self.assertEqual(copy.ask("/i/access/rules/" + number, method="DELETE")[0], 403)
        server.ask("/i/access/rules/" + number, method="DELETE")
        harness.wait_until(lambda: copy.get("/i/ap/public?url=nla.gov.au") == KEYED, "the rule is gone there, too")
        server.ask("/i/access/rules", json.dumps(rule))
        harness.wait_until(lambda: copy.get("/i/ap/public?url=nla.gov.au") == "", "the new rule")
        # Without its primary it knows them still.
        server.stop()
        copy.stop()
        again = Server(self, follow, folder=copy.folder)
        self.assertEqual((again.get("/i/ap/public?url=nla.gov.au"), again.get("/i/ap/staff?url=nla.gov.au")), ("", KEYED))
        # One that has never had them shows nothing.
        again.stop()
        (copy.folder / "data/i.access.json").unlink()
        bare = Server(self, follow, folder=copy.folder)
        check = "/i/ap/staff/check?url=http://nla.gov.au/&timestamp=20050614070159"
        self.assertEqual([bare.ask(path)[0] for path in ("/i/ap/staff?url=nla.gov.au", check)], [503, 503])
        self.assertEqual(bare.ask(check.split("?")[0], "[]")[0], 503)
        self.assertEqual(bare.get("/i?url=nla.gov.au"), KEYED)

    def test_a_copy_logs_in(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.addCleanup(shutil.rmtree, folder)
        users = folder / "users"
        run = lambda *command: subprocess.run([harness.BINARY, "users", *command, "--file", users], check=True, capture_output=True,
                                              text=True).stdout.strip()
        password = run("add", "otto", "--role", "operator")
        token = run("token", "add", "otto", "--role", "operator")
        server = Server(self, ["--users", users])
        basic = "Basic " + base64.b64encode(f"otto:{password}".encode()).decode()
        request = urllib.request.Request(server.address + "/i", data=ELEVEN.encode(), headers={"Authorization": basic})
        with urllib.request.urlopen(request, timeout=120) as response:
            self.assertEqual(response.status, 200)
        (folder / "token").write_text(token + "\n")
        # Its letters may be written as their bytes.
        coded = "".join(f"%{byte:02X}" for byte in password.encode())
        there = f"@127.0.0.1:{server.port}/i"
        for more in (["--primary", f"http://otto:{coded}{there}"],
                     ["--primary", server.address + "/i", "--primary-token-file", folder / "token"]):
            copy = Server(self, [*more, "--follow-every", "200ms"])
            harness.wait_until(lambda: copy.ask("/i?url=nla.gov.au") == (200, KEYED), "the lines")
            copy.stop()
        told = folder / "log"
        with open(told, "w") as log:
            Server(self, ["--primary", f"http://otto:not-my-secret{there}", "--follow-every", "200ms"], log=log)
            harness.wait_until(lambda: "status 401" in told.read_text(), "the refusal is told")
        self.assertIn(server.address + "/i/stats: it answers with status 401", told.read_text())
        self.assertNotIn("not-my-secret", told.read_text())

    def test_what_is_kept_no_more_is_told(self):
        server = Server(self, kept="0s")
        server.ask("/i", ELEVEN)
        server.ask("/i/compact", "")
        harness.wait_until(lambda: server.ask("/i/changes?since=0")[0] == 404, "changes are gone", seconds=60)
        server.stop()
        again = Server(self, folder=server.folder)
        status, said = again.ask("/i/changes?since=0")
        self.assertEqual(status, 404, said)
        self.assertIn("are kept no more", said)


class Doors(unittest.TestCase):
    def test_requests_are_limited_and_logged(self):
        log = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-")) / "access.log"
        self.addCleanup(shutil.rmtree, log.parent)
        server = Server(self, ["--access-log", log, "--requests-per-minute", "1", "--requests-at-once", "3"])
        server.ask("/i", ELEVEN)
        self.assertEqual(server.get("/i?url=nla.gov.au"), KEYED)
        self.assertEqual(server.ask("/other?url=nla.gov.au")[0], 404)
        status, told = server.ask("/i?url=nla.gov.au")
        self.assertEqual((status, "too many requests" in told), (429, True))
        # A probe is neither counted nor logged.
        self.assertEqual(server.ask("/healthz"), (200, '{"status":"ok"}'))
        # A line is written when its answer has been sent.
        logged = harness.wait_until(lambda: len(lines := log.read_text().splitlines()) == 4 and lines, "four lines")
        logged.sort(key=lambda line: line.split('"')[1:])
        self.assertEqual([re.search(r'"(\S+ \S+) HTTP/1.1" (\d+)', line).groups() for line in logged],
                         [("GET /i?url=nla.gov.au", "200"), ("GET /i?url=nla.gov.au", "429"), ("GET /other?url=nla.gov.au", "404"),
                          ("POST /i", "200")])
        self.assertRegex(logged[0], rf'^127\.0\.0\.1 - - \[.+ \+0000\] ".+" 200 {len(KEYED)} "-" "Python-urllib')

    def test_numbers_are_told(self):
        server = Server(self)
        server.ask("/i", ELEVEN)
        server.ask("/i/delete", ELEVEN.splitlines(True)[0])
        server.ask("/i?url=nla.gov.au&limt=1")
        numbers = dict(line.rsplit(" ", 1) for line in server.get("/metrics").splitlines() if not line.startswith("#"))
        self.assertEqual([numbers[f'caddis_index_requests_total{{end="{end}"}}'] for end in ("answered", "rejected", "failed")], ["2", "1", "0"])
        self.assertEqual([numbers[f'caddis_index_lines_total{{what="{what}"}}'] for what in ("added", "deleted")], ["2", "1"])
        self.assertEqual(numbers["caddis_index_requests_refused_total"], "0")
        self.assertIn('caddis_index_captures{index="i"}', numbers)
        self.assertGreater(int(numbers["caddis_index_resident_memory_bytes"]), 1 << 20)
        # No index can have these names, and they are only read.
        for path in ("/metrics", "/healthz"):
            self.assertEqual(server.ask(path, ELEVEN)[0], 405, path)


class Load(unittest.TestCase):
    COUNT = 60_000

    def send(self, server, begin, end, made):
        """In pieces, as curl does with a file that it does not hold."""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=300)
        pieces = (lines(at, min(at + 5000, end)).encode() for at in range(begin, end, 5000))
        connection.request("POST", "/big", body=pieces, encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
        made.append(connection.getresponse().read().decode())
        connection.close()

    def test_a_large_body_is_taken_while_others_ask(self):
        server = Server(self, ["--memory", "32MB"])
        server.ask("/big", ELEVEN)
        before = server.memory()
        made = []
        half = self.COUNT // 2
        senders = [threading.Thread(target=self.send, args=(server, begin, begin + half, made)) for begin in (0, half)]
        for sender in senders:
            sender.start()
        asked = 0
        while any(sender.is_alive() for sender in senders):
            self.assertEqual(len(server.get("/big?url=nla.gov.au").splitlines()), 2)
            asked += 1
        self.assertEqual(made, [f"Added {half} records\n"] * 2)
        self.assertGreater(asked, 3)
        # Whole, in order, and in parts.
        text = server.get("/big?url=example&matchType=domain&limit=1000000&fl=urlkey,timestamp,original")
        found = text.splitlines()
        self.assertEqual(len(found), self.COUNT)
        self.assertEqual([line.split(" ")[0] for line in found], sorted(line.split(" ")[0] for line in found))
        key, parts = "", []
        while True:
            part = server.get("/big/cdx/search/cdx?url=example&matchType=domain&limit=25000&showResumeKey=true&fl=urlkey,timestamp,original"
                              "&resumeKey=" + key)
            body, _, key = part.partition("\n\n")
            parts += body.splitlines()
            key = key.strip()
            if not key:
                break
        self.assertEqual(parts, found)
        self.assertLess(server.memory() - before, 250)
        harness.tell(self, lines=self.COUNT, asked=asked, grown_mb=server.memory() - before)

    def test_answers_are_limited(self):
        server = Server(self, ["--size-limit", "2000"])
        server.ask("/i", lines(0, 2000))
        whole = "url=example&matchType=domain&limit=1000000"
        self.assertEqual(server.ask("/i?" + whole)[0], 413)
        part = server.get("/i?showResumeKey=true&" + whole)
        self.assertLess(len(part), 3000)
        self.assertRegex(part, r"\n\n\S+\n$")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
