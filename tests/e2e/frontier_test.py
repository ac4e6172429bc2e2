#!/usr/bin/env python3
"""What an operator sees and changes in a crawl of a slow site, while it runs and after it has stopped: `caddis frontier`."""

import http.server
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import unittest

import harness

# So many that those at the end wait for minutes, however slowly the commands come on a busy machine.
PAGES = 400
LAST_TEN = r"/39\d\.html"


class SlowSite:
    """Hosts below .localhost on one port: pages that take their time, and one that never ends."""

    def __enter__(self):
        site = self
        self.served = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                host = self.headers["Host"].split(":")[0]
                site.served.append(f"{host}{self.path}")
                if self.path == "/robots.txt":
                    return self.send_error(404)
                if self.path == "/stuck":
                    site.stuck.wait(900)
                    return None
                links = "".join(f'<a href="/{number}.html">x</a>' for number in range(PAGES))
                body = f"<html>{links if self.path == '/' else ''}</html>".encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.stuck = threading.Event()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.stuck.set()
        self.server.shutdown()
        self.server.server_close()

    def url(self, host, path):
        return f"http://{host}.localhost:{self.port}{path}"

    @property
    def seeds(self):
        return [self.url("alpha", "/"), self.url("beta", "/"), self.url("gamma", "/stuck")]


