"""A harvest server in a folder of its own, a database server, and a local web of several domains for them."""

import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import urllib.parse

import harness

SOURCE = pathlib.Path(__file__).resolve().parents[2]
SETTINGS = """
harvest:
  contact: archive@library.example
  organization: library.example
  check-interval: 200ms
"""
TEMPLATE = """extends: domain
politeness: {delay: 0s, min-delay: 0s, url-retries: 0, host-probes: 0}
fetch: {allow-addresses: [127.0.0.0/8], connect-timeout: 5s}
memory: {total: 256MB}
extract: {favicon: false}
scope: {max-hops: 10000}
dns:
  hosts: [%s]
"""


class Web:
    """Domains on one loopback server, told apart by Host: a page for each path, made by a function of (host, path)."""

    def __init__(self, page):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                host = self.headers.get("Host", "").partition(":")[0]
                body = page(host, self.path)
                self.send_response(404 if body is None else 200)
                body = (body or "no").encode()
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def template(self, domains, delay="0s"):
        return TEMPLATE.replace("delay: 0s", f"delay: {delay}") % ", ".join(f'"{prefix}{one}=127.0.0.1"' for one in domains for prefix in ("", "www."))

    def seed(self, domain, path="/"):
        return f"http://www.{domain}:{self.port}{path}"


