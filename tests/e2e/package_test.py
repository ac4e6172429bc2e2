#!/usr/bin/env python3
"""The Debian package of what is built: services, manual pages, completion, scripts. With CADDIS_PACKAGE_CHROOT=1, as root, it is
installed into an empty Debian 12 made by mmdebstrap (which needs a mirror), tried out there, upgraded and purged."""

import gzip
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest

import harness
import web_ui_test
from frontier_test import SlowSite

SOURCE = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("CADDIS_BUILD_DIR", SOURCE / "build/dev"))
TOOLS = ("cpack", "dpkg-deb", "dpkg-shlibdeps")


def run(*command, **more):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, timeout=900, **more)
    if done.returncode:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


@unittest.skipUnless(all(map(shutil.which, TOOLS)), f"packages are made with {', '.join(TOOLS)}")
class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="caddis-package-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-B", cls.folder / "made", "-D", "CPACK_COMPONENTS_ALL=program")
        cls.package = next((cls.folder / "made").glob("caddis_*.deb"))
        cls.root, cls.control = cls.folder / "root", cls.folder / "control"
        run("dpkg-deb", "-x", cls.package, cls.root)
        run("dpkg-deb", "-e", cls.package, cls.control)

    def commands(self):
        """Those that help shows."""
        text = run(self.root / "usr/bin/caddis", "--help")
        return re.findall(r"(?m)^  ([a-z]+) ", text.split("Subcommands:", 1)[-1].split("SUBCOMMANDS:", 1)[-1])

    def test_every_command_has_a_manual_page_that_man_can_read(self):
        pages = self.root / "usr/share/man/man1"
        names = {path.name.removesuffix(".1.gz") for path in pages.iterdir()}
        self.assertGreater(len(self.commands()), 15)
        self.assertEqual(names, {"caddis", *(f"caddis-{name}" for name in self.commands())})
        text = gzip.decompress((pages / "caddis-crawl.1.gz").read_bytes()).decode()
        self.assertIn("\\-\\-collection", text)
        if not shutil.which("man"):
            return
        for path in pages.iterdir():
            done = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", str(path)], capture_output=True, text=True,
                                  timeout=60, env={**os.environ, "MANPAGER": "cat", "MANROFFSEQ": ""})
            strange = [line for line in done.stderr.splitlines() if "break line" not in line and "adjust line" not in line]  # a long default value
            self.assertEqual((done.returncode, strange), (0, []), path)

    def test_the_services_are_there_with_their_settings(self):
        default = (self.root / "etc/default/caddis").read_text()
        known = set(re.findall(r"^#?(CADDIS_\w+)=", default, re.M))
        self.assertEqual((self.control / "conffiles").read_text(), "/etc/default/caddis\n")
        services = {"engine": "engine", "serve": "serve", "harvest-server": "harvest server", "harvester": "harvest harvester"}
        self.assertEqual({path.name for path in (self.root / "usr/lib/systemd/system").iterdir()}, {f"caddis-{name}.service" for name in services})
        for name, command in services.items():
            for script in ("postinst", "prerm"):
                self.assertIn(f"caddis-{name}.service", (self.control / script).read_text())
            text = (self.root / f"usr/lib/systemd/system/caddis-{name}.service").read_text()
            self.assertIn(f"ExecStart=caddis {command} ", text)
            self.assertIn("User=caddis\n", text)
            used = set(re.findall(r"\$\{?(CADDIS_\w+)", text))
            self.assertTrue(used and used <= known, used - known)
            self.assertTrue(all(f"{name}=" in text for name in used), "each has a default")
        if shutil.which("systemd-analyze"):
            units = sorted((self.root / "usr/lib/systemd/system").iterdir())
            done = subprocess.run(["systemd-analyze", "verify", *map(str, units)], capture_output=True, text=True, timeout=60)
            strange = [line for line in done.stderr.splitlines() if "caddis" in line and "is not executable" not in line
                       and "Command caddis" not in line and "man" not in line]
            self.assertEqual(strange, [])

    def test_scripts_are_sound_and_keep_the_data(self):
        for name in ("postinst", "prerm", "postrm"):
            path = self.control / name
            self.assertTrue(path.stat().st_mode & stat.S_IXUSR, name)
            run("sh", "-n", path)
        for name in ("prerm", "postrm"):
            self.assertNotRegex((self.control / name).read_text(), r"\brm -|deluser|userdel")

    def test_completion_and_documents_are_there(self):
        share = self.root / "usr/share"
        for path in ("bash-completion/completions/caddis", "zsh/vendor-completions/_caddis", "doc/caddis/docs/operating.md",
                     "doc/caddis/docs/metrics.md", "doc/caddis/docs/grafana/caddis.json", "doc/caddis/copyright"):
            self.assertTrue((share / path).is_file(), path)
        if shutil.which("zsh"):
            run("zsh", "-n", share / "zsh/vendor-completions/_caddis")

    def test_nothing_lies_elsewhere_and_nothing_is_writable_for_others(self):
        self.assertEqual(sorted(path.name for path in self.root.iterdir()), ["etc", "usr"])
        for path in self.root.rglob("*"):
            if not path.is_symlink():
                self.assertFalse(path.stat().st_mode & 0o022, path)

    def test_the_dashboard_names_metrics_that_there_are(self):
        page = (SOURCE / "docs/metrics.md").read_text()
        known = set(re.findall(r"^\| `(\w+)`", page, re.M))
        board = json.loads((SOURCE / "docs/grafana/caddis.json").read_text())
        asked = {name for panel in board["panels"] for target in panel["targets"]
                 for name in re.findall(r"\b(?:caddis|process)_\w+", target["expr"])}
        self.assertTrue(asked and asked <= known, asked - known)

    def test_the_metrics_are_those_of_the_executable(self):
        self.assertEqual(run(harness.BINARY, "schema", "--metrics"), (SOURCE / "docs/metrics.md").read_text())

    def test_the_version_tells_the_commit(self):
        self.assertRegex(run(harness.BINARY, "--version"), r"^caddis \d+\.\d+\.\d+( \([0-9a-f]{10,}\))?\n$")

    def run_a_job_through_the_pages(self, system):
        """The service as its unit has it, but for the port and for systemd, which does not run in a chroot."""
        unit = (system / "usr/lib/systemd/system/caddis-engine.service").read_text()
        defaults = dict(re.findall(r"(CADDIS_\w+)=(\S*)", re.search(r"(?m)^Environment=(.*)$", unit)[1]))
        defaults["CADDIS_ENGINE_LISTEN"] = "127.0.0.1:0"
        command = re.sub(r"\$\{?(\w+)\}?", lambda name: defaults[name[1]], re.search(r"(?m)^ExecStart=(.*)$", unit)[1]).split()
        user = re.search(r"(?m)^User=(.*)$", unit)[1]
        log = (self.folder / "engine.log").open("w+")
        engine = subprocess.Popen(["chroot", system, "runuser", "-u", user, "--", *command], stdout=log, stderr=log)
        try:
            harness.wait_until(lambda: "jobs in /var/lib/caddis/jobs" in (self.folder / "engine.log").read_text(), "an engine", 60)
            said = (self.folder / "engine.log").read_text()
            address, password = re.search(r"http://\S+", said)[0], re.search(r"with the password (\S+)", said)[1]
            if why := web_ui_test.missing():
                self.skipTest(f"the package is sound as far as it was tried: {why}")
            with SlowSite() as site:
                run("node", web_ui_test.WEB / "tests/engine_tour.mjs", address, 1280, "alpha.localhost", " ".join(site.seeds), "admin", password,
                    env={**os.environ, "CADDIS_WEB": str(web_ui_test.BUILT.resolve())})
        finally:
            engine.terminate()
            engine.wait(60)

    @unittest.skipUnless(os.environ.get("CADDIS_PACKAGE_CHROOT"), "CADDIS_PACKAGE_CHROOT=1 installs it into an empty Debian 12")
    def test_it_is_installed_into_an_empty_system_and_purged(self):
        system = self.folder / "system"
        run("mmdebstrap", "--variant=apt", "bookworm", system)
        shutil.copy(self.package, system / "caddis.deb")
        chroot = ("chroot", system)
        run(*chroot, "apt-get", "update")  # mmdebstrap leaves no lists of packages behind
        run(*chroot, "apt-get", "install", "-y", "--no-install-recommends", "/caddis.deb")
        self.assertIn("caddis", run(*chroot, "getent", "passwd", "caddis"))
        self.assertIn("750", run(*chroot, "stat", "-c", "%a %U", "/var/lib/caddis/jobs"))
        run("mount", "-t", "proc", "proc", system / "proc")
        try:
            self.assertIn("works", run(*chroot, "caddis", "selftest"))
            self.run_a_job_through_the_pages(system)
        finally:
            run("umount", system / "proc")
        (system / "var/lib/caddis/jobs/kept").write_text("an archive")
        run(*chroot, "apt-get", "purge", "-y", "caddis")
        self.assertFalse((system / "usr/bin/caddis").exists())
        self.assertFalse((system / "etc/default/caddis").exists())
        self.assertEqual((system / "var/lib/caddis/jobs/kept").read_text(), "an archive")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
