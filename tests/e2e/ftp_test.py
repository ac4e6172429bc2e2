"""Crawls of servers that speak other protocols than HTTP: pyftpdlib for FTP, OpenSSH for SFTP, a stub for WHOIS."""

import json
import os
import pathlib
import pwd
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

import harness
from protocols_test import microsocks

# Debian's package belongs to the system's Python, which may not be the one that runs this.
SYSTEM_PYTHON = "/usr/bin/python3"

PAGE = b"<html><title>Here</title><a href='pub/deep/'>deep</a> <a href='http://nobody.example/'>out</a></html>"
FILES = {
    "index.html": PAGE,
    "read me.txt": b"read me\n",
    "pub/data.bin": bytes(range(256)) * 40,
    "pub/copy.bin": bytes(range(256)) * 40,
    "pub/deep/x;y%2F#z?.txt": b"odd name\n",
    "pub/empty.txt": b"",
}


def write_files(folder, files):
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


class FtpServer:
    """An FTP server on a port of its own, for anonymous users and for one with a password."""

    def __init__(self, files=None):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-ftp-"))
        write_files(self.folder / "site", FILES if files is None else files)
        write_files(self.folder / "site", {"hidden/mine.txt": b"for me alone\n"})
        self.said = self.folder / "said"
        python = SYSTEM_PYTHON if pathlib.Path(SYSTEM_PYTHON).exists() else sys.executable
        server = pathlib.Path(__file__).with_name("ftp_server.py")
        with self.said.open("wb") as said:
            self.process = subprocess.Popen([python, "-B", server, self.folder / "site"], stdout=said)
        self.port = int(harness.wait_until(lambda: self.said.read_text().partition("\n")[0], "port of the FTP server"))

    @property
    def commands(self):
        return self.said.read_text().splitlines()[1:]

    def url(self, path="/"):
        return f"ftp://127.0.0.1:{self.port}{path}"

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder)