class ByteStore:
    """A server that keeps what is PUT, and gives it to GET. With keys it refuses what is not signed with them (AWS Signature V4)."""

    def __init__(self, keys=None):
        store = self
        self.files = {}

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                if not self.is_signed(hashlib.sha256(b"").hexdigest()):
                    return self.answer(403, b"the signature is wrong")
                body = store.files.get(self.path)
                self.answer(404 if body is None else 200, body or b"no")

            def do_PUT(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if not self.is_signed(hashlib.sha256(body).hexdigest()):
                    return self.answer(403, b"the signature is wrong")
                store.files[self.path] = body
                self.answer(201, b"")

            def is_signed(self, digest):
                """By the words of the specification, written down once more."""
                if keys is None:
                    return True
                found = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d+)/([^/]+)/s3/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)",
                                     self.headers.get("Authorization", ""))
                if not found or found[1] != keys[0] or self.headers["X-Amz-Content-Sha256"] != digest:
                    return False
                lines = "".join(f"{name}:{self.headers[name]}\n" for name in found[4].split(";"))
                request = f"{self.command}\n{self.path}\n\n{lines}\n{found[4]}\n{digest}"
                text = f"AWS4-HMAC-SHA256\n{self.headers['X-Amz-Date']}\n{found[2]}/{found[3]}/s3/aws4_request\n{hashlib.sha256(request.encode()).hexdigest()}"
                key = ("AWS4" + keys[1]).encode()
                for part in (found[2], found[3], "s3", "aws4_request"):
                    key = hmac.digest(key, part.encode(), "sha256")
                return hmac.new(key, text.encode(), "sha256").hexdigest() == found[5]

            def answer(self, status, body):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class Postgresql:
    """A server that can be stopped; it ends with this process."""

    def __init__(self):
        said = subprocess.run([SOURCE / "tests/support/postgresql.sh", str(os.getpid())], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.missing = said.startswith("missing") and said
        self.address = said.strip()
        found = re.search(r"host=([^&]+)", said)
        self.folder = found and found[1]

    def control(self, *arguments):
        programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        who = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups", "--"] if os.getuid() == 0 else []
        subprocess.run([*who, programs / "pg_ctl", "-D", f"{self.folder}/data", *arguments], check=True, cwd="/", stdout=subprocess.DEVNULL)

    def stop(self):
        self.control("-m", "immediate", "stop")

    def start(self):
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off -c max_connections=60"
        self.control("-w", "-l", f"{self.folder}/log", "-o", options, "start")


class HarvestServer:
    def __init__(self, settings=SETTINGS):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-harvest-"))
        self.data = self.folder / "data"
        self.data.mkdir()
        (self.data / "harvest.yaml").write_text(settings)
        self.process = None
        self.log = self.folder / "server.log"

    def environment(self):
        return harness.clean_environment(self.folder)

    def start(self, *more, trusts=True):
        command = [harness.BINARY, "harvest", "server", "--data", self.data, "--listen", "127.0.0.1:0", *(["--trust-loopback"] if trusts else []), *more]
        with self.log.open("a") as log:
            self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=log, text=True,
                                            env=self.environment())
        self.said = ""
        while not (found := re.search(r"^harvest server: (http://127.0.0.1:(\d+))/", self.said, re.M)):
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(f"the server did not start: {self.said} {self.log.read_text()}")
            self.said += line
        self.url, self.port = found[1], int(found[2])
        return self

    def new_user(self, name, role):
        """A user with a token; the header that shows it."""
        def users(*command):
            return subprocess.run([harness.BINARY, "users", *command, name, "--role", role, "--file", str(self.data / "users")],
                                  check=True, capture_output=True, text=True).stdout

        users("add")
        return {"Authorization": "Bearer " + users("token", "add").split()[0]}

    def port_of_archive(self):
        """As it is said, for tests that may not ask."""
        while not (found := re.search(r"^serving .* at http://127.0.0.1:(\d+)/", self.said, re.M)):
            self.said += self.process.stdout.readline()
        return int(found[1])

    def harvester(self, name, *more, folder=None, log=None):
        """A harvester of its own; its folder is named like it."""
        command = [harness.BINARY, "harvest", "harvester", "--server", self.url, "--name", name, "--data", folder or self.folder / name,
                   "--every", "300ms", *more]
        with (self.folder / f"{name}.log").open("a") as log:
            return subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=log,
                                    env=harness.clean_environment(self.folder))

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return harness.finish(self.process, 60)[0]

    def kill(self):
        harness.kill(self.process)

    def remove(self):
        if self.process and self.process.poll() is None:
            self.kill()
        for held in self.folder.glob("**/process"):
            pid = held.read_text().strip()
            if pid and (pathlib.Path("/proc") / pid).exists():
                subprocess.run(["kill", "-9", pid], check=False)
        shutil.rmtree(self.folder, True)

    def raw(self, method, path, body=None, headers=None):
        """(status, body)"""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        text = json.dumps(body) if isinstance(body, (dict, list)) else body
        connection.request(method, path, text and text.encode(), headers or {})
        answer = connection.getresponse()
        result = answer.status, answer.read()
        connection.close()
        return result

    def type_of(self, path):
        """The Content-Type of what is there."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)
        connection.request("HEAD", path)
        kind = connection.getresponse().getheader("Content-Type")
        connection.close()
        return kind

    def ask(self, method, path, body=None, status=200):
        got, answer = self.raw(method, path, body)
        if got != status:
            raise AssertionError(f"{method} {path}: {got} {answer.decode()}")
        return json.loads(answer)

    def get(self, path, **query):
        return self.ask("GET", path + ("?" + urllib.parse.urlencode(query) if query else ""))

    def template(self, name, source):
        """Makes or changes a template."""
        known = {one["name"]: one["edition"] for one in self.get("/api/templates")["templates"]}
        return self.ask("POST", "/api/templates", {"name": name, "source": source, "edition": known.get(name, 0)})

    def domain(self, name, seeds, **limits):
        """Creates a domain if it is not there, and sets its seeds and limits."""
        self.ask("POST", "/api/domains", name)
        domain = self.get(f"/api/domains/{name}")
        domain["seed_lists"][0]["seeds"] = "\n".join(seeds)
        domain["configurations"][0].update(limits)
        return self.ask("PUT", f"/api/domains/{name}", domain)

    def jobs(self, harvest):
        return self.get("/api/jobs", harvest=harvest)["jobs"]

    def wait_for_jobs(self, harvest, count=1, states=("DONE",), seconds=600):
        def probe():
            jobs = self.jobs(harvest)
            over = [one for one in jobs if one["state"] not in ("NEW", "SUBMITTED", "STARTED")]
            if len(over) < count or len(over) < len(jobs):
                return None
            for one in jobs:
                if one["state"] not in states:
                    raise AssertionError(f"job {one}")
            return jobs

        return harness.wait_until(probe, f"{count} jobs of {harvest}", seconds, 0.2)

    def results(self, harvest):
        """{domain: (objects, stop reason)}"""
        found = self.get("/api/results", harvest=harvest, limit=1000)["results"]
        return {one["domain"]: (one["objects"], one["stop_reason"]) for one in found}
