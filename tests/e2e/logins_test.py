#!/usr/bin/env python3
"""Logins as a person meets them: Basic and Digest, a form with a session that ends, proxies, and passwords that nobody finds."""

import base64
import email
import gzip
import hashlib
import http.server
import json
import os
import pathlib
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.parse
import urllib.request

import harness

USER, PASSWORD = "crawler", "s3cret-of-the-site"
PAGES = 12  # fewer than scope.max-hops
USES = 4  # of a nonce, and of a session


def md5(text):
    return hashlib.md5(text.encode()).hexdigest()


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def parameters(field):
    """Of a Digest: {name: value}"""
    return {name.strip(): value.strip().strip('"') for name, _, value in
            (part.partition("=") for part in field.partition(" ")[2].split(", "))}


def fields_of(content_type, body):
    """The fields of a form, in either coding."""
    if not content_type.startswith("multipart/form-data"):
        return dict(urllib.parse.parse_qsl(body, keep_blank_values=True))
    message = email.message_from_string(f"Content-Type: {content_type}\r\n\r\n{body}")
    return {part.get_param("name", header="Content-Disposition"): part.get_payload() for part in message.get_payload()}


class Digests:
    """The server's side of RFC 7616, which takes nothing that is not exactly right."""

    def __init__(self, algorithm="SHA-256", uses=USES, says_stale=True, user=USER, password=PASSWORD):
        self.algorithm, self.uses, self.says_stale = algorithm, uses, says_stale
        self.user, self.password = user, password
        self.hash = sha256 if algorithm.startswith("SHA-256") else md5
        self.nonces = {}  # nonce: highest nc so far
        self.sessions = {}  # nonce: the cnonce of its first use
        self.wrong = []
        self.lock = threading.Lock()

    def challenge(self, is_stale=False):
        with self.lock:
            nonce = f"n{len(self.nonces)}/+=x"
            self.nonces[nonce] = 0
        stale = ", stale=true" if is_stale and self.says_stale else ""
        return f'Digest realm="the \\"archive\\"", qop="auth-int, auth", algorithm={self.algorithm}, nonce="{nonce}", opaque="o"{stale}'

    def takes(self, method, target, field):
        """None if it is right, or the challenge."""
        if not field:
            return self.challenge()
        if not field.startswith("Digest "):
            self.wrong.append(field)
            return self.challenge()
        given = parameters(field.replace('realm="the \\"archive\\""', "realm=ok"))
        a1 = self.hash(f'{self.user}:the "archive":{self.password}')
        if self.algorithm.endswith("-sess"):
            first = self.sessions.setdefault(given["nonce"], given["cnonce"])
            a1 = self.hash(f"{a1}:{given['nonce']}:{first}")
        a2 = self.hash(f"{method}:{given.get('uri')}")
        expected = self.hash(f"{a1}:{given.get('nonce')}:{given.get('nc')}:{given.get('cnonce')}:auth:{a2}")
        nonce, count = given.get("nonce"), int(given.get("nc", "0"), 16)
        with self.lock:
            highest = self.nonces.get(nonce)
            is_fresh = highest is not None and count > highest
            if is_fresh:
                self.nonces[nonce] = count
        right = (given.get("response") == expected and given.get("uri") == target and given.get("username") == self.user
                 and given.get("opaque") == "o" and given.get("qop") == "auth" and given.get("algorithm") == self.algorithm)
        if not right or not is_fresh:
            self.wrong.append(field)
            return self.challenge()
        return self.challenge(is_stale=True) if count > self.uses else None


