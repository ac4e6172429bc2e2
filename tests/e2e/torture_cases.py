"""What the torture server does, case by case, and what a crawl must make of it.

A case is a row: its name (the host), what it answers, and what is expected. `answer` is bytes, which are sent before the connection is
closed; or a function of a Peer; or a dict of those by path. Expected of the visit of "/":

    status      of crawl.log
    words       the annotations of crawl.log, those of every visit aside
    stored      what the record holds: ALL that was sent, NOTHING, FRONT (a part that begins as what was sent), or the very bytes
    cut         WARC-Truncated, or None
    payload     whose digest the record has; None: not compared
    asks        paths that were asked for beside "/", /favicon.ico aside, in any order
    tries       how often "/" was asked for; None: not compared
    cookie      the Cookie that /next is asked with, "" for none, or a function that judges it; None: not compared
    tls         the server's side of TLS: "good", another of Certificates.KINDS or Peer.BEFORE_TLS; or "h2", with HTTP/2
"""

import dataclasses
import gzip
import os
import zlib
from typing import Any, Optional

ALL, NOTHING, FRONT = "all", "nothing", "front"

OK = b"HTTP/1.1 200 OK\r\n"
HTML = b"Content-Type: text/html\r\n"
PAGE = b"<!doctype html><title>A page</title><a href='/next'>next</a>"
NEXT = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nnext"
KIB = 1024
# A body that broke off, twice.
CUT = ("2t", "disconnectTrunc")


def reply(body=b"", *fields, status=b"200 OK", version=b"HTTP/1.1", length=True):
    lines = [version + b" " + status, *fields]
    if length:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def page(body=PAGE, *fields, **more):
    return reply(body, b"Content-Type: text/html", *fields, **more)


def chunked(*parts, last=b"0\r\n\r\n"):
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + last


def in_chunks(*parts, fields=b"", last=b"0\r\n\r\n"):
    return OK + HTML + fields + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(*parts, last=last)


@dataclasses.dataclass
class Case:
    name: str
    answer: Any
    status: int = 200
    words: tuple = ()
    stored: Any = ALL
    cut: Optional[str] = None
    payload: Optional[bytes] = None
    asks: tuple = ()
    tries: int = 1
    robots: Any = None
    tls: Optional[str] = None
    cookie: Any = None
    group: str = ""
    answer_next: Any = None

    def answer_for(self, path):
        if self.tls == "h2":  # the client has given HTTP/2 up
            return page() if path == "/" else NEXT
        if isinstance(self.answer, dict):
            return self.answer.get(path, reply(b"none", status=b"404 Not Found"))
        return self.answer if path == "/" else NEXT if path == "/next" else reply(b"none", status=b"404 Not Found")

    def answer_frames(self, path):
        """In HTTP/2 (torture_http2.py)."""
        return self.answer if path == "/" else self.answer_next

    @staticmethod
    def play(answer, peer, tries):
        """Returns "keep" if the connection stays open."""
        if isinstance(answer, bytes):
            peer.send(answer)
            return None
        if isinstance(answer, list):
            peer.send(answer[min(tries, len(answer)) - 1])
            return None
        return answer(peer)


# --- answers that are more than bytes
def stall(front):
    def answer(peer):
        peer.send(front)
        peer.wait_for_end()
    return answer


def abort(front):
    def answer(peer):
        peer.send(front)
        peer.reset()
    return answer


def endless(front, part):
    def answer(peer):
        peer.send(front)
        while peer.send(part):
            pass
    return answer


def dripping(front, data, pause=0.2):
    def answer(peer):
        peer.send(front)
        peer.drip(data, pause)
    return answer


def in_pieces(data, size):
    def answer(peer):
        for at in range(0, len(data), size):
            peer.send(data[at:at + size])
    return answer


def by_base(make):
    """An answer that names the server's own address."""
    return lambda peer: peer.send(make(peer.base.encode())) and None


def redirect(to, status=b"302 Found", body=b"", fields=()):
    return reply(body, b"Location: " + to, *fields, status=status)


