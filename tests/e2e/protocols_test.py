#!/usr/bin/env python3
"""HTTP/2, versions and certificates of TLS, and proxies, against real servers: nginx, microsocks and tinyproxy on loopback."""

import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import random
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import unittest

import harness
import warc_records
from local_site import free_port, start_nginx

PAGES = 12
# Who cannot be reached is given up at once.
SETTINGS = harness.SETTINGS + """  host-retry-delay: 100ms
  host-failures: 1
  host-probes: 0
"""
SERVER = """
  server {{
    listen 127.0.0.1:{port} {listen}; server_name {host}; root {root};
    {more}
  }}"""


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class TlsSite:
    """Pages and large bodies behind servers of TLS, one for each of `servers`: (name, listen, more lines of nginx).

    All of them are localhost; if they are `apart`, each is a host of its own.
    """

    def __init__(self, servers, apart=False):
        self.servers = servers
        self.apart = apart

    def __enter__(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="caddis-tls-"))
        root = self.work / "www"
        root.mkdir()
        chance = random.Random(20)
        self.files = {"robots.txt": b"User-agent: *\nDisallow:\n"}
        links = "".join(f'<a href="p{i}.html">{i}</a>' for i in range(PAGES)) + '<img src="large.bin"><a href="empty.txt">e</a>'
        self.files["index.html"] = f"<title>first</title>{links}".encode()
        for i in range(PAGES):
            self.files[f"p{i}.html"] = f"<p>{i} {'word ' * chance.randrange(9000)}".encode()
        self.files["large.bin"] = chance.randbytes(3_000_000)
        self.files["empty.txt"] = b""
        for name, body in self.files.items():
            (root / name).write_bytes(body)
        self.certificates()
        self.ports = {name: free_port() for name, _, _ in self.servers}
        blocks = "".join(SERVER.format(port=self.ports[name], host=self.host(name), listen=listen, root=root,
                                       more=more.format(work=self.work)) for name, listen, more in self.servers)
        self.server = start_nginx(self.work, self.ports[self.servers[0][0]], blocks)
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.work)

    def certificates(self):
        """good: for localhost, of an authority (ca.pem); self: of its own; other: for another name; old: expired."""
        make = self.work
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", make / "ca.key", "-out", make / "ca.pem",
                "-subj", "/O=Caddis/CN=test authority", "-days", "2")
        for name, host in (("good", "localhost"), ("other", "elsewhere.example"), ("old", "localhost")):
            hosts = {host, *(self.host(server) for server, _, _ in self.servers)} if host == "localhost" else {host}
            (make / "ext").write_text("subjectAltName=" + ",".join(f"DNS:{each}" for each in sorted(hosts)))
            openssl("req", "-newkey", "rsa:2048", "-nodes", "-keyout", make / f"{name}.key", "-out", make / "csr", "-subj", f"/CN={host}")
            openssl("x509", "-req", "-in", make / "csr", "-CA", make / "ca.pem", "-CAkey", make / "ca.key", "-CAcreateserial",
                    "-out", make / f"{name}.pem", "-extfile", make / "ext", "-days", "-1" if name == "old" else "2")
        openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", make / "self.key", "-out", make / "self.pem",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-days", "2")

    def host(self, name):
        return f"{name}.localhost" if self.apart else "localhost"

    def url(self, name, path=""):
        return f"https://{self.host(name)}:{self.ports[name]}/{path}"


def with_certificate(name, protocols="TLSv1.2 TLSv1.3", more=""):
    return f"ssl_certificate {{work}}/{name}.pem; ssl_certificate_key {{work}}/{name}.key; ssl_protocols {protocols}; {more}"


class Seeds:
    def __init__(self, *seeds):
        self.seeds = list(seeds)


@contextlib.contextmanager
def microsocks(*arguments):
    port = free_port()
    process = subprocess.Popen(["microsocks", "-i", "127.0.0.1", "-p", str(port), *arguments],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        harness.wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "microsocks")
        yield port, process
    finally:
        process.terminate()
        process.communicate()


