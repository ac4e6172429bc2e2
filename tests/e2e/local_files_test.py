"""Crawls of file: URLs: folders of this machine, as far as fetch.files opens them."""

import http.server
import json
import os
import pathlib
import shutil
import socket
import sys
import tempfile
import threading
import urllib.request

import harness
from ftp_test import Case, write_files

PAGE = b"<html><title>Here</title><a href='sub/'>sub</a> <a href='b%20c.txt?x=1'>b</a> <a href='http://nobody.example/'>out</a></html>"
FILES = {
    "index.html": PAGE,
    "b c.txt": b"with a blank\n",
    "sub/data.bin": bytes(range(256)) * 1000,
    "sub/deep/x;y%2F#z?.txt": b"odd name\n",
    "sub/empty.txt": b"",
}
ODD = b"\xff\xfe.txt"


class Folder:
    """A folder to be crawled, with one beside it that nobody opened."""

    def __init__(self, files=None):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="caddis-files-")).resolve()
        self.site = self.root / "site"
        write_files(self.site, FILES if files is None else files)
        write_files(self.root, {"secret.txt": b"not for the archive\n"})

    def url(self, path="/"):
        return f"file://{self.site}{path}"

    def settings(self, more=""):
        return f"fetch:\n  files: [{self.site}]\n{more}"

    def remove(self):
        shutil.rmtree(self.root)


