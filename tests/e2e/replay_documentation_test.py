#!/usr/bin/env python3
"""Sites that generators have built (VitePress of npm, Material for MkDocs of PyPI, Next of npm): pages that load each other by script,
and searches. They do in the archive what they do live. Next is built by hand alone (CADDIS_BUILD_NEXT=1): that takes minutes."""

import os
import shutil
import sys
import unittest

import built_site
import harness
import peers

TEXT = "document.body.innerText"
NEXT = ("next@15", "react@19", "react-dom@19")


def sees(what, value="document.URL"):
    return f"{TEXT}.includes({what!r}) && {value}"


class ReplayDocumentationTest(built_site.BuiltAppTest):
    @classmethod
    def prepare(cls):
        cls.site.add("/words.json", '["fetched", "words"]')
        cls.site.mount("/", cls.folder / "built", whole=True)

    def source(self, name):
        """A copy of the site's sources, to be built."""
        folder = self.folder / name
        shutil.copytree(built_site.APPS / name, folder)
        return folder

    def test_vitepress(self):
        packages, folder = built_site.packages_of_npm(), self.source("vitepress")
        (folder / "node_modules").symlink_to(packages / "node_modules")
        (folder / "package.json").write_text('{"type": "module"}')
        built_site.build("node", packages / "node_modules/vitepress/bin/vitepress.js", "build", folder, "--outDir", self.folder / "built/vitepress")
        search = "document.querySelector('.VPLocalSearchBox input')"
        self.check("/vitepress/", [
            ("", sees("Caddis larvae")),
            ("document.getElementById('count').click()", sees("counted 1")),
            ("document.querySelector('.vp-doc a[href*=houses]').click()", sees("small stones", "location.hash + document.title")),
            ("document.querySelector('button.DocSearch-Button, #local-search button').click()", f"!!{search}"),
            (f"{search}.value = 'reeds'; {search}.dispatchEvent(new Event('input'))",
             "document.querySelector('.VPLocalSearchBox .result') && [...document.querySelectorAll('.VPLocalSearchBox .result')].map((r) => r.href + r.innerText)"),
            ("document.querySelector('.VPLocalSearchBox .result').click()", "!document.querySelector('.VPLocalSearchBox') && document.URL"),
            ("document.querySelector('.VPSwitchAppearance').click()", "document.documentElement.className.includes('dark') && 1"),
        ])

    def test_mkdocs_material(self):
        python, folder = peers.python_with("mkdocs-material")[0], self.source("mkdocs")
        config = folder / "mkdocs.yml"
        config.write_text(config.read_text().replace("__site__", f"http://{self.site.site}"))
        built_site.build(python, "-m", "mkdocs", "--quiet", "build", "--config-file", config, "--site-dir", self.folder / "built/mkdocs",
                         NO_MKDOCS_2_WARNING="1")
        self.check("/mkdocs/", [
            ("", sees("Caddis larvae")),
            ("document.querySelectorAll('.tabbed-labels label')[1].click()", sees("of reeds")),
            ("window.still = 1; document.querySelector('.md-content a[href*=houses]').click()", sees("small stones", "[document.URL, window.still, document.title]")),
            ("document.querySelector('.md-search__input').focus(); document.querySelector('.md-search__input').value = 'silk';"
             " document.querySelector('.md-search__input').dispatchEvent(new Event('keyup', {bubbles: true}))",
             "document.querySelector('.md-search-result__link') && [...document.querySelectorAll('.md-search-result__link')].map((a) => (a.href + a.textContent).replace(/\\s+/g, ' '))"),
            ("document.activeElement.blur(); document.querySelector('[data-md-toggle=search]').checked = false", "1"),
        ])

    @unittest.skipUnless(os.environ.get("CADDIS_BUILD_NEXT"), "by hand: CADDIS_BUILD_NEXT=1")
    def test_next(self):
        packages, folder = built_site.packages_of_npm(NEXT, "next"), self.source("next")
        shutil.copytree(packages / "node_modules", folder / "node_modules", symlinks=True)
        (folder / "package.json").write_text('{"type": "module"}')
        built_site.build("node", "node_modules/next/dist/bin/next", "build", cwd=folder, NEXT_TELEMETRY_DISABLED="1")
        shutil.move(folder / "out", self.folder / "built/next")
        self.check("/next/", [("", sees("home")), ("document.getElementById('count').click()", sees("counted 1")),
                              ("document.getElementById('to-item').click()", sees("item /item/ fetched words")),
                              ("document.getElementById('back').click()", sees("counted 0"))])


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
