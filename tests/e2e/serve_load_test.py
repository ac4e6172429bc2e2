#!/usr/bin/env python3
"""`caddis serve` with many clients at once, each asking again and again for what readers and tools ask for: every answer is whole
and right, the memory does not grow with time, and files that vanish, are cut or spoilt meanwhile harm only what lies in them.

CADDIS_LOAD_CLIENTS (100 by default) and CADDIS_LOAD_SECONDS (10): 1,000 and 600 by hand.
"""

import asyncio
import os
import pathlib
import random
import resource
import sys
import time
import unittest

import harness
from dated_archive import DatedArchive, record

CLIENTS = int(os.environ.get("CADDIS_LOAD_CLIENTS", "100"))
SECONDS = float(os.environ.get("CADDIS_LOAD_SECONDS", "10"))
PAGES = 200
STAMPS = ("20190101000000", "20200101000000", "20210101000000")
VIDEO = bytes(range(256)) * 4096


def page(number, stamp):
    links = "".join(f"<a href='/p/{(number * 7 + k) % PAGES}'>{k}</a> " for k in range(20))
    return f"<html><head><title>page {number} of {stamp}</title></head><body>{links}{'text ' * 400}</body></html>".encode()


class Asker:
    """One client with its own connection, and what it has seen."""

    def __init__(self, port, number):
        self.port, self.random = port, random.Random(number)
        self.answers, self.errors, self.slowest = 0, [], 0.0

    def wish(self):
        """A path, more header fields, and what its answer must be: a status, and text in it."""
        number, stamp = self.random.randrange(PAGES), self.random.choice(STAMPS)
        url = f"http://load.example/p/{number}"
        return self.random.choice([
            (f"/c/{stamp}mp_/{url}", "", 200, f"page {number} of {stamp}"),
            (f"/c/{stamp}id_/{url}", "", 200, f"page {number} of {stamp}"),
            (f"/c/*/{url}", "", 200, "2020"),
            (f"/c/cdx?url={url}", "", 200, stamp),
            ("/c/cdx?url=load.example&matchType=host&limit=50", "", 200, "load.example"),
            (f"/c/timemap/link/{url}", "", 200, stamp),
            (f"/c/{stamp}id_/http://load.example/film", f"Range: bytes={number * 1000}-{number * 1000 + 4999}\r\n", 206, ""),
            (f"/c/{stamp}mp_/http://load.example/none/{number}", "", 404, ""),
        ])

    async def answer(self, reader):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head.split("\r\n")[1:] if line)}
        if fields.get("transfer-encoding") == "chunked":
            body = b""
            while size := int(await reader.readline(), 16):
                body += (await reader.readexactly(size + 2))[:-2]
            await reader.readline()
        else:
            body = await reader.readexactly(int(fields.get("content-length", 0)))
        return int(head.split(" ")[1]), body, fields.get("connection") == "close"

    async def live(self, end, may_be):
        writer = None
        while time.monotonic() < end:
            path, more, status, text = self.wish()
            began = time.monotonic()
            try:
                if writer is None:
                    reader, writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode())
                got, body, closes = await self.answer(reader)
                self.answers += 1
                self.slowest = max(self.slowest, time.monotonic() - began)
                if not may_be(path, got) and (got != status or text.encode() not in body):
                    self.errors.append(f"{path}: {got} instead of {status}, {len(body)} bytes: {body[:200]}")
                if closes:
                    writer.close()
                    writer = None
            except (OSError, EOFError, asyncio.IncompleteReadError) as error:
                writer = None
                if not may_be(path, None):
                    self.errors.append(f"{path}: {error!r}")
        if writer is not None:
            writer.close()


class ServeLoadTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    def archive(self):
        captures = [(f"http://load.example/p/{number}", stamp, page(number, stamp)) for number in range(PAGES) for stamp in STAMPS]
        captures += [("http://load.example/film", stamp, VIDEO, "video/mp4") for stamp in STAMPS]
        archive = DatedArchive(self, captures)
        archive.caddis("index", "add", archive.path)
        return archive

    def serve(self, archive):
        process = archive.serve(None, "--connections-per-address", "0", "--max-connections", str(2 * CLIENTS))
        self.assertEqual(archive.status("/c/cdx?url=http://load.example/p/1"), 200)
        return process

    @staticmethod
    def resident_mb(process):
        for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        return 0

    def load(self, archive, process, meanwhile, may_be=lambda path, status: False):
        """The clients' askers, and the resident memory at each tenth of the time."""
        askers = [Asker(archive.port, number) for number in range(CLIENTS)]
        memory = []

        async def watch(end):
            for step in range(10):
                await asyncio.sleep(SECONDS / 10)
                memory.append(self.resident_mb(process))
                meanwhile(step)

        async def all_of_them():
            end = time.monotonic() + SECONDS
            await asyncio.gather(watch(end), *(asker.live(end, may_be) for asker in askers))

        asyncio.run(all_of_them())
        self.assertIsNone(process.poll(), "it serves on")
        return askers, memory

    def test_memory_is_flat_and_every_answer_right(self):
        archive = self.archive()
        askers, memory = self.load(archive, self.serve(archive), lambda step: None)
        errors = [error for asker in askers for error in asker.errors]
        self.assertEqual(errors[:5], [])
        answers = sum(asker.answers for asker in askers)
        harness.tell(self, clients=CLIENTS, seconds=SECONDS, answers=answers, slowest_ms=int(1000 * max(asker.slowest for asker in askers)),
                     memory_mb=[round(each) for each in memory])
        self.assertGreater(answers, 10 * CLIENTS)
        # The first tenths fill caches; a leak of a hundredth of each answer would be far more than the rest may grow.
        self.assertLess(memory[-1], 1.15 * memory[2] + 20)

    def test_files_that_vanish_or_change_harm_only_themselves(self):
        archive = self.archive()
        extra = archive.path / "archive/b.warc"
        extra.write_bytes(b"".join(record(f"http://other.example/{number}", STAMPS[0], page(number, STAMPS[0])) for number in range(50)))
        archive.caddis("index", "add", archive.path)
        process = self.serve(archive)
        whole = extra.read_bytes()

        def meanwhile(step):
            if step % 3 == 0:
                extra.write_bytes(whole[:len(whole) // 2])
            elif step % 3 == 1:
                extra.unlink(missing_ok=True)
            else:
                extra.write_bytes(bytes(len(whole)))
            status, _, body = archive.ask(f"/c/{STAMPS[0]}id_/http://other.example/49")
            self.assertNotEqual(status, 200, body[:200])

        askers, _ = self.load(archive, process, meanwhile)
        self.assertEqual([error for asker in askers for error in asker.errors][:5], [])
        extra.write_bytes(whole)
        status, _, body = archive.ask(f"/c/{STAMPS[0]}id_/http://other.example/49")
        self.assertEqual((status, f"page 49 of {STAMPS[0]}" in body), (200, True))


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
