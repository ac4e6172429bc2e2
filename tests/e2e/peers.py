"""Other programs of the field, from where they are published, by the ordinary client of each: warcio, pywb and FastWARC from
PyPI, jwarc, heritrix3-wrapper and profiles of Heritrix from Maven Central. They lie below the build's folder, and are fetched once.

Each function raises unittest.SkipTest, with the reason, if its peer cannot be had.
"""

import functools
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import zipfile

FOLDER = pathlib.Path(os.environ.get("CADDIS_BUILD_DIR", tempfile.gettempdir())) / "peers"
PIP = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
MAVEN_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
JWARC = "0.36.0"
HERITRIX3_WRAPPER = "1.0.3"
# Those whose profiles differ.
HERITRIX_VERSIONS = ("3.4.0-20190205", "3.4.0-20190418", "3.4.0-20200304", "3.4.0-20210527", "3.4.0-20220727", "3.4.0-20240909", "3.6.0",
                     "3.8.0", "3.13.0")


def fetch(command, what):
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=600, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise unittest.SkipTest(f"{what} cannot be had: {error}") from None
    if done.returncode != 0:
        raise unittest.SkipTest(f"{what} cannot be had: {(done.stderr or done.stdout)[-300:]}")


def python_with(package):
    """Arguments that run Python with that package, in an environment of its own."""
    environment = FOLDER / package
    python = environment / "bin/python"
    if not (environment / "whole").exists():
        shutil.rmtree(environment, ignore_errors=True)
        fetch([sys.executable, "-m", "venv", environment], "an environment of Python")
        fetch([python, *PIP, package], f"{package} of PyPI")
        (environment / "whole").touch()
    return [str(python)]


@functools.cache
def warcio():
    return [*python_with("warcio"), "-m", "warcio.cli"]


@functools.cache
def jwarc():
    jar = FOLDER / "jwarc" / f"jwarc-{JWARC}.jar"
    if not jar.exists():
        fetch(["mvn", "--quiet", "--batch-mode", MAVEN_COPY, f"-Dartifact=org.netpreserve:jwarc:{JWARC}",
               f"-DoutputDirectory={jar.parent}"], "jwarc of Maven Central")
    return ["java", "-jar", str(jar)]


@functools.cache
def heritrix_profiles():
    """The profile that each of these versions of Heritrix gives to a new job: {version: file}."""
    folder = FOLDER / "heritrix-profiles"
    if not (folder / "whole").exists():
        if not shutil.which("mvn"):
            raise unittest.SkipTest("profiles of Heritrix cannot be had: they need mvn")
        items = "".join(f"<artifactItem><groupId>org.archive.heritrix</groupId><artifactId>heritrix-engine</artifactId><version>{version}</version>"
                        "</artifactItem>" for version in HERITRIX_VERSIONS)
        group, name, version, _ = MAVEN_COPY.split(":")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pom.xml").write_text("<project><modelVersion>4.0.0</modelVersion><groupId>caddis</groupId><artifactId>profiles</artifactId>"
                                        f"<version>1</version><build><plugins><plugin><groupId>{group}</groupId><artifactId>{name}</artifactId>"
                                        f"<version>{version}</version><configuration><outputDirectory>{folder}</outputDirectory><artifactItems>{items}"
                                        "</artifactItems></configuration></plugin></plugins></build></project>")
        fetch(["mvn", "--quiet", "--batch-mode", "--file", folder / "pom.xml", MAVEN_COPY], "Heritrix of Maven Central")
        for version in HERITRIX_VERSIONS:
            with zipfile.ZipFile(folder / f"heritrix-engine-{version}.jar") as packed:
                (folder / f"{version}.cxml").write_bytes(packed.read("org/archive/crawler/restlet/profile-crawler-beans.cxml"))
        (folder / "whole").touch()
    return {version: folder / f"{version}.cxml" for version in HERITRIX_VERSIONS}


@functools.cache
def heritrix3_wrapper():
    """The class path of heritrix3-wrapper, with the JAXB that Java has lost since."""
    folder = FOLDER / "heritrix3-wrapper"
    if not (folder / "whole").exists():
        if not (shutil.which("mvn") and shutil.which("java")):
            raise unittest.SkipTest("heritrix3-wrapper cannot be had: it needs mvn and java")
        wanted = (f"org.netarchivesuite:heritrix3-wrapper:{HERITRIX3_WRAPPER}", "javax.xml.bind:jaxb-api:2.3.1",
                  "org.glassfish.jaxb:jaxb-runtime:2.3.1")
        dependencies = "".join(f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
                               for group, name, version in (one.split(":") for one in wanted))
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "pom.xml").write_text("<project><modelVersion>4.0.0</modelVersion><groupId>caddis</groupId><artifactId>clients</artifactId>"
                                        f"<version>1</version><dependencies>{dependencies}</dependencies></project>")
        fetch(["mvn", "--quiet", "--batch-mode", "--file", folder / "pom.xml", MAVEN_COPY + "-dependencies", f"-DoutputDirectory={folder}/jars"],
              "heritrix3-wrapper of Maven Central")
        (folder / "whole").touch()
    return f"{folder}/jars/*"


def run(command, *arguments):
    """(exit code, all that it says). Those that hang are ended."""
    done = subprocess.run([*command, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
                          check=False)
    return done.returncode, done.stdout


def fastwarc_records(path):
    """A line for each record that FastWARC reads: its type, its id, its length, and whether its block digest holds."""
    script = ("import sys\nfrom fastwarc.warc import ArchiveIterator\n"
              "for r in ArchiveIterator(open(sys.argv[1], 'rb'), parse_http=False):\n"
              "    sound = 'WARC-Block-Digest' not in r.headers or r.verify_block_digest()\n"
              "    print(str(r.record_type), r.record_id, r.content_length, sound)\n")
    code, said = run([*python_with("fastwarc"), "-c", script], path)
    if code != 0:
        raise AssertionError(said)
    return said.splitlines()


class Pywb:
    """pywb's server over one collection, c: the folders of archive files as they are, and the index, or another one."""

    def __init__(self, folder, collection, archive_folders, index=None):
        program = pathlib.Path(python_with("pywb")[0]).with_name("wayback")
        home = folder / "pywb"
        home.mkdir()
        paths = "".join(f"      - {path}/\n" for path in archive_folders)
        (home / "config.yaml").write_text(f"collections:\n  c:\n    index_paths: {index or f'{collection}/indexes'}\n"
                                          f"    archive_paths:\n{paths}")
        # It takes no port 0, and does not say when it listens.
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = home / "log"
        with self.log.open("w") as log:
            self.process = subprocess.Popen([program, "-b", "127.0.0.1", "-p", str(self.port), "-d", home], stdout=log, stderr=log,
                                            cwd=home)
        end = time.monotonic() + 120
        while socket.socket().connect_ex(("127.0.0.1", self.port)) != 0:
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(self.log.read_text())
            time.sleep(0.1)

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def address(self, timestamp, url):
        """Of a capture as it is stored."""
        return f"http://127.0.0.1:{self.port}/c/{re.sub(r'[^0-9]', '', timestamp)[:14]}id_/{url}"