class LocalFilesCase(Case):
    def folder(self, files=None):
        folder = Folder(files)
        self.addCleanup(folder.remove)
        return folder

    def test_a_folder_is_crawled(self):
        folder = self.folder()
        pathlib.Path(os.fsdecode(bytes(folder.site) + b"/" + ODD)).write_bytes(b"no UTF-8\n")
        (folder.site / "inside").symlink_to("sub/deep")
        (folder.site / "absolute").symlink_to(folder.site / "b c.txt")
        (folder.site / "outside").symlink_to(folder.root / "secret.txt")
        (folder.site / "up").symlink_to("..")
        (folder.site / "round").symlink_to(".")
        os.mkfifo(folder.site / "pipe")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(folder.site / "socket"))
        crawl = self.run_crawl(folder.url(), settings=folder.settings() + "dedup:\n  strategy: \"off\"\n")
        captured = {"/": None, "/sub/": None, "/sub/deep/": None, "/inside": None, "/index.html": PAGE, "/b%20c.txt": FILES["b c.txt"],
                    "/b%20c.txt?x=1": FILES["b c.txt"], "/sub/data.bin": FILES["sub/data.bin"], "/sub/empty.txt": b"",
                    "/sub/deep/x%3By%252F%23z%3F.txt": b"odd name\n", "/inside/x%3By%252F%23z%3F.txt": b"odd name\n", "/inside/": None,
                    "/absolute": FILES["b c.txt"], "/%FF%FE.txt": b"no UTF-8\n"}
        refused = {"/outside", "/up", "/round", "/pipe", "/socket"}
        statuses = self.statuses(crawl)
        self.assertEqual(statuses, {folder.url(path): 226 for path in captured} | {folder.url(path): -7 for path in refused})
        own = [record for record in crawl.records() if record.url.startswith("file:")]
        records = {record.url: record for record in own if record.type == "resource"}
        self.assertEqual(set(records), {folder.url(path) for path in captured})
        for path, content in captured.items():
            record = records[folder.url(path)]
            self.assertNotIn("warc-ip-address", record.fields)
            self.assertEqual(record.fields["warc-protocol"], "file")
            if content is not None:
                self.assertEqual(record.block, content, path)
        self.assertEqual(records[folder.url("/index.html")].fields["content-type"], "text/html")
        listing = records[folder.url("/")]
        self.assertEqual(listing.fields["content-type"], "text/plain")
        names = [line.partition(b" ")[2] for line in listing.block.split(b"\r\n") if line]
        self.assertEqual(names, sorted([b"absolute", b"b c.txt", b"index.html", b"inside", b"outside", b"pipe", b"round", b"socket", b"sub",
                                        b"up", ODD]))
        self.assertEqual({record.type for record in own}, {"resource", "metadata"})
        self.assertEqual([record.url for record in crawl.records() if record.url.startswith(("dns:", "http"))], [])
        failures = {line["url"]: line for line in self.lines(crawl, "failures")}
        self.assertIn("fetch.files", json.dumps(failures[folder.url("/outside")]))
        self.assertIn("neither a file nor a folder", json.dumps(failures[folder.url("/pipe")]))
        self.assertNotIn(b"not for the archive", b"".join(record.block for record in crawl.records()))

    def test_without_the_setting_none_is_fetched(self):
        folder = self.folder()
        crawl = self.crawl_of(folder.url())
        code, out, err = crawl.run()
        self.assertEqual(code, 1, out + err)
        self.assertIn("fetch.files names no folder that holds the seed", out + err)
        self.assertEqual(self.statuses(crawl), {folder.url(): -7})
        self.assertIn("the setting fetch.files", json.dumps(self.lines(crawl, "failures")))
        elsewhere = self.run_crawl(folder.url(), settings=f"fetch:\n  files: [{folder.site}/sub]\n", expected=1)
        self.assertEqual(self.statuses(elsewhere), {folder.url(): -7})
        wrong = self.crawl_of(folder.url(), settings="fetch:\n  files: [site]\n")
        code, out, err = wrong.run()
        self.assertNotEqual(code, 0)
        self.assertIn("no absolute path of a folder", err)

    def test_logs_index_and_replay_have_it(self):
        folder = self.folder()
        crawl = self.run_crawl(folder.url(), settings=folder.settings())
        by_url = {line["url"]: line for line in self.lines(crawl, "file")}
        listing, page = by_url[folder.url()], by_url[folder.url("/index.html")]
        self.assertEqual((listing["status"], listing["listing"], listing["mime"]), (226, "mlsd", "text/plain"))
        self.assertEqual((page["received"], page["mime"]), (len(PAGE), "text/html"))
        self.assertNotIn("address", page)
        log = next(line for line in (crawl.launches[0] / "logs/crawl.log").read_text().splitlines() if folder.url() + " " in line)
        self.assertIn("fileDirectoryList", log)
        metadata = [record.block.decode() for record in crawl.records() if record.type == "metadata" and record.url == folder.url("/index.html")]
        self.assertIn("fileModified: 20", metadata[0])
        own = sorted(line for path in (crawl.collection / "indexes").glob("*.cdxj") for line in path.read_text().splitlines())
        made = crawl.caddis("index", "add", *sorted((crawl.collection / "archive").iterdir()))
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(sorted(line for line in made.stdout.splitlines() if not line.startswith("!")), own)
        check = crawl.caddis("warc", "check", *sorted((crawl.collection / "archive").iterdir()))
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        told = crawl.caddis("log", crawl.collection, "--log", "file", "--host", "file:")
        self.assertEqual(sum(line.startswith("{") for line in told.stdout.splitlines()), len(by_url), told.stderr)
        process = crawl.popen([harness.BINARY, "serve", crawl.collection, "--listen", "127.0.0.1:0"])
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        home = process.stdout.readline().split()[-1]

        def replay(path, modifier="id_"):
            with urllib.request.urlopen(f"{home}2100{modifier}/{path}", timeout=30) as answer:
                return answer.headers["content-type"], answer.read()

        self.assertEqual(replay(folder.url("/index.html"))[1], PAGE)
        # What a proxy or a browser makes of three slashes.
        self.assertEqual(replay("file:" + str(folder.site / "sub/data.bin"))[1], FILES["sub/data.bin"])
        mime, rewritten = replay(folder.url("/index.html"), "if_")
        self.assertEqual(mime, "text/html")
        self.assertIn(f"/{folder.url('/sub/')}", rewritten.decode())
        why = crawl.caddis("why", folder.url("/sub/data.bin"), crawl.collection)
        self.assertIn("226", why.stdout, why.stderr)

    def test_pages_of_others_lead_to_no_file(self):
        folder = self.folder()
        page = f"<a href='{folder.url()}'>f</a><img src='{folder.url('/index.html')}'><base href='{folder.url()}'><a href=sub/>s</a>"

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/moved":
                    self.send_response(302)
                    self.send_header("Location", folder.url("/index.html"))
                    self.end_headers()
                    return
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(page.encode())

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        home = f"http://127.0.0.1:{server.server_address[1]}"
        crawl = self.run_crawl(home + "/", home + "/moved", settings=folder.settings() + "scope:\n  kind: any\n")
        self.assertEqual([url for url in self.statuses(crawl) if url.startswith("file:")], [])
        self.assertEqual(self.statuses(crawl)[home + "/moved"], 302)

    def test_limits_and_changes_are_told(self):
        folder = self.folder(files={"long.bin": b"x" * 100_000, "growing.log": b"line\n" * 20_000})
        cut = self.run_crawl(folder.url("/long.bin"), settings=folder.settings("  max-length: 1000\n  ftp-parent: false\n"))
        record = next(record for record in cut.records() if record.type == "resource")
        self.assertEqual((record.block, record.fields["warc-truncated"]), (b"x" * 1000, "length"))
        crawl = self.crawl_of(folder.url("/growing.log"), settings=folder.settings("  bandwidth: 50000\n  ftp-parent: false\n"))
        process = crawl.start()
        is_over = threading.Event()

        def grow():
            with (folder.site / "growing.log").open("ab", buffering=0) as log:
                while not is_over.wait(0.05):
                    log.write(b"more\n")

        writer = threading.Thread(target=grow)
        writer.start()
        code, out, err = harness.finish(process)
        is_over.set()
        writer.join()
        self.assertEqual(code, 0, out + err)
        line = self.lines(crawl, "file")[0]
        self.assertEqual(line["problem"], "the file has changed while it was read")
        self.assertGreater(line["received"], 100_000)
        metadata = next(record for record in crawl.records() if record.type == "metadata" and record.url.endswith("growing.log"))
        self.assertIn(b"fetchProblem: the file has changed while it was read", metadata.block)

    def test_a_crawl_that_is_killed_is_resumed(self):
        files = {f"{i % 20}/{i}.html": f"<a href='../{(i * 7) % 20}/{(i * 7) % 600}.html'>{i}</a>".encode() for i in range(600)}
        folder = self.folder(files=files)
        crawl = self.crawl_of(folder.url(), settings=folder.settings() + "dedup:\n  strategy: \"off\"\n")
        process = crawl.start(more=("--delay", "2ms"))
        harness.wait_until(lambda: crawl.logged() > 30_000, "some files")
        harness.kill(process)
        code, out, err = crawl.run(resume=True)
        self.assertEqual(code, 0, out + err)
        statuses = self.statuses(crawl)
        expected = {folder.url("/" + name) for name in files} | {folder.url(f"/{i}/") for i in range(20)} | {folder.url()}
        self.assertEqual(set(statuses), expected)
        self.assertEqual(set(statuses.values()), {226})
        records = [record for record in crawl.records() if record.type == "resource"]
        self.assertEqual(len(records), len(expected))
        for record in records:
            if record.url.endswith(".html"):
                self.assertEqual(record.block, files[record.url.removeprefix(folder.url())])

    def test_the_host_of_files_has_a_name(self):
        folder = self.folder()
        crawl = self.run_crawl(folder.url(), settings=folder.settings() + "limits:\n  max-documents: 2\n", expected=3)
        waiting = crawl.caddis("frontier", crawl.collection, "--urls", "--host", "file:")
        self.assertEqual(waiting.returncode, 0, waiting.stderr)
        self.assertIn(folder.url("/sub/"), waiting.stdout)
        host = crawl.caddis("frontier", crawl.collection, "--host", "file:")
        self.assertEqual(host.returncode, 0, host.stderr)
        self.assertNotIn("address", host.stdout.lower())
        report = crawl.caddis("report", "hosts", crawl.collection)
        self.assertIn("file:", report.stdout, report.stderr)

    def test_sheets_open_folders(self):
        folder = self.folder()
        sheets = ("sheets:\n"
                  f"  ours:\n    sites: ['{folder.url('/sub/')}']\n    settings:\n      fetch: {{files: [{folder.site}]}}\n"
                  "  slow:\n    sites: ['file:']\n    settings:\n      politeness: {delay: 30ms}\n")
        crawl = self.run_crawl(folder.url(), folder.url("/sub/"), settings=sheets)
        statuses = self.statuses(crawl)
        self.assertEqual(statuses[folder.url()], -7)
        self.assertEqual(statuses[folder.url("/sub/data.bin")], 226)
        self.assertEqual(statuses[folder.url("/sub/deep/")], 226)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
