#!/usr/bin/env python3
"""The attacker's test of replay: hundreds of ways out of a captured page, in a real browser, none of which may reach the live web."""

import os
import pathlib
import sys
import tempfile
import time
import unittest

import devtools
import escape_outside
import escape_neighbours
import escape_ways
import harness
from escape_archive import Archive, TIMESTAMP
from escape_tour import Tour
from local_site import free_port


def values_outside(way, outside):
    return {"{evil}": f"http://{way.name}.evil.test", "{evils}": f"https://{way.name}.evil.test", "{host}": f"{way.name}.evil.test",
            "{stun}": outside.stun(way.name), "{udp}": str(outside.udp_port(way.name)), "{name}": way.name}


def captures_of(way, values):
    def text_of(text):
        for variable, value in values.items():
            text = text.replace(variable, value)
        return text

    def capture(path, status, headers, body):
        encoded = body if isinstance(body, bytes) else text_of(body).encode("utf-16le" if "utf-16" in way.type and path == "/" else "utf-8")
        return (way.site.rstrip("/") + path, status, [(name, text_of(value)) for name, value in headers], encoded)

    yield capture("/", 200, [*([("Content-Type", way.type)] if way.type else []), *way.headers], way.body)
    for path, (status, headers, body) in way.more.items():
        yield capture(path, status, headers, body)


# What a page does that is not in the archive: proof that what leaves is counted.
CONTROL = """
  fetch('http://control.evil.test/');
  for (const rel of ['preconnect', 'dns-prefetch']) {
    const link = document.createElement('link');
    link.rel = rel;
    link.href = 'http://control-' + rel + '.evil.test/';
    document.head.append(link);
  }
  const call = new RTCPeerConnection({iceServers: [{urls: '%s'}]});
  call.createDataChannel('x');
  call.createOffer().then((offer) => call.setLocalDescription(offer));
"""
CONTROLS = ("control", "control-preconnect", "control-dns-prefetch", "control-call")


class Browsing(unittest.TestCase):
    """A browser with a net log, whose every name but the archive's own leads to the counters."""

    more_rules = ""

    @classmethod
    def browse(cls, visit):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="caddis-net-log-")))
        rules = ", ".join(part for part in (cls.more_rules, cls.outside.resolver_rules()) if part)
        with devtools.Browser("--disable-background-timer-throttling", "--disable-renderer-backgrounding",
                              f"--host-resolver-rules={rules}", net_log=folder / "net.json") as browser:
            cls.tour = Tour(browser)
            visit(browser)
        cls.looked_up = escape_outside.looked_up(folder / "net.json")

    def check_none(self, found):
        """A line for each name that something was found of."""
        lines = [f"{name}: {what}" for name, what in found.items() if what]
        if lines:
            self.fail(f"{len(lines)} pages\n" + "\n".join(lines))

    def check_outside(self, ways):
        self.check_none({way.name: self.outside.arrived[way.name][:4] for way in ways})

    def check_window(self, ways, begin):
        tops = {way.name: self.tour.seen[way.name].top for way in ways}
        self.check_none({name: top for name, top in tops.items() if not top.startswith(begin)})
        self.check_none({name: "in a window" for name, seen in self.tour.seen.items() if seen.in_window})
        # What a person opens in another window begins at the captures' host, which leads to the frame's page.
        ours = (begin, "http://alpha.localhost:", "http://beta.localhost:")
        self.check_none({target: addresses for target, addresses in self.tour.windows.items() if not addresses[-1].startswith(ours)})

    def check_tried(self, ways):
        silent = [way.name for way in ways if not (self.tour.seen[way.name].tried or not way.tells and self.tour.seen[way.name].asked)]
        self.assertEqual(silent, [])


@unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), f"{devtools.CHROMIUM} is not installed (Debian package chromium)")
class EscapeTest(Browsing):
    """By loopback, where captures have hosts of their own."""

    options = ()
    named = None  # of the ways; all if None
    shown_as = {}  # other modifiers than those of the ways

    @classmethod
    def setUpClass(cls):
        only = os.environ.get("CADDIS_ESCAPE_WAYS", "").split() or cls.named
        cls.ways = [way for way in escape_ways.WAYS if not only or way.name in only]
        cls.outside = escape_outside.Outside([*(way.name for way in cls.ways), *CONTROLS])
        cls.addClassCleanup(cls.outside.close)
        captures = [capture for way in cls.ways for capture in captures_of(way, values_outside(way, cls.outside))]
        cls.archive = cls.enterClassContext(Archive({"alpha": captures}, *cls.options))
        cls.reach()
        began = time.monotonic()
        cls.browse(cls.visit)
        cls.seconds = time.monotonic() - began

    @classmethod
    def reach(cls):
        cls.own = f"http://{cls.archive.host}"

    @classmethod
    def visit(cls, browser):
        cls.tour.go(cls.ways, lambda way: f"{cls.own}/alpha/{TIMESTAMP}{cls.shown_as.get(way.modifier, way.modifier)}/{way.site}")
        cls.control(browser)

    @classmethod
    def control(cls, browser):
        tab = cls.tour.tabs[0]
        browser.call("Page.navigate", tab.session, url="about:blank")
        browser.call("Runtime.evaluate", tab.session, expression=CONTROL % cls.outside.stun("control-call"))
        counted = {"control", "control-preconnect", "control-call"}
        harness.wait_until(lambda: counted <= set(cls.outside.arrived), "count of what does leave", 30)

    def test_what_leaves_is_counted(self):
        for name in ("control", "control-preconnect", "control-call"):
            self.assertTrue(self.outside.arrived[name], name)
        self.assertTrue(self.looked_up["control-dns-prefetch"])

    def test_every_way_was_tried(self):
        harness.tell(self, ways=len(self.ways), seconds=int(self.seconds))
        self.check_tried(self.ways)

    def test_nothing_arrives_outside(self):
        self.check_outside(self.ways)

    def test_no_name_is_looked_up(self):
        self.check_none({way.name: self.looked_up[way.name] for way in self.ways})

    def test_the_window_stays_the_archives(self):
        self.check_window(self.ways, self.own + "/")


class PublicEscapeTest(EscapeTest):
    """Under a public name without TLS and without hosts for captures: no Sec-Fetch-Dest, and an origin that is nobody's."""

    options = ("--public-name", "archive.test")
    shown_as = {"mp_": ""}  # the address that tells without a word of the browser that a window is meant
    # Plain XML runs no scripts, as the browser does not say whether it is in a window.
    without_scripts = {"xml-xml-text"}
    named = """location location-trim-patched location-listener-stopped location-blob location-srcdoc location-data navigation-native refresh refresh-header-control
        moved-control moved-in-scheme moved-frame-slashes link-click link-to-top form-post form-get-to-blank open-native pressed-link-left pressed-open pressed-ping
        svg-location svg-preconnect svg-call xhtml-location xml-xml-text xml-transformed raw-id raw-js raw-svg-oe raw-svg-plain framed-call-id opened-id
        realm-missing realm-start realm-cdx realm-long realm-asset native-fetch native-web-socket native-image native-worker native-call native-web-transport
        worker-blob worker-captured-native call-srcdoc call-data element-iframe hls css speculation rel-preconnect rel-made-dns-prefetch rel-preconnect-fresh
        rel-preconnect-data link-header report-headers signed-mp signed-plain-location no-attachment pdf-uri""".split()

    @classmethod
    def reach(cls):
        cls.own = "http://archive.test"
        cls.more_rules = f"MAP archive.test {cls.archive.host}"

    def test_every_way_was_tried(self):
        harness.tell(self, ways=len(self.ways), seconds=int(self.seconds))
        self.check_tried([way for way in self.ways if way.name not in self.without_scripts])
        for name in self.without_scripts.intersection(way.name for way in self.ways):
            self.assertEqual((self.tour.seen[name].asked, self.tour.seen[name].tried), (True, False), name)


# Of the archive's own pages: what lies in the browser under their origin.
STORED = """(async () => [document.cookie, ...Object.keys(localStorage), ...Object.keys(sessionStorage),
  ...(await indexedDB.databases()).map((one) => one.name), ...(await caches.keys())].filter((name) => name).join())()"""
