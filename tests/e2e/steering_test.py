#!/usr/bin/env python3
"""A crawl of simweb that is steered while it runs: delays, scope and quotas change five times, and it is killed meanwhile.

The web's own log shows that no setting is broken after it was acknowledged; its oracle, that nothing is lost.
CADDIS_KILLS: how often it is killed (8 by default); CADDIS_KILL_SEED: of the moments.
"""

import dataclasses
import datetime
import json
import pathlib
import random
import subprocess
import sys
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bench")]

import harness  # noqa: E402
from crawlbench import processes  # noqa: E402
from kill_test import KILLS, SEED, Moments  # noqa: E402
from steering_judge import Judge, Version, read_requests  # noqa: E402

SIMWEB = pathlib.Path(harness.BINARY).resolve().parent / "simweb"
# Plain pages whose links a reader of five lines finds, on twelve hosts of three domains.
WEB = ["--profile", "small-20k"]
for setting in ("hosts=12", "pages=600", "zipf=0.3", "mean_size=2000", "mean_links=12", "internal=0.6", "image=0", "style=0", "script=0",
                "pdf=0", "duplicate=0", "near_duplicate=0", "other_charset=0", "robots_rules=0.3", "hidden=0"):
    WEB += ["--set", setting]
KILLS_OF_A_CRAWL = 25

SLOW, QUICK, LATE, BOUND, DROPPED = "h1.s0.test", "h2.s0.test", "h5.s1.test", "h3.s0.test", "s2.test"
SETTINGS = f"""
crawl:
  contact: test@localhost
  seeds: ["{{seed}}"]
dns:
  servers: ["127.0.0.1:{{dns}}"]
scope:
  kind: any
  max-hops: 1000
politeness:
  delay: 100ms
sheets:
  slow:
    sites: [{SLOW}]
    settings: {{{{politeness: {{{{delay: 250ms}}}}}}}}
  quick:
    sites: [{QUICK}]
    settings: {{{{politeness: {{{{delay: 40ms}}}}}}}}
"""
FIRST, SECOND = r"/p[0-9]*3\.html$", r"/p[0-9]*7\.html$"


@dataclasses.dataclass
class Change:
    at: float         # share of all URLs that are done
    arguments: list   # of caddis settings set
    edit: object      # the version before -> the version after


CHANGES = [
    Change(0.1, ["politeness.delay=200ms"], lambda v: dataclasses.replace(v, delay=0.2)),
    Change(0.2, ["politeness.delay=400ms", "--site", LATE], lambda v: dataclasses.replace(v, delays={**v.delays, LATE: 0.4})),
    Change(0.3, ["scope.rules=shorthand", f"scope.rules=reject url {FIRST}"], lambda v: dataclasses.replace(v, rejects=FIRST)),
    Change(0.4, ["quota.host-successes=22", "--site", BOUND], lambda v: dataclasses.replace(v, quotas={**v.quotas, BOUND: 22})),
    # The fifth is one of everything: three commands, as sheets are named one by one.
    Change(0.5, ["quota.domain-successes=110", "quota.action=drop", "--site", DROPPED],
           lambda v: dataclasses.replace(v, quotas={**v.quotas, DROPPED: 110})),
    Change(0.55, ["politeness.delay=70ms", "scope.rules=shorthand", f"scope.rules=reject url {SECOND}"],
           lambda v: dataclasses.replace(v, delay=0.07, rejects=SECOND)),
    Change(0.55, ["quota.host-successes=0", "--site", BOUND],
           lambda v: dataclasses.replace(v, quotas={name: most for name, most in v.quotas.items() if name != BOUND})),
]


class Web:
    """simweb with its log, and a crawl of it that has not begun."""

    def __init__(self, folder):
        self.log = folder / "requests.log"
        self.process = processes.Simweb(SIMWEB, [*WEB, "--log", self.log], folder / "judge.json")
        self.seeds = []  # they stand in the settings
        ready = self.process.ready
        ports = [part for name in ("http_port", "https_port") for part in ("--set", f"{name}={ready[name]}")]
        lines = subprocess.run([SIMWEB, "oracle", *WEB, *ports], capture_output=True, text=True, timeout=60, check=True).stdout.splitlines()
        self.must = {line["url"] for line in map(json.loads, lines) if line["verdict"] == "must"}
        self.seed = ready["seed"]
        self.settings = SETTINGS.format(seed=self.seed, dns=ready["dns_port"])


