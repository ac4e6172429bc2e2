#!/usr/bin/env python3
"""A harvest programme: a curator's day, snapshots in steps, harvesters on other machines, and deaths in between."""

import os
import pathlib
import re
import subprocess
import sys
import unittest

import yaml

import harness
import harvest_server
import openapi
import warc_records
import web_ui_test

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def chain(pages):
    """A site whose pages /0, /1, … name the next one."""

    def page(host, path):
        number = int(re.sub(r"\D", "", path) or "0") if re.fullmatch(r"/\d*", path) else -1
        count = pages(host)
        if not 0 <= number < count:
            return None
        following = f"<a href='/{number + 1}'>next</a>" if number + 1 < count else ""
        return f"<title>{host} {number}</title>{following}{'x' * 500}"

    return page


class HarvestTest(unittest.TestCase):
    def server_of(self, settings=harvest_server.SETTINGS):
        server = harvest_server.HarvestServer(settings)
        self.addCleanup(server.remove)
        return server

    def web_of(self, pages):
        web = harvest_server.Web(chain(pages))
        self.addCleanup(web.close)
        return web

    def test_a_curators_day(self):
        web = self.web_of(lambda host: 3)
        server = self.server_of().start()
        server.template("default", web.template(["news.example"]))
        server.domain("news.example", [web.seed("news.example")])
        server.ask("POST", "/api/schedules", {"name": "once an hour", "unit": "hour", "minute": None, "times": 2})
        server.ask("POST", "/api/harvests", {"name": "papers", "kind": "selective", "schedule": "once an hour"})
        added = server.ask("POST", "/api/harvests/papers/configurations", {"add": [{"domain": "news.example"}]})
        self.assertEqual(added["added"], 1)
        server.ask("POST", "/api/harvests/papers/activate")
        job = server.wait_for_jobs("papers")[0]
        self.assertEqual((job["objects"], job["exit"], job["harvester"]), (3, "FINISHED", "local"))
        self.assertEqual(server.results("papers"), {"news.example": (3, "completed")})
        harvest = server.get("/api/harvests/papers")
        self.assertTrue(harvest["is_active"])
        self.assertEqual(harvest["next_run"] - job["created"] in range(3590, 3601), True)
        csv = server.raw("GET", "/api/results?format=csv")[1].decode().splitlines()
        self.assertEqual(csv[1].split(",")[0], "news.example")
        self.browse(server, web)
        self.look_at_metadata(server, job)
        self.assertEqual(server.stop(), 0)

    def browse(self, server, web):
        """What was harvested is shown."""
        serve = subprocess.Popen([harness.BINARY, "serve", server.data / "archive", "--listen", "127.0.0.1:0"],
                                 stdout=subprocess.PIPE, text=True, env=harness.clean_environment(server.folder))
        self.addCleanup(harness.kill, serve)
        address = re.search(r"(http://127.0.0.1:\d+)/archive/", serve.stdout.readline())[1]
        found = subprocess.run(["curl", "-sL", f"{address}/archive/cdx?url={web.seed('news.example', '/1')}&output=json"],
                               capture_output=True, text=True, check=True).stdout
        self.assertIn('"status": "200"', found.replace('":"', '": "'))

    def look_at_metadata(self, server, job):
        number = job["job"]
        path = server.data / "archive" / "archive" / f"{number}-metadata-1.warc.gz"
        uris = [one.url for one in warc_records.read_file(path)]
        prefix = "metadata://library.example/crawl"
        for wanted in (f"{prefix}/setup/aliases?majorversion=1", f"{prefix}/setup/duplicatereductionjobs?",
                       f"{prefix}/setup/seeds.txt?", f"{prefix}/setup/crawl.yaml?", f"{prefix}/reports/crawl-report.txt?",
                       f"{prefix}/reports/archivefiles-report.txt?", f"{prefix}/logs/crawl.log?", f"{prefix}/logs/http.jsonl?",
                       f"{prefix}/index/cdx?"):
            self.assertTrue(any(uri.startswith(wanted) and f"jobid={number}" in uri for uri in uris), f"{wanted} in {uris}")
        stored = {one["kind"]: one for one in server.get(f"/api/jobs/{number}")["stored"]}
        self.assertEqual(set(stored), {"warc", "metadata", "index", "digests"})
        self.assertTrue(stored["warc"]["name"].startswith(f"{number}-"))
        left = [one for one in os.listdir(server.data / "harvester" / "jobs") if not one.startswith(".")]
        self.assertEqual(left, [])

    @unittest.skipIf(web_ui_test.missing(), web_ui_test.missing())
    def test_a_curators_day_in_the_pages(self):
        """On a desk."""
        web = self.web_of(lambda host: 3)
        server = self.server_of().start("--replay", "http://127.0.0.1:1/archive/")
        name = "wide.example"
        server.template("default", web.template([name]))
        done = subprocess.run(["node", SOURCE / "web/harvest/tests/harvest_tour.mjs", server.url + "/", "1280", name, web.seed(name)],
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_snapshot_in_steps(self):
        """Small, large and dead domains; the second step takes what the first one has left."""
        sizes = {"small.example": 2, "large.example": 9, "own.example": 9, "dead.example": 0}
        web = self.web_of(lambda host: sizes[host.removeprefix("www.")])
        server = self.server_of().start()
        server.template("default", web.template(sizes))
        for name in sizes:
            server.domain(name, [web.seed(name)], **({"max_objects": 3} if name == "own.example" else {}))
        server.ask("POST", "/api/harvests", {"name": "step 1", "kind": "snapshot", "max_objects": 4})
        server.ask("POST", "/api/harvests", {"name": "step 2", "kind": "snapshot", "based_on": "step 1"})
        server.ask("POST", "/api/harvests/step%201/activate")
        server.ask("POST", "/api/harvests/step%202/activate")
        server.wait_for_jobs("step 1")
        self.assertEqual(server.results("step 1"),
                         {"small.example": (2, "completed"), "large.example": (4, "object-limit"),
                          "own.example": (3, "config-object-limit"), "dead.example": (1, "completed")})
        server.wait_for_jobs("step 2")
        self.assertEqual(server.results("step 2"), {"large.example": (9, "completed")})
        # The pages of the first step were not stored again.
        number = server.jobs("step 2")[0]["job"]
        index = next((server.data / "archive" / "indexes").glob(f"{number}-*.cdxj")).read_text()
        revisits = [line for line in index.splitlines() if "warc/revisit" in line and "robots.txt" not in line]
        self.assertEqual(len(revisits), 4)
        self.assertEqual(server.raw("GET", f"/api/jobs/{number}/files/duplicatereductionjobs.txt")[1].strip(),
                         str(server.jobs("step 1")[0]["job"]).encode())

    def test_stop_reasons_by_size(self):
        web = self.web_of(lambda host: 20)
        server = self.server_of().start()
        names = ["harvest.example", "own.example"]
        server.template("default", web.template(names))
        server.domain("harvest.example", [web.seed("harvest.example")])
        server.domain("own.example", [web.seed("own.example")], max_bytes=2000)
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot", "max_bytes": 4000})
        server.ask("POST", "/api/harvests/all/activate")
        server.wait_for_jobs("all", 2)
        reasons = {name: reason for name, (_, reason) in server.results("all").items()}
        self.assertEqual(reasons, {"harvest.example": "size-limit", "own.example": "config-size-limit"})

    def test_harvesters_elsewhere_and_deaths(self):
        """The server and the harvester are killed while a job runs; it is done all the same, and once."""
        web = harvest_server.Web(chain(lambda host: 60))
        self.addCleanup(web.close)
        server = self.server_of().start("--no-harvester")
        slow = web.template(["a.example"]).replace("min-delay: 0s", "min-delay: 50ms").replace("delay: 0s", "delay: 50ms")
        server.template("default", slow)
        server.domain("a.example", [web.seed("a.example")])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")
        harness.wait_until(lambda: server.jobs("all"), "a job")
        self.assertEqual(server.jobs("all")[0]["state"], "NEW")

        def harvester(name, channel):
            folder = server.folder / name
            process = subprocess.Popen([harness.BINARY, "harvest", "harvester", "--server", server.url, "--name", name,
                                        "--data", folder, "--channel", channel], stdout=subprocess.DEVNULL,
                                       stderr=(server.folder / f"{name}.log").open("a"),
                                       env=harness.clean_environment(server.folder))
            self.addCleanup(lambda: process.poll() is None and harness.kill(process))
            return process

        harvester("h2", "FOCUSED")  # of another channel: it takes nothing
        first = harvester("h1", "SNAPSHOT")
        harness.wait_until(lambda: server.jobs("all")[0]["state"] == "STARTED", "a job that runs")
        harness.kill(first)
        port = server.port
        server.kill()
        server.start("--no-harvester", "--listen", f"127.0.0.1:{port}")
        server.url, server.port = f"http://127.0.0.1:{port}", port
        harvester("h1", "SNAPSHOT")
        job = server.wait_for_jobs("all")[0]
        self.assertEqual((job["objects"], job["harvester"], job["state"]), (60, "h1", "DONE"))
        self.assertEqual({one["name"] for one in server.get("/api/harvesters")["harvesters"]}, {"h1", "h2"})

    def test_jobs_are_steered(self):
        web = harvest_server.Web(chain(lambda host: 100_000))
        self.addCleanup(web.close)
        server = self.server_of().start()
        server.template("default", web.template(["a.example"]).replace("min-delay: 0s", "min-delay: 20ms"))
        server.domain("a.example", [web.seed("a.example")])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")

        def state():
            jobs = server.jobs("all")
            return jobs and jobs[0]["progress"] and jobs[0]["progress"]["state"]

        harness.wait_until(lambda: state() == "RUNNING", "a crawl")
        number = server.jobs("all")[0]["job"]
        server.ask("POST", f"/api/jobs/{number}/pause")
        harness.wait_until(lambda: state() == "PAUSED", "a pause")
        server.ask("POST", f"/api/jobs/{number}/resume")
        harness.wait_until(lambda: state() == "RUNNING", "a crawl")
        server.ask("POST", f"/api/jobs/{number}/stop")
        job = server.wait_for_jobs("all")[0]
        self.assertEqual((job["exit"], server.results("all")["a.example"][1]), ("ABORTED", "unfinished"))
        server.ask("POST", f"/api/jobs/{number}/accept", {"note": "enough"})
        self.assertEqual(server.get(f"/api/jobs/{number}")["verdict"], "accepted")

    def test_uploads_and_refusals(self):
        server = self.server_of().start("--no-harvester")
        names = [f"d{i}.example" for i in range(2000)]
        text = "\n".join([*names, "# a remark", "www.d1.example", "co.uk", "bücher.example", "d1.example"])
        told = server.ask("POST", "/api/domains", text)
        self.assertEqual((told["created"], told["existing"], told["wrong"]), (2001, 0, 2))
        self.assertEqual([one["line"] for one in told["errors"]], [2002, 2003])
        self.assertEqual(server.get("/api/domains/b%C3%BCcher.example")["name"], "xn--bcher-kva.example")
        domain = server.get("/api/domains/d1.example")
        server.ask("PUT", "/api/domains/d1.example", {**domain, "comments": "x"})
        self.assertIn("somebody else", server.ask("PUT", "/api/domains/d1.example", domain, 409)["error"])
        self.assertIn("'tarps' is not known", server.ask("PUT", "/api/domains/d1.example", {**domain, "tarps": ""}, 400)["error"])
        for path in ("/api/domains/nothing.example", "/api/harvests/x", "/api/jobs/7", "/api/nothing"):
            self.assertIn("error", server.ask("GET", path, status=404))
        self.assertIn("limit", server.ask("GET", "/api/domains?limit=0", status=400)["error"])
        changes = server.get("/api/changes", kind="domain", name="d1.example")["changes"]
        self.assertEqual(changes[0]["what"], "changed")

    def test_api_is_as_described(self):
        described = openapi.Api()
        described.document = yaml.safe_load((SOURCE / "api" / "harvest.yaml").read_text())
        server = self.server_of().start("--no-harvester")
        self.assertEqual(server.raw("GET", "/api/openapi.yaml")[1].decode(), (SOURCE / "api" / "harvest.yaml").read_text())
        sources = "".join(path.read_text() for path in (SOURCE / "src/caddis/harvestserver").glob("*routes.cc"))
        routes = set(re.findall(r'\{"(GET|POST|PUT|DELETE)", "(/api/[^"]*)"', sources))
        paths = described.document["paths"]
        documented = {(method.upper(), path) for path, item in paths.items() for method in item if method != "parameters"}
        self.assertEqual(routes, documented)
        server.domain("a.example", ["http://a.example/"])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")
        job = harness.wait_until(lambda: server.jobs("all"), "a job")[0]["job"]
        for path in ("server", "domains", "domains/a.example", "aliases", "schedules", "channels", "traps", "fields", "templates",
                     "templates/default", "harvests", "harvests/all", "results", "jobs", f"jobs/{job}", "harvesters", "changes",
                     f"jobs/{job}/progress"):
            pattern = "/api/" + re.sub(r"(?<=/)[^/]+", lambda found: {"a.example": "{domain}", "default": "{name}", "all": "{harvest}",
                                                                    str(job): "{job}"}.get(found[0], found[0]), path)
            schema = paths[pattern]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            answer = server.get(f"/api/{path}")
            self.assertEqual([*described.problems(schema, answer)], [], path)
            known = described.resolve(schema)["properties"]
            self.assertEqual(set(answer) - set(known) - {"next"}, set(), path)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
