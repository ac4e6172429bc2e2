#!/usr/bin/env python3
"""The jobs of a snapshot over 20,000 domains of very different sizes, held against a model that is written here anew from the
descriptions: each job's domains, limits and expectations. And a snapshot over very many domains, in time and memory.

CADDIS_DOMAINS=1000000 is how many the latter has; without it there is a share."""

import os
import pathlib
import random
import re
import sqlite3
import sys
import time
import unittest

import harness
import harvest_server

DOMAINS = 20_000
MANY = int(os.environ.get("CADDIS_DOMAINS", "0"))
PIECE = 10_000
MOST_CONFIGURATIONS = 900
HARVEST = {"max_objects": -1, "max_bytes": 500_000_000}
INFINITE = float("inf")
SPLITTING = """
splitting:
  max-configurations: %d
  max-total-size: 3000000
  formula: %s
"""


def infinite(limit):
    return INFINITE if limit == -1 else limit


def by_program(best, objects, size, harvest_objects, harvest_size):
    """NetarchiveSuite's DomainConfiguration.getExpectedNumberOfObjects, as facts have it; whole numbers."""
    weight = 38_000
    if best and best[0] > 0:
        average = max(1, best[1] // best[0])
        weight = 38_000 if average < 38_000 and best[0] < 50 else average

    def allowed(count, total):
        return min(infinite(count), infinite(total) if total == -1 else total // weight)

    if harvest_objects != -1 or harvest_size != -1:
        maximum = allowed(harvest_objects, harvest_size)
    elif objects != -1 or size != -1:
        maximum = allowed(objects, size)
    else:
        maximum = 5000
    if best:
        room, factor = maximum - best[0], 10 if best[2] else 2
        expected = best[0] + (room // factor if room >= 0 else -(-room // factor))
    else:
        expected = min(5000, infinite(objects))
    if (objects > -1 and maximum > objects) or (size > -1 and maximum > size // weight):
        maximum = allowed(objects, size)
    return min(expected, maximum)


def by_description(best, objects, size, harvest_objects, harvest_size):
    weight = max(38_000, best[1] // best[0]) if best and best[0] >= 50 else 38_000
    count, total = min(infinite(objects), infinite(harvest_objects)), min(infinite(size), infinite(harvest_size))
    maximum = 5000 if count == total == INFINITE else min(count, total // weight if total != INFINITE else INFINITE)
    minimum = best[0] if best else 0
    room, factor = maximum - minimum, 10 if best and best[2] else 2
    return min(minimum + (room // factor if room >= 0 else -(-room // factor)), maximum)


def split(rows, formula):
    """[(byte limit of each domain, sum of expectations, [domain, …])] of one piece."""
    known = []
    for row in rows:
        best = row["best"] if formula is by_program else row["described"]
        expected = formula(best, row["objects"], row["bytes"], HARVEST["max_objects"], HARVEST["max_bytes"])
        known.append((row["template"], -min(infinite(row["bytes"]), HARVEST["max_bytes"]), -expected, row["id"], row))
    jobs, job = [], None
    for template, _, negative, _, row in sorted(known, key=lambda one: one[:4]):
        expected, size = -negative, infinite(row["bytes"])
        fits = job is not None and job["template"] == template and len(job["domains"]) < MOST_CONFIGURATIONS
        fits = fits and size >= job["limit"] and not (job["own"] and size != job["limit"])
        fits = fits and not (job["sum"] > 0 and job["sum"] + expected > 3_000_000)
        if fits and not job["least"] <= expected <= job["most"]:
            most, least = max(job["most"], expected), min(job["least"], expected)
            fits = most - least <= 2000 or most <= 100 * max(least, 1)
        if not fits:
            job = {"template": template, "domains": [], "sum": 0, "least": expected, "most": expected,
                   "own": size < HARVEST["max_bytes"], "limit": min(size, HARVEST["max_bytes"])}
            jobs.append(job)
        job["domains"].append(row["domain"])
        job["sum"] += expected
        job["least"], job["most"] = min(job["least"], expected), max(job["most"], expected)
    return [(job["limit"], job["sum"], job["domains"]) for job in jobs]


class GenerationTest(unittest.TestCase):
    def make_history(self, path):
        """Sizes, limits, templates and aliases at random; returns what the model has to know, by id."""
        chance = random.Random(20_000)
        database = sqlite3.connect(path)
        second = database.execute("SELECT id FROM templates WHERE name = 'second'").fetchone()[0]
        domains = database.execute("SELECT d.id, d.name, c.id FROM domains d JOIN configurations c ON c.domain_id = d.id ORDER BY d.id").fetchall()
        rows = []
        for domain, name, configuration in domains:
            objects = chance.choice([-1, -1, -1, 200, 5000, 100_000])
            size = chance.choice([-1, 1_000_000_000, 1_000_000_000, 500_000_000, 20_000_000, 1_000_000])
            best = described = None
            if chance.random() < 0.7:
                count = int(10 ** chance.uniform(0, 5.5))
                best = (count, int(count * 10 ** chance.uniform(2.5, 5.5)), chance.random() < 0.5)
                described = best if best[2] or chance.random() < 0.5 else (count // 2, best[1] // 3, True)
            template = "second" if chance.random() < 0.2 else "default"
            database.execute(
                "UPDATE configurations SET max_objects = ?, max_bytes = ?, most_objects = ?, most_bytes = ?, most_complete = ?, "
                "described_objects = ?, described_bytes = ?, described_complete = ? WHERE id = ?",
                (objects, size, *(best or (None, None, None)), *(described or (None, None, None)), configuration))
            if template == "second":
                database.execute("UPDATE configurations SET template_id = ? WHERE id = ?", (second, configuration))
            is_alias = domain > domains[0][0] and chance.random() < 0.05
            if is_alias:
                database.execute("UPDATE domains SET alias_of_id = ?, alias_confirmed = ? WHERE id = ?",
                                 (domains[0][0], int(time.time()) - chance.choice([10, 400 * 86_400]), domain))
            confirmed = database.execute("SELECT alias_confirmed FROM domains WHERE id = ?", (domain,)).fetchone()[0]
            if confirmed is None or confirmed < time.time() - 365 * 86_400:
                rows.append({"id": configuration, "domain": name, "objects": objects, "bytes": size, "best": best,
                             "described": described, "template": template})
        database.commit()
        database.close()
        return rows

    def jobs_of(self, path, harvest):
        database = sqlite3.connect(path)
        found = []
        for number, limit, expected in database.execute(
                "SELECT j.id, j.max_bytes, j.expected FROM jobs j JOIN definitions d ON d.id = j.definition_id WHERE d.name = ? ORDER BY j.id", (harvest,)):
            domains = [name for name, in database.execute(
                "SELECT d.name FROM job_configurations m JOIN domains d ON d.id = m.domain_id WHERE m.job_id = ?", (number,))]
            text = database.execute("SELECT text FROM job_files WHERE job_id = ? AND name = 'crawl.yaml'", (number,)).fetchone()[0]
            self.assertIn(f"  seed-domain-bytes: {limit}\n", text)
            found.append((limit, expected, sorted(domains)))
        database.close()
        return found

    def test_jobs_are_those_of_the_model(self):
        settings = harvest_server.SETTINGS + SPLITTING
        server = harvest_server.HarvestServer(settings % (MOST_CONFIGURATIONS, "netarchivesuite"))
        self.addCleanup(server.remove)
        server.start("--no-harvester")
        server.template("second", "extends: domain\nscope: {max-hops: 5}\n")
        began = time.monotonic()
        told = server.ask("POST", "/api/domains", "\n".join(f"d{i}.example" for i in range(DOMAINS)))
        uploaded = time.monotonic() - began
        self.assertEqual(told["created"], DOMAINS)
        server.stop()
        path = server.data / "harvest.db"
        rows = self.make_history(path)
        for harvest, formula, name in [("first", by_program, "netarchivesuite"), ("second", by_description, "description")]:
            (server.data / "harvest.yaml").write_text(settings % (MOST_CONFIGURATIONS, name))
            server.start("--no-harvester")
            server.ask("POST", "/api/harvests", {"name": harvest, "kind": "snapshot", **HARVEST})
            began = time.monotonic()
            server.ask("POST", f"/api/harvests/{harvest}/activate")
            harness.wait_until(lambda: server.get(f"/api/harvests/{harvest}")["runs"] == 1, "generation", 300, 0.2)
            harness.tell(self, formula=name, upload_seconds=round(uploaded, 1), generation_seconds=round(time.monotonic() - began, 1))
            wanted = []
            for at in range(0, len(rows), PIECE):
                wanted += [(limit, total, sorted(domains)) for limit, total, domains in split(rows[at:at + PIECE], formula)]
            found = self.jobs_of(path, harvest)
            self.assertEqual(len(found), len(wanted))
            for got, expected in zip(found, wanted):
                self.assertEqual(got, expected)
            server.stop()


class ManyDomains(unittest.TestCase):
    """Jobs are held against counts: each domain is in one job, with the limit of its harvest."""

    def peak_mb(self, server):
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) // 1024

    def generate(self, *more):
        domains = MANY or 2 * PIECE + 1
        server = harvest_server.HarvestServer()
        self.addCleanup(server.remove)
        server.start("--no-harvester", *more)
        began = time.monotonic()
        told = server.ask("POST", "/api/domains", "\n".join(f"d{i}.example" for i in range(domains)))
        uploaded = time.monotonic() - began
        self.assertEqual(told["created"], domains)
        server.ask("POST", "/api/harvests", {"name": "all", "kind": "snapshot", **HARVEST})
        began = time.monotonic()
        server.ask("POST", "/api/harvests/all/activate")
        harness.wait_until(lambda: server.get("/api/harvests/all")["runs"] == 1, "generation", 3600, 0.2)
        seconds = time.monotonic() - began
        jobs, before = [], 0
        while True:
            page = server.get("/api/jobs", harvest="all", limit=1000, **({"before": before} if before else {}))
            jobs += page["jobs"]
            if page["next"] is None:
                break
            before = int(page["next"])
        harness.tell(self, domains=domains, jobs=len(jobs), upload_seconds=round(uploaded, 1), generation_seconds=round(seconds, 1),
                     peak_mb=self.peak_mb(server))
        self.assertEqual(sum(job["configurations"] for job in jobs), domains)
        self.assertEqual({job["max_bytes"] for job in jobs}, {HARVEST["max_bytes"]})
        seen = set()
        for job in jobs[:3] + jobs[-3:]:
            seeds = server.raw("GET", f"/api/jobs/{job['job']}/files/seeds.txt")[1].decode().split()
            self.assertEqual(len(seeds), job["configurations"])
            self.assertFalse(seen & set(seeds))
            seen |= set(seeds)
        if MANY and not os.environ.get("CADDIS_SANITIZE"):
            self.assertLess(seconds, 600)

    def test_with_sqlite(self):
        self.generate()

    def test_with_postgresql(self):
        database = harvest_server.Postgresql()
        if database.missing:
            self.skipTest(database.missing)
        self.generate("--database", database.address)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
