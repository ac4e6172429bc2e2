#!/usr/bin/env python3
"""What an operator gives that is no good, or too little: files that are no settings and no seeds, limits of the process."""

import os
import random
import resource
import subprocess
import sys
import threading
import unittest

import harness
from local_site import HOSTS, LocalSite

class BadInputTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.site = cls.enterClassContext(LocalSite(pages=40))

    def setUp(self):
        self.crawl = harness.Crawl(self.site)
        self.addCleanup(self.crawl.remove)

    def run_caddis(self, *arguments, timeout=60, environment=None, **more):
        """(exit code, standard error, megabytes that it took at most)"""
        process = subprocess.Popen([harness.BINARY, *[str(part) for part in arguments]], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   env={**harness.clean_environment(self.crawl.folder), **(environment or {})}, **more)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        watchdog = threading.Timer(timeout, process.kill)
        watchdog.start()
        err = process.stderr.read()
        _, status, use = os.wait4(process.pid, 0)
        watchdog.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, err.decode(errors="surrogateescape"), use.ru_maxrss / 1000

    def refused(self, *arguments, **more):
        """What is said when a crawl is refused, which leaves nothing behind."""
        code, err, _ = self.run_caddis("crawl", *self.site.seeds, "--collection", self.crawl.collection, *arguments, **more)
        self.assertEqual(code, 2, err)
        self.assertFalse(self.crawl.collection.exists())
        return err


class SettingsFileTest(BadInputTest):
    def test_only_regular_files_are_settings(self):
        pipe = self.crawl.folder / "pipe"
        os.mkfifo(pipe)
        self.assertIn("pipe is a pipe, not a file", self.refused("--config", pipe))
        self.assertIn("/dev/zero is a device", self.refused("--config", "/dev/zero"))
        own = self.crawl.folder / ".config/caddis"
        own.mkdir(parents=True)
        os.mkfifo(own / "caddis.yaml")
        self.assertIn("caddis.yaml is a pipe", self.refused())
        code, err, _ = self.run_caddis("scope", "explain", "--config", pipe, "http://a.example/")
        self.assertEqual(code, 2)
        self.assertIn("is a pipe", err)

    def test_a_file_is_not_larger_than_settings_are(self):
        with open(self.crawl.config, "wb") as file:
            file.truncate(1 << 40)
        code, err, megabytes = self.run_caddis("crawl", *self.site.seeds, "--config", self.crawl.config)
        self.assertEqual(code, 2, err)
        self.assertIn("larger than 64 MB, this is no settings file", err)
        self.assertLess(megabytes, 400)

    def test_aliases_cost_what_they_stand_for(self):
        laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
            f"a{i}: &a{i} [" + ", ".join([f"*a{i - 1}"] * 10) + "]\n" for i in range(1, 12))
        quadratic = "crawl:\n  name: &a " + 100_000 * "x" + "\n  seeds: [" + ", ".join(["*a"] * 100_000) + "]\n"
        for text in (laughs, quadratic):
            self.crawl.config.write_text(text)
            code, err, megabytes = self.run_caddis("crawl", "--config", self.crawl.config, "--collection", self.crawl.collection)
            self.assertEqual(code, 2, err)
            self.assertRegex(err, r"crawl.yaml:\d+: more than \d+ (values|bytes of text)")
            self.assertLess(megabytes, 700)

    def test_what_ends_up_in_headers_and_names_is_looked_at(self):
        for section, line, where in (("fetch", 'from: "a@b.example\\r\\nX-Evil: 1"', "from"),
                                     ("crawl", 'contact: "http://a.example/\\nX"', "contact"),
                                     ("fetch", 'accept: "*/*\\r\\n"', "accept"),
                                     ("archive", 'operator: "Me\\nsoftware: other"', "operator"),
                                     ("archive", "prefix: ../../x", "prefix"),
                                     ("archive", 'name-template: "a/{serialno}"', "name-template"),
                                     ("dns", "hosts: [nonsense]", "hosts"),
                                     ("dns", "servers: [dns.example]", "servers")):
            self.crawl.config.write_text(f"{section}:\n  {line}\n")
            self.assertIn(f"crawl.yaml:2: {where}: ", self.refused("--config", self.crawl.config))
        self.assertIn("--contact: contact: 'a\\nb' holds a line break", self.refused("--contact", "a\nb"))
        self.assertIn("CADDIS_CONTACT: contact: ", self.refused(environment={"CADDIS_CONTACT": "a\rb"}))

    def test_messages_do_nothing_to_a_terminal(self):
        self.crawl.config.write_text('"\\e]0;x\\a": 1\n')
        self.assertNotIn("\x1b", self.refused("--config", self.crawl.config))