# A page of the live web that knows where the archive is.
STRANGER = """(() => {
  const frame = document.createElement('iframe'); frame.src = '%(capture)s'; document.body.append(frame);
  addEventListener('message', () => console.log('got stranger a message of a capture'));
  for (const url of ['%(own)s/alpha/%(at)sid_/%(site)s', '%(own)s/', '%(own)s/alpha/cdx?url=%(site)s', '%(capture)s'])
    fetch(url).then((answer) => console.log('got stranger ' + url), () => 0);
})()"""


@unittest.skipUnless(os.access(devtools.CHROMIUM, os.X_OK), f"{devtools.CHROMIUM} is not installed (Debian package chromium)")
class NeighbourTest(Browsing):
    @classmethod
    def setUpClass(cls):
        cls.ways = [*escape_neighbours.NEIGHBOURS, *escape_neighbours.PUTS, *escape_neighbours.LOOKS]
        strangers = escape_neighbours.STRANGERS
        cls.outside = escape_outside.Outside([way.name for way in cls.ways])
        cls.addClassCleanup(cls.outside.close)
        port = free_port()
        values = {"{own}": f"http://127.0.0.1:{port}", "{alpha}": f"alpha.localhost:{port}", "{beta}": f"beta.localhost:{port}",
                  "{at}": TIMESTAMP}
        alpha = [capture for way in cls.ways for capture in captures_of(way, {**values, "{name}": way.name})]
        beta = [capture for way in strangers for capture in captures_of(way, {**values, "{name}": way.name})]
        told = ("http://tells.test/", 200, [("Content-Type", "text/html")], b"<script>parent.postMessage('SECRET', '*')</script>")
        collections = {"alpha": [*alpha, told], "beta": [*beta, *escape_neighbours.SECRET]}
        cls.archive = cls.enterClassContext(Archive(collections, listen=f"127.0.0.1:{port}"))
        cls.strangers = strangers
        cls.browse(cls.visit)

    @classmethod
    def visit(cls, browser):
        def address_in(collection):
            return lambda way: cls.archive.address(collection, "mp_", way.site)

        cls.tour.go(cls.ways[:-1], address_in("alpha"))
        cls.tour.go(cls.ways[-1:], address_in("alpha"))
        cls.tour.go(cls.strangers, address_in("beta"))
        session = cls.tour.tabs[0].session
        own = f"http://{cls.archive.host}"
        browser.call("Page.navigate", session, url=own + "/")
        where = {"expression": "document.readyState + document.URL"}
        harness.wait_until(lambda: browser.call("Runtime.evaluate", session, **where)["result"]["value"] == f"complete{own}/", "start page", 30)
        cls.stored = browser.call("Runtime.evaluate", session, expression=STORED, awaitPromise=True)["result"].get("value")
        cls.cookies = [f"{cookie['name']} of {cookie['domain']}" for cookie in browser.call("Storage.getCookies")["cookies"]]
        browser.call("Page.navigate", session, url="about:blank")
        tells = {"own": own, "at": TIMESTAMP, "site": "http://tells.test/",
                 "capture": f"http://alpha.localhost:{cls.archive.port}/alpha/{TIMESTAMP}mp_/http://tells.test/"}
        cls.tour.watch_blank(session, STRANGER % tells)

    def test_every_way_was_tried(self):
        self.check_tried([*self.ways, *self.strangers])

    def test_nothing_of_another_is_reached(self):
        ways = [*self.ways, *self.strangers]
        self.check_none({way.name: self.tour.seen[way.name].got[:3] for way in ways})

    def test_a_page_of_the_live_web_reaches_nothing(self):
        self.assertEqual(self.tour.seen["stranger"].got, [])

    def test_the_archives_own_origin_holds_nothing_of_a_capture(self):
        self.assertEqual(self.stored, "")
        self.assertEqual([cookie for cookie in self.cookies if " of 127.0.0.1" in cookie], [])

    def test_messages_lead_nowhere(self):
        self.check_outside(self.ways)
        self.check_window(self.ways, f"http://{self.archive.host}/")


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
