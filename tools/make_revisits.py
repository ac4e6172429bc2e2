#!/usr/bin/env python3
"""Writes the revisit test set (docs/revisits): WARC files with revisit records of all kinds that are in use, an ARC file, and what a
replay tool has to answer. The bytes are the same in each run; tests/e2e/revisits_test.py holds them against those in the tree.

    tools/make_revisits.py [FOLDER]
"""

import base64
import gzip
import hashlib
import json
import pathlib
import sys
import uuid

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "docs/revisits"
PROFILES = "http://netpreserve.org/warc/%s/revisit/%s"
SAME, UNMODIFIED = PROFILES % ("1.1", "identical-payload-digest"), PROFILES % ("1.1", "server-not-modified")
EARLY, MIDDLE, LATE = "2019-05-01T10:00:00Z", "2020-05-01T10:00:00Z", "2021-05-01T10:00:00Z"


def base32(algorithm, body):
    return f"{algorithm}:{base64.b32encode(hashlib.new(algorithm, body).digest()).decode()}"


def record_id(*parts):
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(parts))}>"


def head(status="200 OK", kind="text/html", length=None, **more):
    fields = {"Content-Type": kind, **({"Content-Length": length} if length is not None else {}),
              **{name.replace("_", "-"): value for name, value in more.items()}}
    return f"HTTP/1.1 {status}\r\n{''.join(f'{name}: {value}' + chr(13) + chr(10) for name, value in fields.items())}\r\n".encode()


def written(record_type, url, date, block, kind="application/http; msgtype=response", version="1.1", **fields):
    named = {"WARC-Type": record_type, "WARC-Record-ID": fields.pop("id", None) or record_id(record_type, url, date), "WARC-Date": date,
             "WARC-Target-URI": url, **{name.replace("_", "-"): value for name, value in fields.items() if value}}
    text = f"WARC/{version}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in named.items())
    text += (f"Content-Type: {kind}\r\n" if block else "") + f"Content-Length: {len(block)}\r\n\r\n"
    return gzip.compress(text.encode() + block + b"\r\n\r\n", mtime=0)


class Set:
    def __init__(self):
        self.files, self.cases = {}, []

    def add(self, file, record):
        self.files[file] = self.files.get(file, b"") + record

    def original(self, url, date, body, file="originals.warc.gz", digest="sha1", sent=None, **more):
        """A response; `sent`: the bytes after the head where they are not the body."""
        length = {} if sent is not None and "Transfer_Encoding" in more else {"length": len(body)}
        self.add(file, written("response", url, date, head(**length, **more) + (body if sent is None else sent),
                               WARC_Payload_Digest=base32(digest, body)))

    def revisit(self, url, date, body, http=b"", file="revisits.warc.gz", profile=SAME, version="1.1", digest=None, of=None, refers_id=None):
        self.add(file, written("revisit", url, date, http, version=version, WARC_Profile=profile,
                               WARC_Payload_Digest=digest or (base32("sha1", body) if body is not None else None),
                               WARC_Refers_To=refers_id, WARC_Refers_To_Target_URI=of and of[0], WARC_Refers_To_Date=of and of[1]))

    def case(self, name, url, date, why, body=None, status=200, **headers):
        """What is to be answered for the capture of `date`. Without a body: an error, and nobody else's body."""
        self.cases.append({"case": name, "url": url, "timestamp": "".join(c for c in date if c.isdigit())[:14], "why": why,
                           "status": status if body is not None else None, "body": body and body.decode(),
                           "headers": {key.replace("_", "-"): value for key, value in headers.items()}})