class Steering:
    """Makes the changes, each when so much of the crawl is done, until it has been acknowledged."""

    def __init__(self, crawl, urls):
        self.crawl, self.urls = crawl, urls
        self.left = list(CHANGES)
        self.versions = [Version(0.1, {SLOW: 0.25, QUICK: 0.04}, acknowledged=float("-inf"))]
        self.asked = None
        self.refused = 0

    def done(self):
        return sum(path.read_text().count("html") for path in self.crawl.collection.glob("crawls/*/logs/crawl.log")) / self.urls

    def step(self):
        """Whether a change was acknowledged."""
        if not self.left or (self.asked is None and self.done() < self.left[0].at):
            return False
        change = self.left[0]
        if self.asked is None:
            self.asked = dataclasses.replace(change.edit(self.versions[-1]), asked=time.monotonic(), acknowledged=float("inf"))
            self.versions.append(self.asked)
        told = self.crawl.caddis("settings", "set", *change.arguments, "--collection", self.crawl.collection)
        if told.returncode != 0:
            # It was killed meanwhile, or begins: but not for ever.
            self.refused += 1
            if self.refused > 100:
                raise AssertionError(told.stdout + told.stderr)
            return False
        self.refused = 0
        self.asked.acknowledged = time.monotonic()
        self.asked = None
        self.left.pop(0)
        return True


class SteeringTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.chance = random.Random(SEED)
        self.moments = Moments(self.chance)
        print(f"seed {SEED}", flush=True)

    def test_settings_that_change_five_times(self):
        requests, _ = self.one_crawl(0)
        harness.tell(self, moments=len(CHANGES), crawls=1)
        print(f"{requests} requests", flush=True)

    def test_changes_under_kills(self):
        kills = crawls = requests = 0
        while kills < KILLS:
            more, killed = self.one_crawl(min(KILLS - kills, KILLS_OF_A_CRAWL))
            kills, crawls, requests = kills + killed, crawls + 1, requests + more
            print(f"{kills} kills", flush=True)
        print(f"{kills} kills in {crawls} crawls, {crawls * len(CHANGES)} changes, {requests} requests judged", flush=True)
        harness.tell(self, moments=kills, crawls=crawls)

    def one_crawl(self, most):
        """Crawls the web once, with that many kills if it lasts so long. Returns how many requests were judged, and kills made."""
        crawl = harness.Crawl(None)
        web = Web(crawl.folder)
        with web.process:
            crawl.site = web
            crawl.config.write_text(web.settings)
            steering = Steering(crawl, len(web.must))
            kills = self.run_to_its_end(crawl, steering, most)
            report = web.process.stop()
        self.assertEqual(steering.left, [], f"it ended too early, see {crawl.folder}")
        requests = read_requests(web.log)
        judge = Judge(steering.versions, requests)
        where = f"after {kills} kills, seed {SEED}, see {crawl.folder}"
        records = crawl.records()
        kept = {record.url for record in records if record.type in ("response", "revisit")}
        faults = [*judge.violations(kept), *judge.losses([web.seed], web.must, records, self.log_of(crawl))]
        self.assertEqual(faults[:40], [], f"{len(faults)} in all, {where}")
        self.assertEqual(report["violations"], 0, where)
        crawl.remove()
        return len(requests), kills

    def run_to_its_end(self, crawl, steering, most):
        kills = 0
        while True:
            process = crawl.start(resume=crawl.can_resume())
            killer = None
            if kills < most:
                killer = threading.Thread(target=self.kill_at_some_moment, args=(crawl, process))
                killer.start()
            while process.poll() is None:
                # Right behind an acknowledgement is the moment that counts.
                if steering.step() and killer and self.chance.random() < 0.5:
                    process.kill()
                time.sleep(0.02)
            if killer:
                killer.join()
            code, out, err = harness.finish(process)
            if code >= 0:
                self.assertEqual(code, 0, f"after {kills} kills: {out}\n{err}")
                return kills
            kills += 1

    def kill_at_some_moment(self, crawl, process):
        self.moments.wait(crawl, process)
        if process.poll() is None:
            process.kill()

    def log_of(self, crawl):
        """(time, status, URL, annotations) of each line, the times on the steady clock."""
        offset = time.time() - time.monotonic()
        lines = []
        for launch in crawl.launches:
            for line in (launch / "logs/crawl.log").read_text().splitlines():
                words = line.split()
                at = datetime.datetime.fromisoformat(words[0]).timestamp() - offset
                lines.append((at, int(words[1]), words[3], words[11]))
        return lines


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
