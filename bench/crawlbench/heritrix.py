"""Heritrix as a peer: fetched with Maven, started with an engine of its own, driven over its REST API.

Heritrix's name service is told simweb's by a property of dnsjava; politeness is off, everything else is as its default profile has it.
"""

import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import tarfile
import time
import urllib.error
import urllib.parse
import urllib.request

from . import processes

ARTIFACT = "org.archive.heritrix:heritrix:3.13.0:tar.gz:dist"
PASSWORD = "admin"  # of a server on loopback that lives as long as the measurement
POLITENESS_OFF = "disposition.delayFactor=0.0\ndisposition.minDelayMs=0\ndisposition.maxDelayMs=0\n"


class Missing(Exception):
    """Why this machine cannot have it."""


def install(folder):
    """The folder of an unpacked Heritrix, fetched where it is not there."""
    folder = pathlib.Path(folder)
    homes = [path.parent.parent for path in folder.glob("*/bin/heritrix")]
    if homes:
        return homes[0]
    for tool in ("java", "mvn"):
        if not shutil.which(tool):
            raise Missing(f"{tool} is not installed")
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["mvn", "-q", "-B", "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy", f"-Dartifact={ARTIFACT}",
                           f"-DoutputDirectory={folder}", "-Dmdep.useBaseVersion=true"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False)
    archives = list(folder.glob("heritrix*.tar.gz"))
    if done.returncode != 0 or not archives:
        raise Missing(f"Maven cannot fetch it: {done.stdout.strip()[:300]}")
    with tarfile.open(archives[0]) as archive:
        archive.extractall(folder)
    archives[0].unlink()
    return next(path.parent.parent for path in folder.glob("*/bin/heritrix"))


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def beans(text, seed):
    """The default profile's crawler-beans.cxml, changed for this crawl. The web's hosts all end in .test: that is its scope."""
    text = re.sub(r"(?m)^metadata\.operatorContactUrl=.*$",
                  lambda _: "metadata.operatorContactUrl=http://localhost/bench\n" + POLITENESS_OFF.rstrip(), text)
    replaced = re.sub(r"(?s)(<prop key=\"seeds\.textSource\.value\">).*?(</prop>)",
                      lambda match: f"{match[1]}\n{seed}\n+http://(test,\n{match[2]}", text)
    if replaced == text:
        raise RuntimeError("Heritrix's default profile has no seeds.textSource.value")
    return replaced


class Heritrix:
    def __init__(self, home, folder, dns_port):
        self.jobs, self.port = pathlib.Path(folder) / "jobs", free_port()
        self.jobs.mkdir()
        self.log = open(pathlib.Path(folder) / "heritrix.log", "wb")
        environment = {**os.environ, "FOREGROUND": "true", "JAVA_OPTS": f"-Xmx512m -Ddns.server=127.0.0.1:{dns_port}",
                       "HERITRIX_OUT": str(pathlib.Path(folder) / "heritrix.out")}
        command = [home / "bin" / "heritrix", "-a", f"admin:{PASSWORD}", "-b", "127.0.0.1", "-p", self.port, "-j", self.jobs]
        self.began = time.monotonic()
        self.process = subprocess.Popen(processes.pinned(processes.CRAWLER_CORE, command), stdout=self.log, stderr=subprocess.STDOUT,
                                        env=environment, start_new_session=True, cwd=folder)
        self.used = None
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE  # it makes its own certificate
        passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        passwords.add_password(None, f"https://127.0.0.1:{self.port}/", "admin", PASSWORD)
        self.opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=context),
                                                  urllib.request.HTTPDigestAuthHandler(passwords))

    def ask(self, path, **form):
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(f"https://127.0.0.1:{self.port}{path}", data, {"Accept": "application/xml"})
        with self.opener.open(request, timeout=60) as answer:
            return answer.read().decode(errors="replace")

    def until(self, done, seconds, what):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError("Heritrix ended early")
            try:
                if done():
                    return True
            except (urllib.error.URLError, OSError):
                pass  # not up yet
            time.sleep(0.5)
        if what:
            raise RuntimeError(f"Heritrix: {what} takes too long")
        return False

    def state(self):
        found = re.search(r"<crawlControllerState>(\w+)<", self.ask("/engine/job/bench"))
        return found[1] if found else ""

    def crawl(self, seed, seconds):
        self.until(lambda: "<engine>" in self.ask("/engine"), 120, "the start")
        self.ask("/engine", action="create", createpath="bench")
        profile = self.jobs / "bench" / "crawler-beans.cxml"
        profile.write_text(beans(profile.read_text(), seed))
        for action, state in (("build", None), ("launch", "PAUSED"), ("unpause", "RUNNING")):
            self.ask("/engine/job/bench", action=action)
            if state:
                self.until(lambda: self.state() in (state, "FINISHED", "EMPTY"), 60, action)
        self.until(lambda: self.state() in ("FINISHED", "EMPTY", ""), seconds, "")

    def usage(self):
        """Of the Java process until now: the start and the compiling are part of what it needs."""
        user = system = rss = 0.0
        for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = stat.read_text().rsplit(")", 1)[1].split()
                if int(fields[3]) != self.process.pid:  # its session
                    continue
                spent = processes.processor_seconds(stat.parent.name)
                user, system = user + spent[0], system + spent[1]
                peak = re.search(r"VmHWM:\s+(\d+)", (stat.parent / "status").read_text())
                rss = max(rss, int(peak[1]) * 1024 if peak else 0)
            except (OSError, IndexError):
                continue  # ended meanwhile
        return processes.Usage(time.monotonic() - self.began, user, system, int(rss), 0, False, {})

    def end(self):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)  # a session of our own making
        self.process.wait()
        self.log.close()
