"""PNG, as far as these tests write and browsers screenshot: 8 bits a channel, RGB or RGBA, not interlaced (RFC 2083)."""

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def encode(width, height, colour):
    """A rectangle of one colour, (red, green, blue)."""
    rows = (b"\0" + bytes(colour) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def paeth(left, up, corner):
    estimate = left + up - corner
    distances = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
    return (left, up, corner)[distances.index(min(distances))]


def unfilter(method, row, above, step):
    """Undoes a row's filter in place."""
    for i in range(len(row)) if method else ():
        left, up = row[i - step] if i >= step else 0, above[i]
        corner = above[i - step] if i >= step else 0
        row[i] = (row[i] + (0, left, up, (left + up) // 2, paeth(left, up, corner))[method]) & 255


def decode(data):
    """The rows of an image, each a list of (red, green, blue); alpha is left out, a screenshot has none."""
    if data[:8] != SIGNATURE:
        raise ValueError("not a PNG")
    at, packed, header = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        content = data[at + 8:at + 8 + length]
        at += length + 12
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", content)
        elif kind == b"IDAT":
            packed += content
    width, height, depth, kind, _, _, interlaced = header
    if depth != 8 or kind not in (2, 6) or interlaced:
        raise ValueError(f"a kind of PNG that is not read here: {header}")
    step = 3 if kind == 2 else 4
    raw, above, rows = zlib.decompress(packed), bytearray(width * step), []
    for start in range(0, height * (width * step + 1), width * step + 1):
        row = bytearray(raw[start + 1:start + 1 + width * step])
        unfilter(raw[start], row, above, step)
        rows.append(list(zip(row[0::step], row[1::step], row[2::step])))
        above = row
    return rows


def difference(one, other, tolerance=0, strays=0):
    """The box (left, top, right, bottom) in which two images of the same size differ; None where they are the same.

    Pixels count as the same if none of their colours differs by more than `tolerance` (of 255). Images do if no more than
    `strays` pixels differ.
    """
    if one == other:
        return None
    one, other = decode(one), decode(other)
    if (len(one), len(one[0])) != (len(other), len(other[0])):
        raise ValueError("images of different size")

    def differ(a, b):
        return a != b and max(abs(p - q) for p, q in zip(a, b)) > tolerance

    lines = [y for y, (a, b) in enumerate(zip(one, other)) if a != b and any(map(differ, a, b))]
    if not lines:
        return None
    columns = [x for y in lines for x, (a, b) in enumerate(zip(one[y], other[y])) if differ(a, b)]
    return None if len(columns) <= strays else (min(columns), lines[0], max(columns) + 1, lines[-1] + 1)
