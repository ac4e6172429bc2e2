#!/usr/bin/env python3
"""A harvest programme: a curator's day, snapshots in steps, harvesters on other machines, and deaths in between."""

import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.parse
import urllib.request
import zipfile

import yaml

import harness
import harvest_server
import openapi
import peers
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


def without_end(host, path):
    """A site whose pages /0, /1, … name two others each, so that URLs wait at every moment after the first page."""
    number = int(path[1:] or "0") if re.fullmatch(r"/\d*", path) else -1
    if number < 0:
        return None
    following = "".join(f"<a href='/{n}'>next</a>" for n in (2 * number + 1, 2 * number + 2))
    return f"<title>{host} {number}</title>{following}{'x' * 500}"


def with_a_missed_picture(page):
    """The front page shows a picture that is not there."""

    def shown(host, path):
        body = page(host, path)
        return body + "<img src='/gone.png'>" if body and path == "/" else body

    return shown


def with_late_traps(page):
    """Pages from the 300th on link to a calendar, too."""

    def shown(host, path):
        if path.startswith("/calendar/"):
            return "a day"
        body = page(host, path)
        number = int(path[1:] or "0") if path[1:].isdigit() else 0
        return body + f"<a href='/calendar/{number}'>a day</a>" if body and number >= 300 else body

    return shown


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
        self.assertIn("crawl --collection", job["command"])
        self.assertNotIn("PATH=", job["command"])
        told = [one["what"] for one in server.get("/api/changes?kind=harvest&name=papers")["changes"]]
        self.assertIn("added 1 configuration", told)
        self.assertIn("run 0 was generated: 1 job", told)
        self.assertEqual(server.results("papers"), {"news.example": (3, "completed")})
        harvest = server.get("/api/harvests/papers")
        self.assertTrue(harvest["is_active"])
        self.assertEqual(harvest["next_run"] - job["created"] in range(3590, 3601), True)
        csv = server.raw("GET", "/api/results?format=csv")[1].decode().splitlines()
        self.assertEqual(csv[1].split(",")[0], "news.example")
        self.browse(server, web)
        self.look_at_metadata(server, job)
        self.ask_the_archive(server, web, str(job["job"]))
        self.assertEqual(server.stop(), 0)

    def test_the_archive_and_single_jobs_are_shown(self):
        """The server shows the archive at a port of its own, and a job alone as a collection beside it, by the same log-in."""
        web = self.web_of(lambda host: 2)
        server = self.server_of().start()
        server.template("default", web.template(["one.example", "two.example"]))
        jobs = {}
        for name in ("one", "two"):
            server.domain(f"{name}.example", [web.seed(f"{name}.example")])
            server.ask("POST", "/api/harvests", {"name": name, "kind": "selective", "schedule": "daily"})
            server.ask("POST", f"/api/harvests/{name}/configurations", {"add": [{"domain": f"{name}.example"}]})
            server.ask("POST", f"/api/harvests/{name}/activate")
            jobs[name] = server.wait_for_jobs(name)[0]["job"]
        port = server.get("/api/server")["replay_port"]

        def seen(collection, domain):
            url = urllib.parse.quote(web.seed(domain), safe="")
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{collection}/cdx?url={url}&matchType=host", timeout=60) as answer:
                return len(answer.read().splitlines())

        self.assertEqual([seen("harvests", "one.example"), seen("harvests", "two.example")], [3, 3])
        for name, other in (("one", "two"), ("two", "one")):
            shown = server.ask("POST", f"/api/jobs/{jobs[name]}/show", {})["collection"]
            self.assertEqual([seen(shown, f"{name}.example"), seen(shown, f"{other}.example")], [3, 0])
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{shown}/2id_/{web.seed(name + '.example', '/1')}", timeout=60) as answer:
                self.assertIn(f"www.{name}.example 1", answer.read().decode())
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{shown}/", timeout=60) as answer:
                self.assertIn(f"Job {jobs[name]}: {name}", answer.read().decode())
        self.assertIn("there is no job 77", server.raw("POST", "/api/jobs/77/show", {})[1].decode())
        self.assertEqual(server.stop(), 0)
        # Nobody sees the archive who may not see the server.
        server.start("--no-harvester", trusts=False)
        port = server.port_of_archive()
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/harvests/cdx?url=x.example", timeout=60)
        self.assertEqual(refused.exception.code, 401)
        server.stop()
        server.start("--no-harvester", "--serve", "none")
        self.assertEqual(server.get("/api/server")["replay_port"], 0)
        self.assertIn("start it with --serve", server.raw("POST", f"/api/jobs/{jobs['one']}/show", {})[1].decode())

    def test_a_job_that_captures_nothing_ends(self):
        """Its index has no byte; the job is done all the same, and the next one is taken."""
        web = self.web_of(lambda host: 1)
        server = self.server_of().start()
        server.template("default", web.template(["there.example"]))
        for name, seed in (("nowhere", "http://www.nowhere.example/"), ("there", web.seed("there.example"))):
            server.domain(f"{name}.example", [seed])
            server.ask("POST", "/api/harvests", {"name": name, "kind": "selective", "schedule": "daily"})
            server.ask("POST", f"/api/harvests/{name}/configurations", {"add": [{"domain": f"{name}.example"}]})
            server.ask("POST", f"/api/harvests/{name}/activate")
            job = server.wait_for_jobs(name)[0]
            self.assertEqual((job["state"], job["objects"]), ("DONE", 1 if name == "there" else 0))

    def ask_the_archive(self, server, web, number):
        """Logs and reports of jobs lie in metadata files: the commands for collections find them there."""
        def caddis(*command):
            return subprocess.run([harness.BINARY, *command], capture_output=True, text=True, env={**harness.clean_environment(server.folder), "TMPDIR": str(scratch)})

        archive, scratch = server.data / "archive", server.folder / "scratch"
        scratch.mkdir()
        for launch in ([], ["--launch", number], ["--launch", "all"]):
            said = caddis("log", archive, "--status", "200", "--regex", "/[12]$", "--fields", "url", *launch)
            self.assertEqual((said.returncode, sorted(said.stdout.split())), (0, [web.seed("news.example", "/1"), web.seed("news.example", "/2")]), said.stderr)
        self.assertIn("www.news.example", caddis("log", archive, "--log", "http").stdout)
        self.assertIn("there is no such job", caddis("log", archive, "--launch", "77").stderr)
        self.assertIn("have ended", caddis("log", "-f", archive).stderr)
        report = caddis("report", "hosts", archive, "--launch", number)
        self.assertIn("www.news.example", report.stdout, report.stderr)
        self.assertIn("crawl status: Finished", caddis("report", "crawl-report", archive).stdout)
        missing = caddis("report", "hosts", archive, "--launch", "77")
        self.assertEqual(missing.returncode, 2)
        self.assertIn("there is no job '77'", missing.stderr)
        why = caddis("why", web.seed("news.example", "/1"), archive, "--json")
        told = json.loads(why.stdout)
        self.assertEqual((told["visited"], told["captured"], told["visits"][0]["via"]), (1, 1, web.seed("news.example")), why.stderr)
        gone = caddis("why", web.seed("news.example", "/9"), archive, "--launch", number)
        self.assertEqual(gone.returncode, 1, gone.stdout)
        self.assertEqual(caddis("why", web.seed("news.example", "/1"), archive, "--launch", number).returncode, 0)
        self.assertEqual(list(scratch.iterdir()), [])

    def browse(self, server, web):
        """What was harvested is shown."""
        serve = subprocess.Popen([harness.BINARY, "serve", server.data / "archive", "--listen", "127.0.0.1:0"],
                                 stdout=subprocess.PIPE, text=True, env=harness.clean_environment(server.folder))
        self.addCleanup(harness.kill, serve)
        address = re.search(r"(http://127.0.0.1:\d+)/archive/", serve.stdout.readline())[1]
        found = subprocess.run(["curl", "-sL", f"{address}/archive/cdx?url={web.seed('news.example', '/1')}&output=json"],
                               capture_output=True, text=True, check=True).stdout
        self.assertIn('"status": "200"', found.replace('":"', '": "'))

    def look_at_documents(self, server, number):
        """All of the metadata as one file for people."""
        documents = zipfile.ZipFile(io.BytesIO(server.raw("GET", f"/api/jobs/{number}/documents.zip")[1]))
        self.assertIsNone(documents.testzip())
        self.assertEqual(server.type_of(f"/api/jobs/{number}/documents.zip"), "application/zip")
        self.assertIn(f"<jobId>{number}</jobId>", documents.read("setup/harvestInfo.xml").decode())
        self.assertIn("http://www.news.example", documents.read("logs/crawl.log").decode())
        report = documents.read("reports/archivefiles-report.txt").decode().splitlines()
        self.assertEqual(report[0], "[ARCHIVEFILE] [Opened] [Closed] [Size]")
        time = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
        self.assertRegex(report[1], rf"^{number}-\S+\.warc\.gz {time} {time} \d+$")

    def look_at_metadata(self, server, job):
        number = job["job"]
        path = server.data / "archive" / "archive" / f"{number}-metadata-1.warc.gz"
        uris = [one.url for one in warc_records.read_file(path)]
        prefix = "metadata://library.example/crawl"
        for wanted in (f"{prefix}/setup/aliases?majorversion=1", f"{prefix}/setup/duplicatereductionjobs?",
                       f"{prefix}/setup/seeds.txt?", f"{prefix}/setup/harvestInfo.xml?", f"{prefix}/setup/crawl.yaml?", f"{prefix}/reports/crawl-report.txt?",
                       f"{prefix}/reports/archivefiles-report.txt?", f"{prefix}/logs/crawl.log?", f"{prefix}/logs/http.jsonl?",
                       f"{prefix}/index/cdx?"):
            self.assertTrue(any(uri.startswith(wanted) and f"jobid={number}" in uri for uri in uris), f"{wanted} in {uris}")
        stored = {one["kind"]: one for one in server.get(f"/api/jobs/{number}")["stored"]}
        self.assertEqual(set(stored), {"warc", "metadata", "index", "digests"})
        self.look_at_documents(server, number)
        self.assertTrue(stored["warc"]["name"].startswith(f"{number}-"))
        told = next(warc_records.read_file(server.data / "archive" / "archive" / stored["warc"]["name"]).__iter__()).block.decode()
        for line in (f"harvestInfo.jobId: {number}", "harvestInfo.origHarvestDefinitionName: papers", f"isPartOf: {number}"):
            self.assertIn(line + "\r\n", told)
        left = [one for one in os.listdir(server.data / "harvester" / "jobs") if not one.startswith(".")]
        self.assertEqual(left, [])

    def test_other_programs_read_what_a_job_leaves(self):
        """warcio checks the metadata file; pywb replays by the CDX in it."""
        warcio = peers.warcio()
        web = self.web_of(lambda host: 2)
        server = self.server_of().start()
        server.template("default", web.template(["news.example"]))
        server.domain("news.example", [web.seed("news.example")])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")
        job = server.wait_for_jobs("all")[0]["job"]
        archive = server.data / "archive/archive"
        metadata = archive / f"{job}-metadata-1.warc.gz"
        status, whole = server.raw("GET", f"/api/jobs/{job}/metadata/{metadata.name}")
        self.assertEqual((status, whole), (200, metadata.read_bytes()))
        self.assertEqual(server.raw("GET", f"/api/jobs/{job}/metadata/{metadata.name}", headers={"Range": "bytes=0-9"}), (206, whole[:10]))
        others = [one["name"] for one in server.get(f"/api/jobs/{job}")["stored"] if one["kind"] != "metadata"]
        for name in ["..%2Fjobs.db", *others]:
            self.assertEqual(server.raw("GET", f"/api/jobs/{job}/metadata/{name}")[0], 404, name)
        code, said = peers.run(warcio, "check", metadata)
        self.assertEqual((code, said), (0, ""))
        code, said = peers.run(warcio, "index", "-f", "warc-type,warc-target-uri", metadata)
        listed = [json.loads(line) for line in said.splitlines()]
        self.assertEqual(code, 0)
        self.assertEqual({one["warc-type"] for one in listed}, {"warcinfo", "metadata"} & {one["warc-type"] for one in listed} | {"resource"})
        cdx = [one.block.decode() for one in warc_records.read_file(metadata) if "/index/cdx?" in one.url]
        indexes = server.folder / "indexes"
        indexes.mkdir()
        (indexes / "job.cdx").write_text("".join(cdx))
        pywb = peers.Pywb(server.folder, None, [archive], index=indexes)
        self.addCleanup(pywb.stop)
        for path in ("/", "/1"):
            with urllib.request.urlopen(pywb.address("2027", web.seed("news.example", path)), timeout=60) as response:
                self.assertIn("<title>www.news.example", response.read().decode())

    @unittest.skipIf(web_ui_test.missing(), web_ui_test.missing())
    def test_a_curators_day_in_the_pages(self):
        """On a desk by day, then on a phone at night; on the same server, since each has a domain of its own."""
        web = harvest_server.Web(with_a_missed_picture(chain(lambda host: 3)))
        self.addCleanup(web.close)
        server = self.server_of().start("--channel", "FOCUSED")
        self.run_an_endless_job(server)
        self.fail_jobs(server, web, ("broken 1280", "broken 360"))
        server.template("default", web.template(["wide.example", "narrow.example"]))
        for name, width in (("wide.example", "1280"), ("narrow.example", "360")):
            done = subprocess.run(["node", SOURCE / "web/harvest/tests/harvest_tour.mjs", server.url + "/", width, name, web.seed(name)],
                                  capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, f"{width}: {done.stdout}{done.stderr}")

    def test_what_the_pages_show_a_curator(self):
        server = self.server_of().start("--no-harvester")
        self.assertEqual(server.ask("POST", "/api/domains", "a.example\n")["created"], 1)
        domain = server.get("/api/domains/a.example")
        server.ask("PUT", "/api/domains/a.example", {**domain, "comments": "a newspaper"})
        server.ask("POST", "/api/harvests", {"name": "other", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/other/activate")
        other = harness.wait_until(lambda: server.jobs("other"), "a job", 60)[0]["job"]
        server.stop()
        users = str(server.data / "users")
        said = subprocess.run([harness.BINARY, "users", "add", "carl", "--role", "curator", "--file", users], check=True, capture_output=True, text=True).stdout
        token = subprocess.run([harness.BINARY, "users", "token", "add", "carl", "--role", "curator", "--file", users], check=True, capture_output=True,
                               text=True).stdout.split()[0]
        server.start("--no-harvester", trusts=False)
        who = {"Authorization": f"Bearer {token}"}
        self.assertEqual(server.raw("POST", "/api/harvests", {"name": "own", "kind": "snapshot"}, who)[0], 200)
        self.assertEqual(server.raw("POST", "/api/harvests/own/activate", None, who)[0], 200)
        jobs = harness.wait_until(lambda: json.loads(server.raw("GET", "/api/jobs?harvest=own", None, who)[1])["jobs"], "a job", 60)
        if why := web_ui_test.missing():
            self.skipTest(why)
        password = re.search(r"(\S+)\s*$", said)[1]
        done = subprocess.run(["node", SOURCE / "web/harvest/tests/curator_tour.mjs", server.url + "/", "1280", "carl", password, str(jobs[0]["job"]), str(other)],
                              capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, f"{done.stdout}{done.stderr}")

    def test_what_the_pages_show_a_viewer(self):
        """All but secrets, on a desk and on a phone; the API tells the same."""
        server = self.server_of(harvest_server.SETTINGS + "  wait-for-harvesters: false\n").start("--no-harvester")
        server.ask("POST", "/api/fields", {"name": "language", "target": "domain", "kind": "text"})
        server.domain("a.example", ["http://a.example/start"], max_objects=4321, overrides="scope: {max-hops: 3}\n")
        domain = server.get("/api/domains/a.example")
        login = {"name": "login", "url": "", "realm": "subscribers", "username": "archive", "password": "very secret", "comments": ""}
        server.ask("PUT", "/api/domains/a.example", {**domain, "comments": "a newspaper", "traps": ".*calendar.*", "credentials": [login],
                                                     "fields": [{"name": "language", "value": "Danish"}]})
        server.ask("POST", "/api/harvests", {"name": "news", "kind": "selective", "schedule": "weekly", "audience": "for researchers",
                                             "comments": "the front pages", "traps": ".*login.*", "max_seconds": 600})
        server.ask("POST", "/api/harvests/news/configurations", {"add": [{"domain": "a.example"}]})
        server.ask("POST", "/api/harvests/news/activate")
        harness.wait_until(lambda: len(server.jobs("news")) == 1, "a job", 60)
        server.ask("POST", "/api/harvests/news/run")
        jobs = harness.wait_until(lambda: len(server.jobs("news")) == 2 and server.jobs("news"), "jobs", 60)
        for job in jobs:
            server.ask("POST", f"/api/jobs/{job['job']}/fail", {"note": "a person says so"})
        judged, other = (str(job["job"]) for job in jobs)
        server.ask("POST", f"/api/jobs/{judged}/accept", {"note": "good enough"})
        member = server.get(f"/api/jobs/{judged}/configurations")["configurations"][0]
        self.assertEqual((member["domain"], member["configuration"], member["max_objects"], member["traps"]),
                         ("a.example", "defaultconfig", 4321, ".*calendar.*"))
        runs = server.get("/api/harvests/news/runs", limit=1)
        self.assertEqual([(one["run"], one["jobs"], one["failed"], one["open"]) for one in runs["runs"]], [(1, 1, 1, 0)])
        self.assertEqual(server.get("/api/harvests/news/runs", before=runs["next"])["runs"][0]["run"], 0)
        server.stop()
        said = subprocess.run([harness.BINARY, "users", "add", "vera", "--role", "viewer", "--file", str(server.data / "users")], check=True,
                              capture_output=True, text=True).stdout
        if why := web_ui_test.missing():
            self.skipTest(why)
        server.start("--no-harvester", trusts=False)
        for width in ("1280", "360"):
            done = subprocess.run(["node", SOURCE / "web/harvest/tests/viewer_tour.mjs", server.url + "/", width, "vera", re.search(r"(\S+)\s*$", said)[1], judged, other],
                                  capture_output=True, text=True, timeout=600)
            self.assertEqual(done.returncode, 0, f"{width}: {done.stdout}{done.stderr}")

    def run_an_endless_job(self, server):
        """A snapshot that another harvester has, so that there is a job that runs."""
        web = harvest_server.Web(without_end)
        self.addCleanup(web.close)
        server.template("default", web.template(["endless.example"], delay="500ms"))
        server.domain("endless.example", [web.seed("endless.example")])
        server.ask("POST", "/api/harvests", {"name": "endless", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/endless/activate")
        process = server.harvester("north", "--channel", "SNAPSHOT")
        self.addCleanup(lambda: process.poll() is None and harness.kill(process))
        harness.wait_until(lambda: server.jobs("endless") and server.jobs("endless")[0]["state"] == "STARTED", "a job that runs")

    def fail_jobs(self, server, web, harvests):
        """Harvests with two failed jobs each; no harvester is free for them."""
        server.template("other", web.template(["second.example"]))
        server.domain("second.example", [web.seed("second.example")], template="other")
        for name in harvests:
            server.ask("POST", "/api/harvests", {"name": name, "kind": "snapshot"})
            server.ask("POST", f"/api/harvests/{name.replace(' ', '%20')}/activate")
            jobs = harness.wait_until(lambda one=name: len(server.jobs(one)) == 2 and server.jobs(one), "jobs", 60)
            for job in jobs:
                server.ask("POST", f"/api/jobs/{job['job']}/fail", {"note": "a person says so"})

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

    def test_damaged_digests_of_an_earlier_job_hold_nothing_up(self):
        """Whole ones are in a replica; then they are nowhere."""
        web = self.web_of(lambda host: 6)
        second = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        server = self.server_of(harvest_server.SETTINGS + f"  replicas: ['second folder:{second}']\n").start()
        server.template("default", web.template(["a.example"]))
        server.domain("a.example", [web.seed("a.example")])
        server.ask("POST", "/api/harvests", {"name": "step 1", "kind": "snapshot", "max_objects": 4})
        server.ask("POST", "/api/harvests/step%201/activate")
        first = server.wait_for_jobs("step 1")[0]["job"]
        known = next((server.data / "archive" / "indexes").glob(f"{first}-*.digests"))
        copy = second / "indexes" / known.name
        harness.wait_until(copy.exists, "a copy", 60)
        known.chmod(0o600)
        known.write_bytes(known.read_bytes()[:-2] + b"??")

        def revisits(step):
            server.ask("POST", "/api/harvests", {"name": step, "kind": "snapshot", "based_on": "step 1"})
            server.ask("POST", f"/api/harvests/{step}/activate")
            number = server.wait_for_jobs(step)[0]["job"]
            index = next((server.data / "archive" / "indexes").glob(f"{number}-*.cdxj")).read_text()
            told = "; ".join(one["what"] for one in server.get("/api/changes", kind="job", name=str(number))["changes"])
            return len([line for line in index.splitlines() if "warc/revisit" in line and "robots.txt" not in line]), told

        found, told = revisits("step2")
        self.assertEqual(found, 4)
        self.assertIn("come from a replica", told)
        copy.chmod(0o600)
        copy.unlink()
        found, told = revisits("step3")
        self.assertEqual(found, 0)
        self.assertIn(f"the payloads of job {first} may be stored again", told)

    def test_snapshot_by_another_index_key(self):
        """The template has another key than when the step before was made: its digests are left out, and the job runs."""
        web = self.web_of(lambda host: 3)
        server = self.server_of().start()
        server.domain("a.example", [web.seed("a.example")])
        for step, key in (("step1", "ia-surt"), ("step2", "ia-surt -strip-www-n")):
            server.template("default", web.template(["a.example"]) + f"canonicalization:\n  index: {key}\n")
            server.ask("POST", "/api/harvests", {"name": step, "kind": "snapshot"})
            server.ask("POST", f"/api/harvests/{step}/activate")
            server.wait_for_jobs(step)
        first, second = server.jobs("step1")[0]["job"], server.jobs("step2")[0]["job"]
        self.assertEqual(server.results("step2"), {"a.example": (3, "completed")})
        told = "; ".join(one["what"] for one in server.get("/api/changes", kind="job", name=str(second))["changes"])
        self.assertIn(f"the payloads of job {first} may be stored again: its digests cannot be used", told)
        self.assertIn("canonicalization.index was another one then", told)

    def test_jobs_that_wait_are_withdrawn(self):
        """Nobody takes the jobs of the first step: they are withdrawn, and the second step takes their domains."""
        server = self.server_of(harvest_server.SETTINGS + "splitting: {max-configurations: 1}\n").start("--no-harvester")
        names = [f"d{i}.example" for i in range(3)]
        server.ask("POST", "/api/domains", "\n".join(names))
        server.ask("POST", "/api/harvests", {"name": "one", "kind": "snapshot"})
        server.ask("POST", "/api/harvests", {"name": "two", "kind": "snapshot", "based_on": "one"})
        for name in ("one", "two"):
            server.ask("POST", f"/api/harvests/{name}/activate")
        jobs = harness.wait_until(lambda: len(server.jobs("one")) == 3 and server.jobs("one"), "jobs", 60)
        harness.wait_until(lambda: server.get("/api/harvests/two")["waits"] == "3 jobs of one to end", "words", 60)
        number = jobs[0]["job"]
        job = server.ask("POST", f"/api/jobs/{number}/withdraw", {"note": "not now"})
        self.assertEqual((job["state"], job["harvest_error"]), ("FAILED_REJECTED", "it was withdrawn: not now"))
        server.ask("POST", f"/api/jobs/{number}/withdraw", {}, 409)
        self.assertEqual(server.ask("POST", "/api/harvests/one/withdraw?run=1"), {"withdrawn": 0})
        self.assertEqual(server.ask("POST", "/api/harvests/one/withdraw"), {"withdrawn": 2})
        harness.wait_until(lambda: len(server.jobs("two")) == 3, "jobs of the next step", 60)
        self.assertEqual(server.get("/api/harvests/two")["waits"], "")
        self.assertEqual({reason for _, reason in server.results("one").values()}, {"time-limit"})
        # The latest of what a domain brought comes first, if it is asked for.
        newest = server.get("/api/results", harvest="one", before=0, limit=2)
        self.assertEqual(len(newest["results"]), 2)
        rest = server.get("/api/results", harvest="one", before=newest["next"], limit=2)
        self.assertEqual(len(rest["results"]), 1)
        self.assertGreater(newest["results"][1]["id"], rest["results"][0]["id"])
        self.assertEqual(server.ask("POST", f"/api/jobs/{number}/reopen-failure")["state"], "FAILED")
        self.assertEqual(server.ask("POST", f"/api/jobs/{number}/resubmit")["state"], "NEW")
        first = server.get("/api/changes", limit=1)
        self.assertNotEqual(server.get("/api/changes", limit=1, before=first["next"])["changes"], first["changes"])

    def test_dates_stay_and_move(self):
        server = self.server_of(harvest_server.SETTINGS + "  wait-for-harvesters: false\n").start("--no-harvester")
        server.ask("POST", "/api/harvests", {"name": "news", "kind": "selective", "schedule": "weekly"})
        server.ask("POST", "/api/harvests/news/configurations", {"add": [{"domain": "rødgrød.example"}]})
        self.assertEqual(server.get("/api/domains", part="rødgrød")["domains"][0]["shown"], "rødgrød.example")
        self.assertEqual(server.get("/api/harvests/news/configurations")["configurations"][0]["shown"], "rødgrød.example")
        server.ask("POST", "/api/harvests/news/run", status=409)
        server.ask("POST", "/api/harvests/news/activate")
        harness.wait_until(lambda: server.get("/api/harvests/news")["runs"] == 1, "a run", 60)
        next_run = server.get("/api/harvests/news")["next_run"]
        server.ask("POST", "/api/harvests/news/deactivate")
        self.assertEqual(server.ask("POST", "/api/harvests/news/activate")["next_run"], next_run)
        server.ask("POST", "/api/harvests/news/run")
        harness.wait_until(lambda: server.get("/api/harvests/news")["runs"] == 2, "a run that was asked for", 60)
        self.assertEqual(server.get("/api/harvests/news")["next_run"], next_run)
        news = server.get("/api/harvests/news")
        soon = server.ask("PUT", "/api/harvests/news", {**news, "schedule": "hourly"})["next_run"]
        self.assertLess(soon, next_run)
        hourly = next(one for one in server.get("/api/schedules")["schedules"] if one["name"] == "hourly")
        server.ask("POST", "/api/schedules", {key: value for key, value in {**hourly, "every": 5}.items() if key != "words"})
        self.assertEqual(server.get("/api/harvests/news")["next_run"], soon + 4 * 3600)
        self.assertEqual(server.ask("POST", "/api/harvests/news/withdraw"), {"withdrawn": 2})
        for name in ("rødgrød.example", "xn--rdgrd-vuad.example"):
            self.assertEqual([one["run"] for one in server.get("/api/results", domain=name)["results"]], [0, 1], name)
        for reason, count in (("time-limit", 2), ("completed", 0)):
            self.assertEqual(len(server.get("/api/results", harvest="news", stop_reason=reason)["results"]), count)
        self.assertIn("'late' is no stop reason", server.ask("GET", "/api/results?stop_reason=late", status=400)["error"])
        self.assertEqual(server.get("/api/harvests/news/stop-reasons")["stop_reasons"][0],
                         {"stop_reason": "time-limit", "results": 2, "objects": 0, "bytes": 0})

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
        server.template("default", web.template(["a.example"], delay="50ms"))
        server.domain("a.example", [web.seed("a.example")])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")
        harness.wait_until(lambda: server.jobs("all"), "a job")
        self.assertEqual(server.jobs("all")[0]["state"], "NEW")

        def harvester(name, channel):
            process = server.harvester(name, "--channel", channel)
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

    def test_jobs_are_steered_and_looked_into(self):
        """Paused, gone on with, given other limits, asked for its frontier and logs, stopped, judged."""
        web = harvest_server.Web(with_a_missed_picture(chain(lambda host: 100_000)))
        self.addCleanup(web.close)
        server = self.server_of().start()
        server.template("default", web.template(["a.example"], delay="20ms"))
        server.domain("a.example", [web.seed("a.example")], max_bytes=-1)
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot", "max_objects": 2})
        server.ask("POST", "/api/harvests/all/activate")
        job = server.wait_for_jobs("all")[0]
        self.assertEqual(server.results("all"), {"a.example": (2, "object-limit")})
        self.look_into(server, web, job["job"])
        server.ask("POST", "/api/harvests", {"name": "more", "kind": "snapshot", "max_objects": 100_000, "based_on": "all"})
        server.ask("POST", "/api/harvests/more/activate")

        def state():
            jobs = server.jobs("more")
            return jobs and jobs[0]["progress"] and jobs[0]["progress"]["state"]

        harness.wait_until(lambda: state() == "RUNNING", "a crawl")
        number = server.jobs("more")[0]["job"]
        server.ask("POST", f"/api/jobs/{number}/pause")
        harness.wait_until(lambda: state() == "PAUSED", "a pause")
        queues = server.get(f"/api/jobs/{number}/queues", limit=10)["queues"]
        self.assertEqual([one["queue"] for one in queues], [web.seed("a.example", "")])
        lines = server.get(f"/api/jobs/{number}/log", match="/1 ", limit=5)["lines"]
        self.assertTrue(lines and all("/1 " in line for line in lines), lines)
        for name in ("hosts-report", "hosts", "hosts-report.txt"):
            self.assertIn("host", json.dumps(server.get(f"/api/jobs/{number}/reports/{name}")))
        self.assertIn("hosts-report, ", server.ask("GET", f"/api/jobs/{number}/reports/guests", status=409)["error"])
        self.assertIn("no log", server.ask("GET", f"/api/jobs/{number}/log?name=nothing.log", status=409)["error"])
        self.assertIn("no pattern", server.ask("GET", f"/api/jobs/{number}/log?match=(", status=409)["error"] + " no pattern")
        server.ask("POST", f"/api/jobs/{number}/resume")
        harness.wait_until(lambda: state() == "RUNNING", "a crawl")
        # A crawl takes all new settings or none: the traps are with the limit.
        self.assertEqual(server.ask("POST", f"/api/jobs/{number}/traps", {"traps": ".*/calendar/.*\n.*/calendar/.*"})["added"], 1)
        self.assertIn("line 1: missing )", server.ask("POST", f"/api/jobs/{number}/traps", {"traps": "("}, 400)["error"])
        # The limit that is reached is the one that was set meanwhile.
        limited = server.ask("POST", f"/api/jobs/{number}/limits", {"max_objects": 300})
        self.assertEqual((limited["max_objects"], limited["has_live_limits"]), (300, True))
        job = server.wait_for_jobs("more")[0]
        objects, reason = server.results("more")["a.example"]
        self.assertEqual((reason, job["exit"]), ("object-limit", "FINISHED"))
        self.assertGreaterEqual(objects, 300)
        server.ask("POST", f"/api/jobs/{number}/accept", {"note": "enough"})
        self.assertEqual(server.get(f"/api/jobs/{number}")["verdict"], "accepted")
        self.assertIn("does not run", server.ask("POST", f"/api/jobs/{number}/limits", {"max_objects": 1}, 409)["error"])
        self.assertIn("does not run", server.ask("POST", f"/api/jobs/{number}/traps", {"traps": "x"}, 409)["error"])

    def test_the_lower_limit_holds_in_a_running_job(self):
        """A limit that is lowered holds for domains whose configurations allow more than it, but less than the job did."""
        web = harvest_server.Web(without_end)
        self.addCleanup(web.close)
        server = self.server_of().start()
        limits = {"a.example": -1, "b.example": 500, "c.example": 70}
        server.template("default", web.template(list(limits), delay="30ms"))
        for name, limit in limits.items():
            server.domain(name, [web.seed(name)], max_bytes=-1, max_objects=limit)
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")

        def running():
            return [one for one in server.jobs("all") if one["progress"] and one["progress"]["state"] == "RUNNING"]

        number = harness.wait_until(running, "a crawl")[0]["job"]
        server.ask("POST", f"/api/jobs/{number}/limits", {"max_objects": 120})
        # A crawl that dies goes on with them.
        harness.wait_until(lambda: list(server.folder.glob("**/live-settings")), "a crawl that knows its limits", 30)
        self.kill_crawls(server.folder)
        server.wait_for_jobs("all")
        expected = {"a.example": (120, "object-limit"), "b.example": (120, "object-limit"), "c.example": (70, "config-object-limit")}
        self.assertEqual(server.results("all"), expected)

    def test_domains_are_complete_whatever_ends_their_job(self):
        """The next step of a snapshot takes those of which something was left, and no others."""
        endless = {"slow.example", "slower.example"}
        small = chain(lambda host: 3)
        web = harvest_server.Web(lambda host, path: without_end(host, path) if host.removeprefix("www.") in endless else small(host, path))
        self.addCleanup(web.close)
        server = self.server_of().start()
        domains = ["one.example", "two.example", *sorted(endless)]
        server.template("default", web.template(domains, delay="100ms"))
        for name in domains:
            server.domain(name, [web.seed(name)], max_bytes=-1)
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot", "max_seconds": 6})
        server.ask("POST", "/api/harvests/all/activate")
        job = server.wait_for_jobs("all")[0]
        self.assertEqual(job["exit"], "FINISHED_TIME_LIMIT")

        def reasons(harvest):
            return {name: reason for name, (_, reason) in server.results(harvest).items()}

        whole = {"one.example": "completed", "two.example": "completed"}
        self.assertEqual(reasons("all"), whole | dict.fromkeys(endless, "time-limit"))
        server.ask("POST", "/api/harvests", {"name": "more", "kind": "snapshot", "based_on": "all"})
        server.ask("POST", "/api/harvests/more/activate")

        def crawling():
            return [one for one in server.jobs("more") if one["progress"] and one["progress"]["documents"] > 0]

        number = harness.wait_until(crawling, "documents", 120)[0]["job"]
        server.ask("POST", f"/api/jobs/{number}/stop")
        server.wait_for_jobs("more")
        self.assertEqual(reasons("more"), dict.fromkeys(endless, "unfinished"))

    def test_others_read_no_passwords(self):
        server = self.server_of()

        def modes():
            return {path.name: path.stat().st_mode & 0o777 for path in (*server.data.glob("harvest.db*"), *server.data.glob("backups/*"))}

        server.start()
        harness.wait_until(lambda: list(server.data.glob("backups/harvest-*.db")), "a copy")
        self.assertIn("harvest.db-wal", modes())
        self.assertEqual(set(modes().values()), {0o600})
        server.stop()
        for path in (server.data / "harvest.db", *server.data.glob("backups/*")):
            path.chmod(0o644)
        server.start()
        self.assertEqual(set(modes().values()), {0o600})

    def test_jobs_need_a_contact(self):
        server = self.server_of(harvest_server.SETTINGS.replace("  contact: archive@library.example\n", "")).start()
        self.assertIn(f"into {server.data}/harvest.yaml", server.log.read_text())
        server.domain("a.example", ["http://a.example/"])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        self.assertIn("harvest.contact is not set", server.ask("POST", "/api/harvests/all/activate", status=400)["error"])

    def look_into(self, server, web, number):
        """What a job that has ended tells of itself, and what is done about what it has missed."""
        records = {(one["kind"], one["name"]) for one in server.get(f"/api/jobs/{number}/records")["records"]}
        self.assertLessEqual({("logs", "crawl.log"), ("reports", "crawl-report.txt"), ("setup", "seeds.txt")}, records)
        found = server.get(f"/api/jobs/{number}/log", match="gone.png")["lines"]
        self.assertTrue(found and " 404 " in found[0], found)
        for name in ("crawl-report", "crawl", "crawl-report.txt"):
            self.assertIn("crawl", server.get(f"/api/jobs/{number}/reports/{name}")["text"].lower())
        self.assertIn("crawl-report.txt", server.ask("GET", f"/api/jobs/{number}/reports/guests", status=404)["error"])
        missed = server.get(f"/api/jobs/{number}/missed")["missed"]
        self.assertEqual([(one["url"], one["status"]) for one in missed], [(web.seed("a.example", "/gone.png"), 404)])
        urls = [one["url"] for one in missed]
        told = server.ask("POST", f"/api/jobs/{number}/seeds", {"urls": [*urls, "http://strange.example/"]})
        self.assertEqual((told["added"], len(told["problems"])), (1, 1))
        lists = {one["name"]: one["seeds"] for one in server.get("/api/domains/a.example")["seed_lists"]}
        self.assertEqual(lists["missed"].split(), urls)
        patch = server.ask("POST", f"/api/jobs/{number}/patch", {"urls": [web.seed("a.example", "/7")]})
        self.assertEqual(patch["patches"], number)
        job = [one for one in server.wait_for_jobs("all", 2) if one["job"] == patch["job"]][0]
        self.assertEqual(job["objects"], 1)  # and not what it links to
        self.assertEqual(server.results("all"), {"a.example": (2, "object-limit")})

    def test_a_start_is_told_at_once(self):
        """A job of seconds is shown as running while it runs; what is asked of it before its crawl listens is answered, too."""
        web = harvest_server.Web(chain(lambda host: 40))
        self.addCleanup(web.close)
        server = self.server_of().start()
        server.template("default", web.template(["a.example"], delay="150ms"))
        server.domain("a.example", [web.seed("a.example")])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")
        harness.wait_until(lambda: server.jobs("all") and server.jobs("all")[0]["state"] == "STARTED", "a crawl", every=0.02)
        number = server.jobs("all")[0]["job"]
        self.assertLessEqual(len(server.get(f"/api/jobs/{number}/queues", limit=10)["queues"]), 1)
        self.assertIn("lines", server.get(f"/api/jobs/{number}/log", limit=5))
        job = server.wait_for_jobs("all")[0]
        self.assertGreaterEqual(job["ended"] - job["started"], 4, job)
        self.assertEqual(server.results("all"), {"a.example": (40, "completed")})

    def test_the_frontier_of_a_running_job_is_changed(self):
        """URLs that wait are listed, counted, deleted; scripts run, for admins alone. All of it is on record."""
        web = harvest_server.Web(lambda host, path: "".join(f"<a href='/{kind}/{n}'>x</a>" for kind in ("page", "shop") for n in range(50)) if path == "/" else path)
        self.addCleanup(web.close)
        server = self.server_of().start("--no-harvester")
        server.template("default", web.template(["a.example"], delay="1s"))
        server.domain("a.example", [web.seed("a.example")])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")
        number = harness.wait_until(lambda: server.jobs("all"), "a job")[0]["job"]
        path = f"/api/jobs/{number}"
        self.assertIn("no crawl can be asked", server.ask("POST", path + "/frontier/delete", {"regex": "x"}, 409)["error"])
        process = server.harvester("h1")
        self.addCleanup(lambda: process.poll() is None and harness.kill(process))
        harness.wait_until(lambda: server.jobs("all")[0]["state"] == "STARTED", "a crawl")
        harness.wait_until(lambda: len(server.get(path + "/frontier", regex="/shop/")["urls"]) == 50, "links", 60)
        first = server.get(path + "/frontier", regex="/shop/", limit=20)
        self.assertEqual((len(first["urls"]), bool(first["marker"])), (20, True))
        rest = server.get(path + "/frontier", regex="/shop/", limit=100, marker=first["marker"])
        self.assertEqual(len({one["url"] for one in first["urls"] + rest["urls"]}), 50)
        self.assertEqual(server.ask("POST", path + "/frontier/delete", {"regex": "/shop/", "dry": True}), {"would_delete": 50})
        self.assertEqual(len(server.get(path + "/frontier", regex="/shop/")["urls"]), 50)
        self.assertIn("host, regex", server.ask("POST", path + "/frontier/delete", {}, 400)["error"])
        self.assertIn("missing )", server.ask("POST", path + "/frontier/delete", {"regex": "("}, 409)["error"])
        self.assertEqual(server.ask("POST", path + "/frontier/delete", {"regex": "/shop/"}), {"deleted": 50})
        self.assertEqual(server.get(path + "/frontier", regex="/shop/")["urls"], [])
        self.a_trap_is_added_and_taken_back(server, path)
        process.send_signal(signal.SIGSTOP)
        counted = server.ask("POST", path + "/frontier/delete", {"regex": "/page/4", "dry": True}, 202)
        self.assertEqual((counted["state"], counted["done"], counted["text"]["regex"]), ("open", 0, "/page/4"))
        ended = server.ask("POST", path + "/frontier/delete", {"regex": "/page/4"}, 202)["question"]
        self.assertTrue(server.ask("POST", f"{path}/questions/{ended}/give-up")["given_up"])
        self.assertEqual([one["question"] for one in server.get(path + "/questions")["questions"] if one["state"] == "open"], [ended, counted["question"]])
        process.send_signal(signal.SIGCONT)
        told = harness.wait_until(lambda: (lambda one: one["state"] == "answered" and one)(server.get(f"{path}/questions/{counted['question']}")), "the count", 60)
        self.assertGreater(told["answer"]["would_delete"], 0)
        self.assertIn("given up; 0 deleted", server.get(f"{path}/questions/{ended}")["problem"])
        self.assertIn("that goes on", server.ask("POST", f"{path}/questions/{ended}/give-up", status=409)["error"])
        run = server.ask("POST", path + "/console", {"script": "seen = (seen or 0) + 1; print(seen, crawl.status().state)", "session": "s"})
        self.assertEqual((run["output"].split(), run.get("error")), (["1", "running"], None))
        self.assertEqual(server.ask("POST", path + "/console", {"script": "seen", "session": "s"})["output"].strip(), "1")
        self.assertIn("nothing_of_that_name", server.ask("POST", path + "/console", {"script": "nothing_of_that_name()", "session": "s"})["error"])
        changes = [(one["who"], one["what"]) for one in server.get("/api/changes", kind="job", name=str(number))["changes"]]
        who = changes[0][0]
        self.assertTrue(who)
        self.assertIn((who, "deleted 50 URLs with /shop/ from its frontier"), changes)
        self.assertIn((who, "runs a script in its crawl: seen"), changes)
        self.assertEqual(sum(what.startswith("deleted") for _, what in changes), 1)
        self.assertIn((who, "is to lose URLs with /shop/ from its frontier"), changes)
        server.ask("POST", path + "/frontier/delete", {"regex": "/page/", "host": "www.a.example"})
        job = server.wait_for_jobs("all")[0]
        self.assertLess(job["objects"], 51)
        self.assertIn("DONE", server.ask("POST", path + "/console", {"script": "1"}, 409)["error"])

    def a_trap_is_added_and_taken_back(self, server, path):
        def accepted():
            script = "print(crawl.scope('http://www.a.example/trap', {via = 'http://www.a.example/', hops = 'L'}).accepted)"
            return server.ask("POST", path + "/console", {"script": script, "session": "t"})["output"].strip()

        self.assertEqual(server.get(path + "/traps")["traps"], [])
        self.assertEqual(accepted(), "true")
        server.ask("POST", path + "/traps", {"traps": ".*/trap"})
        [trap] = server.get(path + "/traps")["traps"]
        self.assertEqual((trap["expression"], trap["added"], bool(trap["who"])), ("/trap$", True, True))
        harness.wait_until(lambda: accepted() == "false", "a crawl that leaves it out", 30)
        self.assertEqual(server.ask("POST", path + "/traps/take-back", {"traps": trap["expression"]}), {"taken_back": 1})
        self.assertEqual(server.get(path + "/traps")["traps"], [])
        harness.wait_until(lambda: accepted() == "true", "a crawl that takes it again", 30)
        self.assertIn("no crawler trap", server.ask("POST", path + "/traps/take-back", {"traps": "x"}, 409)["error"])

    def test_stopped_job(self):
        web = harvest_server.Web(chain(lambda host: 100_000))
        self.addCleanup(web.close)
        server = self.server_of().start()
        server.template("default", web.template(["a.example"], delay="50ms"))
        server.domain("a.example", [web.seed("a.example")])
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")
        harness.wait_until(lambda: server.jobs("all") and server.jobs("all")[0]["state"] == "STARTED", "a crawl")
        server.ask("POST", f"/api/jobs/{server.jobs('all')[0]['job']}/stop")
        job = server.wait_for_jobs("all")[0]
        self.assertEqual((job["exit"], server.results("all")["a.example"][1]), ("ABORTED", "unfinished"))

    def run_until_lost(self, settings):
        """A job of an endless site that a harvester has, and the harvester."""
        web = harvest_server.Web(chain(lambda host: 100_000))
        self.addCleanup(web.close)
        server = self.server_of(harvest_server.SETTINGS + settings).start("--no-harvester")
        server.template("default", web.template(["a.example"], delay="50ms"))
        server.domain("a.example", [web.seed("a.example")], max_bytes=-1)
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")
        process = server.harvester("h1")
        self.addCleanup(lambda: process.poll() is None and harness.kill(process))
        harness.wait_until(lambda: server.jobs("all") and server.jobs("all")[0]["state"] == "STARTED", "a crawl")
        return server, process, server.jobs("all")[0]["job"]

    def test_job_that_was_given_up_is_delivered(self):
        """Its harvester could not reach the server for long, and comes back."""
        server, process, number = self.run_until_lost("  lost-after: 6s\n")
        process.send_signal(signal.SIGSTOP)
        self.addCleanup(lambda: process.poll() is None and process.send_signal(signal.SIGCONT))
        server.wait_for_jobs("all", states=("FAILED",), seconds=60)
        job = server.get(f"/api/jobs/{number}")
        self.assertEqual((job["stored"], job["objects"]), ([], 0))
        self.assertIn(f"with harvester h1, in jobs/{number} of its folder", job["harvest_details"])
        process.send_signal(signal.SIGCONT)
        job = harness.wait_until(lambda: (one := server.get(f"/api/jobs/{number}"))["exit"] and one, "what it has brought", 120)
        self.assertEqual((job["state"], job["exit"], job["upload_error"]), ("FAILED", "ABORTED", ""))
        self.assertIn("nothing was heard of harvester h1", job["harvest_error"])
        self.assertIn("h1 has handed over files and results afterwards", job["harvest_details"])
        self.assertTrue([one for one in job["stored"] if one["kind"] == "warc"])
        objects, reason = server.results("all")["a.example"]
        self.assertEqual((objects > 0, reason), (True, "unfinished"))
        harness.wait_until(lambda: not (server.folder / "h1" / "jobs" / str(number)).exists(), "a folder that is gone", 30)
        self.assertFalse((server.folder / "h1" / "oldjobs" / str(number)).exists())

    def test_files_of_a_job_that_another_has_taken_up_are_told(self):
        server, process, number = self.run_until_lost("  lost-after: 6s\n")
        process.send_signal(signal.SIGSTOP)
        self.addCleanup(lambda: process.poll() is None and process.send_signal(signal.SIGCONT))
        server.wait_for_jobs("all", states=("FAILED",), seconds=60)
        server.ask("POST", f"/api/jobs/{number}/resubmit")
        process.send_signal(signal.SIGCONT)
        job = harness.wait_until(lambda: (one := server.get(f"/api/jobs/{number}"))["upload_error"] and one, "words on its files", 120)
        self.assertEqual((job["state"], job["stored"]), ("RESUBMITTED", []))
        self.assertIn(f"oldjobs/{number}, as harvester h1 sees it", job["upload_details"])
        harness.wait_until(lambda: (server.folder / "h1" / "oldjobs" / str(number)).exists(), "a folder that is kept", 30)

    def test_job_that_runs_too_long_is_delivered(self):
        server, _, number = self.run_until_lost("  job-timeout: 4s\n")
        server.wait_for_jobs("all", states=("FAILED",), seconds=120)
        job = server.get(f"/api/jobs/{number}")
        self.assertEqual((job["exit"], job["harvest_error"], job["upload_error"]), ("ABORTED", "it has run for longer than 4s", ""))
        self.assertTrue([one for one in job["stored"] if one["kind"] == "warc"])
        self.assertGreater(server.results("all")["a.example"][0], 0)

    def test_traps_and_seeds_are_of_their_domain(self):
        """Traps of a domain leave the others of its job alone, and seeds elsewhere count for the domain that has them."""

        def page(host, path):
            if "elsewhere" in host:
                return chain(lambda _: 50)(host, path)
            return {"/": "<a href=/arkiv/1>1</a><a href=/2>2</a><a href=/never/3>3</a>"}.get(path, f"<title>{path}</title>")

        web = harvest_server.Web(page)
        self.addCleanup(web.close)
        server = self.server_of().start()
        server.template("default", web.template(["a.example", "b.example", "elsewhere.example"]))
        for name in ("a.example", "b.example"):
            server.domain(name, [web.seed(name)])
        server.domain("d.example", [web.seed("elsewhere.example")], max_objects=5)
        domain = server.get("/api/domains/a.example")
        server.ask("PUT", "/api/domains/a.example", {**domain, "traps": ".*/arkiv/.*"})
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot", "traps": ".*/never/.*"})
        server.ask("POST", "/api/harvests/all/activate")
        server.wait_for_jobs("all")
        jobs = {one["domain"]: one["job"] for one in server.get("/api/results", harvest="all")["results"]}
        self.assertEqual(jobs["a.example"], jobs["b.example"])
        self.assertEqual(server.results("all"), {"a.example": (2, "completed"), "b.example": (3, "completed"), "d.example": (5, "config-object-limit")})

    def test_lost_harvester(self):
        """Its job is taken over by another in the shared folder, from what it had committed; without one the job fails."""
        web = harvest_server.Web(with_late_traps(chain(lambda host: 400)))
        self.addCleanup(web.close)
        server = self.server_of()
        shared = server.folder / "shared"
        shared.mkdir()
        (server.data / "harvest.yaml").write_text(harvest_server.SETTINGS + f"  shared: {shared}\n  lost-after: 15s\n")
        server.start("--no-harvester")
        server.template("default", web.template(["a.example"], delay="20ms"))
        server.domain("a.example", [web.seed("a.example")], max_bytes=-1)
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/all/activate")

        def harvester(name):
            process = server.harvester(name, folder=shared / name)
            self.addCleanup(lambda: process.poll() is None and harness.kill(process))
            return process

        first = harvester("h1")

        def committed():
            jobs = server.jobs("all")
            return jobs and jobs[0]["progress"] and jobs[0]["progress"]["documents"] >= 20 and jobs[0]

        number = harness.wait_until(committed, "documents", 120)["job"]
        # Traps that were added to it are the job's, whoever goes on with it.
        server.ask("POST", f"/api/jobs/{number}/traps", {"traps": ".*/calendar/.*"})
        told = shared / "h1" / "jobs" / str(number) / "live-settings"
        harness.wait_until(lambda: told.exists() and "calendar" in told.read_text(), "a crawl that knows its traps", 30)
        # The machine goes: the harvester and its crawl.
        harness.kill(first)
        self.kill_crawls(shared / "h1")
        second = harvester("h2")
        job = server.wait_for_jobs("all", seconds=120)[0]
        self.assertEqual((job["job"], job["harvester"], job["left_by"], job["objects"]), (number, "h2", "h1", 400))
        self.assertEqual(server.results("all"), {"a.example": (400, "completed")})
        harness.wait_until(lambda: not (shared / "h1" / "jobs" / str(number)).exists(), "a folder that is put away", 30)
        changes = [one["what"] for one in server.get("/api/changes", kind="job", name=str(number))["changes"]]
        self.assertIn("taken over", changes)
        self.nobody_reaches_it(server, shared, second)

    def kill_crawls(self, folder):
        for held in folder.glob("**/process"):
            if pid := held.read_text().strip():
                subprocess.run(["kill", "-9", pid], check=False, capture_output=True)

    def nobody_reaches_it(self, server, shared, second):
        server.ask("POST", "/api/harvests", {"name": "again", "kind": "snapshot"})
        server.ask("POST", "/api/harvests/again/activate")
        job = harness.wait_until(lambda: server.jobs("again") and server.jobs("again")[0]["state"] == "STARTED" and server.jobs("again")[0], "a job")
        self.assertEqual(job["harvester"], "h2")
        elsewhere = server.harvester("h3")
        self.addCleanup(lambda: elsewhere.poll() is None and harness.kill(elsewhere))
        # It dies with its disk.
        harness.kill(second)
        self.kill_crawls(shared / "h2")
        (shared / "h2").rename(server.folder / "h2-gone")
        job = server.wait_for_jobs("again", states=("FAILED",), seconds=120)[0]
        self.assertIn("harvester h2 was lost, and no other has taken the job over", job["harvest_error"])
        self.assertIn("does not reach", job["harvest_error"])

    def test_harvesters_have_a_role_of_their_own(self):
        server = self.server_of().start("--no-harvester", trusts=False)
        harvester, viewer, operator = (server.new_user(*who) for who in (("north", "harvester"), ("vera", "viewer"), ("olga", "operator")))
        hello = {"host": "north", "version": "1", "free_bytes": 1, "state": "ready", "job": None, "channels": []}

        def status(method, path, who, body=None):
            return server.raw(method, path, body, who)[0]

        # A server sees a change of its users within a second.
        harness.wait_until(lambda: status("POST", "/api/harvesters/north", harvester, hello) != 401, "a known token", 10)
        self.assertEqual(status("POST", "/api/harvesters/north", harvester, hello), 200)
        self.assertEqual(status("POST", "/api/harvesters/south", harvester, hello), 403)
        self.assertEqual(status("POST", "/api/harvesters/north/take", harvester, {"channels": ["SNAPSHOT"]}), 200)
        self.assertEqual(status("POST", "/api/harvesters/south", harvester, hello), 403)
        self.assertEqual(status("POST", "/api/harvesters/south/take", harvester, {"channels": ["SNAPSHOT"]}), 403)
        for method, path in (("GET", "/api/domains"), ("GET", "/api/jobs"), ("GET", "/api/harvesters"), ("POST", "/api/domains"),
                             ("POST", "/api/jobs/1/stop"), ("POST", "/api/jobs/1/console"), ("POST", "/api/jobs/1/frontier/delete"),
                             ("GET", "/api/templates/default"), ("GET", "/api/users")):
            self.assertEqual(status(method, path, harvester, "x" if method == "POST" else None), 403, path)
        harness.wait_until(lambda: status("GET", "/api/harvesters", viewer) != 401, "a known token", 10)
        self.assertEqual(status("GET", "/api/harvesters", viewer), 200)
        self.assertEqual(status("POST", "/api/harvesters/north", viewer, hello), 403)
        # Scripts in a crawl may do anything.
        harness.wait_until(lambda: status("GET", "/api/jobs", operator) != 401, "a known token", 10)
        for end in ("", "/"):
            self.assertEqual(status("POST", "/api/jobs/1/console" + end, operator, {"script": "1"}), 403)
        self.assertEqual(status("POST", "/api/jobs/1/frontier/delete", operator, {"regex": "x"}), 404)
        self.assertEqual(status("POST", "/api/jobs/1/frontier/delete", viewer, {"regex": "x"}), 403)
        self.assertEqual(status("POST", "/api/harvesters/north", {}, hello), 401)

    def test_curators_plan_and_steer_what_is_their_own(self):
        server = self.server_of().start("--no-harvester", trusts=False)
        carl, carla, olga = (server.new_user(*who) for who in (("carl", "curator"), ("carla", "curator"), ("olga", "operator")))

        def ask(method, path, who, body=None):
            status, answer = server.raw(method, path, body, who)
            return status, answer.decode()

        harness.wait_until(lambda: ask("GET", "/api/jobs", olga)[0] == 200, "known tokens", 10)
        self.assertEqual(ask("POST", "/api/domains", carl, "a.example\n")[0], 200)
        self.assertEqual(ask("POST", "/api/harvests", carl, {"name": "all", "kind": "snapshot"})[0], 200)
        self.assertEqual(ask("POST", "/api/harvests/all/activate", carl)[0], 200)
        job = harness.wait_until(lambda: json.loads(ask("GET", "/api/jobs", olga)[1])["jobs"], "a job", 60)[0]
        self.assertEqual(job["made_by"], "carl")
        path = f"/api/jobs/{job['job']}"
        status, said = ask("POST", path + "/withdraw", carla, {"note": ""})
        self.assertEqual((status, "carl has made the harvest" in said and "needs the role operator" in said), (403, True), said)
        self.assertEqual(ask("POST", path + "/withdraw", carl, {"note": "a mistake"})[0], 200)
        self.assertEqual(ask("POST", path + "/accept", carla, {"note": "good"})[0], 200)
        status, said = ask("POST", "/api/channels", carl, {"name": "MINE"})
        self.assertEqual((status, "this needs the role operator, and carl is curator" in said), (403, True), said)
        self.assertEqual(ask("GET", "/api/templates/default", carl)[0], 403)
        self.assertEqual(ask("GET", "/api/users", olga)[0], 403)
        changes = json.loads(ask("GET", f"/api/changes?kind=job&name={job['job']}", carla)[1])["changes"]
        self.assertEqual(changes[0]["fields"], [{"name": "verdict", "before": "", "after": "accepted"}, {"name": "note", "before": "", "after": "good"}])

    def test_stores(self):
        """Files are copied to a folder, to a server by PUT and to one that checks signatures; what is damaged is found and repaired."""
        web = self.web_of(lambda host: 2)
        server = self.server_of()
        second = server.folder / "second"
        second.mkdir()
        with harvest_server.ByteStore() as dav, harvest_server.ByteStore(("key", "secret")) as s3:
            keys = server.folder / "keys"
            keys.write_text("cloud key secret eu-north-1\n")
            (server.data / "harvest.yaml").write_text(harvest_server.SETTINGS + f"""  check-files: 1s
  replica-keys: {keys}
  replicas:
    - second folder:{second}
    - dav put:http://127.0.0.1:{dav.port}/archive
    - cloud s3:http://127.0.0.1:{s3.port}/bucket/caddis
""")
            server.start()
            server.template("default", web.template(["a.example"]))
            server.domain("a.example", [web.seed("a.example")])
            server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot"})
            server.ask("POST", "/api/harvests/all/activate")
            job = server.wait_for_jobs("all")[0]["job"]
            files = {one["name"]: one for one in server.get(f"/api/jobs/{job}")["stored"]}

            def stores():
                return {one["name"]: one for one in server.get("/api/stores")["stores"]}

            harness.wait_until(lambda: all(one["stored"] == len(files) for one in stores().values()), "copies", 60)
            warc = next(name for name, one in files.items() if one["kind"] == "warc")
            self.assertEqual(set(dav.files), {f"/archive/{'archive' if one['kind'] in ('warc', 'metadata') else 'indexes'}/{name}" for name, one in files.items()})
            self.assertEqual(len(s3.files), len(files))
            whole = (server.data / "archive" / "archive" / warc).read_bytes()
            self.assertEqual(dav.files[f"/archive/archive/{warc}"], whole)
            # A byte of each is turned, one file is removed.
            damaged = whole[:50] + bytes([whole[50] ^ 1]) + whole[51:]
            (server.data / "archive" / "archive" / warc).chmod(0o600)
            (server.data / "archive" / "archive" / warc).write_bytes(damaged)
            s3.files[f"/bucket/caddis/archive/{warc}"] = damaged
            (second / "archive" / warc).unlink()

            def differences():
                known = stores()
                return known["archive"]["wrong"] == 1 and known["cloud"]["wrong"] == 1 and known["second"]["missing"] == 1

            harness.wait_until(differences, "differences", 180)
            self.assertEqual([one["name"] for one in server.get("/api/stores/archive/files")["files"]], [warc])
            for name in ("archive", "cloud", "second"):
                server.ask("POST", f"/api/stores/{name}/repair")
            harness.wait_until(lambda: all(one["stored"] == len(files) for one in stores().values()), "repairs", 180)
            self.assertEqual((server.data / "archive" / "archive" / warc).read_bytes(), whole)
            self.assertEqual(s3.files[f"/bucket/caddis/archive/{warc}"], whole)
            self.assertEqual((second / "archive" / warc).read_bytes(), whole)
            self.assertEqual([path.read_bytes() for path in (server.data / "archive" / "damaged").iterdir()], [damaged])
            server.ask("GET", "/api/stores/nothing/files", status=404)

    def test_uploads_and_refusals(self):
        server = self.server_of().start("--no-harvester")
        names = [f"d{i}.example" for i in range(2000)]
        text = "\n".join([*names, "# a remark", "www.d1.example", "co.uk", "bücher.example", "d1.example"])
        told = server.ask("POST", "/api/domains", text)
        self.assertEqual((told["created"], told["existing"], told["wrong"]), (2001, 0, 2))
        self.assertEqual([one["line"] for one in told["errors"]], [2002, 2003])
        self.assertEqual(server.get("/api/domains/b%C3%BCcher.example")["name"], "xn--bcher-kva.example")
        table = 'domain;seeds;max_bytes;template\n"new.example";"http://new.example/ http://new.example/x";1000;\n"d1.example";;5;\nbad.example;;;none\n"q-one.example",5'
        told = server.ask("POST", "/api/domains", table)
        self.assertEqual((told["created"], told["existing"], [one["line"] for one in told["errors"]]), (1, 1, [4, 5]))
        new = server.get("/api/domains/new.example")
        self.assertEqual((new["seed_lists"][0]["seeds"].split(), new["configurations"][0]["max_bytes"]),
                         (["http://new.example/", "http://new.example/x"], 1000))
        self.assertIn("no column 'owner'", server.ask("POST", "/api/domains", "domain,owner\nx.example,me", 400)["error"])
        domain = server.get("/api/domains/d1.example")
        self.assertEqual(domain["configurations"][0]["max_bytes"], 1_000_000_000)
        server.ask("PUT", "/api/domains/d1.example", {**domain, "comments": "x"})
        self.assertIn("somebody else", server.ask("PUT", "/api/domains/d1.example", domain, 409)["error"])
        self.assertIn("'tarps' is not known", server.ask("PUT", "/api/domains/d1.example", {**domain, "tarps": ""}, 400)["error"])
        for path in ("/api/domains/nothing.example", "/api/harvests/x", "/api/jobs/7", "/api/nothing"):
            self.assertIn("error", server.ask("GET", path, status=404))
        self.assertIn("limit", server.ask("GET", "/api/domains?limit=0", status=400)["error"])
        changes = server.get("/api/changes", kind="domain", name="d1.example")["changes"]
        self.assertEqual(changes[0]["what"], "changed")
        books = server.get("/api/domains/b%C3%BCcher.example")
        server.ask("PUT", "/api/domains/b%C3%BCcher.example", {**books, "comments": "books"})
        for name in ("bücher.example", "BÜCHER.example", "xn--bcher-kva.example"):
            self.assertEqual([one["what"] for one in server.get("/api/changes", kind="domain", name=name)["changes"]], ["changed"], name)
        self.refuse_plans(server)

    def refuse_plans(self, server):
        """With the way out."""
        vid = {"name": "VID", "is_snapshot": False, "is_default": True}
        server.ask("POST", "/api/channels", vid)
        for method, path, body in (("DELETE", "/api/channels/VID", None), ("POST", "/api/channels", {**vid, "edition": 1, "is_default": False})):
            self.assertIn("make another one the default first", server.ask(method, path, body, 409)["error"])
        server.ask("DELETE", "/api/channels/FOCUSED")
        server.ask("POST", "/api/harvests", {"name": "h1", "kind": "selective", "schedule": "daily"})
        told = server.ask("POST", "/api/harvests/h1/configurations", {"add": [{"domain": "strange.example", "configuration": "none"}]})
        self.assertEqual((told["created_domains"], told["problems"]), (0, ["strange.example has no configuration 'none'"]))
        server.ask("GET", "/api/domains/strange.example", status=404)
        for name, base in (("one", ""), ("two", "one")):
            server.ask("POST", "/api/harvests", {"name": name, "kind": "snapshot", "based_on": base})
        one = server.get("/api/harvests/one")
        self.assertIn("goes on with 'one' itself", server.ask("PUT", "/api/harvests/one", {**one, "based_on": "two"}, 400)["error"])
        domain = server.get("/api/domains/d1.example")
        self.assertIn("an alias of itself", server.ask("PUT", "/api/domains/d1.example", {**domain, "alias_of": "d1.example"}, 400)["error"])

    def test_import_of_a_netarchivesuite(self):
        """The command takes a dump, tells what it cannot take, and the server goes on with the rest."""
        server = self.server_of()
        dump = server.folder / "harvestdb.sql"
        dump.write_text("\n".join([
            "COPY public.configurations (config_id, name, comments, domain_id, template_id, maxobjects, maxrate, overridelimits, maxbytes) FROM stdin;",
            "1\tdefaultconfig\t\\N\t1\t9\t-1\t60\t0\t5000", "\\.",
            "COPY public.config_seedlists (config_id, seedlist_id) FROM stdin;", "1\t1", "\\.",
            "COPY public.domains (domain_id, name, comments, defaultconfig, crawlertraps, edition, alias, lastaliasupdate) FROM stdin;",
            "1\tavis.example\t\\N\t1\t\\N\t1\t\\N\t\\N", "2\tnot a domain\t\\N\t1\t\\N\t1\t\\N\t\\N", "\\.",
            "COPY public.seedlists (seedlist_id, name, comments, domain_id, seeds) FROM stdin;",
            "1\tdefaultseeds\t\\N\t1\thttp://www.avis.example/\\nhttp://avis.example/sport", "\\.", ""]))

        def run(*more):
            return subprocess.run([harness.BINARY, "harvest", "import", "--data", server.data, *more, dump], capture_output=True, text=True,
                                  env=harness.clean_environment(server.folder))

        tried = run("--try")
        self.assertEqual((tried.returncode, tried.stderr), (0, ""))
        self.assertIn("nothing was written", tried.stdout)
        done = run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("domains (line 9): ", done.stdout)
        self.assertRegex(done.stdout, r"domains +2 +1\n")
        self.assertIn("'default' stands in its place", done.stdout)
        report = (server.data / "import-report.txt").read_text()
        self.assertIn("domains (line 9): ", report)
        self.assertRegex(done.stdout, r"to be looked after: \d+ remarks?, kept in .*import-report.txt\n")
        self.assertIn("into a new one", run().stderr)
        server.start("--no-harvester")
        domain = server.get("/api/domains/avis.example")
        self.assertEqual(domain["seed_lists"][0]["seeds"].split(), ["http://www.avis.example/", "http://avis.example/sport"])
        self.assertEqual(domain["configurations"][0]["max_bytes"], 5000)

    def test_import_of_tables_from_derby(self):
        server = self.server_of()
        tables = server.folder / "tables"
        tables.mkdir()
        domains = 'domain_id,name,comments,defaultconfig,crawlertraps,edition,alias,lastaliasupdate\n'
        (tables / "domains.csv").write_text(domains + '1,"avis.example","a ""paper""\nof the town",1,,1,,\n')
        configurations = 'config_id,name,comments,domain_id,template_id,maxrate,overridelimits,maxbytes,maxobjects\n'
        (tables / "configurations.csv").write_text(configurations + '1,"defaultconfig",,1,9,60,0,5000,-1\n')

        def run():
            return subprocess.run([harness.BINARY, "harvest", "import", "--data", server.data, tables], capture_output=True, text=True,
                                  env=harness.clean_environment(server.folder))

        (tables / "seedlists.csv").write_text('1,"defaultseeds",,1,"http://www.avis.example/"\n')
        self.assertIn("seedlists.csv, line 1: the first line has to name the columns", run().stderr)
        (tables / "seedlists.csv").write_text('seedlist_id,name,domain_id,seeds\n1,"defaultseeds",1,"http://www.avis.example/"\n')
        self.assertIn("the columns comments of the table seedlists are not among those", run().stderr)
        seeds = 'seedlist_id,name,comments,domain_id,seeds\n1,"defaultseeds",,1,"http://www.avis.example/"\n'
        (tables / "seedlists.csv").write_text(seeds)
        done = run()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"seedlists +1 +1\n")
        domain = server.start("--no-harvester").get("/api/domains/avis.example")
        self.assertEqual(domain["comments"], 'a "paper"\nof the town')
        self.assertEqual(domain["configurations"][0]["max_bytes"], 5000)

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
                     "templates/default", "harvests", "harvests/all", "results", "jobs", f"jobs/{job}", "harvesters", "changes", "stores", "statistics",
                     f"jobs/{job}/progress", f"jobs/{job}/configurations", "harvests/all/runs", "harvests/all/stop-reasons"):
            pattern = "/api/" + re.sub(r"(?<=/)[^/]+", lambda found: {"a.example": "{domain}", "default": "{name}", "all": "{harvest}",
                                                                    str(job): "{job}"}.get(found[0], found[0]), path)
            schema = paths[pattern]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
            answer = server.get(f"/api/{path}")
            self.assertEqual([*described.problems(schema, answer)], [], path)
            known = described.resolve(schema)["properties"]
            self.assertEqual(set(answer) - set(known) - {"next"}, set(), path)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
