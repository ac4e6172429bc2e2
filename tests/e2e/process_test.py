#!/usr/bin/env python3
"""What surrounds a process: its output that nobody takes, and the signals that ask it to stop."""

import fcntl
import os
import pathlib
import signal
import subprocess
import sys
import unittest

import harness
from local_site import LocalSite

# Slow enough for some progress lines: one in ten seconds.
SLOW = harness.SETTINGS.replace("delay: 0s", "delay: 1300ms")


class ProcessTest(unittest.TestCase):
    def setUp(self):
        self.site = self.enterContext(LocalSite(pages=20))

    def new_crawl(self, settings=harness.SETTINGS):
        crawl = harness.Crawl(self.site, settings)
        self.addCleanup(crawl.remove)
        return crawl

    def spawn(self, crawl, arguments=None, **streams):
        process = subprocess.Popen([str(part) for part in arguments or crawl.arguments()],
                                   env=harness.clean_environment(crawl.folder), **streams)
        self.addCleanup(process.kill)
        return process

    def assert_finished(self, crawl, code):
        self.assertEqual(code, 0)
        self.assertEqual(crawl.check(), [])
        self.assertEqual(crawl.status()["report"]["crawl status"], "Finished")


class OutputTest(ProcessTest):
    """What is said to people may get lost, and ends nothing."""

    def test_nobody_reads_what_a_crawl_says(self):
        crawl = self.new_crawl(SLOW)
        process = self.spawn(crawl, crawl.arguments(more=["--listen", "127.0.0.1:0"]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertIn(b"statistics: ", process.stderr.readline())
        process.stderr.close()  # as in `caddis crawl 2>&1 | head -1`
        self.assert_finished(crawl, process.wait(120))

    def test_who_reads_what_a_crawl_says_stands_still(self):
        for ends in (os.pipe, os.openpty):
            with self.subTest(ends.__name__):
                crawl = self.new_crawl()
                seeds = crawl.folder / "seeds.txt"
                # What is told of so many is short, and still more than the reader's pipe holds.
                seeds.write_text("".join(f"gopher://bad.example/{number}/{300 * 'x'}\n" for number in range(3000)))
                ours, theirs = ends()
                if ends is os.pipe:
                    fcntl.fcntl(theirs, fcntl.F_SETPIPE_SZ, 4096)
                self.addCleanup(os.close, ours)
                process = self.spawn(crawl, crawl.arguments(more=["--seeds", seeds]), stdout=subprocess.DEVNULL, stderr=theirs)
                os.close(theirs)
                self.assert_finished(crawl, process.wait(120))
                self.assertIn(b"gopher://bad.example/0", os.read(ours, 4096))

    def test_the_disk_of_what_a_crawl_says_is_full(self):
        crawl = self.new_crawl(SLOW)
        with open("/dev/full", "wb") as full:
            self.assert_finished(crawl, self.spawn(crawl, stdout=subprocess.DEVNULL, stderr=full).wait(120))

    def test_the_terminal_of_a_crawl_is_closed(self):
        crawl = self.new_crawl()
        crawl.config.write_text(harness.SETTINGS.replace("delay: 0s", "delay: 300ms"))
        ours, theirs = os.openpty()
        process = self.spawn(crawl, stdout=subprocess.DEVNULL, stderr=theirs, start_new_session=True)
        os.close(theirs)
        os.read(ours, 1)
        os.close(ours)
        self.assert_finished(crawl, process.wait(120))

    def test_a_crawl_is_started_without_output(self):
        crawl = self.new_crawl()
        crawl.config.write_text(harness.SETTINGS + "nonsense: 1\n")
        command = ["sh", "-c", '"$@" 2>&-', "sh", *crawl.arguments()]
        self.assertEqual(self.spawn(crawl, command).wait(120), 2)
        crawl.config.write_text(harness.SETTINGS)
        self.assert_finished(crawl, self.spawn(crawl, command, stdout=subprocess.DEVNULL).wait(120))

    def test_what_came_of_it_cannot_be_written(self):
        crawl = self.new_crawl()
        with open("/dev/full", "wb") as full:
            process = self.spawn(crawl, stdout=full, stderr=subprocess.PIPE)
            self.assertIn(b"the output cannot be written: No space left", process.communicate(timeout=120)[1])
        self.assertEqual(process.returncode, 1)
        self.assertEqual(crawl.check(), [])

    def test_nobody_reads_what_serve_says(self):
        crawl = self.new_crawl()
        with open("/dev/full", "wb") as full:
            process = self.spawn(crawl, [harness.BINARY, "serve", crawl.folder, "--listen", "127.0.0.1:0"], stdout=full, stderr=full)
            self.assertEqual(process.wait(30), 2, "there is no collection")
            self.assertEqual(crawl.run()[0], 0)
            process = self.spawn(crawl, [harness.BINARY, "serve", crawl.collection, "--listen", "127.0.0.1:0"], stdout=full, stderr=full)
            harness.wait_until(lambda: catches(process, signal.SIGTERM), "server")
            process.terminate()
            self.assertEqual(process.wait(30), 1, "its address could not be told")


class SignalTest(ProcessTest):
    """A hang-up stops in good order, unless it was to be ignored."""

    def crawling(self, hang_up=signal.SIG_DFL):
        crawl = self.new_crawl(SLOW)
        process = self.spawn(crawl, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, hang_up))
        harness.wait_until(crawl.logged, "commit")
        return crawl, process

    def test_a_hang_up_stops_a_crawl(self):
        crawl, process = self.crawling()
        for _ in range(3):  # kernel, shell and service manager: each tells it
            process.send_signal(signal.SIGHUP)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)
        self.assertIn(b"interrupted", out)
        self.assertIn("interrupted", crawl.status()["report"]["crawl status"])
        crawl.config.write_text(harness.SETTINGS)
        code, out, err = crawl.run(resume=True, more=["--delay", "0s"])
        self.assertEqual(code, 0, out + err)
        self.assertEqual(crawl.check(), [])

    def test_a_hang_up_is_ignored_under_nohup(self):
        crawl, process = self.crawling(signal.SIG_IGN)
        process.send_signal(signal.SIGHUP)
        logged = crawl.logged()
        harness.wait_until(lambda: crawl.logged() > logged, "commit")
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4)

    def test_a_hang_up_stops_serve(self):
        crawl = self.new_crawl()
        self.assertEqual(crawl.run()[0], 0)
        process = self.spawn(crawl, [harness.BINARY, "serve", crawl.collection, "--listen", "127.0.0.1:0"], stdout=subprocess.DEVNULL,
                             preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))
        harness.wait_until(lambda: catches(process, signal.SIGHUP), "server")
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(30), 0)


