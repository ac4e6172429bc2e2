"""Cases of the torture server (torture_cases.py) that speak HTTP/2: each sends the frames that it names behind the first request of a
connection, whose path is "/" (robots.txt is not asked for there). Its record is the rendition in HTTP/1.1.

A client that asks in HTTP/1.1, since it has given HTTP/2 up, gets the plain page.
"""

import struct

from torture_cases import NOTHING, PAGE, Case, page

DATA, HEADERS, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 5, 6, 7, 8, 9
END_STREAM, END_HEADERS, PADDED, PRIORITY = 1, 4, 8, 32
PATH_OF_ROOT = 0x84  # of the static table
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
OK_FIELD = b"\x88"  # :status 200, of the static table
HEAD = b"HTTP/1.1 200 \r\ncontent-type: text/html\r\n\r\n"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def field(name, value):
    """A literal that no table takes."""
    assert len(name) < 127 and len(value) < 127
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


HTML_HEAD = OK_FIELD + field(b"content-type", b"text/html")


def number(block, at, bits):
    """An integer of HPACK whose first byte has so many bits of it, and where it ends."""
    most = (1 << bits) - 1
    value, at, shift = block[at] & most, at + 1, 0
    if value < most:
        return value, at
    while True:
        byte, at = block[at], at + 1
        value += (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def indexed_fields(block):
    """The fields of a head that are numbers of a table, as its bytes: what is spelled out is passed by."""
    found, at = [], 0
    while at < len(block):
        first = block[at]
        if first >= 0x80:
            found.append(0x80 | number(block, at, 7)[0])
            at = number(block, at, 7)[1]
            continue
        if first & 0xe0 == 0x20:  # the size of the table
            at = number(block, at, 5)[1]
            continue
        name, at = number(block, at, 6 if first & 0x40 else 4)
        for _ in range(1 if name else 2):
            length, at = number(block, at, 7)
            at += length
    return found


class Speaker:
    """Reads a client's frames up to the end of its request, and answers."""

    def __init__(self, connection):
        self.connection, self.read = connection, b""

    def take(self, size):
        while len(self.read) < size:
            part = self.connection.recv(65536)
            if not part:
                raise OSError("the client has left")
            self.read += part
        taken, self.read = self.read[:size], self.read[size:]
        return taken

    def request(self):
        """Returns the path and the stream of the next request: "/" has a number of its own, of others there is one."""
        while True:
            head = self.take(9)
            block = self.take(int.from_bytes(head[:3], "big"))
            kind, flags, stream = head[3], head[4], int.from_bytes(head[5:9], "big")
            if kind == SETTINGS and not flags & 1:
                self.connection.sendall(frame(SETTINGS, 1, 0))
            if kind == HEADERS:
                return "/" if PATH_OF_ROOT in indexed_fields(block[5 if flags & PRIORITY else 0:]) else "/next", stream

    def begin(self):
        self.take(len(PREFACE))
        self.connection.sendall(frame(SETTINGS, 0, 0))


def frames(*makers, then="wait"):
    """An answer of these frames, each made for the stream of the request; then the server waits, or leaves ("end")."""
    def answer(peer, stream):
        for make in makers:
            if not peer.send(make(stream)):
                return
        if then == "wait":
            peer.wait_for_end()
        return then
    return answer


def flood(*makers, of):
    def answer(peer, stream):
        for make in makers:
            peer.send(make(stream))
        more = of(stream) * 200
        while peer.send(more):
            pass
    return answer


def head(block=HTML_HEAD, flags=END_HEADERS):
    return lambda stream: frame(HEADERS, flags, stream, block)


def data(body=PAGE, flags=END_STREAM):
    return lambda stream: frame(DATA, flags, stream, body)


def raw(kind, flags, payload=b"", stream=0):
    return lambda _: frame(kind, flags, stream, payload)


WHOLE = HEAD + PAGE


def next_page(peer, stream):
    peer.send(frame(HEADERS, END_HEADERS, stream, OK_FIELD + field(b"content-type", b"text/plain")))
    peer.send(frame(DATA, END_STREAM, stream, b"next"))
    return "keep"


def case(name, answer, **more):
    return Case("h2-" + name, answer, tls="h2", answer_next=next_page, **more)


# The client asks again in HTTP/1.1.
FALLS_BACK = {"stored": page(), "asks": ("/next",), "tries": None}
NO_ANSWER = {"status": -3, "stored": NOTHING}


def broken_off(stored, asks=()):
    return {"words": ("2t", "h2", "disconnectTrunc"), "cut": "disconnect", "stored": stored, "asks": asks, "tries": 2}

HTTP2 = [
    case("plain", frames(head(), data(), then="keep"), words=("h2",), stored=WHOLE, payload=PAGE, asks=("/next",)),
    case("padded", frames(head(), lambda s: frame(DATA, PADDED | END_STREAM, s, b"\x05" + PAGE + bytes(5)), then="keep"), words=("h2",), stored=WHOLE, payload=PAGE, asks=("/next",)),
    case("byte-by-byte", frames(head(), *[data(PAGE[at:at + 1], 0) for at in range(len(PAGE))], data(b""), then="keep"), words=("h2",), stored=WHOLE, payload=PAGE, asks=("/next",)),
    case("interim", frames(head(b"\x08\x03103"), head(), data(), then="keep"), words=("h2",), stored=WHOLE, payload=PAGE, asks=("/next",)),
    case("trailers", frames(head(), data(PAGE, 0), head(field(b"x-trailer", b"1"), END_HEADERS | END_STREAM), then="keep"), words=("h2", "httpProblem"), stored=WHOLE, payload=PAGE, asks=("/next",)),
    case("reset-in-the-body", frames(head(), data(PAGE, 0), lambda s: frame(RST_STREAM, 0, s, b"\0\0\0\x08")), **broken_off(WHOLE, asks=("/next",))),
    case("hang-up-in-the-body", frames(head(), data(PAGE, 0), then="end"), **broken_off(WHOLE, asks=("/next",))),
    case("stalled-body", frames(head(), data(PAGE, 0)), words=("h2", "timeTrunc"), cut="time", stored=WHOLE, asks=("/next",)),
    case("length-too-long", frames(head(HTML_HEAD + field(b"content-length", b"5000")), data()), **broken_off(b"HTTP/1.1 200 \r\ncontent-type: text/html\r\ncontent-length: 5000\r\n\r\n" + PAGE, asks=("/next",))),
    case("silence", frames(), status=-4, stored=NOTHING),
    case("no-status", frames(head(field(b"content-type", b"text/html")), data()), **NO_ANSWER),
    case("upper-case-field", frames(head(OK_FIELD + field(b"X-Upper", b"1")), data()), **FALLS_BACK),
    case("line-end-in-field", frames(head(OK_FIELD + field(b"x-split", b"a\r\nx-other: b")), data()), words=("h2", "httpProblem"), stored=b"HTTP/1.1 200 \r\n\r\n" + PAGE, asks=("/next",)),
    case("data-before-head", frames(data()), **FALLS_BACK),
    case("broken-head", frames(head(b"\xff" * 20), data()), **FALLS_BACK),
    case("head-bomb", frames(head(OK_FIELD + b"\x40\x01x\x7f\xa1\x1e" + b"v" * 4000 + b"\xbe" * 10_000)), words=("h2", "headerTrunc"), cut="length",
         stored=(b"HTTP/1.1 200 \r\n" + (b"x: " + b"v" * 4000 + b"\r\n") * 17)[:64 << 10]),
    case("frame-too-large", frames(head(), data(b"x" * 20_000)), **broken_off(HEAD)),
    case("push", frames(raw(PUSH_PROMISE, END_HEADERS, b"\0\0\0\x02", 1), head(), data()), **FALLS_BACK),
    case("flood-of-pings", flood(of=raw(PING, 0, b"12345678")), **NO_ANSWER),
    case("flood-of-settings", flood(of=raw(SETTINGS, 0)), **NO_ANSWER),
    case("flood-of-continuations", flood(head(OK_FIELD, 0), of=lambda s: frame(CONTINUATION, 0, s, field(b"x", b"y"))), **FALLS_BACK),
    case("flood-of-empty-data", flood(head(), of=data(b"", 0)), **broken_off(HEAD)),
    case("flood-of-windows", flood(of=raw(WINDOW_UPDATE, 0, b"\0\0\0\x01")), **NO_ANSWER),
    case("endless-body", flood(head(), of=data(b"x" * 10_000, 0)), words=("h2", "lenTrunc"), cut="length", stored=HEAD + b"x" * (4 << 20)),
    case("leaves-at-once", frames(raw(GOAWAY, 0, bytes(8)), then="end"), **NO_ANSWER),
]

GROUPS = {"http2": HTTP2}
