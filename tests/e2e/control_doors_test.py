#!/usr/bin/env python3
"""Who may steer a crawl, read its secrets, or make it read what is not meant for it: the doors of a running crawl."""

import http.client
import http.server
import json
import os
import re
import signal
import socket
import stat
import sys
import threading
import unittest
import urllib.parse

import harness


class Site:
    """A page on loopback that links to whatever it is told to, and remembers the heads of its requests."""

    def __init__(self):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.requests.append((self.path, dict(self.headers)))
                body = "" if self.path == "/robots.txt" else site.page if self.path == "/" else "a page"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.page = "<a href='/more'>more</a>"
        self.requests = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.seeds = [f"http://127.0.0.1:{self.port}/"]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def header_of(self, path, name):
        return [headers.get(name) for asked, headers in self.requests if asked == path]


class DoorsTest(unittest.TestCase):
    def setUp(self):
        self.site = Site()
        self.addCleanup(self.site.close)
        self.crawl = harness.Crawl(self.site)
        self.addCleanup(self.crawl.remove)

    @property
    def launch(self):
        return self.crawl.launches[0]

    def start_paused(self, *more):
        process = self.crawl.start(more=["--paused", *more])
        self.addCleanup(process.kill)
        if "--listen" in more:
            self.address = urllib.parse.urlsplit(re.search(r"http://\S+", process.stderr.readline())[0])
            self.token = urllib.parse.parse_qs(self.address.query).get("token", [""])[0]
        harness.wait_until(lambda: self.crawl.status().get("state") == "paused", "paused crawl")
        return process

    def ask(self, path, method="GET", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.address.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()

    def ask_socket(self, request):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.launch / "state/control.sock"))
            connection.sendall(f"{request} HTTP/1.0\r\n\r\n".encode())
            return b"".join(iter(lambda: connection.recv(65536), b"")).decode()

    def open_to_others(self, folder):
        """What somebody else may read below a folder, and the folder."""
        return sorted(str(path.relative_to(folder)) for path in [folder, *folder.rglob("*")] if stat.S_IMODE(path.lstat().st_mode) & 0o077)

    def files_with(self, text):
        return sorted(os.path.relpath(path, self.launch) for path in self.crawl.collection.rglob("*")
                      if path.is_file() and not path.is_symlink() and text.encode() in path.read_bytes())


