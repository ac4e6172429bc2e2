#!/usr/bin/env python3
"""Which URLs a crawl of static sites has to visit, found without Caddis: a walk over the served files and their links.

  tools/predict_crawl.py --site python.localhost:8199=/usr/share/doc/python3.11/html … --collection DIR

Each --site names an authority and the folder that a web server gives out under it (index.html, or --index, for folders). With
--collection the prediction is held against the crawl.log files of that collection: every URL that only one side has is listed by
kind. Exit status 1 where a kind is not explained.
"""

import argparse
import collections
import glob
import html
import html.parser
import os
import re
import sys
import urllib.parse

URL_ATTRIBUTES = {
    "a": ["href"], "area": ["href"], "link": ["href"], "img": ["src", "longdesc"], "script": ["src"], "iframe": ["src", "longdesc"],
    "frame": ["src", "longdesc"], "form": ["action"], "input": ["src"], "embed": ["src"], "object": ["data"], "video": ["src", "poster"],
    "audio": ["src"], "source": ["src"], "track": ["src"], "body": ["background"], "table": ["background"], "td": ["background"],
    "blockquote": ["cite"], "q": ["cite"], "ins": ["cite"], "del": ["cite"],
}
SVG_URL = re.compile(r"""\bhref\s*=\s*["']([^"'#][^"']*)["']""")
CSS_URL = re.compile(r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^)'"\s]*))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')""", re.I)


def css_links(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return [next(group for group in match.groups() if group is not None) for match in CSS_URL.finditer(text)]


class Links(html.parser.HTMLParser):
    """Every link of a page that needs no script to be found."""

    def __init__(self):
        super().__init__()
        self.found, self.base, self.in_style = [], None, False

    def handle_starttag(self, tag, attributes):
        values = {name: value for name, value in reversed(attributes) if value is not None}
        if tag == "base" and self.base is None and "href" in values:
            self.base = values["href"]
        for name in URL_ATTRIBUTES.get(tag, []):
            if name not in values or (tag == "form" and values.get("method", "get").lower() != "get"):
                continue
            if tag == "link" and set(values.get("rel", "").lower().split()) & {"dns-prefetch", "preconnect", "pingback"}:
                continue
            self.found.append(values[name])
        for name in ("srcset", "imagesrcset"):
            self.found += [part.split()[0] for part in values.get(name, "").split(",") if part.split()]
        if tag == "meta" and values.get("http-equiv", "").lower() == "refresh":
            target = re.search(r"url\s*=\s*['\"]?([^'\"]+)", values.get("content", ""), re.I)
            if target:
                self.found.append(target.group(1))
        self.found += css_links(values.get("style", ""))
        self.in_style = tag == "style"

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        if self.in_style:
            self.found += css_links(data)

    def handle_endtag(self, tag):
        if tag == "style":
            self.in_style = False


def normal(url):
    """The URL as a browser sends it: no fragment, default port left out, unsafe characters escaped."""
    parts = urllib.parse.urlsplit(url)
    path = urllib.parse.quote(parts.path or "/", safe="/%:@!$&'()*+,;=~-._|[]^")
    query = urllib.parse.quote(parts.query, safe="/?%:@!$&()*+,;=~-._|[]^`{}\\")
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc.lower(), path, query, ""))


class Site:
    def __init__(self, sites, index):
        self.sites, self.index = sites, index

    def answer(self, url):
        """(status, redirect target or None, file or None) as a static web server gives it."""
        parts = urllib.parse.urlsplit(url)
        path = os.path.normpath(self.sites[parts.netloc] + urllib.parse.unquote(parts.path))
        if os.path.isdir(path):
            if not parts.path.endswith("/"):
                return 301, f"{parts.scheme}://{parts.netloc}{parts.path}/", None
            for name in self.index:
                if os.path.isfile(os.path.join(path, name)):
                    return 200, None, os.path.join(path, name)
            return 403, None, None
        if parts.path.endswith("/") or not os.path.isfile(path):
            return 404, None, None
        return (200, None, path) if os.access(path, os.R_OK) else (403, None, None)

    def links(self, url, file):
        ending = file.rsplit(".", 1)[-1].lower()
        if ending not in ("html", "htm", "css", "svg"):
            return []
        with open(file, encoding="utf-8", errors="replace") as source:
            text = source.read()
        if ending == "svg":
            return [urllib.parse.urljoin(url, html.unescape(link)) for link in SVG_URL.findall(text)]
        if ending == "css":
            return [urllib.parse.urljoin(url, link) for link in css_links(text)]
        parser = Links()
        parser.feed(text)
        parser.close()
        base = urllib.parse.urljoin(url, parser.base) if parser.base else url
        found = []
        for link in {link.split("#")[0] for link in parser.found} | {"/favicon.ico"}:
            if not link.strip():
                continue
            link = re.sub(r"[\t\n\r]", "", link.strip()).replace("\\", "/")
            try:
                found.append(urllib.parse.urljoin(base, link))
            except ValueError:
                pass
        return found


def predict(site):
    seeds = [f"http://{authority}/" for authority in site.sites]
    expected, waiting = {}, collections.deque(seeds)
    while waiting:
        url = waiting.popleft()
        if url in expected:
            continue
        status, redirect, file = site.answer(url)
        expected[url] = status
        for link in ([redirect] if redirect else site.links(url, file) if file else []):
            link = normal(link)
            if urllib.parse.urlsplit(link).netloc in site.sites and link.startswith("http://"):
                waiting.append(link)
    return expected


def crawled(collection):
    """URL → (status, hop path) of what was answered, prerequisites left out."""
    visits = {}
    for log in glob.glob(os.path.join(collection, "crawls", "*", "logs", "crawl.log")):
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                fields = line.split()
                status, url, hops = int(fields[1]), fields[3], fields[4]
                if status > 0 and not url.startswith("dns:") and not hops.endswith("P"):
                    if url in visits:
                        print(f"captured twice: {url}")
                    visits[url] = (status, hops)
    return visits


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--site", action="append", required=True, metavar="AUTHORITY=FOLDER")
    arguments.add_argument("--index", action="append", default=[], help="a further name of index files")
    arguments.add_argument("--collection")
    options = arguments.parse_args()
    sites = {authority: folder.rstrip("/") for authority, folder in (site.split("=", 1) for site in options.site)}
    expected = predict(Site(sites, ["index.html", *options.index]))
    print(f"predicted: {len(expected)} URLs, by status: {dict(collections.Counter(expected.values()))}")
    if not options.collection:
        return 0
    visits = crawled(options.collection)
    print(f"crawled:   {len(visits)} URLs, by status: {dict(collections.Counter(status for status, _ in visits.values()))}")
    missing = sorted(set(expected) - set(visits))
    extra = sorted(set(visits) - set(expected))
    guessed = [url for url in extra if "X" in visits[url][1]]
    unexplained = [url for url in extra if "X" not in visits[url][1]]
    wrong = sorted(url for url in set(expected) & set(visits) if expected[url] != visits[url][0])
    for title, urls in (("missing", missing), ("with another status", wrong), ("not predicted", unexplained),
                        ("not predicted, from scripts (hop X), which the walk does not read", guessed)):
        print(f"{title}: {len(urls)}")
        for url in urls[:20]:
            print(f"  {url} {visits.get(url, expected.get(url))}")
    return 1 if missing or wrong or unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
