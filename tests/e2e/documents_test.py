#!/usr/bin/env python3
"""Binary documents, made by real programs while the test runs, on a site: the crawl follows their links, and one that is hostile
costs nothing but its own links."""

import contextlib
import http.server
import io
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

import harness

NAMES = " ".join(f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for prefix, name in (
    ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"), ("svg", "svg-compatible")))
# What LibreOffice makes documents of: flat OpenDocument, by the kind of document.
BODIES = {
    "text": "<office:text><text:p>{link}</text:p></office:text>",
    "spreadsheet": "<office:spreadsheet><table:table table:name='S'><table:table-row>"
                   "<table:table-cell office:value-type='string'><text:p>{link}</text:p></table:table-cell>"
                   "<table:table-cell table:formula='of:=HYPERLINK(&quot;{formula}&quot;;&quot;shown&quot;)' "
                   "office:value-type='string'><text:p>shown</text:p></table:table-cell>"
                   "</table:table-row></table:table></office:spreadsheet>",
    "presentation": "<office:presentation><draw:page draw:name='p1'>"
                    "<draw:frame svg:width='10cm' svg:height='3cm' svg:x='1cm' svg:y='1cm'><draw:text-box><text:p>{link}</text:p>"
                    "</draw:text-box></draw:frame></draw:page></office:presentation>",
}
SUFFIXES = {"text": "fodt", "spreadsheet": "fods", "presentation": "fodp"}
MADE = {"text": ["odt", "docx", "doc", "rtf", "pdf", "epub"], "spreadsheet": ["ods", "xlsx", "xls"],
        "presentation": ["odp", "pptx", "ppt"]}
FORMATS = {"odt": "odf", "ods": "odf", "odp": "odf", "docx": "ooxml", "xlsx": "ooxml", "pptx": "ooxml",
           "doc": "ole", "xls": "ole", "ppt": "ole"}
FLASH = """class Main {{
  static function main() {{ flash.Lib.getURL(new flash.net.URLRequest("{}")); }}
}}
"""
RTF = r"{{\rtf1 {}}}"
FIELD = r'{{\field{{\*\fldinst HYPERLINK "{}"}}{{\fldrslt x}}}}'


def rtf(*links):
    return RTF.format("".join(FIELD.format(link) for link in links)).encode()


class Site:
    """Serves what lies in `files` by its path, and any other path as a short text."""

    def __init__(self):
        self.files, self.before, self.asked, self.tags = {}, {}, [], {}
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                site.asked.append(self.path)
                site.before.get(self.path, lambda: None)()
                body = site.files.get(self.path, b"here")
                kind = "text/html" if body.startswith(b"<") else "text/plain" if body == b"here" else "application/octet-stream"
                status = 404 if self.path == "/robots.txt" else 200
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                if self.path in site.tags:
                    self.send_header("X-Robots-Tag", site.tags[self.path])
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.root = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.seeds = [self.root + "/"]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def add(self, name, body):
        self.files["/" + name] = body

    def index(self):
        self.files["/"] = "".join(f'<a href="{path}">x</a>' for path in self.files).encode()


class Maker:
    """Makes documents with links by programs that people use."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def run(self, *command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=300, cwd=self.folder)
        if done.returncode not in (0, 3):  # qpdf: 3 is a warning
            raise AssertionError(f"{command}: {done.stdout}{done.stderr}")

    def office(self, kind, suffix, link, formula):
        source = self.folder / f"{kind}-{suffix}.{SUFFIXES[kind]}"
        body = BODIES[kind].format(link=f'<text:a xlink:type="simple" xlink:href="{link}">link</text:a>', formula=formula)
        source.write_text(f'<?xml version="1.0" encoding="UTF-8"?><office:document {NAMES} '
                          'xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" '
                          f'office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.{kind}">'
                          f"<office:body>{body}</office:body></office:document>")
        self.run("soffice", f"-env:UserInstallation=file://{self.folder}/profile", "--headless", "--convert-to", suffix,
                 "--outdir", self.folder, source)
        return source.with_suffix("." + suffix)

    def qpdf(self, source, name, *options):
        self.run("qpdf", *options, source, self.folder / name)
        return (self.folder / name).read_bytes()

    def flash(self, link):
        (self.folder / "Main.hx").write_text(FLASH.format(link))
        self.run("haxe", "-main", "Main", "-swf", "flash.swf", "--swf-version", "11")
        return (self.folder / "flash.swf").read_bytes()


def worker_of(process):
    """The document worker that a crawl has, or nothing."""
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, IndexError, ValueError):
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == process.pid and b"document-worker" in (entry / "cmdline").read_bytes():
                return int(entry.name)
    return None


class DocumentsTest(unittest.TestCase):
    maxDiff = None

    def new_crawl(self, site, settings=""):
        crawl = harness.Crawl(site, harness.SETTINGS + settings)
        self.addCleanup(crawl.remove)
        return crawl

    def finish(self, process):
        code, out, err = harness.finish(process)
        self.assertEqual(code, 0, out + err)

    def lines(self, crawl):
        """Lines of http.jsonl by the path of their URL."""
        lines = map(json.loads, (crawl.launches[-1] / "logs/http.jsonl").read_text().splitlines())
        return {line["url"].split("/", 3)[3]: line for line in lines if "url" in line}

    def report(self, crawl):
        """Rows of documents-report by their format: documents, failed, links."""
        rows = (crawl.launches[-1] / "reports/documents-report.csv").read_text().splitlines()[1:]
        return {row.split(",")[0]: [int(cell) for cell in row.split(",")[1:4]] for row in rows}

    def make_documents(self, site, maker):
        """Adds documents, and returns the paths of the links in each."""
        expected = {}
        for kind, suffixes in MADE.items():
            for suffix in suffixes:
                link, formula = f"{site.root}/l/{kind}-{suffix}?a=1&amp;b=2", f"{site.root}/l/{kind}-{suffix}-formula"
                path = maker.office(kind, suffix, link, formula)
                site.add(path.name, path.read_bytes())
                expected[path.name] = {f"l/{kind}-{suffix}?a=1&b=2"}
                if kind == "spreadsheet":
                    expected[path.name].add(f"l/{kind}-{suffix}-formula")
        for name, options in {"streams": ["--object-streams=generate"], "linear": ["--linearize"],
                              "locked": ["--encrypt", "", "owner", "256", "--"],
                              "secret": ["--encrypt", "user", "owner", "256", "--"]}.items():
            source = maker.office("text", "pdf", f"{site.root}/l/{name}", "")
            site.add(f"{name}.pdf", maker.qpdf(source, f"{name}.pdf", *options))
            expected[f"{name}.pdf"] = set() if name == "secret" else {f"l/{name}"}
        site.add("flash.swf", maker.flash(f"{site.root}/l/flash"))
        expected["flash.swf"] = {"l/flash"}
        return expected

    def test_links_of_documents_of_real_programs(self):
        missing = [program for program in ("soffice", "qpdf", "haxe") if shutil.which(program) is None]
        if missing:
            self.skipTest(f"not installed: {', '.join(missing)}")
        with Site() as site, tempfile.TemporaryDirectory() as folder:
            expected = self.make_documents(site, Maker(folder))
            site.index()
            crawl = self.new_crawl(site)
            self.finish(crawl.start())
            lines = self.lines(crawl)
            found = {name: {path for path, line in lines.items() if line.get("via") == f"{site.root}/{name}"} for name in expected}
            self.assertEqual(found, expected)
            problems = {path: line["document_problem"] for path, line in lines.items() if "document_problem" in line}
            self.assertEqual(problems, {"secret.pdf": "pdf: it is encrypted, and opens with a password only"})
            report = self.report(crawl)
            self.assertEqual({name: row[:2] for name, row in report.items()},
                             {"pdf": [5, 1], "ooxml": [3, 0], "odf": [3, 0], "epub": [1, 0], "ole": [3, 0], "rtf": [1, 0],
                              "swf": [1, 0]})

    def test_what_is_not_wanted_is_not_read(self):
        with Site() as site:
            site.add("a.rtf", rtf(site.root + "/l/rtf"))
            site.index()
            crawl = self.new_crawl(site, "documents: {formats: [pdf, ooxml]}\n")
            self.finish(crawl.start())
            self.assertNotIn("l/rtf", self.lines(crawl))
            self.assertEqual(self.report(crawl), {})

    def test_links_are_not_followed_where_the_server_forbids_it(self):
        with Site() as site:
            site.add("a.rtf", rtf(site.root + "/l/a"))
            site.add("b.rtf", rtf(site.root + "/l/b"))
            site.tags["/a.rtf"] = "nofollow"
            site.index()
            # Whether or not the other extractors have looked at it.
            for guard in ["", "pipeline: {guard: ['extract: mime ^text/']}\n"]:
                crawl = self.new_crawl(site, guard)
                self.finish(crawl.start())
                self.assertIn("l/b", self.lines(crawl))
                self.assertNotIn("l/a", self.lines(crawl))
                self.assertEqual(self.report(crawl), {"rtf": [1, 0, 1]})

    def test_bombs_cost_their_own_links(self):
        with Site() as site:
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
                archive.writestr("[Content_Types].xml", "<Types/>")
                archive.writestr("word/_rels/document.xml.rels",
                                 f'<R><Relationship TargetMode="External" Type="x/hyperlink" Target="{site.root}/l/first"/></R>')
                archive.writestr("word/document.xml", b"<w:p>" + bytes(40_000_000))
            site.add("bomb.docx", packed.getvalue())
            site.add("cut.rtf", rtf(site.root + "/l/cut")[:-20])
            site.add("whole.rtf", rtf(site.root + "/l/whole"))
            site.index()
            crawl = self.new_crawl(site, "documents: {max-unpacked: 10MB}\n")
            self.finish(crawl.start())
            lines = self.lines(crawl)
            self.assertIn("unpacks to more than", lines["bomb.docx"]["document_problem"])
            self.assertIn("l/first", lines)
            self.assertIn("l/whole", lines)
            self.assertNotIn("document_problem", lines["whole.rtf"])
            self.assertEqual(self.report(crawl)["ooxml"], [1, 1, 1])
            log = (crawl.launches[-1] / "logs/crawl.log").read_text().splitlines()
            annotations = {line.split()[3].split("/", 3)[3]: line.split()[11] for line in log if "://" in line}
            self.assertIn("documentProblem", annotations["bomb.docx"].split(","))
            limits = (crawl.launches[-1] / "reports/extraction-limits-report.csv").read_text()
            self.assertIn("documents-failed,127.0.0.1,2,", limits)

    def crawl_with_a_worker_that_stops(self, site, settings, then):
        """The seed names two documents; when the first of them is asked for, the worker stands still. Returns the crawl, ended."""
        site.add("seed.rtf", rtf(site.root + "/first.rtf", site.root + "/second.rtf"))
        site.add("first.rtf", rtf(site.root + "/l/first"))
        site.add("second.rtf", rtf(site.root + "/l/second"))
        site.seeds = [site.root + "/seed.rtf"]
        crawl = self.new_crawl(site, settings)
        started = queue.SimpleQueue()
        site.before["/first.rtf"] = lambda: os.kill(worker_of(started.get(timeout=60)), signal.SIGSTOP)
        process = crawl.start()
        started.put(process)
        then(crawl, process)
        self.finish(process)
        lines = self.lines(crawl)
        self.assertEqual({path for path, line in lines.items() if "document_problem" in line}, {"first.rtf"})
        self.assertIn("l/second", lines)
        self.assertNotIn("l/first", lines)
        self.assertEqual(self.report(crawl)["rtf"], [3, 1, 3])
        self.assertEqual(crawl.caddis("warc", "check", *sorted((crawl.collection / "archive").iterdir())).returncode, 0)
        return lines["first.rtf"]["document_problem"]

    def test_a_document_that_takes_too_long(self):
        with Site() as site:
            problem = self.crawl_with_a_worker_that_stops(site, "documents: {time-limit: 1s}\n", lambda *_: None)
            self.assertEqual(problem, "rtf: reading it takes longer than 1s")

    def test_a_document_that_breaks_the_worker(self):
        def kill(crawl, process):
            def reads_first():
                threads = crawl.caddis("report", "threads", crawl.collection).stdout
                return any("first.rtf" in line and "at documents" in line for line in threads.splitlines())
            harness.wait_until(reads_first, "document that is being read")
            os.kill(worker_of(process), signal.SIGKILL)

        with Site() as site:
            problem = self.crawl_with_a_worker_that_stops(site, "documents: {time-limit: 10m}\n", kill)
            self.assertEqual(problem, "rtf: the document worker was ended by signal 9")

    def test_the_worker_ends_with_the_crawl(self):
        with Site() as site:
            site.add("a.rtf", rtf(site.root + "/slow"))
            site.seeds = [site.root + "/a.rtf"]
            reached, go_on = threading.Event(), threading.Event()
            site.before["/slow"] = lambda: (reached.set(), go_on.wait(120))
            crawl = self.new_crawl(site)
            process = crawl.start()
            try:
                self.assertTrue(reached.wait(120))
                worker = worker_of(process)
                self.assertIsNotNone(worker)
                process.kill()
                process.communicate()
                harness.wait_until(lambda: not pathlib.Path(f"/proc/{worker}/cmdline").exists()
                                   or not pathlib.Path(f"/proc/{worker}/cmdline").read_bytes(), "end of the worker")
            finally:
                go_on.set()

    def test_a_batch_has_one_worker(self):
        with subprocess.Popen([harness.BINARY, "extract"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            workers = set()
            for number in range(3):
                link = f"http://h/{number}"
                process.stdin.write(json.dumps({"url": "http://h/a.rtf", "body": rtf(link).decode()}) + "\n")
                process.stdin.flush()
                self.assertEqual([found["url"] for found in json.loads(process.stdout.readline())["links"]], [link])
                workers.add(worker_of(process))
            self.assertEqual(len(workers - {None}), 1, workers)
            process.stdin.close()
            self.assertEqual(process.wait(60), 0)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
