#!/usr/bin/env python3
"""Records and captures that lie elsewhere: several folders, a path index, nginx, a store that speaks S3 and checks signatures; indexes
of other servers (ours, pywb, CDX of 7 fields, TimeMaps, TimeGates), also such as do not answer."""

import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import re
import shutil
import socket
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import urllib.parse

import harness
import local_site
import peers
from dated_archive import DatedArchive

PAGE, OTHER, LARGE = "http://example.org/", "http://other.org/a", "http://example.org/large.bin"
TIMES = ("20200101000000", "20210101000000", "20220101000000")
BULK = bytes(range(256)) * 40_000  # 10 MB
CAPTURES = [*((PAGE, stamp, f"<title>of {stamp}</title>".encode()) for stamp in TIMES), (OTHER, TIMES[1], b"<title>other</title>")]
KEY_ID, SECRET = "AKIAEXAMPLE", "a/secret+of=the+store"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def start(test, answer):
    """A server of that function of a handler; it ends with the test. `asked` has the requests."""
    asked = []

    def do_get(handler):
        asked.append((handler.path, dict(handler.headers)))
        answer(handler)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), type("Server", (Handler,), {"do_GET": do_get}))
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # whoever has enough of an answer goes away
    threading.Thread(target=server.serve_forever, daemon=True).start()
    test.addCleanup(server.server_close)
    test.addCleanup(server.shutdown)
    server.asked = asked
    return server


def reply_with_range(handler, body):
    found = re.fullmatch(r"bytes=(\d+)-(\d+)", handler.headers.get("Range", ""))
    if not found:
        return handler.reply(200, body)
    first, last = int(found[1]), min(int(found[2]), len(body) - 1)
    if first >= len(body):
        return handler.reply(416)
    return handler.reply(206, body[first:last + 1], Content_Range=f"bytes {first}-{last}/{len(body)}")


class Store:
    """What S3 says to a GET of objects: {bucket: {key: bytes}}. It knows one user, and verifies the signature by its specification."""

    def __init__(self, objects, region="eu-test-1"):
        self.objects, self.region = objects, region

    def __call__(self, handler):
        if not self.is_signed(handler):
            return handler.reply(403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>")
        path = urllib.parse.unquote(handler.path.lstrip("/"))
        host = handler.headers["Host"].split(":")[0]
        bucket, _, key = path.partition("/")
        if host.endswith(".localhost"):
            bucket, key = host.removesuffix(".localhost"), path
        body = self.objects.get(bucket, {}).get(key)
        return handler.reply(404, b"<Error><Code>NoSuchKey</Code></Error>") if body is None else reply_with_range(handler, body)

    def is_signed(self, handler):
        found = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request,\s*SignedHeaders=([^,]+),\s*Signature=(\w+)",
                             handler.headers.get("Authorization", ""))
        if not found or found[1] != KEY_ID or found[3] != self.region:
            return False
        _, day, region, names, signature = found.groups()
        if not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(names.split(";")):
            return False
        path, _, query = handler.path.partition("?")
        lines = "".join(f"{name}:{' '.join(handler.headers[name].split())}\n" for name in names.split(";"))
        request = "\n".join(["GET", path, query, lines, names, handler.headers["x-amz-content-sha256"]])
        stamp = handler.headers["x-amz-date"]
        text = "\n".join(["AWS4-HMAC-SHA256", stamp, f"{day}/{region}/s3/aws4_request", hashlib.sha256(request.encode()).hexdigest()])
        key = f"AWS4{SECRET}".encode()
        for part in (day, region, "s3", "aws4_request"):
            key = hmac.new(key, part.encode(), "sha256").digest()
        is_new = abs(time.mktime(time.strptime(stamp, "%Y%m%dT%H%M%SZ")) - time.mktime(time.gmtime())) < 900
        return is_new and stamp.startswith(day) and hmac.new(key, text.encode(), "sha256").hexdigest() == signature


