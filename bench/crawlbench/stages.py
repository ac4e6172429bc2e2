"""Where the processor time of a crawl goes: samples of perf, by the thread and the function in which they were taken.

Nothing is added to Caddis for it. Only the innermost function counts, so memory that links need is "memory", not "links".
"""

import collections
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess

RATE = 499  # samples a second; no multiple of what timers use
LINE = re.compile(r"^\s*(?P<thread>\S.*?)\s+(?P<ip>[0-9a-f]+)\s+(?P<symbol>.*?)\s+\((?P<dso>[^()]*)\)\s*$")

# The first that matches decides. Library, function, thread; None matches all.
RULES = [(stage, *(re.compile(text) if text else None for text in patterns)) for stage, *patterns in [
    ("files", r"kernel", None, r"^(disk|rocksdb)"),
    ("network", r"kernel", None, None),
    ("deflate", r"libisal", None, None),
    ("deflate", r"libz", r"^(deflate|compress|longest_match)", None),
    ("inflate", r"libz|libdeflate|libbrotli", None, None),
    ("store", r"librocksdb|liblz4", None, None),
    ("digests, TLS", r"libcrypto|libssl", None, None),
    ("charsets", r"libicu", None, None),
    ("charsets", None, r"^caddis::(text::|utf8)", None),
    ("memory", r"libmimalloc", None, None),
    ("memory", r"libc[.-]", r"mem(move|cpy|set|cmp)|malloc|free", None),
    ("links", r"libc[.-]", r"memchr|memmem", None),
    ("start", r"ld-linux", None, None),
    ("links", None, r"caddis::(html|extract|feeds)::", None),
    ("URLs, scope", None, r"caddis::(url|scope)::|re2::", None),
    ("URLs, scope", r"libre2|libpsl", None, None),
    ("frontier", None, r"caddis::(frontier|store)::", None),
    ("records", None, r"caddis::(archive|warc|cdx)::|caddis::io::(gzip|Gzip|append_fields|Spool)", None),
    ("HTTP, loop", None, r"caddis::(http|fetch|aio|dns|robots|io)::|boost::asio", None),
    ("crawl", None, r"caddis::", None),
]]


def stage_of(thread, symbol, dso):
    for stage, of_dso, of_symbol, of_thread in RULES:
        if of_dso and not of_dso.search(dso) or of_symbol and not of_symbol.search(symbol) or of_thread and not of_thread.search(thread):
            continue
        return stage
    return "other"


def shares(lines):
    """Stage -> share of all samples, from the lines of `perf script -F comm,ip,sym,dso`."""
    counts = collections.Counter()
    for line in lines:
        match = LINE.match(line)
        if match:
            counts[stage_of(match["thread"], match["symbol"], match["dso"])] += 1
    total = sum(counts.values())
    return {stage: count / total for stage, count in counts.items()} if total else {}


class Recording:
    """perf on all threads of a process, those it starts later included. To be begun before the process starts any: `ready` says that
    it sees everything from now on. Without perf, or where it is forbidden, nothing is recorded."""

    def __init__(self, pid, path):
        self.path, self.process = pathlib.Path(path), None
        if not shutil.which("perf"):
            return
        control, answer = self.path.with_suffix(".control"), self.path.with_suffix(".answer")
        for fifo in (control, answer):
            fifo.unlink(missing_ok=True)
            os.mkfifo(fifo)
        # Both ends are opened by us as well: opening a FIFO waits for the other side.
        self.control, self.answer = os.open(control, os.O_RDWR), os.open(answer, os.O_RDWR | os.O_NONBLOCK)
        self.process = subprocess.Popen(
            ["perf", "record", "-q", "-F", str(RATE), "-e", "cpu-clock", "-D", "-1", f"--control=fifo:{control},{answer}",
             "-p", str(pid), "-o", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ready(self, timeout=20):
        if self.process is None:
            return
        os.write(self.control, b"enable\n")
        select.select([self.answer], [], [], timeout)

    def shares(self):
        """Stage -> share, once the process has ended; empty where nothing could be recorded."""
        if self.process is None:
            return {}
        try:
            self.process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGINT)
            self.process.wait()
        os.close(self.control)
        os.close(self.answer)
        if not self.path.exists():
            return {}
        script = subprocess.run(["perf", "script", "--no-inline", "-i", str(self.path), "-F", "comm,ip,sym,dso"], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True, errors="replace", check=False)
        return shares(script.stdout.splitlines())
