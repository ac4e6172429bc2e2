#!/usr/bin/env python3
"""DNS over HTTPS: a crawl whose names a server of it knows, with a certificate that is trusted, and one that is not."""

import http.server
import json
import pathlib
import shutil
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import unittest

import harness

A, AAAA, NO_SUCH_NAME = 1, 28, 3


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Server:
    """A server on a port of its own, in a thread."""

    def __init__(self, handler, context=None):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.port = self.server.server_address[1]
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def name_of(question):
    labels, at = [], 12
    while question[at]:
        labels.append(question[at + 1:at + 1 + question[at]].decode())
        at += 1 + question[at]
    return ".".join(labels), at + 1


def answer_to(question, names):
    """A message that answers the question; an alias for each name that begins with "www."."""
    name, end = name_of(question)
    kind, records = struct.unpack("!H", question[end:end + 2])[0], []
    known = name.removeprefix("www.") in names
    owner = b"\xc0\x0c"
    if known and name.startswith("www."):
        target = b"".join(bytes([len(label)]) + label.encode() for label in name[4:].split(".")) + b"\0"
        records.append(owner + struct.pack("!HHIH", 5, 1, 300, len(target)) + target)
        owner = b"\xc0" + bytes([len(question[:end]) + 4 + 12])
    if known and kind == A:
        records.append(owner + struct.pack("!HHIH", A, 1, 300, 4) + socket.inet_aton(names[name.removeprefix("www.")]))
    flags = 0x8180 | (0 if known else NO_SUCH_NAME)
    return question[:2] + struct.pack("!HHHHH", flags, 1, len(records), 0, 0) + question[12:end + 4] + b"".join(records)


class Resolver:
    """A server of DNS over HTTPS that knows some names, and notes what it is asked. One that is `broken` answers 500 first."""

    def __init__(self, folder, names, broken=0):
        self.asked, self.left_broken = [], broken
        resolver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                question = self.rfile.read(int(self.headers["Content-Length"]))
                resolver.asked.append((name_of(question)[0], self.path, self.headers["Content-Type"], self.headers["Accept"],
                                       question[:2]))
                resolver.left_broken -= 1
                body = answer_to(question, names)
                self.send_response(500 if resolver.left_broken >= 0 else 200)
                self.send_header("Content-Type", "application/dns-message")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "server.pem", folder / "server.key")
        self.server = Server(Handler, context)

    def __enter__(self):
        self.server.__enter__()
        return self

    def __exit__(self, *_):
        self.server.__exit__()

    @property
    def url(self):
        return f"https://127.0.0.1:{self.server.port}/dns-query"


class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        host, _, port = self.headers["Host"].partition(":")
        body = f"<a href=http://www.site.test:{port}/>w</a><a href=http://gone.test:{port}/>g</a>{host}{self.path}".encode()
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Site:
    def __init__(self, port):
        self.seeds = [f"http://site.test:{port}/"]


class DnsOverHttpsCase(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-doh-"))
        self.addCleanup(shutil.rmtree, self.folder)
        make = self.folder
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", make / "server.key", "-out", make / "server.pem",
                "-subj", "/CN=resolver", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2")

    def crawl(self, resolver, port, trusts=True, code=0):
        crawl = harness.Crawl(Site(port), harness.SETTINGS + f"""  host-retry-delay: 100ms
  host-failures: 1
  host-probes: 0
crawl: {{contact: 'https://crawler.example/'}}
scope: {{kind: any, max-hops: 1}}
extract: {{favicon: false}}
fetch: {{allow-addresses: [127.0.0.0/8]}}
dns: {{over-https: '{resolver.url}'}}
""")
        self.addCleanup(crawl.remove)
        environment = harness.clean_environment(crawl.folder)
        if trusts:
            environment["SSL_CERT_FILE"] = str(self.folder / "server.pem")
        done = subprocess.run([str(part) for part in crawl.arguments()], capture_output=True, text=True, env=environment, timeout=300)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return crawl

    @staticmethod
    def lines(crawl, log):
        lines = map(json.loads, (crawl.launches[-1] / f"logs/{log}.jsonl").read_text().splitlines())
        return {line["url"]: line for line in lines if "log" not in line}

    def test_names_are_looked_up_and_recorded(self):
        with Server(Page) as web, Resolver(self.folder, {"site.test": "127.0.0.1"}, broken=1) as resolver:
            crawl = self.crawl(resolver, web.port)
            self.assertEqual({entry[0] for entry in resolver.asked}, {"site.test", "www.site.test", "gone.test"})
            self.assertEqual({entry[1:] for entry in resolver.asked},
                             {("/dns-query", "application/dns-message", "application/dns-message", b"\0\0")})
            records = {record.url: record for record in crawl.records() if record.type == "resource"}
            self.assertEqual(set(records), {"dns:site.test", "dns:www.site.test"})
            self.assertEqual(records["dns:www.site.test"].block.decode().split("\n")[1:3],
                             ["www.site.test.\t300\tIN\tCNAME\tsite.test.", "site.test.\t300\tIN\tA\t127.0.0.1"])
            self.assertEqual(records["dns:site.test"].fields["warc-ip-address"], "127.0.0.1")
            self.assertEqual(self.lines(crawl, "dns")["dns:site.test"]["addresses"], ["127.0.0.1"])
            captured = {record.url for record in crawl.records() if record.type == "response"}
            self.assertLessEqual({f"http://site.test:{web.port}/", f"http://www.site.test:{web.port}/"}, captured)
            self.assertIn("does not exist", self.lines(crawl, "failures")["dns:gone.test"]["reason"])

    def test_a_server_that_is_not_trusted_is_not_asked(self):
        with Server(Page) as web, Resolver(self.folder, {"site.test": "127.0.0.1"}) as resolver:
            crawl = self.crawl(resolver, web.port, trusts=False, code=1)
            self.assertEqual(resolver.asked, [])
            self.assertIn("certificate", self.lines(crawl, "failures")["dns:site.test"]["reason"])

    def test_what_is_no_server_is_refused(self):
        for bad in ("http://resolver.example/dns-query", "resolver.example", "https://me@resolver.example/"):
            crawl = harness.Crawl(Site(80), harness.SETTINGS + f"dns: {{over-https: '{bad}'}}\n")
            self.addCleanup(crawl.remove)
            code, _, err = crawl.run()
            self.assertEqual(code, 2, err)
            self.assertIn("is no https URL of a DNS server", err)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
