#!/usr/bin/env python3
"""Who sees what of an archive that is served: access rules by command, file and call, the access log, limits of clients; and Memento
with a client of the field."""

import http.server
import json
import re
import subprocess
import sys
import threading
import time
import unittest

import harness
import peers
from dated_archive import DatedArchive

PAGE, OTHER, PICTURE = "http://example.org/", "http://other.org/a", "http://other.org/pic.png"
TIMES = ("20200101000000", "20210101000000", "20220101000000")
CAPTURES = [*((PAGE, stamp, f"<title>of {stamp}</title>".encode()) for stamp in TIMES), (OTHER, TIMES[1], b"<title>other</title>"),
            (PICTURE, TIMES[0], b"\x89PNG", "image/png")]


class AccessTest(unittest.TestCase):
    def setUp(self):
        self.archive = DatedArchive(self, CAPTURES)
        self.ask, self.status = self.archive.ask, self.archive.status

    def access(self, *arguments, code=0):
        return self.archive.caddis("access", *arguments, "--collection", self.archive.path, code=code)

    def stamps(self, query, **headers):
        return re.findall(r"^\S+ (\d{14}) ", self.ask(f"/c/cdx?url={query}", **headers)[2], re.M)

    def follows(self, condition, what):
        """A server looks at its files once a second."""
        harness.wait_until(condition, what, 20)


