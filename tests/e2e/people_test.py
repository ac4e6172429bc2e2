#!/usr/bin/env python3
"""Who is let in: users, roles, tokens, log-ins of browsers, Digest, TLS, and what strangers may try."""

import base64
import hashlib
import http.client
import json
import pathlib
import re
import resource
import shutil
import signal
import socket
import ssl
import stat
import subprocess
import sys
import time
import unittest
import urllib.parse

import harness
from control_doors_test import Site

ROOT = pathlib.Path(__file__).resolve().parents[2]


class PeopleTest(unittest.TestCase):
    """A crawl that stands still, with the users vera (viewer), otto (operator) and ada (admin)."""

    made = ""  # the users file, which is made once by the commands

    def setUp(self):
        self.site = Site()
        self.addCleanup(self.site.close)
        self.crawl = harness.Crawl(self.site)
        self.addCleanup(self.crawl.remove)
        self.file = self.crawl.folder / "people/users"
        self.tls = None
        if not PeopleTest.made:
            PeopleTest.passwords = {name: self.users("add", name, "--role", role, *more).stdout.strip() for name, role, more in
                                    (("ada", "admin", ()), ("otto", "operator", ("--digest",)), ("vera", "viewer", ()))}
            PeopleTest.tokens = {name: self.users("token", "add", name, "--role", role).stdout.strip()
                                 for name, role in (("ada", "admin"), ("otto", "operator"), ("vera", "viewer"))}
            self.assertEqual(stat.S_IMODE(self.file.stat().st_mode), 0o600)
            PeopleTest.made = self.file.read_text()
        self.file.parent.mkdir(exist_ok=True)
        self.file.write_text(PeopleTest.made)

    def users(self, *arguments, code=0, text=None):
        done = subprocess.run([harness.BINARY, "users", *arguments, "--file", str(self.file)], capture_output=True, text=True, input=text,
                              env=harness.clean_environment(self.crawl.folder), timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def start(self, *more):
        process = self.crawl.start(more=["--paused", "--listen", "127.0.0.1:0", "--users", self.file, *more])
        self.addCleanup(harness.kill, process)
        self.said = []
        while not (found := re.search(r"statistics: (\S+)", self.said[-1] if self.said else "")):
            self.said.append(process.stderr.readline())
            self.assertTrue(self.said[-1], self.said)
        address = urllib.parse.urlsplit(found[1])
        self.port, self.scheme = address.port, address.scheme
        self.own_token = urllib.parse.parse_qs(address.query)["token"][0]
        harness.wait_until(lambda: self.crawl.status().get("state") == "paused", "paused crawl")
        return process

    def ask(self, path, method="GET", body=None, **headers):
        if self.tls:
            connection = http.client.HTTPSConnection("127.0.0.1", self.port, timeout=60, context=self.tls)
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def status(self, *arguments, **headers):
        return self.ask(*arguments, **headers)[0]

    def bearer(self, name):
        return f"Bearer {self.tokens[name]}"

    def basic(self, name, password):
        return "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()

    def log_in(self, name):
        status, headers, body = self.ask("/login", "POST", json.dumps({"name": name, "password": self.passwords[name]}))
        self.assertEqual(status, 200, body)
        return headers["Set-Cookie"], json.loads(body)["csrf"]

    def audit(self):
        return [json.loads(line) for line in pathlib.Path(f"{self.file}.audit.log").read_text().splitlines()]


class RolesTest(PeopleTest):
    def test_no_call_without_a_log_in(self):
        self.start()
        calls = [(method.upper(), path.replace("{name}", "crawl").replace("{host}", "a.example")) for path, method in
                 re.findall(r"^  (/\S*):\n(?:(?!  /).*\n)*?    (get|post):", (ROOT / "api/openapi.yaml").read_text(), re.M)]
        self.assertGreater(len(calls), 15)
        calls += [("POST", "/pause"), ("POST", "/stop"), ("POST", "/console"), ("GET", "/never"), ("DELETE", "/status"), ("GET", "/api/users"),
                  ("POST", "/api/users"), ("DELETE", "/api/users/ada"), ("GET", "/api/tokens"), ("GET", "/api/me"), ("POST", "/logout")]
        wrong = ({}, {"Authorization": "Bearer 0"}, {"Authorization": self.basic("ada", "")}, {"Authorization": "Nonsense"},
                 {"Cookie": f"caddis_{self.port}=0"})
        for method, path in calls:
            for headers in wrong if path == "/stop" else wrong[:2]:
                self.assertIn(self.status(path, method, **headers), (401, 429), (method, path, headers))
        self.assertEqual(self.crawl.status()["state"], "paused")

    def test_a_role_may_do_what_it_may(self):
        self.start()
        for name, allowed in (("vera", {"/status"}), ("otto", {"/status", "/pause"}), ("ada", {"/status", "/pause", "/console"})):
            for path, method in (("/status", "GET"), ("/pause", "POST"), ("/console", "POST")):
                status, _, body = self.ask(path, method, "return 1" if path == "/console" else None, Authorization=self.bearer(name))
                self.assertEqual(status == 403, path not in allowed, (name, path, status, body))
        self.assertEqual(self.status("/console", "POST", Authorization=f"Bearer {self.own_token}") == 403, False)
        self.assertEqual(self.status("/api/users", Authorization=self.bearer("otto")), 403)
        changes = [(line["who"], line["what"], line["status"]) for line in self.audit()]
        self.assertIn(("otto", "POST /pause", 200), changes)
        self.assertIn(("vera", "POST /pause", 403), changes)
        self.assertFalse([line for line in self.audit() if line["what"].startswith("GET") and line["status"] == 200])

    def test_the_file_keeps_no_secret_and_is_followed(self):
        for secret in [*self.passwords.values(), *self.tokens.values()]:
            self.assertNotIn(secret, self.file.read_text())
        self.users("remove", "ada", code=1)
        self.users("role", "vera", "king", code=2)
        self.users("add", "a:b", code=2)
        self.users("add", "nick", "--ask", text="short\n", code=2)
        self.users("add", "nick", "--ask", text="long enough\n")
        self.assertIn("nick", self.users("list").stdout)
        self.start()
        self.assertEqual(self.status("/status", Authorization=self.basic("nick", "long enough")), 200)
        self.users("remove", "nick")
        harness.wait_until(lambda: self.status("/status", Authorization=self.basic("nick", "long enough")) != 200, "refusal", 20)
        # A token whose time is over.
        text = self.file.read_text()
        kept = hashlib.sha256(self.tokens["vera"].encode()).hexdigest()
        self.file.write_text(text.replace(f"never {kept}", f"2026-01-01T00:00:00Z {kept}"))
        harness.wait_until(lambda: self.status("/status", Authorization=self.bearer("vera")) == 401, "refusal", 20)
        self.assertIn("expired", self.ask("/status", Authorization=self.bearer("vera"))[2])
        self.assertEqual(self.status("/status", Authorization=self.bearer("otto")), 200)


class BrowserTest(PeopleTest):
    def test_a_browser_logs_in_and_out(self):
        self.start()
        status, headers, _ = self.ask("/?a=b", Accept="text/html")
        self.assertEqual((status, headers["Location"]), (303, "/login?next=%2F%3Fa%3Db"))
        page = self.ask(headers["Location"], Accept="text/html")
        self.assertEqual(page[0], 200)
        self.assertIn('value="/?a=b"', page[2])
        self.assertIn("frame-ancestors 'none'", page[1]["Content-Security-Policy"])
        form = urllib.parse.urlencode({"name": "otto", "password": self.passwords["otto"], "next": "/?a=b"})
        own = f"http://127.0.0.1:{self.port}"
        status, headers, _ = self.ask("/login", "POST", form, Content_Type="application/x-www-form-urlencoded", Origin=own)
        self.assertEqual((status, headers["Location"]), (303, "/?a=b"))
        for part in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(part, headers["Set-Cookie"])
        cookie = headers["Set-Cookie"].partition(";")[0]
        self.assertEqual(self.status("/", Cookie=cookie, Accept="text/html"), 200)
        self.assertEqual(self.status("/status", Cookie=cookie), 200)
        self.assertEqual(self.status("/pause", "POST", Cookie=cookie), 403)
        self.assertEqual(self.status("/pause", "POST", Cookie=cookie, Origin=own), 200)
        csrf = json.loads(self.ask("/api/me", Cookie=cookie)[2])["csrf"]
        self.assertEqual(self.status("/pause", "POST", Cookie=cookie, X_Caddis_CSRF=csrf), 200)
        self.assertEqual(self.status("/logout", "POST", Cookie=cookie, Origin=own), 200)
        self.assertEqual(self.status("/status", Cookie=cookie), 401)

    def test_other_pages_and_hosts_are_not_answered(self):
        self.start()
        cookie, csrf = self.log_in("otto")
        cookie = cookie.partition(";")[0]
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1", f"https://127.0.0.1:{self.port}"):
            for path, method in (("/status", "GET"), ("/pause", "POST"), ("/login", "POST")):
                self.assertEqual(self.status(path, method, Cookie=cookie, X_Caddis_CSRF=csrf, Origin=origin), 403, (origin, path))
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1.evil.example"):
            for path in ("/status", "/login", "/api/me"):
                self.assertEqual(self.status(path, Cookie=cookie, Host=host), 421, (host, path))

    def test_another_password_ends_the_log_ins(self):
        self.start()
        cookie, csrf = self.log_in("vera")
        cookie = cookie.partition(";")[0]
        body = json.dumps({"old": self.passwords["vera"], "new": "something else"})
        self.assertEqual(self.status("/api/me/password", "PUT", body, Cookie=cookie, X_Caddis_CSRF=csrf), 200)
        self.assertEqual(self.status("/status", Cookie=cookie), 401)
        self.assertEqual(self.status("/status", Authorization=self.basic("vera", "something else")), 200)


class ProgramsTest(PeopleTest):
    def digest(self, challenge, name, password, method, path, count, algorithm):
        nonce = re.search(r'nonce="([^"]+)"', challenge)[1]
        hashed = lambda text: (hashlib.md5 if algorithm == "MD5" else hashlib.sha256)(text.encode()).hexdigest()
        secret, request = hashed(f"{name}:caddis:{password}"), hashed(f"{method}:{path}")
        response = hashed(f"{secret}:{nonce}:{count:08x}:abc:auth:{request}")
        return (f'Digest username="{name}", realm="caddis", nonce="{nonce}", uri="{path}", algorithm={algorithm}, qop=auth, '
                f'nc={count:08x}, cnonce="abc", response="{response}"')

    def test_digest_is_taken_once(self):
        process = self.start()
        status, headers, _ = self.ask("/engine/job/a")
        self.assertEqual(status, 401)
        challenges = headers.get_all("WWW-Authenticate")
        self.assertEqual([challenge.split()[0] for challenge in challenges], ["Digest", "Digest", "Basic"])
        for count, (challenge, algorithm) in enumerate(zip(challenges[:2], ("SHA-256", "MD5")), 1):
            self.assertIn(f"algorithm={algorithm}", challenge)
            shown = self.digest(challenge, "otto", self.passwords["otto"], "GET", "/engine/job/a", count, algorithm)
            self.assertEqual(self.status("/engine/job/a", Authorization=shown), 404)
            status, headers, _ = self.ask("/engine/job/a", Authorization=shown)
            self.assertEqual(status, 401, "sent again")
            self.assertIn("stale=true", headers["WWW-Authenticate"])
        self.assertEqual(self.status("/engine/job/b", Authorization=shown), 401, "made for another path")
        self.assertEqual(self.status("/engine/job/a", "POST", Authorization=shown), 401, "made for another method")
        # Another process knows nothing of the nonce.
        process.send_signal(signal.SIGINT)
        harness.finish(process)
        shown = self.digest(challenges[0], "otto", self.passwords["otto"], "GET", "/engine/job/a", 9, "SHA-256")
        self.crawl = harness.Crawl(self.site)
        self.addCleanup(self.crawl.remove)
        self.start()
        status, headers, _ = self.ask("/engine/job/a", Authorization=shown)
        self.assertEqual(status, 401)
        self.assertIn("stale=true", headers["WWW-Authenticate"])
        # For vera nothing is kept that Digest needs.
        shown = self.digest(headers["WWW-Authenticate"], "vera", self.passwords["vera"], "GET", "/engine/job/a", 1, "SHA-256")
        self.assertEqual(self.status("/engine/job/a", Authorization=shown), 401)

    def test_guessing_is_slowed_down(self):
        self.start()
        wrong, right = self.basic("vera", "guessed it"), self.basic("vera", self.passwords["vera"])
        statuses = [self.status("/status", Authorization=wrong) for _ in range(8)]
        self.assertEqual(statuses[:3], [401] * 3)
        self.assertIn(429, statuses)
        answers = [self.ask("/status", Authorization=wrong) for _ in range(2)]
        for status, headers, body in answers:
            if status == 429:
                self.assertGreater(int(headers["Retry-After"]), 0, body)
        # Tokens go on working, and the password does when the wait is over.
        self.assertEqual(self.status("/status", Authorization=self.bearer("vera")), 200)
        harness.wait_until(lambda: self.status("/status", Authorization=right) == 200, "log-in", 60, 0.5)


class StrangersTest(PeopleTest):
    def test_slow_connections_hold_nobody_up(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard < 2400:
            self.skipTest("not enough files may be open")
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2400), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        self.start()
        slow = []
        self.addCleanup(lambda: [one.close() for one in slow])
        for i in range(2000):
            one = socket.socket()
            one.settimeout(10)
            one.bind((f"127.0.1.{1 + i % 100}", 0))
            one.connect(("127.0.0.1", self.port))
            slow.append(one)
            try:
                one.send(b"GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
            except OSError:
                pass  # cut already
            if i % 500 == 499:
                begin = time.monotonic()
                self.assertEqual(self.status("/status", Authorization=self.bearer("vera")), 200)
                self.assertLess(time.monotonic() - begin, 30)

    def test_huge_bodies_are_refused(self):
        self.start()
        for path in ("/login", "/urls", "/api/users"):
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
                connection.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100000000000\r\n\r\n".encode())
                self.assertIn(b" 413 ", connection.recv(100))
        status, _, _ = self.ask("/login", "POST", "{" * 1_000_000)
        self.assertIn(status, (400, 409, 413))
        deep = "[" * 8000
        self.assertEqual(self.status("/login", "POST", deep), 400)
        for head in ("Authorization: " + "Digest " + "a=b," * 10000, "Cookie: " + "a=b;" * 10000, "Authorization: Basic " + "A" * 40000):
            with socket.create_connection(("127.0.0.1", self.port), timeout=60) as connection:
                connection.sendall(f"GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}\r\n\r\n".encode())
                self.assertRegex(connection.recv(100), rb" (401|429|431) ")
        self.assertEqual(self.status("/status", Authorization=self.bearer("vera")), 200)


class ListeningTest(PeopleTest):
    def test_others_are_not_let_in_by_accident(self):
        def refused(*arguments):
            done = subprocess.run([harness.BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=60,
                                  env=harness.clean_environment(self.crawl.folder))
            self.assertEqual(done.returncode, 2, done.stderr)
            return done.stderr
        crawl = ["crawl", *self.site.seeds, "--collection", self.crawl.collection]
        self.assertIn("--tls", refused(*crawl, "--listen", "0.0.0.0:0"))
        self.assertIn("--tls", refused(*crawl, "--listen", "0.0.0.0:0", "--users", self.file))
        self.assertIn("once more", refused(*crawl, "--listen", "0.0.0.0:0", "--insecure", "127.0.0.1:0"))
        self.assertFalse(self.crawl.collection.exists())
        archive = self.crawl.folder / "empty"
        archive.mkdir()
        self.assertIn("--users", refused("serve", archive, "--listen", "[::]:0", "--tls"))
        self.assertIn("caddis users add", refused(*crawl, "--listen", "127.0.0.1:0", "--users", self.crawl.folder / "none"))

    def test_tls_with_a_certificate_of_our_own(self):
        self.tls = ssl.create_default_context()
        self.tls.check_hostname, self.tls.verify_mode = False, ssl.CERT_NONE
        fingerprints = set()
        for _ in range(2):
            process = self.start("--tls")
            self.assertEqual(self.scheme, "https")
            shown = hashlib.sha256(ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", self.port)))).hexdigest()
            said = re.search(r"SHA-256: (\S+)", "".join(self.said))[1]
            self.assertEqual(said.replace(":", "").lower(), shown)
            fingerprints.add(shown)
            cookie, _ = self.log_in("otto")
            self.assertIn("; Secure", cookie)
            self.assertIn("__Host-", cookie)
            own = f"https://127.0.0.1:{self.port}"
            self.assertEqual(self.status("/pause", "POST", Cookie=cookie.partition(";")[0], Origin=own), 200)
            process.send_signal(signal.SIGINT)
            harness.finish(process)
            self.crawl = harness.Crawl(self.site)
            self.addCleanup(self.crawl.remove)
        self.assertEqual(len(fingerprints), 1, "it is kept")
        for name in ("tls-key.pem", "tls-certificate.pem"):
            self.assertEqual(stat.S_IMODE((self.file.parent / name).stat().st_mode), 0o600)
        # It is right for the names that it has.
        self.tls = ssl.create_default_context(cafile=str(self.file.parent / "tls-certificate.pem"))
        self.start("--tls")
        self.assertEqual(self.status("/status", Authorization=self.bearer("vera")), 200)

    @unittest.skipUnless(shutil.which("openssl"), "there is no openssl command")
    def test_clients_show_a_certificate(self):
        folder = self.crawl.folder

        def openssl(*arguments):
            subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True, cwd=folder)
        for name in ("ca", "other"):
            openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key", "-out",
                    f"{name}.pem", "-subj", f"/CN={name}", "-days", "2")
            openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}-client.key", "-out",
                    f"{name}.csr", "-subj", "/CN=client")
            openssl("x509", "-req", "-in", f"{name}.csr", "-CA", f"{name}.pem", "-CAkey", f"{name}.key", "-CAcreateserial", "-out",
                    f"{name}-client.pem", "-days", "2")
        self.start("--client-ca", folder / "ca.pem")
        for name, expected in (("ca", True), ("other", False), (None, False)):
            self.tls = ssl.create_default_context()
            self.tls.check_hostname, self.tls.verify_mode = False, ssl.CERT_NONE
            if name:
                self.tls.load_cert_chain(folder / f"{name}-client.pem", folder / f"{name}-client.key")
            try:
                answered = self.status("/status", Authorization=self.bearer("vera")) == 200
            except (OSError, http.client.HTTPException):
                answered = False
            self.assertEqual(answered, expected, name)


