#!/usr/bin/env python3
"""Scripts that operators run inside a crawl: what they ask and change, and that the crawl goes on whatever they do."""

import os
import pathlib
import pty
import select
import subprocess
import sys
import unittest

import harness
from frontier_test import SlowSite

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/console"
SETTINGS = """
politeness: {delay: 500ms}
scope: {kind: any, exclude: [/forbidden]}
limits: {max-time: 1h}
modules: {script-memory: 16MB, console-time: 3s}
"""


class ConsoleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = cls.enterClassContext(SlowSite())
        cls.crawl = harness.Crawl(cls.site, SETTINGS)
        cls.addClassCleanup(cls.crawl.remove)
        cls.process = cls.crawl.start()
        cls.addClassCleanup(harness.kill, cls.process)
        harness.wait_until(lambda: cls.crawl.status().get("queued", 0) > 300, "queue")

    def console(self, *arguments, code=0, script=None):
        done = subprocess.run([harness.BINARY, "console", str(self.crawl.collection), *map(str, arguments)], input=script,
                              stdin=None if script is not None else subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def log(self):
        return (self.crawl.launches[0] / "logs/progress-statistics.log").read_text()

    def test_asks(self):
        self.assertEqual(self.console("-e", "crawl.status().state"), "running\n")
        self.assertEqual(self.console(script="local s = crawl.status()\nprint(s.state)\nreturn #crawl.queues()"), "running\n3\n")
        self.assertEqual(self.console("-e", "crawl.host('alpha.localhost').known"), "true\n")
        listed = self.console("-e", "for _, u in ipairs(crawl.urls{host='beta.localhost', regex='/39[0-9]', limit=3}.urls) do print(u.url) end")
        self.assertEqual(len(listed.splitlines()), 3, listed)
        self.assertIn("beta.localhost", listed)
        verdict = self.console("-e", "crawl.scope('http://alpha.localhost/forbidden/x')")
        self.assertIn("accepted: false\n", verdict)
        self.assertIn("exclude", verdict)
        self.assertIn("step: fetch", self.console("-e", "crawl.visits()"))

    def test_changes(self):
        url = self.site.url("beta", "/of-the-console")
        self.assertIn("added: 1\n", self.console("-e", f"crawl.add('{url}')"))
        self.assertEqual(self.console("-e", f"crawl.url('{url}').seen"), "true\n")
        deleted = self.console("-e", "crawl.delete{host='alpha.localhost', regex='/39[0-9]'}.deleted")
        self.assertGreater(int(deleted), 5)
        self.console("-e", "crawl.set('politeness.delay', '700ms', {sites='alpha.localhost'})")
        self.assertEqual(self.console("-e", "crawl.get('politeness.delay', {url='alpha.localhost'})"), "700ms\n")
        self.assertEqual(self.console("-e", "crawl.get('politeness.delay')"), "500ms\n")
        self.assertIn("from: alpha.localhost", self.console("-e", "crawl.explain('politeness.delay', {url='alpha.localhost'})"))
        self.assertEqual(self.console("-e", "crawl.pause().state"), "paused\n")
        self.assertEqual(self.console("-e", "crawl.resume().state"), "running\n")
        self.assertEqual(self.console("-e", "crawl.checkpoint('by-script').name"), "by-script\n")
        self.assertEqual([one["name"] for one in self.crawl.status()["checkpoints"] if one["kept"]], ["by-script"])
        harness.wait_until(lambda: "OPERATOR adds " + url in self.log(), "line of the change")
        self.assertIn("OPERATOR runs the script -e: crawl.pause().state", self.log())

    def test_examples(self):
        self.assertRegex(self.console(EXAMPLES / "waiting.lua"), r"(?m)^\d+\t(alpha|beta)\.localhost\n(?:.*\n)*\d+\tin all\n")
        self.assertIn("localhost\t300ms", self.console(EXAMPLES / "hurry.lua"))
        self.console(EXAMPLES / "failures.lua")
        self.console("-e", "crawl.unset('', {sheet='beta.localhost'})")

    def test_scripts_in_the_action_directory(self):
        url = self.site.url("beta", "/of-a-script")
        folder = self.crawl.launches[0] / "action"

        def report(name, text):
            (self.crawl.folder / name).write_text(text)
            (self.crawl.folder / name).rename(folder / name)
            found = harness.wait_until(lambda: list((folder / "done").glob(f"*.{name}.report")), f"report of {name}", 60)
            return found[0].read_text()

        told = report("good.lua", f"print(crawl.add('{url}').added)\nreturn crawl.checkpoint('from-a-file').name\n")
        self.assertEqual(told, "good.lua: was run\n1\nfrom-a-file\n")
        self.assertEqual(self.console("-e", f"crawl.url('{url}').seen"), "true\n")
        told = report("wrong.lua", "crawl.status()\ncrawl.set('politeness.delya', '1s')\n")
        self.assertRegex(told, r"^wrong.lua: failed: wrong.lua:2: .*delya")
        told = report("half.lua", "for i = 1, 2 do\n")
        self.assertTrue(told.startswith("half.lua: failed: half.lua"), told)
        harness.wait_until(lambda: "OPERATOR action wrong.lua: failed" in self.log(), "line of the script")
        self.assertIn(f"OPERATOR runs the script good.lua: print(crawl.add('{url}').added)", self.log())

    def test_refusals_and_errors_name_their_line(self):
        script = self.crawl.folder / "wrong.lua"
        script.write_text("local fine = crawl.status()\n\ncrawl.set('politeness.delya', '1s')\n")
        self.assertRegex(self.console(script, code=1), r"^wrong\.lua:3: .*did you mean")
        script.write_text("local a = 1\nlocal b = = 2\n")
        self.assertRegex(self.console(script, code=1), r"^wrong\.lua:2: unexpected symbol")
        self.assertIn("cannot change", self.console("-e", "crawl.set('crawl.name', 'x')", code=1))
        self.assertIn("attempt to call a nil value", self.console("-e", "io.open('/etc/passwd')", code=1).replace(
            "attempt to index a nil value (global 'io')", "attempt to call a nil value"))
        self.assertEqual(self.console("-e", "pcall(crawl.urls, {regex='('})").split("\t")[0], "false")

    def test_the_crawl_goes_on_whatever_a_script_does(self):
        before = self.crawl.status()["documents"]
        self.assertIn("it ran for too", self.console("-e", "while true do end", code=1))
        self.assertIn("it ran for too", self.console("-e", "while true do pcall(function() while true do end end) end", code=1))
        self.assertIn("too much memory", self.console("-e", "local t = {} while true do t[#t + 1] = string.rep('x', 100000) end", code=1))
        self.assertIn("thrown", self.console("-e", "error('thrown')", code=1))
        # Questions without an end do not keep it from its work either.
        loop = subprocess.Popen([harness.BINARY, "console", str(self.crawl.collection), "-e", "while true do crawl.status() end"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(harness.kill, loop)
        harness.wait_until(lambda: self.crawl.status().get("documents", 0) >= before + 5, "further documents")
        self.assertIsNone(self.process.poll())
        self.assertEqual(self.console("-e", "crawl.status().state"), "running\n")

    def test_lines_of_a_terminal(self):
        ours, theirs = pty.openpty()
        process = subprocess.Popen([harness.BINARY, "console", str(self.crawl.collection)], stdin=theirs, stdout=theirs,
                                   stderr=theirs)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        shown = ""

        def see(text):
            nonlocal shown
            while text not in shown:
                ready, _, _ = select.select([ours], [], [], 60)
                self.assertTrue(ready, f"no {text!r} in {shown!r}")
                shown += os.read(ours, 4096).decode()
            shown = shown.split(text, 1)[1]

        def type_line(text):
            os.write(ours, text.encode() + b"\n")

        see("caddis> ")
        type_line("n = 20")
        see("caddis> ")
        type_line("for i = 1, 2 do")
        see("... ")
        type_line("n = n + 11 end")
        see("caddis> ")
        type_line("n")
        see("42\r\n")
        see("caddis> ")
        type_line("nothing.at_all")
        see("console:1: attempt to index a nil value (global 'nothing')")
        see("caddis> ")
        os.write(ours, b"\x04")
        self.assertEqual(process.wait(60), 0)

    def test_without_a_crawl_that_runs(self):
        crawl = harness.Crawl(self.site, SETTINGS)
        self.addCleanup(crawl.remove)
        code, out, err = crawl.run(more=["--max-documents", "1"])
        self.assertIn(code, (0, 3), out + err)
        done = crawl.caddis("console", crawl.collection, "-e", "1")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no crawl runs there", done.stderr)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