class RulesTest(AccessTest):
    def test_rules_of_pywb_are_taken_over_first(self):
        (self.archive.path / "acl").mkdir()
        rules = self.archive.path / "acl/access-rules.aclj"
        rules.write_text('org,example)/ - {"access": "block", "url": "http://example.org/"}\n')
        told = self.archive.caddis("serve", self.archive.path, "--listen", "127.0.0.1:0", code=2)
        command = re.search(r"'caddis (access import [^']*)'", told)[1]
        self.archive.caddis(*command.split(" "))
        self.archive.serve()
        self.assertEqual(self.ask(f"/c/{TIMES[0]}mp_/{PAGE}")[0], 451)

    def test_a_takedown_holds_while_serving_and_is_on_record(self):
        self.archive.serve()
        self.assertEqual(self.stamps(PAGE), list(TIMES))
        made = self.access("takedown", PAGE, "--captured", "2021", "--reason", "a letter", "--message", "Gone by request.").strip()
        self.assertTrue(made.startswith("takedown-"), made)
        self.follows(lambda: self.stamps(PAGE) == [TIMES[0], TIMES[2]], "index without it")
        status, _, body = self.ask(f"/c/{TIMES[1]}mp_/{PAGE}")
        self.assertEqual((status, "Gone by request." in body), (451, True))
        self.assertNotIn("2021", self.ask(f"/c/timemap/link/{PAGE}")[2])
        gate = self.ask(f"/c/timegate/{PAGE}", Accept_Datetime="Fri, 01 Jan 2021 00:00:00 GMT")
        self.assertEqual(gate[0], 302)
        self.assertNotIn(TIMES[1], gate[1]["Location"] + gate[1]["Link"])
        self.assertNotIn("of 2021", self.ask(f"/c/*/{PAGE}")[2])
        said = self.access("check", PAGE, "--time", "2021-06")
        self.assertTrue(said.startswith("block: "), said)
        self.assertIn(f"{made}: block url {PAGE}, captured 2021: decides", said)
        self.assertTrue(self.access("check", PAGE, "--time", "2020").startswith("allow: "))
        self.assertIn("is no collection", self.archive.caddis("access", "check", PAGE, "--collection", self.archive.folder / "none", code=2))
        self.assertIn("no URL", self.archive.caddis("access", "check", "http://[", "--collection", self.archive.path, code=2))
        self.assertIn("reason: \"a letter\"", self.access("list"))
        self.access("remove", made)
        self.follows(lambda: self.stamps(PAGE) == list(TIMES), "index with it again")
        record = [json.loads(line) for line in (self.archive.path / "access.yaml.audit.log").read_text().splitlines()]
        words = [line["what"] for line in record if line["how"] == "command line"]
        self.assertEqual(words, [f"takedown {made} block: url {PAGE}", f"removed {made}"])
        self.assertTrue(all(line["who"] for line in record if line["how"] == "command line"))
        self.access("takedown", PAGE, code=2)  # without a reason
        self.access("remove", made, code=2)

    def test_a_file_of_rules_with_comments_stays_as_it_is_written(self):
        file = self.archive.path / "access.yaml"
        file.write_text("# ours\nrules:\n  # staff alone\n  - id: a\n    verdict: exclude\n    domain: other.org\n")
        self.access("add", "block", "--domain", "third.org", "--id", "b", "--newer", "2y")
        self.assertIn("  # staff alone\n  - id: a\n", file.read_text())
        self.archive.serve()
        self.assertEqual(self.status(f"/c/{TIMES[1]}mp_/{OTHER}"), 404)
        file.write_text("rules: [{verdict: whatever}]")
        time.sleep(1.5)
        self.assertEqual(self.status(f"/c/{TIMES[1]}mp_/{OTHER}"), 404)
        said = self.archive.caddis("serve", self.archive.path, "--listen", "127.0.0.1:0", code=2)
        self.assertIn("access.yaml:1: 'whatever' is no verdict", said)

    def test_roles_and_groups_that_there_are_not(self):
        said = self.access("check", PAGE, "--user", "vera", "--role", "viwer", code=2)
        self.assertIn("--role: 'viwer' is no role: viewer, curator, operator and admin are", said)
        self.access("check", PAGE, "--user", "vera", "--role", "viewer")
        file = self.archive.path / "access.yaml"
        file.write_text("groups: {readers: [vera], gone: [carol]}\nrules:\n- {verdict: block, domain: other.org}\n")
        place = {"cwd": self.archive.folder, "env": harness.clean_environment(self.archive.folder), "text": True}
        for group in ("readers", "gone", "viewer", "nosuchgroup"):
            done = subprocess.run([harness.BINARY, "access", "add", "allow", "--domain", "other.org", "--group", group, "--collection",
                                   self.archive.path], capture_output=True, timeout=120, **place)
            self.assertEqual((done.returncode, "group 'nosuchgroup'" in done.stderr), (0, group == "nosuchgroup"), done.stderr)
        users = self.archive.folder / "users"
        self.archive.caddis("users", "add", "vera", "--role", "viewer", "--file", users)
        with open(self.archive.folder / "told", "w+") as told:
            process = subprocess.Popen([harness.BINARY, "serve", self.archive.path, "--listen", "127.0.0.1:0", "--users", users],
                                       stdout=subprocess.PIPE, stderr=told, **place)
            self.addCleanup(process.stdout.close)
            self.addCleanup(harness.kill, process)
            self.assertIn("http://127.0.0.1:", process.stdout.readline())
            told.seek(0)
            self.assertEqual(re.findall(r"names the group '(\w+)'", told.read()), ["gone", "nosuchgroup"])

    def test_a_link_to_rules_stays_one(self):
        elsewhere = self.archive.folder / "rules"
        elsewhere.mkdir()
        (elsewhere / "access.yaml").write_text("# ours\nrules: []\n")
        link = self.archive.path / "access.yaml"
        link.symlink_to("../rules/access.yaml")
        self.archive.serve()
        self.access("add", "exclude", "--domain", "other.org", "--id", "a")
        self.assertTrue(link.is_symlink())
        self.assertIn("id: \"a\"", (elsewhere / "access.yaml").read_text())
        self.follows(lambda: self.status(f"/c/{TIMES[1]}mp_/{OTHER}") == 404, "the rule behind the link")

    def test_rules_of_others(self):
        folder = self.archive.folder
        (folder / "rules.aclj").write_text('org,other)/pic.png### - {"access": "block", "url": "%s"}\n'
                                           'org,other) - {"access": "exclude"}\n' % PICTURE)
        self.assertEqual(self.access("import", folder / "rules.aclj", "--format", "pywb"), "2 rules\n")
        self.archive.serve()
        self.assertEqual([self.status(f"/c/2021id_/{url}") for url in (PAGE, OTHER, PICTURE)], [200, 404, 451])
        self.assertEqual(len(self.access("export", "--format", "pywb").splitlines()), 2)
        rules = self.access("export", "--format", "outbackcdx", "--policies", folder / "policies.json")
        (folder / "rules.json").write_text(rules)
        again = self.archive.caddis("access", "import", folder / "rules.json", "--format", "outbackcdx", "--policies",
                                    folder / "policies.json", "--file", folder / "again.yaml")
        self.assertEqual(again, "2 rules\n")
        for url, verdict in ((PAGE, "allow"), (OTHER, "block"), (PICTURE, "block")):
            said = self.archive.caddis("access", "check", url, "--file", folder / "again.yaml", "--collection", folder)
            self.assertTrue(said.startswith(verdict), said)