class Site:
    """Pages behind Digest, behind Basic, and behind a form whose session shows USES pages."""

    def __init__(self, password=PASSWORD, digests=None, coding="application/x-www-form-urlencoded"):
        self.password, self.coding = password, coding
        self.head, self.user_type, self.welcome = "", "email", "an open page"  # of the form's page; of who is in
        self.digests = digests or Digests()
        self.requests = []  # (method, target)
        self.sessions = {}  # id: pages shown
        self.tokens = set()
        self.logins = 0
        self.echoed = []
        self.lock = threading.Lock()
        self.seeds = []

    def __enter__(self):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self.answer("")

            def do_POST(self):
                self.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

            def answer(self, body):
                site.requests.append((self.command, self.path))
                status, headers, page = site.answer(self.command, self.path, self.headers, body)
                self.send_response(status)
                for name, value in [("Content-Type", "text/html"), *headers]:
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(page)))
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def answer(self, method, target, headers, body):
        path = target.partition("?")[0]
        if path.startswith("/digest/"):
            if challenge := self.digests.takes(method, target, headers["Authorization"]):
                return 401, [("WWW-Authenticate", 'Basic realm="other"'), ("WWW-Authenticate", challenge)], "who are you?"
            return self.page("/digest/p", path)
        if path.startswith("/basic/"):
            right = "Basic " + base64.b64encode(f"{USER}:{self.password}".encode()).decode()
            if headers["Authorization"] != right:
                return 401, [("WWW-Authenticate", 'Basic realm="old", charset="UTF-8"')], "who are you?"
            return self.page("/basic/p", path)
        if path in ("/login", "/club/enter"):
            return self.login(method, headers, body)
        if path == "/member/home" or path.startswith("/member/p"):
            return self.member(path, headers)
        if path == "/echo":
            with self.lock:
                self.echoed.append((method, headers["Content-Type"], body, headers["X-Lang"]))
            return 200, [], f"{method} {body} {headers['X-Lang']}"
        if path == "/welcome":
            return 200, [], self.welcome
        return (200, [], "an open page") if path == "/open" else (404, [], "")

    @staticmethod
    def page(prefix, path):
        number = int(path[len(prefix):] or "0")
        return 200, [], f"page {number}" + (f"<a href={prefix}{number + 1}?x=1>next</a>" if number < PAGES else "")

    def login(self, method, headers, body):
        if method == "GET":
            with self.lock:
                token = f"t{len(self.tokens)}"
                self.tokens.add(token)
            return (200, [("Set-Cookie", f"csrf={token}; Path=/")],
                    f"{self.head}<form action='login?in' method=post enctype={self.coding}><input type=hidden name=_csrf value={token}>"
                    "<select name=club><option>Guests<option selected> Old \n members </select><textarea name=note>\na b</textarea>"
                    f"<input type={self.user_type} name=mail><input type=password name=pwd><button name=go value=1>In</button></form>")
        fields = fields_of(headers["Content-Type"], body)
        if (fields.get("club"), fields.get("note")) != ("Old members", "a b"):
            return 400, [], "What club?"
        token_ok = fields.get("_csrf") in self.tokens and f"csrf={fields.get('_csrf')}" in (headers["Cookie"] or "")
        if not token_ok or fields.get("mail") != USER or fields.get("pwd") != self.password or fields.get("go") != "1":
            return 200, [], "Wrong password. <form method=post><input name=mail><input type=password name=pwd></form>"
        with self.lock:
            self.logins += 1
            session = f"s{self.logins}"
            self.sessions[session] = 0
        return 303, [("Set-Cookie", f"session={session}; Path=/; HttpOnly"), ("Location", "/welcome")], ""

    def member(self, path, headers):
        session = next((part.partition("=")[2] for part in (headers["Cookie"] or "").split("; ") if part.startswith("session=")), "")
        with self.lock:
            shown = self.sessions.get(session)
            if shown is None or shown >= USES:
                # Two ways of saying that a session has ended.
                return (302, [("Location", "/login?next=" + path)], "") if path[-1] in "02468" else (200, [], "Please log in!")
            self.sessions[session] += 1
        return self.page("/member/p", path.replace("home", "p0"))