class ProtocolsCase(unittest.TestCase):
    def crawl(self, settings, *seeds, environment=None, code=0):
        crawl = harness.Crawl(Seeds(*seeds), SETTINGS + settings)
        self.addCleanup(crawl.remove)
        kept = dict(os.environ)
        os.environ.update(environment or {})
        try:
            ended, out, err = crawl.run()
        finally:
            os.environ.clear()
            os.environ.update(kept)
        self.assertEqual(ended, code, out + err)
        return crawl

    def bodies(self, crawl, site, name):
        """The body of each URL of that server; each of its files has been captured whole."""
        bodies = {record.url: record.http()[2] for record in crawl.records() if record.type in ("response", "revisit")}
        for path, body in site.files.items():
            if path != "index.html":
                self.assertEqual(hashlib.sha1(bodies[site.url(name, path)]).hexdigest(), hashlib.sha1(body).hexdigest(), path)
        return {url: body for url, body in bodies.items() if url.startswith("https://")}

    def log(self, crawl, name):
        lines = []
        for path in crawl.collection.glob(f"crawls/*/logs/{name}.jsonl"):
            lines += [json.loads(line) for line in path.read_text().splitlines()]
        return [line for line in lines if "url" in line]

    def metadata(self, crawl, url):
        record = next(record for record in crawl.records() if record.type == "metadata" and record.url == url)
        return [line for line in record.block.decode().split("\r\n") if line.startswith("tls")]


class Http2Test(ProtocolsCase):
    def test_bodies_are_those_of_http1(self):
        with TlsSite([("new", "ssl http2", with_certificate("self"))]) as site:
            new = self.crawl("fetch: {http-version: '2'}\n", site.url("new"))
            old = self.crawl("", site.url("new"))
            self.assertEqual(self.bodies(new, site, "new"), self.bodies(old, site, "new"))
            for crawl, http in ((new, "h2"), (old, "http/1.1")):
                records = [record for record in crawl.records() if record.url.startswith("https://")]
                spoken = {(record.type, record.fields.get("warc-protocol")) for record in records}
                self.assertEqual(spoken, {("response", f"{http}, tls/1.3"), ("request", f"{http}, tls/1.3"), ("metadata", None)})
                answered = [line for line in self.log(crawl, "http")]
                self.assertEqual({(line["protocol"], line["tls"]) for line in answered}, {(http, "tls/1.3")})
            response = next(record for record in new.records() if record.type == "response" and record.url == site.url("new"))
            self.assertTrue(response.block.startswith(b"HTTP/1.1 200 \r\nserver: nginx"), response.block[:60])
            request = next(record for record in new.records() if record.type == "request" and record.url == site.url("new"))
            self.assertTrue(request.block.startswith(b"GET / HTTP/1.1\r\nHost: localhost:"), request.block[:60])
            # One connection carried all of it, or nearly.
            reused = [line for line in self.log(new, "http") if line.get("reused")]
            self.assertGreater(len(reused), PAGES)
            crawl_log = "".join(path.read_text() for path in new.collection.glob("crawls/*/logs/crawl.log"))
            lines = [line.split() for line in crawl_log.splitlines() if " https://" in line and " dns:" not in line]
            self.assertTrue(all("h2" in line[11].split(",") for line in lines), lines[:3])
            self.assertNotIn("disconnectTrunc", crawl_log)
            for crawl, row in ((new, r"\nurl,fetch/http2,\d+,0,0,"), (old, r"\nurl,fetch/http,\d+,0,0,")):
                self.assertRegex((crawl.launches[-1] / "reports/processors-report.csv").read_text(), row)

    def test_limits_hold(self):
        with TlsSite([("new", "ssl http2", with_certificate("self"))]) as site:
            crawl = self.crawl("fetch: {http-version: '2', max-length: 100000}\n", site.url("new"))
            large = next(record for path in (crawl.collection / "archive").iterdir()
                         for record in warc_records.read_file(path, is_sound=False)
                         if record.type == "response" and record.url == site.url("new", "large.bin"))
            self.assertEqual(large.fields["warc-truncated"], "length")
            self.assertTrue(large.block.endswith(site.files["large.bin"][:100000]))


    def test_a_body_is_posted(self):
        came = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                came.append((self.headers["Content-Type"], self.rfile.read(int(self.headers["Content-Length"])).decode()))
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"thanks")

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        behind = f"location /form {{{{ proxy_pass http://127.0.0.1:{server.server_address[1]}; }}}}"
        body = "q=" + "heron+" * 1500
        with TlsSite([("new", "ssl http2", with_certificate("self", more=behind))]) as site:
            crawl = harness.Crawl(Seeds(site.url("new", "empty.txt")), SETTINGS + "fetch: {http-version: '2'}\n")
            self.addCleanup(crawl.remove)
            log = crawl.folder / "recover.log"
            log.write_text("#F+ " + json.dumps({"url": site.url("new", "form"), "method": "POST", "body": body}) + "\n")
            code, out, err = crawl.run(more=["--recover", log])
            self.assertEqual(code, 0, out + err)
            self.assertEqual(came, [("application/x-www-form-urlencoded", body)])
            records = {record.type: record for record in crawl.records() if record.url == site.url("new", "form")}
            self.assertTrue(records["request"].block.startswith(b"POST /form HTTP/1.1\r\n"), records["request"].block[:60])
            self.assertTrue(records["request"].block.endswith(body.encode()))
            self.assertTrue(records["response"].block.endswith(b"\r\n\r\nthanks"), records["response"].block)
            self.assertEqual(records["response"].fields["warc-protocol"], "h2, tls/1.3")


