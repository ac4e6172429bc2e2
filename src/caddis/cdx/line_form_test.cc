#include "caddis/cdx/line_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/line.h"
#include "caddis/io/memory_files.h"

namespace caddis::cdx {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kLine =
    R"(com,a)/ 20200101000000 {"url": "http://a.com/", "mime": "text/html", "status": "200", "digest": "A", "length": "7", "offset": "5", "filename": "f.warc.gz"})";
constexpr std::string_view kRevisit =
    R"(com,a)/ 20200102000000 {"url": "http://a.com/", "mime": "warc/revisit", "digest": "A", "length": "3", "offset": "9", "filename": "g.warc.gz", "orig.length": "7", "orig.offset": "5", "orig.filename": "f.warc.gz", "requestBody": "q=1"})";

std::string in(LineForm form, std::string_view line, std::string* lost = nullptr) {
  LostFields fields;
  std::string text = line_in(form, *parse_line(line), fields);
  if (lost != nullptr) *lost = lost_in_words(form, fields);
  return text;
}

TEST(LineForm, HasTheLettersOfItsLegend) {
  EXPECT_EQ(legend_of(LineForm::cdx9), " CDX N b a m s k r V g");
  EXPECT_EQ(legend_of(LineForm::cdx10), " CDX N b a m s k r M V g");
  EXPECT_EQ(legend_of(LineForm::cdx11), " CDX N b a m s k r M S V g");
  EXPECT_EQ(legend_of(LineForm::cdxj), "");
  EXPECT_EQ(in(LineForm::cdx9, kLine), "com,a)/ 20200101000000 http://a.com/ text/html 200 A - 5 f.warc.gz");
  EXPECT_EQ(in(LineForm::cdx10, kLine), "com,a)/ 20200101000000 http://a.com/ text/html 200 A - - 5 f.warc.gz");
  EXPECT_EQ(in(LineForm::cdx11, kLine), "com,a)/ 20200101000000 http://a.com/ text/html 200 A - - 7 5 f.warc.gz");
  EXPECT_EQ(in(LineForm::cdx14, kRevisit),
            "com,a)/ 20200102000000 http://a.com/ warc/revisit - A - - 3 9 g.warc.gz 7 5 f.warc.gz");
  EXPECT_EQ(in(LineForm::cdxj, kLine), kLine);
}

TEST(LineForm, IsReadAgainByItsLegend) {
  for (const std::string_view name : {"cdx9", "cdx10", "cdx11", "cdx14"}) {
    const LineForm form = *parse_line_form(name);
    EXPECT_EQ(name_of(form), name);
    const auto capture = parse_cdx_line(in(form, kLine), legend_of(form));
    ASSERT_TRUE(capture) << name;
    EXPECT_EQ(capture->url, "http://a.com/");
    EXPECT_EQ(capture->offset, "5");
    EXPECT_EQ(capture->filename, "f.warc.gz");
    EXPECT_EQ(capture->redirect, "");
  }
  EXPECT_THAT(parse_line_form("cdx12").error().message, HasSubstr("cdxj, cdx9, cdx10, cdx11 or cdx14"));
}

TEST(LineForm, TellsWhatItHasNoPlaceFor) {
  std::string lost;
  in(LineForm::cdx9, kLine, &lost);
  EXPECT_EQ(lost, "cdx9 has no place for length (1 line)");
  in(LineForm::cdx11, kRevisit, &lost);
  EXPECT_EQ(lost,
            "cdx11 has no place for orig.filename (1 line), orig.length (1 line), orig.offset (1 line), requestBody (1 "
            "line)");
  in(LineForm::cdx11, kLine, &lost);
  EXPECT_EQ(lost, "");
  in(LineForm::cdxj, kRevisit, &lost);
  EXPECT_EQ(lost, "");
}

// A blank in a value would be another field, and a line end another line.
TEST(LineForm, KeepsFieldsApart) {
  EXPECT_EQ(in(LineForm::cdx9, R"(com,a)/ 20200101000000 {"url": "http://a.com/a b\nc", "filename": "my file.warc"})"),
            "com,a)/ 20200101000000 http://a.com/a%20b%0ac - - - - - my%20file.warc");
}

class Conversion : public ::testing::Test {
 protected:
  Result<uint64_t> convert(const std::string& from, const std::string& to, LineForm form) {
    lost_.clear();
    return convert_index(files_, from, form, {.output = to, .progress = nullptr}, lost_);
  }
  std::string text(const std::string& path) { return *files_.read_all(path, 1 << 20); }
  void put(const std::string& path, const std::string& text) { ASSERT_TRUE(files_.write_atomically(path, text)); }

  io::MemoryFiles files_;
  LostFields lost_;
};

TEST_F(Conversion, SortsBehindTheLegend) {
  // In the order of CDXJ the first stands before the second; as CDX the other way round.
  const std::string a = R"(com,a)/ 20200101000000 {"url": "http://a.com/", "offset": "2", "filename": "f"})";
  const std::string b =
      R"(com,a)/ 20200101000000 {"mime": "x/y", "url": "http://A.com/", "offset": "1", "filename": "f"})";
  put("c.cdxj", b + "\n" + a + "\n");
  ASSERT_EQ(*convert("c.cdxj", "c.cdx", LineForm::cdx11), 2U);
  EXPECT_EQ(text("c.cdx"),
            " CDX N b a m s k r M S V g\n"
            "com,a)/ 20200101000000 http://A.com/ x/y - - - - - 1 f\n"
            "com,a)/ 20200101000000 http://a.com/ - - - - - - 2 f\n");
  ASSERT_EQ(*convert("c.cdx", "d.cdxj", LineForm::cdxj), 2U);
  EXPECT_EQ(text("d.cdxj"),
            R"(com,a)/ 20200101000000 {"url": "http://A.com/", "mime": "x/y", "offset": "1", "filename": "f"})"
            "\n" +
                a + "\n");
  EXPECT_EQ(convert("c.cdx", "d.cdxj", LineForm::cdxj).error().code, ErrorCode::conflict);
  EXPECT_EQ(convert("none.cdx", "e.cdxj", LineForm::cdxj).error().code, ErrorCode::not_found);
}

// Fields in an order of their own, and a last line without its end.
TEST_F(Conversion, ReadsByTheLegend) {
  put("q.cdx", " CDX b N a V g\n20200101000000 com,a)/ http://a.com/ 5 f\n20200102000000 com,a)/ http://a.com/ 6 f");
  ASSERT_EQ(*convert("q.cdx", "r.cdx", LineForm::cdx9), 2U);
  EXPECT_EQ(text("r.cdx"),
            " CDX N b a m s k r V g\n"
            "com,a)/ 20200101000000 http://a.com/ - - - - 5 f\n"
            "com,a)/ 20200102000000 http://a.com/ - - - - 6 f\n");
}

TEST_F(Conversion, KeepsThePolicyAndStopsAtWhatIsNoLine) {
  put("k.cdxj", std::string(kLine) + "\n");
  ASSERT_TRUE(write_index_meta(files_, "k.cdxj", *url::KeyPolicy::parse("exact"), std::vector<uint64_t>()));
  ASSERT_TRUE(convert("k.cdxj", "k.cdx", LineForm::cdx11));
  EXPECT_EQ(read_index_meta(files_, "k.cdx").policy->notation(), read_index_meta(files_, "k.cdxj").policy->notation());
  put("bad.cdxj", std::string(kLine) + "\nno line\n");
  EXPECT_THAT(convert("bad.cdxj", "bad.cdx", LineForm::cdx11).error().message, HasSubstr("bad.cdxj: no line"));
  EXPECT_FALSE(files_.exists("bad.cdx"));
}

TEST_F(Conversion, AddsOnlyToTheSameForm) {
  put("part", in(LineForm::cdx11, kLine) + "\n");
  ASSERT_EQ(*sort_in_form(files_, {"part", "x.cdx"}, "x.cdx", LineForm::cdx11), 1U);
  put("x.cdx", legend_of(LineForm::cdx11) + "\n" + in(LineForm::cdx11, kLine));  // as others may write it
  put("part", in(LineForm::cdx11, kRevisit) + "\n");
  EXPECT_TRUE(check_line_form(files_, "x.cdx", LineForm::cdx11));
  ASSERT_EQ(*sort_in_form(files_, {"part", "x.cdx"}, "x.cdx", LineForm::cdx11), 2U);
  EXPECT_EQ(text("x.cdx"), legend_of(LineForm::cdx11) + "\n" + in(LineForm::cdx11, kLine) + "\n" +
                               in(LineForm::cdx11, kRevisit) + "\n");
  EXPECT_EQ(check_line_form(files_, "x.cdx", LineForm::cdx9).error().code, ErrorCode::conflict);
  EXPECT_EQ(check_line_form(files_, "x.cdx", LineForm::cdxj).error().code, ErrorCode::conflict);
  put("y.cdxj", std::string(kLine) + "\n");
  EXPECT_TRUE(check_line_form(files_, "y.cdxj", LineForm::cdxj));
  EXPECT_FALSE(check_line_form(files_, "y.cdxj", LineForm::cdx11));
  EXPECT_TRUE(check_line_form(files_, "none", LineForm::cdx11));
}

}  // namespace
}  // namespace caddis::cdx
