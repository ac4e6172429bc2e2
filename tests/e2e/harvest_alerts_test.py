#!/usr/bin/env python3
"""A harvest server tells what happens while nobody looks: to a webhook of ours, to a program in the place of sendmail, and to Prometheus."""

import http.server
import json
import re
import subprocess
import sys
import threading
import unittest
import urllib.error
import urllib.request

import harness
import harvest_server


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.server.posted.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class HarvestAlertsTest(unittest.TestCase):
    def setUp(self):
        self.hook = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.hook.posted = []
        self.hook.daemon_threads = True
        threading.Thread(target=self.hook.serve_forever, daemon=True).start()
        self.addCleanup(self.hook.server_close)
        self.addCleanup(self.hook.shutdown)

    def server(self, alerts):
        server = harvest_server.HarvestServer(harvest_server.SETTINGS + f"  lost-after: 2s\n  address: https://harvest.example\nalerts: {alerts}\n")
        self.addCleanup(server.remove)
        return server.start("--no-harvester")

    def failed_job(self, server):
        server.domain("news.example", ["http://news.example/"])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")
        job = harness.wait_until(lambda: server.jobs("all"), "a job", 60, 0.1)[0]["job"]
        server.ask("POST", f"/api/jobs/{job}/fail", {"note": "the site asks us to stay away"})
        return job

    def events(self):
        return [event for message in self.hook.posted for event in message["events"]]

    def test_a_failed_job_and_a_lost_harvester_are_told_once(self):
        server = self.server(f"{{webhook: 'http://127.0.0.1:{self.hook.server_address[1]}/hook', interval: 1s}}")
        job = self.failed_job(server)
        harness.wait_until(self.events, "an alert of the job", 60, 0.1)
        self.assertEqual(self.hook.posted[0]["server"], "data")
        failed = {"kind": "ends", "text": f"job {job} of all has failed: the site asks us to stay away https://harvest.example/#/jobs/{job}"}
        self.assertEqual([{key: event[key] for key in failed} for event in self.events()], [failed])
        harvester = server.harvester("north")
        harness.wait_until(lambda: server.get("/api/harvesters")["harvesters"], "the harvester", 60, 0.1)
        harness.kill(harvester)
        harness.wait_until(lambda: len(self.events()) > 1, "an alert of the harvester", 60, 0.1)
        self.assertIn("nothing was heard of the harvester north", self.events()[1]["text"])
        self.assertEqual(server.stop(), 0)
        server.start("--no-harvester")
        harness.wait_until(lambda: server.get("/api/server"), "the server", 60, 0.1)
        self.assertEqual(server.stop(), 0)
        self.assertEqual(len(self.events()), 2, self.events())

    def test_mails_go_out_at_the_end_at_the_latest(self):
        server = harvest_server.HarvestServer()
        self.addCleanup(server.remove)
        mail, program = server.folder / "mail", server.folder / "sendmail"
        program.write_text(f"#!/bin/sh\ncat >> {mail}\n")
        program.chmod(0o755)
        (server.data / "harvest.yaml").write_text(harvest_server.SETTINGS + f"alerts: {{mail-to: [a@example.org], mail-command: '{program}'}}\n")
        server.start("--no-harvester")
        job = self.failed_job(server)
        harness.wait_until(mail.exists, "a mail", 60, 0.1)
        self.assertEqual(server.stop(), 0)
        self.assertIn(f"Subject: [caddis] data: job {job} of all has failed", mail.read_text())

    def test_numbers_and_health_of_server_and_harvester(self):
        server = harvest_server.HarvestServer()
        self.addCleanup(server.remove)
        server.start("--no-harvester", trusts=False)
        for path in ("/healthz", "/readyz"):
            status, body = server.raw("GET", path)
            self.assertEqual((status, json.loads(body)["status"]), (200, "ok"), body)
        self.assertEqual(server.raw("GET", "/metrics")[0], 401)
        server.stop()
        server.start("--no-harvester")
        self.failed_job(server)
        numbers = server.raw("GET", "/metrics")[1].decode()
        self.assertIn('caddis_harvest_jobs{state="FAILED"} 1\n', numbers)
        self.assertRegex(numbers, r"caddis_harvest_requests_total [1-9]")
        self.assertRegex(numbers, r"caddis_harvest_generations_total 1\n")
        page = (harvest_server.SOURCE / "docs/metrics.md").read_text()
        self.assertEqual(set(re.findall(r"^# TYPE (\w+)", numbers, re.M)), set(re.findall(r"^\| `(caddis_harvest_\w+)`", page, re.M)))
        command = [harness.BINARY, "harvest", "harvester", "--server", server.url, "--name", "north", "--data", server.folder / "north",
                   "--metrics", "127.0.0.1:0"]
        harvester = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True, env=server.environment())
        self.addCleanup(harvester.stdout.close)
        self.addCleanup(harness.kill, harvester)
        address = re.match(r"metrics: (http://\S+/)metrics", harvester.stdout.readline())[1]
        with urllib.request.urlopen(address + "metrics", timeout=60) as answer:
            self.assertIn("caddis_engine_disk_free_bytes ", answer.read().decode())
        with urllib.request.urlopen(address + "healthz", timeout=60) as answer:
            self.assertEqual(json.load(answer)["status"], "ok")
        with self.assertRaisesRegex(urllib.error.HTTPError, "404"):
            urllib.request.urlopen(address + "api/server", timeout=60)

    def test_wrong_addresses_are_refused(self):
        with self.assertRaisesRegex(AssertionError, "webhook: the value, which is a secret"):
            self.server("{webhook: 'ftp://a.example/'}")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
