"""Starting and measuring processes: the web on one core, the crawler on another."""

import dataclasses
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

from . import stages

CRAWLER_CORE, WEB_CORE = 0, 1
TICK = 0.2  # seconds


def pinned(core, command):
    """The command on one core, where there is more than one."""
    cores = os.sched_getaffinity(0)
    if len(cores) < 2 or not shutil.which("taskset"):
        return [str(part) for part in command]
    return ["taskset", "-c", str(sorted(cores)[core]), *(str(part) for part in command)]


class Simweb:
    """simweb serve, for as long as the context lasts. `ready` is what it said when it began; `stop` gives the judge's report."""

    def __init__(self, binary, arguments, report, any_port=True):
        self.report = pathlib.Path(report)
        command = [binary, "serve", *arguments, *(["--any-port"] if any_port else []), "--report", report]
        self.process = subprocess.Popen(pinned(WEB_CORE, command), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"simweb does not start: {' '.join(map(str, command))}")
        self.ready = json.loads(line)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self, timeout=120):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=timeout)
        return json.loads(self.report.read_text())


@dataclasses.dataclass
class Usage:
    wall: float
    user: float
    system: float
    peak_rss: int  # bytes
    exit_code: int
    timed_out: bool
    shares: dict   # of stages.py


def processor_seconds(pid):
    """User and system time of a process until now."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    tick = os.sysconf("SC_CLK_TCK")
    return int(fields[11]) / tick, int(fields[12]) / tick


def measure(command, log, timeout, on_tick=lambda pid: None, samples=None, environment=None):
    """Runs a command on the crawler's core. `samples`: where perf may write. After `timeout` it is asked to end, then killed."""
    command = pinned(CRAWLER_CORE, command)
    if samples:
        # It waits until perf watches: threads that begin before would be missed.
        command = ["sh", "-c", 'kill -STOP $$; exec "$@"', "sh", *command]
    with open(log, "wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, env=environment)
    recording = None
    if samples:
        os.waitpid(process.pid, os.WUNTRACED)
        recording = stages.Recording(process.pid, samples)
        recording.ready()
        process.send_signal(signal.SIGCONT)
    began = time.monotonic()
    timed_out = False
    while True:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        waited = time.monotonic() - began
        if waited > timeout:
            timed_out = True
            process.send_signal(signal.SIGKILL if waited > timeout + 60 else signal.SIGTERM)
            timeout += 30
        on_tick(process.pid)
        time.sleep(TICK)
    wall = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    return Usage(wall, used.ru_utime, used.ru_stime, used.ru_maxrss * 1024, process.returncode, timed_out,
                 recording.shares() if recording else {})


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=2)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        # A path in a socket's address has 107 bytes at most; one relative to the working folder may be shorter.
        self.sock.connect(os.path.relpath(self.path))


class StatusWatch:
    """Asks a running crawl how it stands, once a second, and keeps the answers. `start`: wall, user and system seconds until the first
    of them, when all that it remembers was read; `start_rss`: resident bytes then."""

    def __init__(self, collection):
        self.collection = pathlib.Path(collection)
        self.began = time.monotonic()
        self.start = (0.0, 0.0, 0.0)
        self.start_rss = 0
        self.seen = []
        self.next = 0.0

    def __call__(self, pid):
        if time.monotonic() < self.next:
            return
        sockets = list(self.collection.glob("crawls/*/state/control.sock"))
        if not sockets:
            return
        self.next = time.monotonic() + 1
        try:
            connection = UnixConnection(sockets[0])
            connection.request("GET", "/status")
            self.seen.append(json.loads(connection.getresponse().read()))
            connection.close()
            if len(self.seen) == 1:
                self.start = (time.monotonic() - self.began, *processor_seconds(pid))
                pages = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1])
                self.start_rss = pages * os.sysconf("SC_PAGE_SIZE")
            if not self.seen[-1].get("documents"):
                self.next = 0.0  # of the start, every moment counts
        except (OSError, ValueError, http.client.HTTPException):
            pass  # it begins or ends

    def largest(self, name):
        return max((status.get(name, 0) for status in self.seen), default=0)
