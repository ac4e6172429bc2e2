#!/usr/bin/env python3
"""What helps people at the command line: help, hints, defaults, and messages that say what is going on."""

import os
import pathlib
import pwd
import re
import shlex
import signal
import subprocess
import sys
import unittest

import harness
from control_doors_test import Site

HINTS = pathlib.Path(__file__).resolve().parents[2] / "apps/caddis/option_hints.cc"


class ComfortsTest(unittest.TestCase):
    def setUp(self):
        self.site = Site()
        self.addCleanup(self.site.close)
        self.crawl = harness.Crawl(self.site)
        self.addCleanup(self.crawl.remove)

    def caddis(self, *arguments, code=0, **more):
        """Both streams, one after the other."""
        process = subprocess.run([os.path.abspath(harness.BINARY), *map(str, arguments)], capture_output=True, text=True, timeout=120,
                                 cwd=self.crawl.folder, env=harness.clean_environment(self.crawl.folder), **more)
        self.assertEqual(process.returncode, code, process.stdout + process.stderr)
        return process.stdout + process.stderr

    def start_paused(self, *more):
        process = self.crawl.start(more=["--paused", *more])
        self.addCleanup(harness.kill, process)
        harness.wait_until(lambda: self.crawl.status().get("state") == "paused", "paused crawl")
        return process


class CompletionTest(ComfortsTest):
    """Lines as they are typed into bash with apps/caddis/caddis.bash."""

    def complete(self, line):
        script = (f"source {HINTS.parent}/caddis.bash\nPATH={pathlib.Path(harness.BINARY).resolve().parent}:$PATH\n"
                  f"COMP_LINE={shlex.quote(line)}\nCOMP_POINT=${{#COMP_LINE}}\nCOMP_WORDS=(caddis)\n"
                  "compopt() { :; }\n_caddis\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n")
        done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, timeout=60, cwd=self.crawl.folder,
                              env={**harness.clean_environment(self.crawl.folder), "PATH": os.environ["PATH"]})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_commands_and_options(self):
        self.assertIn("settings", self.complete("caddis "))
        self.assertNotIn("complete", self.complete("caddis "))
        self.assertEqual(self.complete("caddis ro"), ["robots"])
        self.assertEqual(self.complete("caddis settings exp"), ["explain"])
        self.assertIn("--max-hops", self.complete("caddis crawl https://example.org/ --max-"))
        self.assertIn("broad", self.complete("caddis crawl --profile "))
        self.assertEqual(self.complete("caddis crawl --collection "), [], "files are for the shell")

    def test_jobs(self):
        self.assertIn("launch", self.complete("caddis job "))
        for name in ("news", "nature"):
            folder = self.crawl.folder / "jobs" / name
            (folder / "latest/state/checkpoints/cp1").mkdir(parents=True)
            (folder / "crawl.yaml").touch()
        (self.crawl.folder / "jobs/no-job").mkdir()
        self.assertEqual(self.complete("caddis job pause n"), ["nature", "news"])
        self.assertEqual(self.complete("caddis job launch --paused ne"), ["news"])
        self.assertEqual(self.complete("caddis job resume news --checkpoint "), ["cp1", "latest"])
        self.assertEqual(self.complete("caddis job create fresh --from na"), ["nature"])
        self.assertIn("one-site", self.complete("caddis job create fresh --profile "))
        self.assertIn("--paused", self.complete("caddis job launch news --"))
        self.assertEqual(self.complete(f"caddis job show --jobs {self.crawl.folder}/nowhere n"), [])

    def test_settings(self):
        self.assertEqual(self.complete("caddis crawl --set politeness.min-d"), ["politeness.min-delay="])
        self.assertEqual(self.complete("caddis crawl --set scope.kind=d"), ["domain"])
        self.assertEqual(self.complete("caddis settings set frontier.order=h"), ["hops"])
        self.assertEqual(self.complete("caddis settings get fetch.silence"), ["fetch.silence-timeout"])
        script = self.crawl.folder / "counts.lua"
        script.write_text("settings = {most = {default = 3, doc = 'So many.'}}\nfunction step(page) end\n")
        self.assertEqual(self.complete(f"caddis crawl --module {script} --set counts."), ["counts.most="])
        self.crawl.run(more=["--module", str(script)])
        self.assertEqual(self.complete(f"caddis settings set --collection {self.crawl.collection} counts."), ["counts.most="])


