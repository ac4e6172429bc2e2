// XML that is no page.
#include "caddis/replay/xml_document.h"

#include <gtest/gtest.h>

#include <ctime>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/replay/fuzz_windows.h"

namespace caddis::replay {
namespace {

std::string xml(std::string_view text, size_t window = 1 << 20, XmlClients clients = {}) {
  const LinkRewriter links("/c/", "20260102030405", *url::Url::parse("http://example.org/dir/a.xml"), Modifier::main);
  XmlRewriter rewriter(links, std::move(clients));
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

// The beginning of a sheet, as it is captured.
constexpr std::string_view kSheet = "<xsl:stylesheet xmlns:xsl='http://www.w3.org/1999/XSL/Transform'>";

std::string sheet(std::string_view text, XmlClients clients = {}) {
  const std::string begin(kSheet);
  const std::string out = xml(begin + std::string(text) + "</xsl:stylesheet>", 1 << 20, std::move(clients));
  EXPECT_TRUE(out.starts_with(begin) && out.ends_with("</xsl:stylesheet>")) << out;
  return out.substr(begin.size(), out.size() - begin.size() - 17);
}

TEST(XmlDocument, SheetsOfXslt) {
  EXPECT_EQ(sheet("<xsl:import href='i.xsl'/><xsl:include href='/n:1.xsl?u=http://x//y'/>"),
            "<xsl:import href='/c/20260102030405oe_/http%3A/example.org/dir/i.xsl'/><xsl:include "
            "href='/c/20260102030405oe_/http%3A/example.org/n%3A1.xsl?u=http://x//y'/>");
  EXPECT_EQ(sheet("<xsl:value-of select=\"document('a.xml') | document( '/b.xml', /)\"/>"),
            "<xsl:value-of select=\"document(&#39;a.xml&#39;) | document( "
            "&#39;/c/20260102030405oe_/http%3A/example.org/b.xml&#39;, /)\"/>");
}

TEST(XmlDocument, MarkupOfASheetStandsInThePageOfItsDocument) {
  EXPECT_EQ(sheet("<img src='/a.png'/><img src='a.png'/><a href='http://b.example/'>b</a><a href='?c'/>"),
            "<img src='/c/20260102030405im_/http://example.org/a.png'/><img src='a.png'/>"
            "<a href='/c/20260102030405mp_/http://b.example/'>b</a><a href='?c'/>");
  EXPECT_EQ(
      sheet("<img src='{i}'/><a href='http://x.example/{@id}'/><iframe src='/{.}'/><a href='a/{.}'/><a href='{{}}'/>"),
      "<img src='{substring(&#39;/c/20260102030405im_/&#39;,1+9999*not(contains(&#39;|http:|https:|&#39;,concat("
      "&#39;|&#39;,substring-before(i,&#39;//&#39;),&#39;|&#39;))))}{i}'/><a "
      "href='/c/20260102030405mp_/http://x.example/{@id}'/><iframe "
      "src='/c/20260102030405if_/http://example.org/{.}'/><a href='a/{.}'/><a href='{{}}'/>");
}

TEST(XmlDocument, TheClientStandsInFrontOfWhatASheetMakes) {
  const auto made = [](std::string_view text) { return sheet(text, {"", "<script c='{'></script>"}); };
  constexpr std::string_view kClient = "<script c='{{'></script>";
  const auto with = [&](std::string_view front, std::string_view back) {
    EXPECT_EQ(made(std::string(front) + std::string(back)),
              std::string(front) + std::string(kClient) + std::string(back));
  };
  with("<html><head>", "<title/></head><body/></html>");
  with("<html><xsl:attribute name='l'><xsl:value-of select='a'/></xsl:attribute>", "<body/></html>");
  with("<html>", "<xsl:call-template name='head'/><body/></html>");
  with("<html><xsl:if test='a'><xsl:attribute name='l'/></xsl:if>", "<head/></html>");
  with("<body><xsl:copy-of select='@*'/>", "<p/></body>");
  with("<html>", "<body><p/></body></html>");
  with("<body><xsl:for-each select='a'><xsl:sort select='b'/><xsl:sort select='c'/>", "<p/></xsl:for-each></body>");
  with("<body><e:x><xsl:fallback>", "<p/></xsl:fallback></e:x></body>");
  EXPECT_EQ(made("<H:html xmlns:H='http://www.w3.org/1999/xhtml'><H:head></H:head></H:html>"),
            "<H:html xmlns:H='http://www.w3.org/1999/xhtml'><H:head><H:script c='{{'></H:script></H:head></H:html>");
  for (const char* part : {"<xsl:template match='a'><tr><td/></tr></xsl:template>", "<header/><html/>"})
    EXPECT_EQ(made(part), part);
}

TEST(XmlDocument, ScriptsOfASheet) {
  const auto made = [](std::string_view text) { return sheet(text, {"", "<script></script>"}); };
  EXPECT_EQ(
      made("<script>a = location</script><script>\n//<![CDATA[\nb = location < 1\n//]]>\n</script>"),
      "<script>a = _caddis.l(location)</script><script>\n//<![CDATA[\nb = _caddis.l(location) < 1\n//]]>\n</script>");
  EXPECT_EQ(made("<p onclick='go(location)' onblur='if (a) {{location}}'/><script src='a.js' integrity='x'/>"),
            "<p onclick='go(_caddis.l(location))' onblur='if (a) {{location}}'/><script src='a.js' "
            "data-archived-integrity='x'/>");
  // What is put together of parts.
  const std::string parts = "<script>a = '<xsl:value-of select='b'/>'; location</script>";
  EXPECT_EQ(made(parts), parts);
  EXPECT_EQ(sheet("<script>a = location</script>"), "<script>a = location</script>");
}

TEST(XmlDocument, ScriptsOfADocumentHaveTheClient) {
  const auto made = [](std::string_view text, size_t window) { return xml(text, window, {"<client></client>", ""}); };
  const std::string begin = "<doc xmlns:h='http://www.w3.org/1999/xhtml'><h:p onclick='location'/>";
  for (const size_t window : {1024, 1 << 20})
    EXPECT_EQ(made(begin + "<h:script src='/a.js'/><h:script>location</h:script></doc>", window),
              begin +
                  "<client></client><h:script src='/c/20260102030405js_/http://example.org/a.js'/>"
                  "<h:script>_caddis.l(location)</h:script></doc>");
  EXPECT_EQ(made(begin + "</doc>", 1 << 20), begin + "</doc>");
}

// The processor's time, so large that only the square of the size reaches it.
TEST(XmlDocument, ScriptsThatNeverEndTakeLinearTime) {
  std::string text = "<doc xmlns:h='http://www.w3.org/1999/xhtml'>";
  const std::string script = "<h:script>location";
  for (size_t i = 0; i < 100'000; ++i) text += script;
  text += "<b/>";
  const LinkRewriter links("/c/", "20260102030405", *url::Url::parse("http://example.org/a.xml"), Modifier::main);
  XmlRewriter rewriter(links, {"<client></client>", ""});
  std::string out;
  const std::clock_t begin = std::clock();
  rewriter.rewrite(text, true, std::string::npos, out);
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 10);
  EXPECT_TRUE(out == text.insert(text.find(script), "<client></client>"));
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
