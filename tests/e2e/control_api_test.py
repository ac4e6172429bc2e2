#!/usr/bin/env python3
"""api/openapi.yaml and the control API of a running crawl say the same: paths, methods, parameters, answers and errors."""

import collections
import http.client
import json
import pathlib
import re
import socket
import sys
import unittest
import urllib.parse

import harness
import openapi
from frontier_test import SlowSite

SETTINGS = """
politeness: {delay: 500ms}
scope: {kind: any}
limits: {max-time: 1h}
sheets:
  all: {sites: [alpha.localhost], settings: {politeness: {delay: 400ms}}}
"""


def path_of(path, host="alpha.localhost"):
    return path.replace("{host}", host).replace("{name}", "hosts-report")


class SocketConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("caddis", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self.path)


class ControlApiTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.api = openapi.Api()
        cls.site = cls.enterClassContext(SlowSite())
        cls.crawl = harness.Crawl(cls.site, SETTINGS)
        cls.addClassCleanup(cls.crawl.remove)
        cls.process = cls.crawl.start(more=["--listen", "127.0.0.1:0"])
        cls.addClassCleanup(harness.kill, cls.process)
        cls.page = urllib.parse.urlsplit(re.search(r"http://\S+", cls.process.stderr.readline())[0])
        harness.wait_until(lambda: cls.crawl.status().get("queued", 0) > 300, "queue")
        cls.answered = collections.defaultdict(set)

    def ask(self, method, target, body=None, connection=None, **headers):
        """(status, headers, body)"""
        connection = connection or SocketConnection(str(self.crawl.launches[0] / "state/control.sock"))
        self.addCleanup(connection.close)
        connection.request(method, target, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()

    def ask_over_tcp(self, method, target, **headers):
        return self.ask(method, target, None, http.client.HTTPConnection(self.page.hostname, self.page.port, timeout=60), **headers)

    def expect(self, status, method, path, query="", body=None, host="alpha.localhost", answer=None):
        """Asks, and holds the answer against what the operation is said to answer with that status. Returns it."""
        operation = self.api.document["paths"][path][method.lower()]
        target = path_of(path, host) + ("?" + query if query else "")
        got, _, text = answer or self.ask(method, target, body)
        if got != status:
            self.fail(f"{method} {target}: {got}, not {status}: {text}; the crawl: {self.crawl.status()}")
        self.assertIn(str(status), operation["responses"], f"{method} {path}")
        self.answered[operation["operationId"]].add(status)
        schema = self.api.response_schema(operation, status)
        if schema is None:
            self.assertIn("# HELP " if path == "/metrics" else "<!doctype html>", text)
            return text
        document = json.loads(text)
        self.assertEqual(list(self.api.problems(schema, document)), [], f"{method} {target}: {text}")
        return document


class RoutesTest(ControlApiTest):
    def test_paths_and_methods_are_those_of_the_server(self):
        status, _, text = self.ask("GET", "/never")
        self.assertEqual(status, 404)
        served = json.loads(text)["error"].removeprefix("there are ").split(", ")
        self.assertEqual(sorted(served), sorted(self.api.document["paths"]))
        for path, item in self.api.document["paths"].items():
            status, headers, _ = self.ask("PUT", path_of(path))
            described = [name for method in ("get", "post") if method in item for name in (("GET", "HEAD") if method == "get" else ("POST",))]
            self.assertEqual((status, headers["Allow"]), (405, ", ".join(described)), path)

    def test_parameters_are_those_of_the_server(self):
        for method, path, operation in self.api.operations():
            document = self.ask(method, path_of(path) + "?nonsense=1")
            self.assertEqual(document[0], 400, path)
            named = re.search(r"there are (.*)", json.loads(document[2])["error"])
            self.assertEqual(sorted(named[1].split(", ") if named else []), sorted(self.api.query_parameters(operation)), f"{method} {path}")

    def test_head_is_answered_as_get_is(self):
        for method, path, _ in self.api.operations():
            if method == "GET" and path not in ("/url", "/scope"):
                self.assertEqual(self.ask("HEAD", path_of(path))[::2], (200, ""), path)

    def test_what_is_asked_over_tcp_without_a_right_is_refused(self):
        own = f"{self.page.hostname}:{self.page.port}"
        for method, path, _ in self.api.operations():
            target = path_of(path)
            self.expect(401, method, path, answer=self.ask_over_tcp(method, target))
            self.expect(421, method, path, answer=self.ask_over_tcp(method, target, Host="evil.example"))
            self.expect(403, method, path, answer=self.ask_over_tcp(method, target, Host=own, Origin="http://evil.example"))


class AnswersTest(ControlApiTest):
    def test_answers_are_as_described(self):
        self.look()
        self.change_urls()
        self.change_hosts()
        self.change_feeds()
        self.steer()
        for _, path, operation in self.api.operations():
            self.assertIn(200, self.answered[operation["operationId"]], path)

    def look(self):
        self.expect(200, "GET", "/")
        status = self.expect(200, "GET", "/status")
        self.assertEqual((status["state"], status["limits"][0]["name"]), ("running", "max-time"))
        self.assertTrue(status["waits"] and status["slowest"])
        self.look_at_metrics()
        for order in ("size", "wait", "failures"):
            self.expect(200, "GET", "/queues", f"by={order}")
        self.assertIn("marker", self.expect(200, "GET", "/queues", "all=1&limit=1"))
        self.expect(400, "GET", "/queues", "by=name")
        self.expect(400, "GET", "/queues", "limit=10001")
        self.look_at_reports()
        host = self.expect(200, "GET", "/hosts/{host}")
        self.assertEqual((host["known"], host["sheets"]), (True, ["all"]))
        self.assertFalse(self.expect(200, "GET", "/hosts/{host}", host="never.localhost")["known"])
        page = self.expect(200, "GET", "/urls", "limit=3&host=alpha.localhost")
        self.assertEqual(len(page["urls"]), 3)
        self.expect(400, "GET", "/urls", "regex=(")
        self.expect(410, "GET", "/urls", "marker=999-0-0-00")
        report = self.expect(200, "GET", "/url", "url=" + self.last_url())
        self.assertTrue(report["seen"] and report["waits"])
        self.expect(400, "GET", "/url", "url=gopher://a.example/")

    def look_at_metrics(self):
        text = self.expect(200, "GET", "/metrics")
        self.assertIn('caddis_crawl_state{state="running"} 1\n', text)
        self.assertRegex(text, r"\ncaddis_queued_urls [1-9]\d*\n")
        self.assertRegex(text, r'\ncaddis_limit\{limit="max-time"\} 3600\n')
        for line in text.splitlines():
            self.assertRegex(line, r'^(# (HELP|TYPE) [a-z_]+ \S.*|[a-z_]+(\{[a-z]+="[^"]*"\})? [-+0-9.eE]+)$')
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs/metrics.md").read_text()
        told = re.findall(r"^# TYPE (\S+) (\S+)$", text, re.M)
        self.assertEqual(told, re.findall(r"^\| `(\S+)` \| (counter|gauge) \|", page.split("\n## ")[0], re.M))

    def last_url(self):
        return urllib.parse.quote(self.site.url("alpha", "/399.html"), safe="")

    def look_at_reports(self):
        names = [one["name"] for one in self.expect(200, "GET", "/reports")["reports"]]
        self.assertIn("hosts-report", names)
        report = self.expect(200, "GET", "/reports/{name}")
        self.assertIn("alpha.localhost", [row["host"] for row in report["rows"]])
        self.assertNotIn("is-cut", report)
        report = self.expect(200, "GET", "/reports/{name}", "limit=1")
        self.assertEqual((len(report["rows"]), report["is-cut"]), (1, True))
        for limit, cut in (("1", "true"), ("10000", None)):
            _, headers, _ = self.ask("GET", "/reports/hosts-report?format=csv&limit=" + limit)
            self.assertEqual(headers["Caddis-Report-Cut"], cut)
        self.expect(400, "GET", "/reports/{name}", "format=xml")
        self.expect(400, "GET", "/reports/{name}", "limit=0")
        self.expect(404, "GET", "/reports/{name}", answer=self.ask("GET", "/reports/never"))
        for form, kind in (("text", "text/plain"), ("csv", "text/csv")):
            status, headers, text = self.ask("GET", "/reports/hosts-report?format=" + form)
            self.assertEqual((status, headers["Content-Type"].split(";")[0]), (200, kind))
            self.assertIn("alpha.localhost", text)
        self.assertTrue(self.expect(200, "POST", "/reports")["folder"].endswith("/reports"))

    def change_urls(self):
        line = json.dumps({"url": self.site.url("alpha", "/new"), "hops": "LE", "precedence": "first", "seed": False, "force": True})
        self.assertEqual(list(self.api.problems(self.api.schema("NewUrl"), json.loads(line))), [])
        self.assertEqual(self.expect(200, "POST", "/urls", "seed=0", f"# one\n{line}\n{self.site.url('beta', '/new')}\n")["added"], 2)
        self.expect(400, "POST", "/urls", body="not a url\n")
        self.expect(200, "POST", "/urls/delete", "dry=1&regex=%2F399%5C.")
        self.expect(200, "POST", "/urls/delete", "regex=%2F399%5C.&host=beta.localhost")
        self.expect(400, "POST", "/urls/delete")
        self.expect(200, "POST", "/wake")
        self.expect(200, "POST", "/wake", "host=alpha.localhost")
        self.expect(400, "POST", "/visits/end")
        self.expect(404, "POST", "/visits/end", "url=" + self.last_url())
        harness.wait_until(lambda: self.expect(200, "GET", "/hosts/{host}", host="gamma.localhost")["visiting"].endswith("/stuck"), "stuck visit")
        stuck = self.site.url("gamma", "/stuck")
        visits = self.expect(200, "GET", "/visits")
        self.assertEqual(visits["running"], len(visits["visits"]))
        visit = next(visit for visit in visits["visits"] if visit["url"] == stuck)
        self.assertEqual((visit["pipeline"], visit["step"]), ("url", "fetch"))
        self.assertLessEqual(visit["step_seconds"], visit["seconds"])
        self.assertEqual(len(self.expect(200, "GET", "/visits", "limit=1")["visits"]), 1)
        shown = self.crawl.caddis("status", "--visits", self.crawl.collection)
        self.assertIn(stuck, shown.stdout)
        self.expect(400, "GET", "/visits", "limit=0")
        self.assertEqual(self.expect(200, "POST", "/visits/end", "url=" + urllib.parse.quote(stuck, safe=""))["ends"], stuck)

    def change_feeds(self):
        self.assertEqual(self.expect(200, "GET", "/feeds"), {"sites": []})
        feed = {"url": self.site.url("beta", "/of-nobody"), "implied_pages": [self.site.url("beta", "/")]}
        wanted = {"sites": [{"name": "beta", "wait": "1h30m", "active": False, "feeds": [feed]}, {"name": "gamma", "active": False, "feeds": [{"url": feed["url"]}]}]}
        self.assertEqual(list(self.api.problems(self.api.schema("WantedFeedSites"), wanted)), [])
        sites = self.expect(200, "POST", "/feeds", body=json.dumps(wanted))["sites"]
        self.assertEqual([(site["name"], site["source"], site["wait_seconds"]) for site in sites], [("beta", "api", 5400), ("gamma", "api", 600)])
        self.assertEqual(sites[0]["feeds"][0]["implied_pages"], feed["implied_pages"])
        self.expect(400, "POST", "/feeds", body="{")
        self.expect(400, "POST", "/feeds", body='{"sites": [{"name": "x", "feeds": []}]}')
        self.expect(400, "POST", "/feeds", body=json.dumps({"sites": [{"name": "x", "wait": "5s", "feeds": [feed]}]}))
        self.expect(200, "POST", "/feeds/poll", "site=beta")
        self.expect(400, "POST", "/feeds/poll")
        self.expect(404, "POST", "/feeds/poll", "site=nobody")
        self.assertEqual(self.expect(200, "POST", "/feeds/remove", "site=gamma")["sites"][0]["state"], "ended")
        self.expect(404, "POST", "/feeds/remove", "site=gamma")
        self.assertEqual({site["state"] for site in self.expect(200, "POST", "/feeds", "replace=1", body='{"sites": []}')["sites"]}, {"ended"})
        self.assertEqual(len(self.expect(200, "GET", "/feeds", "site=beta")["sites"]), 1)
        self.expect(404, "GET", "/feeds", "site=nobody")

    def change_hosts(self):
        changed = self.expect(200, "POST", "/hosts/{host}", "delay=90s&budget=1000&retire=1")
        self.assertEqual((changed["delay_seconds"], changed["budget"], changed["retired"]), (90, 1000, True))
        self.expect(200, "POST", "/hosts/{host}", "delay=&budget=&retire=0")
        self.expect(400, "POST", "/hosts/{host}")
        origin = urllib.parse.quote(self.site.url("beta", ""), safe="")
        self.expect(200, "POST", "/queues", f"queue={origin}&retire=1")
        self.expect(200, "POST", "/queues", f"queue={origin}&retire=0")
        self.expect(400, "POST", "/queues", f"queue={origin}")
        self.expect(404, "POST", "/queues", "queue=http://never.localhost&retire=1")

    def ask_scope_and_console(self):
        inside = self.expect(200, "GET", "/scope", "url=" + self.last_url() + "&hops=LL")
        self.assertTrue(inside["accepted"] and inside["rules"], inside)
        self.assertEqual(inside["sheets"], ["all"])
        self.assertFalse(self.expect(200, "GET", "/scope", "url=http%3A%2F%2Fa.localhost%2F&hops=" + "L" * 30)["accepted"])
        self.expect(400, "GET", "/scope", "url=http%3A%2F%2Fa.localhost%2F&hops=Q")
        self.expect(400, "GET", "/scope", "url=http%3A%2F%2F%5B")
        run = self.expect(200, "POST", "/console", "session=a&name=first", body="x = crawl.status().state")
        self.assertEqual((run["output"], run["incomplete"], "error" in run), ("", False, False), run)
        self.assertEqual(self.expect(200, "POST", "/console", "session=a", body="x")["output"], "running\n")
        self.assertEqual(self.expect(200, "POST", "/console", body="x")["output"], "nil\n")
        wrong = self.expect(200, "POST", "/console", "name=report.lua", body="local a = 1\nerror('no')")
        self.assertEqual(wrong["error"], "report.lua:2: no")
        self.assertTrue(self.expect(200, "POST", "/console", body="for i = 1, 3 do")["incomplete"])

    def steer(self):
        self.expect(200, "POST", "/settings", body="limits.max-documents=5000\n")
        self.expect(400, "POST", "/settings", body="limits.max-documents\n")
        self.expect(200, "POST", "/settings", "sites=gentle.localhost", body="fetch.accept=text/x\n")
        self.expect(400, "POST", "/settings", "sheet=nowhere", body="fetch.accept=text/x\n")
        told = self.expect(200, "GET", "/settings", "name=fetch.accept&url=http%3A%2F%2Fgentle.localhost%2F")["settings"]
        self.assertEqual([one["value"] for one in told], ["text/x"])
        self.assertEqual(told[0]["origins"][-1], {"from": "gentle.localhost", "value": "text/x", "is_sheet": True, "until": ""})
        self.assertGreater(len(self.expect(200, "GET", "/settings")["settings"]), 100)
        self.expect(400, "GET", "/settings", "name=fetch.akzept")
        self.expect(400, "POST", "/settings", body="crawl.seeds=http://c.localhost/\n")
        dry = self.expect(200, "POST", "/settings", "dry=1", body="crawl.name=other\npoliteness.delay=1ms\n")
        self.assertFalse(dry["applied"])
        self.assertEqual([one["name"] for one in dry["changes"] if "refused" in one], ["crawl.name"])
        sheets = self.expect(200, "GET", "/sheets")["sheets"]
        self.assertEqual([one["name"] for one in sheets], ["all", "gentle.localhost"])
        self.assertEqual(sheets[1]["settings"], [{"name": "fetch.accept", "value": "text/x"}])
        self.expect(404, "GET", "/sheets", "name=nowhere")
        self.expect(200, "POST", "/settings/unset", "sites=gentle.localhost&dry=1", body="fetch.accept\n")
        self.assertTrue(self.expect(200, "POST", "/settings/unset", "sheet=gentle.localhost", body="")["applied"])
        self.assertEqual([one["name"] for one in self.expect(200, "GET", "/sheets")["sheets"]], ["all"])
        self.expect(400, "POST", "/settings/unset", body="")
        self.expect(400, "POST", "/settings/unset", "sheet=all", body="fetch.accept\n")
        self.ask_scope_and_console()
        taken = self.expect(200, "POST", "/checkpoint", "name=first")
        self.assertTrue(taken["kept"])
        self.expect(409, "POST", "/checkpoint", "name=first")
        self.expect(400, "POST", "/checkpoint", "name=%2F")
        self.expect(400, "POST", "/seeds/remove", body="# none\n")
        self.expect(400, "POST", "/seeds/remove", body="gopher://a.example/\n")
        self.expect(404, "POST", "/seeds/remove", body=f"{self.site.seeds[0]}\nhttp://never.localhost/\n")
        self.assertEqual(self.expect(200, "POST", "/seeds/remove", body=f"{self.site.seeds[0]}\n"), {"given": 1, "removed": 1})
        self.expect(404, "POST", "/seeds/remove", body=f"{self.site.seeds[0]}\n")
        self.assertEqual(self.expect(200, "POST", "/pause")["state"], "paused")
        self.assertEqual(self.expect(200, "POST", "/resume")["state"], "running")
        self.assertEqual(self.crawl.status()["checkpoints"][0]["name"], "first")
        self.assertEqual(self.expect(200, "POST", "/stop")["state"], "stopping")
        self.assertEqual(harness.finish(self.process)[0], 4)
        stopped = self.crawl.status()
        self.assertEqual(list(self.api.problems(self.api.schema("StoppedCrawl"), stopped)), [], stopped)
        self.assertEqual(stopped["state"], "ended")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
