"""Cases of the torture server (torture_cases.py) about what answers hold: cookies, codings, directives, walls, and documents of every
format that is searched for links, with links that are known, and with what is meant to break its reader."""

import gzip
import io
import struct
import zipfile
import zlib

from torture_cases import FRONT, HTML, OK, PAGE, Case, endless, page, redirect, reply

KIB = 1024


def document(media_type, body, *fields):
    return reply(body, b"Content-Type: " + media_type, *fields)


def by_base(make):
    """A document that names the server's own address, as its format wants it."""
    return lambda peer: peer.send(make(peer.base.encode())) and None


def with_cookie(*cookies):
    return page(PAGE, *[b"Set-Cookie: " + cookie for cookie in cookies])


def at_most(count):
    return lambda sent: sent.count("=") <= count and "c199=" in sent


# `cookie`: the Cookie that /next is asked with.
COOKIES = [
    Case("cookie", with_cookie(b"a=1"), asks=("/next",), cookie="a=1"),
    Case("cookie-twice", with_cookie(b"a=1", b"b=2", b"a=3"), asks=("/next",), cookie="a=3; b=2"),
    Case("cookie-of-others", with_cookie(b"a=1; Domain=example.org"), asks=("/next",), cookie=""),
    Case("cookie-of-a-suffix", with_cookie(b"a=1; Domain=com"), asks=("/next",), cookie=""),
    Case("cookie-expired", with_cookie(b"a=1; Max-Age=0"), asks=("/next",), cookie=""),
    Case("cookie-expired-by-date", with_cookie(b"a=1; Expires=Thu, 01-Jan-1970 00:00:01 GMT"), asks=("/next",), cookie=""),
    Case("cookie-date-of-garbage", with_cookie(b"a=1; Expires=when it suits"), asks=("/next",), cookie="a=1"),
    Case("cookie-of-another-path", with_cookie(b"a=1; Path=/elsewhere"), asks=("/next",), cookie=""),
    Case("cookie-secure", with_cookie(b"a=1; Secure"), asks=("/next",), cookie=""),
    Case("cookie-of-host-prefix", with_cookie(b"__Host-a=1; Path=/"), asks=("/next",), cookie=""),
    Case("cookie-without-name", with_cookie(b"=1", b"", b";", b"; Path=/"), asks=("/next",), cookie=""),
    Case("cookie-in-latin-1", with_cookie(b"a=d\xe9j\xe0"), asks=("/next",), cookie="a=d\xe9j\xe0"),
    Case("cookie-with-nul", with_cookie(b"a=1\x002"), asks=("/next",), cookie=""),
    Case("cookie-very-long", with_cookie(b"a=" + b"x" * 10_000), asks=("/next",), cookie=""),
    Case("cookies-by-the-hundred", with_cookie(*[b"c%d=%d" % (number, number) for number in range(200)]), asks=("/next",), cookie=at_most(50)),
    Case("cookie-of-a-redirect", redirect(b"/next", fields=(b"Set-Cookie: a=1",)), 302, asks=("/next",), cookie="a=1"),
]


def zstd_raw(data):
    """A frame with one block that is stored."""
    return b"\x28\xb5\x2f\xfd\x20" + bytes([len(data)]) + struct.pack("<I", 1 | len(data) << 3)[:3] + data


def brotli_raw(data):
    """A stored meta-block, and an empty last one."""
    return (((len(data) - 1) << 4) | 1 << 20).to_bytes(3, "little") + data + b"\x03"


