#!/usr/bin/env python3
"""A configuration of Heritrix as a person takes it over: imported, looked at, and crawled with."""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import yaml

import harness
import peers
from local_site import LocalSite

PROFILES = pathlib.Path(__file__).resolve().parent.parent / "heritrix"

BEANS = """<?xml version="1.0"?>
<beans xmlns="http://www.springframework.org/schema/beans">
 <bean id="simpleOverrides" class="org.springframework.beans.factory.config.PropertyOverrideConfigurer">
  <property name="properties"><value>
metadata.jobName=taken
disposition.delayFactor=0
disposition.minDelayMs=0
scope.rules[2].maxHops=1
  </value></property>
 </bean>
 <bean id="metadata" class="org.archive.modules.CrawlMetadata"/>
 <bean id="seeds" class="org.archive.modules.seeds.TextSeedModule">
  <property name="textSource"><bean class="org.archive.spring.ConfigFile"><property name="path" value="list.txt"/></bean></property>
 </bean>
 <bean id="scope" class="org.archive.modules.deciderules.DecideRuleSequence">
  <property name="rules">
   <list>
    <bean class="org.archive.modules.deciderules.RejectDecideRule"/>
    <bean class="org.archive.modules.deciderules.surt.SurtPrefixedDecideRule"/>
    <bean class="org.archive.modules.deciderules.TooManyHopsDecideRule"/>
   </list>
  </property>
 </bean>
 <bean id="disposition" class="org.archive.crawler.postprocessor.DispositionProcessor"/>
</beans>
"""