class PeopleTest(AccessTest):
    def test_users_groups_and_the_api_of_admins(self):
        users = self.archive.folder / "users"
        names = {name: self.archive.caddis("users", "add", name, "--role", role, "--file", users).strip()
                 for name, role in (("vera", "viewer"), ("ada", "admin"))}
        tokens = {name: "Bearer " + self.archive.caddis("users", "token", "add", name, "--role", role, "--file", users).strip()
                  for name, role in (("vera", "viewer"), ("ada", "admin"))}
        self.assertEqual(len(names), 2)
        self.archive.serve(None, "--users", users, "--access-log", self.archive.folder / "access.log")
        vera, ada = ({"Authorization": tokens[name]} for name in ("vera", "ada"))
        path = "/api/access/rules?collection=c"
        self.assertEqual((self.status(path), self.status(path, **vera), self.status(path, **ada)), (401, 403, 200))
        self.assertEqual(self.status("/metrics", **vera), 403)
        rule = {"id": "r", "verdict": "exclude", "domain": "other.org"}
        self.assertEqual(self.status(path, "POST", json.dumps(rule), **vera), 403)
        self.assertEqual(self.status(path, "POST", json.dumps(rule), **ada), 201)
        self.assertEqual(self.status(path, "POST", json.dumps(rule), **ada), 409)
        self.assertEqual(self.status(path, "POST", '{"id": "x", "verdict": "nothing"}', **ada), 400)
        self.assertEqual(self.stamps(OTHER, **vera), [])
        allowed = {"id": "s", "verdict": "allow", "domain": "other.org", "groups": ["viewer"]}
        self.assertEqual(self.status(path, "POST", json.dumps(allowed), **ada), 201)
        self.assertEqual(len(self.stamps(OTHER, **vera)), 1)
        self.assertEqual(self.stamps(OTHER, **ada), [])
        self.assertEqual([rule["by"] for rule in self.archive.json(path, **ada)["rules"]], ["ada", "ada"])
        said = self.archive.json(f"/api/access/check?collection=c&url={OTHER}&user=vera&role=viewer", **ada)
        self.assertEqual((said["verdict"], said["decisions"][0]["rule"]), ("allow", "s"))
        self.assertEqual(self.status(f"/api/access/check?collection=c&url={OTHER}&user=vera&role=viwer", **ada), 400)
        # The frame of a user shows what the user may see, though it has no log-in.
        page = self.ask(f"/c/{TIMES[1]}/{OTHER}", Sec_Fetch_Dest="document", **vera)[2]
        keyed = re.search(r'src="(/~[0-9a-f]{32}/c/[^"]+)"', page)[1]
        self.assertIn("other", self.ask(keyed, Sec_Fetch_Dest="iframe")[2])
        own = self.ask(f"/c/{TIMES[1]}/{PAGE}", Sec_Fetch_Dest="document", **ada)[2]
        key = re.search(r'src="(/~[0-9a-f]{32})/c/', own)[1]
        self.assertEqual(self.status(key + keyed[keyed.index("/c/"):], Sec_Fetch_Dest="iframe"), 404)
        decided = self.archive.json(path, **ada)["decided"]
        self.assertGreaterEqual(decided["r"], 1)
        self.assertEqual(self.status(path, "POST", '{"id": "t", "verdict": "block", "host": "third.org"}', **ada), 201)
        after = self.archive.json(path, **ada)["decided"]
        self.assertEqual((after["r"] >= decided["r"], after["s"] >= decided["s"], after["t"]), (True, True, 0))
        self.assertEqual(self.status("/api/access/rules/t?collection=c", "DELETE", **ada), 204)
        metrics = self.ask("/metrics", **ada)[2]
        self.assertRegex(metrics, r'caddis_serve_decisions_total\{verdict="exclude"\} [1-9]')
        self.assertIn("caddis_serve_access_rules 2\n", metrics)
        self.assertEqual(self.status("/metrics", "POST", "", **ada), 405)
        self.assertEqual(self.status("/api/access/rules/r?collection=c", "DELETE", **ada), 204)
        self.assertEqual(len(self.stamps(OTHER, **ada)), 1)
        last = (r'^127\.0\.0\.1 - ada \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET /c/cdx\?url=\S+ HTTP/1\.1" '
                r'200 \d+ "-" "-"$')
        log = self.archive.folder / "access.log"
        log = harness.wait_until(lambda: re.search(last, (lines := log.read_text().splitlines())[-1]) and lines, "line of the last answer")
        self.assertTrue(any(" 403 " in line for line in log))