class TlsTest(ProtocolsCase):
    def test_versions_and_certificates(self):
        old = 'ssl_ciphers "ALL:@SECLEVEL=0";'
        with TlsSite([("good", "ssl", with_certificate("good")), ("first", "ssl", with_certificate("good", "TLSv1", old)),
                      ("second", "ssl", with_certificate("good", "TLSv1.2")),
                      ("self", "ssl", with_certificate("self")), ("other", "ssl", with_certificate("other")),
                      ("old", "ssl", with_certificate("old"))], apart=True) as site:
            names = list(site.ports)
            seeds = [site.url(name) for name in names]
            trusted = {"SSL_CERT_FILE": str(site.work / "ca.pem")}

            def fetched(settings):
                crawl = self.crawl(f"scope: {{max-hops: 0, max-transitive-hops: 0}}\nfetch: {settings}\n",
                                   *seeds, environment=trusted)
                captured = {record.url for record in crawl.records() if record.type in ("response", "revisit")}
                return crawl, {name for name in names if site.url(name) in captured}

            crawl, got = fetched("{}")
            self.assertEqual(got, set(names))
            good = self.metadata(crawl, site.url("good", "robots.txt"))
            digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert((site.work / "good.pem").read_text())).hexdigest()
            self.assertEqual(good[0], "tlsProtocol: tls/1.3")
            self.assertRegex(good[2], f'^tlsCertificate: sha256={digest} from=20.*Z to=20.*Z subject="CN=localhost" '
                                      'issuer="CN=test authority,O=Caddis"$')
            self.assertIn("tlsProtocol: tls/1.0", self.metadata(crawl, site.url("first", "robots.txt")))
            self.assertIn("tlsProtocol: tls/1.2", self.metadata(crawl, site.url("second", "robots.txt")))
            for name, problem in (("self", "self-signed"), ("other", "ostname mismatch"), ("old", "expired")):
                self.assertIn(problem, self.metadata(crawl, site.url(name, "robots.txt"))[0], name)

            self.assertEqual(fetched("{tls-lowest: '1.2'}")[1], set(names) - {"first"})
            self.assertEqual(fetched("{trust: normal}")[1], {"good", "first", "second"})
            self.assertEqual(fetched("{trust: normal, tls-lowest: '1.3'}")[1], {"good"})
            self.assertEqual(fetched("{trust: strict}")[1], {"good", "second"})

    def test_who_refuses_the_name_is_asked_without(self):
        with TlsSite([("picky", "ssl", with_certificate("self"))]) as site:
            # Without a name there is a certificate; whoever is named is refused: OpenSSL's server says so.
            port = free_port()
            command = ["openssl", "s_server", "-accept", f"127.0.0.1:{port}", "-cert", str(site.work / "self.pem"), "-key",
                       str(site.work / "self.key"), "-servername", "nobody.example", "-servername_fatal", "-cert2",
                       str(site.work / "self.pem"), "-key2", str(site.work / "self.key"), "-WWW", "-quiet"]
            server = subprocess.Popen(command, cwd=site.work / "www", stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
            try:
                harness.wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "s_server")
                url = f"https://localhost:{port}/p1.html"
                crawl = self.crawl("scope: {max-hops: 0, max-transitive-hops: 0}\n", url)
                self.assertIn(url, {record.url for record in crawl.records() if record.type == "response"})
                told = self.metadata(crawl, f"https://localhost:{port}/robots.txt")
                self.assertIn("tlsServerName: not sent, since the server refused it", told)
            finally:
                server.kill()
                server.communicate()


