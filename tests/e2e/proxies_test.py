#!/usr/bin/env python3
"""Proxies as an operator sets them: for some sites by sheets, and for others while the crawl runs."""

import collections
import http.server
import socket
import subprocess
import sys
import threading
import unittest
import urllib.parse

import harness
from local_site import LocalSite

SHEETS = """
sheets:
  far:
    sites: [alpha.localhost]
    settings: {{fetch: {{proxy: "http://127.0.0.1:{far}"}}}}
  other:
    sites: [beta.localhost]
    settings: {{fetch: {{proxy: "http://127.0.0.1:{other}"}}}}
"""


class CountingProxy:
    """An HTTP proxy that counts what it is asked for by host, and looks no name up: all of them are this machine."""

    def __enter__(self):
        hosts = self.hosts = collections.Counter()

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                hosts[url.hostname] += 1
                answer = b""
                with socket.create_connection(("127.0.0.1", url.port)) as server:
                    path = urllib.parse.urlunsplit(("", "", url.path, url.query, ""))
                    server.sendall(f"GET {path} HTTP/1.0\r\nHost: {url.netloc}\r\n\r\n".encode())
                    while piece := server.recv(65536):
                        answer += piece
                # The connection stays open for the next request, if the length is known.
                head = answer.split(b"\r\n\r\n")[0].lower()
                stays = b"content-length:" in head
                self.wfile.write(answer.replace(b"Connection: close", b"Connection: keep-alive", 1) if stays else answer)
                self.close_connection = not stays

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class ProxiesTest(unittest.TestCase):
    def new_crawl(self, site, settings):
        crawl = harness.Crawl(site, harness.SETTINGS + settings)
        self.addCleanup(crawl.remove)
        return crawl

    def set(self, crawl, *arguments, code=0):
        done = subprocess.run([harness.BINARY, "settings", "set", "--collection", str(crawl.collection), *arguments],
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr

    def looked_up(self, crawl):
        return {record.url for record in crawl.records() if record.url.startswith("dns:")}

    def test_sheets_have_their_own(self):
        with LocalSite(pages=24) as site, CountingProxy() as far, CountingProxy() as other:
            crawl = self.new_crawl(site, SHEETS.format(far=far.port, other=other.port))
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            self.assertEqual(set(far.hosts), {"alpha.localhost"})
            self.assertEqual(set(other.hosts), {"beta.localhost"})
            self.assertGreater(far.hosts["alpha.localhost"], 5)
            # Their proxies look names up, and nobody does it for them.
            self.assertEqual(self.looked_up(crawl), {"dns:gamma.localhost", "dns:delta.localhost"})
            captured = {record.url for record in crawl.records() if record.type in ("response", "revisit")}
            self.assertEqual(captured, set(site.captures))

    def test_one_comes_changes_and_goes_while_the_crawl_runs(self):
        with LocalSite(pages=60) as site, CountingProxy() as far, CountingProxy() as other:
            crawl = self.new_crawl(site, "")
            more = ["--max-documents", "12", "--at-limit", "pause"]
            process = crawl.start(more=more)

            def go_on(documents, *settings):
                """Sets something while the crawl is paused, and lets it go on until it has so many documents."""
                self.set(crawl, *settings)
                self.set(crawl, f"limits.max-documents={documents}")
                subprocess.run([harness.BINARY, "resume", str(crawl.collection)], check=True, capture_output=True, timeout=60)

            def wait():
                harness.wait_until(lambda: crawl.status().get("state") == "paused", "crawl that is paused")
                return sum(far.hosts.values()), sum(other.hosts.values())

            try:
                self.assertEqual(wait(), (0, 0))
                self.assertIn("cannot be found", self.set(crawl, "fetch.proxy=http://no-such-host.invalid:1", code=1))
                go_on(30, f"fetch.proxy=http://127.0.0.1:{far.port}")
                through_far, through_other = wait()
                self.assertGreater(through_far, 10)
                self.assertEqual(through_other, 0)
                # The connections that are kept open to the one are not used for the other.
                go_on(50, f"fetch.proxy=http://me:word@127.0.0.1:{other.port}")
                now_far, now_other = wait()
                self.assertEqual(now_far, through_far)
                self.assertGreater(now_other, 10)
                go_on(0, "fetch.proxy=")
                code, out, err = harness.finish(process, 240)
                self.assertEqual(code, 0, out + err)
                self.assertEqual((sum(far.hosts.values()), sum(other.hosts.values())), (now_far, now_other))
            finally:
                if process.poll() is None:
                    harness.kill(process)
            captured = {record.url for record in crawl.records() if record.type in ("response", "revisit")}
            self.assertEqual(captured, set(site.captures))
            self.assertEqual(self.looked_up(crawl), {url for url in site.log if url.startswith("dns:")})
            for file in crawl.collection.rglob("*"):
                if file.is_file() and file.name != "secrets.yaml":
                    self.assertNotIn(b"me:word@", file.read_bytes(), file)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