class ClientsTest(AccessTest):
    def test_clients_behind_a_proxy(self):
        self.access("add", "block", "--domain", "other.org")
        self.access("add", "allow", "--domain", "other.org", "--network", "192.0.2.0/24")
        self.access("add", "allow", "--domain", "other.org", "--user", "vera")
        path = f"/c/{TIMES[1]}id_/{OTHER}"
        self.archive.serve()
        self.assertEqual(self.status(path, X_Forwarded_For="192.0.2.7"), 451)  # anybody can write that
        self.archive.serve(None, "--trusted-proxy", "127.0.0.0/8", "--user-header", "X-User")
        self.assertEqual(self.status(path), 451)
        self.assertEqual(self.status(path, X_Forwarded_For="192.0.2.7"), 200)
        self.assertEqual(self.status(path, X_Forwarded_For="192.0.2.7, 198.51.100.1"), 451)
        self.assertEqual(self.status(path, X_Forwarded_For="198.51.100.1, 192.0.2.7, 127.0.0.2"), 200)
        self.assertEqual(self.status(path, X_User="vera"), 200)
        self.assertIn("--trusted-proxy", self.archive.caddis("serve", self.archive.path, "--user-header", "X-User", code=2))

    def test_a_client_may_send_so_many(self):
        log = self.archive.folder / "access.log"
        self.archive.serve(None, "--requests-per-minute", 6, "--requests-at-once", 3, "--trusted-proxy", "127.0.0.1",
                           "--access-log", log, "--access-log-size", 300, "--access-logs-kept", 2)
        path = f"/c/{TIMES[0]}id_/{PAGE}"
        answers = [self.ask(path, X_Forwarded_For="192.0.2.1") for _ in range(5)]
        self.assertEqual([answer[0] for answer in answers], [200, 200, 200, 429, 429])
        self.assertTrue(1 <= int(answers[-1][1]["Retry-After"]) <= 20)
        self.assertEqual(self.status(path, X_Forwarded_For="192.0.2.2"), 200)
        for client in range(8):
            self.status(path, X_Forwarded_For=f"2001:db8:0:{client}::1")
        # A line is written when its answer has been sent.
        kept = ["access.log", "access.log.1", "access.log.2"]
        harness.wait_until(lambda: sorted(file.name for file in log.parent.glob("access.log*")) == kept, "three logs")
        # Whoever moves the log away gets another one.
        log.rename(log.with_name("moved"))
        time.sleep(1.5)
        self.status(path, X_Forwarded_For="192.0.2.9", User_Agent='a "quoted" \\ name')
        harness.wait_until(lambda: log.exists() and r'"a \"quoted\" \\ name"' in log.read_text(), "line with quotes")