class HelpTest(ComfortsTest):
    def test_help_is_a_command_and_an_option(self):
        for words in (["help"], ["--help"], ["-h"]):
            self.assertIn("Crawl web sites into a collection", self.caddis(*words))
        self.assertEqual(self.caddis("help", "crawl"), self.caddis("crawl", "--help"))
        self.assertEqual(self.caddis("help", "warc", "ls"), self.caddis("warc", "ls", "--help"))
        self.assertIn("Usage: caddis warc", self.caddis("help", "warc"))
        self.assertIn("there is no command 'crwal'; did you mean crawl?", self.caddis("help", "crwal", code=2))

    def test_the_version_has_a_short_name(self):
        self.assertEqual(self.caddis("-V"), self.caddis("--version"))

    def test_without_words_there_is_help(self):
        self.assertIn("Crawl web sites into a collection", self.caddis(code=2))
        self.assertIn("Usage: caddis warc", self.caddis("warc", code=2))
        self.assertIn("--max-hops", self.caddis("crawl", code=2))

    def test_help_shows_defaults(self):
        text = re.sub(r"\s+", " ", self.caddis("help", "crawl"))
        self.assertIn("at most this many hops from a seed. [20]", text)
        self.assertIn("belongs to the crawl. [host]", text)

    def test_truths_are_told_by_naming_them(self):
        """A default that is shown is not taken for a value."""
        self.caddis("crawl", self.site.seeds[0], "--private", "--delay", "0s")
        self.assertIn("private: true", next((self.crawl.folder / "127.0.0.1").glob("crawls/*/crawl.yaml")).read_text())


class ResumeTest(ComfortsTest):
    def test_the_same_seeds_may_be_given_once_more(self):
        seed = self.site.seeds[0]
        self.caddis("crawl", seed, "--collection", "again", "--delay", "0s", "--max-documents", "1", code=3)
        text = self.caddis("crawl", "http://127.0.0.1:1/other", "--resume", "--collection", "again", code=2)
        self.assertIn("crawl.seeds are those that the crawl began with", text)
        self.caddis("crawl", seed, "--resume", "--collection", "again", "--max-documents", "0")


class HintsTest(ComfortsTest):
    def test_options_of_other_tools_are_told_in_ours(self):
        for words, hint in ((["--level", "3"], "--level is an option of wget; here: --max-hops"),
                            (["--level=3"], "--level is an option of wget; here: --max-hops"),
                            (["--mirror"], "--mirror is an option of wget; here: nothing"),
                            (["--scopeType", "prefix"], "--scopeType is an option of browsertrix; here: --scope")):
            text = self.caddis("crawl", *words, self.site.seeds[0], code=2)
            self.assertIn("caddis: " + hint, text)
            self.assertNotIn("not expected", text)
        both = self.caddis("crawl", "--mirror", "--wait", "2", self.site.seeds[0], code=2)
        self.assertEqual(both.count("is an option of wget"), 2)

    def test_other_words_are_none_of_the_hints(self):
        text = self.caddis("crawl", "--max-hop", "3", self.site.seeds[0], code=2)
        self.assertIn("Did you mean --max-hops?", text)
        self.assertNotIn("wget", self.caddis("frontier", "--level", code=2))

    def test_hints_name_what_there_is(self):
        options, schema = self.caddis("help", "crawl"), self.caddis("schema", "--markdown")
        table = HINTS.read_text()
        table = table[table.index("kHints[]"):]
        hints = re.findall(r'\{"(-[^"]*)", \w+,\s*(?:"([^"]*)"|\w+)\}', table)
        self.assertGreater(len(hints), 60)
        for option, instead in hints:
            self.assertNotRegex(options, rf"(?m)^ +(-\w,)?{re.escape(option)}[ ,]", "an option of ours needs no hint")
            for named in re.findall(r"--[a-z-]+", instead):
                self.assertRegex(options, rf"{named}\b", option)
            for section, name in re.findall(r"\b([a-z]+)\.([a-z-]+)=", instead):
                self.assertRegex(schema, rf"(?s)\n## {section}\n.*?\| `{name}` \|", option)


class SetTest(ComfortsTest):
    def settings(self):
        return self.crawl.launches[0].joinpath("crawl.yaml").read_text()

    def test_any_setting_can_be_given(self):
        code, out, err = self.crawl.run(more=["--set", "scope.max-url-length=500", "--set", "scope.exclude=a", "--set", "scope.exclude=b",
                                              "--set", "politeness.delay=0s"])
        self.assertEqual(code, 0, out + err)
        self.assertRegex(self.settings(), r"max-url-length: 500\b")
        self.assertRegex(self.settings(), r"exclude:\s*(\[a, b\]|- a\s+- b)")

    def test_what_is_no_setting_is_refused(self):
        for text, says in (("max-hops=3", "write SECTION.NAME=VALUE"), ("scope.max-hops", "write SECTION.NAME=VALUE"),
                           ("scop.max-hops=3", "unknown section 'scop'; did you mean 'scope'?"),
                           ("scope.max-hop=3", "unknown setting 'max-hop'; did you mean 'max-hops'?"),
                           ("fetch.max-hops=3", "it belongs to 'scope'"), ("scope.max-hops=x", "--set: max-hops: ")):
            code, _, err = self.crawl.run(more=["--set", text])
            self.assertEqual(code, 2, err)
            self.assertIn(says, err)
            self.assertFalse(self.crawl.collection.exists())


