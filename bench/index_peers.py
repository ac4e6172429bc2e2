#!/usr/bin/env python3
"""What an index server takes for lines and queries, beside others of its kind on the same lines: processor time of the server's own
process and threads, so that a busy machine changes little.

    bench/index_peers.py --caddis build/release/caddis --outback outbackcdx.jar --wayback venv/bin/wayback --lines 300000
"""

import argparse
import hashlib
import http.client
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

TICKS = os.sysconf("SC_CLK_TCK")


def page(number):
    """A host has some 200 pages, and each is captured three times."""
    one = number // 3
    return f"https://{'www.' if one % 3 == 0 else ''}site{one // 200}.example.{'org' if one % 2 else 'co.uk'}/articles/{one % 25}/page-{one % 200}.html?id={one}"


def fields(number):
    digest = hashlib.sha1(str(number).encode()).digest()
    stamp = f"20{10 + digest[0] % 10}{1 + digest[1] % 12:02}{1 + digest[2] % 28:02}{digest[3] % 24:02}{digest[4] % 60:02}{digest[5] % 60:02}"
    name = "".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[byte % 32] for byte in digest + digest[:12])
    return stamp, name, 1000 + int.from_bytes(digest[6:8], "big"), int.from_bytes(digest[8:12], "big"), f"CRAWL-{number // 30000:05}.warc.gz"


def cdx_line(number):
    stamp, digest, length, offset, file = fields(number)
    return f"- {stamp} {page(number)} text/html 200 {digest} - - {length} {offset} {file}\n"


def key(url):
    host, _, path = url.partition("://")[2].partition("/")
    return ",".join(reversed(host.removeprefix("www.").split("."))) + ")/" + path


def cdxj_line(number):
    stamp, digest, length, offset, file = fields(number)
    url = page(number)
    members = {"url": url, "mime": "text/html", "status": "200", "digest": digest, "length": str(length), "offset": str(offset), "filename": file}
    return f"{key(url)} {stamp} {json.dumps(members)}\n"


class Server:
    def __init__(self, name, command, port, home):
        self.name, self.port, self.log = name, port, home / f"{name}.log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([str(part) for part in command], stdout=log, stderr=log, cwd=home)
        end = time.monotonic() + 300
        while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(self.log.read_text())
            time.sleep(0.2)
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1200)

    def ask(self, method, path, body=None):
        try:
            self.connection.request(method, path, body)
            answer = self.connection.getresponse()
        except (http.client.HTTPException, ConnectionError):
            self.connection.close()
            self.connection.request(method, path, body)
            answer = self.connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 202):
            raise RuntimeError(f"{self.name} {path}: {answer.status} {text[:200]}")
        return text

    def seconds(self):
        """Of processor time so far."""
        values = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(values[11]) + int(values[12])) / TICKS

    def wait_until_idle(self):
        """Compaction goes on behind its answer."""
        before = -1.0
        while (now := self.seconds()) - before > 0.05:
            before = now
            time.sleep(10)

    def memory(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
        return 0

    def queries(self, path, lines, count, warm):
        for number in range(warm):
            self.ask("GET", path(page(number * 7919 % lines)))
        before = self.seconds()
        found = sum(self.ask("GET", path(page(number * 104729 % lines))).count(b"\n") for number in range(count))
        return (self.seconds() - before) / count * 1e6, found / count

    def stop(self):
        self.process.terminate()
        self.process.wait()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def encoded(url):
    return url.replace("%", "%25").replace("&", "%26").replace("?", "%3F")


def folder_size(folder):
    return sum(path.stat().st_size for path in pathlib.Path(folder).rglob("*") if path.is_file())


def measure_store(name, command, port, home, data, lines, arguments):
    server = Server(name, command, port, home)
    try:
        before, begun = server.seconds(), time.monotonic()
        for at in range(0, lines, 50_000):
            server.ask("POST", "/i", "".join(cdx_line(number * 7919 % lines) for number in range(at, min(lines, at + 50_000))).encode())
        took = server.seconds() - before
        server.ask("POST", "/i/compact")
        server.wait_until_idle()
        one, each = server.queries(lambda url: f"/i?url={encoded(url)}", lines, arguments.queries, arguments.warm)
        before = server.seconds()
        found = server.ask("GET", "/i?url=example.org&matchType=domain&limit=100000").count(b"\n")
        scan = (server.seconds() - before) / max(found, 1) * 1e6
        print(f"{name}: {took / lines * 1e6:.2f} us a line taken, {folder_size(data) / lines:.1f} bytes a line, {one:.0f} us an exact query "
              f"of {each:.1f} lines, {scan:.2f} us a line of a domain ({found}), {server.memory():.0f} MB at most, "
              f"{time.monotonic() - begun:.0f} s in all", flush=True)
    finally:
        server.stop()


def measure_pywb(wayback, home, lines, arguments):
    collection = home / "collections/c/indexes"
    collection.mkdir(parents=True)
    (home / "collections/c/archive").mkdir()
    with (collection / "index.cdxj").open("w") as file:
        file.writelines(sorted(cdxj_line(number) for number in range(lines)))
    port = free_port()
    server = Server("pywb", [wayback, "-b", "127.0.0.1", "-p", port, "-d", home], port, home)
    try:
        one, each = server.queries(lambda url: f"/c/cdx?url={encoded(url)}", lines, arguments.queries // 10, arguments.warm // 20)
        before = server.seconds()
        found = server.ask("GET", "/c/cdx?url=example.org&matchType=domain&limit=100000").count(b"\n")
        print(f"pywb: {one:.0f} us an exact query of {each:.1f} lines, {(server.seconds() - before) / max(found, 1) * 1e6:.2f} us a line "
              f"of a domain ({found}), {server.memory():.0f} MB at most", flush=True)
    finally:
        server.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--caddis")
    parser.add_argument("--outback", help="OutbackCDX's jar, or its class path (jars joined with ':')")
    parser.add_argument("--wayback", help="pywb's program")
    parser.add_argument("--lines", type=int, default=300_000)
    parser.add_argument("--queries", type=int, default=5_000)
    parser.add_argument("--warm", type=int, default=5_000)
    arguments = parser.parse_args()
    for program in ("caddis", "outback", "wayback"):
        if paths := getattr(arguments, program):
            setattr(arguments, program, ":".join(str(pathlib.Path(path).absolute()) for path in paths.split(":")))
    home = pathlib.Path(tempfile.mkdtemp(prefix="caddis-index-peers-"))
    try:
        if arguments.caddis:
            port, data = free_port(), home / "caddis"
            command = [arguments.caddis, "index", "serve", "--data", data, "--listen", f"127.0.0.1:{port}"]
            measure_store("caddis", command, port, home, data, arguments.lines, arguments)
        if arguments.outback:
            port, data = free_port(), home / "outback"
            data.mkdir()
            command = ["java", "-cp", arguments.outback, "outbackcdx.Main", "-b", "127.0.0.1", "-p", port, "-d", data, "--max-num-results", "100000"]
            measure_store("outbackcdx", command, port, home, data, arguments.lines, arguments)
        if arguments.wayback:
            measure_pywb(arguments.wayback, home, arguments.lines, arguments)
    finally:
        shutil.rmtree(home)
    return 0


if __name__ == "__main__":
    sys.exit(main())
