#!/usr/bin/env python3
"""`caddis serve --proxy`: the archive as an HTTP proxy, for programs and in Chromium. Nothing is live: the hosts do not exist."""

import http.client
import os
import pathlib
import re
import socket
import ssl
import subprocess
import sys
import unittest
import urllib.parse

import devtools
import harness
from own_pages_test import Served, Window


class Proxied(Served):
    def __init__(self, *more):
        super().__init__("--proxy", "127.0.0.1:0", "--proxy-folder", "ca", *more)
        for line in self.process.stdout:
            if found := re.search(r"HTTP and HTTPS to 127\.0\.0\.1:(\d+)", line):
                self.proxy = int(found[1])
                return
        raise AssertionError("no proxy is told of")

    def ask(self, url, method="GET", body=None, **headers):
        """(status, headers, body) of a URL by the proxy; over HTTPS with its certificate checked."""
        parts = urllib.parse.urlsplit(url)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if parts.scheme == "https":
            raw = socket.create_connection(("127.0.0.1", self.proxy), timeout=60)
            raw.sendall(f"CONNECT {parts.hostname}:443 HTTP/1.1\r\nHost: {parts.hostname}:443\r\n\r\n".encode())
            answer = b""
            while not answer.endswith(b"\r\n\r\n"):
                answer += raw.recv(1)
            if b" 200 " not in answer.split(b"\r\n")[0]:
                raise AssertionError(answer)
            context = ssl.create_default_context(cadata=self.get_own("/ca.pem").decode())
            connection = http.client.HTTPConnection(parts.hostname)
            connection.sock = context.wrap_socket(raw, server_hostname=parts.hostname)
            target = parts._replace(scheme="", netloc="").geturl() or "/"
        else:
            connection = http.client.HTTPConnection("127.0.0.1", self.proxy, timeout=60)
            target = url
        connection.request(method, target, body, headers)
        response = connection.getresponse()
        result = response.status, response.headers, response.read()
        connection.close()
        return result

    def get_own(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.proxy, timeout=60)
        connection.request("GET", path)
        body = connection.getresponse().read()
        connection.close()
        return body

    def choose(self, moment, collection=""):
        return self.ask("http://caddis.proxy/date", "POST", f"time={moment}&collection={collection}",
                        Content_Type="application/x-www-form-urlencoded")[0]


class DoorTest(unittest.TestCase):
    def test_the_proxy_has_the_limits_and_the_log_of_the_server(self):
        served = Proxied("--requests-per-minute", "1", "--requests-at-once", "2", "--access-log", "access.log")
        self.addCleanup(served.stop)
        self.assertEqual([served.ask("http://example.org/")[0] for _ in range(4)], [200, 200, 429, 429])
        log = pathlib.Path(served.folder, "access.log")
        lines = harness.wait_until(lambda: len(lines := log.read_text(encoding="utf-8").splitlines()) == 4 and lines, "four lines")
        self.assertEqual([bool(re.search(r'"GET http://example\.org/ HTTP/1\.1" (200|429) ', line)) for line in lines], [True] * 4)


class ReplayProxyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.served = Proxied()
        cls.addClassCleanup(cls.served.stop)

    def setUp(self):
        self.assertEqual(self.served.choose(""), 303)

    def test_pages_are_as_they_were_captured(self):
        status, headers, body = self.served.ask("http://example.org/")
        self.assertEqual((status, headers["Memento-Datetime"]), (200, "Fri, 04 Mar 2022 05:06:07 GMT"))
        self.assertIn(b'<script src="/code.js?v=3"></script>', body)
        self.assertIsNone(headers["Content-Security-Policy"])

    def test_the_date_is_the_readers(self):
        accept = self.served.ask("http://example.org/", Accept_Datetime="Sat, 01 Jun 2019 00:00:00 GMT")
        self.assertEqual(accept[1]["Memento-Datetime"], "Wed, 02 Jan 2019 03:04:05 GMT")
        self.assertEqual(self.served.choose("20210203"), 303)
        self.assertEqual(self.served.ask("http://example.org/")[1]["Memento-Datetime"], "Wed, 03 Feb 2021 04:05:06 GMT")
        self.assertEqual(self.served.choose("20219999"), 400)
        self.assertIn(b"3 Feb 2021, 00:00:00 UTC", self.served.ask("http://caddis.proxy/")[2])

    def test_https_is_shown_with_a_certificate_that_can_be_trusted(self):
        status, headers, body = self.served.ask("https://example.org/reports/0001.html")
        self.assertEqual((status, body), (200, b"<p>report"))
        with self.assertRaises(ssl.SSLCertVerificationError):
            raw = socket.create_connection(("127.0.0.1", self.served.proxy), timeout=60)
            self.addCleanup(raw.close)
            raw.sendall(b"CONNECT example.org:443 HTTP/1.1\r\n\r\n")
            raw.recv(4096)
            ssl.create_default_context().wrap_socket(raw, server_hostname="example.org")

    def test_nothing_is_live(self):
        status, _, body = self.served.ask("http://nobody.example/")
        self.assertEqual(status, 404)
        self.assertIn(b"http://nobody.example/", body)
        # One collection alone, if it is asked for.
        self.assertEqual(self.served.ask("http://example.org/elsewhere")[0], 200)
        self.served.choose("", "news")
        self.assertEqual(self.served.ask("http://example.org/elsewhere")[0], 404)
        # A script with another version in its query is the captured one.
        self.assertEqual(self.served.ask("http://example.org/code.js?v=5", Sec_Fetch_Dest="script")[0], 200)
        self.assertEqual(self.served.ask("http://example.org/code.js?v=5", Sec_Fetch_Dest="document")[0], 404)

    def test_ranges(self):
        status, headers, body = self.served.ask("http://example.org/reports/0001.html", Range="bytes=3-5")
        self.assertEqual((status, headers["Content-Range"], body), (206, "bytes 3-5/9", b"rep"))

    def test_broken_tunnels_do_no_harm(self):
        for head in (b"CONNECT \r\n\r\n", b"CONNECT nohost HTTP/1.1\r\n\r\n", b"CONNECT a:b HTTP/1.1\r\n\r\n", b"CONNECT " + b"x" * 20000):
            with socket.create_connection(("127.0.0.1", self.served.proxy), timeout=60) as connection:
                connection.sendall(head)
                self.assertRegex(connection.recv(4096), rb"^HTTP/1.1 4")
        with socket.create_connection(("127.0.0.1", self.served.proxy), timeout=60) as connection:
            connection.sendall(b"CONNECT example.org:443 HTTP/1.1\r\n\r\n")
            connection.recv(4096)
            connection.sendall(b"\x16\x03\x01\x00\x05hello")
        # A tunnel with plain HTTP in it.
        with socket.create_connection(("127.0.0.1", self.served.proxy), timeout=60) as connection:
            connection.sendall(b"CONNECT example.org:80 HTTP/1.1\r\n\r\n")
            connection.recv(4096)
            connection.sendall(b"GET http://example.org/reports/0001.html HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n")
            answer = b""
            while piece := connection.recv(4096):
                answer += piece
            self.assertIn(b"<p>report", answer)
        self.assertEqual(self.served.ask("http://example.org/reports/0001.html")[0], 200)

    def test_others_may_not_choose_the_date(self):
        answer = self.served.ask("http://caddis.proxy/date", "POST", "time=2019", Origin="http://example.org",
                                 Content_Type="application/x-www-form-urlencoded")
        self.assertEqual(answer[0], 403)

    def test_the_authority_is_kept_and_private(self):
        key = next(self.served.folder.rglob("proxy-ca-key.pem"))
        self.assertEqual(key.stat().st_mode & 0o777, 0o600)

    def test_a_proxy_for_others_has_to_be_said_twice(self):
        done = subprocess.run([os.path.abspath(harness.BINARY), "serve", self.served.folder / "all", "--listen", "127.0.0.1:0",
                               "--proxy", "0.0.0.0:0"], capture_output=True, text=True, timeout=60, env=harness.clean_environment(self.served.folder))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--insecure", done.stderr)

    @unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), "needs Chromium")
    def test_a_browser_browses_the_past(self):
        self.served.choose("2019")
        flags = (f"--proxy-server=http://127.0.0.1:{self.served.proxy}", "--proxy-bypass-list=<-loopback>", "--ignore-certificate-errors")
        with devtools.Browser(*flags) as browser:
            window = Window(browser, 1000, False, "en")
            html = window.open("http://example.org/")
            self.assertIn("2 houses were built", html)
            harness.wait_until(lambda: "(code)" in window.value("document.title"), "the script of 2019")
            self.assertEqual(window.value("location.href"), "http://example.org/")
            self.assertIn("report", window.open("https://example.org/reports/0002.html"))
            window.open("http://caddis.proxy/")
            window.value("document.querySelector('[name=time]').value = '2022'; document.querySelector('main button').click()")
            harness.wait_until(lambda: "1 Jan 2022" in window.value("document.body ? document.body.textContent : ''"), "the page of 2022")
            self.assertIn("5 houses were built", window.open("http://example.org/?"))


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