class FileTest(ProcessTest):
    """What people's editors and hands do to files."""

    def test_byte_order_marks_are_no_part_of_files(self):
        crawl = self.new_crawl()
        mark = b"\xef\xbb\xbf"
        crawl.config.write_bytes(mark + harness.SETTINGS.lstrip().encode())
        seeds = crawl.folder / "seeds.txt"
        seeds.write_bytes(mark + "".join(f"{seed}\r\n" for seed in self.site.seeds).encode())
        code, out, err = harness.finish(crawl.popen([harness.BINARY, "crawl", "--seeds", seeds, "--config", crawl.config,
                                                     "--collection", crawl.collection]))
        self.assertEqual(code, 0, out + err)
        self.assertEqual(crawl.check(), [])

    def test_a_link_in_place_of_an_action_file_holds_nothing_up(self):
        crawl = self.new_crawl()
        self.assertEqual(crawl.run()[0], 0)
        taken = crawl.launches[0] / "action/taken/20260102030405006.lost.force"
        taken.symlink_to("nowhere")
        code, out, err = crawl.run(resume=True, timeout=60)
        self.assertEqual(code, 0, out + err)
        self.assertIn("action lost.force: refused: ", err)
        self.assertIn(" is a symbolic link", err)
        self.assertEqual(crawl.check(), [])


def catches(process, number):
    """Whether it has a handler for the signal."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    caught = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigCgt:"))
    return caught >> (number - 1) & 1


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