class MementoTest(AccessTest):
    def test_fields_of_timegates_and_mementos(self):
        self.archive.serve()
        origin = {"Origin": "https://elsewhere.test"}
        status, headers, _ = self.ask(f"/c/timegate/{PAGE}", Accept_Datetime="Fri, 01 Jan 2021 12:00:00 GMT", **origin)
        self.assertEqual((status, headers["Vary"].lower(), headers["Access-Control-Allow-Origin"]), (302, "accept-datetime", "*"))
        self.assertIsNone(headers["Memento-Datetime"])
        self.assertRegex(headers["Link"], r'rel="(first|prev|first prev) memento"')
        status, headers, _ = self.ask(headers["Location"], **origin)
        self.assertEqual((status, headers["Memento-Datetime"]), (200, "Fri, 01 Jan 2021 00:00:00 GMT"))
        self.assertEqual(headers["Access-Control-Allow-Origin"], "*")
        self.assertIn("Memento-Datetime", headers["Access-Control-Expose-Headers"])
        status, headers, _ = self.ask(f"/c/timegate/{PAGE}", "OPTIONS", Access_Control_Request_Headers="accept-datetime", **origin)
        self.assertEqual((status, "Accept-Datetime" in headers["Access-Control-Allow-Headers"]), (204, True))
        # What pages embed is answered at once.
        status, headers, body = self.ask(f"/c/id_/{PAGE}", Accept_Datetime="Wed, 01 Jan 2020 12:00:00 GMT")
        self.assertEqual((status, body, headers["Vary"].lower()), (200, f"<title>of {TIMES[0]}</title>", "accept-datetime"))
        self.assertIn(TIMES[0], headers["Content-Location"])
        self.assertEqual(self.status(f"/c/id_/{PAGE}", Accept_Datetime="yesterday"), 400)
        # A form is asked for by Prefer.
        status, headers, body = self.ask(f"/c/{TIMES[0]}/{PAGE}", Prefer="raw")
        self.assertEqual((status, body, headers["Preference-Applied"]), (200, f"<title>of {TIMES[0]}</title>", "raw"))
        self.assertIn("prefer", headers["Vary"].lower())
        self.assertIn("id_", headers["Content-Location"])
        self.assertIn("client.js", self.ask(f"/c/{TIMES[0]}/{PAGE}", Prefer="rewritten")[2])
        self.assertIn("id_", self.ask(f"/c/{PAGE}", Prefer="original-content")[1]["Location"])

    def test_a_client_of_the_field(self):
        python = peers.python_with("memento_client")
        # It asks also the live page.
        live = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
        self.addCleanup(live.server_close)
        self.addCleanup(live.shutdown)
        threading.Thread(target=live.serve_forever, daemon=True).start()
        page = f"http://127.0.0.1:{live.server_address[1]}/"
        self.archive = DatedArchive(self, [(page, stamp, stamp.encode()) for stamp in TIMES])
        self.archive.serve()
        script = ("import sys, datetime, json\nfrom memento_client import MementoClient\n"
                  "client = MementoClient(timegate_uri=sys.argv[1], check_native_timegate=False)\n"
                  "info = client.get_memento_info(sys.argv[2], datetime.datetime(2021, 3, 1))\n"
                  "print(json.dumps(info, default=str))\n")
        code, said = peers.run([*python, "-W", "ignore", "-c", script], f"http://127.0.0.1:{self.archive.port}/c/timegate/", page)
        self.assertEqual(code, 0, said)
        info = json.loads(said.splitlines()[-1])
        self.assertEqual(info["original_uri"], page)
        stamps = {rel: re.search(r"/c/(\d{14})", memento["uri"][0])[1] for rel, memento in info["mementos"].items()}
        self.assertEqual({rel: stamps[rel] for rel in ("closest", "first", "last")},
                         {"closest": TIMES[1], "first": TIMES[0], "last": TIMES[2]})
        self.assertEqual(info["mementos"]["closest"]["datetime"][:10], "2021-01-01")

    def test_timemaps_in_pages(self):
        folder = self.archive.path / "indexes"
        folder.mkdir()
        lines = "".join(f'org,large)/ {time.strftime("%Y%m%d%H%M%S", time.gmtime(1_500_000_000 + i))} {{"url": "http://large.org/", '
                        f'"mime": "text/html", "status": "200", "digest": "A", "length": "9", "offset": "{i}", "filename": "x.warc.gz"}}\n'
                        for i in range(10_500))
        (folder / "large.cdxj").write_text(lines)
        self.archive.serve()
        for form in ("link", "json"):
            seen, path = [], f"/c/timemap/{form}/http://large.org/"
            while path:
                status, headers, body = self.ask(path)
                self.assertEqual(status, 200)
                links = body if form == "link" else headers["Link"]
                if form == "link":
                    seen += re.findall(r'/c/(\d{14})mp_/http://large.org/>; rel="[a-z ]*memento"', body)
                else:
                    seen += re.findall(r"\b(\d{14})\b", "\n".join(line[:120] for line in body.splitlines()))
                following = re.findall(rf'<http://[^/]+(/c/timemap/{form}/\d{{14}}/[^>]+)>; rel="timemap"[^,]*; from="[^"]+"; until="', links)
                path = following[0] if following else None
            self.assertEqual((len(seen), len(set(seen)), seen == sorted(seen)), (10_500, 10_500, True), form)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
