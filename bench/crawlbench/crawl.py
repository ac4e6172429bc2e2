"""One profile: the web is served, Caddis crawls it, the judge reports, yardsticks measure the same records."""

import json
import pathlib
import re
import shutil
import subprocess

from . import bound as bounds
from . import processes, profiles

MAX_TIME = 900  # seconds for one crawl


def launch_of(collection):
    return sorted(pathlib.Path(collection).glob("crawls/*/crawl.yaml"))[-1].parent


def report_of(collection):
    """reports/crawl-report.txt as name -> text."""
    text = (launch_of(collection) / "reports" / "crawl-report.txt").read_text()
    return dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)


def discovered(collection):
    """How many URLs the crawl knew at its end: the second column of its progress."""
    lines = (launch_of(collection) / "logs" / "progress-statistics.log").read_text().splitlines()
    rows = [line.split() for line in lines if re.match(r"\d{4}-\S+ +\d", line)]
    return int(rows[-1][1]) if rows else 0


def judge_figures(report, profile):
    """What of simweb's report is kept."""
    coverage = (report.get("coverage") or {}).get("share") if profile.complete else None
    gaps = report["host_gaps"]
    return {"coverage": coverage, "duplicates": report["duplicates"]["count"], "violations": report["violations"],
            "violation_kinds": {name: kind["count"] for name, kind in report["violation_kinds"].items() if kind["count"]},
            "examples": report["duplicates"]["examples"][:3]
                        + [url for kind in report["violation_kinds"].values() for url in kind["examples"][:2]],
            "missing": (report.get("coverage") or {}).get("missing", [])[:5],
            "trap_requests": report["trap_requests"], "requests": report["requests"], "connections": report["connections"],
            "most_at_once": report["most_at_once"], "smallest_gap_ms": gaps["smallest_ms"], "curve": report["curve"],
            "mass": report.get("mass"), "mass_at": report.get("mass_at")}


def last_words(usage, folder):
    """Of a crawl that failed."""
    tail = (folder / "caddis.log").read_text(errors="replace").splitlines()[-3:]
    return f"caddis ended with {usage.exit_code}: {' / '.join(tail)}"


