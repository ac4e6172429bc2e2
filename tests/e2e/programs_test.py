#!/usr/bin/env python3
"""Programs of others that find links: what they are asked, what they answer, and what they cannot do."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import documents_test
import harness
import peers
from robots_test import Site

# Answers by the path of the URL that it is asked about; in `folder` it notes what it has seen.
PROGRAM = r'''
import json, os, subprocess, sys, time
folder = sys.argv[1]
question = json.loads(sys.stdin.readline())
path = "/" + question["url"].split("/", 3)[3]
with open(question["file"]) as document:
    question["document"] = document.read()
if folder != "-":
    with open(os.path.join(folder, path[1:] + ".json"), "w") as note:
        json.dump(question, note)
if path == "/links":
    print(json.dumps([{"url": "/found-link", "hop": "L", "context": "player"}, "found-part", question["url"], "http://bad host/"]))
elif path == "/film":
    print(json.dumps({"id": 1, "url": "/film.mp4", "thumbnails": [{"url": "/film.jpg"}], "formats": [{"url": "/film-low.mp4"}],
                      "entries": [{"_type": "url", "url": "/film-2"}]}))
elif path == "/hangs":
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    if folder != "-":
        with open(os.path.join(folder, "child"), "w") as note:
            note.write(str(child.pid))
    time.sleep(1000)
elif path == "/eats":
    bytearray(1 << 40)
elif path == "/crashes":
    os.kill(os.getpid(), 11)
elif path == "/rubbish":
    print("rubbish")
elif path == "/tells":
    print(json.dumps({"environment": dict(os.environ), "links": []}))
elif path == "/writes":
    open(os.path.join(sys.argv[2], "written"), "w").close()
    print("[]")
'''
PAGES = {f"/{name}": ([], f"page {name}") for name in ("links", "film", "hangs", "eats", "crashes", "rubbish", "other")}
FOUND = {f"/{name}": ([], name) for name in ("found-link", "found-part", "film.mp4", "film.jpg", "film-low.mp4", "film-2")}
SETTINGS = harness.SETTINGS + """
extract:
  favicon: false
  program: [python3, PROGRAM, FOLDER, OTHER]
  program-urls: ['/(links|film|hangs|eats|crashes|rubbish|tells|writes)$']
  program-time-limit: 3s
  sandbox: SANDBOX
