"""An archive made by hand whose captures have times, and `caddis serve` on it."""

import base64
import datetime
import hashlib
import http.client
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import uuid

import harness


def record(url, stamp, body, mime="text/html", status="200 OK"):
    block = f"HTTP/1.1 {status}\r\nContent-Type: {mime}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
    date = datetime.datetime.strptime(stamp, "%Y%m%d%H%M%S").strftime("%Y-%m-%dT%H:%M:%SZ")
    head = (f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url + stamp)}>\r\n"
            f"WARC-Target-URI: {url}\r\nWARC-Date: {date}\r\nContent-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(block)}\r\n\r\n")
    return head.encode() + block + b"\r\n\r\n"


def revisit(url, stamp, of_url, of_stamp, body, mime="text/html"):
    """A record that says: what was got is the body of another capture."""
    block = f"HTTP/1.1 200 OK\r\nContent-Type: {mime}\r\nContent-Length: {len(body)}\r\n\r\n".encode()
    date, of_date = (datetime.datetime.strptime(one, "%Y%m%d%H%M%S").strftime("%Y-%m-%dT%H:%M:%SZ") for one in (stamp, of_stamp))
    digest = base64.b32encode(hashlib.sha1(body).digest()).decode()
    head = (f"WARC/1.1\r\nWARC-Type: revisit\r\nWARC-Record-ID: <urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url + stamp)}>\r\n"
            f"WARC-Target-URI: {url}\r\nWARC-Date: {date}\r\nWARC-Payload-Digest: sha1:{digest}\r\n"
            f"WARC-Profile: http://netpreserve.org/warc/1.1/revisit/identical-payload-digest\r\n"
            f"WARC-Refers-To-Target-URI: {of_url}\r\nWARC-Refers-To-Date: {of_date}\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(block)}\r\n\r\n")
    return head.encode() + block + b"\r\n\r\n"


class DatedArchive:
    """The collection "c" of these captures: (url, timestamp, body) or with a media type behind."""

    def __init__(self, test, captures):
        self.test = test
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        test.addCleanup(shutil.rmtree, self.folder)
        self.path = self.folder / "c"
        (self.path / "archive").mkdir(parents=True)
        (self.path / "archive/a.warc").write_bytes(b"".join(record(*capture) for capture in captures))
        self.ports = {}
        self.port = None

    def caddis(self, *arguments, code=0, text=None):
        done = subprocess.run([harness.BINARY, *map(str, arguments)], capture_output=True, text=True, input=text, timeout=120,
                              cwd=self.folder, env=harness.clean_environment(self.folder))
        self.test.assertEqual(done.returncode, code, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout if code == 0 else done.stdout + done.stderr

    def serve(self, path=None, *more):
        """Serves until the test ends; `port` is where."""
        process = subprocess.Popen([harness.BINARY, "serve", str(path or self.path), "--listen", "127.0.0.1:0", *map(str, more)],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.folder,
                                   env=harness.clean_environment(self.folder))
        self.test.addCleanup(harness.kill, process)
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        self.test.assertTrue(found, line or process.communicate()[1])
        self.port = int(found[1])
        for stream in (process.stdout, process.stderr):
            threading.Thread(target=lambda taken=stream: [None for _ in taken], daemon=True).start()
        return process

    def ask(self, path, method="GET", body=None, **headers):
        """Status, headers, body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=180)
        try:
            connection.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode("latin-1")
        finally:
            connection.close()

    def status(self, *arguments, **headers):
        return self.ask(*arguments, **headers)[0]

    def json(self, *arguments, **headers):
        return json.loads(self.ask(*arguments, **headers)[2])
