#!/usr/bin/env python3
"""An engine as a monitoring system sees it: its numbers with those of its running crawls, its health, its readiness."""

import json
import os
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import unittest

import harness
from engines import SETTINGS, Engine, Site


class WatchTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.site = Site()
        self.addCleanup(self.site.close)
        self.engine = Engine(self.folder / "jobs").start()
        self.addCleanup(self.end_all)

    def end_all(self):
        self.engine.kill()
        for _, pid in self.engine.processes():
            os.kill(pid, signal.SIGKILL)

    def get(self, path):
        status, headers, body = self.engine.raw("GET", path)
        return status, headers, body.decode()

    def test_it_lives_and_is_ready(self):
        self.assertEqual(self.get("/healthz")[0::2], (200, '{"status":"ok"}'))
        status, _, body = self.get("/readyz")
        self.assertEqual((status, json.loads(body)), (200, {"status": "ok", "checks": {"disk": "ok"}}))

    def test_numbers_of_the_engine_and_of_its_running_crawls(self):
        for name in ("one", "two"):
            self.engine.ask("POST", "/api/jobs", {"name": name, "urls": [self.site.seed]})
            self.engine.ask("PUT", f"/api/jobs/{name}/config", f"crawl:\n  seeds:\n    - {self.site.seed}\n{SETTINGS}")
        self.engine.act("one", "build")
        self.engine.act("one", "launch")

        def text():
            status, headers, body = self.get("/metrics")
            self.assertEqual((status, headers["Content-Type"].split(";")[0]), (200, "text/plain"))
            runs = 'caddis_engine_jobs{state="RUNNING"} 1\n' in body  # as the engine has seen it
            return body if runs and re.search(r'^caddis_documents_total\{job="one"\} [1-9]', body, re.M) else None

        told = harness.wait_until(text, "numbers of the crawl")
        self.assertIn('caddis_engine_info{version="', told)
        self.assertNotIn('caddis_documents_total{job="two"}', told)
        names = re.findall(r"^# TYPE (\S+)", told, re.M)
        self.assertEqual(len(names), len(set(names)))
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/metrics.md").read_text()
        self.assertEqual(set(names) - set(re.findall(r"^\| `(\S+)`", page, re.M)), set())
        self.engine.act("one", "terminate")
        self.engine.wait("one", "FINISHED")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
