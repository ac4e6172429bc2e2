#!/usr/bin/env python3
"""Modules as their authors meet them: the examples of docs/extending.md in C++, built against the installed header alone, and in
Lua, in real crawls; and modules that fail."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness
from local_site import SERVER, free_port, start_nginx

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CADDIS_BUILD_DIR", pathlib.Path(harness.BINARY).parent))
EXAMPLES = SOURCE / "examples/modules"
HOST = "modules.localhost"
WITH_STEPS = "pipeline:\n  url: [preselect, precondition, fetch, decode, extract, data-links, words, records, links]\n"


def html(*links, words=0, data=()):
    body = "".join(f'<a href="{link}">link</a> ' for link in links) + "".join(f"<b data-href='{link}'>x</b> " for link in data)
    return f"<html><head><title>a page</title></head><body>{body}{'word ' * words}</body></html>"


class Site:
    """A calendar, short and long pages, and links that only a script would follow."""

    pages = {"/index.html": html("/short.html", "/long.html", "/2026/11/22/index.html", "/events/2026/11/22/index.html",
                                 words=30, data=["hidden.html", "mailto:nobody@example.org"]),
             "/short.html": html(), "/long.html": html(words=50), "/hidden.html": html(words=40),
             "/2026/11/22/index.html": html("/2026/11/23/index.html", words=30),
             "/2026/11/23/index.html": html(words=30), "/events/2026/11/22/index.html": html(words=30)}

    def __enter__(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="caddis-modules-"))
        self.work.chmod(0o755)
        self.port = free_port()
        root = self.work / "root"
        for path, text in self.pages.items():
            (root / path.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
            (root / path.lstrip("/")).write_text(text)
        for name in ("404.html", "503.html"):
            (root / name).write_text("none")
        (root / "robots.txt").write_text("User-agent: *\nDisallow:\n")
        self.server = start_nginx(self.work, self.port,
                                  SERVER.format(port=self.port, host=HOST, root=root, gzip="", limit=""))
        return self

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()
        shutil.rmtree(self.work)

    @property
    def seeds(self):
        return [f"http://{HOST}:{self.port}/index.html"]


class ModulesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-modules-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.site = Site()
        cls.site.__enter__()
        cls.addClassCleanup(cls.site.__exit__)
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.folder / "prefix", "--component", "modules"], check=True,
                       capture_output=True, timeout=300)
        cls.compiler = shutil.which("g++") or shutil.which("clang++-19")

    def build(self, name, headers=None):
        made = self.folder / f"{name}.so"
        done = subprocess.run([self.compiler, "-std=c++20", "-Wall", "-Wextra", "-shared", "-fPIC", "-I",
                               headers or self.folder / "prefix/include", EXAMPLES / f"{name}.cc", "-o", made],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return str(made)

    def crawl(self, modules, settings=WITH_STEPS, more=(), rules=()):
        crawl = harness.Crawl(self.site)
        self.addCleanup(crawl.remove)
        crawl.config.write_text(harness.SETTINGS + settings)
        options = [part for module in modules for part in ("--module", str(module))]
        for rule in rules:
            options += ["--rule", rule]
        code, out, err = crawl.run(more=[*options, *more])
        self.assertEqual(code, 0, out + err)
        return crawl

    def log(self, crawl):
        """The path of each URL that was visited: its status and its annotations."""
        found = {}
        for line in (crawl.launches[0] / "logs/crawl.log").read_text().splitlines():
            fields = line.split()
            if f"//{HOST}:" in fields[3]:
                found[re.sub(r"^http://[^/]*", "", fields[3])] = (int(fields[1]), fields[11].split(","))
        return found

    def check(self, modules, rule):
        crawl = self.crawl(modules, rules=["shorthand", f"reject module {rule}"])
        log = self.log(crawl)
        self.assertEqual(sorted(path for path in log if path != "/robots.txt" and path != "/favicon.ico"),
                         ["/hidden.html", "/index.html", "/long.html", "/short.html"])
        self.assertIn("noRecords", log["/short.html"][1])
        self.assertIn("words:52", log["/long.html"][1])
        records = list(crawl.records())
        stored = {record.url for record in records if record.type in ("response", "revisit")}
        self.assertNotIn(f"http://{HOST}:{self.site.port}/short.html", stored)
        self.assertIn(f"http://{HOST}:{self.site.port}/hidden.html", stored)
        metadata = [record for record in records if record.type == "metadata" and record.url.endswith("/index.html")]
        self.assertTrue(any(b"\r\nwords: " in record.block for record in metadata))
        self.assertTrue(any(b"/hidden.html L data-href" in record.block for record in metadata))
        counted = {}
        for line in (crawl.launches[0] / "logs/crawl.log").read_text().splitlines():
            fields = line.split()
            if int(fields[1]) > 0 and not fields[3].endswith("/robots.txt") and not fields[3].startswith("dns:"):
                urls, size = counted.get(fields[6], (0, 0))
                counted[fields[6]] = (urls + 1, size + harness.content_size(fields))
        report = (crawl.launches[0] / "reports/by-type-report.txt").read_text().splitlines()
        self.assertEqual(report[0], "[#urls] [#bytes] [type]")
        self.assertEqual({line.split()[2]: tuple(map(int, line.split()[:2])) for line in report[1:]},
                         {mime: found for mime, found in counted.items() if mime != "-"})
        return crawl

    def test_examples_in_lua(self):
        self.check([EXAMPLES / f"{name}.lua" for name in ("calendar", "words", "data-links", "by-type")], "calendar")

    def test_examples_in_cpp(self):
        crawl = self.check([self.build(name) for name in ("days", "words", "data_links", "by_type")], "days")
        # The module's settings are settings like any other.
        explained = subprocess.run([harness.BINARY, "settings", "explain", "words.min", "--collection", crawl.collection],
                                   capture_output=True, text=True, timeout=60)
        self.assertIn("words.min = 20", explained.stdout, explained.stderr)
        schema = subprocess.run([harness.BINARY, "schema", "--markdown", "--module", self.folder / "words.so"],
                                capture_output=True, text=True, timeout=60).stdout
        self.assertIn("Pages with fewer words are not stored.", schema)

    def order(self, modules, settings, more=()):
        """The paths of all pages, in the order in which they were captured."""
        crawl = self.crawl(modules, settings, more)
        return [path for path in self.log(crawl) if path.endswith(".html")]

    def test_a_frontier_decides_over_the_order(self):
        shallow = "frontier:\n  module: shallow-first\n  ahead: 1\nshallow-first:\n  last: /long\n"
        wanted = ["/index.html", "/short.html", "/2026/11/22/index.html", "/2026/11/23/index.html", "/events/2026/11/22/index.html",
                  "/long.html"]
        for module in (EXAMPLES / "shallow-first.lua", self.build("shallow_first")):
            with self.subTest(module):
                self.assertEqual(self.order([module], shallow), wanted)

    def test_a_policy_decides_over_the_order_of_a_queue(self):
        news = ("frontier:\n  policy: news\n  order: module\n  cost: module\n"
                "news:\n  first: [/events/, /2026/, /long]\n")
        wanted = ["/index.html", "/events/2026/11/22/index.html", "/2026/11/22/index.html", "/2026/11/23/index.html", "/long.html",
                  "/short.html"]
        for module in (EXAMPLES / "news.lua", self.build("news")):
            with self.subTest(module):
                self.assertEqual(self.order([module], news, ["--set", "politeness.together=module"]), wanted)

    def test_a_policy_is_needed_where_settings_say_module(self):
        for settings, reason in (("frontier:\n  cost: module\n", "frontier.cost: module needs frontier.policy"),
                                 ("frontier:\n  policy: news\n", "frontier.policy: there is no module 'news'"),
                                 ("frontier:\n  module: calendar\n", "frontier.module: the module calendar has no frontier")):
            crawl = harness.Crawl(self.site)
            self.addCleanup(crawl.remove)
            crawl.config.write_text(harness.SETTINGS + settings)
            code, out, err = crawl.run(more=["--module", str(EXAMPLES / "calendar.lua")])
            self.assertEqual(code, 2, out + err)
            self.assertIn(reason, err)

    def test_what_is_loaded_and_not_used_is_said(self):
        for settings, said in (("", "frontier.module does not name shallow-first: its frontier is never asked"),
                               ("", "frontier.policy does not name news: its policy is never asked"),
                               ("frontier:\n  policy: news\n", "frontier.policy names news, but it is never asked: say `module` in")):
            crawl = harness.Crawl(self.site)
            self.addCleanup(crawl.remove)
            crawl.config.write_text(harness.SETTINGS + settings)
            code, out, err = crawl.run(more=["--module", str(EXAMPLES / "shallow-first.lua"), "--module", str(EXAMPLES / "news.lua"),
                                             "--max-documents", "1"])
            self.assertIn(said, out + err)

    def test_settings_of_a_module_differ_between_sites(self):
        sheet = (WITH_STEPS.replace("data-links, ", "") + "words:\n  min: 1000\nsheets:\n  all-words:\n"
                 f"    urls: ['http://{HOST}:{self.site.port}/long.html']\n    settings:\n      words: {{min: 0}}\n")
        log = self.log(self.crawl([EXAMPLES / "words.lua"], sheet))
        self.assertIn("noRecords", log["/index.html"][1])
        self.assertNotIn("noRecords", log["/long.html"][1])

    def test_a_module_of_another_version_is_refused(self):
        other = self.folder / "other"
        header = other / "caddis/modules/module.h"
        header.parent.mkdir(parents=True)
        text = (self.folder / "prefix/include/caddis/modules/module.h").read_text()
        header.write_text(text.replace("kInterface = 2;", "kInterface = 3;"))
        module = self.build("days", other)
        done = subprocess.run([harness.BINARY, "scope", "explain", "http://a.example/", "--module", module],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 2)
        self.assertIn("was built for interface 3 of modules, and this Caddis has 2", done.stderr)
        os.remove(module)

    def test_an_error_is_that_of_one_visit(self):
        for number, body in enumerate(("while true do end", "local s = 'x' while true do s = s .. s end", "error('no')")):
            with self.subTest(body):
                script = self.folder / f"bad-{number}.lua"
                script.write_text(f"function step(page)\n  if page.url:sub(-10) == '/long.html' then {body} end\nend\n")
                order = WITH_STEPS.replace("data-links, words", script.stem)
                crawl = self.crawl([script], order)
                log = self.log(crawl)
                self.assertEqual([path for path, (_, words) in log.items() if f"moduleError:{script.stem}" in words],
                                 ["/long.html"])
                self.assertEqual(log["/long.html"][0], 200)
                told = (crawl.launches[0] / "logs/progress-statistics.log").read_text()
                self.assertRegex(told, rf"module {script.stem}: its step failed at http://{HOST}:\d+/long.html: bad-{number}.lua:2:"
                                 if number != 1 else rf"module {script.stem}: its step failed .*too much memory")

    def test_many_errors_switch_a_script_off(self):
        script = self.folder / "hopeless.lua"
        script.write_text("function rule(link)\n  return link.nothing\nend\n")
        crawl = self.crawl([script], "modules:\n  max-errors: 2\n", rules=["shorthand", "reject module hopeless"])
        told = (crawl.launches[0] / "logs/progress-statistics.log").read_text()
        self.assertEqual(told.count("module hopeless: its rule failed"), 2)
        self.assertIn("module hopeless is switched off after 2 errors", told)
        self.assertIn("/2026/11/23/index.html", self.log(crawl))

    def test_what_a_listener_keeps_outlives_a_stop(self):
        crawl = self.crawl([EXAMPLES / "by-type.lua"], "")
        whole = (crawl.launches[0] / "reports/by-type-report.txt").read_text()
        parts = harness.Crawl(self.site)
        self.addCleanup(parts.remove)
        parts.config.write_text(harness.SETTINGS)
        code, out, err = parts.run(more=["--module", str(EXAMPLES / "by-type.lua"), "--max-documents", "3"])
        self.assertEqual(code, 3, out + err)
        self.assertNotEqual((parts.launches[0] / "reports/by-type-report.txt").read_text(), whole)
        code, out, err = parts.run(resume=True, more=["--max-documents", "0"])
        self.assertEqual(code, 0, out + err)
        self.assertEqual((parts.launches[0] / "reports/by-type-report.txt").read_text(), whole)

    def test_a_listener_hears_that_the_crawl_begins_and_ends(self):
        script = pathlib.Path(tempfile.mkdtemp(prefix="caddis-module-")) / "ears.lua"
        self.addCleanup(shutil.rmtree, script.parent)
        script.write_text("heard = {}\n"
                          "function event(text) table.insert(heard, text) end\n"
                          "function report() return table.concat(heard, '\\n') .. '\\n' end\n")
        crawl = self.crawl([script], "")
        heard = (crawl.launches[0] / "reports/ears-report.txt").read_text().splitlines()
        logged = [line.split(" CRAWL ", 1)[1] for line in (crawl.launches[0] / "logs/progress-statistics.log").read_text().splitlines()
                  if " CRAWL " in line]
        self.assertIn("RUNNING - Running", heard)
        self.assertEqual([text for text in heard if text in logged], logged[:len(heard)])

    def test_what_cannot_be_loaded_is_refused(self):
        for module, reason in ((EXAMPLES / "missing.lua", "missing.lua"), ("calendar.lua", "give the whole path"),
                               (EXAMPLES / "days.cc", "a module is a .lua file or a shared object")):
            done = subprocess.run([harness.BINARY, "scope", "explain", "http://a.example/", "--module", module],
                                  capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(reason, done.stderr)


TOOLS = ("cpack", "dpkg-deb", "dpkg-shlibdeps")


@unittest.skipUnless(all(map(shutil.which, TOOLS)), f"packages are made with {', '.join(TOOLS)}")
class PackagesTest(unittest.TestCase):
    """The Debian packages of what is built, unpacked into an empty folder."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-packages-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.run_tool("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "made")
        cls.packages = {path.name.split("_")[0]: path for path in (cls.folder / "made").glob("*.deb")}
        for name, path in cls.packages.items():
            cls.run_tool("dpkg-deb", "-x", path, cls.folder / name)

    @classmethod
    def run_tool(cls, *command):
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=900, cwd=cls.folder)
        if done.returncode:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
        return done.stdout

    def field(self, package, name):
        return self.run_tool("dpkg-deb", "-f", self.packages[package], name).strip()

    def test_the_packages_are_named_and_say_what_they_need(self):
        self.assertEqual(sorted(self.packages), ["caddis", "caddis-dev"])
        version = self.run_tool(self.folder / "caddis/usr/bin/caddis", "--version").split()[1]
        for name, path in self.packages.items():
            self.assertEqual(path.name, f"{name}_{self.field(name, 'Version')}_{self.field(name, 'Architecture')}.deb")
            self.assertTrue((self.folder / name / f"usr/share/doc/{name}/copyright").is_file(), name)
            self.assertTrue(version.startswith(self.field(name, "Version")), version)
        self.assertRegex(self.field("caddis", "Depends"), r"libc6 .*librocksdb")
        self.assertEqual(self.field("caddis-dev", "Depends"), "")
        for document in ("README.md", "openapi.yaml", "docs/crawling.md", "docs/lua.md", "docs/formats/crawl-log.md"):
            self.assertTrue((self.folder / "caddis/usr/share/doc/caddis" / document).is_file(), document)
        self.assertFalse(list(self.folder.glob("caddis*/**/*.a")), "no static libraries")

    def test_every_example_is_built_with_the_package_alone_and_loaded(self):
        package = self.folder / "caddis-dev/usr"
        examples = package / "share/doc/caddis-dev/examples"
        sources = sorted(examples.rglob("*.cc"))
        self.assertEqual([source.name for source in sources], sorted(source.name for source in EXAMPLES.rglob("*.cc")))
        self.assertEqual([path.name for path in (package / "include/caddis/modules").iterdir()], ["module.h"])
        for source in sources:
            made = self.folder / f"{source.stem}.so"
            self.run_tool(shutil.which("g++") or shutil.which("clang++-19"), "-std=c++20", "-Wall", "-Wextra", "-Werror", "-shared",
                          "-fPIC", "-I", package / "include", source, "-o", made)
            self.run_tool(self.folder / "caddis/usr/bin/caddis", "schema", "--module", made)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
