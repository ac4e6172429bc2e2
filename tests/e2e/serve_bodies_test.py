"""`caddis serve` with large bodies: its memory does not grow with them, whatever they are and however slowly they are taken.

The collection is made by hand: one archive file for each body, and an index, so that nothing is read before it is asked for.
"""

import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import zlib

import harness

MEGABYTE = 1 << 20
GIGABYTE = 1 << 30
STAMP = "20260101000000"
SLOW_CLIENTS = 50
# With 50 slow clients, in megabytes: below 300 as it is delivered; a sanitizer holds a shadow of all, and what was freed.
SANITIZER = {"ASAN_OPTIONS": "quarantine_size_mb=8:malloc_context_size=2"}
MOST_MEMORY = 550


def gzip_of(pieces):
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    return b"".join([*(packer.compress(piece) for piece in pieces), packer.flush()])


class Collection:
    """Archive files of one record each."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.path = self.folder / "c"
        (self.path / "archive").mkdir(parents=True)
        (self.path / "indexes").mkdir()
        self.lines = []

    def add(self, name, fields, size, pieces, packed):
        """A response whose body is `pieces`, `size` bytes in all; None for a hole."""
        url = f"http://example.org/{name}"
        head = f"HTTP/1.1 200 OK\r\n{fields}\r\n\r\n".encode()
        header = (f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{name}>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
                  f"WARC-Target-URI: {url}\r\nContent-Type: application/http;msgtype=response\r\n"
                  f"Content-Length: {len(head) + size}\r\n\r\n").encode() + head
        path = self.path / "archive" / f"{name}.warc"
        with path.open("wb") as file:
            if packed:
                file.write(gzip_of([header, *pieces, b"\r\n\r\n"]))
            else:
                file.write(header)
                for piece in pieces or ():
                    file.write(piece)
                file.truncate(len(header) + size)
                file.seek(0, os.SEEK_END)
                file.write(b"\r\n\r\n")
        length = path.stat().st_size - (0 if packed else 4)
        self.lines.append(f"org,example)/{name} {STAMP} " + json.dumps(
            {"url": url, "mime": "application/octet-stream", "status": "200", "digest": f"sha1:{name}", "length": str(length),
             "offset": "0", "filename": path.name}))

    def finish(self):
        (self.path / "indexes" / "c.cdxj").write_text("".join(line + "\n" for line in sorted(self.lines)))


class Server:
    def __init__(self, collection):
        environment = {**harness.clean_environment(collection.folder), **SANITIZER}
        self.process = subprocess.Popen([harness.BINARY, "serve", str(collection.path), "--listen", "127.0.0.1:0"],
                                        stdout=subprocess.PIPE, text=True, env=environment)
        line = self.process.stdout.readline()
        self.port = int(line.rsplit(":", 1)[1].split("/")[0])

    def stop(self):
        self.process.terminate()
        self.process.communicate(timeout=60)

    def memory(self):
        """Megabytes, and the most there have been."""
        status = dict(line.split(":", 1) for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines())
        return tuple(int(status[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM"))

    def request(self, name, modifier="oe_", method="GET", headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.request(method, f"/c/{STAMP}{modifier}/http://example.org/{name}", headers=dict(headers))
        return connection.getresponse()

    def read(self, name, **how):
        """(response, number of bytes, the last of them)"""
        response = self.request(name, **how)
        count, last = 0, b""
        while piece := response.read(MEGABYTE):
            count, last = count + len(piece), (last + piece)[-16:]
        return response, count, last

    def slow(self, name, modifier="oe_", headers=()):
        """A client that takes the first of the body and no more."""
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(120)
        client.connect(("127.0.0.1", self.port))
        fields = "".join(f"{field}: {value}\r\n" for field, value in dict(headers).items())
        client.sendall(f"GET /c/{STAMP}{modifier}/http://example.org/{name} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode())
        return client


class ServeBodies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.collection = collection = Collection()
        cls.addClassCleanup(shutil.rmtree, collection.folder)
        zeros = bytes(MEGABYTE)
        bomb = gzip_of(zeros for _ in range(128))
        text = gzip_of(b"<p>text <a href=x>link</a>" * 40_000 for _ in range(40))
        comment = gzip_of([b"<!--", *(b"x" * MEGABYTE for _ in range(60))])
        noise = os.urandom(MEGABYTE)
        coded = "Content-Encoding: gzip\r\nContent-Type: "
        collection.add("small", "Content-Type: text/html", 5, [b"small"], True)
        collection.add("bomb", coded + "application/x-bomb", len(bomb), [bomb], True)
        collection.add("page", coded + "text/html", len(text), [text], True)
        collection.add("comment", coded + "text/html", len(comment), [comment], True)
        collection.add("sheet", coded + "text/css", len(comment), [comment], True)
        collection.add("zeros-page", coded + "text/html", len(bomb), [bomb], True)
        collection.add("video", "Content-Type: video/mp4", 60 * MEGABYTE, [noise] * 60, False)
        collection.add("packed-video", "Content-Type: video/mp4", 60 * MEGABYTE, [noise] * 60, True)
        collection.add("hole", "Content-Type: video/mp4", GIGABYTE + 300 * MEGABYTE, None, False)
        collection.add("packed-hole", "Content-Type: video/mp4", GIGABYTE + MEGABYTE, [zeros] * 1025, True)
        collection.finish()
        cls.server = Server(collection)
        cls.addClassCleanup(cls.server.stop)

    def others_wait(self, seconds, stop):
        """The longest of answers to others meanwhile."""
        longest = 0
        while not stop.wait(0.05):
            begin = time.monotonic()
            self.assertEqual(self.server.read("small", modifier="mp_")[0].status, 200)
            longest = max(longest, time.monotonic() - begin)
        seconds.append(longest)

    def sit(self, requests):
        """Slow clients of these: the memory meanwhile, and how long others waited."""
        waited, stop = [], threading.Event()
        other = threading.Thread(target=self.others_wait, args=(waited, stop))
        clients = []
        try:
            other.start()
            for i in range(SLOW_CLIENTS):
                name, more = requests[i % len(requests)]
                clients.append(self.server.slow(name, **more))
            for client in clients:
                self.assertTrue(client.recv(100).startswith(b"HTTP/1.1 20"))
            # Taken a little further, so that every body is on its way.
            for client in clients:
                for _ in range(20):
                    self.assertTrue(client.recv(4096))
            memory, most = self.server.memory()
        finally:
            stop.set()
            other.join()
            for client in clients:
                client.close()
        harness.tell(self, megabytes=memory, most_megabytes=most, milliseconds=round(waited[0] * 1000))
        print(f"\n{memory} MB, at most {most} MB; others waited {waited[0]:.3f} s at most", file=sys.stderr)
        self.assertLess(most, MOST_MEMORY)
        self.assertLess(waited[0], 10)

    def test_slow_clients_of_bombs(self):
        self.sit([("bomb", {}), ("zeros-page", {"modifier": "mp_"}), ("comment", {"modifier": "mp_"}), ("sheet", {"modifier": "cs_"})])

    def test_slow_clients_of_pages(self):
        self.sit([("page", {"modifier": "mp_"})])

    def test_slow_clients_of_videos(self):
        self.sit([("video", {}), ("packed-video", {}), ("video", {"headers": {"Range": "bytes=20000000-"}}),
                  ("packed-video", {"headers": {"Range": "bytes=20000000-"}}), ("packed-video", {"modifier": "id_"})])

    def test_bodies_beyond_a_gigabyte(self):
        for name, size in (("hole", GIGABYTE + 300 * MEGABYTE), ("packed-hole", GIGABYTE + MEGABYTE)):
            head = self.server.request(name, method="HEAD")
            self.assertEqual((head.status, head.headers["Content-Length"]), (200, str(size)))
            response, count, last = self.server.read(name, headers={"Range": f"bytes={size - 20}-"})
            self.assertEqual((response.status, count, last), (206, 20, bytes(16)))
            self.assertEqual(response.headers["Content-Range"], f"bytes {size - 20}-{size - 1}/{size}")
            response, count, last = self.server.read(name)
            self.assertEqual((response.status, count, last), (200, size, bytes(16)))
        self.assertLess(self.server.memory()[1], MOST_MEMORY)

    def test_bomb_is_sent_whole(self):
        response, count, _ = self.server.read("bomb")
        self.assertEqual((response.status, count), (200, 128 * MEGABYTE))
        response, count, _ = self.server.read("page", modifier="mp_")
        self.assertEqual(response.status, 200)
        self.assertGreater(count, 40 * 40_000 * len("<p>text <a href=x>link</a>"))


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