class Bench:
    """Where the programs are, and where may be written."""

    def __init__(self, build, work, perf=True, verify=False):
        self.build, self.work, self.perf, self.verify = pathlib.Path(build), pathlib.Path(work), perf, verify

    def program(self, name):
        path = self.build / name
        if not path.exists():
            raise RuntimeError(f"{path} is missing: cmake --build --preset release --target caddis simweb yardsticks preload_seen")
        return path

    def crawl(self, profile, folder):
        """Serves, crawls, and gives (usage, status answers, judge's report)."""
        collection = folder / "collection"
        with processes.Simweb(self.program("simweb"), [*profile.web_arguments(), "--page-rank"], folder / "judge.json") as web:
            crawl = {"crawl": {"seeds": [web.ready["seed"]]}, "dns": {"servers": [f"127.0.0.1:{web.ready['dns_port']}"]}}
            if profile.max_documents:
                crawl["limits"] = {"max-documents": profile.max_documents}
            config = folder / "crawl.yaml"
            ports = [f"{name}={web.ready[name]}" for name in ("http_port", "https_port")]
            config.write_text(profiles.settings_yaml(profiles.merged(profiles.BASE, profile.settings, crawl))
                              + (profiles.door_sheets(self.doors(profile, ports)) if profile.doors else ""))
            command = [self.program("caddis"), "crawl", "--collection", collection]
            if profile.preload:
                self.preload(profile, command, config, folder)
                command.append("--resume")
            else:
                command += ["--config", config]
            watch = processes.StatusWatch(collection)
            usage = processes.measure(command, folder / "caddis.log", MAX_TIME, watch,
                                      folder / "perf.data" if self.perf else None)
            return usage, watch, web.stop(), ports

    def doors(self, profile, ports):
        """The hosts that do not show their pages to everybody, as `simweb doors` tells them."""
        command = [self.program("simweb"), "doors", *profile.web_settings(), *(part for port in ports for part in ("--set", port))]
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def preload(self, profile, command, config, folder):
        """Begins a crawl that stops at once, and gives it URLs that it never saw."""
        first = [*command, "--config", config, "--max-documents", "1"]
        usage = processes.measure(first, folder / "begin.log", 60)
        if usage.exit_code != 3:
            raise RuntimeError(f"the crawl to preload ended with {usage.exit_code}: {folder / 'begin.log'}")
        subprocess.run([self.program("preload_seen"), launch_of(folder / "collection"), str(profile.preload)], check=True)
        # The limit of the beginning is not that of the crawl.
        command += ["--max-documents", str(profile.max_documents)]

    def yardsticks(self, collection, hosts, new_links):
        archives = sorted((collection / "archive").glob("*.warc.gz"))
        command = [self.program("yardsticks"), *archives, "--hosts", max(1, hosts), "--new-links", f"{new_links:.3f}",
                   "--folder", collection.parent, "--core", processes.CRAWLER_CORE, "--other-core", processes.WEB_CORE]
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, text=True, check=True)
        return json.loads(done.stdout)

    def verified(self, profile, collection, ports):
        """The faults that `simweb verify` finds in the collection, by kind; None where that is not asked for."""
        if not self.verify or not profile.complete:
            return None
        command = [self.program("simweb"), "verify", collection, "--json", *profile.web_settings(),
                   *(part for port in ports for part in ("--set", port))]
        done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return {"exit_code": done.returncode, "lines": done.stdout.splitlines()[-20:]}

    def empty_folder(self, profile):
        folder = self.work / profile.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    @staticmethod
    def remove_collection(folder):
        shutil.rmtree(folder / "collection")

    def run(self, profile):
        folder = self.empty_folder(profile)
        usage, watch, report, ports = self.crawl(profile, folder)
        collection = folder / "collection"
        if usage.exit_code not in (0, 3):
            return {"error": last_words(usage, folder)}
        facts = report_of(collection)
        documents = int(facts["documents"])
        known = discovered(collection)
        hosts = watch.largest("hosts")
        yard = self.yardsticks(collection, report["hosts"], known / documents)
        of_bound = bounds.bound(yard, profile.https, report["connections"] / documents)
        # A crawl that remembers much first reads it, which is told apart.
        start = watch.start if profile.preload else (0.0, 0.0, 0.0)
        result = figures(profile, usage, report, documents, of_bound, yard, start)
        if profile.preload:
            result["bytes_per_url"] = usage.peak_rss / known
        elif profile.max_documents:
            grown = usage.peak_rss - watch.start_rss
            result["bytes_per_url"], result["bytes_per_host"] = grown / known, grown / hosts if hosts else None
        result.update(known_urls=known, known_hosts=hosts, verify=self.verified(profile, collection, ports))
        self.remove_collection(folder)
        return result


def figures(profile, usage, report, documents, of_bound, yard, start=(0.0, 0.0, 0.0)):
    """A profile's results, from what was measured. `start`: wall, user and system seconds that do not count."""
    micros = 1e6 / documents
    user, system = usage.user - start[1], usage.system - start[2]
    cpu = (user + system) * micros
    stages = {stage: share * cpu for stage, share in usage.shares.items()}
    seconds = usage.wall - start[0] if start[0] else report["seconds"]
    return {
        "about": profile.about, "pages": profile.pages, "hosts": profile.hosts, "complete": profile.complete, "documents": documents,
        "wall_seconds": usage.wall, "crawl_seconds": seconds, "exit_code": usage.exit_code,
        "pages_per_second": documents / seconds if seconds else 0.0,
        "mb_per_second": documents * yard["sample"]["wire_bytes"] / seconds / 1e6 if seconds else 0.0,
        "cpu_us": cpu, "user_us": user * micros, "system_us": system * micros, "start_seconds": start[0], "rss_bytes": usage.peak_rss,
        "bytes_per_url": None, "bytes_per_host": None, "bound": of_bound, "ratio": bounds.ratio(of_bound["us"], cpu), "yardsticks": yard,
        "stages": bounds.beside(stages, of_bound["parts"], yard["us"]), "judge": judge_figures(report, profile),
    }
