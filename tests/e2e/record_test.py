#!/usr/bin/env python3
"""`caddis record`: what a browser asks for through the proxy is in the archive, and is shown at once. A live site on loopback, programs
and Chromium; kills in the middle; the archive held against what the site has sent.
"""

import base64
import contextlib
import gzip
import hashlib
import html
import http.client
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.parse
import urllib.request

import devtools
import harness
import peers
import png
import record_site
import warc_records
from protocols_test import TlsSite, with_certificate

SANITIZER = {"ASAN_OPTIONS": "quarantine_size_mb=8:malloc_context_size=2"}
ALLOWED = ("--set", "fetch.allow-addresses=127.0.0.0/8", "--set", "fetch.allow-addresses=::1/128")


class Recorder:
    """`caddis record` on a collection of its own, until `stop` or `kill`."""

    def __init__(self, folder, *options, allowed=True, collection="c"):
        self.folder, self.collection = pathlib.Path(folder), pathlib.Path(folder) / collection
        command = [os.path.abspath(harness.BINARY), "record", "--to", collection, "--proxy", "127.0.0.1:0", "--listen", "127.0.0.1:0",
                   "--proxy-folder", "ca", *(ALLOWED if allowed else ()), *map(str, options)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
                                        env={**harness.clean_environment(folder), **SANITIZER})
        self.said, self.errors = "", ""
        self.port = self.replay = None
        for line in self.process.stdout:
            self.said += line
            if found := re.search(r"serving \S+ at http://127\.0\.0\.1:(\d+)/", line):
                self.replay = int(found[1])
            if found := re.search(r"HTTP and HTTPS to 127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                break
        if self.port is None:
            raise AssertionError(self.process.communicate()[1])

    def stop(self, code=0):
        self.process.terminate()
        out, self.errors = self.process.communicate(timeout=120)
        self.said += out
        if self.process.returncode != code:
            raise AssertionError(f"exit code {self.process.returncode}\n{self.said}\n{self.errors}")
        return self.said

    def kill(self):
        harness.kill(self.process)

    def connect(self, url, trusts=None):
        """A connection by which `url` may be asked for, and the target to ask for."""
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        if parts.scheme == "http":
            return connection, url
        raw = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        raw.sendall(f"CONNECT {parts.netloc} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        answer = b""
        while not answer.endswith(b"\r\n\r\n"):
            answer += raw.recv(1)
        context = ssl.create_default_context(cadata=trusts or self.own("/ca.pem")[2].decode())
        connection = http.client.HTTPConnection(parts.netloc, timeout=60)
        connection.sock = context.wrap_socket(raw, server_hostname=parts.hostname)
        return connection, parts._replace(scheme="", netloc="").geturl() or "/"

    def ask(self, url, method="GET", body=None, **headers):
        """(status, headers, body)"""
        connection, target = self.connect(url)
        with contextlib.closing(connection):
            connection.request(method, target, body, {name.replace("_", "-"): value for name, value in headers.items()})
            response = connection.getresponse()
            return response.status, response.headers, response.read()

    def get(self, path, **headers):
        """The same of what is shown."""
        connection = http.client.HTTPConnection("127.0.0.1", self.replay, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def own(self, path):
        return self.ask(f"http://caddis.proxy{path}")

    def totals(self):
        return json.loads(self.own("/status")[2])

    def wait_for(self, **wanted):
        """Until the recorder says so: that many are kept."""
        harness.wait_until(lambda: all(self.totals()[name] >= count for name, count in wanted.items()), f"{wanted}", seconds=60)

    def log(self):
        return "".join(path.read_text() for path in sorted(self.collection.glob("crawls/*/logs/crawl.log")))

    def wait_for_log(self, *urls):
        """Until they are told as kept."""
        harness.wait_until(lambda: all(f" {url} " in self.log() for url in urls), f"line of {urls}", seconds=60)

    def records(self):
        files = sorted((self.collection / "archive").glob("*.warc.gz"))
        return [record for path in files for record in warc_records.read_file(path, is_sound=False)]


def index_of(collection):
    lines = [line for path in sorted(pathlib.Path(collection).glob("indexes/*.cdxj")) for line in path.read_text().splitlines()]
    return [(line.split(" ")[0], json.loads(line.split(" ", 2)[2])) for line in lines]


class RecordTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="caddis-e2e-")
        self.addCleanup(shutil.rmtree, self.folder)
        self.site = record_site.LiveSite(self.folder)
        self.addCleanup(self.site.stop)

    def record(self, *options, **more):
        recorder = Recorder(self.folder, *options, **more)
        self.addCleanup(lambda: recorder.process.poll() is None and recorder.kill())
        return recorder

    def caddis(self, *arguments):
        done = subprocess.run([os.path.abspath(harness.BINARY), *map(str, arguments)], capture_output=True, text=True, timeout=300,
                              cwd=self.folder, env=harness.clean_environment(self.folder), check=False)
        self.assertEqual(done.returncode, 0, f"{arguments}: {done.stdout}{done.stderr}")
        return done.stdout

    def check_sound(self, recorder):
        """Files, digests and index are right, and other programs read them."""
        archives = sorted((recorder.collection / "archive").iterdir())
        self.assertTrue(all(path.name.endswith(".warc.gz") for path in archives), archives)
        self.caddis("warc", "check", *archives)
        records = recorder.records()
        stored = sorted(record.url for record in records if record.type in ("response", "revisit"))
        places = {(record.file, record.offset): record for record in records}
        index = index_of(recorder.collection)
        self.assertEqual(len(index), len(stored))
        for _, line in index:
            self.assertEqual(places[line["filename"], int(line["offset"])].url, line["url"])
        with contextlib.suppress(unittest.SkipTest):
            # It only lists: it takes the payload digest of a chunked body over the chunks.
            said = subprocess.run([*peers.warcio(), "index", "-f", "warc-type,warc-target-uri", *archives], check=True, capture_output=True,
                                  text=True, timeout=300).stdout
            self.assertEqual([json.loads(line).get("warc-target-uri", "") for line in said.splitlines()], [record.url for record in records])
        return records

    def test_what_is_asked_for_is_in_the_archive(self):
        recorder = self.record()
        plain, tls = self.site.plain, self.site.tls
        status, headers, body = recorder.ask(f"{plain}/", Cookie="mine=1", If_None_Match='"1"', Referer="http://from.example/",
                                             Accept="text/html")
        self.assertEqual((status, body), (200, record_site.PAGE))
        self.assertIsNone(headers["Alt-Svc"])  # it would lead around the proxy
        seen = self.site.seen[-1][2]
        self.assertEqual((seen.get("Cookie"), seen.get("If-None-Match"), seen.get("Proxy-Connection")), ("mine=1", None, None))
        self.assertEqual(recorder.ask(f"{plain}/form", "POST", "name=a", Content_Type="application/x-www-form-urlencoded")[2], b"got name=a")
        self.assertEqual(recorder.ask(f"{plain}/form", "PUT", b"{}", Content_Type="application/json")[2], b"got {}")
        status, headers, body = recorder.ask(f"{plain}/large", Range="bytes=5-24")
        self.assertEqual((status, body, headers["Content-Range"]), (206, self.site.large[5:25], f"bytes 5-24/{len(self.site.large)}"))
        self.assertEqual(recorder.ask(f"{plain}/style.css", "HEAD")[0], 200)
        self.assertEqual(recorder.ask(f"{plain}/nothing")[0], 404)
        recorder.wait_for(captures=6)
        self.assertIn(b"self-signed", recorder.ask(f"{tls}/")[2])
        recorder.wait_for_log(f"{plain}/", f"{tls}/", f"{plain}/nothing")
        said = recorder.stop()
        self.assertRegex(said, r"recorded 6 captures: .* 1 request failed")

        records = self.check_sound(recorder)
        of_page = {record.type: record for record in records if record.url == f"{plain}/"}
        self.assertEqual(of_page["response"].http()[2], record_site.PAGE)
        self.assertIn(b"\r\nAlt-Svc: h3", of_page["response"].block)  # as it came
        self.assertNotIn(b"mine=1", of_page["request"].block)
        self.assertIn(b"requestWithheld: Cookie", of_page["metadata"].block)
        self.assertIn(b"via: http://from.example/", of_page["metadata"].block)
        posts = [record for record in records if record.type == "request" and record.url.endswith("/form")]
        self.assertEqual(sorted(record.block.partition(b"\r\n\r\n")[2] for record in posts), [b"name=a", b"{}"])
        part = next(record for record in records if record.type == "response" and record.url.endswith("/large"))
        self.assertEqual(part.http()[0], 206)
        methods = sorted(line.get("method", "GET") for _, line in index_of(recorder.collection))
        self.assertEqual(methods, ["GET", "GET", "GET", "HEAD", "POST", "PUT"])
        self.assertRegex(recorder.log(), rf"(?m)^\S+ +-9 .* {re.escape(tls)}/ ")
        # Nothing is left that only a recorder needs.
        self.assertEqual([path.name for path in recorder.collection.glob("crawls/recording-*/*") if path.name == "state"], [])
        self.assertIn(f'"url":"{plain}/"', (recorder.collection / "pages/pages.jsonl").read_text())

    def test_what_was_sent_tells_which_answer_is_meant(self):
        recorder = self.record()
        form = f"{self.site.plain}/form"

        def parts(value, boundary):
            return {"body": f'--{boundary}\r\nContent-Disposition: form-data; name="q"\r\n\r\n{value}\r\n--{boundary}--\r\n'.encode(),
                    "Content_Type": f"multipart/form-data; boundary={boundary}"}

        def replayed(method, body, Content_Type):
            connection = http.client.HTTPConnection("127.0.0.1", recorder.replay, timeout=60)
            with contextlib.closing(connection):
                connection.request(method, f"/c/2099oe_/{form}", body, {"Content-Type": Content_Type})
                answer = connection.getresponse()
                return answer.status, answer.read()

        for value in ("one", "two"):
            recorder.ask(form, "POST", **parts(value, f"recorded-{value}"))
        recorder.ask(form, "PUT", b'{"op": "x", "t": 1}', Content_Type="application/json")
        recorder.wait_for(captures=3)
        # Whatever the boundary is now, and what tells the time.
        harness.wait_until(lambda: replayed("PUT", b'{"op": "x", "t": 2}', "application/json")[0] == 200, "replay", seconds=60)
        for value in ("one", "two"):
            status, body = replayed("POST", **parts(value, "another"))
            self.assertEqual((status, f"recorded-{value}" in body.decode()), (200, True), body)
        self.assertEqual(recorder.get(f"/c/2099oe_/{form}")[0], 404)
        found = html.unescape(recorder.get("/c/search?match=prefix&url=" + urllib.parse.quote(form, safe=""))[2].decode())
        self.assertEqual(found.count(f"POST {form}"), 2)
        [shown] = re.findall(r'href="([^"]*q=two[^"]*)"', found)
        self.assertIn(b"recorded-two", recorder.get(shown.replace("/http", "id_/http", 1))[2])
        recorder.stop()
        self.assertEqual(sorted(key.partition("?")[2] for key, _ in index_of(recorder.collection)),
                         ["__wb_method=post&q=one", "__wb_method=post&q=two", "__wb_method=put&op=x&t=1"])
        self.assertIn("as answer to a P", self.caddis("why", form, recorder.collection))

    def test_it_is_shown_at_once(self):
        recorder = self.record()
        recorder.ask(f"{self.site.plain}/style.css")
        recorder.wait_for_log(f"{self.site.plain}/style.css")

        def shown():
            with contextlib.suppress(OSError), urllib.request.urlopen(
                    f"http://127.0.0.1:{recorder.replay}/c/2099id_/{self.site.plain}/style.css", timeout=60) as answer:
                return answer.read()
            return None
        self.assertEqual(harness.wait_until(shown, "replay", seconds=60), record_site.STYLE)
        recorder.stop()

    def test_pages_are_recorded_while_they_are_shown(self):
        recorder = self.record("--fetch-missing", "--access-log", "access.log", "--requests-at-once", "100", "--requests-per-minute", "1")
        get = recorder.get
        page = f"{self.site.plain}/"
        for stranger in ({"Sec_Fetch_Site": "cross-site"}, {"Origin": "http://other.example"}, {"Origin": "null"},
                         {"Referer": "http://other.example/"}):
            self.assertEqual(get(f"/c/record/{page}", **stranger)[0], 403, stranger)
        self.assertEqual(get(f"/c/record/{page}", Host="rebound.example")[0], 421)
        self.assertEqual(get(f"/other/record/{page}")[0], 404)
        # What an API has not is no page of the live web, nor is the server's own.
        for path in (f"timemap/link/{page}", f"timegate/{page}", self.site.plain.removeprefix("http://") + "/"):
            self.assertEqual(get(f"/c/{path}")[0], 404, path)
        self.assertEqual(self.site.seen, [])
        status, headers, _ = get(f"/c/record/{page}", User_Agent="Browser/1", Cookie="own=1", Sec_Fetch_Site="none")
        self.assertEqual((status, headers["Location"]), (302, f"/c/{page}"))
        self.assertEqual((self.site.seen[0][2]["User-Agent"], self.site.seen[0][2].get("Cookie")), ("Browser/1", None))
        stamp = re.search(r"/c/(\d{14})", get(f"/c/{page}")[1]["Location"])[1]
        self.assertIn(f"/c/{stamp}cs_/{self.site.plain}/style.css".encode(), get(f"/c/{stamp}mp_/{page}")[2])
        # What the page asks for is fetched when it is asked for, and once.
        asked = f"/c/{stamp}cs_/{self.site.plain}/style.css"
        from_page = {"Sec_Fetch_Site": "same-origin", "Referer": f"http://127.0.0.1:{recorder.replay}/c/{stamp}mp_/{page}"}
        self.assertEqual(get(asked, Sec_Fetch_Site="cross-site")[0], 404)
        for _ in range(2):
            status, _, body = get(asked, **from_page)
            self.assertEqual((status, body), (200, record_site.STYLE))
        self.assertEqual([path for _, path, _ in self.site.seen], ["/", "/style.css"])
        self.assertEqual(get(f"/c/{stamp}im_/{self.site.plain}/nothing", **from_page)[0], 404)
        self.assertEqual(get("/c/record/ftp://a.example/")[0], 400)
        self.assertEqual(get("/c/record/http://127.0.0.1:1/")[0], 502)
        # Limits and log are those of any request, and count each once, however often the archive was looked at for it.
        log = recorder.folder / "access.log"
        harness.wait_until(lambda: '"GET /c/record/http://127.0.0.1:1/ HTTP/1.1" 502' in log.read_text(), "line of the last answer")
        logged = log.read_text().splitlines()
        self.assertTrue(any(f'"GET /c/record/{page} HTTP/1.1" 302' in line for line in logged), logged)
        # A minute gives one of a hundred back, and a busy machine may take some.
        for more in range(1, 20 + 100):
            status, headers, _ = get(f"/c/record/{page}", Sec_Fetch_Site="cross-site")
            if status == 429:
                break
        self.assertEqual(status, 429)
        self.assertIn(len(logged) + more - 1, range(100, 120))
        self.assertGreater(int(headers["Retry-After"]), 0)
        recorder.stop()
        records = self.check_sound(recorder)
        self.assertEqual(sorted(record.url for record in records if record.type == "response"),
                         [page, f"{self.site.plain}/nothing", f"{self.site.plain}/style.css"])
        metadata = next(record for record in records if record.type == "metadata" and record.url.endswith("style.css"))
        self.assertIn(f"via: {page}".encode(), metadata.block)

    def test_it_is_shown_below_a_path(self):
        recorder = self.record("--fetch-missing", "--base-path", "/w")
        get = recorder.get
        page = f"{self.site.plain}/"
        self.assertEqual(get(f"/c/record/{page}", Sec_Fetch_Site="none")[0], 404)
        # A page of the same host that is no page of the archive.
        outside = {"Sec_Fetch_Site": "same-origin", "Referer": f"http://127.0.0.1:{recorder.replay}/other/"}
        self.assertEqual(get(f"/w/c/record/{page}", **outside)[0], 403)
        self.assertEqual(self.site.seen, [])
        status, headers, _ = get(f"/w/c/record/{page}", Sec_Fetch_Site="none")
        self.assertEqual((status, headers["Location"]), (302, f"/w/c/{page}"))
        stamp = re.search(r"/w/c/(\d{14})", get(f"/w/c/{page}")[1]["Location"])[1]
        asked = f"/w/c/{stamp}cs_/{self.site.plain}/style.css"
        self.assertEqual(get(asked, **outside)[0], 404)
        from_page = {"Sec_Fetch_Site": "same-origin", "Referer": f"http://127.0.0.1:{recorder.replay}/w/c/{stamp}mp_/{page}"}
        self.assertEqual(get(asked, **from_page)[::2], (200, record_site.STYLE))
        recorder.stop()
        metadata = next(record for record in self.check_sound(recorder) if record.type == "metadata" and record.url.endswith("style.css"))
        self.assertIn(f"via: {page}".encode(), metadata.block)

    def test_tls_is_recorded_if_the_site_may_be_anybody(self):
        recorder = self.record("--set", "fetch.trust=open", "--with-credentials")
        self.assertEqual(recorder.ask(f"{self.site.tls}/style.css", Cookie="mine=1")[2], record_site.STYLE)
        connection, _ = recorder.connect(f"{self.site.tls}/")
        with contextlib.closing(connection):
            connection.request("GET", "/", headers={"Host": "other.example"})  # not whom the tunnel is for
            self.assertEqual(connection.getresponse().status, 421)
        recorder.wait_for(captures=1)
        recorder.stop()
        response, request, metadata = (next(record for record in self.check_sound(recorder) if record.type == kind)
                                       for kind in ("response", "request", "metadata"))
        self.assertEqual(response.fields["warc-target-uri"], f"{self.site.tls}/style.css")
        self.assertIn("warc-cipher-suite", response.fields)
        self.assertIn(b"tlsVerify: ", metadata.block)
        self.assertIn(b"Cookie: mine=1", request.block)

    def test_a_second_visit_is_a_revisit(self):
        recorder = self.record()
        for _ in range(2):
            recorder.ask(f"{self.site.plain}/style.css")
            recorder.wait_for_log(f"{self.site.plain}/style.css")
        recorder.wait_for(captures=2)
        recorder.stop()
        again = self.record()
        again.ask(f"{self.site.plain}/copy.css")
        again.wait_for(captures=1)
        self.assertIn("1 revisit of what was known", again.stop())
        # Another collection that is told of the first.
        other = self.record("--dedup-against", "c", collection="d")
        other.ask(f"{self.site.plain}/style.css")
        other.wait_for(captures=1, revisits=1)
        other.stop()

        records = self.check_sound(recorder)
        original = next(record for record in records if record.type == "response")
        for revisit in [record for record in (*records, *other.records()) if record.type == "revisit"]:
            fields = revisit.fields
            self.assertEqual(fields["warc-profile"], "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")
            self.assertEqual(fields["warc-refers-to-target-uri"], f"{self.site.plain}/style.css")
            self.assertEqual(fields["warc-payload-digest"], original.fields["warc-payload-digest"])
            # An index has seconds, the recorder's own rows know milliseconds.
            self.assertTrue(original.fields["warc-date"].startswith(fields["warc-refers-to-date"].rstrip("Z").split(".")[0]))
            self.assertIn(fields.get("warc-refers-to", original.fields["warc-record-id"]), original.fields["warc-record-id"])
            self.assertTrue(revisit.block.endswith(b"\r\n\r\n"))  # the head alone
        self.assertEqual(sorted(record.url.rsplit("/")[-1] for record in records if record.type == "revisit"), ["copy.css", "style.css"])
        exact = next(record for record in records if record.type == "revisit" and record.url.endswith("style.css"))
        self.assertEqual((exact.fields["warc-refers-to"], exact.fields["warc-refers-to-date"]),
                         (original.fields["warc-record-id"], original.fields["warc-date"]))

    def test_sites_are_asked_by_http2(self):
        port = self.site.plain.rpartition(":")[2]
        # nginx takes bodies of any length, passes on while it receives, and tells no length of what it packs.
        behind = f"""client_max_body_size 0; gzip on; gzip_min_length 1; gzip_types text/css;
            location / {{{{ proxy_pass http://127.0.0.1:{port}; proxy_http_version 1.1; proxy_buffering off; }}}}"""
        with TlsSite([("new", "ssl http2", with_certificate("self", more=behind))]) as front:
            site = front.url("new").rstrip("/")
            recorder = self.record("--set", "fetch.trust=open", "--set", "fetch.http-version=2", "--fetch-missing")
            packed = recorder.ask(f"{site}/style.css", Accept_Encoding="gzip", Cookie="mine=1")
            self.assertEqual((packed[0], gzip.decompress(packed[2])), (200, record_site.STYLE))
            self.assertEqual((packed[1]["Content-Length"], packed[1]["Transfer-Encoding"], packed[1]["Connection"]), (None, "chunked", None))
            # nginx writes it in small letters, as it came.
            self.assertEqual(self.site.seen[-1][2].get("cookie"), "mine=1")
            self.assertEqual(recorder.ask(f"{site}/form", "POST", "name=a", Content_Type="text/plain")[2], b"got name=a")
            self.assertEqual(recorder.ask(f"{site}/large")[2], self.site.large)
            self.assertEqual(recorder.ask(f"{site}/style.css", "HEAD")[::2], (200, b""))
            # Beyond what is held in memory.
            up = record_site.large(1 << 20, b"up")
            self.assertEqual(recorder.ask(f"{site}/form?long", "POST", up)[2].decode(), "got " + hashlib.sha1(up).hexdigest())
            connection, target = recorder.connect(f"{site}/slow")
            with contextlib.closing(connection):
                connection.request("GET", target)
                response = connection.getresponse()
                self.assertEqual(response.read(5), b"first")  # the site waits for this
                self.site.go_on.set()
                self.assertEqual(response.read(), b"second")
            # What is fetched for those who look at the collection goes the same way.
            self.assertEqual(recorder.get(f"/c/record/{site}/", Sec_Fetch_Site="none")[0], 302)
            recorder.wait_for(captures=7)
            recorder.stop()
        records = self.check_sound(recorder)
        spoken = {(record.url.removeprefix(site), record.block.split(b" ")[0].decode()): record.fields["warc-protocol"] for record in records if record.type == "request"}
        self.assertEqual(spoken, {("/style.css", "GET"): "h2, tls/1.3", ("/form", "POST"): "h2, tls/1.3", ("/large", "GET"): "h2, tls/1.3",
                                  ("/style.css", "HEAD"): "h2, tls/1.3", ("/form?long", "POST"): "http/1.1, tls/1.3",
                                  ("/slow", "GET"): "h2, tls/1.3", ("/", "GET"): "h2, tls/1.3"})
        posts = {record.url.removeprefix(site): record.block.partition(b"\r\n\r\n")[2] for record in records if record.type == "request" and "/form" in record.url}
        self.assertEqual(posts, {"/form": b"name=a", "/form?long": up})
        request, response = (next(record for record in records if record.type == kind and record.url == f"{site}/style.css") for kind in ("request", "response"))
        self.assertTrue(response.block.startswith(b"HTTP/1.1 200 \r\nserver: nginx"), response.block[:60])
        self.assertTrue(response.block.endswith(packed[2]))
        self.assertTrue(request.block.startswith(b"GET /style.css HTTP/1.1\r\nHost: localhost:"), request.block[:60])
        self.assertNotIn(b"mine=1", request.block)
        self.assertNotIn("Trunc", recorder.log())
        self.assertEqual(len([line for line in recorder.log().splitlines() if "h2" in line.split()[11].split(",")]), 6)

    def test_an_answer_is_passed_on_while_it_comes(self):
        recorder = self.record()
        connection, target = recorder.connect(f"{self.site.plain}/slow")
        with contextlib.closing(connection):
            connection.request("GET", target)
            response = connection.getresponse()
            self.assertEqual(response.read(5), b"first")  # the site waits for this
            self.site.go_on.set()
            self.assertEqual(response.read(), b"second")
        recorder.wait_for(captures=1)
        recorder.stop()
        slow = next(record for record in self.check_sound(recorder) if record.type == "response")
        self.assertTrue(slow.block.endswith(b"5\r\nfirst\r\n6\r\nsecond\r\n0\r\n\r\n"))  # to the byte

    def test_large_bodies_take_no_memory(self):
        def peak(name="VmHWM"):
            text = pathlib.Path(f"/proc/{recorder.process.pid}/status").read_text()
            return int(re.search(rf"{name}:\s+(\d+)", text)[1]) * 1024
        size = 48 << 20
        self.site.large = record_site.large(size)
        recorder = self.record()
        recorder.ask(f"{self.site.plain}/style.css")
        before = peak()
        self.assertEqual(recorder.ask(f"{self.site.plain}/large")[2], self.site.large)
        up = record_site.large(size, b"up")
        said = recorder.ask(f"{self.site.plain}/form", "POST", up, Content_Type="application/octet-stream")[2]
        self.assertEqual(said.decode(), "got " + hashlib.sha1(up).hexdigest())
        recorder.wait_for(captures=3)
        self.assertLess(peak() - before, size)
        recorder.stop()
        records = self.check_sound(recorder)
        self.assertEqual(next(record for record in records if record.type == "request" and record.url.endswith("form")).block.partition(b"\r\n\r\n")[2], up)
        self.assertEqual(next(record for record in records if record.type == "response" and record.url.endswith("large")).http()[2], self.site.large)

    def test_what_is_not_whole_says_so(self):
        recorder = self.record()
        with self.assertRaises(http.client.IncompleteRead):
            recorder.ask(f"{self.site.plain}/cut")
        connection, target = recorder.connect(f"{self.site.plain}/endless")
        connection.request("GET", target)
        response = connection.getresponse()
        response.read(100_000)
        response.close()
        connection.close()
        self.assertTrue(self.site.was_left.wait(60))
        recorder.wait_for(captures=2, cut=2)
        recorder.stop()
        found = {record.url.rsplit("/")[-1]: record for record in recorder.records() if record.type == "response"}
        self.assertEqual(found["cut"].fields["warc-truncated"], "disconnect")
        self.assertEqual(found["endless"].fields["warc-truncated"], "unspecified")
        told = next(record for record in recorder.records() if record.type == "metadata" and record.url.endswith("endless"))
        self.assertIn(b"recordingCut: the browser has left before the end", told.block)
        self.assertIn("disconnectTrunc", recorder.log())
        self.assertIn("midFetchAbort", recorder.log())

    def test_a_websocket_passes_and_is_told_as_not_recorded(self):
        recorder = self.record()
        host = self.site.plain.removeprefix("http://")
        with socket.create_connection(("127.0.0.1", recorder.port), timeout=60) as connection:
            connection.sendall(f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            connection.recv(4096)
            key = base64.b64encode(b"0123456789abcdef").decode()
            connection.sendall(f"GET /ws HTTP/1.1\r\nHost: {host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                               f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
            answer = b""
            while not answer.endswith(b"hello"):
                answer += connection.recv(4096)
            self.assertIn(b" 101 ", answer.split(b"\r\n")[0])
            connection.sendall(b"\x81\x85abcde")
            self.assertEqual(connection.recv(4096), b"\x81\x85abcde")
        recorder.wait_for(websockets=1)
        said = recorder.stop()
        self.assertIn("1 WebSocket passed through", said)
        self.assertRegex(recorder.log(), rf"(?m)^\S+   101 .*{re.escape(host)}/ws .* notRecorded:websocket$")
        self.assertEqual(list((recorder.collection / "archive").iterdir()), [])

    def test_it_is_no_way_into_the_local_network(self):
        recorder = self.record(allowed=False)
        status, _, body = recorder.ask(f"{self.site.plain}/")
        self.assertEqual(status, 403)
        self.assertIn(b"fetch.allow-addresses", body)
        self.assertEqual(self.site.seen, [])
        self.assertEqual(recorder.ask(f"http://127.0.0.1:{recorder.replay}/")[0], 403)
        recorder.stop()
        self.assertIn(" -5010 ", recorder.log())
        # Not even if all is allowed: its own doors are not for it.
        recorder = self.record()
        for port in (recorder.port, recorder.replay):
            self.assertEqual(recorder.ask(f"http://localhost:{port}/")[0], 403)
        recorder.stop()

    def test_strangers_are_kept_out(self):
        done = subprocess.run([os.path.abspath(harness.BINARY), "record", "--to", "c", "--proxy", "0.0.0.0:0"], capture_output=True, text=True,
                              timeout=60, cwd=self.folder, env=harness.clean_environment(self.folder), check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--insecure", done.stderr)
        password = self.caddis("users", "add", "anna", "--role", "operator", "--file", "users").strip()
        viewer = self.caddis("users", "add", "vera", "--role", "viewer", "--file", "users").strip()
        recorder = self.record("--users", "users")
        url = f"{self.site.plain}/style.css"
        status, headers, _ = recorder.ask(url)
        self.assertEqual((status, headers["Proxy-Authenticate"]), (407, 'Basic realm="Caddis"'))
        wrong, low, right = (f"Basic {base64.b64encode(pair.encode()).decode()}" for pair in ("anna:no", f"vera:{viewer}", f"anna:{password}"))
        self.assertEqual([recorder.ask(url, Proxy_Authorization=shown)[0] for shown in (wrong, low)], [407, 407])
        self.assertEqual(recorder.ask(url, Proxy_Authorization=right)[2], record_site.STYLE)
        with socket.create_connection(("127.0.0.1", recorder.port), timeout=60) as connection:
            connection.sendall(b"CONNECT localhost:443 HTTP/1.1\r\nHost: localhost:443\r\n\r\n")
            self.assertIn(b" 407 ", connection.recv(4096))
        recorder.stop()

    def test_it_takes_an_operator_to_have_pages_recorded(self):
        shown = {}
        for name, role in (("anna", "operator"), ("vera", "viewer")):
            password = self.caddis("users", "add", name, "--role", role, "--file", "users").strip()
            shown[name] = {"Authorization": f"Basic {base64.b64encode(f'{name}:{password}'.encode()).decode()}"}
        recorder = self.record("--fetch-missing", "--users", "users")

        def status_of(path, headers):
            connection = http.client.HTTPConnection("127.0.0.1", recorder.replay, timeout=60)
            with contextlib.closing(connection):
                connection.request("GET", path, headers=headers)
                return connection.getresponse().status
        page = f"{self.site.plain}/"
        for path in (f"/c/record/{page}", f"/c/2026mp_/{page}"):
            self.assertIn(status_of(path, {}), (302, 303, 401), path)
            self.assertIn(status_of(path, shown["vera"]), (403, 404), path)
        self.assertEqual(self.site.seen, [])
        self.assertEqual(status_of(f"/c/record/{page}", shown["anna"]), 302)
        self.assertEqual([path for _, path, _ in self.site.seen], ["/"])
        recorder.stop()

    def refused(self, *options):
        """What it says that cannot begin."""
        done = subprocess.run([os.path.abspath(harness.BINARY), "record", "--to", "c", *options], capture_output=True, text=True, timeout=60,
                              cwd=self.folder, env=harness.clean_environment(self.folder), check=False)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        return done.stderr

    def test_what_cannot_be_done_is_refused(self):
        here, free = ("--proxy", "127.0.0.1:0"), ("--listen", "127.0.0.1:0")
        everywhere = ("--listen", "0.0.0.0:0", "--insecure", "0.0.0.0:0")
        self.assertIn("--fetch-missing", self.refused(*here, *everywhere, "--fetch-missing"))
        self.assertIn("--proxy 0.0.0.0:0: ", self.refused("--proxy", "0.0.0.0:0", *free))
        self.assertIn("is not the address of --listen", self.refused(*here, "--listen", "0.0.0.0:0", "--insecure", "0.0.0.0:9"))
        self.assertIn("a recording asks sites itself", self.refused(*here, *free, "--set", "fetch.proxy=http://192.0.2.1:3128"))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "c")))
        # A port that is taken leaves nothing for the next one to repair.
        with socket.create_server(("127.0.0.1", 0)) as taken:
            self.refused(*here, "--listen", f"127.0.0.1:{taken.getsockname()[1]}")
        recorder = self.record()
        recorder.stop()
        self.assertNotIn("did not come to its end", recorder.errors)

    def test_a_second_recorder_is_refused(self):
        recorder = self.record()
        done = subprocess.run([os.path.abspath(harness.BINARY), "record", "--to", "c", "--proxy", "127.0.0.1:0", "--no-replay"], capture_output=True,
                              text=True, timeout=60, cwd=self.folder, env=harness.clean_environment(self.folder), check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("recording, ", done.stderr)
        recorder.stop()

    def test_a_kill_loses_nothing_that_was_told(self):
        recorder = self.record()
        for number in range(5):
            recorder.ask(f"{self.site.plain}/?{number}")
        told = [f"{self.site.plain}/?{number}" for number in range(5)]
        recorder.wait_for(captures=5)
        # While it receives, and while it writes what nobody was told of yet.
        connection, target = recorder.connect(f"{self.site.plain}/slow")
        connection.request("GET", target)
        self.assertEqual(connection.getresponse().read(5), b"first")
        asking = threading.Thread(target=self.flood, args=(recorder,))
        asking.start()
        harness.wait_until(lambda: recorder.totals()["captures"] > 20, "captures", seconds=60)
        counted = recorder.totals()["captures"]
        recorder.kill()
        asking.join()
        connection.close()

        after = self.record("--no-replay")
        said = after.stop()
        self.assertIn("did not come to its end", after.errors, said)
        records = self.check_sound(after)
        stored = {record.url for record in records if record.type in ("response", "revisit")}
        self.assertLessEqual(set(told), stored)
        self.assertGreaterEqual(len(stored), counted)
        logged = [line.split()[3] for line in after.log().splitlines() if line.endswith("}")]
        self.assertEqual(sorted(logged), sorted(stored))
        self.assertNotIn(f"{self.site.plain}/slow", stored)
        self.assertEqual(list(after.collection.glob("crawls/*/state")), [])

    def flood(self, recorder):
        with contextlib.suppress(OSError, http.client.HTTPException):
            for number in range(100, 10_000):
                recorder.ask(f"{self.site.plain}/?{number}")

    @unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), "needs Chromium")
    def test_a_browser_sees_the_same_again(self):
        recorder = self.record("--set", "fetch.trust=open")
        live = self.photograph(recorder.port)
        recorder.wait_for_log(f"{self.site.tls}/", f"{self.site.tls}/form", f"{self.site.tls}/picture.png")
        recorder.stop()
        self.site.stop()
        process = subprocess.Popen([os.path.abspath(harness.BINARY), "serve", "c", "--listen", "127.0.0.1:0", "--proxy", "127.0.0.1:0",
                                    "--proxy-folder", "ca"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=self.folder,
                                   env=harness.clean_environment(self.folder))
        self.addCleanup(harness.kill, process)
        port = next(int(found[1]) for line in process.stdout if (found := re.search(r"HTTPS to 127\.0\.0\.1:(\d+)", line)))
        past = self.photograph(port)
        self.assertIsNone(png.difference(live, past))

    def photograph(self, port):
        flags = (f"--proxy-server=http://127.0.0.1:{port}", "--proxy-bypass-list=<-loopback>", "--ignore-certificate-errors")
        with devtools.Browser(*flags) as browser:
            target = browser.call("Target.createTarget", url="about:blank")["targetId"]
            session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            browser.call("Page.navigate", session, wait=90, url=f"{self.site.tls}/")

            def title():
                answer = browser.call("Runtime.evaluate", session, expression="document.title + document.images[0]?.complete", returnByValue=True)
                return answer["result"].get("value")
            harness.wait_until(lambda: title() == "readytrue", "page that has all", seconds=90)
            said = browser.call("Runtime.evaluate", session, expression="document.getElementById('said').textContent", returnByValue=True)
            self.assertEqual(said["result"]["value"], "got name=browser")
            return base64.b64decode(browser.call("Page.captureScreenshot", session, wait=90)["data"])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