class SourcesTest(unittest.TestCase):
    CAPTURES = CAPTURES

    def setUp(self):
        self.archive = DatedArchive(self, self.CAPTURES)
        self.ask = self.archive.ask
        self.archive.caddis("index", "add", self.archive.path / "archive/a.warc", "--collection", self.archive.path)
        self.elsewhere = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.elsewhere.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.elsewhere)

    def move(self, to="a.warc"):
        """The archive file lies elsewhere from now on; its bytes."""
        target = self.elsewhere / to
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(self.archive.path / "archive/a.warc", target)
        return target.read_bytes()

    def sources(self, text):
        (self.archive.path / "sources.yaml").write_text(text)

    def nginx(self, folder):
        port = local_site.free_port()
        work = self.elsewhere / "nginx"
        work.mkdir()
        work.chmod(0o777)
        server = local_site.start_nginx(work, port, f"server {{ listen 127.0.0.1:{port}; root {folder}; }}")
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        return f"http://127.0.0.1:{port}/", work / "access.log"

    def shown(self, stamp=TIMES[0], url=PAGE):
        return self.ask(f"/c/{stamp}id_/{url}")[2]

    def check_replay(self):
        for url, stamp, body in self.CAPTURES[:4]:
            self.assertEqual(self.shown(stamp, url), body.decode())


class RecordsTest(SourcesTest):
    def test_folders_and_a_path_index(self):
        body = self.move("old/a.warc")
        empty = self.elsewhere / "empty"
        empty.mkdir()
        self.sources(f"archives:\n  - folder: {empty}\n  - folder: {self.elsewhere}/old\n")
        server = self.archive.serve()
        self.check_replay()
        harness.kill(server)
        # By a path index: one that is not there, an address, a path.
        address, log = self.nginx(self.elsewhere / "old")
        index = self.archive.path / "paths.txt"
        index.write_text("".join(sorted([f"a.warc\t/nowhere/a.warc\t{address}a.warc\n", *(f"b{i}.warc\t/x/b{i}.warc\n" for i in range(5000))])))
        self.sources("archives:\n  - path-index: paths.txt\n")
        self.archive.serve()
        self.check_replay()
        self.assertIn("/a.warc", log.read_text())
        # It is followed when it changes.
        index.write_text(f"a.warc\t{self.elsewhere}/old/other.warc\n")
        (self.elsewhere / "old/other.warc").write_bytes(body)
        (self.elsewhere / "old/a.warc").unlink()
        self.check_replay()

    def test_a_path_index_that_is_not_sorted_is_refused(self):
        (self.archive.path / "paths.txt").write_text("b\t/x\na\t/y\n")
        self.sources("archives:\n  - path-index: paths.txt\n")
        self.assertIn("not sorted", self.archive.caddis("serve", self.archive.path, "--listen", "127.0.0.1:0", code=2))

    def test_a_file_of_sources_for_all(self):
        self.move()
        file = self.elsewhere / "sources.yaml"
        file.write_text("archives:\n  - folder: .\n")
        self.archive.serve(None, "--sources", file)
        self.check_replay()

    def test_faults_of_the_file_are_told_with_their_line(self):
        for text, word in (("archives:\n  - web: ftp://x/\n", "sources.yaml:2: 'ftp://x/': an address of http or https"),
                           ("archives:\n  - s3: bucket\n", "sources.yaml:2: a place of S3 is written s3://BUCKET/FOLDER/"),
                           ("archives:\n  - web: http://u:p@x/\n", "an address with a user is not taken"),
                           ("archives:\n  - folder: x\n    fold: y\n", "sources.yaml:3: 'fold' is not known here"),
                           ("indexes:\n  - cdx: http://x/\n    most: no\n", "is no number of captures")):
            self.sources(text)
            said = self.archive.caddis("serve", self.archive.path, "--listen", "127.0.0.1:0", code=2)
            self.assertIn(word, said)
            self.assertNotIn("u:p", said)

    def test_s3_in_both_styles_with_signatures_that_are_verified(self):
        body = self.move()
        store = start(self, Store({"warcs": {"crawls/2020 a+b/a.warc": body}}))
        port = store.server_address[1]
        credentials = self.elsewhere / "credentials"
        credentials.write_text(f"[other]\naws_access_key_id = {KEY_ID}\naws_secret_access_key = {SECRET}\n")
        place = "archives:\n  - s3: s3://warcs/crawls/2020 a+b\n    region: eu-test-1\n"
        profile = f"    credentials: {credentials}\n    profile: other\n"
        for style, endpoint in (("path", f"http://127.0.0.1:{port}"), ("host", f"http://localhost:{port}")):
            self.sources(place + f"    endpoint: {endpoint}\n    style: {style}\n" + profile)
            server = self.archive.serve()
            self.check_replay()
            harness.kill(server)
        # From the environment; and a wrong key is told of, without it.
        self.sources(place + f"    endpoint: http://127.0.0.1:{port}\n")
        with unittest.mock.patch.dict(os.environ, AWS_ACCESS_KEY_ID=KEY_ID, AWS_SECRET_ACCESS_KEY=SECRET):
            server = self.archive.serve()
        self.check_replay()
        harness.kill(server)
        with unittest.mock.patch.dict(os.environ, AWS_ACCESS_KEY_ID=KEY_ID, AWS_SECRET_ACCESS_KEY="wrong"):
            self.archive.serve()
        status, _, said = self.ask(f"/c/{TIMES[0]}id_/{PAGE}")
        self.assertEqual(status, 503)
        self.assertIn("s3://warcs/crawls/2020 a+b/", said)
        self.assertIn("(403): look at its rules and the credentials", said)
        self.assertNotIn("wrong", said)
        self.assertNotIn(KEY_ID, said)

    def test_the_next_place_is_tried_and_each_failure_told(self):
        body = self.move()
        whole = start(self, lambda handler: handler.reply(200, b"x" * 200_000))  # knows no ranges
        broken = start(self, lambda handler: handler.reply(500))
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            closed = taken.getsockname()[1]
        places = [f"http://127.0.0.1:{server.server_address[1]}/" for server in (whole, broken)] + [f"http://127.0.0.1:{closed}/"]
        lines = "archives:\n" + "".join(f"  - web: {place}\n" for place in places)
        self.sources(lines)
        server = self.archive.serve()
        said = self.ask(f"/c/{TIMES[0]}id_/{PAGE}")[2]
        for word in ("a.warc: the index names this archive file, but it is not there", "gives no ranges of files",
                     "answers with status 500", *places):
            self.assertIn(word, said)
        # Who fails is left alone for a while.
        self.ask(f"/c/{TIMES[1]}id_/{PAGE}")
        self.assertEqual(len(broken.asked), 1)
        harness.kill(server)
        sound = start(self, lambda handler: reply_with_range(handler, body))
        self.sources(lines + f"  - web: http://127.0.0.1:{sound.server_address[1]}/\n")
        self.archive.serve()
        self.check_replay()