class FolderTest(ComfortsTest):
    def test_an_archive_is_named_after_its_first_seed(self):
        self.assertIn("caddis crawl: the archive is in ./127.0.0.1\n", self.caddis("crawl", self.site.seeds[0], "--delay", "0s"))
        self.assertTrue((self.crawl.folder / "127.0.0.1/archive").is_dir())
        self.caddis("crawl", self.site.seeds[0], "--delay", "0s")
        self.assertEqual(len(list(self.crawl.folder.glob("127.0.0.1/crawls/*/crawl.yaml"))), 2, "a collection takes another crawl")

    def test_a_folder_of_others_is_left_alone(self):
        foreign = self.crawl.folder / "127.0.0.1"
        foreign.mkdir()
        (foreign / "letters").write_text("dear")
        text = self.caddis("crawl", self.site.seeds[0], code=2)
        self.assertIn("would be in ./127.0.0.1, but that is there already, and is no collection", text)
        self.assertEqual([path.name for path in foreign.iterdir()], ["letters"])

    def test_without_a_seed_there_is_no_name(self):
        self.assertIn("say where the archive is to be: --collection FOLDER", self.caddis("crawl", "--max-hops", "1", code=2))


class MessagesTest(ComfortsTest):
    def test_what_listens_everywhere_prints_what_can_be_opened(self):
        process = self.crawl.start(more=["--paused", "--listen", "0.0.0.0:0", "--insecure", "0.0.0.0:0"])
        self.addCleanup(harness.kill, process)
        line = process.stderr.readline()
        self.assertRegex(line, r"^statistics: http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{64}\n$")
        harness.wait_until(lambda: self.crawl.status().get("state") == "paused", "paused crawl")
        process.send_signal(signal.SIGINT)
        self.assertNotIn("0.0.0.0", harness.finish(process)[2])

    @unittest.skipUnless(os.geteuid() == 0, "only root may become another user")
    def test_who_may_not_ask_a_crawl_is_not_told_that_it_died(self):
        nobody = pwd.getpwnam("nobody")
        self.crawl.folder.chmod(0o755)
        process = self.start_paused()
        text = self.caddis("status", self.crawl.collection, code=1, user=nobody.pw_uid, group=nobody.pw_gid)
        self.assertIn("only the owner of", text)
        self.assertIn("see whether it runs", text)
        self.assertNotIn("died", text)
        process.send_signal(signal.SIGINT)
        self.assertEqual(harness.finish(process)[0], 4)
        text = self.caddis("status", self.crawl.collection, user=nobody.pw_uid, group=nobody.pw_gid)
        self.assertIn("not running", text)
        self.assertIn("crawl status: ", text)

    def test_a_pipe_without_a_writer_does_not_wait_in_silence(self):
        pipe = self.crawl.folder / "seeds"
        os.mkfifo(pipe)
        process = self.crawl.popen([harness.BINARY, "crawl", "--seeds", pipe, "--config", self.crawl.config, "--collection", self.crawl.collection])
        self.addCleanup(harness.kill, process)
        self.assertIn(f"reading seeds from the pipe {pipe} until its writer closes it", process.stderr.readline())
        pipe.write_text(self.site.seeds[0] + "\n")
        code, out, err = harness.finish(process)
        self.assertEqual(code, 0, out + err)

    def test_a_broken_expression_is_told_with_its_line(self):
        self.crawl.config.write_text("scope:\n  exclude:\n    - fine\n    - 'broken('\n")
        code, _, err = self.crawl.run()
        self.assertEqual(code, 2)
        self.assertRegex(err, r"crawl\.yaml:\d: exclude: .*broken\(.*missing \)")
        code, _, err = harness.finish(self.crawl.popen([harness.BINARY, "crawl", *self.site.seeds, "--exclude", "broken(", "--collection",
                                                        self.crawl.collection]))
        self.assertEqual(code, 2)
        self.assertIn("--exclude: exclude: ", err)

    def test_hundreds_of_like_lines_are_told_in_few(self):
        seeds = self.crawl.folder / "seeds.txt"
        seeds.write_text("".join(f"gopher://a.example/{number}\n" for number in range(500)) + self.site.seeds[0] + "\n")
        code, _, err = harness.finish(self.crawl.popen([harness.BINARY, "crawl", "--seeds", seeds, "--config", self.crawl.config, "--collection",
                                                        self.crawl.collection]))
        self.assertEqual(code, 0, err)
        self.assertLessEqual(err.count("seeds.txt"), 20)
        self.assertRegex(err, r"and \d+ more seeds are like these")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
