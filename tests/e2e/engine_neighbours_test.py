#!/usr/bin/env python3
"""Jobs beside each other: they take turns at a host, share what the engine may use, and leave room for each other.

CADDIS_ENGINE_JOBS: jobs that run at once (4 by default; 20 by hand).
"""

import http.server
import itertools
import os
import sys
import threading
import time

import harness
from engines import SETTINGS, EngineCase

JOBS = int(os.environ.get("CADDIS_ENGINE_JOBS", "4"))


class Watched:
    """Pages /0, /1, …; who asked for one, when it began, and when it was answered."""

    def __init__(self, pace):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                began = time.monotonic()
                time.sleep(pace)
                name = self.path.strip("/")
                body = f"<a href='/{int(name) + 1}'>more</a>".encode() if name.isdigit() else b"none"
                ended = time.monotonic()
                self.send_response(200 if name.isdigit() else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                site.visits.append((began, ended, self.headers["User-Agent"]))

            def log_message(self, *_):
                pass

        self.visits = []
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.seed = f"http://127.0.0.1:{self.server.server_address[1]}/0"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def visits_of(self, name):
        return [visit for visit in self.visits if f"//{name}.example" in visit[2]]


class NeighboursTest(EngineCase):
    def jobs_at(self, site, more=""):
        for name in "ab":
            self.engine.ask("POST", "/api/jobs", {"name": name, "urls": [site.seed]})
            text = SETTINGS.replace("delay: 0s", "delay: 300ms") + more
            self.engine.ask("PUT", f"/api/jobs/{name}/config", f"crawl:\n  contact: http://{name}.example/\n  seeds:\n    - {site.seed}\n{text}")
            self.engine.act(name, "launch")

    def test_two_jobs_never_visit_a_host_at_once(self):
        site = Watched(0.1)
        self.addCleanup(site.close)
        self.engine.start()
        self.jobs_at(site)
        harness.wait_until(lambda: all(len(site.visits_of(name)) > 5 for name in "ab"), "visits of both", 120)
        # Whoever waits says so.
        harness.wait_until(lambda: any(queue["state"] == "job busy" for name in "ab" if (crawl := self.engine.job(name)["crawl"])
                                       for queue in crawl["slowest"]), "a queue that waits for the other job", 60, 0.1)
        # One that dies leaves its hosts to the other.
        victim = next(pid for folder, pid in self.engine.processes() if folder.parent.name == "a")
        os.kill(victim, 9)
        self.engine.wait("a", "FINISHED")
        known = len(site.visits_of("b"))
        harness.wait_until(lambda: len(site.visits_of("b")) > known + 3, "further visits", 60)
        # The pause behind the last visit of one that dies is known to nobody: its host is free at once.
        died = max(visit[1] for visit in site.visits_of("a"))
        gaps = [second[0] - first[1] for first, second in itertools.pairwise(sorted(site.visits)) if first[1] != died]
        self.assertGreater(min(gaps), 0.15, "the delay is between visits of all jobs")

    def test_where_it_is_allowed_they_do(self):
        site = Watched(0.4)
        self.addCleanup(site.close)
        self.engine.start()
        self.jobs_at(site, "frontier: {jobs-at-once: true}\n")

        def overlap():
            return any(second[0] < first[1] and first[2] != second[2] for first, second in itertools.pairwise(sorted(site.visits)))

        harness.wait_until(overlap, "visits at the same time", 90)

    def live(self, name, setting):
        return self.engine.ask("GET", f"/api/jobs/{name}/control/settings?name={setting}")["settings"][0]["value"]

    def test_jobs_share_what_the_engine_may_use(self):
        site = self.site_of()
        self.engine.start("--memory", "600MB", "--bandwidth", "1MB", "--processors", "4", "--disk", "100GB")
        for name in "abc":
            self.new_job(name, site)
            self.engine.ask("PUT", f"/api/jobs/{name}/config",
                            f"crawl:\n  seeds:\n    - {site.seed}\n{SETTINGS.replace('256MB', '300MB')}limits: {{run-while-empty: true}}\n")
            self.engine.act(name, "launch?paused=1")
        self.assertEqual([self.engine.wait(name, state)["state"] for name, state in (("a", "PAUSED"), ("b", "PAUSED"), ("c", "QUEUED"))],
                         ["PAUSED", "PAUSED", "QUEUED"])
        self.assertEqual(self.live("a", "memory.total"), "300MB")
        self.assertEqual(self.live("b", "crawl.lanes"), "4")
        harness.wait_until(lambda: self.live("a", "politeness.bandwidth") == self.live("b", "politeness.bandwidth") == "500KB", "halves")
        self.assertNotEqual(self.live("a", "limits.max-warc-bytes"), "0")
        # Who is killed with the engine is forgotten; those who live keep what they have.
        self.engine.kill()
        self.engine.start("--memory", "600MB", "--bandwidth", "1MB")
        self.assertEqual(self.engine.wait("c", "QUEUED")["state"], "QUEUED")
        self.engine.act("a", "terminate")
        self.engine.wait("c", "PAUSED")
        self.engine.act("c", "terminate")
        self.engine.wait("c", "FINISHED")
        harness.wait_until(lambda: self.live("b", "politeness.bandwidth") == "1MB", "all of it")
        self.assertEqual(self.engine.ask("GET", "/api/engine")["allowance"],
                         {"memory": 600_000_000, "processors": 0, "bandwidth": 1_000_000, "disk": 0})

    def test_what_is_changed_is_on_record_with_who(self):
        self.engine.start()
        self.new_job("a", self.site_of())
        self.engine.act("a", "launch?paused=1")
        self.engine.wait("a", "PAUSED")
        self.engine.ask("POST", "/api/jobs/a/control/settings", "politeness.min-delay=7s\n")
        self.assertIn("politeness.min-delay changed from 3s to 7s (by owner)",
                      (self.engine.folder / "a/latest/logs/progress-statistics.log").read_text())
        job = self.engine.job("a")
        self.assertTrue([line for line in job["log_tail"] if "owner asks to launch" in line], job["log_tail"])
        self.assertTrue([line for line in job["log_tail"] if "changed by owner" in line], job["log_tail"])

    def test_many_jobs_at_once(self):
        site = self.site_of(pace=0.1)
        self.engine.start()
        for number in range(JOBS):
            self.new_job(f"job{number}", site, "limits: {max-visits: 20}\n")
            self.engine.act(f"job{number}", "launch")
        for number in range(JOBS):
            self.engine.wait(f"job{number}", "RUNNING", "EMPTY", seconds=300)
        took = []
        for number in range(40):
            for path in ("/api/jobs", f"/api/jobs/job{number % JOBS}", "/api/engine"):
                began = time.monotonic()
                self.engine.ask("GET", path)
                took.append(time.monotonic() - began)
        middle, slow = sorted(took)[len(took) // 2], sorted(took)[len(took) * 95 // 100]
        memory = sum(int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") for _, pid in self.engine.processes())
        harness.tell(self, jobs=JOBS, milliseconds=int(1000 * middle), slow_milliseconds=int(1000 * slow), megabytes=memory >> 20)
        print(f"{JOBS} jobs: {1000 * middle:.0f} ms, 95 %: {1000 * slow:.0f} ms; {memory >> 20} MB", flush=True)
        self.assertLess(middle, 0.2)
        for number in range(JOBS):
            self.engine.act(f"job{number}", "terminate")
        for number in range(JOBS):
            self.engine.wait(f"job{number}", "FINISHED", seconds=300)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