class LargeTest(SourcesTest):
    CAPTURES = [*CAPTURES, (LARGE, TIMES[0], BULK, "application/octet-stream")]

    def test_a_range_costs_its_range(self):
        body = self.move()
        address, _ = self.nginx(self.elsewhere)
        self.sources(f"archives:\n  - web: {address}\n")
        server = self.archive.serve()
        self.check_replay()
        path = f"/c/{TIMES[0]}id_/{LARGE}"
        status, headers, _ = self.ask(path, Range="bytes=9000000-9000999")
        self.assertEqual((status, headers["Content-Range"]), (206, f"bytes 9000000-9000999/{len(BULK)}"))
        self.assertEqual(self.get(path, 9_000_000, 9_000_999), BULK[9_000_000:9_001_000])
        self.assertEqual(self.get(path), BULK)
        harness.kill(server)
        # Counted: what is read of the file, and in how many requests.
        counting = start(self, lambda handler: reply_with_range(handler, body))

        def cost():
            ranges = [re.search(r"(\d+)-(\d+)", headers["Range"]) for _, headers in counting.asked]
            counting.asked.clear()
            return sum(int(one[2]) - int(one[1]) + 1 for one in ranges), len(ranges)
        self.sources(f"archives:\n  - web: http://127.0.0.1:{counting.server_address[1]}/\n")
        self.archive.serve()
        self.assertEqual(self.get(path, 9_000_000, 9_000_999), BULK[9_000_000:9_001_000])
        read, requests = cost()
        self.assertLess(read, 2_200_000)
        self.assertLess(requests, 8)
        self.assertEqual(self.shown(), self.CAPTURES[0][2].decode())
        self.assertLess(cost()[0], 2_000)
        self.assertEqual(self.get(path), BULK)
        read, requests = cost()
        self.assertLess(read, 1.2 * len(body))
        self.assertLess(requests, 20)

    def get(self, path, first=None, last=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.archive.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("GET", path, headers={} if first is None else {"Range": f"bytes={first}-{last}"})
        return connection.getresponse().read()


class IndexesTest(SourcesTest):
    """Another archive has what ours has not."""

    def setUp(self):
        super().setUp()
        self.more = [(PAGE, "20210701000000", b"<title>of another</title>"), ("http://third.org/x", TIMES[0], b"<title>third</title>")]
        self.other = DatedArchive(self, self.more)
        self.other.caddis("index", "add", self.other.path / "archive/a.warc", "--collection", self.other.path)
        # Names of files say where they lie, so each has its own.
        (self.other.path / "archive/a.warc").rename(self.other.path / "archive/b.warc")
        index = self.other.path / "indexes/index.cdxj"
        index.write_text(index.read_text().replace("a.warc", "b.warc"))
        self.other.serve()
        self.address = f"http://127.0.0.1:{self.other.port}/c"

    def stamps(self, query=PAGE):
        return re.findall(r"^\S+ (\d{14}) ", self.ask(f"/c/cdx?url={query}")[2], re.M)

    def check_both(self):
        self.assertEqual(self.stamps(), [TIMES[0], TIMES[1], "20210701000000", TIMES[2]])
        self.assertEqual(self.shown("20210701000000"), "<title>of another</title>")
        self.assertEqual(self.shown("20210601000000"), "<title>of another</title>")  # the nearest
        self.assertEqual(self.shown(TIMES[1]), f"<title>of {TIMES[1]}</title>")
        self.assertEqual(self.shown(TIMES[0], "http://third.org/x"), "<title>third</title>")
        self.assertIn("20210701000000", self.ask(f"/c/timemap/link/{PAGE}")[2])
        self.assertIn("20210701000000", self.ask(f"/c/timegate/{PAGE}", Accept_Datetime="Thu, 01 Jul 2021 00:00:00 GMT")[1]["Location"])

    def test_cdx_apis_with_records_of_the_other_archive(self):
        for api in ("/cdx", "/cdx/search/cdx", ""):
            self.sources(f"indexes:\n  - cdx: {self.address}{api}\n    name: partner\n    mementos: {self.address}/\n")
            server = self.archive.serve()
            self.check_both()
            self.assertIn('"source": "partner"', self.ask(f"/c/cdx?url={PAGE}")[2])
            self.assertEqual(self.stamps("third.org/*"), [TIMES[0]])
            self.assertEqual(self.ask("/c/info?url=http://third.org/x&time=" + TIMES[0])[0], 200)
            harness.kill(server)

    def test_a_cdx_api_with_records_in_files(self):
        self.sources(f"archives:\n  - folder: {self.other.path}/archive\nindexes:\n  - cdx: {self.address}/cdx\n")
        self.archive.serve()
        self.check_both()

    def test_timemaps_and_timegates(self):
        for line in (f"timemap: {self.address}/timemap/link/", f"timegate: {self.address}/timegate/{{url}}"):
            self.sources(f"indexes:\n  - {line}\n")
            server = self.archive.serve()
            self.check_both()
            harness.kill(server)

    def test_a_collection_that_has_nothing_of_its_own(self):
        folder = self.elsewhere / "c"
        folder.mkdir()
        (folder / "sources.yaml").write_text(f"indexes:\n  - cdx: {self.address}/cdx\n    mementos: {self.address}/\n")
        self.archive.serve(folder)
        self.assertEqual(self.stamps(), ["20210701000000"])
        self.assertEqual(self.shown("20210701000000"), "<title>of another</title>")

    def test_rules_hold_for_what_others_have(self):
        self.sources(f"indexes:\n  - cdx: {self.address}/cdx\n    mementos: {self.address}/\n")
        (self.archive.path / "access.yaml").write_text("rules:\n  - {id: a, verdict: exclude, url: 'http://example.org/', captured: 2021-07}\n")
        self.archive.serve()
        self.assertEqual(self.stamps(), list(TIMES))
        self.assertEqual(self.shown("20210701000000"), f"<title>of {TIMES[1]}</title>")

    def test_who_does_not_answer_does_not_stop_the_answer(self):
        silent = start(self, lambda handler: time.sleep(30))
        refusing = start(self, lambda handler: handler.reply(503))
        places = [f"http://127.0.0.1:{server.server_address[1]}" for server in (silent, refusing)]
        self.sources("indexes:\n" + f"  - cdx: {places[0]}/cdx\n    name: silent\n    timeout: 1s\n"
                     + f"  - timemap: {places[1]}/timemap/\n    name: refusing\n"
                     + f"  - cdx: {self.address}/cdx\n    mementos: {self.address}/\n")
        self.archive.serve()
        begun = time.monotonic()
        status, headers, body = self.ask(f"/c/cdx?url={PAGE}")
        took = time.monotonic() - begun
        self.assertEqual((status, body.count("\n")), (200, 4))
        self.assertLess(took, 15)
        told = headers["Caddis-Incomplete"]
        self.assertIn("silent: ", told)
        self.assertIn("refusing: ", told)
        # They are left alone for a while.
        begun = time.monotonic()
        self.check_both()
        self.assertLess(time.monotonic() - begun, 10)
        self.assertEqual((len(silent.asked), len(refusing.asked)), (1, 1))

    def test_an_index_cannot_send_us_anywhere(self):
        trap = start(self, lambda handler: handler.reply(200, b"<title>secret</title>", Memento_Datetime="Wed, 01 Jan 2020 00:00:00 GMT"))
        secret = f"http://127.0.0.1:{trap.server_address[1]}/secret"
        line = json.dumps({"url": "http://evil.org/", "mime": "text/html", "status": "200", "length": "10", "offset": "0", "filename": secret})
        evil = start(self, lambda handler: handler.reply(200, f"org,evil)/ {TIMES[0]} {line}\n".encode()))
        links = f'<{secret}>; rel="memento"; datetime="Wed, 01 Jan 2020 00:00:00 GMT",<{secret}/map>; rel="timemap"'
        timemap = start(self, lambda handler: handler.reply(200, links.encode()))
        self.sources(f"indexes:\n  - cdx: http://127.0.0.1:{evil.server_address[1]}/cdx\n"
                     f"  - timemap: http://127.0.0.1:{timemap.server_address[1]}/\n")
        self.archive.serve()
        self.assertEqual(self.ask(f"/c/{TIMES[0]}id_/http://evil.org/")[0], 404)
        self.assertEqual(trap.asked, [])

    def test_the_fields_of_the_internet_archive(self):
        def answer(handler):
            path, _, query = handler.path.partition("?")
            if path == "/cdx/search/cdx":
                wanted = urllib.parse.parse_qs(query)
                return handler.reply(200, f"org,far)/ 20100203040506 {wanted['url'][0]} text/html 200 3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ 120\n".encode())
            if path == "/web/20100203040506id_/http://far.org/":
                return handler.reply(200, b"<title>far</title>", Memento_Datetime="Wed, 03 Feb 2010 04:05:06 GMT", Server="nginx",
                                     Content_Type="text/html", X_Archive_Orig_Server="Apache", X_Archive_Orig_X_Powered_By="PHP")
            return handler.reply(404)
        far = start(self, answer)
        address = f"http://127.0.0.1:{far.server_address[1]}"
        self.sources(f"indexes:\n  - cdx: {address}/cdx/search/cdx\n    mementos: {address}/web/\n")
        self.archive.serve()
        status, headers, body = self.ask("/c/20100203040506id_/http://far.org/")
        self.assertEqual((status, body), (200, "<title>far</title>"))
        self.assertEqual(headers["Memento-Datetime"], "Wed, 03 Feb 2010 04:05:06 GMT")
        self.assertEqual(headers["X-Archive-Orig-Server"], "Apache")

    def test_pages_of_a_timemap_and_the_most_that_is_taken(self):
        def answer(handler):
            number = int(re.match(r"/map/(\d+)/", handler.path)[1])
            links = [f'<http://far.org/>; rel="original"', f'<{handler.path}>; rel="self"']
            links += [f'</web/201{number}010{day}000000/http://far.org/>; rel="memento"; datetime="0{day} Jan 201{number} 00:00:00 GMT"'
                      .replace(f'"0{day} Jan', f'"{time.strftime("%a", time.strptime(f"201{number}-01-0{day}", "%Y-%m-%d"))}, 0{day} Jan')
                      for day in range(1, 5)]
            if number < 3:
                links.append(f'</map/{number + 1}/http://far.org/>; rel="timemap"')
            return handler.reply(200, ",\n".join(links).encode(), Content_Type="application/link-format")
        far = start(self, answer)
        line = f"indexes:\n  - timemap: http://127.0.0.1:{far.server_address[1]}/map/1/\n"
        wanted = [f"201{year}010{day}000000" for year in (1, 2, 3) for day in range(1, 5)]
        for more, count in (("", 12), ("    most: 6\n", 6)):
            self.sources(line + more)
            server = self.archive.serve()
            self.assertEqual(self.stamps("http://far.org/"), wanted[:count])
            harness.kill(server)

    def test_pywb(self):
        server = peers.Pywb(self.elsewhere, self.other.path, [self.other.path / "archive"])
        self.addCleanup(server.stop)
        address = f"http://127.0.0.1:{server.port}/c"
        self.sources(f"indexes:\n  - cdx: {address}/cdx\n    timeout: 30s\n    mementos: {address}/\n")
        self.archive.serve()
        self.check_both()
        self.assertEqual(self.stamps("third.org/*"), [TIMES[0]])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
