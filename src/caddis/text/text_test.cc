#include <gtest/gtest.h>

#include "caddis/base/strings.h"
#include "caddis/text/encoding.h"
#include "caddis/text/sniff.h"
#include "support/testdata.h"

namespace caddis::text {
namespace {

struct SniffCase {
  std::string data, encoding;
};

// "#data\n" bytes "#encoding\n" name "\n", in the style of html5lib.
std::vector<SniffCase> read_cases(const std::string& path) {
  const std::string bytes = testing::read_file(path);
  std::vector<SniffCase> cases;
  constexpr std::string_view kData = "#data\n", kEncoding = "\n#encoding\n";
  for (size_t at = bytes.find(kData); at != std::string::npos; at = bytes.find(kData, at)) {
    at += kData.size();
    const size_t mark = bytes.find(kEncoding, at);
    const size_t end = bytes.find('\n', mark + kEncoding.size());
    cases.push_back({bytes.substr(at, mark + 1 - at),
                     bytes.substr(mark + kEncoding.size(), std::min(end, bytes.size()) - mark - kEncoding.size())});
    at = std::min(end, bytes.size());
  }
  return cases;
}

// Not applicable: scripted/tests1.dat (1 case: needs a script to run) and chardet/test_big5.txt (statistical detection
// of an undeclared encoding, which the standard leaves open and which we do not do).
TEST(Sniff, Html5libEncodingTests) {
  CADDIS_TESTDATA_OR_SKIP(folder, "02-html5lib/encoding");
  size_t count = 0;
  for (const char* name : {"tests1.dat", "tests2.dat", "test-yahoo-jp.dat"}) {
    for (const SniffCase& item : read_cases(folder + "/" + name)) {
      ++count;
      const SniffedEncoding found = sniff_html(item.data, "");
      EXPECT_EQ(found.name, encoding_for_label(item.encoding)) << name << ": " << item.data;
    }
  }
  EXPECT_GE(count, 80u);
}

TEST(Sniff, PrefersMarkThenTransportThenMeta) {
  const std::string meta = "<meta charset=koi8-r>\xF1";
  EXPECT_EQ(sniff_html(meta, "").name, "KOI8-R");
  EXPECT_EQ(sniff_html(meta, "latin1").name, "windows-1252");
  EXPECT_EQ(sniff_html(meta, "unknown").name, "KOI8-R");
  EXPECT_EQ(sniff_html("\xEF\xBB\xBF" + meta, "latin1").name, "UTF-8");
  EXPECT_EQ(sniff_html("<p>\xC3\xA4", "").source, EncodingSource::detection);
  EXPECT_EQ(sniff_html("<p>\xE4", "").name, "windows-1252");
  EXPECT_EQ(sniff_html("<?xml version='1.0' encoding='shift_jis'?>\xE4", "").name, "Shift_JIS");
  EXPECT_EQ(sniff_html(std::string_view("<\0?\0x\0m\0", 8), "").name, "UTF-16LE");
}

TEST(Sniff, ReadsOtherTexts) {
  EXPECT_EQ(sniff_text("a{}", "").name, "UTF-8");
  EXPECT_EQ(sniff_text("@charset \"iso-8859-2\";\xE4", "").name, "ISO-8859-2");
  EXPECT_EQ(sniff_text("\xE4", "").name, "windows-1252");
  EXPECT_EQ(sniff_text("\xFE\xFFxx", "").name, "UTF-16BE");
}

TEST(Sniff, FindsTheCharsetOfAContentType) {
  EXPECT_EQ(charset_label("text/html; charset=utf-8"), "utf-8");
  EXPECT_EQ(charset_label("text/html; charset = \"x y\";"), "x y");
  EXPECT_EQ(charset_label("text/html; charsetcharset=a b"), "a");
  EXPECT_EQ(charset_label("text/html; charset='a"), "");
  EXPECT_EQ(charset_label("text/html"), "");
}

std::string decoded(std::string_view bytes, std::string_view label) {
  std::string storage;
  return std::string(to_utf8(bytes, encoding_for_label(label), storage));
}

TEST(Encoding, KnowsLabels) {
  EXPECT_EQ(encoding_for_label(" Latin1\n"), "windows-1252");
  EXPECT_EQ(encoding_for_label("ISO-8859-9"), "windows-1254");
  EXPECT_EQ(encoding_for_label("gb2312"), "GBK");
  EXPECT_EQ(encoding_for_label("hz-gb-2312"), "replacement");
  EXPECT_EQ(encoding_for_label("utf-7"), "");
  EXPECT_EQ(encoding_for_label(""), "");
}

TEST(Encoding, Decodes) {
  EXPECT_EQ(decoded("\x80\xE4\x81", "iso-8859-1"), "€ä\u0081");
  EXPECT_EQ(decoded("\xD0\xD2", "koi8-r"), "пр");
  EXPECT_EQ(decoded("\x93\xFA\x96{\\", "shift_jis"), "日本\\");
  EXPECT_EQ(decoded("\xC6\xFC", "euc-jp"), "日");
  EXPECT_EQ(decoded("\x1B$BF|K\\\x1B(B!", "iso-2022-jp"), "日本!");
  EXPECT_EQ(decoded("\xC4\xE3", "gb2312"), "你");
  EXPECT_EQ(decoded("\xA7\x41", "big5"), "你");
  EXPECT_EQ(decoded("\xB0\xA1", "ks_c_5601-1987"), "가");
  EXPECT_EQ(decoded("\xA4\xAA", "iso-8859-16"), "€Ș");
  EXPECT_EQ(decoded(std::string_view("\xFF\xFEh\0\xE4\0", 6), "utf-16"), "hä");
  EXPECT_EQ(decoded("\xEF\xBB\xBFhi", "utf-8"), "hi");
  EXPECT_EQ(decoded("x", "replacement"), "\uFFFD");
}

TEST(Encoding, EveryEncodingHasAConverter) {
  for (const char* label : {"ibm866", "iso-8859-3", "iso-8859-8-i", "iso-8859-10", "koi8-u", "macintosh", "windows-874",
                            "windows-1258", "x-mac-cyrillic", "gb18030", "utf-16be", "x-user-defined"}) {
    std::string storage;
    const std::string_view name = encoding_for_label(label);
    ASSERT_FALSE(name.empty()) << label;
    EXPECT_TRUE(is_utf8_text(to_utf8("\xB1\xE1 \xC3\xD4", name, storage))) << label;
    EXPECT_FALSE(storage.empty()) << label;
  }
}

TEST(Encoding, RepairsUtf8AsBrowsersDo) {
  EXPECT_EQ(decoded("a\xFFz", "utf-8"), "a\uFFFDz");
  EXPECT_EQ(decoded("\xE2\x82", "utf-8"), "\uFFFD");
  EXPECT_EQ(decoded("\xF0\x9F\x98 ", "utf-8"), "\uFFFD ");
  EXPECT_EQ(decoded("\xC0\x80", "utf-8"), "\uFFFD\uFFFD");
  EXPECT_EQ(decoded("\xED\xA0\x80", "utf-8"), "\uFFFD\uFFFD\uFFFD");
}

TEST(Encoding, CopiesNothingThatIsUtf8Already) {
  const std::string_view ascii = "<p>plain";
  std::string storage;
  EXPECT_EQ(to_utf8(ascii, "windows-1251", storage).data(), ascii.data());
  const std::string_view utf8 = "<p>ä";
  EXPECT_EQ(to_utf8(utf8, "UTF-8", storage).data(), utf8.data());
}

TEST(Encoding, DecodesLongTextsInPieces) {
  std::string bytes(200'001, '\xE4');
  std::string storage;
  EXPECT_EQ(to_utf8(bytes, "windows-1252", storage).size(), 400'002u);
  std::string japanese;
  while (japanese.size() < 200'000)
    japanese +=
        "\x93\xFA"
        "x";
  EXPECT_EQ(to_utf8(japanese, "Shift_JIS", storage).size(), japanese.size() / 3 * 4);
}

TEST(Encoding, TellsAsciiAndUtf8) {
  EXPECT_TRUE(is_ascii(std::string(1000, 'x')));
  EXPECT_FALSE(is_ascii(std::string(1000, 'x') + "\x80"));
  EXPECT_FALSE(is_ascii("\x80" + std::string(1000, 'x')));
  EXPECT_TRUE(is_utf8_text(std::string(100, 'x') + "ä" + std::string(100, 'y')));
  EXPECT_FALSE(is_utf8_text(std::string(100, 'x') + "\xC3"));
}

TEST(Encoding, PiecesAreConvertedEachForItself) {
  std::string storage;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(piece_to_utf8("\x95\x5C", "Shift_JIS", storage), "\u8868");
    EXPECT_EQ(piece_to_utf8("\xB1\xED", "GBK", storage), "\u8868");
    // A piece that ends within a character says nothing of the next.
    EXPECT_TRUE(piece_to_utf8("a\xB1", "GBK", storage).starts_with("a"));
    EXPECT_EQ(piece_to_utf8("\xB1\xED", "GBK", storage), "\u8868");
    EXPECT_EQ(piece_to_utf8("\xE4", "windows-1251", storage), "\u0434");
  }
  EXPECT_EQ(piece_to_utf8("\xEF\xBB\xBFx", "UTF-8", storage), "\uFEFFx");
  EXPECT_EQ(to_utf8("\xEF\xBB\xBFx", "UTF-8", storage), "x");
  for (const std::string_view name : {"UTF-8", "windows-1252", "Shift_JIS", "GBK", "gb18030", "Big5", "EUC-JP"})
    EXPECT_TRUE(keeps_markup(name)) << name;
  for (const std::string_view name : {"UTF-16LE", "UTF-16BE", "ISO-2022-JP", "replacement"})
    EXPECT_FALSE(keeps_markup(name)) << name;
}

}  // namespace
}  // namespace caddis::text
