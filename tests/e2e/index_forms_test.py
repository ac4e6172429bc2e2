#!/usr/bin/env python3
"""Lines of an index for other programs: CDX with 9, 10 and 11 fields beside CDXJ; and `caddis serve`, which takes lines while it
shows pages."""

import pathlib
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

import harness
import peers_test
import warc_tools_test as tools

LEGENDS = {"cdx9": " CDX N b a m s k r V g", "cdx10": " CDX N b a m s k r M V g", "cdx11": " CDX N b a m s k r M S V g"}


def archive_at(path, captures):
    path.write_bytes(b"".join(peers_test.response_record(number, url, date, body) for number, (url, date, body) in enumerate(captures)))
    return path


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.collection = self.folder / "coll"
        (self.collection / "archive").mkdir(parents=True)

    def refused(self, *arguments, code=2):
        done = subprocess.run([harness.BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr


class Forms(Case):
    def setUp(self):
        super().setUp()
        self.warc = archive_at(self.collection / "archive/a.warc.gz", [
            ("http://www.b.example/", "2021-01-01T00:00:00Z", b"<html>b"), ("http://a.example/", "2022-01-01T00:00:00Z", b"<html>2"),
            ("http://a.example/", "2020-01-01T00:00:00Z", b"<html>1")])

    def test_an_archive_is_indexed_in_each(self):
        cdxj = tools.caddis("index", "add", self.warc).decode()
        self.assertEqual(tools.caddis("index", "add", self.warc, "--format", "cdxj").decode(), cdxj)
        for form, legend in LEGENDS.items():
            out = self.folder / (form + ".cdx")
            tools.caddis("index", "add", self.warc, "--format", form, "--out", out)
            lines = out.read_bytes().decode().splitlines()
            self.assertEqual(lines[0], legend)
            self.assertEqual(lines, sorted(lines))
            self.assertEqual([line.split(" ")[1][:4] for line in lines[1:]], ["2020", "2022", "2021"])
            for line in lines[1:]:
                self.assertEqual(len(line.split(" ")), len(legend.split(" ")) - 2)
                self.assertTrue(line.endswith(" a.warc.gz"))
            self.assertTrue(lines[3].startswith("example,b)/ 20210101000000 http://www.b.example/ text/html 200 "))
            # Again: what is there stays, once.
            tools.caddis("index", "add", self.warc, "--format", form, "--out", out)
            self.assertEqual(out.read_text().splitlines(), lines)
            printed = tools.caddis("index", "add", self.warc, "--format", form).decode().splitlines()
            self.assertEqual(sorted(printed), lines)
            self.assertEqual(tools.caddis("warc", "ls", "--format", form, self.warc).decode().splitlines(), printed)
            # As an index of a collection it is asked, and replayed by.
            indexes = self.folder / form / "indexes"
            indexes.mkdir(parents=True)
            shutil.copy(out, indexes / "i.cdx")
            found = tools.caddis("index", "query", "--collection", indexes.parent, "--format", form, "http://a.example/").decode()
            self.assertEqual(found.splitlines(), lines[:3])
            back = self.folder / (form + ".cdxj")
            tools.caddis("index", "convert", out, "--format", "cdxj", "--output", back)
            self.assertEqual(back.read_text().count("\n"), 3)
            if form == "cdx11":
                self.assertEqual(sorted(back.read_text().splitlines()), sorted(cdxj.splitlines()))
        self.assertEqual(tools.caddis("warc", "ls", "--cdx", self.warc), tools.caddis("warc", "ls", "--format", "cdx11", self.warc))

    def test_what_has_no_place_is_told(self):
        index = self.folder / "i.cdxj"
        tools.caddis("index", "add", self.warc, "--out", index)
        done = subprocess.run([harness.BINARY, "index", "convert", index, "--format", "cdx9", "--output", self.folder / "i.cdx"],
                              capture_output=True, text=True, timeout=300, check=True)
        self.assertIn("cdx9 has no place for length (3 lines)", done.stderr)
        self.assertIn("i.cdx: 3 captures as cdx9", done.stdout)
        self.assertIn("is there already", self.refused("index", "convert", index, "--format", "cdx9", "--output", self.folder / "i.cdx"))
        self.assertIn("named *.cdx", self.refused("index", "convert", index, "--format", "cdx9", "--output", self.folder / "j.cdxj"))
        self.assertIn("'cdx8' is no form", self.refused("index", "add", self.warc, "--format", "cdx8"))
        self.assertIn("another form", self.refused("index", "add", self.warc, "--format", "cdx11", "--out", self.folder / "i.cdx"))
        self.assertIn("of a collection is CDXJ",
                      self.refused("index", "add", self.warc, "--format", "cdx11", "--collection", self.collection))

    def test_what_is_no_url_is_refused(self):
        tools.caddis("index", "add", self.warc, "--collection", self.collection)
        ask = ("index", "query", "--collection", self.collection)
        for url in ("http://[", "http://a b/", "http://a.example:99999/"):
            self.assertIn(url + ": no URL", self.refused(*ask, url))
        self.assertEqual(tools.caddis(*ask, "a.example").count(b"\n"), 2)
        self.assertEqual(tools.caddis(*ask, "*.example").count(b"\n"), 3)
        self.assertEqual(tools.caddis(*ask, "http://a.example/*").count(b"\n"), 2)
        batch = subprocess.run([harness.BINARY, *map(str, ask)], input="http://[\na.example\n", capture_output=True, text=True,
                               timeout=300, check=True).stdout.splitlines()
        self.assertIn("no URL", batch[0])
        self.assertEqual(batch[1].count("timestamp"), 2)


class Combined(Case):
    """Pages are shown and lines are taken by one process."""

    def serve(self, *more):
        process = subprocess.Popen([harness.BINARY, "serve", self.collection, "--listen", "127.0.0.1:0", "--index-data",
                                    self.folder / "indexes", "--index-listen", "127.0.0.1:0", *more], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True, env=harness.clean_environment(self.folder))

        def stop():
            if process.poll() is None:
                process.terminate()
                self.assertEqual(process.wait(60), 0)
            process.stdout.close()
        self.addCleanup(stop)
        told = ""
        self.assertTrue(select.select([process.stdout], [], [], 120)[0], "the server does not start")
        while "taking index lines" not in told:
            line = process.stdout.readline()
            self.assertTrue(line, "the server has ended")
            told += line
        pages, lines = re.findall(r"127\.0\.0\.1:(\d+)/", told)[:2]
        return f"http://127.0.0.1:{pages}", f"http://127.0.0.1:{lines}", stop

    def ask(self, address, body=None, **headers):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, data=body, headers=headers), timeout=120) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def test_lines_that_come_in_are_replayed(self):
        old = archive_at(self.collection / "archive/old.warc.gz", [("http://a.example/", "2020-01-01T00:00:00Z", b"<html>the old")])
        tools.caddis("index", "add", old, "--collection", self.collection)
        new = archive_at(self.collection / "archive/new.warc.gz", [("http://a.example/", "2021-01-01T00:00:00Z", b"<html>the new"),
                                                                   ("http://only.example/", "2021-01-01T00:00:00Z", b"<html>only here")])
        lines = tools.caddis("index", "add", new)
        pages, takes, stop = self.serve()
        only = pages + "/coll/2021id_/http://only.example/"
        self.assertEqual(self.ask(only)[0], 404)
        status, said = self.ask(takes + "/coll", lines)
        self.assertEqual(status, 200, said)
        self.assertIn("Added 2", said)
        self.assertEqual(self.ask(only), (200, "<html>only here"))
        self.assertEqual(self.ask(pages + "/coll/2021id_/http://a.example/"), (200, "<html>the new"))
        self.assertEqual(self.ask(pages + "/coll/2020id_/http://a.example/"), (200, "<html>the old"))
        self.assertEqual(self.ask(pages + "/coll/cdx?url=a.example&fl=filename&output=text")[1].split(), ["old.warc.gz", "new.warc.gz"])
        self.assertEqual(self.ask(takes + "/coll?url=a.example")[1].count("\n"), 1)
        # It is on the disk.
        stop()
        pages, takes, stop = self.serve()
        self.assertEqual(self.ask(only.replace(only[:len(pages)], pages)), (200, "<html>only here"))
        self.assertEqual(self.ask(takes + "/coll/delete", lines)[0], 200)
        self.assertEqual(self.ask(pages + "/coll/2021id_/http://only.example/")[0], 404)
        self.assertEqual(self.ask(pages + "/coll/cdx?url=a.example")[1].count("\n"), 1)
        # Pages of others that a browser shows change nothing.
        foreign = urllib.request.Request(takes + "/coll", data=lines, headers={"Origin": "http://evil.example"})
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(foreign, timeout=120)
        with refused.exception:
            self.assertEqual(refused.exception.code, 403)

    def test_rules_hide_what_comes_in(self):
        new = archive_at(self.collection / "archive/new.warc.gz", [("http://secret.example/", "2021-01-01T00:00:00Z", b"<html>secret"),
                                                                   ("http://open.example/", "2021-01-01T00:00:00Z", b"<html>open")])
        (self.collection / "indexes").mkdir()
        (self.collection / "indexes/index.cdxj").write_text("")
        tools.caddis("access", "add", "exclude", "--host", "secret.example", "--collection", self.collection)
        pages, takes, _ = self.serve()
        self.assertEqual(self.ask(takes + "/coll", tools.caddis("index", "add", new))[0], 200)
        self.assertEqual(self.ask(pages + "/coll/2021id_/http://open.example/"), (200, "<html>open"))
        self.assertEqual(self.ask(pages + "/coll/2021id_/http://secret.example/")[0], 404)
        self.assertNotIn("secret", self.ask(pages + "/coll/cdx?url=example&matchType=domain")[1])

    def test_users_are_asked_who_they_are(self):
        (self.collection / "indexes").mkdir()
        (self.collection / "indexes/index.cdxj").write_text("")
        warc = archive_at(self.collection / "archive/new.warc.gz", [("http://a.example/", "2021-01-01T00:00:00Z", b"<html>a")])
        lines = tools.caddis("index", "add", warc)
        users = self.folder / "users"
        tokens = {}
        for name, role in (("vera", "viewer"), ("otto", "operator")):
            tools.caddis("users", "add", name, "--role", role, "--file", users)
            token = tools.caddis("users", "token", "add", name, "--role", role, "--file", users).decode().strip()
            tokens[name] = {"Authorization": "Bearer " + token}
        pages, takes, _ = self.serve("--users", users)
        self.assertEqual(self.ask(takes + "/coll", lines)[0], 401)
        # It knows nothing of what rules hide from a viewer, and so shows a viewer nothing.
        self.assertEqual(self.ask(takes + "/coll", lines, **tokens["vera"])[0], 403)
        self.assertEqual(self.ask(takes + "/coll?url=a.example", **tokens["vera"])[0], 403)
        self.assertEqual(self.ask(takes + "/coll", lines, **tokens["otto"])[0], 200)
        self.assertEqual(self.ask(takes + "/coll?url=a.example", **tokens["otto"])[1].count("\n"), 1)
        self.assertEqual(self.ask(pages + "/coll/cdx?url=a.example", **tokens["vera"])[1].count("\n"), 1)

    def test_options_that_do_not_fit(self):
        (self.collection / "indexes").mkdir()
        (self.collection / "indexes/one.cdxj").write_text("")
        data = self.folder / "indexes"
        serve = ("serve", self.collection, "--listen", "127.0.0.1:0")
        self.assertIn("go together", self.refused(*serve, "--index-data", data))
        self.assertIn("go together", self.refused(*serve, "--index-listen", "127.0.0.1:0"))
        self.assertIn("--launch", self.refused(*serve, "--index-data", data, "--index-listen", "127.0.0.1:0", "--launch", "one"))
        self.assertIn("others can reach", self.refused(*serve, "--index-data", data, "--index-listen", "0.0.0.0:0"))


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
