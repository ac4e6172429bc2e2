"""An independent reader of the WARC files that Caddis writes: strict, in nothing but the standard library.

Every record is a gzip member of its own; both digests are computed again. Whatever is off raises BadArchive.
"""

import base64
import gzip
import hashlib
import zlib
from dataclasses import dataclass


class BadArchive(Exception):
    pass


@dataclass
class Record:
    file: str
    offset: int
    length: int
    fields: dict
    block: bytes
    original: "Record" = None  # of a revisit, once it is resolved

    @property
    def type(self):
        return self.fields["warc-type"]

    @property
    def url(self):
        return self.fields.get("warc-target-uri", "")

    def http(self):
        """(status, fields, entity body without transfer coding)"""
        head, _, body = self.block.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        if self.original:
            if body:
                raise BadArchive(f"{self.url}: a revisit with a body")
            return int(lines[0].split(" ")[1]), fields, self.original.http()[2]
        if fields.get("transfer-encoding", "").lower() == "chunked":
            body = dechunk(body)
        elif "content-length" in fields and len(body) != int(fields["content-length"]):
            raise BadArchive(f"{self.url}: {len(body)} bytes of body, Content-Length says {fields['content-length']}")
        return int(lines[0].split(" ")[1]), fields, body

    def body(self):
        _, fields, body = self.http()
        return gzip.decompress(body) if fields.get("content-encoding") == "gzip" else body


def dechunk(body):
    out, at = b"", 0
    while True:
        end = body.index(b"\r\n", at)
        size = int(body[at:end].split(b";")[0], 16)
        at = end + 2
        out += body[at:at + size]
        if body[at + size:at + size + 2] != b"\r\n":
            raise BadArchive("a chunk without its end")
        at += size + 2
        if size == 0:
            if at != len(body):
                raise BadArchive("bytes behind the last chunk")
            return out


def digest_like(field, data):
    """The digest of the data, by the algorithm that a field names."""
    name = field.partition(":")[0]
    return name + ":" + base64.b32encode(hashlib.new(name, data).digest()).decode().rstrip("=")


def plain_date(text):
    """Without a fraction that is nothing: the same moment."""
    return text.replace(".000Z", "Z")


def resolve(records):
    """Gives each revisit the response (by FTP and the like: the resource) that it names: there is one, with that URL, date and payload."""
    responses = {record.fields["warc-record-id"]: record for record in records if record.type in ("response", "resource")}
    for record in records:
        if record.type != "revisit":
            continue
        where = f"{record.file} at {record.offset}: the revisit of {record.url}"
        original = responses.get(record.fields["warc-refers-to"])
        if original is None:
            raise BadArchive(f"{where} names a response that is not there")
        for name, field in (("warc-target-uri", "warc-refers-to-target-uri"), ("warc-date", "warc-refers-to-date"),
                            ("warc-payload-digest", "warc-payload-digest")):
            if plain_date(original.fields[name]) != plain_date(record.fields[field]):
                raise BadArchive(f"{where}: {field} is {record.fields[field]}, not {original.fields[name]}")
        record.original = original
    return records


def parse_record(file, offset, length, data, is_sound):
    where = f"{file} at {offset}"
    head, found, rest = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    if not found or not lines[0].startswith("WARC/1."):
        raise BadArchive(f"{where}: no record begins here")
    fields = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        name, value = name.lower(), value.strip()
        if not colon or name in fields and name not in ("warc-concurrent-to", "warc-protocol"):
            raise BadArchive(f"{where}: header line {line!r}")
        if name == "warc-protocol" and name in fields:
            value = f"{fields[name]}, {value}"
        fields[name] = value
    size = int(fields["content-length"])
    if len(rest) != size + 4 or rest[size:] != b"\r\n\r\n":
        raise BadArchive(f"{where}: the block is not as long as Content-Length says")
    for name in ("warc-type", "warc-record-id", "warc-date"):
        if name not in fields:
            raise BadArchive(f"{where}: no {name}")
    record = Record(file, offset, length, fields, rest[:size])
    written = fields.get("warc-block-digest", "sha1:")
    if written != digest_like(written, record.block):
        raise BadArchive(f"{where}: block digest of {record.url}")
    if record.type == "response" and is_sound:
        payload = record.http()[2]
        written = fields.get("warc-payload-digest", "sha1:")
        if written != digest_like(written, payload):
            raise BadArchive(f"{where}: payload digest of {record.url}")
    return record


def read_file(path, is_sound=True):
    """The records of a file. `is_sound`: the responses in it are HTTP without a flaw, so that their payload digests can be held against
    what is read here."""
    data = path.read_bytes()
    at, records = 0, []
    while at < len(data):
        member = zlib.decompressobj(31)
        try:
            plain = member.decompress(data[at:])
        except zlib.error as error:
            raise BadArchive(f"{path.name} at {at}: {error}") from error
        if not member.eof:
            raise BadArchive(f"{path.name} at {at}: the file ends within a record")
        length = len(data) - at - len(member.unused_data)
        records.append(parse_record(path.name, at, length, plain, is_sound))
        at += length
    if not records or records[0].type != "warcinfo" or any(record.type == "warcinfo" for record in records[1:]):
        raise BadArchive(f"{path.name}: a file has one warcinfo record, its first")
    return records