def caddis(*arguments, folder=None):
    done = subprocess.run([harness.BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=120, cwd=folder)
    return done.returncode, done.stdout, done.stderr


class ImportTest(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def test_profiles_that_heritrix_has_shipped(self):
        """They name Heritrix's defaults in comments. What an import says of defaults must be what it makes of them as properties."""
        examples = {("dns", "over-https"), ("quota", "precedence-floor"), ("checkpoint", "kept")}  # not defaults
        for version, profile in peers.heritrix_profiles().items():
            text, found = re.subn(r'<!--\s*(<property name="\w+" value="[^"]*"\s*/>)\s*-->', r"\1", profile.read_text())
            self.assertGreater(found, 100)
            stated = self.folder / f"{version}-stated.cxml"
            stated.write_text(text)
            properties = set(re.findall(r'<property name="(\w+)" value="([^"]*)"\s*/>', text))
            made = []
            for source, into in ((profile, version), (stated, stated.stem)):
                code, out, err = caddis("import", "heritrix", source, "--into", self.folder / into)
                self.assertEqual(code, 0, (version, out, err))
                made.append((self.folder / into / "crawl.yaml").read_text())
            self.assertNotIn("does not know", (self.folder / version / "import.txt").read_text())
            expected, told, section = {}, (), ""
            for line in made[0].splitlines():
                if is_section := re.fullmatch(r"(?:# )?([a-z]+):", line):
                    section = is_section[1]
                elif is_told := re.match(r"  # Heritrix's default: \w+\.(\w+) = (.*)", line):
                    told = is_told.groups()
                elif told:
                    name, value = line.strip().removeprefix("# ").split(": ", 1)
                    if told in properties:
                        expected[section, name] = yaml.safe_load(value)
                    told = ()
            self.assertGreater(len(expected), 10)
            plain, explicit = ({(section, name): value for section, settings in yaml.safe_load(text).items() for name, value in settings.items()}
                               for text in made)
            # The template may be written in Heritrix's way, too.
            explicit["archive", "name-template"] = re.sub(r"\$\{(?:heritrix\.)?(\w+)\}", r"{\1}", explicit["archive", "name-template"]) \
                .replace("{hostname}", "{host}")
            differ = {key: value for key, value in explicit.items() if key not in examples and key != ("crawl", "seed-files") and value != plain.get(key)}
            self.assertEqual(differ, expected, version)
            rules = plain["scope", "rules"]
            for rule in ("accept seeds prefix", "reject hops > 20", "accept embed 2 1", "reject path-repetitions > 2", "reject path-depth > 20",
                         "accept prerequisite"):
                self.assertIn(rule, rules, version)
            self.assertEqual(rules, explicit["scope", "rules"], version)

    def test_every_profile_makes_a_file_that_caddis_takes(self):
        profiles = [*PROFILES.glob("*.cxml"), *PROFILES.glob("*order.xml")]
        self.assertGreaterEqual(len(profiles), 10)
        for profile in profiles:
            into = self.folder / profile.stem
            code, out, err = caddis("import", "heritrix", profile, "--into", into)
            expect = profile.with_suffix(".expect").read_text()
            self.assertEqual(code, 1 if "\nopen = " in expect else 0, f"{profile}: {out}{err}")
            self.assertIn("without equivalent", out)
            self.assertTrue((into / "import.txt").read_text().startswith("Without equivalent"))
            code, out, err = caddis("scope", "explain", "--config", into / "crawl.yaml", "http://www.example.org/")
            self.assertIn(code, (0, 1), f"{profile}: {out}{err}")
            self.assertIn("example.org", out, f"{profile}: {out}{err}")

    def test_nothing_is_overwritten_and_passwords_are_for_the_owner(self):
        code, out, _ = caddis("import", "heritrix", PROFILES / "research.cxml", "-o", "x", folder=self.folder)
        self.assertEqual(code, 0)
        self.assertNotIn("hush", out + (self.folder / "x/import.txt").read_text())
        self.assertIn("hush", (self.folder / "x/crawl.yaml").read_text())
        self.assertEqual((self.folder / "x/crawl.yaml").stat().st_mode & 0o077, 0)
        code, _, err = caddis("import", "heritrix", PROFILES / "research.cxml", "-o", "x", folder=self.folder)
        self.assertEqual(code, 2)
        self.assertIn("crawl.yaml is there already", err)

    def test_the_folder_is_called_like_the_crawl(self):
        code, out, err = caddis("import", "heritrix", PROFILES / "basic.cxml", folder=self.folder)
        self.assertEqual(code, 0, err)
        self.assertIn(f"{self.folder}/basic/seeds.txt", (self.folder / "basic/crawl.yaml").read_text())

    def test_other_files_are_refused(self):
        for text, words in (("<rss/>", "begins with <rss>"), ("{}", "no well-formed XML")):
            (self.folder / "x.xml").write_text(text)
            code, out, err = caddis("import", "heritrix", self.folder / "x.xml", "-o", self.folder / "x")
            self.assertEqual((code, out), (2, ""))
            self.assertIn(words, err)
        code, _, err = caddis("import", "heritrix", self.folder / "nobody.cxml")
        self.assertNotEqual(code, 0)
        self.assertIn("nobody.cxml", err)

    def test_a_crawl_with_what_was_imported(self):
        with LocalSite(pages=12) as site:
            crawl = harness.Crawl(site)
            self.addCleanup(crawl.remove)
            (self.folder / "beans.cxml").write_text(BEANS)
            (self.folder / "list.txt").write_text("# those of the command line\n")
            code, out, err = caddis("import", "heritrix", self.folder / "beans.cxml", "-o", self.folder / "made")
            self.assertEqual(code, 0, out + err)
            crawl.config.write_text(harness.SETTINGS + f"extends: {self.folder}/made/crawl.yaml\n")
            code, out, err = crawl.run()
            self.assertEqual(code, 0, out + err)
            kept = (crawl.launches[0] / "crawl.yaml").read_text()
            self.assertIn('    - "reject hops > 1"\n', kept)
            hops = [line.split()[4] for line in (crawl.launches[0] / "logs/crawl.log").read_text().splitlines()]
            self.assertTrue(hops)
            self.assertLessEqual(max(len(path.replace("P", "").replace("-", "")) for path in hops), 1)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
