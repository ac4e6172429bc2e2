"""Collections for the attacker's test: captures written as WARC files, and `caddis serve` on them."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import uuid

import harness

TIMESTAMP = "20260102030405"


def response_record(url, status, headers, body):
    lines = [f"HTTP/1.1 {status} Captured", *(f"{name}: {value}" for name, value in headers), f"Content-Length: {len(body)}"]
    block = "\r\n".join(lines).encode("utf-8") + b"\r\n\r\n" + body
    fields = {"WARC-Type": "response", "WARC-Target-URI": url, "WARC-Date": "2026-01-02T03:04:05Z",
              "WARC-Record-ID": f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, url)}>",
              "Content-Type": "application/http; msgtype=response", "Content-Length": str(len(block))}
    head = "WARC/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return head.encode() + b"\r\n" + block + b"\r\n\r\n"


class Archive:
    """Collections by name, each a list of captures (url, status, headers, body), served until the `with` ends."""

    def __init__(self, collections, *options, listen="127.0.0.1:0"):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-escape-"))
        for name, captures in collections.items():
            (self.folder / name / "archive").mkdir(parents=True)
            records = b"".join(response_record(*capture) for capture in captures)
            (self.folder / name / "archive" / "a.warc").write_bytes(records)
        self.process = subprocess.Popen([harness.BINARY, "serve", str(self.folder), "--listen", listen, *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=harness.clean_environment(self.folder))
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            error = self.process.communicate()[1]
            raise AssertionError(f"caddis serve said: {line}{error}")
        self.port = int(found[1])
        for stream in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._drain, args=(stream,), daemon=True).start()

    @staticmethod
    def _drain(stream):
        for _ in stream:
            pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    def address(self, collection, modifier, url):
        return f"http://{self.host}/{collection}/{TIMESTAMP}{modifier}/{url}"
