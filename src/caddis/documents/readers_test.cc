// The readers by bytes that are made here; documents of real programs are in tests/e2e/documents_test.py.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <ctime>
#include <string>

#include "caddis/documents/document.h"

namespace caddis::documents {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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

TEST(PdfLinks, OfOtherDocumentsAreThoseAtUrls) {
  const Found found = read(Format::pdf, pdf("3 0 obj<</S/GoToR/F<</FS/URL/F(http://a.test/1.pdf)>>/D[0/Fit]>>endobj\n"
                                            "4 0 obj<</S/GoToR/F 5 0 R>>endobj\n"
                                            "5 0 obj<</FS/URL/F(2.pdf)>>endobj\n"
                                            "6 0 obj<</S/GoToR/F<</Type/Filespec/F(http://a.test/no.pdf)>>>>endobj\n"
                                            "7 0 obj<</S/SubmitForm/F<</FS/URL/F(http://a.test/no)>>>>endobj\n"));
  EXPECT_THAT(texts(found), ElementsAre("L http://a.test/1.pdf", "L 2.pdf"));
}

TEST(PdfLinks, MayLackTheirScheme) {
  const Found found = read(Format::pdf, pdf("3 0 obj[<</S/URI/URI(www.a.test/1)>><</S/URI/URI(WWW.a.test)>>"
                                            "<</S/URI/URI(www.html)>><</S/URI/URI(www.a.test.1/x)>>"
                                            "<</S/URI/URI(dir/www.a.test)>>]endobj\n"));
  EXPECT_THAT(texts(found), ElementsAre("L http://www.a.test/1", "L http://WWW.a.test", "L www.html",
                                        "L www.a.test.1/x", "L dir/www.a.test"));
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

// A sector of 512 bytes.
std::string sector(std::string bytes) {
  bytes.resize(512);
  return bytes;
}

std::string directory_entry(std::string_view name, unsigned kind, std::array<unsigned, 3> tree, unsigned first,
                            unsigned size) {
  std::string entry;
  for (const char c : name) entry += u16(static_cast<unsigned char>(c));
  entry.resize(64);
  entry += u16(static_cast<unsigned>(2 * name.size() + 2)) + static_cast<char>(kind) + '\x01';
  for (const unsigned node : tree) entry += u32(node);
  entry.resize(116);
  return entry + u32(first) + u32(size) + u32(0);
}

// A document of Word 97 whose text, a hyperlink, stands at `at`; and its stream of tables.
std::string word_document(std::string_view url, unsigned at) {
  std::string bytes(512, '\0');
  bytes.replace(0, 4, u16(0xA5EC) + u16(0x00C1));
  bytes.replace(10, 2, u16(0x0200));
  bytes.replace(0x01A2, 8, u32(0) + u32(21));
  const std::string text = "\x13HYPERLINK \"" + std::string(url) + "\"\x14x\x15";
  bytes.replace(at, text.size(), text);
  return bytes;
}
std::string word_tables(std::string_view url, unsigned at) {
  const auto length = static_cast<unsigned>(url.size() + 16);
  return sector("\x02" + u32(16) + u32(0) + u32(length) + u16(0) + u32(0x40000000 | at * 2) + u16(0));
}

// The document within comes first in the directory.
TEST(OleLinks, OfADocumentWithinAnotherAreReadByItsOwnTables) {
  constexpr unsigned kNone = 0xFFFFFFFF, kEnd = 0xFFFFFFFE, kStorage = 1, kStream = 2, kRoot = 5;
  std::string header =
      "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1" + std::string(16, '\0') + u16(0x3E) + u16(3) + u16(0xFFFE) + u16(9) + u16(6);
  header.resize(44);
  header += u32(1) + u32(1) + u32(0) + u32(0) + u32(kEnd) + u32(0) + u32(kEnd) + u32(0) + u32(0);
  for (int i = 1; i < 109; ++i) header += u32(kNone);
  const std::string table = u32(0xFFFFFFFD) + u32(2) + u32(kEnd) + u32(kEnd) + u32(kEnd) + u32(kEnd) + u32(kEnd);
  const std::string directory = directory_entry("Root Entry", kRoot, {kNone, kNone, 4}, kEnd, 0) +
                                directory_entry("ObjectPool", kStorage, {kNone, kNone, 2}, 0, 0) +
                                directory_entry("WordDocument", kStream, {kNone, 3, kNone}, 3, 512) +
                                directory_entry("1Table", kStream, {kNone, kNone, kNone}, 4, 512) +
                                directory_entry("WordDocument", kStream, {1, 5, kNone}, 5, 512) +
                                directory_entry("1Table", kStream, {kNone, kNone, kNone}, 6, 512);
  const std::string_view inner = "http://a.test/inner", outer = "http://a.test/outer/one";
  const Found found =
      read(Format::ole, header + sector(table) + sector(directory.substr(0, 512)) + sector(directory.substr(512)) +
                            word_document(inner, 430) + word_tables(inner, 430) + word_document(outer, 465) +
                            word_tables(outer, 465));
  EXPECT_THAT(texts(found), ElementsAre("L http://a.test/inner", "L http://a.test/outer/one"));
  EXPECT_EQ(found.problem, "");
}

// An archive whose one file is not packed.
std::string zip_of(const std::string& name, const std::string& content) {
  const auto size = static_cast<unsigned>(content.size());
  unsigned crc = 0xFFFFFFFF;
  for (const char c : content) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (0xEDB88320 & (0 - (crc & 1)));
  }
  const std::string common = u16(20) + u16(0) + u16(0) + u32(0) + u32(~crc) + u32(size) + u32(size) +
                             u16(static_cast<unsigned>(name.size())) + u16(0);
  const std::string local = "PK\x03\x04" + common + name + content;
  const std::string central = "PK\x01\x02" + u16(20) + common + u16(0) + u16(0) + u16(0) + u32(0) + u32(0) + name;
  return local + central + "PK\x05\x06" + u32(0) + u16(1) + u16(1) + u32(static_cast<unsigned>(central.size())) +
         u32(static_cast<unsigned>(local.size())) + u16(0);
}

std::string rtf_with(std::string_view url) {
  return "{\\rtf1 {\\field{\\*\\fldinst HYPERLINK \"" + std::string(url) + "\"}{\\fldrslt x}}}";
}

TEST(OoxmlLinks, OfFormulasAreWholeTexts) {
  const Found found = read(
      Format::ooxml,
      zip_of("xl/worksheets/sheet1.xml",
             "<worksheet><c><f>HYPERLINK(\"http://a.test/1\",\"one\")</f></c><c><f>_xlfn.IMAGE(\"http://a.test/"
             "2.png\")</f>"
             "</c><c><f>1+_xlfn.WEBSERVICE( \"http://a.test/3?q=1\" )</f></c><c><f>HYPERLINK(\"rel/4\")</f></c>"
             "<c><f>WEBSERVICE(\"http://a.test/no?q=\" &amp; A1)</f></c><c><f>MYIMAGE(\"http://a.test/no.png\")</f></c>"
             "<c><f>_xlfn.IMAGE(\"no.png\")</f></c><c><f>HYPERLINK(A1,\"http://a.test/no\")</f></c></worksheet>"));
  EXPECT_THAT(texts(found),
              ElementsAre("L http://a.test/1", "E http://a.test/2.png", "E http://a.test/3?q=1", "L rel/4"));
}

TEST(Documents, WithinOthersAreRead) {
  const Found office = read(Format::ooxml, zip_of("word/embeddings/a.rtf", rtf_with("http://a.test/in")));
  EXPECT_THAT(texts(office), ElementsAre("L http://a.test/in"));
  EXPECT_EQ(office.attachments, 1u);
  const Found open = read(Format::odf, zip_of("Object 1", rtf_with("http://a.test/in")));
  EXPECT_THAT(texts(open), ElementsAre("L http://a.test/in"));
  const std::string file = rtf_with("http://a.test/in");
  const Found attached =
      read(Format::pdf, pdf("3 0 obj<</Type/EmbeddedFile/Length " + std::to_string(file.size()) + ">>stream\n" + file +
                            "\nendstream endobj\n4 0 obj<</S/URI/URI(http://a.test/out)>>endobj\n"));
  EXPECT_THAT(texts(attached), ElementsAre("L http://a.test/in", "L http://a.test/out"));
  const Found none = read(Format::ooxml, zip_of("word/embeddings/a.bin", "nothing known"));
  EXPECT_THAT(none.links, IsEmpty());
  EXPECT_EQ(none.attachments, 1u);
}

// A compound file with so many empty streams of that name, each an object of another program.
std::string compound_file_of(size_t streams, std::string_view name) {
  constexpr size_t kSector = 512, kInHeader = 109;
  constexpr unsigned kEnd = 0xFFFFFFFE, kNone = 0xFFFFFFFF;
  const auto entry = [](std::string_view called, char kind) {
    std::string wide;
    for (const char c : called) wide += u16(static_cast<unsigned char>(c));
    wide.resize(64);
    std::string whole = wide + u16(static_cast<unsigned>(called.size() * 2)) + kind;
    whole.resize(68);
    whole += u32(kNone) + u32(kNone) + u32(kNone);
    whole.resize(116);
    return whole + u32(kEnd) + u32(0) + u32(0);
  };
  std::string directory = entry("Root Entry", 5);
  for (size_t i = 0; i < streams; ++i) directory += entry(name, 2);
  directory.resize((directory.size() + kSector - 1) / kSector * kSector);
  std::string table = u32(0xFFFFFFFD);
  for (size_t sector = 1; sector < directory.size() / kSector; ++sector)
    table += u32(static_cast<unsigned>(sector + 1));
  table += u32(kEnd);
  table.resize(kSector, '\xFF');
  std::string header = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1";
  header.resize(30);
  header += u16(9) + u16(6);
  header.resize(48);
  header += u32(1) + u32(0) + u32(4096) + u32(kEnd) + u32(0) + u32(kEnd) + u32(0) + u32(0);
  for (size_t i = 1; i < kInHeader; ++i) header += u32(kNone);
  return header + table + directory;
}

TEST(Documents, BeyondThoseThatAreReadAreNotLostInSilence) {
  EXPECT_EQ(read(Format::ole, compound_file_of(100, "Package")).problem, "");
  const Found objects = read(Format::ole, compound_file_of(101, "Package"));
  EXPECT_EQ(objects.attachments, 100u);
  EXPECT_EQ(objects.problem, "only the first 100 documents in it are read");
  EXPECT_EQ(read(Format::ole, compound_file_of(101, "Pictures")).problem, "") << "they are no documents";
  std::string many;
  const std::string file = rtf_with("http://a.test/");
  for (int i = 0; i < 201; ++i)
    many +=
        fmt::format("{} 0 obj<</Type/EmbeddedFile/Length {}>>stream\n{}\nendstream endobj\n", i + 3, file.size(), file);
  const Found attached = read(Format::pdf, pdf(many));
  EXPECT_THAT(attached.links, SizeIs(1));
  EXPECT_EQ(attached.problem, "of the documents within it only the first 200 are read");
}

TEST(Documents, WithinOthersAreReadThreeDeep) {
  std::string nested = rtf_with("http://a.test/in");
  for (int depth = 1; depth <= 4; ++depth) {
    nested = zip_of("word/embeddings/a.docx", nested);
    const Found found = read(Format::ooxml, nested);
    if (depth <= 3) {
      EXPECT_THAT(texts(found), ElementsAre("L http://a.test/in")) << depth;
      EXPECT_EQ(found.problem, "") << depth;
    } else {
      EXPECT_THAT(found.links, IsEmpty());
      EXPECT_EQ(found.problem, "documents more than 3 deep within it are not read");
    }
  }
}

TEST(Documents, WithinOthersCostTheirOwnLinksAlone) {
  const Found found = read(Format::ooxml, zip_of("word/embeddings/a.rtf", "{\\rtf1 {\\field{\\*\\fldinst HYPERLINK "));
  EXPECT_THAT(found.problem, HasSubstr("a document within it: "));
  Limits limits;
  limits.unpacked = 100;
  const std::string inner = zip_of("word/embeddings/b.rtf", rtf_with("http://a.test/" + std::string(60, 'x')));
  const Found long_one = read_document(Format::ooxml, zip_of("word/embeddings/a.docx", inner), limits);
  EXPECT_THAT(long_one.links, IsEmpty());
  EXPECT_NE(long_one.problem, "");
}

TEST(EpubLinks, OfStylesEndAtTheNextBracket) {
  const Found found = read(Format::epub, zip_of("s.css",
                                                "a{b:url( 'http://a.test/1' ) url(\"https://a.test/2\")}"
                                                "c{d:url(2.png) url(http://a.test/3)} url(http://a.test/4"));
  EXPECT_THAT(texts(found),
              ElementsAre("E http://a.test/1", "E https://a.test/2", "E http://a.test/3", "E http://a.test/4"));
}

// The processor's time, so large that only the square of the size reaches it.
TEST(EpubLinks, OfBracketsThatAreNeverClosed) {
  std::string style;
  for (int i = 0; i < 4'000'000; ++i) style += "url(";
  const std::clock_t begin = std::clock();
  EXPECT_THAT(read(Format::epub, zip_of("s.css", style)).links, IsEmpty());
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 20);
}

TEST(OleLinks, OfWhatIsNoCompoundFileAreNone) {
  const Found found = read(Format::ole, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1");
  EXPECT_THAT(found.links, IsEmpty());
  EXPECT_THAT(found.problem, HasSubstr("compound file"));
}

}  // namespace
}  // namespace caddis::documents