def make():
    made = Set()

    def site(name):
        return f"http://{name}.revisits.example/"

    def simple(name, why, http=None, **more):
        """An original of 2019, its revisit of 2020."""
        url, body = site(name), f"<p>{name} of 2019</p>".encode()
        made.original(url, EARLY, body)
        more.setdefault("of", (url, EARLY))
        made.revisit(url, MIDDLE, body, head(length=len(body), X_Visit="2020") if http is None else http, **more)
        made.case(name, url, MIDDLE, why, body, content_type="text/html", **({"x_visit": "2020"} if http is None else {}))

    simple("same-url", "identical payload; URL and date of the original are named")
    simple("digest-alone", "no original is named: the earlier capture of the URL with that digest is it", of=None)
    simple("warc-1.0", "WARC 1.0 and its profile, no original named, as Heritrix wrote it for years", of=None, version="1.0",
           profile=PROFILES % ("1.0", "identical-payload-digest"))
    simple("uri-agnostic", "a profile of old tools for payloads of other URLs",
           profile="http://netpreserve.org/warc/1.1/revisit/uri-agnostic-identical-payload-digest")
    simple("unknown-profile", "a profile that nobody knows: digest and reference are followed all the same",
           profile="http://example.org/a-profile-of-mine")
    simple("no-head", "the record has no block: the head is that of the original", http=b"")
    simple("lower-case", "the digest in lower case", digest=base32("sha1", b"<p>lower-case of 2019</p>").lower())

    url, other, body = site("other-url"), site("of-other-url") + "style.css", b"p { color: teal }"
    made.original(other, EARLY, body, kind="text/css")
    made.revisit(url, MIDDLE, body, head(kind="text/css", length=len(body)), of=(other, EARLY))
    made.case("other-url", url, MIDDLE, "the payload was captured at another URL, which is named", body, content_type="text/css")

    url, body = site("date-off"), b"<p>date off</p>"
    made.original(url, EARLY, body)
    made.revisit(url, MIDDLE, body, head(length=len(body)), of=(url, "2019-05-01T10:00:07Z"))
    made.case("date-off", url, MIDDLE, "the date of the reference is seven seconds off: digest and URL find it", body)

    url, body, newer = site("two-bodies"), b"<p>body one</p>", b"<p>body two</p>"
    made.original(url, EARLY, body)
    made.original(url, MIDDLE, newer)
    made.revisit(url, LATE, body, head(length=len(body)))
    made.case("two-bodies", url, LATE, "the page went back to what it was: not the capture before, but that with the digest", body)

    url, body = site("later-original"), b"<p>later original</p>"
    made.revisit(url, EARLY, body, head(length=len(body)))
    made.original(url, MIDDLE, body, file="later.warc.gz")
    made.case("later-original", url, EARLY, "crawls that ran side by side: the only capture with the digest is later", body)

    url, body = site("new-head"), b"<p>new head</p>"
    made.original(url, EARLY, body, X_Visit="2019", Cache_Control="max-age=1")
    made.revisit(url, MIDDLE, body, head("203 Non-Authoritative Information", "application/xhtml+xml", len(body), X_Visit="2020"), of=(url, EARLY))
    made.case("new-head", url, MIDDLE, "status and fields are those of the visit, the payload is the original's", body, status=203,
              content_type="application/xhtml+xml", x_visit="2020")

    url, body = site("chunked"), b"<p>chunked</p>"
    made.original(url, EARLY, body, sent=b"5\r\n<p>ch\r\n9\r\nunked</p>\r\n0\r\n\r\n", Transfer_Encoding="chunked")
    made.revisit(url, MIDDLE, body, head(length=len(body)), of=(url, EARLY))
    made.case("chunked", url, MIDDLE, "the original was sent in chunks, the visit says it was not", body)

    url, body = site("redirect"), b"moved"
    made.original(url, EARLY, body, status="301 Moved Permanently", Location=site("same-url"))
    made.revisit(url, MIDDLE, body, head("301 Moved Permanently", "text/html", len(body), Location=site("two-bodies")), of=(url, EARLY))
    made.case("redirect", url, MIDDLE, "a redirect is a revisit by its body, and leads where the visit was led", body, status=301,
              location=site("two-bodies"))

    url, body = site("resource") + "report.txt", b"a document that no HTTP brought"
    made.add("originals.warc.gz", written("resource", url, EARLY, body, kind="text/plain", WARC_Payload_Digest=base32("sha1", body)))
    made.revisit(url, MIDDLE, body, of=(url, EARLY))
    made.case("resource", url, MIDDLE, "the original is a resource record", body, content_type="text/plain")

    url, body = site("sha256"), b"<p>sha256</p>"
    made.original(url, EARLY, body, digest="sha256")
    made.revisit(url, MIDDLE, body, head(length=len(body)), digest=base32("sha256", body), of=(url, EARLY))
    made.case("sha256", url, MIDDLE, "digests by SHA-256", body)

    url, body = site("id-alone"), b"<p>id alone</p>"
    made.original(url, EARLY, body)
    made.revisit(url, MIDDLE, body, head(length=len(body)), refers_id=record_id("response", url, EARLY))
    made.case("id-alone", url, MIDDLE, "the reference is a record's id; indexes know none, the digest finds it", body)

    url, body = site("arc"), b"<p>arc</p>"
    made.revisit(url, MIDDLE, body, head(length=len(body)), of=(url, EARLY))
    made.case("arc", url, MIDDLE, "the original lies in an ARC file", body)
    sent = head(length=len(body)) + body
    version = b"1 0 revisits.example\nURL IP-address Archive-date Content-type Archive-length\n"
    made.add("old.arc.gz", gzip.compress(f"filedesc://old.arc.gz 0.0.0.0 20190501100000 text/plain {len(version)}\n".encode() + version + b"\n", mtime=0))
    made.add("old.arc.gz", gzip.compress(f"{url} 192.0.2.1 20190501100000 text/html {len(sent)}\n".encode() + sent + b"\n", mtime=0))

    url, body = site("not-modified"), b"<p>not modified</p>"
    made.original(url, EARLY, body, ETag='"1"')
    made.revisit(url, MIDDLE, body, head("304 Not Modified", ETag='"1"'), profile=UNMODIFIED, of=(url, EARLY))
    made.case("not-modified", url, MIDDLE, "the server said 304: shown is what it was asked about, with its status", body, content_type="text/html")
    url, body = site("not-modified-alone"), b"<p>not modified alone</p>"
    made.original(url, EARLY, b"<p>older</p>")
    made.original(url, MIDDLE, body)
    made.revisit(url, LATE, None, head("304 Not Modified"), profile=UNMODIFIED)
    made.case("not-modified-alone", url, LATE, "304 without reference and digest: the latest capture before", body)

    for name, of, why in (("not-modified-heritrix", True, "304 as Heritrix has it: the digest is that of an empty body"),
                          ("not-modified-heritrix-alone", False, "the same without a reference: the latest capture before")):
        url, body = site(name), f"<p>{name}</p>".encode()
        made.original(url, EARLY, body)
        made.revisit(url, MIDDLE, b"", b"", profile=UNMODIFIED, of=(url, EARLY) if of else None)
        made.case(name, url, MIDDLE, why, body, content_type="text/html")

    url, body = site("chain"), b"<p>chain</p>"
    made.original(url, EARLY, body)
    for date, of in (("2019-06-01T10:00:00Z", EARLY), ("2019-07-01T10:00:00Z", "2019-06-01T10:00:00Z"), (MIDDLE, "2019-07-01T10:00:00Z")):
        made.revisit(url, date, body, head(length=len(body)), of=(url, of))
    made.case("chain", url, MIDDLE, "a revisit of a revisit of a revisit", body)
    urls, body = [site(f"chain-of-urls-{i}") for i in range(4)], b"<p>chain of urls</p>"
    made.original(urls[0], EARLY, body)
    for i in range(1, 4):
        made.revisit(urls[i], f"2019-0{5 + i}-01T10:00:00Z", body, head(length=len(body)), of=(urls[i - 1], f"2019-0{4 + i}-01T10:00:00Z"))
    made.case("chain-of-urls", urls[3], "2019-08-01T10:00:00Z", "each revisit names another one at another URL", body)

    url = site("missing")
    made.original(url, EARLY, b"<p>another body</p>")
    made.revisit(url, MIDDLE, b"<p>gone</p>", head(length=11), of=(url, LATE))
    made.case("missing", url, MIDDLE, "the original is nowhere: an error, and not the body of another capture")
    url = site("circle")
    made.revisit(url, EARLY, b"<p>round</p>", head(length=12), of=(url, MIDDLE))
    made.revisit(url, MIDDLE, b"<p>round</p>", head(length=12), of=(url, EARLY))
    made.case("circle", url, MIDDLE, "two revisits name each other: an error, and soon")
    url, body = site("wrong-reference"), b"<p>right</p>"
    made.original(url, EARLY, body)
    made.original(url, MIDDLE, b"<p>wrong</p>")
    made.revisit(url, LATE, body, head(length=len(body)), of=(url, MIDDLE))
    made.case("wrong-reference", url, LATE, "reference and digest disagree: the digest says what was received", body)
    return made


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    made = make()
    for name, data in made.files.items():
        (folder / name).write_bytes(data)
    (folder / "expected.jsonl").write_text("".join(json.dumps(case) + "\n" for case in made.cases))


if __name__ == "__main__":
    main()
