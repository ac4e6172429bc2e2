#!/usr/bin/env python3
"""XML in replay: what its style sheets (XSLT) make of it, and scripts in it and in pictures (SVG), show the same live and in the
archive."""

import sys

import built_site
import harness
import png
from replay_scripts_test import Serve
from replay_site import STAMP

XSL = 'xmlns:xsl="http://www.w3.org/1999/XSL/Transform" version="1.0"'

# A site map with the parts that sheets of real ones have: parts in other files, data of its own, links and pictures that are computed.
SITE_MAP = """<?xml version="1.0" encoding="UTF-8"?><?xml-stylesheet type="text/xsl" href="/sheets/main.xsl"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>__site__/maps/larva.html</loc><image>__site__/maps/pictures/a.png</image></url></urlset>"""

MAIN_SHEET = f"""<?xml version="1.0"?><xsl:stylesheet {XSL} xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9" exclude-result-prefixes="s">
<xsl:import href="parts/row.xsl"/><xsl:include href="/sheets/parts/foot.xsl"/>
<xsl:output method="html" encoding="UTF-8" indent="yes"/>
<xsl:template match="/"><html><head><title>Site map</title>
<script src="/sheets/sheet.js"></script>
<script><![CDATA[window.inline = [location.pathname, 1 < 2 && top === window];]]></script>
<script>window.plain = location.href;</script></head>
<body><img id="relative" src="pictures/a.png"/><img id="rooted" src="/maps/pictures/a.png"/>
<table><xsl:apply-templates select="s:urlset/s:url"/></table>
<p id="told"><xsl:value-of select="document('data.xml')/data"/></p><p id="mine"><xsl:value-of select="document('more.xml', /)/data"/></p>
<iframe id="frame" src="{{s:urlset/s:url/s:loc}}"></iframe>
<xsl:call-template name="foot"/></body></html></xsl:template></xsl:stylesheet>"""

ROW_SHEET = f"""<xsl:stylesheet {XSL} xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><xsl:template match="s:url">
<xsl:variable name="there"><xsl:value-of select="s:loc"/></xsl:variable>
<tr><td><a id="computed" href="{{$there}}"><xsl:value-of select="s:loc"/></a><img id="picture" src="{{s:image}}"/>
<a id="built"><xsl:attribute name="href"><xsl:value-of select="s:loc"/></xsl:attribute>built</a></td></tr></xsl:template></xsl:stylesheet>"""

FOOT_SHEET = f"""<xsl:stylesheet {XSL}><xsl:template name="foot"><p id="foot" onclick="window.clicked = location.pathname">foot</p></xsl:template></xsl:stylesheet>"""

# Without a head, and with what may stand in front of it.
BARE_SHEET = f"""<xsl:stylesheet {XSL}><xsl:output method="html"/><xsl:template match="/"><html xmlns="http://www.w3.org/1999/xhtml"><xsl:attribute name="lang">de</xsl:attribute><body>
<p id="p">none</p><script src="bare.js"/></body></html></xsl:template></xsl:stylesheet>"""

# The order of what it writes out stands first in it.
SORTED_SHEET = f"""<xsl:stylesheet {XSL}><xsl:output method="html"/><xsl:template match="/"><body><xsl:for-each select="list/n"><xsl:sort/>
<p><xsl:value-of select="."/></p></xsl:for-each><script>window.sorted = location.pathname + Array.from(document.querySelectorAll('p'), (p) => p.textContent)</script></body></xsl:template></xsl:stylesheet>"""

WHOLE = "document.getElementById('%s').naturalWidth"


