// XML that is no page.
#include "caddis/replay/xml_document.h"

#include <gtest/gtest.h>

#include "caddis/replay/fuzz_windows.h"

namespace caddis::replay {
namespace {

std::string xml(std::string_view text, size_t window = 1 << 20) {
  const LinkRewriter links("/c/", "20260102030405", *url::Url::parse("http://example.org/dir/a.xml"), Modifier::main);
  XmlRewriter rewriter(links);
  return in_windows(rewriter, text, window);
}

TEST(XmlDocument, StyleSheetsLeadIntoTheArchive) {
  EXPECT_EQ(xml("<?xml version=\"1.0\"?>\n<?xml-stylesheet type=\"text/css\" href=\"a.css?x=1&amp;y=2\"?>\n"
                "<?xml-stylesheet  href = '/feed.xsl' type='text/xsl'?><?other href=\"b\"?>"
                "<?xml-stylesheet href=\"#part\" type=\"text/xsl\"?><rss/>"),
            "<?xml version=\"1.0\"?>\n<?xml-stylesheet type=\"text/css\" "
            "href=\"/c/20260102030405cs_/http://example.org/dir/a.css?x=1&amp;y=2\"?>\n"
            "<?xml-stylesheet  href = '/c/20260102030405oe_/http://example.org/feed.xsl' type='text/xsl'?>"
            "<?other href=\"b\"?><?xml-stylesheet href=\"#part\" type=\"text/xsl\"?><rss/>");
}

TEST(XmlDocument, DataStays) {
  const std::string feed =
      "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:xlink='http://www.w3.org/1999/xlink'><link href='/a' "
      "rel='alternate'/><icon>/b.png</icon><a xlink:href='/c' src='/d'/><content type='html'>&lt;a href='/e'></content>"
      "<![CDATA[<a href='/f' xmlns='http://www.w3.org/1999/xhtml'>]]><!-- <?xml-stylesheet href='g'?> --></feed>";
  EXPECT_EQ(xml(feed), feed);
}

TEST(XmlDocument, MarkupInsideOfIt) {
  EXPECT_EQ(xml("<doc xmlns:h='http://www.w3.org/1999/xhtml' xmlns:s='http://www.w3.org/2000/svg'><h:img src='/a.png'/>"
                "<h:a href=\"b\">b</h:a><s:image href='c'/><img src='/d'/><p xmlns='http://www.w3.org/1999/xhtml'><img "
                "src='e'/></p><img src='/f'/></doc>"),
            "<doc xmlns:h='http://www.w3.org/1999/xhtml' xmlns:s='http://www.w3.org/2000/svg'><h:img "
            "src='/c/20260102030405im_/http://example.org/a.png'/><h:a "
            "href=\"/c/20260102030405mp_/http://example.org/dir/b\">b</h:a><s:image "
            "href='/c/20260102030405im_/http://example.org/dir/c'/><img src='/d'/><p "
            "xmlns='http://www.w3.org/1999/xhtml'><img src='/c/20260102030405im_/http://example.org/dir/e'/></p>"
            "<img src='/f'/></doc>");
}

TEST(XmlDocument, SheetsOfXslt) {
  EXPECT_EQ(
      xml("<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:import href='i.xsl'/><xsl:include "
          "href='/n.xsl'/><xsl:template match='/'><html><img src='/a.png'/><a href='{link}'>x</a></html>"
          "</xsl:template></xsl:stylesheet>"),
      "<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:import "
      "href='/c/20260102030405oe_/http://example.org/dir/i.xsl'/><xsl:include "
      "href='/c/20260102030405oe_/http://example.org/n.xsl'/><xsl:template match='/'><html><img "
      "src='/c/20260102030405im_/http://example.org/a.png'/><a href='{link}'>x</a></html></xsl:template>"
      "</xsl:stylesheet>");
}

TEST(XmlDocument, TagsBeyondAllWindowsPass) {
  const std::string tag = "<a b='" + std::string(5000, 'x') + "'/>";
  EXPECT_EQ(xml("<r xmlns:h='http://www.w3.org/1999/xhtml'>" + tag + "<h:img src='/a'/></r>", 1024),
            "<r xmlns:h='http://www.w3.org/1999/xhtml'>" + tag +
                "<h:img src='/c/20260102030405im_/http://example.org/a'/></r>");
}

TEST(XmlDocument, TheRootTellsXhtml) {
  EXPECT_TRUE(has_xhtml_root("<?xml version='1.0'?><!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\">"));
  EXPECT_TRUE(has_xhtml_root("<h:html lang='de' xmlns:h=\"http://www.w3.org/1999/xhtml\">"));
  EXPECT_FALSE(has_xhtml_root("<html>"));
  EXPECT_FALSE(has_xhtml_root("<rss xmlns=\"http://www.w3.org/1999/xhtml\">"));
  EXPECT_FALSE(has_xhtml_root(""));
}

}  // namespace
}  // namespace caddis::replay