"""


def is_there(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class ProgramsCase(unittest.TestCase):
    maxDiff = None

    def new_crawl(self, site, sandbox="none", notes=True):
        crawl = harness.Crawl(site, "")
        self.addCleanup(crawl.remove)
        # A sandbox hides the folder for temporary files.
        folder = pathlib.Path(tempfile.mkdtemp(prefix="programs-", dir=pathlib.Path(harness.BINARY).resolve().parent))
        self.addCleanup(shutil.rmtree, folder)
        (folder / "program.py").write_text(PROGRAM)
        text = SETTINGS.replace("PROGRAM", str(folder / "program.py")).replace("SANDBOX", sandbox).replace("OTHER", str(folder))
        crawl.config.write_text(text.replace("FOLDER", str(crawl.folder) if notes else "'-'"))
        return crawl

    def finished(self, crawl):
        code, out, err = crawl.run()
        self.assertEqual(code, 0, out + err)
        return crawl

    @staticmethod
    def lines(crawl):
        lines = map(json.loads, (crawl.launches[-1] / "logs/http.jsonl").read_text().splitlines())
        return {"/" + line["url"].split("/", 3)[3]: line for line in lines if "log" not in line}

    def test_links_are_followed_and_failures_are_on_record(self):
        root = "".join(f"<a href={path}>x</a>" for path in PAGES)
        with Site({**PAGES, **FOUND, "/": ([], root)}) as site:
            crawl = self.finished(self.new_crawl(site))
            lines = self.lines(crawl)
            self.assertEqual({path: line["hops"] for path, line in lines.items() if path in FOUND}, {
                "/found-link": "LL", "/found-part": "LE", "/film.mp4": "LE", "/film.jpg": "LE", "/film-low.mp4": "LE", "/film-2": "LL"})
            problems = {path: line["document_problem"] for path, line in lines.items() if "document_problem" in line}
            self.assertEqual(set(problems), {"/hangs", "/eats", "/crashes", "/rubbish"})
            self.assertEqual(problems["/hangs"], "program: it takes longer than 3s")
            self.assertRegex(problems["/eats"], "^program: it was ended with exit code 1: .*MemoryError")
            self.assertEqual(problems["/crashes"], "program: it was ended by signal 11")
            self.assertEqual(problems["/rubbish"], "program: line 1 of its answer is no list of links: rubbish")
            self.assertEqual(json.loads((crawl.folder / "links.json").read_text()), {
                "url": site.root + "/links", "via": site.root + "/", "content_type": "text/html", "file": "/dev/fd/3",
                "document": "page links"})
            self.assertFalse((crawl.folder / "other.json").exists())
            self.assertFalse(is_there(int((crawl.folder / "child").read_text())))
            report = (crawl.launches[-1] / "reports/processors-report.txt").read_text()
            self.assertRegex(report, r"program\s+6\s")
            self.assertRegex(report, r"program-failed\s+4\s")

    def test_answers_are_kept(self):
        root = "<a href=/links>x</a><a href=/film>x</a><a href=/rubbish>x</a>"
        with Site({**PAGES, **FOUND, "/": ([], root)}) as site:
            crawl = self.finished(self.new_crawl(site))
            responses = {record.url: record for record in crawl.records() if record.type == "response"}
            kept = {record.url: record for record in crawl.records() if record.type == "metadata" and "json" in record.fields["content-type"]}
            film = f"youtube-dl:{site.root}/film"
            self.assertEqual(set(kept), {f"{site.root}/links", film})
            self.assertEqual(kept[film].fields["content-type"], "application/vnd.youtube-dl_formats+json;charset=utf-8")
            self.assertEqual(kept[film].fields["warc-concurrent-to"], responses[f"{site.root}/film"].fields["warc-record-id"])
            self.assertEqual(json.loads(kept[film].block)["url"], "/film.mp4")
            self.assertEqual(kept[f"{site.root}/links"].fields["content-type"], "application/json")
            archive = sorted((crawl.collection / "archive").iterdir())
            checked = subprocess.run([harness.BINARY, "warc", "check", *archive], capture_output=True, text=True)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
            crawl.config.write_text(crawl.config.read_text().replace("  sandbox:", "  program-record: false\n  sandbox:"))
            crawl.collection = crawl.folder / "another"
            self.finished(crawl)
            self.assertFalse([record for record in crawl.records() if "json" in record.fields["content-type"]])

    def test_no_program_is_told_a_secret(self):
        for sandbox in ("none", "auto"):
            with self.subTest(sandbox), Site({"/tells": ([], "x")}) as site:
                crawl = self.new_crawl(site, sandbox, notes=False)
                crawl.config.write_text(crawl.config.read_text() + "logins: {site: 127.0.0.1, user: anna, password: '${ANNAS}'}\n")
                with unittest.mock.patch.dict(os.environ, {"ANNAS": "apw-SECRET1", "LC_TIME": "C"}):
                    self.finished(crawl)
                said, = (record for record in crawl.records() if record.url.endswith("/tells") and b"environment" in record.block)
                self.assertNotIn(b"SECRET1", said.block)
                environment = json.loads(said.block)["environment"]
                self.assertNotIn("ANNAS", environment)
                self.assertEqual([environment[name] for name in ("PATH", "HOME", "LC_TIME")],
                                 [os.environ["PATH"], str(crawl.folder), "C"])

    def test_yt_dlp_itself_is_understood(self):
        command = [*peers.python_with("yt-dlp"), "-m", "yt_dlp", "--flat-playlist", "-J", "--no-warnings", "{url}"]
        film = '<title>A film</title><video poster="/film.jpg"><source src="/film.mp4" type="video/mp4"></video>'
        with Site({**FOUND, "/": ([], "<a href=/watch>x</a>"), "/watch": ([], film)}) as site:
            crawl = harness.Crawl(site, harness.SETTINGS + f"""
extract:
  program: {json.dumps(command)}
  program-urls: ['/watch$']
  program-memory: 4GB
  sandbox: none
sheets:  # so that all its links are those of the program
  films: {{urls: ['/watch$'], settings: {{pipeline: {{disable: [extract]}}}}}}