class ControlTest(DoorsTest):
    def test_over_tcp_a_crawl_asks_for_its_token(self):
        process = self.start_paused("--listen", "127.0.0.1:0")
        self.assertRegex(self.token, "^[0-9a-f]{64}$")
        kept = self.launch / "state/control.token"
        self.assertEqual(kept.read_text().strip(), self.token)
        self.assertEqual(stat.S_IMODE(kept.stat().st_mode), 0o600)
        right = f"Bearer {self.token}"
        for path, method in (("/status", "GET"), ("/urls?limit=1", "GET"), ("/resume", "POST"), ("/stop", "POST"), ("/never", "GET")):
            for headers in ({}, {"Authorization": "Bearer 0"}, {"Authorization": right[:-1]}):
                status, headers, body = self.ask(path, method, **headers)
                self.assertEqual(status, 401, path)
                self.assertIn("token", json.loads(body)["error"])
                self.assertIn("Bearer", headers["WWW-Authenticate"])
        self.assertEqual(self.crawl.status()["state"], "paused")
        status, _, body = self.ask("/status", Authorization=right)
        self.assertEqual((status, json.loads(body)["state"]), (200, "paused"))
        # The page holds nothing of the crawl, and asks for it (web_ui_test.py). What it is made of needs none.
        status, _, body = self.ask("/")
        self.assertEqual(status, 401)
        self.assertIn('data-mode="crawl"', body)
        for path in ("/assets/app.js", "/assets/app.css"):
            status, headers, body = self.ask(path)
            self.assertEqual(status, 200)
            self.assertEqual(self.ask(path, If_None_Match=headers["ETag"])[0], 304)
            self.assertNotIn(self.token, body)
        self.assertEqual(self.ask(f"/?token={self.token}")[0], 200)
        self.assertIn('"state":"paused"', self.ask_socket("GET /status"))
        self.assertEqual(self.crawl.caddis("stop", self.crawl.collection).returncode, 0)
        self.assertEqual(harness.finish(process)[0], 4)
        self.assertFalse(kept.exists())

    def test_other_hosts_and_pages_are_not_answered(self):
        self.start_paused("--listen", "127.0.0.1:0")
        right = f"Bearer {self.token}"
        own = f"127.0.0.1:{self.address.port}"
        for host, expected in ((own, 200), (f"localhost:{self.address.port}", 200), ("evil.example", 421),
                               (f"evil.example:{self.address.port}", 421), ("127.0.0.1.evil.example", 421)):
            status, _, body = self.ask("/status", Authorization=right, Host=host)
            self.assertEqual(status, expected, host)
            self.assertEqual("documents" in body, expected == 200)
        for origin, expected in ((f"http://{own}", 200), ("http://evil.example", 403), ("null", 403), ("http://127.0.0.1:1", 403)):
            self.assertEqual(self.ask("/status", Authorization=right, Origin=origin)[0], expected, origin)

    def test_no_page_may_frame_what_is_answered(self):
        self.start_paused("--listen", "127.0.0.1:0")
        for path in ("/", f"/?token={self.token}", "/status", "/never"):
            for authorization in (f"Bearer {self.token}", "Bearer 0"):
                _, headers, _ = self.ask(path, Authorization=authorization)
                self.assertIn("frame-ancestors 'none'", headers["Content-Security-Policy"])
                self.assertEqual(headers["X-Frame-Options"], "DENY")
                self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
                self.assertEqual(headers["Cache-Control"], "no-store")

    def test_a_parameter_is_no_line_of_the_log(self):
        process = self.start_paused()
        forged = "2026-01-01T00:00:00Z OPERATOR stops the crawl"
        self.ask_socket(f"POST /urls/delete?host=a.example&regex=x%0A{urllib.parse.quote(forged)}%1Bc")
        self.ask_socket(f"POST /wake?host=x%0D%0A{urllib.parse.quote(forged)}")
        self.assertEqual(self.crawl.caddis("stop", self.crawl.collection).returncode, 0)
        self.assertEqual(harness.finish(process)[0], 4)
        log = (self.launch / "logs/progress-statistics.log").read_text()
        self.assertEqual(log.count(forged), 1)  # the other is in lower case
        self.assertFalse([line for line in log.splitlines() if line.lower().startswith("2026-01-01")], log)
        self.assertNotIn("\x1b", log)

    def test_a_link_in_the_action_directory_is_not_followed(self):
        self.crawl.config.write_text(harness.SETTINGS + "crawl: {action-interval: 200ms}\n")
        process = self.start_paused()
        secret = self.crawl.folder / "passwd"
        secret.write_text("root:x:0:0:root:/root:/bin/bash\n")
        for name in ("passwd.seeds", "passwd.schedule"):
            (self.launch / "action" / name).symlink_to(secret)
        os.mkfifo(self.launch / "action/pipe.seeds")
        (self.launch / "action/late.seeds").write_text(self.site.seeds[0] + "late\n")
        reports = harness.wait_until(lambda: len(found := [*self.launch.glob("action/done/*.report")]) == 3 and found, "reports")
        said = {path.name[18:]: path.read_text() for path in reports}
        for name in ("passwd.seeds", "passwd.schedule"):
            self.assertIn("symbolic link", said[f"{name}.report"])
        self.assertIn("1 URL taken", said["late.seeds.report"])
        self.assertEqual(self.crawl.caddis("stop", self.crawl.collection).returncode, 0)
        harness.finish(process)
        self.assertEqual(self.files_with("root:x:0:0"), [])

    def test_a_crawl_does_not_visit_itself(self):
        for listen in ("127.0.0.1:0", "0.0.0.0:0"):
            crawl = self.crawl = harness.Crawl(self.site)
            self.addCleanup(crawl.remove)
            process = self.start_paused("--listen", listen, "--insecure", listen)
            own = [f"http://{host}:{self.address.port}/{path}" for host in ("127.0.0.1", "0.0.0.0", "localhost")
                   for path in ("", "status", "robots.txt")]
            self.site.page = "".join(f"<img src='{url}'>" for url in own)
            crawl.caddis("frontier", crawl.collection, "--add", own[0], "--seed")
            self.assertEqual(crawl.caddis("resume", crawl.collection).returncode, 0)
            code, out, err = harness.finish(process)
            self.assertEqual(code, 0, out + err)
            statuses = {line.split()[3]: int(line.split()[1]) for line in (self.launch / "logs/crawl.log").read_text().splitlines()}
            to_itself = {url: status for url, status in statuses.items() if f":{self.address.port}/" in url}
            self.assertTrue(to_itself)
            self.assertFalse([url for url, status in to_itself.items() if status >= 0], to_itself)