class DigestProxy:
    """A proxy that wants a Digest for all that it forwards, and for tunnels."""

    def __init__(self):
        self.digests = Digests(algorithm="MD5", uses=3)
        self.forwarded = []

    def __enter__(self):
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def is_known(self):
                challenge = proxy.digests.takes(self.command, self.path, self.headers["Proxy-Authorization"])
                if challenge:
                    self.send_response(407)
                    self.send_header("Proxy-Authenticate", challenge)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                return not challenge

            def do_GET(self):
                if not self.is_known():
                    return
                proxy.forwarded.append(self.path)
                headers = {name: value for name, value in self.headers.items() if not name.startswith("Proxy-")}
                try:
                    answer = urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                        urllib.request.Request(self.path, headers=headers))
                except urllib.error.HTTPError as error:
                    answer = error
                body = answer.read()
                self.send_response(answer.status)
                for name in ("Content-Type", "WWW-Authenticate"):
                    if answer.headers[name]:
                        self.send_header(name, answer.headers[name])
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_CONNECT(self):
                if not self.is_known():
                    return
                proxy.forwarded.append(self.path)
                self.send_response(502)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Nginx:
    """nginx with auth_basic before a folder; `realms` name folders with another realm, and who may see them."""

    def __init__(self, realms=()):
        self.realms = realms

    def __enter__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-nginx-"))
        (self.folder / "pages").mkdir()
        (self.folder / "pages/index.html").write_text("<a href=/second.html>second</a>")
        (self.folder / "pages/second.html").write_text("second")
        (self.folder / "users").write_text(f"{USER}:{{PLAIN}}{PASSWORD}\n")
        locations = ""
        for number, (path, realm, user, password) in enumerate(self.realms):
            (self.folder / "pages" / path).mkdir()
            (self.folder / "pages" / path / "index.html").write_text(f"<a href=more.html>{realm}</a> <a href=/>up</a>")
            (self.folder / "pages" / path / "more.html").write_text(f"more of {realm}")
            (self.folder / "pages" / path).chmod(0o755)
            (self.folder / f"users{number}").write_text(f"{user}:{{PLAIN}}{password}\n")
            locations += f'location /{path}/ {{ auth_basic "{realm}"; auth_basic_user_file {self.folder}/users{number}; }}\n'
        for path in (self.folder, self.folder / "pages"):
            path.chmod(0o755)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (self.folder / "nginx.conf").write_text(f"""
daemon off; worker_processes 1; pid {self.folder}/pid; error_log {self.folder}/error.log;
events {{ worker_connections 64; }}
http {{
  access_log {self.folder}/access.log; client_body_temp_path {self.folder}/t1; proxy_temp_path {self.folder}/t2;
  fastcgi_temp_path {self.folder}/t3; uwsgi_temp_path {self.folder}/t4; scgi_temp_path {self.folder}/t5;
  types {{ text/html html; }}
  server {{ listen 127.0.0.1:{self.port}; root {self.folder}/pages; auth_basic "Members"; auth_basic_user_file {self.folder}/users;
  {locations} }}
}}
""")
        self.process = subprocess.Popen(["nginx", "-c", self.folder / "nginx.conf"], stderr=subprocess.DEVNULL)
        harness.wait_until(self.is_up, "nginx")
        self.seeds = [f"http://127.0.0.1:{self.port}/"]
        return self

    def is_up(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


class LoginsTest(unittest.TestCase):
    def setUp(self):
        self.site = self.enter(Site())

    def enter(self, server):
        server.__enter__()
        self.addCleanup(server.__exit__)
        return server

    def new_crawl(self, seeds, login="", settings=harness.SETTINGS, site=None):
        self.site.seeds = [self.site.url(path) for path in seeds]
        crawl = harness.Crawl(site or self.site)
        self.addCleanup(crawl.remove)
        secret = crawl.folder / "password"
        secret.write_text(PASSWORD + "\n")
        crawl.config.write_text(settings + f"""
logins:
  site: 127.0.0.1
  user: {USER}
  password: ${{file:{secret}}}
{login}""")
        return crawl

    def lines(self, crawl):
        return [line.split() for path in crawl.launches[0].glob("logs/crawl.log") for line in path.read_text().splitlines()]

    def statuses(self, crawl, path):
        return [line[1] for line in self.lines(crawl) if line[3] == self.site.url(path)]

    def bodies(self, crawl, path):
        return [record.body().decode() for record in crawl.records()
                if record.type in ("response", "revisit") and record.url == self.site.url(path)]

    def report(self, crawl, name):
        path = crawl.launches[0] / f"reports/{name}.txt"
        return path.read_text().splitlines()

    def assert_no_secret(self, crawl, password=PASSWORD, user=USER):
        """In no file but the one for secrets, which is its owner's alone."""
        needles = [password.encode(), urllib.parse.quote_plus(password).encode(),
                   base64.b64encode(f"{user}:{password}".encode())]
        for record in crawl.records():
            for needle in needles:
                self.assertNotIn(needle, record.block, record.url)
                self.assertNotIn(needle, record.url.encode())
        for path in crawl.collection.rglob("*"):
            if not path.is_file():
                continue
            data = path.read_bytes()
            if path.suffix == ".gz":
                data += gzip.decompress(data)
            if path.name == "secrets.yaml":
                self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o077, 0)
                continue
            for needle in needles:
                self.assertNotIn(needle, data, path)

    def test_basic_is_sent_where_it_was_asked_for(self):
        crawl = self.new_crawl(["/basic/p0", "/open"])
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.bodies(crawl, f"/basic/p{PAGES}?x=1"), [f"page {PAGES}"])
        # Once it was asked for; all others of the folder are told ahead.
        self.assertEqual(len([target for _, target in self.site.requests if target.startswith("/basic/p")]), PAGES + 2)
        self.assertIn("1 in basic 127.0.0.1", [" ".join(line.split()) for line in self.report(crawl, "logins-report")])
        self.assertEqual([line[11].count("login:basic") for line in self.lines(crawl) if "/basic/" in line[3]], [1] * (PAGES + 1))
        self.assertTrue(any(b"requestWithheld: Authorization" in record.block for record in crawl.records()))
        self.assert_no_secret(crawl)

    def test_nginx_lets_a_crawl_in(self):
        server = self.enter(Nginx())
        crawl = self.new_crawl([], site=server)
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(sorted((line[1], urllib.parse.urlsplit(line[3]).path) for line in self.lines(crawl) if line[1] == "200"),
                         [("200", "/"), ("200", "/second.html")])
        self.assert_no_secret(crawl)

    def test_each_realm_of_a_site_has_its_own_login(self):
        server = self.enter(Nginx([("staff", "Staff area", "anna", "annas word"), ("staff/press", "Press", "bert", "of-${bert")]))
        server.seeds.append(server.seeds[0] + "staff/")
        server.seeds.append(server.seeds[0] + "staff/press/")
        crawl = self.new_crawl([], site=server, login="""  realms:
    - "Staff area = anna:annas word"
    - "Press = bert:of-$${bert"
""")
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(sorted(urllib.parse.urlsplit(line[3]).path for line in self.lines(crawl) if line[1] == "200"),
                         ["/", "/second.html", "/staff/", "/staff/more.html", "/staff/press/", "/staff/press/more.html"])
        self.assertFalse([line for line in self.lines(crawl) if line[1] == "401" and "robots.txt" not in line[3]])
        self.assert_no_secret(crawl)
        for user, password in (("anna", "annas word"), ("bert", "of-${bert")):
            self.assert_no_secret(crawl, password, user)

    def test_digest_is_exact(self):
        for digests in (Digests(), Digests(algorithm="MD5", uses=1), Digests(says_stale=False), Digests(algorithm="MD5-sess", uses=1)):
            with self.subTest(algorithm=digests.algorithm, uses=digests.uses, stale=digests.says_stale):
                self.site.digests = digests
                crawl = self.new_crawl(["/digest/p0"])
                code, _, err = crawl.run()
                self.assertEqual(code, 0, err)
                self.assertEqual(self.bodies(crawl, f"/digest/p{PAGES}?x=1"), [f"page {PAGES}"])
                self.assertEqual(digests.wrong, [])
                self.assert_no_secret(crawl)

    def test_a_wrong_password_is_told_once(self):
        self.site.password = "another"
        self.site.digests = Digests(password="another")
        crawl = self.new_crawl(["/basic/p0", "/basic/p1", "/basic/p2", "/digest/p0", "/digest/p1"])
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.statuses(crawl, "/basic/p0"), ["401"])
        self.assertEqual(self.statuses(crawl, "/digest/p1"), ["401"])
        self.assertEqual(len(self.site.digests.wrong), 1)
        self.assertTrue(any(line.split()[1:3] == ["failed", "basic"] for line in self.report(crawl, "logins-report")))
        for told in (err, (crawl.launches[0] / "logs/alerts.log").read_text()):
            for realm in ("the realm 'old' does not take", "the realm 'the \"archive\"' does not take"):
                self.assertEqual(told.count(realm), 1, told)

    def test_nobody_else_is_told(self):
        crawl = self.new_crawl(["/basic/p0"])
        crawl.config.write_text(crawl.config.read_text().replace("site: 127.0.0.1", "site: example.org"))
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.statuses(crawl, "/basic/p0"), ["401"])
        self.assertEqual(len([target for _, target in self.site.requests if target.startswith("/basic/")]), 1)

    def form(self):
        return f"  form: {self.site.url('/login')}\n  check: 'Please log in'\n"

    def test_a_form_is_filled_in_before_the_first_page(self):
        crawl = self.new_crawl(["/member/home"], self.form())
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.bodies(crawl, f"/member/p{PAGES}?x=1"), [f"page {PAGES}"])
        for number in range(1, PAGES + 1):
            bodies = self.bodies(crawl, f"/member/p{number}?x=1")
            self.assertEqual([body.partition("<")[0] for body in bodies], [f"page {number}"])
        # In front of all pages, and again whenever the session has ended.
        self.assertEqual([target for _, target in self.site.requests if "robots" not in target][:3], ["/login", "/login?in", "/welcome"])
        self.assertEqual(self.site.logins, -(-(PAGES + 1) // USES))
        hops = {line[3]: line[4] for line in reversed(self.lines(crawl))}
        self.assertEqual((hops[self.site.url("/login")], hops[self.site.url("/login?in")], hops[self.site.url("/welcome")]),
                         ("P", "PS", "PSR"))
        told = [line.split() for line in self.report(crawl, "logins-report")]
        self.assertIn(["1", "in", "form", "127.0.0.1"], told)
        self.assertIn([str(self.site.logins - 1), "again", "form", "127.0.0.1"], told)
        sent = [record.block.decode() for record in crawl.records() if record.type == "request" and record.url.endswith("/login?in")]
        self.assertEqual(len(sent), self.site.logins)
        for block in sent:
            head, _, body = block.partition("\r\n\r\n")
            self.assertTrue(head.startswith("POST /login?in HTTP/1.1"), head)
            self.assertIn(f"Content-Length: {len(body)}", head)
            self.assertIn(f"mail={USER}&pwd=*&go=1", body)
        self.assertTrue(any(b"requestWithheld: form field pwd" in record.block for record in crawl.records()))
        self.assert_no_secret(crawl)

    def test_a_form_is_sent_in_its_own_coding(self):
        self.site.coding = "multipart/form-data"
        crawl = self.new_crawl(["/member/p9"], self.form())
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.bodies(crawl, f"/member/p{PAGES}?x=1"), [f"page {PAGES}"])
        sent = next(record.block.decode() for record in crawl.records() if record.type == "request" and record.url.endswith("/login?in"))
        head, _, body = sent.partition("\r\n\r\n")
        self.assertIn(f"Content-Length: {len(body)}", head)
        shown = fields_of(email.message_from_string(head.partition("\r\n")[2])["Content-Type"], body)
        self.assertEqual((shown["mail"], shown["pwd"], shown["club"]), (USER, "*", "Old members"))
        self.assert_no_secret(crawl)

    def test_a_form_of_any_page_is_understood(self):
        self.site.head, self.site.user_type = "<base href=/>", "search"
        self.site.welcome = ("Welcome! <form method=post action=/settings><input type=password name=old><input type=password name=new>"
                             "<input type=password name=again></form>")
        crawl = self.new_crawl(["/member/p9"], self.form().replace("/login", "/club/enter"))
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.bodies(crawl, f"/member/p{PAGES}?x=1"), [f"page {PAGES}"])
        self.assertEqual([target for _, target in self.site.requests if "robots" not in target][:3],
                         ["/club/enter", "/login?in", "/welcome"])
        self.assertNotIn("failed", [line.split()[1] for line in self.report(crawl, "logins-report")])
        self.assert_no_secret(crawl)

    def test_a_session_outlives_kills(self):
        crawl = self.new_crawl(["/member/home"], self.form(), settings="politeness:\n  delay: 50ms\n")
        for _ in range(3):
            process = crawl.start(resume=crawl.can_resume())
            before = crawl.logged()
            harness.wait_until(lambda: crawl.logged() > before or process.poll() is not None, "commit")
            harness.kill(process)
        code, _, err = crawl.run(resume=True)
        self.assertEqual(code, 0, err)
        for number in range(1, PAGES + 1):
            self.assertIn(f"page {number}", "".join(self.bodies(crawl, f"/member/p{number}?x=1")))
        self.assert_no_secret(crawl)

    def test_a_login_that_fails_is_on_record(self):
        self.site.password = "another"
        crawl = self.new_crawl(["/member/home", "/open"], self.form())
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.bodies(crawl, "/open"), ["an open page"])
        self.assertEqual(self.statuses(crawl, "/member/home"), ["200"])
        self.assertEqual(len([1 for method, _ in self.site.requests if method == "POST"]), 1)
        self.assertIn(["1", "failed", "form", "127.0.0.1"], [line.split() for line in self.report(crawl, "logins-report")])
        logs = (crawl.launches[0] / "logs/http.jsonl").read_text()
        self.assertIn('"login":"form-failed"', logs)
        self.assertIn("asks for a password again", logs)
        self.assert_no_secret(crawl)

    def test_a_password_may_come_from_the_environment(self):
        crawl = self.new_crawl(["/basic/p0"])
        text = crawl.config.read_text()
        begin = text.index("${file:")
        crawl.config.write_text(text[:begin] + "${E2E_LOGIN}" + text[text.index("}", begin) + 1:])
        os.environ["E2E_LOGIN"] = PASSWORD
        self.addCleanup(os.environ.pop, "E2E_LOGIN")
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.bodies(crawl, "/basic/p0"), ["page 0" + "<a href=/basic/p1?x=1>next</a>"])
        self.assert_no_secret(crawl)

    def test_requests_are_made_as_an_operator_says(self):
        crawl = self.new_crawl(["/echo"], settings=harness.SETTINGS + "crawl: {action-interval: 200ms, recovery-log: true}\n")
        process = crawl.start(more=["--run-while-empty"])
        self.addCleanup(lambda: process.poll() is None and harness.kill(process))
        harness.wait_until(lambda: crawl.launches and self.site.echoed, "first page")
        lines = [{"url": self.site.url("/echo"), "method": "POST", "body": "q=1"},
                 {"url": self.site.url("/echo"), "method": "POST", "body": "q=1"},
                 {"url": self.site.url("/echo"), "method": "POST", "body": "{}", "content_type": "application/json"},
                 {"url": self.site.url("/echo"), "headers": ["X-Lang: fr"]},
                 {"url": self.site.url("/echo"), "headers": ["Authorization: x"]}]
        made = crawl.folder / "late.requests"
        made.write_text("".join(json.dumps(line) + "\n" for line in lines))
        action = crawl.launches[0] / "action"
        harness.wait_until(action.is_dir, "folder")
        made.rename(action / "late.requests")
        harness.wait_until(lambda: len(self.site.echoed) == 4, "requests")
        report = harness.wait_until(lambda: next(iter(action.glob("done/*.report")), None), "report")
        self.assertIn("3 URLs taken, 1 known already", report.read_text())
        self.assertIn("fetch.headers of a sheet", report.read_text())
        crawl.caddis("stop", crawl.collection)
        harness.finish(process)
        self.assertEqual(sorted(map(str, self.site.echoed)),
                         sorted(map(str, [("GET", None, "", None), ("GET", None, "", "fr"),
                                          ("POST", "application/x-www-form-urlencoded", "q=1", None),
                                          ("POST", "application/json", "{}", None)])))
        index = "".join(path.read_text() for path in (crawl.collection / "indexes").rglob("*.cdxj"))
        posted = [line for line in index.splitlines() if "__wb_method=post" in line.split(" ")[0]]
        self.assertEqual(len(posted), 2, index)
        self.assertTrue(any('"method": "POST", "requestBody": "q=1"' in line for line in posted))
        # An index that is made of the archive has the same lines.
        made = crawl.folder / "made.cdxj"
        done = crawl.caddis("index", "add", *sorted((crawl.collection / "archive").iterdir()), "--out", made)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(made.read_text(), index)
        self.assert_requests_outlive_a_recovery(crawl)

    def assert_requests_outlive_a_recovery(self, crawl):
        """What waits in a recovery log is sent, as it was to be; what is finished is not."""
        lines = gzip.decompress((crawl.launches[0] / "logs/frontier.recover.gz").read_bytes()).decode().splitlines()
        asked = [line for line in lines if line.startswith("#F")]
        self.assertEqual(sorted(line[:3] for line in asked), ["#F+", "#F+", "#Fs", "#Fs"], lines)
        log = crawl.folder / "recover.log"
        log.write_text("\n".join([*(line for line in asked if "q=1" not in line or line.startswith("#F+")), f"F+ {self.site.url('/open')}"]))
        self.site.echoed.clear()
        again = self.new_crawl(["/welcome"])
        code, _, err = again.run(more=["--recover", log])
        self.assertEqual(code, 0, err)
        self.assertEqual(self.site.echoed, [("POST", "application/x-www-form-urlencoded", "q=1", None)])
        self.assertEqual(self.bodies(again, "/open"), ["an open page"])

    def test_a_proxy_may_want_a_digest(self):
        proxy = self.enter(DigestProxy())
        crawl = self.new_crawl(["/open", "/basic/p0"])
        crawl.config.write_text(crawl.config.read_text() + f"fetch:\n  proxy: http://{USER}:{PASSWORD}@127.0.0.1:{proxy.port}\n")
        code, _, err = crawl.run()
        self.assertEqual(code, 0, err)
        self.assertEqual(self.bodies(crawl, "/open"), ["an open page"])
        self.assertEqual(self.bodies(crawl, f"/basic/p{PAGES}?x=1"), [f"page {PAGES}"])
        # Basic once, before the proxy has said that it wants a Digest.
        self.assertTrue(all(field.startswith("Basic ") for field in proxy.digests.wrong), proxy.digests.wrong)
        self.assert_no_secret(crawl)

    def test_settings_that_make_no_sense_are_refused(self):
        for login, why in (("  form: http://elsewhere.example/login\n", "logins.form is no page of logins.site"),
                           ("  check: '('\n", "regular expression"), ("  fields: [abc]\n", "NAME=VALUE")):
            crawl = self.new_crawl(["/open"], login)
            code, _, err = crawl.run()
            self.assertEqual(code, 2, err)
            self.assertIn(why, err)
            self.assertNotIn(PASSWORD, err)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
