#!/usr/bin/env python3
"""Jobs: made, launched, steered and found again by an engine, which may die at any moment, as their crawls may.

CADDIS_ENGINE_KILLS: how often something is killed (8 by default); CADDIS_ENGINE_JOBS: jobs that run at once (4; 20 at night).
"""

import http.client
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import harness

KILLS = int(os.environ.get("CADDIS_ENGINE_KILLS", "8"))
JOBS = int(os.environ.get("CADDIS_ENGINE_JOBS", "4"))
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


BEANS = """<?xml version="1.0"?>
<beans xmlns="http://www.springframework.org/schema/beans">
 <bean id="metadata" class="org.archive.modules.CrawlMetadata"/>
 <bean id="seeds" class="org.archive.modules.seeds.TextSeedModule">
  <property name="textSource"><bean class="org.archive.spring.ConfigFile"><property name="path" value="seeds.txt"/></bean></property>
 </bean>
 <bean id="scope" class="org.archive.modules.deciderules.DecideRuleSequence">
  <property name="rules">
   <list>
    <bean class="org.archive.modules.deciderules.RejectDecideRule"/>
    <bean class="org.archive.modules.deciderules.surt.SurtPrefixedDecideRule"/>
   </list>
  </property>
 </bean>
 <bean id="disposition" class="org.archive.crawler.postprocessor.DispositionProcessor">
  <property name="minDelayMs" value="0"/>
 </bean>
</beans>
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


class EngineTest(unittest.TestCase):
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

    def test_a_whole_life(self):
        site = self.site_of()
        engine = self.engine.start()
        self.new_job("one", site)
        job = engine.job("one")
        self.assertEqual((job["state"], job["status"], job["crawl"]), ("UNBUILT", "Unbuilt", None))
        self.assertEqual(engine.act("one", "build")["status"], "Ready")
        self.assertIn("launch", engine.job("one")["actions"])
        self.assertIn("cannot be asked to pause", engine.act("one", "pause", status=409)["error"])
        engine.act("one", "launch?paused=1")
        self.assertEqual(engine.wait("one", "PAUSED")["status"], "Active: PAUSED")
        engine.act("one", "unpause")
        harness.wait_until(lambda: engine.job("one")["documents"] > 5, "documents")
        job = engine.job("one")
        self.assertEqual(job["crawl"]["state"], "running")
        self.assertEqual(job["launch_count"], 1)
        launch = self.engine.folder / "one" / job["last_launch"]
        for link, what in [("logs", "crawl.log"), ("state", "control.sock"), ("reports", ""), ("warcs", "")]:
            self.assertTrue((launch / link).is_symlink(), link)
            self.assertTrue((launch / link / what).exists(), link)
        self.assertEqual(os.readlink(launch.parent / "latest"), launch.name)
        engine.act("one", "pause")
        engine.wait("one", "PAUSED")
        engine.act("one", "checkpoint?name=kept")
        self.assertEqual([one["name"] for one in engine.job("one")["checkpoints"]], ["kept"])
        engine.act("one", "unpause")
        engine.act("one", "terminate")
        job = engine.wait("one", "FINISHED")
        self.assertEqual((job["exit"], job["status"]), ("ABORTED", "Finished: ABORTED"))
        done = job["documents"]
        self.assertEqual(job["launches"][0]["exit"], "ABORTED")
        self.assertEqual(job["launches"][0]["documents"], done)
        engine.act("one", "resume")
        harness.wait_until(lambda: engine.job("one")["documents"] > done, "more documents")
        self.assertEqual(engine.job("one")["launch_count"], 1)
        engine.act("one", "terminate")
        engine.wait("one", "FINISHED")
        engine.act("one", "launch?checkpoint=kept&paused=1")
        job = engine.wait("one", "PAUSED")
        self.assertEqual(job["launch_count"], 2)
        self.assertGreater(job["crawl"]["queued"], 0)
        engine.act("one", "terminate")
        engine.wait("one", "FINISHED")
        self.assertEqual(engine.act("one", "teardown")["status"], "Unbuilt")
        self.assertEqual(engine.stop(), 0)

    def test_a_crawl_that_ends_by_itself(self):
        engine = self.engine.start()
        self.new_job("small", self.site_of(pages=5))
        engine.act("small", "launch")
        job = engine.wait("small", "FINISHED")
        self.assertEqual((job["exit"], job["documents"]), ("FINISHED", 6))  # with robots.txt
        self.new_job("bounded", self.site_of(), "limits:\n  max-documents: 7\n")
        engine.act("bounded", "launch")
        self.assertEqual(engine.wait("bounded", "FINISHED")["exit"], "FINISHED_DOCUMENT_LIMIT")

    def test_configurations(self):
        engine = self.engine.start()
        site = self.site_of(pages=3)
        engine.ask("POST", "/api/jobs", {"name": "a", "profile": "domain", "urls": [site.seed]})
        self.assertIn("extends: domain", engine.raw("GET", "/api/jobs/a/config")[2].decode())
        wrong = engine.ask("POST", "/api/jobs/a/config/check", "politeness:\n  dealy: 3s\n")
        self.assertFalse(wrong["ok"])
        self.assertIn("crawl.yaml", wrong["errors"][0])
        self.assertIn("did you mean 'delay'", wrong["errors"][0])
        self.assertIn("dealy", engine.ask("PUT", "/api/jobs/a/config", "politeness:\n  dealy: 3s\n", 400)["error"])
        self.assertIn("extends: domain", engine.raw("GET", "/api/jobs/a/config")[2].decode())
        text = f"extends: domain\ncrawl:\n  seeds: [{site.seed}]\npoliteness:\n  delay: 11s\n"
        self.assertTrue(engine.ask("PUT", "/api/jobs/a/config", text)["ok"])
        difference = engine.ask("GET", "/api/jobs/a/config/diff")
        self.assertEqual(difference["profile"], "domain")
        self.assertIn("+politeness.delay = 11s", difference["lines"])
        settings = engine.ask("GET", "/api/jobs/a/settings?name=politeness.delay")["settings"]
        self.assertEqual([one["value"] for one in settings], ["11s"])
        rows = engine.ask("GET", "/api/schema")["settings"]
        self.assertIn("politeness.delay", [row["name"] for row in rows])
        self.assertIn("domain", [one["name"] for one in engine.ask("GET", "/api/profiles")["profiles"]])
        engine.act("a", "copy", {"name": "b", "as_profile": True})
        self.assertTrue(engine.job("b")["is_profile"])
        engine.act("b", "launch", status=409)
        engine.ask("POST", "/api/jobs", {"name": "c", "profile": "b"})
        self.assertIn("11s", engine.raw("GET", "/api/jobs/c/config")[2].decode())
        for name in ["", "../x", "a/b", ".x", "-x", "x" * 65, "a"]:
            self.assertIn(engine.raw("POST", "/api/jobs", json.dumps({"name": name}))[0], (400, 409), name)
        (self.engine.folder / "d").mkdir()
        (self.engine.folder / "d/crawl.yaml").write_text("nonsense: 1\n")
        self.assertEqual(engine.ask("POST", "/api/jobs/rescan"), {"found": 1})
        self.assertIn("nonsense", engine.act("d", "build", status=400)["error"])
        self.assertIn("nonsense", engine.job("d")["problems"][0])
        self.assertIn("SEVERE", engine.job("d")["log_tail"][-1])
        engine.act("d", "delete", {})
        self.assertFalse((self.engine.folder / "d").exists())

    def test_a_configuration_of_heritrix(self):
        engine = self.engine.start()
        folder = engine.folder / "old"
        folder.mkdir()
        site = self.site_of(pages=3)
        (folder / "seeds.txt").write_text(site.seed + "\n")
        (folder / "crawler-beans.cxml").write_text(BEANS)
        self.assertEqual(engine.ask("POST", "/api/jobs/rescan"), {"found": 1})
        job = engine.act("old", "build")
        self.assertEqual((job["status"], job["config_kind"]), ("Ready", "cxml"))
        self.assertTrue(any("imported crawler-beans.cxml" in line for line in job["log_tail"]), job["log_tail"])
        engine.act("old", "launch")
        job = engine.wait("old", "FINISHED")
        self.assertEqual(job["exit"], "FINISHED")
        self.assertIn("/0 ", (folder / "latest/logs/crawl.log").read_text())
        self.assertTrue((folder / "latest/crawler-beans.cxml").exists())
        (folder / "crawler-beans.cxml").write_text("<beans>")
        engine.act("old", "build", status=400)
        self.assertEqual(engine.job("old")["state"], "UNBUILT")

    def test_files_and_logs(self):
        engine = self.engine.start()
        self.new_job("a", self.site_of(pages=6))
        engine.act("a", "launch")
        engine.wait("a", "FINISHED")
        files = "/api/jobs/a/launches/latest/files"
        names = [one["name"] for one in engine.ask("GET", files + "/")["files"]]
        self.assertIn("warcs", names)
        log = engine.raw("GET", files + "/logs/crawl.log")[2]
        self.assertIn(b"127.0.0.1", log)
        status, fields, part = engine.raw("GET", files + "/logs/crawl.log", headers={"Range": "bytes=3-8"})
        self.assertEqual((status, part, fields["Content-Range"]), (206, log[3:9], f"bytes 3-8/{len(log)}"))
        self.assertEqual(engine.raw("GET", files + "/logs/crawl.log", headers={"Range": "bytes=-5"})[2], log[-5:])
        self.assertEqual(engine.raw("GET", files + "/logs/crawl.log", headers={"Range": f"bytes={len(log)}-"})[0], 416)
        self.assertEqual(engine.raw("HEAD", files + "/logs/crawl.log")[1]["Content-Length"], str(len(log)))
        logs = "/api/jobs/a/launches/latest/logs/crawl.log"
        lines = log.decode().splitlines()
        page = engine.ask("GET", logs + "?limit=2")
        self.assertEqual(page["lines"], lines[:2])
        self.assertEqual(engine.ask("GET", f"{logs}?limit=2&from={page['next']}")["lines"], lines[2:4])
        back = engine.ask("GET", logs + "?reverse=1")
        self.assertEqual((back["lines"], back["next"]), (lines[::-1], None))
        found = engine.ask("GET", logs + "?regex=/3%20")["lines"]
        self.assertEqual(found, [line for line in lines if "/3 " in line])
        self.assertIn("regex", engine.ask("GET", logs + "?regex=(", status=400)["error"])
        # Nothing outside of the job's folder, whatever the path or a link says.
        secret = self.folder / "secret"
        secret.write_text("secret")
        launch = self.engine.folder / "a/latest"
        (launch / "out").symlink_to(secret)
        (launch / "up").symlink_to(self.folder)
        for path in ["/out", "/up/secret", "/../../../secret", "/%2e%2e/%2e%2e/%2e%2e/secret", "/..%2f..%2f..%2fsecret",
                     "//etc/passwd", "/logs/../../../../secret", "/x%00y"]:
            status, _, body = engine.raw("GET", files + path)
            self.assertEqual(status, 404, path)
            self.assertNotIn(b"secret\n", body)
        self.assertEqual(engine.raw("GET", "/api/jobs/a/launches/latest/logs/..%2fprocess")[0], 404)
        self.assertEqual(engine.raw("GET", "/api/jobs/a/launches/..%2f..%2f/files/secret")[0], 404)
        # What is deleted is the job, not what its links name.
        self.assertIn("launches", engine.act("a", "delete", {}, 409)["error"])
        engine.act("a", "delete", {"launches": True})
        self.assertEqual(secret.read_text(), "secret")
        self.assertEqual(engine.ask("GET", "/api/jobs"), {"jobs": []})

    def test_the_engine_and_its_events(self):
        engine = self.engine.start()
        told = engine.ask("GET", "/api/engine")
        self.assertEqual(told["jobs_dir"], str(self.engine.folder))
        self.assertGreater(told["memory"]["total"], told["memory"]["available"])
        self.assertIn(b"openapi: 3.1.0", engine.raw("GET", "/api/openapi.yaml")[2])
        self.assertEqual(engine.raw("DELETE", "/api/jobs")[0], 405)
        self.assertEqual(engine.raw("GET", "/api/nothing")[0], 404)
        self.assertEqual(engine.raw("GET", "/api/jobs?x=1")[0], 400)
        connection = SocketConnection(self.engine.folder / "engine.sock")
        connection.request("GET", "/api/events")
        events = connection.getresponse()
        self.assertEqual(events.getheader("Content-Type"), "text/event-stream")
        self.new_job("a", self.site_of(pages=3))
        engine.act("a", "launch")
        engine.wait("a", "FINISHED")
        engine.act("a", "delete", {"launches": True})
        states, line = [], b""
        while not line.startswith(b"event: gone"):
            line = events.readline()
            if line.startswith(b"data: "):
                states.append(json.loads(line[6:])["state"])
        self.assertEqual(states[0], "UNBUILT")
        self.assertIn("FINISHED", states)
        self.assertEqual(engine.stop(), 0)

    def test_the_control_api_of_a_crawl(self):
        engine = self.engine.start()
        self.new_job("a", self.site_of())
        self.assertIn("does not run", engine.ask("GET", "/api/jobs/a/control/status", status=409)["error"])
        engine.act("a", "launch?paused=1")
        engine.wait("a", "PAUSED")
        self.assertEqual(engine.ask("GET", "/api/jobs/a/control/status")["state"], "paused")
        self.assertEqual(engine.ask("GET", "/api/jobs/a/control/url?url=http%3A%2F%2Fa.example%2F")["seen"], False)
        self.assertEqual(engine.raw("GET", "/api/jobs/a/control/nothing")[0], 404)
        self.assertIn(b'caddis_engine_jobs{state="PAUSED"} 1', engine.raw("GET", "/metrics")[2])
        self.assertIn(b'job="a"', engine.raw("GET", "/metrics")[2])
        changed = engine.ask("POST", "/api/jobs/a/control/settings", "politeness.delay=7s\n")
        self.assertTrue(changed["applied"])

    def test_a_queue(self):
        engine = self.engine.start("--max-running", "1")
        for name in ["a", "b", "c"]:
            self.new_job(name, self.site_of(), "limits:\n  max-documents: 400\n")
        engine.act("a", "launch?paused=1")
        self.assertEqual(engine.act("b", "launch")["status"], "Queued")
        self.assertEqual(engine.act("c", "launch")["state"], "QUEUED")
        self.assertEqual(engine.act("b", "dequeue")["status"], "Ready")
        engine.wait("a", "PAUSED")
        engine.kill()
        engine.start("--max-running", "1")
        self.assertEqual(engine.job("c")["state"], "QUEUED")
        engine.act("a", "terminate")
        engine.wait("c", "RUNNING", "FINISHED")
        self.assertEqual(engine.job("a")["state"], "FINISHED")

    def test_the_command_line(self):
        engine = self.engine.start()
        site = self.site_of()

        def job(*arguments):
            return subprocess.run([harness.BINARY, "job", *arguments, "--jobs", engine.folder], capture_output=True,
                                  text=True, timeout=120, env=harness.clean_environment(self.folder))

        self.assertEqual(job("create", "a", site.seed).returncode, 0)
        self.assertIn("Ready", job("build", "a").stdout)
        self.assertIn("Active", job("launch", "a", "--paused").stdout)
        engine.wait("a", "PAUSED")
        self.assertIn("PAUSED", job("list").stdout)
        self.assertEqual(job("checkpoint", "a", "--name", "x").returncode, 0)
        self.assertEqual(job("terminate", "a").returncode, 0)
        engine.wait("a", "FINISHED")
        self.assertIn("checkpoint     x", job("show", "a").stdout)
        self.assertIn("there is no job 'b'", job("pause", "b").stderr)
        self.assertEqual(job("copy", "a", "b").returncode, 0)
        self.assertEqual(job("delete", "b").returncode, 0)
        self.assertEqual(json.loads(job("list", "--json").stdout)["jobs"][0]["name"], "a")
        engine.stop()
        self.assertIn("no engine runs there", job("list").stderr)

    def test_strangers_are_asked_who_they_are(self):
        engine = self.engine.start()
        password = re.search(r"with the password (\S+)", engine.said).group(1)
        port = re.search(r"http://127.0.0.1:(\d+)/", engine.said).group(1)

        def status(method, path, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
            connection.request(method, path, headers=headers)
            return connection.getresponse().status

        self.assertIn(status("GET", "/api/jobs"), (401, 303))
        self.assertIn(status("POST", "/api/jobs/rescan"), (401, 403))
        self.assertIn(status("GET", "/api/events"), (401, 303))
        self.assertEqual((status("GET", "/"), status("GET", "/healthz"), status("GET", "/readyz")), (200, 200, 200))
        self.assertIn(status("GET", "/metrics"), (401, 303))
        self.assertNotIn(password, (engine.folder / "users").read_text())
        self.assertEqual((engine.folder / "users").stat().st_mode & 0o077, 0)
        engine.stop()
        self.assertNotIn("password", engine.start().said, "it is said once")

    def test_one_engine_for_a_folder(self):
        self.engine.start()
        second = subprocess.run([harness.BINARY, "engine", "--jobs", self.engine.folder, "--listen", "127.0.0.1:0"],
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(second.returncode, 2)
        self.assertIn("another engine has the jobs", second.stderr)

    def test_anything_may_be_killed(self):
        """Engine and crawls are killed at random moments. Every job stands where it stood, and what it had is there."""
        chance = random.Random(os.environ.get("CADDIS_ENGINE_SEED", "7"))
        site = self.site_of()
        engine = self.engine.start()
        documents = {"a": 0, "b": 0}
        for name in documents:
            self.new_job(name, site)
            engine.act(name, "launch")
        for _ in range(KILLS):
            for name in documents:
                state = engine.job(name)["state"]
                if state == "FINISHED":
                    engine.act(name, "resume")
                harness.wait_until(lambda: engine.job(name)["crawl"], "a crawl that answers")
            time.sleep(chance.random())
            victim = chance.choice(["engine", "a", "b", "both"])
            before = {name: engine.job(name)["state"] for name in documents}
            killed = set()
            if victim in ("engine", "both"):
                engine.kill()
            for folder, pid in list(engine.processes()):
                if folder.parent.name == victim or (victim == "both" and chance.random() < 0.5):
                    os.kill(pid, signal.SIGKILL)
                    killed.add(folder.parent.name)
            if victim in ("engine", "both"):
                engine.start()
            for name in documents:
                if name in killed:
                    job = engine.wait(name, "FINISHED")
                    self.assertEqual(job["exit"], "ABNORMAL")
                else:
                    job = engine.wait(name, before[name])
                self.assertEqual(job["launch_count"], 1)
        for name in documents:
            if engine.job(name)["state"] == "FINISHED":
                engine.act(name, "resume")
            engine.wait(name, "RUNNING")
            engine.act(name, "terminate")
            job = engine.wait(name, "FINISHED")
            self.assertEqual(job["exit"], "ABORTED")
            log = (engine.folder / name / "latest/logs/crawl.log").read_text().splitlines()
            urls = [line.split()[3] for line in log if line.split()[3].startswith("http")]
            self.assertEqual(len(urls), len(set(urls)), "a URL was recorded twice")
        harness.tell(self, kills=KILLS)

    def test_many_jobs_at_once(self):
        engine = self.engine.start()
        site = self.site_of(pace=0.1)
        for number in range(JOBS):
            self.new_job(f"job{number}", site)
            engine.act(f"job{number}", "launch")
        for number in range(JOBS):
            engine.wait(f"job{number}", "RUNNING", seconds=300)
        took = []
        for _ in range(20):
            began = time.monotonic()
            jobs = engine.ask("GET", "/api/jobs")["jobs"]
            took.append(time.monotonic() - began)
        self.assertEqual([job["state"] for job in jobs], ["RUNNING"] * JOBS)
        middle = sorted(took)[len(took) // 2]
        harness.tell(self, jobs=JOBS, milliseconds=int(1000 * middle))
        self.assertLess(middle, 0.2)
        for number in range(JOBS):
            engine.act(f"job{number}", "terminate")
        for number in range(JOBS):
            engine.wait(f"job{number}", "FINISHED", seconds=300)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
