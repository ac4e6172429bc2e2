"""Other crawlers on the same web, as they ship: processor time a page beside that of Caddis.

Each gets a web of its own, freshly served, and a time. wget comes from Debian, Heritrix from Maven Central where java and mvn are at
hand. A peer that the machine cannot have is left out, with the reason.
"""

import shutil
import subprocess

from . import heritrix, processes, profiles, table

PAGES, HOSTS = 20_000, 200


def web_of(scale):
    return profiles.Profile("peers", "pages of 20 KB over HTTP", "small-20k", PAGES, HOSTS, profiles.EVEN).scaled(scale)


def pages_of(report):
    return report["requests"] - report["kinds"].get("robots", 0)


def outcome(report, usage):
    """What is told of a peer: the judge's count of pages, and the peer's own processor time."""
    pages = max(1, pages_of(report))
    return {"pages": pages, "seconds": report["seconds"], "cpu_us": (usage.user + usage.system) / pages * 1e6, "rss_bytes": usage.peak_rss,
            "timed_out": usage.timed_out, "coverage": (report.get("coverage") or {}).get("share"),
            "duplicates": report["duplicates"]["count"], "violations": report["violations"]}


def with_wget(bench, folder, web, seconds):
    del bench
    if not shutil.which("wget"):
        return {"left_out": "wget is not installed"}
    # wget knows no name server but the system's; taken for a proxy, simweb answers for all names.
    command = ["wget", "--quiet", "--recursive", "--level=inf", "--span-hosts", "--tries=1", "--warc-file=wget",
               f"--directory-prefix={folder}/files", "-e", "use_proxy=yes", "-e", f"http_proxy=http://127.0.0.1:{web.ready['http_port']}",
               web.ready["seed"]]
    usage = processes.measure(["sh", "-c", 'cd "$0" && exec "$@"', folder, *command], folder / "wget.log", seconds)
    return outcome(web.stop(), usage)


def with_caddis(bench, folder, web, seconds):
    crawl = {"crawl": {"seeds": [web.ready["seed"]]}, "dns": {"servers": [f"127.0.0.1:{web.ready['dns_port']}"]}}
    config = folder / "crawl.yaml"
    config.write_text(profiles.settings_yaml(profiles.merged(profiles.BASE, crawl)))
    command = [bench.program("caddis"), "crawl", "--config", config, "--collection", folder / "collection"]
    usage = processes.measure(command, folder / "caddis.log", seconds)
    return outcome(web.stop(), usage)


def with_heritrix(bench, folder, web, seconds):
    try:
        home = heritrix.install(bench.work.parent / "heritrix")
    except heritrix.Missing as missing:
        return {"left_out": str(missing)}
    server = heritrix.Heritrix(home, folder, web.ready["dns_port"])
    try:
        server.crawl(web.ready["seed"], seconds)
        usage = server.usage()
    finally:
        server.end()
    return outcome(web.stop(), usage)


PEERS = {"caddis": with_caddis, "wget": with_wget, "heritrix": with_heritrix}


def run(bench, scale, seconds):
    found = {}
    profile = web_of(scale)
    for name, crawl in PEERS.items():
        folder = bench.work / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            with processes.Simweb(bench.program("simweb"), profile.web_arguments(), folder / "judge.json") as web:
                found[name] = crawl(bench, folder, web, seconds)
        except (OSError, RuntimeError, subprocess.SubprocessError) as error:
            found[name] = {"left_out": str(error)}
        shutil.rmtree(folder, ignore_errors=True)
    return found


def text(found):
    ours = found.get("caddis", {}).get("cpu_us")
    rows = [["crawler", "pages", "pages/s", "us/page", "times Caddis", "RSS MB", "coverage", "dup", "viol"]]
    for name, peer in found.items():
        if "left_out" in peer:
            continue
        coverage = peer.get("coverage")
        rows.append([name, table.number(peer["pages"]), table.number(peer["pages"] / peer["seconds"] if peer["seconds"] else None),
                     table.number(peer["cpu_us"]), table.number(peer["cpu_us"] / ours if ours else None, 1),
                     table.number(peer["rss_bytes"] / 1e6), "-" if coverage is None else f"{coverage:.1%}",
                     table.number(peer.get("duplicates")), table.number(peer.get("violations"))])
    left_out = [f"{name}: {peer['left_out']}" for name, peer in found.items() if "left_out" in peer]
    return "\n".join([table.columns(rows), *left_out])