class SftpServer:
    """OpenSSH's server as an ordinary user, who has a key."""

    def __init__(self, files):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-sftp-"))
        write_files(self.folder / "site", files)
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / key], check=True)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        fingerprint = subprocess.run(["ssh-keygen", "-l", "-f", self.folder / "host.pub"], check=True, capture_output=True, text=True)
        self.host_key = fingerprint.stdout.split()[1]
        self.user = pwd.getpwuid(os.geteuid()).pw_name
        self.other = {}
        if os.geteuid() == 0:
            self.user = "nobody"
            self.other = {"user": "nobody"}
            self.folder.chmod(0o755)
            for path in self.folder.rglob("*"):
                shutil.chown(path, "nobody")
            shutil.copy(self.folder / "user", self.folder / "key")
            (self.folder / "key").chmod(0o600)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.config = self.folder / "config"
        self.config.write_text(f"""Port {self.port}
ListenAddress 127.0.0.1
HostKey {self.folder}/host
AuthorizedKeysFile {self.folder}/authorized
StrictModes no
UsePAM yes
PidFile none
PasswordAuthentication no
Subsystem sftp internal-sftp
""")
        self.log = (self.folder / "log").open("wb")
        self.start()

    def start(self):
        self.process = subprocess.Popen(["/usr/sbin/sshd", "-D", "-e", "-f", self.config], stderr=self.log, **self.other)
        harness.wait_until(self.answers, "sshd")

    def change_key(self):
        """Another server in its place, as far as a crawl can tell."""
        self.process.terminate()
        self.process.wait()
        for name in ("host", "host.pub"):
            (self.folder / name).unlink()
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / "host"], check=True)
        if self.other:
            shutil.chown(self.folder / "host", "nobody")
        self.start()

    def answers(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def url(self, path):
        return f"sftp://127.0.0.1:{self.port}{self.folder}/site{path}"

    def settings(self, more=""):
        return f"fetch:\n  ftp-user: {self.user}\n  sftp-key: {self.folder}/user\n  ftp-password: ''\n{more}scope:\n  kind: prefix\n"

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()
        shutil.rmtree(self.folder)


class WhoisStub:
    """A WHOIS server that answers by a table."""

    def __init__(self, answers):
        self.asked = asked = []

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                query = self.rfile.readline().decode().strip()
                asked.append(query)
                self.wfile.write(answers.get(query, "no match\r\n").encode())

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


class Site:
    def __init__(self, *seeds):
        self.seeds = seeds


class Case(unittest.TestCase):
    def crawl_of(self, *seeds, settings=""):
        crawl = harness.Crawl(Site(*seeds), harness.SETTINGS + settings)
        self.addCleanup(crawl.remove)
        return crawl

    def run_crawl(self, *seeds, settings="", expected=0):
        crawl = self.crawl_of(*seeds, settings=settings)
        code, out, err = crawl.run()
        self.assertEqual(code, expected, out + err)
        return crawl

    @staticmethod
    def statuses(crawl):
        lines = (line.split() for launch in crawl.launches for line in (launch / "logs/crawl.log").read_text().splitlines())
        return {line[3]: int(line[1]) for line in lines if not line[3].startswith("dns:")}

    @staticmethod
    def lines(crawl, log):
        text = (crawl.launches[-1] / f"logs/{log}.jsonl").read_text()
        return [line for line in map(json.loads, text.splitlines()) if "log" not in line]


class FtpCase(Case):
    def server(self, **options):
        server = FtpServer(**options)
        self.addCleanup(server.stop)
        return server

    def test_a_server_is_crawled_from_its_root(self):
        server = self.server()
        crawl = self.run_crawl(server.url(), settings="dedup:\n  strategy: \"off\"\n")
        expected = {server.url(path): 226 for path in
                    ("/", "/index.html", "/read%20me.txt", "/pub/", "/pub/data.bin", "/pub/copy.bin", "/pub/deep/",
                     "/pub/deep/x%3By%252F%23z%3F.txt", "/pub/empty.txt", "/hidden/", "/hidden/mine.txt")}
        self.assertEqual(self.statuses(crawl), expected)
        records = {(record.type, record.url): record for record in crawl.records()}
        for name, content in FILES.items():
            url = server.url("/" + name.replace(" ", "%20").replace("x;y%2F#z?", "x%3By%252F%23z%3F"))
            self.assertEqual(records["resource", url].block, content, url)
        page = records["resource", server.url("/index.html")]
        self.assertEqual(page.fields["content-type"], "text/html")
        self.assertEqual(page.fields["warc-ip-address"], "127.0.0.1")
        self.assertNotIn("request", {kind for kind, _ in records})
        listing = records["resource", server.url("/pub/")]
        self.assertEqual(listing.fields["content-type"], "text/plain")
        self.assertIn(b"data.bin", listing.block)
        report = (crawl.launches[-1] / "reports/responsecode-report.txt").read_text()
        self.assertRegex(report, r"226\b.*Transfer.Complete")

    def test_the_control_conversation_and_the_metadata_are_kept(self):
        server = self.server()
        crawl = self.run_crawl(server.url("/pub/data.bin"), settings="scope:\n  max-hops: 0\n")
        records = [record for record in crawl.records() if record.url == server.url("/pub/data.bin")]
        self.assertEqual([record.type for record in records], ["resource", "metadata", "metadata"])
        resource, conversation, metadata = records
        self.assertEqual(conversation.fields["content-type"], "text/x-ftp-control-conversation")
        self.assertEqual(conversation.fields["warc-concurrent-to"], resource.fields["warc-record-id"])
        text = conversation.block.decode()
        for part in ("< 220 ready\r\n", "> USER anonymous\r\n", "> TYPE I\r\n", "> EPSV\r\n", "> RETR /pub/data.bin\r\n", "< 226 "):
            self.assertIn(part, text)
        self.assertIn("ftpFetchStatus: 226 ", metadata.block.decode())

    def test_what_is_stored_already_becomes_a_revisit(self):
        server = self.server()
        seeds = [server.url(path) for path in ("/pub/data.bin", "/pub/copy.bin")]
        crawl = self.crawl_of(*seeds, settings="fetch:\n  ftp-parent: false\n")
        # What is committed is known: a group is written each second.
        code, out, err = crawl.run(more=("--delay", "3s"))
        self.assertEqual(code, 0, out + err)
        files = (crawl.collection / "archive").iterdir()
        records = {record.type: record for path in files for record in harness.warc_records.read_file(path) if record.url in seeds}
        original, revisit = records["resource"], records["revisit"]
        self.assertEqual(revisit.block, b"")
        self.assertEqual(revisit.fields["warc-refers-to"], original.fields["warc-record-id"])
        self.assertEqual(revisit.fields["warc-payload-digest"], original.fields["warc-payload-digest"])

    def test_logs_tell_of_it(self):
        server = self.server()
        crawl = self.run_crawl(server.url("/pub/"))
        by_url = {line["url"]: line for line in self.lines(crawl, "ftp")}
        folder, data = by_url[server.url("/pub/")], by_url[server.url("/pub/empty.txt")]
        self.assertEqual((folder["status"], folder["listing"], folder["mime"]), (226, "mlsd", "text/plain"))
        self.assertTrue(folder["reply"].startswith("226 "), folder)
        self.assertEqual((data["status"], data.get("received", 0)), (226, 0))
        self.assertNotIn(server.url("/pub/"), {line["url"] for line in self.lines(crawl, "http")})
        log = next(line for line in (crawl.launches[0] / "logs/crawl.log").read_text().splitlines() if server.url("/pub/") + " " in line)
        self.assertIn("ftpDirectoryList", log)

    def test_an_index_and_a_replay_have_it(self):
        server = self.server()
        crawl = self.run_crawl(server.url("/pub/"))
        own = sorted(line for path in (crawl.collection / "indexes").glob("*.cdxj") for line in path.read_text().splitlines())
        made = crawl.caddis("index", "add", *sorted((crawl.collection / "archive").iterdir()))
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(sorted(line for line in made.stdout.splitlines() if not line.startswith("!")), own)
        check = crawl.caddis("warc", "check", *sorted((crawl.collection / "archive").iterdir()))
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        process = crawl.popen([harness.BINARY, "serve", crawl.collection, "--listen", "127.0.0.1:0"])
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        home = process.stdout.readline().split()[-1]
        for path, content in (("/pub/data.bin", FILES["pub/data.bin"]), ("/index.html", PAGE)):
            with urllib.request.urlopen(f"{home}2100id_/{server.url(path)}", timeout=30) as answer:
                self.assertEqual(answer.read(), content)
        with urllib.request.urlopen(f"{home}2100if_/{server.url('/index.html')}", timeout=30) as answer:
            self.assertEqual(answer.headers["content-type"], "text/html")
            self.assertIn(f"/{server.url('/pub/deep/')}", answer.read().decode())

    def test_a_login_is_sent_and_not_recorded(self):
        server = self.server()
        crawl = self.run_crawl(server.url(), settings="fetch:\n  ftp-user: me\n  ftp-password: sesame\n")
        self.assertEqual(self.statuses(crawl), {server.url(): 226, server.url("/mine.txt"): 226})
        self.assertIn("PASS sesame", server.commands)
        for path in [*crawl.collection.rglob("*.warc.gz")]:
            self.assertNotIn(b"sesame", b"".join(record.block for record in harness.warc_records.read_file(path)))

    def test_a_refusal_is_no_capture(self):
        server = self.server()
        url = server.url("/mine.txt")
        crawl = self.run_crawl(url, settings="fetch:\n  ftp-user: me\n  ftp-password: wrong\n", expected=1)
        self.assertEqual(self.statuses(crawl), {url: 530})
        self.assertTrue(self.lines(crawl, "ftp")[0]["reply"].startswith("530 "), self.lines(crawl, "ftp"))
        self.assertIn(f"530 NOTCRAWLED {url} ", (crawl.launches[0] / "reports/seeds-report.txt").read_text())
        self.assertIn(url, crawl.caddis("log", crawl.collection, "--status", "failed").stdout)
        self.assertNotIn(url, crawl.caddis("log", crawl.collection, "--status", "captured").stdout)
        self.assertFalse([record for record in crawl.records() if record.url == url])
        why = crawl.caddis("why", url, "--collection", crawl.collection).stdout
        self.assertRegex(why, r"refused: 530 .*: look at fetch\.ftp-user and fetch\.ftp-password")
        self.assertNotIn("captured", why)

    def test_the_server_may_connect_for_data(self):
        server = self.server()
        crawl = self.run_crawl(server.url("/pub/deep/"), settings="fetch:\n  ftp-active: true\n  ftp-parent: false\n")
        self.assertEqual(set(self.statuses(crawl).values()), {226})
        self.assertEqual(len(self.statuses(crawl)), 2)
        self.assertTrue(any(command.startswith("EPRT") for command in server.commands))
        self.assertFalse(any(command.startswith(("EPSV", "PASV")) for command in server.commands))

    def test_listings_and_parents_are_links_by_setting(self):
        server = self.server()
        crawl = self.run_crawl(server.url("/pub/"), settings="fetch:\n  ftp-listings: false\n  ftp-parent: false\n")
        self.assertEqual(self.statuses(crawl), {server.url("/pub/"): 226})
        missing = self.run_crawl(server.url("/pub/none.txt"), settings="fetch:\n  ftp-parent: false\n", expected=1)
        self.assertEqual(self.statuses(missing), {server.url("/pub/none.txt"): 550})

    def test_a_proxy_leads_to_the_server(self):
        server = self.server()
        with microsocks("-u", "me", "-P", "word") as (port, _):
            through = f"fetch:\n  proxy: socks5://me:{{}}@127.0.0.1:{port}\n  ftp-parent: false\n"
            crawl = self.run_crawl(server.url("/pub/data.bin"), settings=through.format("word"))
            refused = self.crawl_of(server.url("/pub/data.bin"), settings="  host-retry-delay: 50ms\n  host-failures: 1\n  host-probes: 0\n"
                                    + through.format("other"))
            refused.run()
        self.assertEqual(self.statuses(crawl), {server.url("/pub/data.bin"): 226})
        records = {record.type: record for record in crawl.records() if record.url == server.url("/pub/data.bin")}
        self.assertEqual(records["resource"].block, FILES["pub/data.bin"])
        self.assertIn(b"through a proxy", b"".join(record.block for record in crawl.records() if record.type == "metadata"))
        self.assertFalse([record for record in crawl.records() if record.url.startswith("dns:")])
        self.assertEqual(self.statuses(refused), {server.url("/pub/data.bin"): -2})

    def test_limits_hold(self):
        server = self.server(files={"long.bin": b"x" * 100_000})
        crawl = self.run_crawl(server.url("/long.bin"), settings="fetch:\n  max-length: 1000\n  ftp-parent: false\n")
        record = next(record for record in crawl.records() if record.type == "resource")
        self.assertEqual(record.block, b"x" * 1000)
        self.assertEqual(record.fields["warc-truncated"], "length")

    def test_schemes_are_a_matter_of_scope(self):
        server = self.server()
        crawl = self.run_crawl(server.url(), settings="scope:\n  schemes: [http, https]\n", expected=1)
        self.assertEqual(self.statuses(crawl), {server.url(): -5000})


class SftpCase(Case):
    FILES = {"a b.txt": b"one\n", "sub/data.bin": bytes(range(256)) * 4000, "empty": b""}

    def setUp(self):
        self.server = SftpServer(self.FILES)
        self.addCleanup(self.server.stop)

    def test_a_folder_is_crawled(self):
        url = self.server.url
        crawl = self.run_crawl(url("/"), settings=self.server.settings())
        self.assertEqual(self.statuses(crawl), {url(path): 226 for path in ("/", "/a%20b.txt", "/sub/", "/sub/data.bin", "/empty")})
        records = {record.url: record for record in crawl.records() if record.type == "resource"}
        for name, content in self.FILES.items():
            self.assertEqual(records[url("/" + name.replace(" ", "%20"))].block, content)
        listing = {line["url"]: line for line in self.lines(crawl, "sftp")}[url("/")]
        self.assertEqual((listing["listing"], listing["reply"]), ("mlsd", f"host key {self.server.host_key}"))
        log = (crawl.launches[0] / "logs/crawl.log").read_text()
        self.assertIn("sftpDirectoryList", log)

    def test_what_is_not_there_and_who_is_not_let_in(self):
        missing = self.run_crawl(self.server.url("/none"), settings=self.server.settings("  ftp-parent: false\n"), expected=1)
        self.assertEqual(self.statuses(missing), {self.server.url("/none"): 550})
        refused = self.run_crawl(self.server.url("/empty"), settings="fetch:\n  ftp-user: me\n  ftp-password: x\n", expected=1)
        self.assertEqual(self.statuses(refused), {self.server.url("/empty"): 530})

    def test_a_key_that_is_of_no_use_says_why(self):
        url = self.server.url("/empty")
        for name, passphrase in (("locked", "sesame"), ("none", "")):
            path = self.server.folder / name
            if passphrase:
                subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-f", path], check=True)
            crawl = self.crawl_of(url, settings=f"fetch:\n  ftp-user: me\n  sftp-key: {path}\n  ftp-password: wrong\n")
            code, out, err = crawl.run()
            if not passphrase:
                self.assertEqual(code, 2, out + err)
                self.assertIn(f"fetch.sftp-key: cannot open {path}", err)
                continue
            self.assertEqual((code, self.statuses(crawl)), (1, {url: 530}), out + err)
            self.assertIn(f"the key {path} cannot be used", self.lines(crawl, "sftp")[0]["reply"])
            why = crawl.caddis("why", url, "--collection", crawl.collection).stdout
            self.assertIn(f"the key {path} cannot be used", why)

    def test_keys_of_servers_are_checked(self):
        url = self.server.url("/empty")
        politeness = "  host-retry-delay: 50ms\n  host-failures: 1\n  host-probes: 0\n"
        known = f"  sftp-strict: true\n  ftp-parent: false\n  sftp-host-keys: ['127.0.0.1:{self.server.port} {{key}}']\n"
        right = self.run_crawl(url, settings=self.server.settings(known.format(key=self.server.host_key)))
        self.assertEqual(self.statuses(right), {url: 226})
        wrong = self.crawl_of(url, settings=politeness + self.server.settings(known.format(key="SHA256:" + "A" * 43)))
        wrong.run()
        self.assertEqual(self.statuses(wrong), {url: -9})


    def test_keys_are_known_when_the_crawl_goes_on(self):
        """Another server in the place of the one that was seen first is refused by the process that goes on, too."""
        url = self.server.url
        slow = "  host-retry-delay: 50ms\n  host-failures: 1\n  host-probes: 0\nlimits:\n  max-documents: 1\n"
        crawl = self.crawl_of(url("/"), settings=slow + self.server.settings("  ftp-parent: false\n"))
        code, _, err = crawl.run()
        self.assertEqual(code, 3, err)
        self.assertEqual(self.statuses(crawl), {url("/"): 226})
        self.server.change_key()
        crawl.run(resume=True, more=["--max-documents", "0"])
        statuses = self.statuses(crawl)
        self.assertIn(-9, statuses.values(), statuses)
        self.assertEqual([path for path, status in statuses.items() if status == 226], [url("/")])


class WhoisCase(Case):
    def test_referrals_are_followed(self):
        second = WhoisStub({"a.example": "domain: A.EXAMPLE\r\nregistrant: nobody\r\n"})
        self.addCleanup(second.stop)
        first = WhoisStub({"a.example": f"domain: EXAMPLE\r\nrefer:        127.0.0.1:{second.port}\r\n"})
        self.addCleanup(first.stop)
        start = f"whois://127.0.0.1:{first.port}/a.example"
        target = f"whois://127.0.0.1:{second.port}/a.example"
        crawl = self.run_crawl(start)
        self.assertEqual(self.statuses(crawl), {start: 2001, target: 2001})
        self.assertEqual((first.asked, second.asked), (["a.example"], ["a.example"]))
        records = {record.url: record for record in crawl.records() if record.type == "resource"}
        self.assertEqual(records[target].block, b"domain: A.EXAMPLE\r\nregistrant: nobody\r\n")
        self.assertEqual(records[target].fields["content-type"], "text/plain")
        self.assertEqual([line["status"] for line in self.lines(crawl, "whois")], [2001, 2001])
        self.assertEqual({line["url"]: line.get("hops") for line in self.lines(crawl, "whois")}[target], "R")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