class ArchiveTest(PeopleTest):
    def test_an_archive_is_shown_to_those_who_log_in(self):
        code, out, err = self.crawl.run()
        self.assertEqual(code, 0, out + err)
        process = self.crawl.popen([harness.BINARY, "serve", self.crawl.collection, "--listen", "127.0.0.1:0", "--users", self.file])
        self.addCleanup(harness.kill, process)
        self.port = int(re.search(r":(\d+)/", process.stdout.readline())[1])
        seed = f"/c/2026/{self.site.seeds[0]}"
        for path in ("/", "/c/", seed, f"/c/cdx?url={self.site.seeds[0]}", f"/c/timemap/link/{self.site.seeds[0]}", "/api/users"):
            self.assertEqual(self.status(path), 401, path)
        self.assertEqual(self.ask("/c/", Accept="text/html")[1]["Location"], "/login?next=%2Fc%2F")
        right = self.bearer("vera")
        self.assertEqual(self.status("/c/", Authorization=right), 200)
        index = self.ask(f"/c/cdx?url={self.site.seeds[0]}&output=json", Authorization=right)
        self.assertEqual(index[0], 200)
        cookie = self.log_in("vera")[0].partition(";")[0]
        browser = {"Accept": "text/html", "Sec_Fetch_Dest": "document", "Sec_Fetch_Mode": "navigate"}
        status, headers, page = self.ask(seed, Cookie=cookie, **browser)
        if status in (302, 307):
            status, headers, page = self.ask(headers["Location"], Cookie=cookie, **browser)
        self.assertEqual(status, 200)
        keyed = re.search(r"/~[0-9a-f]{32}/c/[^\"'&\s]+", page)
        self.assertTrue(keyed, page)
        frame = {"Accept": "text/html", "Sec_Fetch_Dest": "iframe", "Sec_Fetch_Mode": "navigate"}
        self.assertEqual(self.status(keyed[0], **frame), 200)
        self.assertEqual(self.status(re.sub("~[0-9a-f]{4}", "~0000", keyed[0]), **frame), 404)
        # The host of captures has no log-in, and shows nothing.
        self.assertIn(self.status(seed.replace("/2026/", "/2026mp_/"), Host=f"c.localhost:{self.port}", **frame), (401, 303, 404, 421))
        # With the button on the page, the log-in ends, and what was shown by it.
        page = self.ask("/c/", Cookie=cookie, Accept="text/html")[2]
        self.assertRegex(page, r'<form class="user" method="post" action="/logout"><span>[^<]*vera</span>')
        self.assertEqual(self.status(keyed[0], **frame), 200)
        answer = self.ask("/logout", "POST", "", Cookie=cookie, Origin=f"http://127.0.0.1:{self.port}",
                          Content_Type="application/x-www-form-urlencoded")
        self.assertEqual((answer[0], answer[1]["Location"]), (303, "/login"))
        self.assertEqual(self.status(keyed[0], **frame), 404)
        self.assertEqual(self.status("/c/", Cookie=cookie), 401)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
