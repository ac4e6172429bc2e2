"""Engines, and sites for their jobs, for the tests of them."""

import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest

import harness

SETTINGS = """
politeness:
  delay: 0s
robots:
  policy: ignore
scope:
  max-hops: 100000
memory:
  total: 256MB
"""


class Site:
    """Pages /0, /1, … on loopback, each with a link to the next ones."""

    def __init__(self, pages=100_000, pace=0.02):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                time.sleep(pace)
                number = int(re.sub(r"\D", "", self.path) or "0")
                links = "".join(f"<a href='/{n}'>{n}</a>" for n in range(number + 1, number + 3) if n < pages)
                body = links.encode()
                self.send_response(200 if self.path != "/robots.txt" else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.seed = f"http://127.0.0.1:{self.server.server_address[1]}/0"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class SocketConnection(http.client.HTTPConnection):
    """HTTP over the engine's Unix socket, also one whose path is long."""

    def __init__(self, path):
        super().__init__("caddis", timeout=120)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        folder = os.open(self.path.parent, os.O_PATH)
        try:
            self.sock.connect(f"/proc/self/fd/{folder}/{self.path.name}")
        finally:
            os.close(folder)


class Engine:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.process = None

    def start(self, *more):
        command = [harness.BINARY, "engine", "--jobs", self.folder, "--listen", "127.0.0.1:0", *more]
        self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True,
                                        env=harness.clean_environment(self.folder))
        self.said = ""
        while not re.search(r"^\d+ jobs? in ", self.said, re.M):
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(f"the engine did not start: {self.said}")
            self.said += line
        return self

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return harness.finish(self.process, 60)[0]

    def raw(self, method, path, body=None, headers=None):
        """(status, header fields, body)"""
        connection = SocketConnection(self.folder / "engine.sock")
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        result = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return result

    def ask(self, method, path, body=None, status=200):
        text = json.dumps(body) if isinstance(body, (dict, list)) else body
        got, _, answer = self.raw(method, path, text)
        if got != status:
            raise AssertionError(f"{method} {path}: {got} {answer.decode()}")
        return json.loads(answer)

    def job(self, name):
        return self.ask("GET", f"/api/jobs/{name}")

    def act(self, name, action, body=None, status=200):
        return self.ask("POST", f"/api/jobs/{name}/{action}", body, status)

    def wait(self, name, *states, seconds=90):
        return harness.wait_until(lambda: (job := self.job(name))["state"] in states and job, f"{name} {states}", seconds)

    def processes(self):
        """(job folder, pid) of the crawls that the engine has launched."""
        for held in self.folder.glob("*/2*/process"):
            text = held.read_text().strip()
            if text and pathlib.Path(f"/proc/{text}").exists():
                yield held.parent, int(text)


class EngineCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-engine-"))
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.engine = Engine(self.folder / "jobs")
        self.addCleanup(self.end_all)
        self.site = None

    def end_all(self):
        if self.engine.process and self.engine.process.poll() is None:
            self.engine.kill()
        for _, pid in self.engine.processes():
            os.kill(pid, signal.SIGKILL)

    def site_of(self, **how):
        site = Site(**how)
        self.addCleanup(site.close)
        return site

    def new_job(self, name, site, more=""):
        self.engine.ask("POST", "/api/jobs", {"name": name, "urls": [site.seed]})
        text = f"crawl:\n  seeds:\n    - {site.seed}\n{SETTINGS}{more}"
        self.engine.ask("PUT", f"/api/jobs/{name}/config", text)
