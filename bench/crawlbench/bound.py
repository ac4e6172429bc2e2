"""How fast a crawl could be if only what cannot be left out had to be done, by libraries that are not ours.

Figures are microseconds of processor time a document, those of `yardsticks` (bench/yardsticks/README.md).
"""

# What every document needs. `scan` is not in it: links may be found without looking at every byte's neighbour, and the bound is to
# be one that nobody can pass.
NEEDED = ["receive", "sha1", "gunzip", "gzip_fast", "copy", "write", "rows"]


def bound(yardsticks, https=0.0, connections=0.0):
    """The parts of the bound and their sum. `https`: the share of documents that come over TLS; `connections`: made a document."""
    micros = yardsticks["us"]
    parts = {name: micros[name] for name in NEEDED}
    parts["connect"] = connections * micros["connect"]
    if https > 0:
        parts["decrypt"] = https * micros["decrypt"]
        parts["handshake"] = https * connections * micros["handshake"]
    total = sum(parts.values())
    return {"parts": parts, "us": total, "pages_per_second": 1e6 / total if total > 0 else 0.0}


def ratio(bound_micros, our_micros):
    """Which share of what is possible we reach: 1 would be the bound itself."""
    return bound_micros / our_micros if our_micros > 0 else 0.0


# Each stage of ours (stages.py) with the yardsticks that do the same, by their names in the bound's parts; `scan` comes from the
# yardsticks themselves.
BESIDE = {
    "network": ["receive", "connect"],
    "digests, TLS": ["sha1", "decrypt", "handshake"],
    "inflate": ["gunzip"],
    "links": ["scan"],
    "deflate": ["gzip_fast"],
    "store": ["rows"],
    "files": ["write"],
    "memory": ["copy"],
}


def beside(stages, parts, micros):
    """Rows (stage, ours, yardstick or None), the most expensive first."""
    known = {"scan": micros["scan"], **parts}
    rows = []
    for stage, ours in sorted(stages.items(), key=lambda item: -item[1]):
        names = [name for name in BESIDE.get(stage, []) if name in known]
        rows.append((stage, ours, sum(known[name] for name in names) if names else None))
    return rows
