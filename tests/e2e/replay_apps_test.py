#!/usr/bin/env python3
"""Applications of one page, built from npm, with routes in the history and parts that are loaded later: they do in the archive
what they do live, in one run of one browser. Skipped where npm has nothing to give."""

import sys

import built_site
import harness

PAGE = '<!DOCTYPE html><html><head><meta charset="utf-8"><title>{0}</title>{1}</head><body><div id="app"></div><app-root></app-root>' \
       '<script type="module" src="/{0}/{0}_app.js"></script></body></html>'
WEBPACK = '<!DOCTYPE html><html><head><meta charset="utf-8"><title>webpack</title></head><body><div id="app"></div>' \
          '<script src="runtime.js"></script><script src="main.js"></script></body></html>'
TEXT = "document.body.innerText"


def sees(what):
    return f"{TEXT}.includes({what!r}) && {TEXT}"


def click(name):
    return f"document.getElementById('{name}').click()"


class ReplayAppsTest(built_site.BuiltAppTest):
    @classmethod
    def prepare(cls):
        packages, built = built_site.packages_of_npm(), cls.folder / "built"
        built_site.build("node", built_site.APPS / "build.mjs", packages, built)
        built_site.build("node", built_site.APPS / "webpack.mjs", packages, built)
        cls.site.mount("/", built, whole=True)
        cls.site.add("/words.json", '["fetched", "words"]')
        for app in ("react", "vue", "svelte", "angular"):
            for path in ("", "item/7?x=1"):
                cls.site.add(f"/{app}/{path}", PAGE.format(app, '<base href="/angular/">' if app == "angular" else ""), "text/html; charset=utf-8")
        for mode in ("production", "development"):
            cls.site.add(f"/webpack-{mode}/", WEBPACK)

    def check_routes(self, app):
        self.check(f"/{app}/", [("", sees("home")), (click("to-item"), sees("item 7 fetched words")), (click("back"), sees("home")),
                                (click("push"), sees("item 8 fetched words"))])
        self.check(f"/{app}/item/7?x=1", [("", sees("item 7 fetched words"))])

    def test_react(self):
        self.check_routes("react")

    def test_vue(self):
        self.check_routes("vue")

    def test_svelte(self):
        self.check_routes("svelte")

    def test_angular(self):
        self.check_routes("angular")

    def check_webpack(self, mode):
        self.check(f"/webpack-{mode}/", [("", sees("picture 16")), (click("more"), sees("worker 42")),
                                         ("", "getComputedStyle(document.getElementById('more')).color")])

    def test_webpack(self):
        self.check_webpack("production")

    def test_webpack_for_development(self):
        self.check_webpack("development")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
