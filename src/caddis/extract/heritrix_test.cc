// Our links against those of Heritrix's own extractors (testdata 05-extractors). Each difference that stays has its
// reason here and in README.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "caddis/extract/extract.h"
#include "support/testdata.h"

namespace caddis::extract {
namespace {

using nlohmann::json;
using Pair = std::pair<std::string, std::string>;  // URL, hop

std::set<Pair> expected_of(const json& item) {
  std::set<Pair> out;
  for (const json& link : item["expected"]) out.emplace(link["url"], link["hop"]);
  return out;
}

Options options_of(const json& item) {
  Options options;
  options.favicon = false;  // ExtractorHTTP's, not in these expectations
  if (!item.contains("opts")) return options;
  const json& given = item["opts"];
  options.javascript = given["extract_javascript"];
  options.value_attributes = given["extract_value_attributes"];
  options.forms = !given["ignore_form_action_urls"].get<bool>();
  options.only_get_forms = given["extract_only_form_gets"];
  options.frames_as_embeds = given["treat_frames_as_embed_links"];
  options.obey_rel_nofollow = given["obey_rel_nofollow"];
  return options;
}

std::set<Pair> found_in(const json& item, std::string_view body) {
  const std::string url = item["base"], type = item["content_type"], charset = item.value("charset", "");
  Document document;
  document.url = url;
  document.content_type = type;
  document.charset = charset;
  document.body = body;
  std::set<Pair> out;
  for (const Link& link : extract(document, options_of(item)).links) {
    out.emplace(link.url(), std::string(1, static_cast<char>(link.hop)));
  }
  return out;
}

struct Reason {
  std::string_view part;  // of the URL
  std::string_view why;
};

// What Heritrix reports and Caddis does not.
constexpr Reason kLeftOut[] = {
    {"clsid:", "names a class, not a document"},
    {"mailto:", "not fetched"},
    {"ftp://", "not fetched"},
    {"/movies.", "the value of an <option> is a word with a dot; resolved, it gives 404"},
    {"/software.", "the same"},
    {"/texts.", "the same"},
    {"/mediawiki.u", "a word with a dot in a script"},
    {"/user.", "the same"},
    {"/skins.vector", "the same"},
    {"/0.2em", "the same"},
    {"bl_search_area=",
     "a string that ends in '=' waits for more; the page has the whole URL in an <img>, found there"},
    {"/test?_=", "joined to a number by '+'"},
    {"brandcode=&", "the same: what is to be filled in is missing"},
    {"date=", "the same"},
    {"brandcode=", "the same"},
    {"/image_view.html", "the same"},
    {"/api.php?action=query", "the end of a path that a variable begins"},
    {"//bits.wikimedia.org/", "a lone '/'"},
    {"{latdegdec}", "a template"},
    {"//www.archive.org/", "of pdfs.js: the first parts of joined strings"},
    {"google-analytics.com/analytics.js", "in a script whose quotes are damaged"},
};

// What Caddis reports and Heritrix does not, or with another hop.
constexpr Reason kAdded[] = {
    {"/s/d9522a.png", "rel=apple-touch-icon-precomposed is a picture of the page: E, not L"},
    {"/Vector/modules/images/", "url(…) of a style in a string of a script"},
};

template <size_t N>
bool has_reason(const std::string& url, const Reason (&reasons)[N]) {
  return std::any_of(std::begin(reasons), std::end(reasons),
                     [&](const Reason& reason) { return url.find(reason.part) != std::string::npos; });
}

// The numbers of links on both sides and of those that differ for a reason; the rest fails the test.
struct Tally {
  size_t expected = 0, agreed = 0, left_out = 0, added = 0;
};

void compare(const json& item, const std::string& name, std::string_view body, Tally& tally) {
  const std::set<Pair> expected = expected_of(item), found = found_in(item, body);
  tally.expected += expected.size();
  for (const Pair& pair : expected) {
    if (found.contains(pair)) {
      ++tally.agreed;
      continue;
    }
    // A link to a place in the page itself ("#top", usemap="#map") is none.
    const bool self = pair.first == item["base"].get<std::string>();
    const bool moved = has_reason(pair.first, kAdded);
    EXPECT_TRUE(self || moved || has_reason(pair.first, kLeftOut))
        << name << " lacks " << pair.second << " " << pair.first;
    ++tally.left_out;
  }
  for (const Pair& pair : found) {
    if (expected.contains(pair)) continue;
    EXPECT_TRUE(has_reason(pair.first, kAdded)) << name << " adds " << pair.second << " " << pair.first;
    ++tally.added;
  }
}

TEST(Heritrix, TestsOfItsExtractors) {
  CADDIS_TESTDATA_OR_SKIP(path, "05-extractors/heritrix_tests.jsonl");
  Tally tally;
  for (const std::string& line : testing::read_lines(path)) {
    const json item = json::parse(line);
    compare(item, item["src"], item["content"].get<std::string>(), tally);
  }
  EXPECT_EQ(tally.agreed + 1, tally.expected);
  EXPECT_EQ(tally.added, 0u);
}

TEST(Heritrix, RealDocuments) {
  CADDIS_TESTDATA_OR_SKIP(folder, "05-extractors");
  Tally tally;
  for (const std::string& line : testing::read_lines(folder + "/heritrix_oracle_docs.jsonl")) {
    const json item = json::parse(line);
    const std::string body = testing::read_file(folder + "/" + item["file"].get<std::string>());
    compare(item, item["file"], body, tally);
  }
  RecordProperty("expected", static_cast<int>(tally.expected));
  RecordProperty("agreed", static_cast<int>(tally.agreed));
  EXPECT_GE(tally.agreed * 100, tally.expected * 85);
}

}  // namespace
}  // namespace caddis::extract
