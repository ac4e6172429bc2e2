// The readers by bytes that are made here; documents of real programs are in tests/e2e/documents_test.py.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "caddis/documents/document.h"

namespace caddis::documents {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// "L http://…" for each link.
std::vector<std::string> texts(const Found& found) {
  std::vector<std::string> all;
  for (const FoundLink& link : found.links)
    all.push_back(std::string(1, static_cast<char>(link.kind)) + " " + link.url);
  return all;
}

Found read(Format format, std::string_view bytes) { return read_document(format, bytes, Limits()); }

std::string u16(unsigned value) { return {static_cast<char>(value & 0xFF), static_cast<char>(value >> 8 & 0xFF)}; }
std::string u32(unsigned value) { return u16(value & 0xFFFF) + u16(value >> 16); }

TEST(Documents, AreKnownByTheirFirstBytes) {
  EXPECT_EQ(format_of("text/plain", "%PDF-1.4\n"), Format::pdf);
  EXPECT_EQ(format_of("application/pdf", "junk\n%PDF-1.4\n"), Format::pdf);
  EXPECT_EQ(format_of("text/html", "junk\n%PDF-1.4\n"), std::nullopt);
  EXPECT_EQ(format_of("", "{\\rtf1 x}"), Format::rtf);
  EXPECT_EQ(format_of("", "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and more"), Format::ole);
  EXPECT_EQ(format_of("", "FWS\x06" + u32(17) + " and more"), Format::swf);
  EXPECT_EQ(format_of("text/plain", "FWS is no movie by its version"), std::nullopt);
  EXPECT_EQ(format_of("text/html", "<html>"), std::nullopt);
  EXPECT_EQ(format_of("application/pdf", ""), std::nullopt);
}

TEST(Documents, OfZipAreKnownByTheFirstEntry) {
  const auto zip = [](std::string name, std::string content) {
    return "PK\x03\x04" + std::string(22, '\0') + u16(static_cast<unsigned>(name.size())) + u16(0) + name + content;
  };
  EXPECT_EQ(format_of("application/zip", zip("[Content_Types].xml", "")), Format::ooxml);
  EXPECT_EQ(format_of("application/zip", zip("mimetype", "application/vnd.oasis.opendocument.text")), Format::odf);
  EXPECT_EQ(format_of("", zip("mimetype", "application/epub+zip")), Format::epub);
  EXPECT_EQ(format_of("application/epub+zip", zip("OEBPS/1.html", "")), Format::epub);
  EXPECT_EQ(format_of("application/zip", zip("holiday.jpg", "")), std::nullopt);
}

TEST(RtfLinks, AreInstructionsOfFields) {
  const Found found =
      read(Format::rtf,
           R"({\rtf1 {\field{\*\fldinst {\b HYPERLINK} "http://a.test/x\'e9?\u233?"}{\fldrslt http://shown/}})"
           R"({\field{\*\fldinst HYPERLINK \\l "place"}}{\field{\*\fldinst INCLUDEPICTURE "http://a.test/p.png" \\d}})"
           R"({\*\bin9 {{{{{{{{{}{\field{\*\fldinst{HYPERLINK http://b.test/ }}}})");
  EXPECT_THAT(texts(found), ElementsAre("L http://a.test/xé?é", "E http://a.test/p.png", "L http://b.test/"));
  EXPECT_EQ(found.problem, "");
}

TEST(RtfLinks, OfACutDocumentAreThoseBefore) {
  const Found found = read(Format::rtf, R"({\rtf1 {\field{\*\fldinst HYPERLINK "http://a.test/"}{\fldrslt )");
  EXPECT_THAT(texts(found), ElementsAre("L http://a.test/"));
  EXPECT_NE(found.problem, "");
}

std::string pdf(const std::string& objects) {
  return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n" +
         objects + "trailer<</Root 1 0 R>>\n%%EOF\n";
}

TEST(PdfLinks, AreActionsWhereverTheyStand) {
  const Found found =
      read(Format::pdf, pdf("3 0 obj<</Type/Annot/Subtype/Link/A 4 0 R>>endobj\n"
                            "4 0 obj<</S/URI/URI(http://a.test/1)>>endobj\n"
                            "5 0 obj[[<</A<</S/URI/URI<687474703A2F2F612E746573742F32>>>>>]]endobj\n"
                            "6 0 obj<</S/Launch/F(evil.exe)>>endobj\n"
                            "7 0 obj<</S/GoToR/F(http://a.test/no.pdf)>>endobj\n"
                            "8 0 obj<</S/JavaScript/JS(app.launchURL\\('http://a.test/3'\\))>>endobj\n"
                            "9 0 obj<</S/URI/URI(rel/4.html)/Next<</S/URI/URI(mailto:x@a.test)>>>>endobj\n"));
  EXPECT_THAT(texts(found), ElementsAre("L http://a.test/1", "L http://a.test/2", "X http://a.test/3", "L rel/4.html",
                                        "L mailto:x@a.test"));
}

TEST(PdfLinks, OfMetadataAreTextsThatAreUrls) {
  const std::string xmp =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><xmpRights:WebStatement>http://a.test/licence</xmpRights:WebStatement>"
      "<r rdf:about='' ref='https://a.test/ref'/>see http://a.test/not-alone</x:xmpmeta>";
  const Found found = read(Format::pdf, pdf("3 0 obj<</Type/Metadata/Subtype/XML/Length " + std::to_string(xmp.size()) +
                                            ">>stream\n" + xmp + "\nendstream endobj\n"));
  EXPECT_THAT(texts(found), ElementsAre("X http://a.test/licence", "X https://a.test/ref"));
}

TEST(PdfLinks, OfWhatIsNoPdfAreNone) {
  const Found found = read(Format::pdf, "%PDF-1.4\nnothing more");
  EXPECT_THAT(found.links, IsEmpty());
  EXPECT_NE(found.problem, "");
}

// A movie of version 8 with these tags, in a rectangle without bits.
std::string movie(const std::string& tags) {
  return std::string("FWS\x08") + u32(0) + std::string(1, '\0') + u16(0) + u16(1) + tags + u16(0);
}
std::string tag(unsigned code, const std::string& body) {
  return u16(code << 6 | 0x3F) + u32(static_cast<unsigned>(body.size())) + body;
}
std::string action(unsigned code, const std::string& body) {
  return std::string(1, static_cast<char>(code)) + u16(static_cast<unsigned>(body.size())) + body;
}
std::string text(const std::string& content) { return content + '\0'; }

TEST(SwfLinks, AreAddressesThatActionsAskFor) {
  const std::string actions = action(0x83, text("page.html") + text("_blank")) +
                              action(0x88, u16(2) + text("menu.swf") + text("http://a.test/data")) +
                              action(0x96, "\x08" + std::string(1, '\0') + std::string(1, '\0') + text("_level1")) +
                              action(0x9A, std::string(1, '\0')) +
                              action(0x83, text("javascript:open('http://a.test/pop')") + text(""));
  const Found found = read(Format::swf, movie(tag(39, u16(1) + u16(1) + tag(12, actions) + u16(0))));
  EXPECT_THAT(texts(found),
              ElementsAre("E page.html", "X menu.swf", "X http://a.test/data", "E menu.swf", "X http://a.test/pop"));
  EXPECT_EQ(found.problem, "");
}

TEST(SwfLinks, StandInTextsAndPoolsOfStrings) {
  const std::string html = "<a href='http://a.test/a'><img src='p.gif'></a>";
  const std::string edit = u16(1) + std::string(1, '\0') + "\x80" + "\x02" + text("") + text(html);
  const std::string ns = "http://a.test/names", url = "https://a.test/strings";
  const auto sized = [](const std::string& s) { return std::string(1, static_cast<char>(s.size())) + s; };
  const std::string abc =
      u16(16) + u16(46) + std::string(3, '\0') + "\x03" + sized(ns) + sized(url) + "\x02" + "\x08" + "\x01";
  const Found found = read(Format::swf, movie(tag(37, edit) + tag(82, u32(1) + text("frame") + abc)));
  EXPECT_THAT(texts(found), ElementsAre("L http://a.test/a", "E p.gif", "X https://a.test/strings"));
}

TEST(Documents, HaveSoManyLinksAsAreAllowed) {
  const Limits limits{.links = 2, .url_length = 20};
  const Found found =
      read_document(Format::swf,
                    movie(tag(12, action(0x83, text("a") + text("")) + action(0x83, text("a") + text("")) +
                                      action(0x83, text("this/is/too/long/by/far") + text("")) +
                                      action(0x83, text("b") + text("")) + action(0x83, text("c") + text("")))),
                    limits);
  EXPECT_THAT(texts(found), ElementsAre("E a", "E b"));
  EXPECT_EQ(found.dropped, 2u);
}

TEST(OleLinks, OfWhatIsNoCompoundFileAreNone) {
  const Found found = read(Format::ole, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
  EXPECT_THAT(found.links, IsEmpty());
  EXPECT_THAT(found.problem, HasSubstr("compound file"));
}

}  // namespace
}  // namespace caddis::documents