class SocksTest(ProtocolsCase):
    def test_names_and_logins_go_to_the_proxy(self):
        servers = [("new", "ssl http2", with_certificate("self")), ("plain", "", "")]
        with TlsSite(servers) as site, microsocks("-u", "me", "-P", "a:word") as (port, _):
            plain = f"http://localhost:{site.ports['plain']}/"
            settings = f"fetch: {{http-version: '2', proxy: 'socks5://me:a%3Aword@127.0.0.1:{port}'}}\n"
            crawl = self.crawl(settings, site.url("new"), plain)
            self.bodies(crawl, site, "new")
            urls = {record.url for record in crawl.records()}
            self.assertIn(plain + "large.bin", urls)
            self.assertFalse({url for url in urls if url.startswith("dns:")}, "names are the proxy's to look up")
            self.assertEqual({line["protocol"] for line in self.log(crawl, "http") if "tls" in line}, {"h2"})
            for file in crawl.collection.rglob("*"):
                if file.is_file() and file.name != "secrets.yaml":
                    self.assertNotIn(b"a%3Aword", file.read_bytes(), file)

    def test_a_wrong_password_fails_by_name(self):
        with TlsSite([("plain", "", "")]) as site, microsocks("-u", "me", "-P", "word") as (port, _):
            crawl = self.crawl(f"fetch: {{proxy: 'socks5://me:other@127.0.0.1:{port}'}}\n",
                               f"http://localhost:{site.ports['plain']}/", code=1)
            reasons = " ".join(line.get("reason", "") for line in self.log(crawl, "failures"))
            self.assertIn("the SOCKS proxy does not accept user and password", reasons)


@unittest.skipUnless(shutil.which("tinyproxy"), "tinyproxy is not installed")
class HttpProxyTest(ProtocolsCase):
    """A real proxy that wants a name and a password: plain requests, and tunnels for TLS."""

    @contextlib.contextmanager
    def proxy(self):
        port = free_port()
        with tempfile.TemporaryDirectory(prefix="caddis-e2e-proxy-") as folder:
            config = pathlib.Path(folder, "tinyproxy.conf")
            log = pathlib.Path(folder, "tinyproxy.log")
            config.write_text(f'Port {port}\nListen 127.0.0.1\nTimeout 60\nMaxClients 50\nAllow 127.0.0.1\nBasicAuth me word\n'
                              f'LogFile "{log}"\nLogLevel Connect\nPidFile "{folder}/pid"\n')
            process = subprocess.Popen(["tinyproxy", "-d", "-c", config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                harness.wait_until(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0, "tinyproxy")
                yield port, log
            finally:
                process.terminate()
                process.wait()

    def test_requests_and_tunnels_go_through_it(self):
        servers = [("new", "ssl http2", with_certificate("self")), ("plain", "", "")]
        with TlsSite(servers) as site, self.proxy() as (port, log):
            plain = f"http://localhost:{site.ports['plain']}/"
            crawl = self.crawl(f"fetch: {{http-version: '2', proxy: 'http://me:word@127.0.0.1:{port}'}}\n", site.url("new"), plain)
            self.bodies(crawl, site, "new")
            urls = {record.url for record in crawl.records()}
            self.assertIn(plain + "large.bin", urls)
            self.assertFalse({url for url in urls if url.startswith("dns:")}, "names are the proxy's to look up")
            self.assertEqual({line["protocol"] for line in self.log(crawl, "http") if "tls" in line}, {"h2"})
            asked = log.read_text()
            self.assertIn(f"CONNECT localhost:{site.ports['new']} HTTP/1.1", asked)
            self.assertIn(f"GET {plain}large.bin HTTP/1.1", asked)
            for file in crawl.collection.rglob("*"):
                if file.is_file() and file.name != "secrets.yaml":
                    self.assertNotIn(b"me:word", file.read_bytes(), file)
                    self.assertNotIn(b"Proxy-Authorization", file.read_bytes(), file)

    def test_who_has_no_name_is_told_and_stores_nothing(self):
        with TlsSite([("new", "ssl", with_certificate("self")), ("plain", "", "")]) as site, self.proxy() as (port, _):
            plain = f"http://localhost:{site.ports['plain']}/"
            crawl = self.crawl(f"fetch: {{proxy: 'http://127.0.0.1:{port}'}}\n", site.url("new"), plain, code=1)
            reasons = " ".join(line.get("reason", "") for line in self.log(crawl, "failures"))
            self.assertIn("407", reasons)
            self.assertFalse([record.url for record in crawl.records() if record.type == "response"])


class ConnectionTest(ProtocolsCase):
    def test_a_part_is_the_document_and_the_address_is_ours(self):
        with TlsSite([("plain", "", "allow 127.0.0.9; deny all;")]) as site:
            url = f"http://localhost:{site.ports['plain']}/"
            crawl = self.crawl("fetch: {range: true, max-length: 50000, bind-address: 127.0.0.9}\n", url)
            records = {record.url: record for record in crawl.records() if record.type == "response"}
            large = records[url + "large.bin"]
            self.assertTrue(large.block.startswith(b"HTTP/1.1 206 "))
            self.assertEqual(large.http()[2], site.files["large.bin"][:50000])
            self.assertEqual(large.fields["warc-truncated"], "length")
            self.assertNotIn("warc-truncated", records[url].fields)
            self.assertIn(url + "p1.html", records)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
