#!/usr/bin/env python3
"""Jobs: made, launched, steered and found again by an engine."""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import unittest

import harness
import openapi
import yaml
from engines import SETTINGS, EngineCase, SocketConnection

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


class EngineTest(EngineCase):
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

    def test_a_crawl_that_does_not_end(self):
        """Its process takes no signal but the one that nobody can ignore, and does not answer."""
        site = self.site_of()
        engine = self.engine.start("--end-within", "1h")
        self.new_job("one", site)
        engine.act("one", "launch")
        harness.wait_until(lambda: engine.job("one")["documents"] > 5, "documents")
        ((_, pid),) = engine.processes()
        os.kill(pid, signal.SIGSTOP)
        engine.act("one", "terminate")
        engine.stop()
        engine.start("--end-within", "2s")
        job = engine.wait("one", "FINISHED")
        self.assertEqual(job["exit"], "ABNORMAL")
        self.assertIn("has not ended within 2s of being asked to: its process is killed", "\n".join(job["log_tail"]))
        engine.stop()
        engine.start("--end-within", "1h")  # on a busy machine the end of a sound crawl takes longer than that
        engine.act("one", "resume")
        harness.wait_until(lambda: engine.job("one")["documents"] > job["documents"], "more documents")
        engine.act("one", "terminate")
        self.assertEqual(engine.wait("one", "FINISHED")["exit"], "ABORTED")

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
        self.assertEqual(engine.raw("POST", "/metrics")[0], 405)
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

    def test_the_description_of_the_api_names_its_calls(self):
        """Those of the code's table, and those alone; the events and the crawl's own API are answered beside it."""
        engine = self.engine.start()
        document = yaml.safe_load(engine.raw("GET", "/api/openapi.yaml")[2])
        described = {(method.upper(), path) for path, item in document["paths"].items() for method in item if method != "parameters"}
        described -= {("GET", "/api/events"), *((method, "/api/jobs/{job}/control/{path}") for method in ("GET", "POST"))}
        table = (pathlib.Path(__file__).resolve().parents[2] / "src/caddis/engine/api_routes.cc").read_text()
        self.assertEqual({(method, path.replace("...", "")) for method, path in re.findall(r'\{"([A-Z]+)", "(/api/[^"]*)"', table)}, described)
        api = openapi.Api(document)
        for path, schema in (("/api/engine", "Engine"), ("/api/jobs", None)):
            answer = engine.ask("GET", path)
            if schema:
                self.assertEqual(list(api.problems(api.schema(schema), answer)), [])
        self.new_job("a", self.site_of(pages=3))
        self.assertEqual(list(api.problems(api.schema("Detail"), engine.job("a"))), [])
        engine.act("a", "launch")
        job = engine.wait("a", "FINISHED")
        self.assertEqual(list(api.problems(api.schema("Detail"), job)), [])

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
        self.assertIn("there is no profile 'nope'; there are", job("create", "x", "--profile", "nope").stderr)
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
        self.assertEqual((status("POST", "/healthz"), status("DELETE", "/readyz"), status("HEAD", "/healthz")), (405, 405, 200))
        self.assertIn(status("GET", "/metrics"), (401, 303))
        self.assertNotIn(password, (engine.folder / "users").read_text())
        self.assertEqual((engine.folder / "users").stat().st_mode & 0o077, 0)
        engine.stop()
        self.assertNotIn("password", engine.start().said, "it is said once")

    def test_an_address_that_is_taken_makes_no_user(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            refused = subprocess.run([harness.BINARY, "engine", "--jobs", self.engine.folder, "--listen", f"127.0.0.1:{taken.getsockname()[1]}"],
                                     capture_output=True, text=True, timeout=60)
        self.assertNotEqual(refused.returncode, 0)
        self.assertNotIn("password", refused.stdout + refused.stderr)
        self.assertFalse((self.engine.folder / "users").exists())
        self.assertIn("with the password", self.engine.start().said)

    def test_one_engine_for_a_folder(self):
        self.engine.start()
        second = subprocess.run([harness.BINARY, "engine", "--jobs", self.engine.folder, "--listen", "127.0.0.1:0"],
                                capture_output=True, text=True, timeout=60)
        self.assertEqual(second.returncode, 2)
        self.assertIn("another engine has the jobs", second.stderr)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
