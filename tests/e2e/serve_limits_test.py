#!/usr/bin/env python3
"""`caddis serve` under clients that ask for much and read little, go away, or never finish a request, and on indexes that are not
what they should be: its memory is bounded, and it answers others at once.

The bounds are those of a build under sanitizers on a busy machine; what they tell apart is far larger.
"""

import http.client
import os
import pathlib
import re
import resource
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import harness

LINES = 100_000
MEMORY_MB = 300
SOON = 3.0  # seconds, and ten times what an answer takes while the server has nothing else to do


def line(key, timestamp, url, status=200):
    return (f'{key} {timestamp} {{"url": "{url}", "mime": "text/html", "status": "{status}", "digest": "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", '
            f'"length": "1000", "offset": "{timestamp}", "filename": "some-archive-file-with-a-long-name-00000.warc.gz"}}\n')


def second(number):
    return time.strftime("%Y%m%d%H%M%S", time.gmtime(1_500_000_000 + number))


class Server:
    """A collection "c" with these files in indexes/, and caddis serving it."""

    def __init__(self, test, indexes, more=()):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        test.addCleanup(shutil.rmtree, self.folder)
        for name in ("archive", "indexes"):
            (self.folder / "c" / name).mkdir(parents=True)
        for name, write in indexes.items():
            path = self.folder / "c/indexes" / name
            write(path) if callable(write) else path.write_text(write)
        # Freed memory that the sanitizer keeps is none of the server's.
        environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=1:detect_leaks=0"}
        self.process = subprocess.Popen([harness.BINARY, "serve", str(self.folder / "c"), "--listen", "127.0.0.1:0", *more],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        test.addCleanup(self.stop)
        test.assertTrue(select.select([self.process.stdout], [], [], 60)[0], "the server does not start")
        told = self.process.stdout.readline()
        self.soon = SOON
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)/", told).group(1))

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def get(self, path, source="127.0.0.1", timeout=60):
        """Status, body, and the seconds it took."""
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(source, 0))
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            body = response.read().decode()
            return response.status, body, time.monotonic() - began
        finally:
            connection.close()

    def ask(self, request, buffer=4096):
        """A connection on which these bytes were sent."""
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        client.settimeout(300)
        client.connect(("127.0.0.1", self.port))
        client.sendall(request.encode())
        return client

    def peak_mb(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) // 1024


def get_request(path):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"


class ServeLimitsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        cls.large = "".join(line("org,example)/", second(i), "http://example.org/") for i in range(LINES))
        cls.small = line("org,other)/", "20200101000000", "http://other.org/")

    def large_server(self, more=()):
        return Server(self, {"large.cdxj": self.large, "small.cdxj": self.small}, more)

    def ready_server(self, more=()):
        """One that has opened its index, and knows how busy the machine is."""
        server = self.large_server(more)
        server.soon += 10 * max(server.get("/c/cdx?url=http://other.org/")[2] for _ in range(5))
        return server

    def assert_others_are_answered(self, server, source="127.0.0.2"):
        for _ in range(3):
            status, body, seconds = server.get("/c/cdx?url=http://other.org/", source)
            self.assertEqual((status, body.count("\n")), (200, 1))
            self.assertLess(seconds, server.soon)

    def test_slow_clients_cost_little(self):
        server = self.ready_server()
        asked = ["/c/cdx?url=http://example.org/&limit=999999999"] * 20
        asked += ["/c/cdx?url=http://example.org/&limit=999999999&closest=20170715"] * 15
        asked += ["/c/cdx?url=http://example.org/&sort=reverse"] * 9
        asked += ["/c/timemap/link/http://example.org/"] * 3 + ["/c/*/http://example.org/"] * 3
        clients = [server.ask(get_request(path)) for path in asked]
        for client in clients:
            self.addCleanup(client.close)
        self.assert_others_are_answered(server)
        for client in clients:  # each has its answer begun, and reads no further
            self.assertTrue(client.recv(12).startswith(b"HTTP/1.1 200"))
        self.assert_others_are_answered(server)
        harness.tell(self, peak_mb=server.peak_mb(), others_ms=int(1000 * max(server.get("/c/cdx?url=http://example.org/&limit=1")[2] for _ in range(20))))
        self.assertLess(server.peak_mb(), MEMORY_MB)

    def test_lists_are_whole(self):
        server = self.large_server()
        for path in ("/c/cdx?url=http://example.org/&limit=999999999", "/c/cdx?url=http://example.org/&limit=999999999&closest=20170715"):
            status, body, _ = server.get(path)
            self.assertEqual((status, len(set(body.splitlines()))), (200, LINES), path)
        _, body, _ = server.get("/c/timemap/link/http://example.org/")
        # A TimeMap has a page's worth, and names the next one.
        self.assertIn(body.count('memento"; datetime'), range(1, 10_001))
        self.assertIn('rel="timemap"', body)
        self.assertEqual(body.count('rel="first memento"'), 1)

    def test_the_nearest_capture_is_found_without_reading_all(self):
        server = self.ready_server()
        status, body, seconds = server.get(f"/c/cdx?url=http://example.org/&closest={second(LINES // 2)}&limit=1&fl=timestamp&output=text")
        self.assertEqual((status, body), (200, second(LINES // 2) + "\n"))
        self.assertLess(seconds, 0.5)

    def test_an_answer_that_is_too_large_tells_so(self):
        server = self.large_server(["--size-limit", "200000"])
        whole = "url=http://example.org/&limit=999999999"
        # Without a key to go on with, the connection ends in the middle: nobody takes a part for the whole.
        for path in ("/c/cdx?" + whole, "/c/cdx/search/cdx?" + whole, "/cdx/search/cdx?" + whole, "/c/cdx?output=link&" + whole,
                     "/c/export?url=http://example.org/&match=prefix&as=csv", "/c/export?url=http://example.org/&match=prefix&as=cdxj"):
            with self.assertRaises(http.client.IncompleteRead, msg=path):
                server.get(path)
        found, key = 0, ""
        for _ in range(3):
            status, body, _ = server.get("/c/cdx?showResumeKey=true&" + whole + "&resumeKey=" + key)
            lines, _, key = body.partition("\n\n")
            self.assertEqual((status, lines.splitlines()[0].split(" ")[1]), (200, second(found)))
            found += lines.count("\n") + 1
            key = key.strip()
            self.assertTrue(key)
        self.assertLess(len(body), 300_000)

    def test_an_answer_that_takes_too_long_is_refused(self):
        server = self.large_server(["--time-limit", "5ms"])
        for path in ("/c/cdx?url=http://example.org/&filter=status:999", "/cdx/search/cdx?url=http://example.org/&filter=status:999",
                     "/c/cdx?url=http://example.org/&showNumPages=true", "/c?url=http://example.org/&filter=status:999",
                     "/c/search?url=http://example.org/&match=prefix&status=999", "/-/search?url=http://example.org/&match=prefix&status=999",
                     "/c/*/http://example.org/", "/c/timemap/link/http://example.org/"):
            status, body, _ = server.get(path)
            self.assertEqual((status, "longer than it may" in body), (504, True), (path, body))
        self.assertEqual(server.get("/c/cdx?url=http://other.org/")[0::2][0], 200)

    def test_work_ends_with_its_client(self):
        server = self.ready_server()
        for _ in range(60):  # each would take seconds
            server.ask(get_request("/c/cdx?url=http://example.org/&filter=status:999&filter=~url:.*x.*y")).close()
        self.assert_others_are_answered(server, "127.0.0.1")

    def test_half_requests_do_not_hold_others_up(self):
        server = self.ready_server()
        clients = [server.ask("GET / HTTP/1.1\r\nHost:") for _ in range(1200)]
        for client in clients:
            self.addCleanup(client.close)
        self.assert_others_are_answered(server)

    def test_half_requests_make_room_where_addresses_have_no_limit(self):
        server = self.large_server(["--connections-per-address", "0", "--max-connections", "100"])
        clients = [server.ask("GET / HTTP/1.1\r\nHost:") for _ in range(150)]
        for client in clients:
            self.addCleanup(client.close)
        self.assert_others_are_answered(server, "127.0.0.1")

    def test_what_is_no_sorted_file_is_left_out_and_told(self):
        lines = sorted(line(f"org,many)/{i}", "20200101000000", f"http://many.org/{i}") for i in range(100))
        server = Server(self, {
            "fifo.cdxj": os.mkfifo,
            "dangling.cdxj": lambda path: path.symlink_to("nowhere"),
            "unsorted.cdxj": "".join(reversed(lines)),
            "small.cdxj": self.small,
        })
        self.assert_others_are_answered(server)
        _, page, _ = server.get("/c/")
        for name in ("fifo.cdxj", "dangling.cdxj", "unsorted.cdxj"):
            self.assertIn(name, page)
        _, missing, _ = server.get("/c/2020/http://many.org/1")
        self.assertIn("unsorted.cdxj", missing)

    def test_an_archive_that_is_a_pipe_holds_nobody_up(self):
        named = line("org,piped)/", "20200101000000", "http://piped.org/").replace("some-archive-file-with-a-long-name-00000", "pipe")
        server = Server(self, {"a.cdxj": self.small + named})
        os.mkfifo(server.folder / "c/archive/pipe.warc.gz")
        for _ in range(10):
            status, body, seconds = server.get("/c/20200101000000mp_/http://piped.org/")
            self.assertEqual(status, 503)
            self.assertIn("pipe", body)
            self.assertLess(seconds, server.soon)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