def kept(data):
    def answer(peer):
        peer.send(data)
        return "keep"
    return answer


HEADS = [
    Case("plain", page(), asks=("/next",), payload=PAGE),
    Case("byte-by-byte", in_pieces(page(), 1), asks=("/next",), payload=PAGE),
    Case("kept-open", {"/": kept(page()), "/next": NEXT}, asks=("/next",), payload=PAGE),
    Case("bare-line-feeds", page().replace(b"\r\n", b"\n"), asks=("/next",), payload=PAGE),
    Case("mixed-line-ends", b"HTTP/1.1 200 OK\nContent-Type: text/html\r\nContent-Length: %d\n\r\n%s" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("no-reason", page(status=b"200"), asks=("/next",), payload=PAGE),
    Case("empty-reason", page(status=b"200 "), asks=("/next",), payload=PAGE),
    Case("long-reason", page(status=b"200 " + b"so " * 2000), asks=("/next",), payload=PAGE),
    Case("reason-in-latin-1", page(status=b"200 D\xe9j\xe0 vu"), asks=("/next",), payload=PAGE),
    Case("http-1-0", page(version=b"HTTP/1.0"), asks=("/next",), payload=PAGE),
    Case("http-1-2", page(version=b"HTTP/1.2"), asks=("/next",), payload=PAGE),
    Case("lower-case-version", page(version=b"http/1.1"), asks=("/next",), payload=PAGE),
    Case("status-2-digits", page(status=b"20 OK"), status=-3, stored=NOTHING),
    Case("status-999", page(status=b"999 Request denied"), status=999),
    Case("status-600", page(status=b"600 Odd"), status=600),
    Case("status-000", page(status=b"000 None"), status=-3, stored=NOTHING),
    Case("http-0-9", PAGE, status=-3, stored=NOTHING),
    Case("other-protocol", b"SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n", status=-3, stored=NOTHING),
    Case("empty-answer", b"", status=-3, stored=NOTHING),
    Case("only-line-ends", b"\r\n\r\n\r\n", status=-3, stored=NOTHING),
    Case("line-ends-before", b"\r\n" + page(), words=("httpProblem",), asks=("/next",)),
    Case("head-without-end", OK + HTML, words=CUT, cut="disconnect", payload=b""),
    Case("half-a-status-line", b"HTTP/1.1 20", status=-3, stored=NOTHING),
    Case("folded-field", page(PAGE, b"X-Folded: one\r\n two\r\n\tthree"), asks=("/next",), payload=PAGE),
    Case("folded-content-type", OK + b"Content-Type: text/html;\r\n charset=utf-8\r\nContent-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("field-without-colon", page(PAGE, b"This is no field"), asks=("/next",), payload=PAGE),
    Case("field-without-name", page(PAGE, b": nameless"), asks=("/next",), payload=PAGE),
    Case("space-before-colon", OK + b"Content-Type : text/html\r\nContent-Length : %d\r\n\r\n%s" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("nul-in-field", page(PAGE, b"X-Nul: a\x00b"), asks=("/next",), payload=PAGE),
    Case("bytes-in-field", page(PAGE, b"X-Bytes: " + bytes(range(0x80, 0x100))), asks=("/next",), payload=PAGE),
    Case("thousand-fields", page(PAGE, *[b"X-%d: y" % number for number in range(1000)]), asks=("/next",), payload=PAGE),
    Case("long-field", page(PAGE, b"X-Long: " + b"y" * 40_000), asks=("/next",), payload=PAGE),
    Case("head-too-large", page(PAGE, b"X-Long: " + b"y" * 100_000), words=("headerTrunc",), stored=FRONT, cut="length"),
    Case("endless-head", endless(OK, b"X-Field: and so on\r\n"), words=("headerTrunc",), stored=FRONT, cut="length"),
    Case("endless-status-line", endless(b"HTTP/1.1 200 ", b"very " * 1000), words=("headerTrunc",), stored=FRONT, cut="length"),
    Case("interim-100", b"HTTP/1.1 100 Continue\r\n\r\n" + page(), stored=page(), asks=("/next",), payload=PAGE),
    Case("interim-103", b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n" + page(), stored=page(), asks=("/next",), payload=PAGE),
    Case("interim-many", b"HTTP/1.1 102 Processing\r\n\r\n" * 50 + page(), status=-3, stored=NOTHING),
    Case("endless-interim", endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), status=-3, stored=NOTHING),
    Case("switching-protocols", reply(b"", b"Upgrade: websocket", status=b"101 Switching Protocols", length=False), status=101),
    Case("head-stalls", stall(OK + b"X-Half: a"), status=-4, stored=NOTHING),
    Case("silence", stall(b""), status=-4, stored=NOTHING),
    Case("head-reset", abort(OK + b"X-Half: a"), status=-3, stored=NOTHING),
    Case("head-drips", dripping(OK, b"X-Drip: a\r\n"), status=-4, stored=NOTHING),
    Case("no-content-type", reply(PAGE), asks=("/next",), payload=PAGE),
    Case("empty-content-type", reply(PAGE, b"Content-Type:"), asks=("/next",), payload=PAGE),
    Case("odd-content-type", reply(PAGE, b"Content-Type: html"), payload=PAGE, asks=("/next",)),
    Case("two-content-types", reply(PAGE, b"Content-Type: text/plain", b"Content-Type: text/html"), payload=PAGE),
]

LENGTHS = [
    Case("length-0", page(b""), payload=b""),
    Case("length-twice", page(PAGE, b"Content-Length: %d" % len(PAGE)), asks=("/next",), payload=PAGE),
    Case("lengths-differ", OK + HTML + b"Content-Length: 3\r\nContent-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE), words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("length-in-list", OK + HTML + b"Content-Length: %d, %d\r\n\r\n%s" % (len(PAGE), len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("length-negative", OK + HTML + b"Content-Length: -1\r\n\r\n" + PAGE, words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("length-with-plus", OK + HTML + b"Content-Length: +%d\r\n\r\n%s" % (len(PAGE), PAGE), words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("length-in-hex", OK + HTML + b"Content-Length: 0x3c\r\n\r\n" + PAGE, words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("length-in-words", OK + HTML + b"Content-Length: much\r\n\r\n" + PAGE, words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("length-empty", OK + HTML + b"Content-Length:\r\n\r\n" + PAGE, asks=("/next",), payload=PAGE),
    Case("length-with-nul", OK + HTML + b"Content-Length: %d\x00\r\n\r\n%s" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("length-beyond-64-bits", OK + HTML + b"Content-Length: 99999999999999999999\r\n\r\n" + PAGE, words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("length-beyond-disks", OK + HTML + b"Content-Length: 9223372036854775807\r\n\r\n" + PAGE, words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("length-too-short", OK + HTML + b"Content-Length: %d\r\n\r\n%s and more" % (len(PAGE), PAGE), words=("httpProblem",), stored=OK + HTML + b"Content-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("length-too-long", OK + HTML + b"Content-Length: 5000\r\n\r\n" + PAGE, words=CUT, cut="disconnect", asks=("/next",), payload=PAGE),
    Case("no-length", page(length=False), asks=("/next",), payload=PAGE),
    Case("no-length-kept-open", stall(page(length=False)), words=("timeTrunc",), cut="time", asks=("/next",), payload=PAGE),
    Case("body-reset", abort(OK + HTML + b"Content-Length: 5000\r\n\r\n" + PAGE), words=CUT, cut="disconnect", stored=FRONT, asks=None),
    Case("body-stalls", stall(OK + HTML + b"Content-Length: 5000\r\n\r\n" + PAGE), words=("timeTrunc",), cut="time", asks=("/next",), payload=PAGE),
    Case("body-drips", dripping(OK + HTML + b"\r\n", b"drip "), words=("timeTrunc",), cut="time", stored=FRONT),
    Case("no-body-at-all", OK + HTML + b"Content-Length: 5000\r\n\r\n", words=CUT, cut="disconnect", payload=b""),
    Case("endless-body", endless(OK + b"Content-Type: text/plain\r\n\r\n", b"and so on " * 10_000), words=("lenTrunc",), cut="length", stored=FRONT),
    Case("huge-length", endless(OK + b"Content-Type: video/mp4\r\nContent-Length: 107374182400\r\n\r\n", os.urandom(65536)), words=("lenTrunc",), cut="length", stored=FRONT),
    Case("just-the-limit", reply(b"x" * 4 * KIB * KIB, b"Content-Type: text/plain"), stored=ALL),
    Case("one-over-the-limit", reply(b"x" * (4 * KIB * KIB + 1), b"Content-Type: text/plain"), words=("lenTrunc",), cut="length", stored=FRONT),
    Case("status-204-with-body", page(status=b"204 No Content"), status=204, words=("httpProblem",), stored=FRONT, payload=b""),
    Case("status-304-unasked", page(status=b"304 Not Modified"), status=304, words=("httpProblem",), stored=FRONT, payload=b""),
    Case("status-205-with-body", reply(b"xx", status=b"205 Reset Content"), status=205),
    Case("status-206-unasked", reply(PAGE, b"Content-Type: text/html", b"Content-Range: bytes 0-59/1000", status=b"206 Partial Content"), status=206, asks=("/next",), payload=PAGE),
    Case("pipelined-answer", page() + page(b"second"), words=("httpProblem",), stored=page(), asks=("/next",), payload=PAGE),
]

CHUNKS = [
    Case("chunked", in_chunks(PAGE), asks=("/next",), payload=PAGE),
    Case("chunks-of-one-byte", in_chunks(*[PAGE[at:at + 1] for at in range(len(PAGE))]), asks=("/next",), payload=PAGE),
    Case("chunks-byte-by-byte", in_pieces(in_chunks(PAGE[:20], PAGE[20:]), 1), asks=("/next",), payload=PAGE),
    Case("chunk-extension", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n%x;name=\"a;b\"\r\n%s\r\n0;last\r\n\r\n" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("chunk-size-with-zeros", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n000000%x\r\n%s\r\n0000\r\n\r\n" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("chunk-size-with-spaces", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n%x   \r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("chunk-size-upper-case", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n%X\r\n%s\r\n0\r\n\r\n" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("chunk-bare-line-feeds", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n%x\n%s\n0\n\n" % (len(PAGE), PAGE), asks=("/next",), payload=PAGE),
    Case("trailers", in_chunks(PAGE, last=b"0\r\nX-Trailer: one\r\nDigest: none\r\n\r\n"), asks=("/next",), payload=PAGE),
    Case("last-chunk-missing", in_chunks(PAGE, last=b""), words=CUT, cut="disconnect", asks=("/next",), payload=PAGE),
    Case("end-of-last-chunk-missing", in_chunks(PAGE, last=b"0\r\n"), asks=("/next",), payload=PAGE),
    Case("chunk-cut-short", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n1000\r\n" + PAGE, words=CUT, cut="disconnect", asks=("/next",), payload=PAGE),
    Case("chunk-size-no-number", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\nxyz\r\n" + PAGE, words=("httpProblem",), asks=("/next",)),
    Case("chunk-size-overflows", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n" + PAGE, words=("httpProblem",), asks=("/next",)),
    Case("chunk-size-negative", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n-5\r\n" + PAGE, words=("httpProblem",), asks=("/next",)),
    Case("chunked-said-not-done", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n" + PAGE, words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("chunk-longer-than-said", OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n5\r\n" + PAGE + b"\r\n0\r\n\r\n", words=("httpProblem",)),
    Case("chunked-and-length", OK + HTML + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(PAGE), words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("chunked-in-1-0", b"HTTP/1.0 200 OK\r\n" + HTML + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(PAGE), words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("chunked-twice", OK + HTML + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked(PAGE), words=("httpProblem",), asks=("/next",)),
    Case("transfer-gzip", OK + HTML + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + chunked(gzip.compress(PAGE)), words=("httpProblem",)),
    Case("transfer-unknown", OK + HTML + b"Transfer-Encoding: cheese\r\n\r\n" + PAGE, words=("httpProblem",), asks=("/next",), payload=PAGE),
    Case("transfer-identity", OK + HTML + b"Transfer-Encoding: identity\r\n\r\n" + PAGE, asks=("/next",), payload=PAGE),
    Case("chunk-after-the-last", in_chunks(PAGE) + chunked(b"more"), words=("httpProblem",), stored=in_chunks(PAGE), asks=("/next",), payload=PAGE),
    Case("endless-chunks", endless(OK + b"Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n", b"1000\r\n" + b"x" * 4096 + b"\r\n"), words=("lenTrunc",), cut="length", stored=FRONT),
    Case("endless-trailers", endless(in_chunks(PAGE, last=b"0\r\n"), b"X-Trailer: one\r\n"), words=("lenTrunc", "httpProblem"), cut="length", stored=FRONT, asks=("/next",)),
    Case("endless-chunk-extension", endless(OK + HTML + b"Transfer-Encoding: chunked\r\n\r\n5;", b"x=y;" * 1000), words=("lenTrunc", "httpProblem"), cut="length", stored=FRONT),
]

GZIPPED = gzip.compress(PAGE)
CODINGS = [
    Case("gzip", page(GZIPPED, b"Content-Encoding: gzip"), asks=("/next",), payload=GZIPPED),
    Case("gzip-chunked", in_chunks(GZIPPED, fields=b"Content-Encoding: gzip\r\n"), asks=("/next",), payload=GZIPPED),
    Case("x-gzip", page(GZIPPED, b"Content-Encoding: x-gzip"), asks=("/next",), payload=GZIPPED),
    Case("gzip-in-capitals", page(GZIPPED, b"Content-Encoding: GZIP"), asks=("/next",), payload=GZIPPED),
    Case("gzip-two-members", page(gzip.compress(PAGE[:20]) + gzip.compress(PAGE[20:]), b"Content-Encoding: gzip"), asks=("/next",)),
    Case("gzip-said-not-done", page(PAGE, b"Content-Encoding: gzip"), words=("decodeProblem",), asks=("/next",), payload=PAGE),
    Case("gzip-done-not-said", page(GZIPPED), payload=GZIPPED),
    Case("gzip-cut-short", page(GZIPPED[:-12], b"Content-Encoding: gzip"), words=("decodeProblem",), asks=("/next",)),
    Case("gzip-bad-checksum", page(GZIPPED[:-8] + bytes(8), b"Content-Encoding: gzip"), words=("decodeProblem",), asks=("/next",)),
    Case("gzip-garbage-behind", page(GZIPPED + b"garbage", b"Content-Encoding: gzip"), asks=("/next",)),
    Case("gzip-twice", page(gzip.compress(GZIPPED), b"Content-Encoding: gzip, gzip"), asks=("/next",)),
    Case("gzip-bomb", page(gzip.compress(bytes(400_000_000), 9), b"Content-Encoding: gzip"), words=("readTrunc",)),
    Case("deflate", page(zlib.compress(PAGE), b"Content-Encoding: deflate"), asks=("/next",)),
    Case("deflate-raw", page(zlib.compress(PAGE)[2:-4], b"Content-Encoding: deflate"), asks=("/next",)),
    Case("coding-unknown", page(PAGE, b"Content-Encoding: cheese"), words=("unsatisfiableContentEncoding:cheese",), asks=("/next",), payload=PAGE),
    Case("coding-identity", page(PAGE, b"Content-Encoding: identity"), asks=("/next",), payload=PAGE),
    Case("coding-empty", page(PAGE, b"Content-Encoding:"), asks=("/next",), payload=PAGE),
    Case("coding-none", page(PAGE, b"Content-Encoding: none"), asks=("/next",), payload=PAGE),
]

REDIRECTS = [
    Case("redirect", redirect(b"/next"), 302, asks=("/next",)),
    Case("redirect-absolute", by_base(lambda base: redirect(base + b"/next", b"301 Moved Permanently")), 301, asks=("/next",)),
    Case("redirect-303", redirect(b"/next", b"303 See Other"), 303, asks=("/next",)),
    Case("redirect-307", redirect(b"/next", b"307 Temporary Redirect"), 307, asks=("/next",)),
    Case("redirect-308", redirect(b"/next", b"308 Permanent Redirect"), 308, asks=("/next",)),
    Case("redirect-with-body", redirect(b"/next", body=b"<a href=/other>moved</a>", fields=(b"Content-Type: text/html",)), 302, asks=("/next",)),
    Case("redirect-without-location", reply(b"", status=b"302 Found"), 302),
    Case("redirect-empty-location", redirect(b""), 302),
    Case("redirect-two-locations", redirect(b"/next", fields=(b"Location: /other",)), 302, asks=("/next", "/other")),
    Case("redirect-to-itself", redirect(b"/"), 302),
    Case("redirect-to-fragment", redirect(b"/#top"), 302),
    Case("redirect-loop", {"/": redirect(b"/a"), "/a": redirect(b"/b"), "/b": redirect(b"/")}, 302, asks=("/a", "/b")),
    Case("redirect-for-ever", lambda peer: peer.send(redirect(b"/x")) and None, 302, asks=("/x",)),
    Case("redirect-to-script", redirect(b"javascript:alert(1)"), 302),
    Case("redirect-to-data", redirect(b"data:text/html,hello"), 302),
    Case("redirect-to-file", redirect(b"file:///etc/passwd"), 302),
    Case("redirect-to-private", redirect(b"http://169.254.169.254/latest/meta-data/"), 302),
    Case("redirect-with-spaces", redirect(b"/ne xt"), 302, asks=("/ne%20xt",)),
    Case("redirect-in-utf-8", redirect("/née".encode()), 302, asks=("/n%C3%A9e",)),
    Case("redirect-in-latin-1", redirect("/née".encode("latin-1")), 302, asks=("/n%E9e",)),
    Case("redirect-backslashes", redirect(b"\\next"), 302, asks=("/next",)),
    Case("redirect-very-long", redirect(b"/" + b"a" * 10_000), 302, words=("dol:1",)),
    Case("redirect-line-end-in-url", redirect(b"/ne\txt"), 302, asks=("/next",)),
    Case("refresh-header", reply(b"", b"Refresh: 0; url=/next"), asks=("/next",)),
    Case("refresh-meta", page(b"<meta http-equiv=refresh content='0;url=/next'>"), asks=("/next",)),
    Case("location-on-201", reply(b"", b"Location: /next", status=b"201 Created"), 201, asks=("/next",)),
    Case("status-300", reply(b"<a href=/next>1</a>", b"Content-Type: text/html", status=b"300 Multiple Choices"), 300, asks=("/next",)),
]

REFUSALS = [
    Case("status-400", page(status=b"400 Bad Request"), 400),
    Case("status-401", page(PAGE, b'WWW-Authenticate: Basic realm="x"', status=b"401 Unauthorized"), 401),
    Case("status-403", page(status=b"403 Forbidden"), 403),
    Case("status-404", page(status=b"404 Not Found"), 404, asks=("/next",)),
    Case("status-410", page(status=b"410 Gone"), 410),
    Case("status-418", page(status=b"418 I'm a teapot"), 418),
    Case("status-451", page(status=b"451 Unavailable For Legal Reasons"), 451),
    Case("status-500", page(status=b"500 Internal Server Error"), 500),
    Case("status-502", page(status=b"502 Bad Gateway"), 502),
    Case("status-407", page(PAGE, b'Proxy-Authenticate: Basic realm="x"', status=b"407 Proxy Authentication Required"), 407),
    Case("later-503", [reply(b"busy", b"Retry-After: 1", status=b"503 Service Unavailable"), page()], 200, words=("2t",), tries=2, asks=("/next",), stored=page()),
    Case("later-429", [reply(b"slow", b"Retry-After: 1", status=b"429 Too Many Requests"), page()], 200, words=("2t",), tries=2, asks=("/next",), stored=page()),
    Case("always-503", reply(b"busy", status=b"503 Service Unavailable"), 503, words=("2t",), tries=2),
    Case("retry-after-date", [reply(b"busy", b"Retry-After: Fri, 31 Dec 1999 23:59:59 GMT", status=b"503 Busy"), page()], 200, words=("2t",), tries=2, asks=("/next",), stored=page()),
    Case("retry-after-garbage", [reply(b"busy", b"Retry-After: soon", status=b"503 Busy"), page()], 200, words=("2t",), tries=2, asks=("/next",), stored=page()),
    Case("retry-after-ages", [reply(b"busy", b"Retry-After: 99999999999999999999", status=b"503 Busy"), page()], 200, words=("2t",), tries=2, asks=("/next",), stored=page()),
    Case("one-failure", [b"", page()], 200, words=("2t",), tries=2, asks=("/next",), stored=page()),
    Case("one-cut-body", [OK + HTML + b"Content-Length: 5000\r\n\r\n" + PAGE, page()], 200, words=("2t",), tries=2, asks=("/next",), stored=page()),
]

ROBOTS_ALL = b"User-agent: *\nDisallow: /\n"
ROBOTS = [
    Case("robots-disallow", page(), -9998, stored=NOTHING, tries=0, robots=reply(ROBOTS_ALL, b"Content-Type: text/plain")),
    Case("robots-allow", page(), robots=reply(b"User-agent: *\nDisallow:\n"), asks=("/next",)),
    Case("robots-one-path", page(), robots=reply(b"User-agent: *\nDisallow: /next\n"), asks=()),
    Case("robots-for-us", page(), -9998, stored=NOTHING, tries=0, robots=reply(b"User-agent: caddis\nDisallow: /\n\nUser-agent: *\nDisallow:\n")),
    Case("robots-for-others", page(), robots=reply(b"User-agent: other\nDisallow: /\n"), asks=("/next",)),
    Case("robots-404", page(), robots=reply(b"", status=b"404 Not Found"), asks=("/next",)),
    Case("robots-403", page(), robots=reply(ROBOTS_ALL, status=b"403 Forbidden"), asks=("/next",)),
    Case("robots-500", page(), -61, stored=NOTHING, tries=0, robots=reply(b"", status=b"500 Internal Server Error")),
    Case("robots-empty", page(), robots=reply(b""), asks=("/next",)),
    Case("robots-html", page(), robots=page(), asks=("/next",)),
    Case("robots-bom", page(), -9998, stored=NOTHING, tries=0, robots=reply(b"\xef\xbb\xbf" + ROBOTS_ALL)),
    Case("robots-carriage-returns", page(), -9998, stored=NOTHING, tries=0, robots=reply(ROBOTS_ALL.replace(b"\n", b"\r"))),
    Case("robots-nul", page(), robots=reply(bytes(1000)), asks=("/next",)),
    Case("robots-gzip", page(), -9998, stored=NOTHING, tries=0, robots=reply(gzip.compress(ROBOTS_ALL), b"Content-Encoding: gzip")),
    Case("robots-chunked", page(), -9998, stored=NOTHING, tries=0, robots=OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunked(ROBOTS_ALL)),
    Case("robots-redirect", {"/": page(), "/rules": reply(ROBOTS_ALL)}, -9998, stored=NOTHING, tries=0, asks=("/rules",), robots=redirect(b"/rules", b"301 Moved Permanently")),
    Case("robots-redirect-loop", page(), asks=("/next",), robots=redirect(b"/robots.txt")),
    Case("robots-cut-short", page(), -61, stored=NOTHING, tries=0, robots=OK + b"Content-Length: 500\r\n\r\n" + ROBOTS_ALL),
    Case("robots-endless", page(), -9998, stored=NOTHING, tries=0, robots=endless(OK + b"\r\n" + ROBOTS_ALL, b"# and so on\n" * 1000)),
    Case("robots-rules-too-late", page(), robots=reply(b"# filler\n" * 100_000 + ROBOTS_ALL), asks=("/next",)),
    Case("robots-silent", page(), -61, stored=NOTHING, tries=0, robots=stall(b"")),
    Case("robots-reset", page(), -61, stored=NOTHING, tries=0, robots=abort(b"")),
    Case("robots-crawl-delay", page(), robots=reply(b"User-agent: *\nCrawl-delay: 1\n"), asks=("/next",)),
    Case("robots-crawl-delay-garbage", page(), robots=reply(b"User-agent: *\nCrawl-delay: -inf\nDisallow: /x\n"), asks=("/next",)),
    Case("robots-long-line", page(), -9998, stored=NOTHING, tries=0, robots=reply(b"User-agent: *\n# " + b"x" * 100_000 + b"\nDisallow: /\n")),
]

TLS = [
    Case("tls", page(), asks=("/next",), payload=PAGE, tls="good"),
    Case("tls-expired", page(), asks=("/next",), payload=PAGE, tls="expired"),
    Case("tls-wrong-name", page(), asks=("/next",), payload=PAGE, tls="wrong-name"),
    Case("tls-garbage", page(), -61, stored=NOTHING, tries=0, tls="garbage"),
    Case("tls-hang-up", page(), -61, stored=NOTHING, tries=0, tls="hang-up"),
    Case("tls-silence", page(), -61, stored=NOTHING, tries=0, tls="silence"),
    Case("tls-without-close", abort(page(length=False)), None, words=None, stored=None, asks=None, tls="good"),
]

DOCUMENTS = [
    Case("page-of-nothing-but-tags", page(b"<div>" * 200_000), payload=None),
    Case("page-of-links", page(b"".join(b"<a href=/%d>" % number for number in range(7000))), words=("dol:1000",), asks=None),
    Case("attribute-without-end", page(b"<a href='/next'><a href=\"" + b"x" * 500_000), asks=("/next",)),
    Case("comment-without-end", page(b"<a href='/next'><!-- " + b"<a href=/other>" * 1000), asks=("/next",)),
    Case("script-without-end", page(b"<a href='/next'><script>var a = '" + b"\\'" * 100_000), asks=("/next",)),
    Case("nested-frames", page(b"<a href='/next'>" + b"<iframe srcdoc=\"" * 100), asks=("/next",)),
    Case("nul-bytes", page(b"<a\x00 href='/next'>\x00<a href='/next'>" + bytes(100)), asks=("/next",)),
    Case("utf-16", page("\ufeff<a href='/next'>".encode("utf-16-le"), ), asks=("/next",)),
    Case("charset-unknown", reply(PAGE, b"Content-Type: text/html; charset=klingon"), asks=("/next",)),
    Case("charset-wrong", reply(b"<a href='/n\xe9xt'>", b"Content-Type: text/html; charset=utf-8"), asks=("/n%EF%BF%BDxt",)),
    Case("base-elsewhere", page(b"<base href='/folder/'><a href='next'>"), asks=("/folder/", "/folder/next")),
    Case("base-broken", page(b"<base href='http://['><a href='/next'>"), asks=("/next",)),
    Case("links-of-all-schemes", page(b"<a href='mailto:a@b'><a href='tel:1'><a href='about:blank'><a href='blob:x'><a href='ws://x/'><a href='/next'>"), asks=("/next",)),
    Case("link-with-user", by_base(lambda base: page(b"<a href='" + base.replace(b"http://", b"http://me:secret@") + b"/next'>")), asks=("/next",)),
    Case("link-to-dots", page(b"<a href='/../../../next'><a href='/a/%2e%2e/next'>"), asks=("/next",)),
    Case("link-very-long", page(b"<a href='/" + b"x" * 5000 + b"'><a href='/next'>"), words=("dol:1",), asks=("/next",)),
    Case("binary-as-html", page(os.urandom(100_000)), words=None, asks=None),
    Case("html-as-image", reply(PAGE, b"Content-Type: image/png"), payload=PAGE),
]

GROUPS = {"heads": HEADS, "lengths": LENGTHS, "chunks": CHUNKS, "codings": CODINGS, "redirects": REDIRECTS, "refusals": REFUSALS,
          "robots": ROBOTS, "tls": TLS, "documents": DOCUMENTS}