CODINGS = [
    Case("zstd", page(zstd_raw(PAGE), b"Content-Encoding: zstd"), asks=("/next",), payload=zstd_raw(PAGE)),
    Case("zstd-cut-short", page(zstd_raw(PAGE)[:-2], b"Content-Encoding: zstd"), words=("decodeProblem",), asks=("/next",)),
    Case("zstd-of-garbage", page(b"\x28\xb5\x2f\xfd" + b"\xff" * 100, b"Content-Encoding: zstd"), words=("decodeProblem",)),
    Case("brotli", page(brotli_raw(PAGE), b"Content-Encoding: br"), asks=("/next",), payload=brotli_raw(PAGE)),
    Case("brotli-cut-short", page(brotli_raw(PAGE)[:-2], b"Content-Encoding: br"), words=("decodeProblem",), asks=("/next",)),
    Case("brotli-of-garbage", page(b"\xff" * 100, b"Content-Encoding: br"), words=("decodeProblem",)),
    Case("codings-by-the-hundred", page(PAGE, b"Content-Encoding: " + b", ".join([b"gzip"] * 100)), words=("unsatisfiableContentEncoding:gzip",) + ("%20gzip",) * 6, asks=("/next",)),
    Case("gzip-in-chunks-of-a-byte", OK + HTML + b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(
        b"1\r\n%c\r\n" % byte for byte in gzip.compress(PAGE)) + b"0\r\n\r\n", asks=("/next",)),
]

DIRECTIVES = [
    Case("x-robots-nofollow", page(PAGE, b"X-Robots-Tag: nofollow"), words=("directives:nofollow",)),
    Case("x-robots-for-others", page(PAGE, b"X-Robots-Tag: otherbot: nofollow"), asks=("/next",)),
    Case("x-robots-for-us", page(PAGE, b"X-Robots-Tag: caddis: noindex, nofollow"), words=("directives:noindex+nofollow",)),
    Case("x-robots-noarchive", page(PAGE, b"X-Robots-Tag: noarchive"), words=("directives:noarchive",), asks=("/next",)),
    Case("x-robots-of-garbage", page(PAGE, b"X-Robots-Tag: " + b":,;" * 1000), asks=("/next",)),
    Case("meta-nofollow", page(b"<meta name=robots content='NOFOLLOW'>" + PAGE), words=("directives:nofollow",)),
    Case("meta-robots-in-script", page(b"<script>'<meta name=robots content=nofollow>'</script>" + PAGE), asks=("/next",)),
]

WALLS = [
    Case("wall-cloudflare", page(b"<title>Just a moment...</title>", b"cf-mitigated: challenge", status=b"403 Forbidden"), 403,
         words=("wall:bot:cloudflare",)),
    Case("wall-with-200", page(b"<title>Just a moment...</title>", b"cf-mitigated: challenge"), words=("wall:bot:cloudflare",)),
]


def archive(**files):
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, body in files.items():
            packed.writestr(name, body)
    return into.getvalue()


def flash(movie):
    return b"CWS\x0a" + struct.pack("<I", 8 + len(movie)) + zlib.compress(movie, 9)


LAUGHS = b"<!DOCTYPE a [" + b"".join(b"<!ENTITY l%d '%s'>" % (n, b"&l%d;" % (n - 1) * 10 if n else b"http://x/" * 10) for n in range(10)) + b"]>"
DOCX = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document"
EVERYONE = b"User-agent: *\nDisallow:\n"


def sitemap_in_robots(path):
    return reply(EVERYONE + b"Sitemap: " + path + b"\n", b"Content-Type: text/plain")