class SeedsTest(BadInputTest):
    def crawl_seeds(self, seeds, **more):
        code, err, _ = self.run_caddis("crawl", "--config", self.crawl.config, "--collection", self.crawl.collection, "--seeds", seeds, **more)
        return code, err

    def test_of_a_binary_file_little_is_told_once(self):
        seeds = self.crawl.folder / "image.png"
        noise = random.Random(1)
        # No line can be taken for the name of a host.
        binary = b"\n".join(b"<" + bytes(noise.choices(b"<>^|\x00\x01\x1b\x7f\xc3\xfe ", k=200)) + b">" for _ in range(2000))
        seeds.write_bytes(binary + b"\n" + "\n".join(self.site.seeds).encode() + b"\n" + binary)
        code, err = self.crawl_seeds(seeds)
        self.assertEqual(code, 0, err)
        self.assertEqual(self.crawl.check(), [])
        told = [line for line in err.splitlines() if "image.png:" in line]
        self.assertEqual(len(told), 20)
        self.assertEqual(len(set(told)), 20)
        self.assertRegex(err, r"and \d+ more seeds are like these")
        self.assertLess(len(err), 40_000)
        self.assertFalse([c for c in err if c < " " and c != "\n"])
        code, _, err = self.crawl.run(resume=True)
        self.assertNotIn("is not a URL", err)

    def test_a_file_without_a_seed_is_refused(self):
        seeds = self.crawl.folder / "image.png"
        seeds.write_bytes(b"\0 \n" * 100_000)
        code, err = self.crawl_seeds(seeds)
        self.assertEqual(code, 2, err)
        self.assertIn("no line of it is a seed", err)
        self.assertLess(len(err), 20_000)
        self.assertFalse(self.crawl.collection.exists())

    def test_seeds_come_through_a_pipe(self):
        ours, theirs = os.pipe()
        os.write(theirs, "\n".join(self.site.seeds).encode())
        os.close(theirs)
        self.addCleanup(os.close, ours)
        code, err = self.crawl_seeds(f"/dev/fd/{ours}", pass_fds=[ours])
        self.assertEqual(code, 0, err)
        self.assertEqual(self.crawl.check(), [])

    def test_seeds_have_an_end(self):
        code, err = self.crawl_seeds("/dev/zero")
        self.assertEqual(code, 2, err)
        self.assertIn("/dev/zero: line 1 is longer than 100 kB: this is no list of seeds", err)
        self.assertFalse(self.crawl.collection.exists())