""")
            self.addCleanup(crawl.remove)
            self.finished(crawl)
            lines = self.lines(crawl)
            self.assertNotIn("document_problem", lines["/watch"])
            self.assertEqual({path: lines[path]["hops"] for path in ("/film.mp4", "/film.jpg")}, {"/film.mp4": "LE", "/film.jpg": "LE"})
            said = next(record for record in crawl.records() if record.url == f"youtube-dl:{site.root}/watch")
            self.assertIn(f"{site.root}/film.mp4", said.block.decode())
            report = (crawl.launches[-1] / "reports/processors-report.txt").read_text()
            self.assertRegex(report, r"program\s+1\s")
            self.assertNotRegex(report, r"program-failed\s+[1-9]")

    def test_urls_that_stand_in_the_text_of_a_pdf(self):
        """The example pdf-text-links, with a PDF that LibreOffice has made."""
        missing = [program for program in ("soffice", "pdftotext") if shutil.which(program) is None]
        if missing:
            self.skipTest(f"not installed: {', '.join(missing)}")
        with documents_test.Site() as site, tempfile.TemporaryDirectory() as folder:
            note = pathlib.Path(folder) / "note.txt"
            note.write_text(f"See {site.root}/written (or {site.root}/in_(brackets)).\n\u201c{site.root}/quoted\u201d \u2014 no link: example\n", encoding="utf-8-sig")
            documents_test.Maker(folder).run("soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", "pdf",
                                             "--outdir", folder, note)
            site.add("note.pdf", note.with_suffix(".pdf").read_bytes())
            site.add("broken.pdf", b"%PDF-1.7 and no more")
            site.add("page.pdf", b"<p>http://none.example/</p>")
            site.index()
            program = pathlib.Path(__file__).parents[2] / "examples/programs/pdf-text-links"
            crawl = harness.Crawl(site, harness.SETTINGS + f"""
extract:
  program: [{json.dumps(str(program))}]
  program-urls: ['\\.pdf$']
""")
            self.addCleanup(crawl.remove)
            lines = self.lines(self.finished(crawl))
            of_note = {path: line["hops"] for path, line in lines.items() if line.get("via") == f"{site.root}/note.pdf"}
            self.assertEqual(of_note, {"/written": "LL", "/in_(brackets)": "LL", "/quoted": "LL"})
            report = (crawl.launches[-1] / "reports/processors-report.txt").read_text()
            self.assertRegex(report, r"program\s+3\s")
            self.assertRegex(report, r"program-failed\s+1\s", "broken.pdf")

    def test_nothing_of_a_program_outlives_the_crawl(self):
        for how in (signal.SIGKILL, signal.SIGINT):
            with self.subTest(how), Site({"/hangs": ([], "x")}) as site:
                crawl = self.new_crawl(site)
                crawl.config.write_text(crawl.config.read_text().replace("time-limit: 3s", "time-limit: 10m"))
                process = crawl.start()
                note = crawl.folder / "child"
                harness.wait_until(lambda: note.exists() and note.read_text(), "child of the program")
                process.send_signal(how)
                out, err = process.communicate(timeout=60)
                if how == signal.SIGINT:
                    self.assertEqual(process.returncode, 4, out + err)
                    self.assertNotIn("/hangs", self.lines(crawl))
                harness.wait_until(lambda: not is_there(int(note.read_text())), "end of the program", seconds=30)

    def test_a_sandbox_keeps_it_from_writing(self):
        if shutil.which("bwrap") is None:
            self.skipTest("not installed: bwrap")
        pages = {"/links": ([], "x"), "/writes": ([], "x"), **FOUND, "/": ([], "<a href=/links>x</a><a href=/writes>x</a>")}
        with Site(pages) as site:
            crawl = self.finished(self.new_crawl(site, sandbox="bubblewrap", notes=False))
            problems = {path: line["document_problem"] for path, line in self.lines(crawl).items() if "document_problem" in line}
            if "bubblewrap cannot confine it" in problems.get("/links", ""):
                self.skipTest(problems["/links"])
            self.assertIn("/found-link", self.lines(crawl))
            self.assertEqual(set(problems), {"/writes"})
            self.assertIn("Read-only file system", problems["/writes"])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