TEXTS = [
    Case("link-field", reply(b"x", b"Content-Type: text/plain", b"Link: </next>; rel=next, </a.css>; rel=stylesheet"), asks=("/a.css", "/next")),
    Case("link-field-of-garbage", reply(b"x", b"Content-Type: text/plain", b"Link: <<<</next>;;;,<>;rel", b"Link: <" + b"x" * 5000)),
    Case("json", document(b"application/json", b'{"items":[{"url":"/next.json"},["/a.png"]]}'), asks=("/a.png", "/next.json")),
    Case("json-nested", document(b"application/json", b"[" * 500_000)),
    Case("json-feed", document(b"application/feed+json", b'{"version":"https://jsonfeed.org/version/1.1","items":[{"url":"/next"}]}'), asks=("/next",)),
    Case("web-manifest", document(b"application/manifest+json", b'{"start_url":"/next","icons":[{"src":"/i.png"}]}'), asks=("/i.png", "/next")),
    Case("xml-laughs", document(b"text/xml", LAUGHS + b"<a>&l9;</a>")),
    Case("xml-of-files", document(b"text/xml", b"<!DOCTYPE a [<!ENTITY f SYSTEM 'file:///etc/passwd'>]><a>&f;</a>")),
    Case("xml-nested", document(b"text/xml", b"<a>" * 300_000)),
    Case("rss", document(b"application/rss+xml", b"<rss><channel><item><link>/next</link></item></channel></rss>"), asks=("/next",)),
    Case("atom", document(b"application/atom+xml", b"<feed xmlns='http://www.w3.org/2005/Atom'><entry><link href='/next'/></entry></feed>"), asks=("/next",)),
    Case("sitemap", {"/": page(b"x"), "/map": document(b"text/xml", b"<urlset><url><loc>/next</loc></url></urlset>")}, robots=sitemap_in_robots(b"/map"),
         asks=("/map", "/next")),
    Case("sitemap-as-html", {"/": page(b"x"), "/map": page(b"<urlset><url><loc>/next</loc></url></urlset>")}, robots=sitemap_in_robots(b"/map"),
         asks=("/map", "/next")),
    Case("sitemap-as-list", {"/": page(b"x"), "/map": by_base(lambda base: document(b"text/plain", b"\xef\xbb\xbf" + base + b"/next\r\n"))}, robots=sitemap_in_robots(b"/map"),
         asks=("/map", "/next")),
    Case("sitemap-packed", {"/": page(b"x"), "/map": document(b"application/octet-stream", gzip.compress(b"<urlset><url><loc>/next</loc></url></urlset>"))},
         robots=sitemap_in_robots(b"/map"), asks=("/map", "/next")),
    Case("sitemap-bomb", {"/": page(b"x"), "/map": document(b"application/gzip", gzip.compress(b"<urlset>" + b"<url>" * 60_000_000))},
         robots=sitemap_in_robots(b"/map"), asks=("/map",)),
    Case("sitemap-of-itself", {"/": page(b"x"), "/map": document(b"text/xml", b"<sitemapindex><sitemap><loc>/map</loc></sitemap></sitemapindex>")},
         robots=sitemap_in_robots(b"/map"), asks=("/map",)),
    Case("oai", by_base(lambda base: document(b"text/xml", b"<OAI-PMH><ListRecords><record><metadata><dc>%b/next</dc></metadata></record></ListRecords></OAI-PMH>" % base)),
         asks=("/next",)),
    Case("listing", document(b"application/xml", b"<ListBucketResult><Name>b</Name><Contents><Key>a b.txt</Key></Contents></ListBucketResult>"), asks=("/a%20b.txt",)),
    Case("svg", document(b"image/svg+xml", b"<svg xmlns:xlink='http://www.w3.org/1999/xlink'><a href='/next'/><image xlink:href='/i.png'/></svg>"), asks=("/i.png", "/next")),
    Case("styles", document(b"text/css", b"@import '/a.css'; b {background: url(/i.png)}"), asks=("/a.css", "/i.png")),
    Case("styles-without-end", document(b"text/css", b"@import '/a.css'; " + b"url(" * 200_000), asks=("/a.css",)),
    Case("script", document(b"text/javascript", b"import '/a.js'; x = '/i.png'\n//# sourceMappingURL=/a.map"), asks=("/a.js", "/a.map", "/i.png")),
    Case("script-file-without-end", document(b"text/javascript", b"import '/a.js'; x = `" + b"${`" * 100_000), asks=("/a.js",)),
    Case("script-of-slashes", document(b"text/javascript", b"import '/a.js'; " + b"= /[" * 100_000), asks=("/a.js",)),
    Case("hls", document(b"application/vnd.apple.mpegurl", b"#EXTM3U\n#EXTINF:1,\n/1.ts\n#EXT-X-KEY:METHOD=AES-128,URI=\"/k\"\n"), asks=("/1.ts", "/k")),
    Case("hls-of-itself", document(b"application/vnd.apple.mpegurl", b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/\n" * 1000)),
    Case("dash", document(b"application/dash+xml", b"<MPD mediaPresentationDuration='PT2S'><Period><AdaptationSet><SegmentTemplate media='/$Number$.m4s' duration='1'/>"
                          b"<Representation id='a'/></AdaptationSet></Period></MPD>"), asks=("/1.m4s", "/2.m4s")),
    Case("subtitles", document(b"text/vtt", b"WEBVTT\n\n00:00.000 --> 00:01.000\n/s.jpg#xywh=0,0,1,1\n"), asks=("/s.jpg",)),
    Case("calendar", by_base(lambda base: document(b"text/calendar", b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nURL:%b/next\r\nATTACH:%b/a.\r\n pdf\r\nEND:VEVENT\r\n" % (base, base))), asks=("/a.pdf", "/next")),
    Case("card", by_base(lambda base: document(b"text/vcard", b"BEGIN:VCARD\r\nPHOTO:%b/i.png\r\nURL:%b/next\r\nEND:VCARD\r\n" % (base, base))), asks=("/i.png", "/next")),
    Case("lines-folded-for-ever", by_base(lambda base: document(b"text/calendar", b"BEGIN:VCALENDAR\r\nURL:%b/next\r\nDESCRIPTION:" % base + b"\r\n x" * 200_000)), asks=("/next",)),
    Case("mhtml", document(b"multipart/related; boundary=b", b"--b\r\nContent-Type: text/html\r\n\r\n<a href='/next'>\r\n--b--\r\n"), asks=("/next",)),
    Case("mhtml-nested", document(b"multipart/related; boundary=b", b"--b\r\nContent-Type: multipart/related; boundary=b\r\n\r\n" * 10_000)),
    Case("playlist-without-end", endless(OK + b"Content-Type: application/vnd.apple.mpegurl\r\n\r\n#EXTM3U\n", b"#EXTINF:1,\n" * 10_000),
         words=("lenTrunc",), cut="length", stored=FRONT),
]

BINARIES = [
    Case("pdf-of-garbage", document(b"application/pdf", b"%PDF-1.7\n" + b"<< /A " * 100_000), words=("documentProblem",)),
    Case("pdf-cut-short", document(b"application/pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog"), words=("documentProblem",)),
    Case("docx", by_base(lambda base: document(DOCX, archive(**{"[Content_Types].xml": b"<Types/>", "word/_rels/document.xml.rels":
        b"<Relationships><Relationship Type='http://x/hyperlink' TargetMode='External' Target='%b/next'/></Relationships>" % base}))), asks=("/next",)),
    Case("docx-cut-short", document(DOCX, archive(**{"[Content_Types].xml": "<Types/>" * 100})[:-40]), words=("documentProblem",)),
    Case("docx-bomb", document(DOCX, archive(**{"[Content_Types].xml": "<Types/>", "word/document.xml": b"<a>" * 100_000_000})), words=("documentProblem",)),
    Case("rtf", document(b"application/rtf", rb'{\rtf1 {\field{\*\fldinst HYPERLINK "/next"}}}'), asks=("/next",)),
    Case("rtf-nested", document(b"application/rtf", rb"{\rtf1 " + b"{" * 500_000), words=("documentProblem",)),
    Case("doc-of-garbage", document(b"application/msword", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 5000), words=("documentProblem",)),
    Case("swf-of-garbage", document(b"application/x-shockwave-flash", flash(b"\xff" * 5000)), words=("documentProblem",)),
    Case("swf-bomb", document(b"application/x-shockwave-flash", flash(bytes(300_000_000))), words=("documentProblem",)),
]

GROUPS = {"cookies": COOKIES, "more-codings": CODINGS, "directives": DIRECTIVES, "walls": WALLS, "texts": TEXTS, "binaries": BINARIES}