class MessagesTest(BadInputTest):
    """What is told to somebody who does not know the way yet."""

    def told(self, *arguments, code=2):
        done = self.crawl.caddis(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_commands_that_are_not_there(self):
        self.assertIn("caddis: there is no command 'nonsuch'. There are: crawl, status, pause, ", self.told("nonsuch"))
        told = self.told("warc", "chek")
        self.assertIn("caddis warc: there is no command 'chek'. There are: ls, cat, check, ", told)
        self.assertIn("Did you mean check?", told)
        self.assertIn("caddis seeds: there is no command 'x'. There is: remove\ncaddis seeds --help tells what it does.", self.told("seeds", "x"))
        self.assertIn("caddis seeds: a command is missing. There is: remove", self.told("seeds", "--collection=x"))

    def test_settings_files_that_are_no_yaml(self):
        for text, words in (("crawl:\n  seeds: [a\n", "a list that [ begins has no ] at its end"),
                            ("crawl:\n\tname: a\n", "crawl.yaml:2: it is indented by a tab: indent it with blanks"),
                            ("crawl:\n  name: a: b\n", "crawl.yaml:2: a colon where none may be: put a value that has one into quotes")):
            self.crawl.config.write_text(text)
            self.assertIn(words, self.refused("--config", self.crawl.config))

    def test_files_and_folders_that_are_not_there(self):
        none = self.crawl.folder / "none"
        self.assertIn(f"{none}: no such folder", self.told("wacz", "create", "--output", self.crawl.folder / "x.wacz", "--collection", none))
        told = self.told("warc", "check", none, code=1)
        self.assertEqual(told.splitlines()[0], f"{none}:0: error: no such file or folder [unreadable]")
        self.assertIn(f"there is no crawl in {none}: there is no such folder", self.told("settings", "get", "--collection", none, code=1))

    def test_lines_of_a_list_that_are_no_seeds(self):
        seeds = self.crawl.folder / "list.txt"
        seeds.write_text("\n".join([*self.site.seeds, "not a url"]) + "\n")
        number = len(self.site.seeds) + 1
        self.crawl.config.write_text(self.crawl.config.read_text() + f"crawl:\n  seed-files: [{seeds}]\n")
        code, err, _ = self.run_caddis("crawl", "--config", self.crawl.config, "--collection", self.crawl.collection)
        self.assertEqual(code, 0, err)
        self.assertIn(f"list.txt:{number}: seed 'not a url' is not a URL", err)

    def test_lines_of_a_list_of_seeds_to_be_removed(self):
        seeds = self.crawl.folder / "list.txt"
        seeds.write_text(f"# these\n{self.site.seeds[0]}\nnot a url\n")
        self.assertIn(f"{seeds}:3: seed 'not a url' is not a URL: invalid URL: malformed host; no seed was removed",
                      self.told("seeds", "remove", "--file", seeds, "--collection", self.crawl.collection, code=1))

    def test_an_ipv6_address_of_the_recorder(self):
        process = self.crawl.popen([harness.BINARY, "record", "--to", self.crawl.folder / "r", "--proxy", "[::1]:0", "--listen", "127.0.0.1:0"])
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        process.stdout.readline()
        line = process.stdout.readline()
        process.terminate()
        process.wait()
        self.assertRegex(line, r"for HTTP and HTTPS to \[::1\]:\d+, and open http://")

    def test_a_collection_is_given_as_one_likes(self):
        self.crawl.run()
        collection = self.crawl.collection
        for command in (["status"], ["report", "hosts"], ["log"], ["frontier"], ["why", self.site.seeds[0]]):
            told = self.told(*command, collection, code=0)
            self.assertEqual(self.told(*command, "--collection", collection, code=0), told)
        self.assertEqual(self.told("report", collection, "hosts", code=0), self.told("report", "hosts", collection, code=0))
        self.assertIn(f"the URL comes first, as in caddis why URL {collection}", self.told("why", collection))
        self.assertIn(f"{collection} is a folder, no setting: a collection is given as --collection {collection}",
                      self.told("settings", "get", collection))
        self.assertIn(f"given as --collection {collection}", self.told("settings", "set", "politeness.delay=3s", collection))
        self.assertIn("there is no setting 'fetch.delay'; did you mean 'politeness.delay'?",
                      self.told("settings", "get", "fetch.delay", "--collection", collection, code=1))

    def test_a_file_is_no_collection(self):
        seeds = self.crawl.folder / "seeds.txt"
        seeds.write_text("http://a.test/\n")
        self.assertIn(f"{seeds}: it is a file, and a collection is a folder; lists of seeds are named with --seeds",
                      self.told("crawl", "--collection", seeds))
        self.assertIn(f"there is no crawl in {seeds}: it is a file, and a collection is a folder", self.told("status", seeds))
        self.assertEqual(seeds.read_text(), "http://a.test/\n")

    def test_a_job_is_no_collection(self):
        self.crawl.run()
        job = self.crawl.folder / "job"
        job.mkdir()
        self.crawl.collection.rename(job / "20261124170000")
        (job / "latest").symlink_to("20261124170000")
        right = f"{job} is the folder of a job: the collection of its latest launch is {job}/latest"
        self.assertIn(right, self.told("settings", "set", "politeness.delay=3s", "--collection", job, code=1))
        for command in (["status"], ["frontier"], ["log"], ["report", "hosts"], ["why", self.site.seeds[0]]):
            self.assertIn(right, self.told(*command, job))
        self.assertIn("not running", self.told("status", job / "latest", code=0))


class ScopeExplainTest(BadInputTest):
    def explain(self, url, *options):
        done = self.crawl.caddis("scope", "explain", *options, url)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()[0].split("\t")[1], done.stderr

    def test_an_error_of_a_module_is_told_once(self):
        script = self.crawl.folder / "broken.lua"
        script.write_text("function rule(link)\n  error('no idea')\nend\n")
        _, err = self.explain("http://a.example/", "--module", script, "--rule", "accept all", "--rule", "reject module broken")
        self.assertEqual(err.count("no idea"), 1, err)
        done = subprocess.run([harness.BINARY, "scope", "explain", "--module", script, "--rule", "accept all", "--rule", "reject module broken"],
                              input="http://a.example/\nhttp://b.example/\n", capture_output=True, text=True, check=False,
                              env=harness.clean_environment(self.crawl.folder))
        self.assertEqual(done.stderr.count("no idea"), 2, done.stderr)

    def test_lists_of_seeds_are_known_however_they_were_given(self):
        seed = self.site.seeds[0]
        seeds = self.crawl.folder / "list.txt"
        seeds.write_text(f"{seed}\n-{seed}private/\n")
        for url, word in ((seed, "accepted by seed"), (seed + "private/x", "rejected by minus-lines")):
            self.assertIn(word, self.explain(url, "--seeds", seeds)[0])
        code, err, _ = self.run_caddis("crawl", "--config", self.crawl.config, "--collection", self.crawl.collection, "--seeds", seeds)
        self.assertEqual(code, 0, err)
        seeds.unlink()
        for url, word in ((seed, "accepted by seed"), (seed + "private/x", "rejected by minus-lines")):
            self.assertIn(word, self.explain(url, "--collection", self.crawl.collection)[0])
        told = self.crawl.caddis("why", seed + "private/x", self.crawl.collection).stdout
        self.assertIn("As a link, the scope of the crawl would reject it by minus-lines: ", told)
        done = self.crawl.caddis("scope", "explain", "--collection", self.crawl.folder, seed)
        self.assertIn(f"there is no crawl in {self.crawl.folder}", done.stderr)


class ProcessLimitTest(BadInputTest):
    """What a limit of the process ends says so, with exit code 1, and is resumed."""

    def crawl_within(self, limit, size, *more):
        process = subprocess.Popen([str(part) for part in self.crawl.arguments(more=more)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=harness.clean_environment(self.crawl.folder), preexec_fn=lambda: resource.setrlimit(limit, (size, size)))
        return harness.finish(process)

    def resume(self):
        if not self.crawl.can_resume():
            self.crawl.collection.exists() and self.fail("a crawl that did not begin left something")
            return
        code, out, err = self.crawl.run(resume=True)
        self.assertEqual(code, 0, out + err)
        self.assertEqual(self.crawl.check(), [])

    def test_files_may_not_grow(self):
        for size in (10_000, 20_000, 60_000):
            with self.subTest(size):
                code, out, err = self.crawl_within(resource.RLIMIT_FSIZE, size)
                self.assertEqual(code, 1, out + err)
                self.assertIn("ulimit -f", out + err)
                self.resume()
            self.setUp()

    def test_a_body_that_may_not_be_kept_is_given_up(self):
        with open(self.site.work / HOSTS[0] / "large.bin", "wb") as file:
            file.truncate(24_000_000)
        self.addCleanup(os.remove, self.site.work / HOSTS[0] / "large.bin")
        large = self.site.url(HOSTS[0], "/large.bin")
        code, out, err = self.crawl_within(resource.RLIMIT_FSIZE, 16_000_000, large)
        self.assertEqual(code, 0, out + err)
        lines = [line.split() for path in self.crawl.collection.glob("crawls/*/logs/crawl.log")
                 for line in path.read_text().splitlines() if large in line]
        self.assertEqual([(line[1], "noRoom" in line[11], "3t" in line[11]) for line in lines if line[3] == large], [("-3000", True, True)])

    def test_there_is_no_memory(self):
        bare = subprocess.run([harness.BINARY, "--version"], capture_output=True, check=False,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30)))
        if bare.returncode != 0:
            self.skipTest("the sanitizer's own memory is more than any limit")
        ends = set()
        for megabytes in range(100, 1000, 50):
            code, out, err = self.crawl_within(resource.RLIMIT_AS, megabytes << 20)
            with self.subTest(megabytes):
                self.assertIn(code, (0, 1, 127), out + err)  # 127: the libraries have no room
                ends.add(code)
                if code == 1:
                    self.assertRegex(err, r"^caddis( crawl)?: ")
                if code != 127:
                    self.resume()
            self.setUp()
            if code == 0:
                break
        self.assertIn(0, ends)
        self.assertIn(1, ends)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