class ReplayXmlTest(built_site.BuiltAppTest):
    @classmethod
    def prepare(cls):
        site = cls.site
        site.add("/maps/map.xml", SITE_MAP)
        site.add("/sheets/main.xsl", MAIN_SHEET, "text/xsl")
        site.add("/sheets/parts/row.xsl", ROW_SHEET, "text/xsl")
        site.add("/sheets/parts/foot.xsl", FOOT_SHEET, "application/xml")
        site.add("/sheets/sheet.js", "window.outer = [location.pathname, top === window, location.host];")
        site.add("/sheets/data.xml", "<data>of the sheet</data>")
        site.add("/maps/more.xml", "<data>of the map</data>")
        site.add("/maps/larva.html", "<!DOCTYPE html><title>Larva</title><p id=larva>larva</p><script>window.at = location.pathname</script>")
        site.add("/maps/pictures/a.png", png.encode(7, 5, (1, 2, 3)), "image/png")
        site.record("/maps/larva.html", "/maps/pictures/a.png")
        site.add("/maps/bare.xml", '<?xml-stylesheet type="text/xsl" href="/sheets/bare.xsl"?><bare/>')
        site.add("/sheets/bare.xsl", BARE_SHEET, "text/xsl")
        site.add("/maps/sorted.xml", '<?xml-stylesheet type="text/xsl" href="/sheets/sorted.xsl"?><list><n>b</n><n>c</n><n>a</n></list>')
        site.add("/sheets/sorted.xsl", SORTED_SHEET, "text/xsl")
        site.add("/maps/bare.js", "document.getElementById('p').textContent = location.pathname + document.documentElement.lang + document.querySelectorAll('script').length;")
        site.add("/maps/script.svg", """<svg xmlns="http://www.w3.org/2000/svg" width="400" height="40"><script href="js.js"/><text y="20" id="t">none</text>
<script>document.getElementById('t').textContent += location.pathname;</script>
<script><![CDATA[window.more = 1 < 2 && top === window && location.pathname;]]></script></svg>""")
        site.add("/maps/js.js", "window.ran = [location.pathname, top === window, document.documentElement.childElementCount];")
        site.add("/maps/plain.xml", """<doc xmlns:h="http://www.w3.org/1999/xhtml"><p id="p">none</p><h:script src="js.js"/>
<h:script>window.inline = location.pathname;</h:script></doc>""")
        site.add("/maps/holder.html", "<!DOCTYPE html><title>Holder</title><img id=i src='script.svg'><object id=o data='script.svg'></object><iframe id=f src='map.xml'></iframe>")

    def test_what_a_sheet_makes(self):
        self.check("/maps/map.xml", [
            ("", "document.title === 'Site map' && document.getElementById('told').innerText + document.getElementById('mine').innerText"),
            ("", f"{WHOLE % 'relative'} && {WHOLE % 'rooted'} && {WHOLE % 'picture'}"),
            ("", "[outer, inline, plain, document.getElementById('foot').innerText, document.getElementById('computed').href]"),
            ("document.getElementById('foot').click()", "clicked"),
            ("", "document.getElementById('frame').contentWindow.at"),
            ("document.getElementById('built').click()", "document.getElementById('larva') && document.title + at"),
        ], pictures=False)

    def test_without_a_head(self):
        self.check("/maps/bare.xml", [("", "document.getElementById('p').innerText.includes('/') && document.getElementById('p').innerText")], pictures=False)

    def test_sorted(self):
        self.check("/maps/sorted.xml", [("", "[sorted, document.querySelector('p').textContent]")], pictures=False)

    def test_the_banner_keeps_its_neighbours(self):
        self.site.record("/maps/bare.xml", "/sheets/bare.xsl", "/maps/bare.js")
        collection = self.site.write_collection(self.folder / "neighbours")
        index = collection / "indexes/index.cdxj"
        lines = index.read_text().splitlines()
        again = [line.replace(STAMP, "20220506070809", 1) for line in lines if "bare.xml" in line]
        index.write_text("".join(f"{line}\n" for line in sorted(lines + again)))
        server = Serve(collection)
        self.addCleanup(server.stop)
        tab = built_site.AppTab(self.browser)
        self.addCleanup(tab.close)
        tab.open(server.address(self.address("/maps/bare.xml")))
        harness.wait_until(lambda: tab.value("window.p && p.innerText", True) not in (None, "none"), "the page to be made", 30)
        harness.wait_until(lambda: tab.value("document.title", False) == self.address("/maps/bare.xml"), "the banner to be told", 30)
        self.assertIn("/neighbours/20220506070809/", tab.value("document.getElementById('next').href", False))

    def test_scripts_in_a_picture(self):
        self.check("/maps/script.svg", [("", "[ran, more, document.getElementById('t').textContent]")])

    def test_scripts_in_plain_xml(self):
        self.check("/maps/plain.xml", [("", "[ran, inline]")], pictures=False)

    def test_inside_of_pages(self):
        self.check("/maps/holder.html", [("", f"{WHOLE % 'i'} && document.getElementById('o').contentWindow.ran"),
                                         ("", "document.getElementById('f').contentWindow.outer"),
                                         ("document.getElementById('f').contentDocument.getElementById('computed').click()",
                                          "document.getElementById('f').contentWindow.at")], pictures=False)


if __name__ == "__main__":
    sys.exit(harness.main(sys.modules[__name__]))
