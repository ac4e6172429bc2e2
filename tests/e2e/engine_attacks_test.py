#!/usr/bin/env python3
"""Strangers and their tricks at an engine's port: nothing without a log-in, nothing from other pages, hosts or old tokens, nothing
outside of the jobs; slow connections and huge bodies hold nobody up.

CADDIS_SLOW_CONNECTIONS: how many there are (2000 by default; 10000 by hand).
"""

import base64
import gzip
import hashlib
import http.client
import json
import os
import re
import resource
import socket
import subprocess
import sys
import time
import urllib.parse

import harness
import yaml
from engines import EngineCase
from people_test import ROOT

SLOW = int(os.environ.get("CADDIS_SLOW_CONNECTIONS", "2000"))
CONTROL = ("/status", "/pause", "/settings", "/console", "/urls/delete")


class AttackTest(EngineCase):
    def setUp(self):
        super().setUp()
        self.engine.folder.mkdir()
        self.users = self.engine.folder / "users"
        self.tokens = {name: self.user("token", "add", name, "--role", role) for name, role in self.made()}

    def made(self):
        for name, role in (("ada", "admin"), ("otto", "operator"), ("vera", "viewer")):
            self.passwords = {**getattr(self, "passwords", {}), name: self.user("add", name, "--role", role, "--digest")}
            yield name, role

    def user(self, *arguments):
        done = subprocess.run([harness.BINARY, "users", *arguments, "--file", self.users], capture_output=True, text=True, timeout=60,
                              env=harness.clean_environment(self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.strip()

    def start(self, *more):
        self.engine.start(*more)
        self.port = int(re.search(r"http://127.0.0.1:(\d+)/", self.engine.said)[1])

    def ask(self, method, path, body=None, token=None, **headers):
        """(status, fields of the head, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            fields["Authorization"] = f"Bearer {self.tokens[token]}"
        try:
            connection.putrequest(method, path, skip_host="Host" in fields)
            fields.setdefault("Content-Length", str(len(body or "")))
            for name, value in fields.items():
                connection.putheader(name, value)
            connection.endheaders((body or "").encode())
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def status(self, *arguments, **more):
        return self.ask(*arguments, **more)[0]

    def calls(self):
        """(method, path) of all that the engine answers: its own API, the crawl's below it, Heritrix's."""
        document = yaml.safe_load((ROOT / "api/engine.yaml").read_text())
        for path, item in document["paths"].items():
            for method in item.keys() & {"get", "put", "post", "delete"}:
                for name in CONTROL if "/control/" in path else [""]:
                    yield method.upper(), re.sub(r"{path}", name.strip("/") or "x", path).format(job="a", action="launch", launch="latest", log="crawl.log")
        for path in ("/engine", "/engine/job/a", "/engine/job/a/jobdir/crawl.yaml", "/engine/job/a/report/CrawlSummaryReport", "/engine/job/a/script",
                     "/engine/job/a/beans", "/engine/jobsdir/", f"/engine/anypath{self.engine.folder}/a/crawl.yaml"):
            yield "GET", path
        for path in ("/engine", "/engine/job/a", "/engine/job/a/script", "/engine/job/a/jobdir/crawl.yaml"):
            yield "POST", path
        yield from (("PUT", "/engine/job/a/jobdir/crawl.yaml"), ("GET", "/metrics"), ("GET", "/api/me"), ("GET", "/api/users"), ("POST", "/api/users"),
                    ("GET", "/api/tokens"), ("POST", "/api/tokens"))

    def paused_job(self):
        self.new_job("a", self.site_of())
        self.engine.act("a", "launch?paused=1")
        self.engine.wait("a", "PAUSED")

    def test_no_call_without_a_log_in_from_elsewhere_or_with_an_old_token(self):
        self.start()
        self.paused_job()
        calls = list(self.calls())
        self.assertGreater(len(calls), 35)
        before = self.engine.job("a")["state"], self.engine.raw("GET", "/api/jobs/a/config")[2]
        for method, path in calls:
            where = (method, path)
            self.assertIn(self.status(method, path), (401, 303), where)
            self.assertIn(self.status(method, path, Authorization="Bearer 0123456789"), (401, 429), where)
            # A browser that is logged in, led here by another page or by a name that points here.
            self.assertEqual(self.status(method, path, token="ada", Origin="http://evil.example"), 403, where)
            self.assertEqual(self.status(method, path, token="ada", Host="evil.example"), 421, where)
        # A token is good until it is taken away.
        self.assertEqual(self.status("GET", "/api/jobs", token="otto"), 200)
        kept = hashlib.sha256(self.tokens["otto"].encode()).hexdigest()
        self.user("token", "remove", re.search(rf"(?m)^token (\S+) otto \S+ \S+ {kept}", self.users.read_text())[1])
        harness.wait_until(lambda: self.status("GET", "/api/jobs", token="otto") == 401, "refusal of a token that was taken away", 20)
        self.assertEqual((self.engine.job("a")["state"], self.engine.raw("GET", "/api/jobs/a/config")[2]), before)

    def test_a_viewer_changes_nothing(self):
        self.start()
        self.paused_job()
        for method, path in self.calls():
            own = path in ("/api/tokens", "/api/me")  # of the viewer's own
            if method != "GET" and not own:
                self.assertEqual(self.status(method, path, "{}", token="vera"), 403, (method, path))
        self.assertEqual(self.status("GET", "/api/jobs/a", token="vera"), 200)
        self.assertEqual(self.status("GET", "/api/jobs/a/config", token="vera"), 403, "it may hold secrets")
        self.assertEqual(self.status("GET", "/api/users", token="otto"), 403)
        self.assertEqual(self.status("POST", "/api/jobs/a/control/console", "return 1", token="otto"), 403, "scripts may do anything")
        self.assertEqual(self.status("POST", "/engine", "action=exit+java+process&im_sure=on", token="otto"), 403)
        self.assertEqual(self.engine.job("a")["state"], "PAUSED")

    def test_cookies_alone_change_nothing(self):
        self.start()
        status, headers, body = self.ask("POST", "/login", json.dumps({"name": "ada", "password": self.passwords["ada"]}))
        self.assertEqual(status, 200, body)
        cookie = headers["Set-Cookie"].partition(";")[0]
        self.assertEqual(self.status("GET", "/api/jobs", Cookie=cookie), 200)
        for path in ("/api/jobs/rescan", "/engine", "/api/users"):
            self.assertEqual(self.status("POST", path, "action=rescan", Cookie=cookie), 403, path)
            self.assertEqual(self.status("POST", path, "action=rescan", Cookie=cookie, Sec_Fetch_Site="cross-site"), 403, path)
        own = f"http://127.0.0.1:{self.port}"
        self.assertEqual(self.status("POST", "/api/jobs/rescan", Cookie=cookie, Origin=own), 200)
        # Basic and Digest are sent by browsers, too, once somebody has typed them in.
        known = "Basic " + base64.b64encode(f"ada:{self.passwords['ada']}".encode()).decode()
        self.assertEqual(self.status("POST", "/engine", "action=rescan", Authorization=known, Sec_Fetch_Site="cross-site"), 403)
        self.assertEqual(self.status("POST", "/engine", "action=rescan", Authorization=known, Origin="http://evil.example"), 403)
        # Log-ins end with the engine.
        self.engine.stop()
        self.start()
        self.assertEqual(self.status("GET", "/api/jobs", Cookie=cookie), 401)

    def test_no_path_leads_out(self):
        self.start()
        self.paused_job()
        secret = self.folder / "secret"
        secret.write_text("do not tell")
        (self.engine.folder / "a/away").symlink_to(self.folder)
        launch = "/api/jobs/a/launches/latest"
        ways = [f"/engine/anypath{secret}", "/engine/anypath/etc/passwd", f"/engine/anypath{self.engine.folder}/../secret",
                f"/engine/anypath{self.engine.folder}/a/away/secret", f"/engine/anypath{self.users}", "/engine/job/a/jobdir/../../../secret",
                "/engine/job/a/jobdir/%2e%2e/%2e%2e/%2e%2e/secret", "/engine/job/a/jobdir/away/secret", "/engine/job/%2e%2e/jobdir/secret",
                "/engine/jobsdir/..%2fsecret", "/engine/jobsdir/users", "/engine/job/a/jobdir/%00", f"{launch}/files/../../../../secret",
                f"{launch}/files/%2e%2e/%2e%2e/%2e%2e/%2e%2e/secret", f"{launch}/files/state/../../away/secret",
                f"{launch}/logs/..%2f..%2f..%2fsecret", "/api/jobs/a/launches/..%2f../files/secret", "/api/jobs/..%2f..%2f/config"]
        for path in ways:
            status, _, body = self.ask("GET", path, token="ada")
            self.assertIn(status, (400, 403, 404), path)
            self.assertNotIn(b"do not tell", body, path)
            self.assertNotIn(b"scrypt", body, path)
        for path in ("/engine/job/a/jobdir/away/x", "/engine/job/a/jobdir/../../../x", "/engine/job/a/jobdir/job.yaml"):
            self.assertIn(self.status("PUT", path, "x", token="ada"), (403, 404), path)
        for name in ("../x", "..", "a/../../x", "/tmp/x", ".x"):
            self.assertIn(self.status("POST", "/api/jobs", json.dumps({"name": name}), token="ada"), (400, 409), name)
            self.ask("POST", "/engine", "action=create&createpath=" + urllib.parse.quote(name), token="ada")
            self.ask("POST", "/engine", "action=add&addpath=" + urllib.parse.quote(name), token="ada")
        self.assertEqual({job["name"] for job in self.engine.ask("GET", "/api/jobs")["jobs"]}, {"a"})
        self.assertFalse((self.folder / "x").exists() or (self.engine.folder / "x").exists())

    def test_scripts_have_limits(self):
        self.start()
        self.paused_job()
        began = time.monotonic()
        for script in ("while true do end", "local t = {} for i = 1, 1e9 do t[i] = tostring(i) end", "return string.rep('x', 1e10)"):
            answer = json.loads(self.ask("POST", "/api/jobs/a/control/console", script, token="ada")[2])
            self.assertTrue(answer["error"], script)
            self.assertEqual(self.engine.job("a")["state"], "PAUSED")
        self.assertLess(time.monotonic() - began, 120)
        for script in ("os.execute('id')", "io.open('/etc/passwd')", "require('os')", "load('x')"):
            answer = json.loads(self.ask("POST", "/api/jobs/a/control/console", script, token="ada")[2])
            self.assertTrue(answer.get("error"), script)
        form = urllib.parse.urlencode({"engine": "groovy", "script": "'id'.execute().text"})
        self.assertIn(b"<failure>true", self.ask("POST", "/engine/job/a/script", form, token="ada", Accept="application/xml")[2])
        form = urllib.parse.urlencode({"engine": "groovy", "script": "x" * 3_000_000})
        self.assertIn(self.status("POST", "/engine/job/a/script", form, token="ada"), (200, 400, 413))

    def test_huge_bodies_are_refused(self):
        self.start()
        self.new_job("a", self.site_of())
        for path in ("/login", "/engine", "/api/jobs", "/engine/job/a/script"):
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
                connection.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000000000\r\n\r\n".encode())
                self.assertIn(b" 413 ", connection.recv(100), path)
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            connection.sendall(b"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
            try:
                for _ in range(2000):
                    connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")
            except OSError:
                pass  # it was cut
        # A form that unpacks to a thousand times its size.
        bomb = gzip.compress(b"script=" + b"x" * 200_000_000)
        with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
            head = (f"POST /engine/job/a/script HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.tokens['ada']}\r\nContent-Encoding: gzip\r\n"
                    f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(bomb)}\r\n\r\n")
            connection.sendall(head.encode() + bomb)
            self.assertRegex(connection.recv(100), rb" (400|413) ")
        self.assertIn(self.status("POST", "/api/jobs", "[" * 100_000, token="ada"), (400, 413))
        self.assertEqual(self.status("GET", "/api/jobs", token="vera"), 200)

    def test_slow_connections_hold_nobody_up(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < SLOW + 400:
            self.skipTest("not enough files may be open")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, SLOW + 400), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        self.start()
        slow, took = [], []
        self.addCleanup(lambda: [one.close() for one in slow])
        for i in range(SLOW):
            one = socket.socket()
            one.settimeout(10)
            one.bind((f"127.0.1.{1 + i % 100}", 0))
            try:
                one.connect(("127.0.0.1", self.port))
                one.send(b"GET /api/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
            except OSError:
                pass  # cut already
            slow.append(one)
            if i % (SLOW // 4) == SLOW // 4 - 1:
                began = time.monotonic()
                self.assertEqual(self.status("GET", "/api/jobs", token="vera"), 200)
                took.append(time.monotonic() - began)
        harness.tell(self, connections=SLOW, milliseconds=int(1000 * max(took)))
        print(f"{SLOW} slow connections: at most {1000 * max(took):.0f} ms", flush=True)
        self.assertLess(max(took), 15)
        self.assertEqual(self.engine.stop(), 0)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
