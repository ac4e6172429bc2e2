#!/usr/bin/env python3
"""A year of a harvest programme in minutes: the server's clock is moved from day to day, harvesters take jobs through the API and
bring what a made-up web has, and servers, harvesters and the database die in between. A model that is written here anew knows
which jobs there have to be, with which domains, limits and dates, and what each domain brings.

CADDIS_WHOLE_YEAR=365 lives through all of it, with 20,000 domains and 200 selective harvests (hours on a small machine), another number
through so many days of it. Without it there is a share: fewer domains, harvests and days.
"""

import calendar
import datetime
import math
import os
import random
import struct
import sys
import time
import unittest

import yaml

import harness
import harvest_server
from harvest_generation_test import by_program, infinite

DISTURBED = os.environ.get("CADDIS_DISTURBED_SYSTEM", "build/dev/tests/libdisturbed_system.so")
WHOLE = int(os.environ.get("CADDIS_WHOLE_YEAR", "0"))
DOMAINS, SELECTIVE, DAYS = (20_000, 200, WHOLE) if WHOLE else (400, 12, 12)
PIECE, MOST = (10_000, 900) if WHOLE else (150, 40)
STEPS = [(0, 20_000_000), (DAYS // 6, 400_000_000), (DAYS // 3, -1)]  # day, bytes of each domain
EVENT_DAY = DAYS // 2
SETTINGS = harvest_server.SETTINGS + """  lost-after: 30m
  wait-for-harvesters: false
  backup-interval: 0s
  check-files: 0s
splitting:
  piece: %d
  max-configurations: %d
""" % (PIECE, MOST)
DAY = 86_400


class Web:
    """The truth: how many objects each domain has, and how large they are."""

    def __init__(self, chance):
        self.sites = {}
        for i in range(DOMAINS):
            self.sites[f"d{i}.example"] = (int(10 ** chance.uniform(0, 5)), int(10 ** chance.uniform(3, 5.2)))

    def crawl(self, domain, objects, size):
        """(objects, bytes, the limit that was reached) within limits; -1 is none."""
        count, weight = self.sites[domain]
        by_size = math.inf if size == -1 else math.ceil(size / weight)
        most = min(infinite(objects), by_size)
        if count <= most:
            return count, count * weight, None
        return most, most * weight, "object" if infinite(objects) <= by_size else "size"


class Configuration:
    def __init__(self, number, domain, objects, size):
        self.number, self.domain, self.objects, self.size = number, domain, objects, size
        self.history = []  # (objects, bytes, complete)
        self.last = {}     # harvest: stop reason

    def best(self):
        best = None
        for one in reversed(self.history):
            if best is None or one[0] >= best[0]:
                best = one
            if one[2]:
                break
        return best


def dates_of(unit, hour, weekday, day, after):
    """The dates of a schedule behind a moment, one after another."""
    one = datetime.datetime.fromtimestamp(after, datetime.timezone.utc).replace(hour=hour, minute=30, second=0, microsecond=0)
    while True:
        fits = unit == "day" or (unit == "week" and one.isoweekday() == weekday)
        if unit == "month":
            fits = one.day == min(day, calendar.monthrange(one.year, one.month)[1])
        if fits and one.timestamp() >= after:
            yield int(one.timestamp())
        one += datetime.timedelta(days=1)


class Harvest:
    def __init__(self, name, members, objects=-1, size=-1, schedule=None):
        self.name, self.members, self.objects, self.size, self.schedule = name, members, objects, size, schedule
        self.runs = self.missed = 0
        self.next = None
        self.takes = lambda one: True


def split(harvest, members):
    """[(objects, bytes, expected, [domain])] by the rules of the description: the jobs of one piece."""
    known = []
    for one in members:
        expected = by_program(one.best(), one.objects, one.size, harvest.objects, harvest.size)
        known.append((-min(infinite(one.size), infinite(harvest.size)), -expected, one.number, one))
    jobs, job = [], None
    for _, negative, _, one in sorted(known, key=lambda row: row[:3]):
        expected, size = -negative, infinite(one.size)
        fits = job is not None and len(job["domains"]) < MOST
        fits = fits and size >= job["limit"] and not (job["own"] and size != job["limit"])
        fits = fits and not (job["sum"] > 0 and job["sum"] + expected > 8_000_000)
        if fits and not job["least"] <= expected <= job["most"]:
            most, least = max(job["most"], expected), min(job["least"], expected)
            fits = most - least <= 2000 or most <= 100 * max(least, 1)
        if not fits:
            job = {"domains": [], "sum": 0, "least": expected, "most": expected, "own": size < infinite(harvest.size),
                   "limit": min(size, infinite(harvest.size))}
            jobs.append(job)
        job["domains"].append(one)
        job["sum"] += expected
        job["least"], job["most"] = min(job["least"], expected), max(job["most"], expected)
    return [(-1 if job["limit"] == math.inf else job["limit"], job["sum"], job["domains"]) for job in jobs]


class Clock:
    """The wall clock of the server's process."""

    def __init__(self, path):
        self.path = path
        self.shift = 0
        self.path.write_bytes(struct.pack("<q", 0))

    def now(self):
        return time.time() + self.shift

    def go_to(self, moment):
        self.shift = moment - time.time()
        with self.path.open("r+b") as file:
            file.write(struct.pack("<q", int(self.shift * 1e9)))


class YearServer(harvest_server.HarvestServer):
    def environment(self):
        return {**super().environment(), "LD_PRELOAD": DISTURBED, "CADDIS_TEST_WALL": str(self.folder / "clock")}


class Year(unittest.TestCase):
    def setUp(self):
        self.chance = random.Random(1914)
        self.server = YearServer(SETTINGS)
        self.addCleanup(self.server.remove)
        self.clock = Clock(self.server.folder / "clock")
        self.web = Web(self.chance)
        self.more = ["--no-harvester"]
        self.deaths = self.jobs_checked = self.results_checked = 0

    def begin(self):
        self.start = int(datetime.datetime.now(datetime.timezone.utc).replace(hour=0, minute=0, second=0, microsecond=0).timestamp()) + DAY
        self.clock.go_to(self.start)
        self.server.start(*self.more)

    def restart(self):
        self.server.kill()
        self.server.start(*self.more)
        self.deaths += 1

    def ask_again(self, *arguments):
        """While the database is away the server says so; nothing is lost by asking again."""
        def probe():
            try:
                return (self.server.ask(*arguments),)
            except AssertionError as error:
                if ": 503 " in str(error) or ": 500 " in str(error):
                    return None
                raise

        return harness.wait_until(probe, "an answer", 60, 0.2)[0]

    # What there is.

    def make_domains(self):
        names = list(self.web.sites)
        self.server.ask("POST", "/api/domains", "\n".join(names))
        self.configurations = []
        for number, name in enumerate(names):
            # Some have limits of their own.
            objects, size = -1, 1_000_000_000
            if self.chance.random() < (0.1 if WHOLE else 0.3):
                objects, size = self.chance.choice([(-1, 2_000_000), (-1, -1), (1000, 1_000_000_000), (50, 5_000_000)])
                domain = self.server.get(f"/api/domains/{name}")
                domain["configurations"][0].update(max_objects=objects, max_bytes=size)
                self.server.ask("PUT", f"/api/domains/{name}", domain)
            self.configurations.append(Configuration(number, name, objects, size))

    def make_harvests(self):
        self.harvests = []
        for i in range(SELECTIVE):
            unit = self.chance.choice(["day", *["week"] * 4, *["month"] * 15] if WHOLE else ["day", "week", "month", "month"])
            hour, weekday, day = self.chance.randrange(24), self.chance.randrange(1, 8), self.chance.randrange(1, 32)
            plan = {"name": f"plan {i}", "unit": unit, "hour": hour, "minute": 30, "zone": "UTC"}
            plan.update({"weekday": weekday} if unit == "week" else {"day": day} if unit == "month" else {})
            self.server.ask("POST", "/api/schedules", plan)
            members = self.chance.sample(self.configurations, self.chance.randrange(1, 30))
            self.make_harvest(f"harvest {i}", f"plan {i}", members, (unit, hour, weekday, day))

    def make_harvest(self, name, plan, members, schedule):
        members = sorted(members, key=lambda one: one.number)
        self.server.ask("POST", "/api/harvests", {"name": name, "kind": "selective", "schedule": plan})
        self.server.ask("POST", f"/api/harvests/{self.path(name)}/configurations", {"add": [{"domain": one.domain} for one in members]})
        harvest = Harvest(name, members, schedule=schedule)
        self.server.ask("POST", f"/api/harvests/{self.path(name)}/activate")
        harvest.next = next(dates_of(*schedule, self.clock.now()))
        self.assertEqual(self.server.get(f"/api/harvests/{self.path(name)}")["next_run"], harvest.next, name)
        self.harvests.append(harvest)

    @staticmethod
    def path(name):
        return name.replace(" ", "%20")

    # What the model expects, and what came.

    def due(self, now):
        for harvest in self.harvests:
            if harvest.next is not None and harvest.next <= now:
                yield harvest

    def run_of(self, harvest, now):
        """The model's jobs of a run; its next date."""
        pieces = [harvest.members[at:at + PIECE] for at in range(0, len(harvest.members), PIECE)]
        # A step reads the results of the one before piece by piece, and leaves out those that do not go on.
        pieces = [[one for one in piece if harvest.takes(one)] for piece in pieces]
        jobs = [job for piece in pieces for job in split(harvest, piece)]
        run = harvest.runs
        harvest.runs += 1
        if harvest.schedule:
            dates = dates_of(*harvest.schedule, harvest.next + 1)
            harvest.next = next(dates)
            while harvest.next <= now:
                harvest.missed += 1
                harvest.next = next(dates)
        else:
            harvest.next = None
        return run, jobs

    def check_jobs(self, harvest, run, wanted):
        found = sorted(self.all_jobs(harvest, run), key=lambda one: one["job"])
        if len(found) != len(wanted):
            jobs = [(job["max_bytes"], job["expected"], self.seeds_of(job["job"])) for job in found]
            model = [(limit, expected, sorted(one.domain for one in members)) for limit, expected, members in wanted]
            known = {one.domain: (one.objects, one.size, one.history) for _, _, members in wanted for one in members}
            self.fail(f"{harvest.name} {run}:\n{jobs}\n{model}\n{known}")
        numbers = {}
        for job, (limit, expected, members) in zip(found, wanted):
            self.assertEqual((job["max_bytes"], job["expected"], job["configurations"]), (limit, expected, len(members)), f"{harvest.name} {run}")
            seeds = self.seeds_of(job["job"])
            self.assertEqual(seeds, sorted(one.domain for one in members))
            numbers[job["job"]] = (harvest, run, members)
            self.jobs_checked += 1
        known = self.server.get(f"/api/harvests/{self.path(harvest.name)}")
        self.assertEqual((known["runs"], known["missed"], known["next_run"]), (harvest.runs, harvest.missed, harvest.next), harvest.name)
        return numbers

    def seeds_of(self, number):
        """Domains of the seeds."""
        seeds = self.server.raw("GET", f"/api/jobs/{number}/files/seeds.txt")[1].decode().split()
        return sorted(seed.removeprefix("http://www.").rstrip("/") for seed in seeds)

    def all_jobs(self, harvest, run):
        jobs, before = [], 0
        while True:
            page = self.server.get("/api/jobs", harvest=harvest.name, run=run, limit=1000, **({"before": before} if before else {}))
            jobs += page["jobs"]
            if page["next"] is None:
                return jobs
            before = int(page["next"])

    # Harvesters.

    def take(self, name):
        told = self.ask_again("POST", f"/api/harvesters/{name}/take", {"channels": ["FOCUSED", "SNAPSHOT"]})
        return told.get("job") and told

    def limits_in(self, number):
        """{domain: (objects, bytes)} as the files of the job say, and the limits of all others."""
        text = self.server.raw("GET", f"/api/jobs/{number}/files/crawl.yaml")[1].decode()
        settings = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))

        def quota(of):
            return of.get("seed-domain-successes", -1), of.get("seed-domain-bytes", -1)

        own = {}
        for name, sheet in settings.get("sheets", {}).items():
            if name.startswith("harvest-limits"):
                own.update({site: quota(sheet["settings"]["quota"]) for site in sheet["sites"]})
        return own, quota(settings.get("quota", {}))

    def harvest_job(self, name, number):
        own, usual = self.limits_in(number)
        results = []
        for domain in self.seeds_of(number):
            objects, size, limit = self.web.crawl(domain, *own.get(domain, usual))
            results.append({"domain": domain, "objects": objects, "bytes": size, "stop_reason": f"{limit}-limit" if limit else "completed"})
        path = f"/api/harvesters/{name}/jobs/{number}"
        self.ask_again("POST", f"{path}/progress", {"is_started": True, "sample": {"documents": 1}})
        self.ask_again("POST", f"{path}/end", {"is_done": True, "otherwise": "completed", "exit": "FINISHED", "results": results})

    def wanted_result(self, harvest, job_limit, one):
        """What a domain has to bring by the limits of its configuration and its harvest."""
        del job_limit
        objects = min(infinite(one.objects), infinite(harvest.objects))
        size = min(infinite(one.size), infinite(harvest.size))
        count, total, limit = self.web.crawl(one.domain, -1 if objects == math.inf else objects, -1 if size == math.inf else size)
        if limit is None:
            return count, total, "completed"
        is_own = (infinite(one.objects) <= infinite(harvest.objects)) if limit == "object" else infinite(one.size) <= infinite(harvest.size)
        return count, total, ("config-" if is_own else "") + f"{limit}-limit"

    def run_jobs(self, wanted, loses):
        """All jobs that wait, by two harvesters; one of them dies with its first job if it `loses`."""
        names, taken = ["h1", "h2"], 0
        while job := self.take(names[taken % 2]):
            number = job["job"]
            harvest, run, members = wanted[number]
            if loses:
                loses = False
                self.lose(names[taken % 2], number, harvest, run, members, wanted)
                continue
            self.harvest_job(names[taken % 2], number)
            taken += 1
            self.learn(harvest, run, members, number)
        return taken

    def lose(self, name, number, harvest, run, members, wanted):
        self.ask_again("POST", f"/api/harvesters/{name}/jobs/{number}/progress", {"is_started": True, "sample": None})
        self.clock.go_to(self.clock.now() + 31 * 60)
        harness.wait_until(lambda: self.server.get(f"/api/jobs/{number}")["state"] == "FAILED", "a job that is lost", 60, 0.2)
        for one in members:
            one.history.append((0, 0, False))
            one.last[harvest.name] = "unfinished"
        made = self.server.ask("POST", f"/api/jobs/{number}/resubmit")["job"]
        wanted[made] = (harvest, run, members)
        self.deaths += 1

    def learn(self, harvest, run, members, number):
        found = {one["domain"]: (one["objects"], one["bytes"], one["stop_reason"])
                 for one in self.server.get("/api/results", job=number, limit=10_000)["results"]}
        self.assertEqual(len(found), len(members))
        for one in members:
            result = self.wanted_result(harvest, None, one)
            self.assertEqual(found[one.domain], result, f"{harvest.name} {run} {one.domain}")
            one.history.append((result[0], result[1], result[2] == "completed"))
            one.last[harvest.name] = result[2]
            self.results_checked += 1

    # The year.

    def begin_step(self, number):
        name, size = f"step {number}", STEPS[number][1]
        based_on = f"step {number - 1}" if number else ""
        self.server.ask("POST", "/api/harvests", {"name": name, "kind": "snapshot", "max_bytes": size, "based_on": based_on})
        harvest = Harvest(name, [one for one in self.configurations if not number or based_on in one.last], size=size)
        if number:
            harvest.takes = lambda one: one.last[based_on] in ("object-limit", "size-limit", "time-limit")
        harvest.next = int(self.clock.now())
        self.harvests.append(harvest)
        self.server.ask("POST", f"/api/harvests/{self.path(name)}/activate")

    def begin_event(self):
        self.server.ask("POST", "/api/schedules", {"name": "once", "unit": "hour", "minute": None, "times": 1})
        self.server.ask("POST", "/api/harvests", {"name": "event", "kind": "event", "schedule": "once"})
        members = sorted(self.chance.sample(self.configurations, 20), key=lambda one: one.domain)
        seeds = "\n".join(f"http://www.{one.domain}" for one in members)
        self.server.ask("POST", "/api/harvests/event/seeds", {"seeds": seeds, "max_objects": 500, "max_bytes": 3_000_000})
        own = [Configuration(1_000_000 + i, one.domain, 500, 3_000_000) for i, one in enumerate(members)]
        harvest = Harvest("event", own)
        harvest.next = int(self.clock.now())
        self.harvests.append(harvest)
        self.server.ask("POST", "/api/harvests/event/activate")

    def live_through_a_day(self, day, database):
        for number, (at, _) in enumerate(STEPS):
            if at == day:
                self.begin_step(number)
        if day == EVENT_DAY:
            self.begin_event()
        kills = self.chance.random() < (0.6 if WHOLE else 0.4)
        # Days are sometimes slept through: their dates are left out, and told.
        self.clock.go_to(self.start + day * DAY + 22 * 3600 + 45 * 60)
        now = self.clock.now()
        runs = [(harvest, *self.run_of(harvest, now)) for harvest in self.due(now)]
        if kills:
            self.restart()
            # What was being generated is claimed for five minutes.
            self.clock.go_to(self.clock.now() + 301)
        if database and day % 4 == 1:
            database.stop()
            database.start()
            self.clock.go_to(self.clock.now() + 301)
            self.deaths += 1
        for harvest, *_ in runs:
            harness.wait_until(lambda harvest=harvest: self.ask_again("GET", f"/api/harvests/{self.path(harvest.name)}")["runs"] == harvest.runs,
                               f"jobs of {harvest.name}", 300, 0.1)
        wanted = {}
        for harvest, run, jobs in runs:
            wanted.update(self.check_jobs(harvest, run, jobs))
        self.run_jobs(wanted, bool(wanted) and self.chance.random() < 0.15)

    def live(self, database=None):
        began = time.monotonic()
        self.begin()
        self.make_domains()
        self.make_harvests()
        for day in range(DAYS):
            if day % 7 == 5 and day != EVENT_DAY and day not in [at for at, _ in STEPS]:
                continue
            self.live_through_a_day(day, database)
        counts = self.server.get("/api/server")["counts"]["jobs"]
        self.assertEqual(set(counts) - {"DONE", "RESUBMITTED"}, set())
        harness.tell(self, seconds=round(time.monotonic() - began), jobs=self.jobs_checked, results=self.results_checked, deaths=self.deaths)
        self.assertGreater(self.deaths, 0)
        self.assertGreater(self.results_checked, DOMAINS)

    def test_with_sqlite(self):
        self.live()

    def test_with_postgresql(self):
        database = harvest_server.Postgresql()
        if database.missing:
            self.skipTest(database.missing)
        self.more += ["--database", database.address]
        self.live(database)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
