#!/usr/bin/env python3
"""A crawl tells of its end and of warnings: a webhook of ours hears it, and a program in the place of sendmail."""

import http.server
import json
import sys
import threading
import unittest

import harness


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = b"<a href=/more>more</a>"
        self.send_response(200 if self.path in ("/", "/more") else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.posted.append((self.path, self.headers["Content-Type"], json.loads(body)))
        self.send_response(self.server.answers.pop(0) if self.server.answers else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class AlertsTest(unittest.TestCase):
    def setUp(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.posted, self.server.answers = [], []
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.origin = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.seeds = [self.origin + "/"]
        self.crawl = harness.Crawl(self)
        self.addCleanup(self.crawl.remove)

    def run_crawl(self, settings):
        self.crawl.config.write_text(harness.SETTINGS + settings)
        return self.crawl.run()

    def test_the_end_is_told_to_a_webhook_which_is_a_secret(self):
        self.server.answers = [500]
        code, out, err = self.run_crawl(f"alerts: {{webhook: '{self.origin}/hook?key=sesame'}}\n")
        self.assertEqual(code, 0, out + err)
        self.assertEqual([path for path, _, _ in self.server.posted], ["/hook?key=sesame"] * 2)
        _, kind, told = self.server.posted[-1]
        self.assertEqual(kind, "application/json")
        self.assertEqual(told["crawl"], self.crawl.launches[0].name)
        self.assertEqual([event["kind"] for event in told["events"]], ["ends"])
        self.assertRegex(told["events"][0]["text"], r"ended: finished; \d documents")
        known = [path.name for path in self.crawl.collection.rglob("*") if path.is_file() and b"sesame" in path.read_bytes()]
        self.assertEqual(known, ["secrets.yaml"])

    def test_the_end_is_told_by_mail(self):
        mail = self.crawl.folder / "mail"
        program = self.crawl.folder / "sendmail"
        program.write_text(f"#!/bin/sh\ncat > {mail}\necho \"$@\" >> {mail}\n")
        program.chmod(0o755)
        code, out, err = self.run_crawl(f"alerts: {{mail-to: [a@example.org], mail-command: '{program} -t -i'}}\n")
        self.assertEqual(code, 0, out + err)
        text = mail.read_text()
        self.assertIn("To: a@example.org\nSubject: [caddis] ", text)
        self.assertRegex(text, r"ended: finished; \d documents")
        self.assertTrue(text.endswith("-t -i\n"), text)

    def test_what_cannot_be_told_is_said_and_ends_nothing(self):
        code, out, err = self.run_crawl("alerts: {mail-to: [a@example.org], mail-command: /nonexistent/sendmail}\n")
        self.assertEqual(code, 0, out + err)
        self.assertIn("was not sent by /nonexistent/sendmail", err)

    def test_wrong_addresses_are_refused(self):
        for settings in ("{webhook: 'ftp://a.example/'}", "{mail-to: [nobody]}", "{about: [all]}"):
            code, _, err = self.run_crawl(f"alerts: {settings}\n")
            self.assertEqual(code, 2, err)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