class FrontierTest(unittest.TestCase):
    def frontier(self, *arguments, code=0):
        done = subprocess.run([harness.BINARY, "frontier", str(self.crawl.collection), *arguments], capture_output=True,
                              text=True, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def host(self, name):
        return json.loads(self.frontier("--host", f"{name}.localhost", "--json"))

    def queued(self, name):
        return sum(queue["queued"] for queue in self.host(name)["queues"])

    def count(self, text):
        return int(text.split()[0])

    def operate(self, site):
        alpha, beta = "alpha.localhost", "beta.localhost"
        stuck = site.url("gamma", "/stuck")
        harness.wait_until(lambda: json.loads(self.frontier("--url", stuck, "--json"))["visiting"], "visit")
        self.assertIn("the visit of", self.frontier("--end-visit", stuck))
        harness.wait_until(lambda: self.queued("gamma") == 0, "end of the visit")
        self.assertIn("not being visited", self.frontier("--end-visit", stuck, code=1))
        harness.wait_until(lambda: self.queued("alpha") > 10 and self.queued("beta") > 10, "links")
        overview = self.frontier()
        for part in ("documents/s", "What the queues of resident hosts wait for", "Largest", "Slowest", f"http://{alpha}:{site.port}"):
            self.assertIn(part, overview)
        self.assertIn(self.host("alpha")["queues"][0]["state"], ("politeness", "being visited", "ready", "address busy"))

        late = site.url("alpha", f"/{PAGES - 1}.html")
        report = json.loads(self.frontier("--url", late, "--json"))
        self.assertTrue(report["seen"])
        self.assertEqual(report["waits"][0]["via"], site.url("alpha", "/"))
        self.assertIn("was never queued", self.frontier("--url", site.url("alpha", "/never")))
        self.assertEqual(len(self.frontier("--urls", "--host", alpha, "--regex", LAST_TEN).split()), 10)

        would = self.frontier("--delete", "--host", alpha, "--regex", LAST_TEN, "--dry-run")
        self.assertEqual(self.count(would), 10)
        self.assertEqual(self.count(self.frontier("--delete", "--host", alpha, "--regex", LAST_TEN)), 10)
        self.assertEqual(self.frontier("--urls", "--host", alpha, "--regex", LAST_TEN), "")
        self.assertEqual(self.count(self.frontier("--add", late)), 0, "known already")
        self.assertEqual(self.count(self.frontier("--add", late, "--force")), 1)
        added = subprocess.run([harness.BINARY, "frontier", "--add", site.url("delta", "/new"), "--add", late,
                                str(self.crawl.collection)], capture_output=True, text=True, timeout=300)
        self.assertEqual(self.count(added.stdout), 1, added.stdout + added.stderr)

        self.act(site)
        self.assertTrue(self.frontier("--host", beta, "--block"))
        self.assertTrue(self.host("beta")["blocked"])
        harness.wait_until(lambda: self.queued("beta") == 0, "end of the blocked host")
        self.frontier("--queue", site.url("alpha", ""), "--retire")
        self.assertIn("this queue was retired by the operator", self.frontier("--host", alpha))
        self.frontier("--queue", site.url("alpha", ""), "--unretire")
        self.frontier("--host", alpha, "--budget", "500")
        self.assertEqual(self.host("alpha")["budget"], 500)
        self.assertIn("What the queues wait for", self.frontier("--all"))
        self.frontier("--host", alpha, "--delay", "1h")
        self.frontier("--wake")
        harness.wait_until(lambda: self.queued("delta") == 0, "visit of what was added")

        for wrong in (["--urls", "--regex", "("], ["--host", alpha, "--delay", "soon"], ["--add", "gopher://a.example/"]):
            self.assertIn("400", self.frontier(*wrong, code=1))
        self.refuse(site)

    def refuse(self, site):
        """What means nothing, or two things, is refused before anything is done."""
        alpha, late = "alpha.localhost", site.url("alpha", f"/{PAGES - 1}.html")
        for arguments, says in (
                ("--host alpha.localhost --block --dry-run", "--dry-run goes with --delete, not with --block"),
                ("--urls --delete --host alpha.localhost", "--delete and --urls: one thing at a time"),
                ("--delete --retire --host alpha.localhost", "--delete and --retire: one thing at a time"),
                ("--host alpha.localhost --block --unblock", "--block or --unblock, not both"),
                (f"--add {late} --delete", "--add and --delete"), (f"--url {late} --force", "--force goes with --add"),
                ("--seed", "--seed goes with --add"), ("--dry-run", "--dry-run goes with --delete"),
                ("--host alpha.localhost --regex foo --limit 2", "--regex goes with --urls or --delete"),
                ("--delete", "--delete needs --host"), ("--block", "--host NAME"), ("--limit 99999", "10000 at most"),
                ("--queue http://alpha.localhost", "--retire or --unretire"), ("--host http://a.test/page", "names a page"),
                (f"--delete --host alpha.localhost:{site.port}", "write --host alpha.localhost")):
            self.assertIn(says, self.frontier(*arguments.split(), code=2))
        self.assertIn("is empty", self.frontier("--delete", "--regex", "x", "--host", "", code=2))
        self.assertFalse(self.host("alpha")["blocked"])
        for unknown in (["--host", "never.test"], ["--delete", "--host", "never.test"], ["--wake", "--host", "never.test"]):
            self.assertIn("nothing is known of the host never.test", self.frontier(*unknown, code=1))
        self.assertIn("not known so far; this is kept for when it is found", self.frontier("--host", "later.test", "--block"))
        self.assertIn(f"it has http://{alpha}:{site.port}", self.frontier("--queue", f"http://{alpha}:1", "--retire", code=1))
        self.assertIn(f"{alpha}: ", self.frontier("--host", f"http://{alpha}:{site.port}/"))
        first = site.url("alpha", "/first")
        self.assertIn("whatever scheme and port", self.frontier("--host", f"{alpha}:{site.port}", "--block", code=2))
        self.frontier("--host", alpha, "--retire")
        self.assertIn("retired by the operator", self.frontier("--host", alpha).splitlines()[0])
        self.assertEqual(self.frontier("--add", first, "--precedence", "first"), "1 of 1 URL added\n")
        self.assertEqual(json.loads(self.frontier("--url", first, "--json"))["waits"][0]["precedence"], "first")
        self.frontier("--host", alpha, "--unretire")

    def act(self, site):
        """What is put into the action directory is done and reported."""
        actions = self.crawl.launches[0] / "action"
        for name, text in (("late.seeds", f"# late\n{site.url('epsilon', '/')}\ngopher://a.test/\n"),
                           ("more.force", f"{site.url('zeta', '/x')} L {site.url('alpha', '/')}\n"),
                           ("run.groovy", "exit()\n")):
            (self.crawl.folder / name).write_text(text)
            (self.crawl.folder / name).rename(actions / name)
        reports = harness.wait_until(lambda: len(found := [*actions.glob("done/*.report")]) == 3 and found,
                                     "reports of the action files")
        said = {report.name[18:]: report.read_text() for report in reports}
        self.assertIn("3 lines: 1 URL taken, 0 known already, 0 outside of the scope, 1 bad (line 3)", said["late.seeds.report"])
        self.assertIn("line 3: seed 'gopher://a.test/' has the scheme gopher", said["late.seeds.report"])
        self.assertIn("1 line: 1 URL taken", said["more.force.report"])
        self.assertIn("refused", said["run.groovy.report"])
        self.assertEqual([path.name for path in actions.iterdir() if path.is_file()], [])
        harness.wait_until(lambda: self.queued("zeta") == 0 and self.host("epsilon")["finished"] > 1,
                           "visits of what the action files name")

    def look_after(self, site):
        """The same answers from the state of the stopped crawl."""
        self.assertIn("not running", self.frontier())
        alpha = self.host("alpha")
        self.assertEqual(alpha["delay_seconds"], 3600)
        self.assertGreater(self.queued("alpha"), 5)
        listed = self.frontier("--urls", "--host", "alpha.localhost", "--limit", "1000").split()
        self.assertEqual(len(listed), self.queued("alpha"))
        self.assertTrue(json.loads(self.frontier("--url", listed[0], "--json"))["waits"])
        self.assertTrue(self.host("beta")["blocked"])
        self.frontier("--host", "alpha.localhost", "--delay", "1s", code=1)

    def test_operator(self):
        with SlowSite() as site:
            self.crawl = harness.Crawl(site)
            self.addCleanup(self.crawl.remove)
            self.crawl.config.write_text("crawl:\n  action-interval: 1s\npoliteness:\n  delay: 700ms\n  url-retries: 0\n"
                                         "fetch:\n  silence-timeout: 15m\n")
            process = self.crawl.start()
            try:
                # Its socket is there before it answers.
                harness.wait_until(lambda: self.crawl.status().get("state") == "running", "running crawl")
                self.operate(site)
                process.send_signal(signal.SIGINT)
                code, out, err = harness.finish(process)
                self.assertEqual(code, 4, out + err)
                self.look_after(site)
            finally:
                if process.poll() is None:
                    harness.kill(process)
            launch = self.crawl.launches[0]
            log = [line.split() for line in (launch / "logs/crawl.log").read_text().splitlines()]
            statuses = {line[3]: line[1] for line in log}
            self.assertEqual(statuses[site.url("gamma", "/stuck")], "-7000")
            self.assertGreater(sum(line[1] == "-5001" for line in log), 10)
            for url in (site.url("delta", "/new"), site.url("epsilon", "/"), site.url("zeta", "/x")):
                self.assertEqual(statuses[url], "200")
            self.assertEqual([line[10] for line in log if line[3] == site.url("delta", "/new")], [site.url("delta", "/new")])
            progress = (launch / "logs/progress-statistics.log").read_text()
            for change in ("OPERATOR deletes 10 URLs", "OPERATOR adds", "OPERATOR host beta.localhost: blocked",
                           "OPERATOR ends the visit", "OPERATOR wakes all", "OPERATOR action late.seeds: 3 lines"):
                self.assertIn(change, progress)

    def test_paused_from_the_start(self):
        with SlowSite() as site:
            self.crawl = harness.Crawl(site, harness.SETTINGS)
            self.addCleanup(self.crawl.remove)
            process = self.crawl.start(more=["--paused", "--listen", "127.0.0.1:0"])
            self.addCleanup(process.kill)
            port, token = re.search(r":(\d+)/\?token=(\w+)", process.stderr.readline()).groups()
            harness.wait_until(lambda: self.crawl.status().get("state") == "paused", "paused crawl")
            self.assertEqual(sorted(self.frontier("--urls").split()), sorted(site.seeds))
            self.assertEqual(self.count(self.frontier("--delete", "--host", "gamma.localhost")), 1)
            self.frontier("--host", "alpha.localhost", "--delay", "20s")
            self.refuse_requests(int(port), token)
            self.assertEqual(site.served, [])
            self.assertEqual(self.crawl.caddis("resume", self.crawl.collection).returncode, 0)
            harness.wait_until(lambda: self.queued("beta") == 0 and self.host("beta")["finished"] > PAGES, "visits of a host")
            self.assertEqual(self.crawl.caddis("stop", self.crawl.collection).returncode, 0)
            code, out, err = harness.finish(process)
            self.assertEqual(code, 4, out + err)
            self.assertFalse([url for url in site.served if url.startswith("gamma")])
            progress = (self.crawl.launches[0] / "logs/progress-statistics.log").read_text()
            self.assertIn("OPERATOR stops the crawl: stopped by the operator", progress)

    def refuse_requests(self, port, token):
        """Whatever is wrong with a request, the answer is an object that says so."""
        for request, status, says in (
                ("DELETE /status HTTP/1.1\r\nHost: localhost\r\n", 405, "use GET"), ("POST /url HTTP/1.1\r\nHost: localhost\r\n", 405, "use GET"),
                ("GET /pause HTTP/1.1\r\nHost: localhost\r\n", 405, "use POST"), ("PUT /urls HTTP/1.1\r\nHost: localhost\r\n", 405, "use POST"),
                ("GET /never HTTP/1.1\r\nHost: localhost\r\n", 404, "there are /, /status"),
                ("POST /urls HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30000000\r\n", 413, "too long"),
                (f"GET /status HTTP/1.1\r\nHost: localhost\r\nX: {'x' * 70000}\r\n", 431, "too long"), ("nonsense\r\n", 400, "Bad request")):
            request = request.replace("Host: localhost", f"Host: localhost\r\nAuthorization: Bearer {token}")
            with socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(f"{request}Connection: close\r\n\r\n".encode())
                answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
            head, body = answer.split("\r\n\r\n")
            self.assertEqual(int(head.split()[1]), status, answer)
            self.assertIn(says, json.loads(body)["error"])
            self.assertEqual("\r\nAllow: " in head, status == 405, head)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