class SecretsTest(DoorsTest):
    SETTINGS = harness.SETTINGS + """
fetch:
  headers: ["Authorization: Bearer sesame-1", "X-Plain: rosebud-2"]
sheets:
  members:
    sites: [127.0.0.1]
    urls: ["/more"]
    settings:
      fetch: {headers: ["Cookie: id=sesame-3"]}
"""

    def test_headers_are_kept_apart_and_outlive_the_launch(self):
        self.crawl.config.write_text(self.SETTINGS)
        process = self.start_paused()
        kept = ["state/secrets.yaml"]
        for secret in ("sesame-1", "rosebud-2", "sesame-3"):
            self.assertEqual(self.files_with(secret), kept)
        process.send_signal(signal.SIGINT)
        self.assertEqual(harness.finish(process)[0], 4)
        code, out, err = self.crawl.run(resume=True)
        self.assertEqual(code, 0, out + err)
        self.assertEqual(self.site.header_of("/", "Authorization"), ["Bearer sesame-1"])
        self.assertEqual(self.site.header_of("/", "X-Plain"), ["rosebud-2"])
        self.assertEqual(self.site.header_of("/more", "Cookie"), ["id=sesame-3"])
        records = b"".join(record.block for record in self.crawl.records())
        self.assertIn(b"X-Plain: rosebud-2", records)
        self.assertNotIn(b"sesame", records)
        self.assertEqual(self.files_with("sesame"), kept)
        self.assertNotIn("sesame", out + err)
        # Another crawl that begins with what this one knows sends them, too.
        other = harness.Crawl(self.site)
        self.addCleanup(other.remove)
        self.site.requests.clear()
        code, out, err = harness.finish(other.popen([harness.BINARY, "crawl", self.site.seeds[0] + "new", "--from-checkpoint",
                                                     self.crawl.collection, "--collection", other.collection]))
        self.assertEqual(code, 0, out + err)
        self.assertEqual(self.site.header_of("/new", "Authorization"), ["Bearer sesame-1"])

    def test_the_password_of_a_seed_is_not_shown(self):
        self.site.seeds = [f"http://me:sesame-4@127.0.0.1:{self.site.port}/", "http://me:sesame/5@bad.example/", "gopher://me:sesame-6@a.example/"]
        process = self.start_paused()
        process.send_signal(signal.SIGINT)
        code, out, err = harness.finish(process)
        self.assertEqual(code, 4, out + err)
        code, more_out, more_err = self.crawl.run(resume=True)
        self.assertNotIn("sesame", out + err + more_out + more_err)
        self.assertEqual(self.site.header_of("/", "Authorization"), ["Basic bWU6c2VzYW1lLTQ="])
        shown = [path for path in self.files_with("sesame") if not path.startswith("state/")]
        self.assertEqual(shown, [])
        self.assertIn("sesame-4", (self.launch / "state/secrets.yaml").read_text())

    def test_only_its_owner_reads_the_state(self):
        os.umask(0o022)
        process = self.start_paused("--listen", "127.0.0.1:0")
        self.assertEqual(self.crawl.caddis("checkpoint", self.crawl.collection, "--name", "one").returncode, 0)
        self.assertEqual(self.open_to_others(self.launch / "state"), [])
        self.assertIn("crawl.yaml", self.open_to_others(self.launch))
        process.send_signal(signal.SIGINT)
        self.assertEqual(harness.finish(process)[0], 4)
        # As a launch stands that was made before states were private.
        for path in [self.launch / "state", *(self.launch / "state").rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        self.assertEqual(self.crawl.run(resume=True)[0], 0)
        self.assertEqual(self.open_to_others(self.launch / "state"), [])
        self.assertIn("logs/crawl.log", self.open_to_others(self.launch))
        self.assertTrue(self.open_to_others(self.crawl.collection / "archive"))

    def test_only_its_owner_reads_a_private_launch(self):
        os.umask(0o022)
        process = self.start_paused("--private", "true")
        process.send_signal(signal.SIGINT)
        self.assertEqual(harness.finish(process)[0], 4)
        self.assertEqual(self.open_to_others(self.launch), [])
        self.assertEqual(self.crawl.run(resume=True)[0], 0)
        self.assertEqual(self.open_to_others(self.launch), [])
        self.assertTrue(self.open_to_others(self.crawl.collection / "archive"), "the archive is for all")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
