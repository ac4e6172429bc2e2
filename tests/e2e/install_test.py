#!/usr/bin/env python3
"""What is installed is used as a stranger would: the executable from another place, the library through its CMake package."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import harness

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CADDIS_BUILD_DIR", SOURCE / "build/dev"))
SANITIZE = os.environ.get("CADDIS_SANITIZE", "")
WARC = (b"WARC/1.1\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
        b"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000000>\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n")


def run(*command, **more):
    """Standard output; what both streams said if it fails."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600, **more)
    if done.returncode:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-install-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.warc = cls.folder / "one.warc"
        cls.warc.write_bytes(WARC)

    def test_the_executable_runs_from_anywhere(self):
        self.assertRegex(run(self.prefix / "bin/caddis", "--version", cwd=self.folder), r"^caddis \d")

    def test_the_library_is_found_and_reads_a_warc(self):
        build = self.folder / "example"
        compiler = re.search(r"(?m)^CMAKE_CXX_COMPILER:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text())[1]
        flags = f"-fsanitize={SANITIZE}" if SANITIZE else ""
        run("cmake", "-S", SOURCE / "examples/read_warc", "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_FLAGS={flags}")
        run("cmake", "--build", build)
        self.assertEqual(run(build / "read_warc", self.warc), "resource http://a.example/\n")

    def test_nothing_of_the_source_is_named_in_the_package(self):
        package = sorted(self.prefix.rglob("cmake/caddis/*.cmake"))
        self.assertTrue(package)
        for path in package:
            self.assertNotIn(str(SOURCE), path.read_text(), path)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
