"""Holds what a server has seen, and what a crawl has kept, against settings that change while it runs.

A Version is what an operator wanted. It may count from the moment at which it was asked for, and counts from the moment at which that was
acknowledged. All times are seconds of the machine's steady clock, as time.monotonic() gives them and simweb's log has them.
"""

import bisect
import collections
import dataclasses
import html
import re
import urllib.parse

ROOM = 0.01  # seconds: the server may be late to note that an answer has ended
ON_RECORD = {-5000: "scope:reject%20url", -5003: "Q:domain-successes"}  # status: the reason that crawl.log names


@dataclasses.dataclass
class Version:
    delay: float                                      # of all hosts
    delays: dict = dataclasses.field(default_factory=dict)  # host -> seconds
    rejects: str = ""                                 # an expression; empty: nothing
    quotas: dict = dataclasses.field(default_factory=dict)  # host or domain -> most successes
    asked: float = float("-inf")
    acknowledged: float = float("inf")

    def delay_of(self, host):
        return self.delays.get(host, self.delay)

    def rejects_url(self, url):
        return bool(self.rejects) and re.search(self.rejects, url) is not None


@dataclasses.dataclass
class Request:
    begin: float
    end: float
    status: int
    whole: bool
    url: str

    @property
    def host(self):
        return urllib.parse.urlsplit(self.url).hostname

    @property
    def is_page(self):
        return not self.url.endswith("/robots.txt")


def read_requests(path):
    """simweb's log, in the order in which requests came."""
    requests = []
    for line in path.read_text().splitlines():
        begin, end, status, whole, url = line.split(" ", 4)
        requests.append(Request(float(begin), float(end), int(status), whole == "whole", url))
    return sorted(requests, key=lambda request: request.begin)


class Judge:
    def __init__(self, versions, requests):
        self.versions, self.requests = versions, requests

    def possible(self, begin, end):
        """Versions that may have counted at some moment between the two."""
        following = [*self.versions[1:], None]
        return [version for version, later in zip(self.versions, following)
                if version.asked <= end and (later is None or later.acknowledged >= begin)]

    def violations(self, kept):
        """`kept`: the URLs that are in the archive."""
        yield from self.too_soon()
        yield from self.out_of_scope()
        for name in sorted({name for version in self.versions for name in version.quotas}):
            yield from self.over_quota(name, kept)

    def too_soon(self):
        """A pause that has begun ends as it was: what counts is what counted when the answer before had ended."""
        last = {}
        for request in self.requests:
            before = last.get(request.host)
            last[request.host] = request
            if before is None:
                continue
            least = min(version.delay_of(request.host) for version in self.possible(before.end, before.end + 0.2))
            gap = request.begin - before.end
            if gap < least - ROOM:
                yield f"{request.url} at {request.begin:.3f}: {gap:.3f} s after {before.url}, not {least}"

    def out_of_scope(self):
        for request in self.requests:
            if request.is_page and all(version.rejects_url(request.url) for version in self.possible(request.begin, request.begin)):
                yield f"{request.url} at {request.begin:.3f}: out of scope"

    def over_quota(self, name, kept):
        """What counts is kept: what a kill has taken away is fetched again, or something else is instead of it."""
        of_name = [one for one in self.requests if one.is_page and (one.host == name or one.host.endswith("." + name))]
        begun = sorted({one.url: one.begin for one in of_name if one.url in kept}.values())
        for request in of_name:
            limits = [version.quotas.get(name) for version in self.possible(request.begin, request.begin)]
            # Those that are under way count: they are about to be successes.
            taken = bisect.bisect_left(begun, request.begin)
            if None not in limits and taken >= max(limits):
                yield f"{request.url} at {request.begin:.3f}: number {taken + 1} of {name}, of which {max(limits)} may be"

    # --- what was kept

    def losses(self, seeds, oracle, records, log):
        """`oracle`: URLs that a crawl must have. `log`: (time, status, URL, annotations) of each line of crawl.log."""
        captured = collections.Counter(record.url for record in records if record.type in ("response", "revisit") and record.url in oracle)
        yield from (f"{url}: kept {count} times" for url, count in captured.items() if count != 1)
        lines = collections.defaultdict(list)
        for line in log:
            lines[line[2]].append(line)
        for url in oracle:
            yield from self.faults_on_record(url, captured[url], lines[url])
        left_out = {url for url in oracle if not captured[url] and lines[url]}
        last = {request.url: request for request in self.requests if request.whole}
        wanted = {seed: "a seed" for seed in seeds}
        for record in records:
            if record.type in ("response", "revisit") and captured[record.url] and record.http()[0] == 200:
                wanted.update((link, record.url) for link in links_of(record) if link in oracle and self.is_due(link, last[record.url]))
        yield from (f"{url}: lost, though {page} names it" for url, page in wanted.items() if not captured[url] and url not in left_out)

    def is_due(self, link, page):
        """Whether it must be taken from a page: links are judged when the page has been read, a moment after it came."""
        return not any(version.rejects_url(link) for version in self.possible(page.begin, page.end + 0.5))

    def faults_on_record(self, url, captured, lines):
        if len(lines) > 1:
            yield f"{url}: {len(lines)} lines in crawl.log"
        for at, status, _, annotations in lines:
            if status > 0:
                if not captured:
                    yield f"{url}: in crawl.log as {status}, and not kept"
                continue
            reason = ON_RECORD.get(status)
            if reason is None or reason not in annotations:
                yield f"{url}: {status} {annotations}"
            if status == -5000 and not any(version.rejects_url(url) for version in self.possible(at - 5, at)):
                yield f"{url}: turned away at {at:.3f}, when it was in scope"


LINK = re.compile(r"""(?:href|src)=["']([^"']+)["']""")


def links_of(record):
    """URLs that a page of simweb names, without fragments."""
    text = record.body().decode("latin-1")
    return {urllib.parse.urldefrag(urllib.parse.urljoin(record.url, html.unescape(link))).url for link in LINK.findall(text)}
