// Indexes under the keys of other policies: found, mixed, refused, rewritten.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "caddis/base/clock.h"
#include "caddis/base/random.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/key_slice.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/query_run.h"
#include "caddis/cdx/rekey.h"
#include "caddis/io/memory_files.h"

namespace caddis::cdx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

url::KeyPolicy policy(std::string_view notation) { return url::KeyPolicy::parse(notation).value(); }

std::string rest(std::string_view url, std::string_view timestamp) {
  return std::string(timestamp) + " {\"url\": \"" + std::string(url) +
         "\", \"mime\": \"text/html\", \"status\": \"200\", \"offset\": \"" + std::string(timestamp) +
         "\", \"filename\": \"f\"}\n";
}

class Keys : public ::testing::Test {
 protected:
  struct Visit {
    std::string url, timestamp;
  };
  // An index of these captures, by a policy.
  void put(const std::string& path, const std::vector<Visit>& visits, const url::KeyPolicy& by, bool with_meta = true) {
    ASSERT_TRUE(files.make_dirs("c/indexes"));
    std::vector<std::string> lines;
    for (const Visit& visit : visits)
      lines.push_back(index_key(visit.url, by, visit.timestamp) + ' ' + rest(visit.url, visit.timestamp));
    std::ranges::sort(lines);
    std::string text;
    for (const std::string& line : lines) text += line;
    ASSERT_TRUE(files.write_atomically(path, text));
    if (with_meta) ASSERT_TRUE(write_index_meta(files, path, by, std::vector<uint64_t>()));
  }
  std::vector<std::string> ask(CaptureIndex& index, const std::string& query) {
    std::vector<std::string> found;
    const auto parsed = parse_query(query);
    const auto captures = parsed ? run_query(index, *parsed) : std::unexpected(parsed.error());
    if (!captures) return {captures.error().message};
    for (const Capture& capture : *captures) found.push_back(capture.timestamp.substr(0, 4) + " " + capture.url);
    return found;
  }
  io::MemoryFiles files;
  ManualClock clock;
};

TEST_F(Keys, EachIndexIsAskedByItsOwnPolicy) {
  put("c/indexes/1.cdxj", {{"http://a.com/X", "20200101000000"}, {"http://a.com/x", "20220101000000"}},
      policy("ia-surt"), false);
  put("c/indexes/2.cdxj", {{"http://a.com/X", "20210101000000"}, {"http://a.com/x", "20230101000000"}},
      policy("ia-surt -lowercase-parts"));
  put("c/indexes/3.cdxj", {{"http://a.com/x", "20240101000000"}, {"http://b.com/", "20240101000000"}}, policy("exact"));
  CaptureIndex index(files, clock, "c");
  EXPECT_THAT(ask(index, "url=http://a.com/x"),
              ElementsAre("2020 http://a.com/X", "2022 http://a.com/x", "2023 http://a.com/x", "2024 http://a.com/x"));
  EXPECT_THAT(ask(index, "url=http://a.com/X"),
              ElementsAre("2020 http://a.com/X", "2021 http://a.com/X", "2022 http://a.com/x"));
  EXPECT_THAT(ask(index, "url=http://a.com/x&exact=1"),
              ElementsAre("2022 http://a.com/x", "2023 http://a.com/x", "2024 http://a.com/x"));
  EXPECT_THAT(ask(index, "url=http://a.com/x&sort=reverse&limit=2"),
              ElementsAre("2024 http://a.com/x", "2023 http://a.com/x"));
  EXPECT_THAT(ask(index, "url=http://a.com/x&closest=2022"),
              ElementsAre("2022 http://a.com/x", "2023 http://a.com/x", "2024 http://a.com/x", "2020 http://a.com/X"));
  EXPECT_THAT(ask(index, "url=http://a.com/x&from=2021&to=2023"),
              ElementsAre("2022 http://a.com/x", "2023 http://a.com/x"));
  EXPECT_EQ(ask(index, "url=http://a.com/*").size(), 5u);
  EXPECT_EQ(ask(index, "url=a.com&matchType=host").size(), 5u);
  EXPECT_THAT(ask(index, "url=a.com&matchType=domain"), ElementsAre(HasSubstr("do not begin with the domain")));

  const auto captures = index.captures_of("http://a.com/x");
  EXPECT_EQ(captures->key(), "com,a)/x");
  EXPECT_EQ(captures->closest("2023", 1)->front().urlkey, "com,a)/x") << "under one key, wherever it was found";
  const auto around = captures->neighbours("20220101000000");
  EXPECT_EQ(around->first->timestamp, "20200101000000");
  EXPECT_EQ(around->previous->timestamp, "20200101000000");
  EXPECT_EQ(around->next->timestamp, "20230101000000");
  EXPECT_EQ(around->last->timestamp, "20240101000000");
  EXPECT_EQ(index.neighbours(captures->closest("2023", 1)->front())->next->timestamp, "20240101000000");
}

// A rule for a period: a URL has had several keys.
TEST_F(Keys, PeriodsOfCaptures) {
  const url::KeyPolicy dated = policy("ia-surt +index-document@from(2010),to(2012)");
  put("c/indexes/1.cdxj",
      {{"http://a.com/index.html", "20090101000000"},
       {"http://a.com/", "20100101000000"},
       {"http://a.com/index.html", "20110101000000"},
       {"http://a.com/index.html", "20120101000000"},
       {"http://a.com/index.html", "20130101000000"},
       {"http://a.com/", "20140101000000"}},
      dated);
  CaptureIndex index(files, clock, "c");
  EXPECT_THAT(ask(index, "url=http://a.com/index.html"),
              ElementsAre("2009 http://a.com/index.html", "2010 http://a.com/", "2011 http://a.com/index.html",
                          "2012 http://a.com/index.html", "2013 http://a.com/index.html"));
  EXPECT_THAT(ask(index, "url=http://a.com/"), ElementsAre("2010 http://a.com/", "2011 http://a.com/index.html",
                                                           "2012 http://a.com/index.html", "2014 http://a.com/"));
  EXPECT_EQ(ask(index, "url=http://a.com/*").size(), 6u) << "each once, though ranges overlap";
  EXPECT_EQ(index.captures_like(index.captures_of("http://a.com/index.html")->closest("2011", 1)->front())
                ->closest("2000", 100)
                ->size(),
            5u);
}

// A slice is what a filter of the whole row would give, from both ends and any place.
TEST_F(Keys, SlicesWalkBothWays) {
  SeededRandom random(7);
  const auto lines = std::make_shared<MemoryLines>();
  std::set<std::string> want;
  const url::KeyPeriod period{"2003", "2007"};
  for (int i = 0; i < 200; ++i) {
    const std::string key = std::array{"a", "a)", "ab", "b", "Z"}[random.below(5)];
    const std::string timestamp = std::to_string(2000 + random.below(10)) + std::to_string(1000 + random.below(9000));
    lines->add(key + ' ' + timestamp + " {}");
    if (key == "a)" && timestamp >= period.from && timestamp < period.to) want.insert("k " + timestamp + " {}");
  }
  ASSERT_GT(want.size(), 5u);
  KeySlice slice(lines, "a)", period, "k");
  std::vector<std::string> places = {"", "k", "k ", "k!", "j", "z", "k 2004", "k 2002", "k 2009"};
  places.insert(places.end(), want.begin(), want.end());
  for (const std::string& place : places) {
    auto cursor = slice.seek(place).value();
    auto expected = want.lower_bound(place);
    EXPECT_EQ(cursor->at_end() ? "" : cursor->line(), expected == want.end() ? "" : *expected) << place;
    const auto back = cursor->previous();
    EXPECT_EQ(*back, expected != want.begin()) << place;
    if (*back) EXPECT_EQ(cursor->line(), *--expected);
    for (; expected != want.end(); ++expected) {
      EXPECT_EQ(cursor->line(), *expected);
      ASSERT_TRUE(cursor->next());
    }
    EXPECT_TRUE(cursor->at_end());
  }
}

TEST_F(Keys, MetaNamesPolicyStepsAndHash) {
  put("c/indexes/1.cdxj", {}, policy("exact"));
  EXPECT_EQ(files.read_all("c/indexes/1.cdxj.meta").value(),
            "{\"format\":\"caddis-cdxj/1\",\"key_policy\":\"exact/1\",\"key_steps\":\"whatwg-parse strip-fragment "
            "write-url\",\"key_hash\":\"" +
                policy("exact").hash() + "\"}\n");
  EXPECT_EQ(read_index_meta(files, "c/indexes/1.cdxj").policy, policy("exact"));
  EXPECT_EQ(read_index_meta(files, "c/indexes/none.cdxj").policy, url::KeyPolicy::ia_surt());
  const auto refused = check_key_policy(files, "c/indexes/1.cdxj", policy("ssurt"));
  EXPECT_THAT(refused.error().message,
              HasSubstr("its keys are by 'exact/1', not by 'ssurt/1': rewrite them with caddis index rekey"));
}

TEST_F(Keys, AnIndexThatCannotBeAskedIsToldAndServedOnceItCan) {
  put("c/indexes/1.cdxj", {{"http://a.com/", "20200101000000"}}, url::KeyPolicy::ia_surt());
  const std::pair<std::string, std::string> metas[] = {
      {R"({"key_policy":"ia-surt/9"})", "which this Caddis cannot make"},
      {R"({"key_policy":"ia-surt/1 +fly"})", "there is no step 'fly'"},
      {R"({"key_policy":"ia-surt/1","key_hash":"0000000000000000"})", "with other steps than that policy has here"},
      {R"({"rewriting_to":"exact/1"})", "give caddis index rekey once more"},
  };
  CaptureIndex index(files, clock, "c");
  for (const auto& [meta, why] : metas) {
    ASSERT_TRUE(files.write_atomically("c/indexes/1.cdxj.meta", meta));
    clock.advance(std::chrono::seconds(1));
    EXPECT_THAT(ask(index, "url=a.com"), ElementsAre()) << meta;
    EXPECT_THAT(index.problems(), ElementsAre(HasSubstr(why)));
  }
  ASSERT_TRUE(rekey_index(files, "c/indexes/1.cdxj", url::KeyPolicy::ia_surt(), {}));
  clock.advance(std::chrono::seconds(1));
  EXPECT_EQ(ask(index, "url=a.com").size(), 1u);
  EXPECT_TRUE(index.problems().empty());
}

TEST_F(Keys, TheJournalOfACrawlHasAPolicyToo) {
  ASSERT_TRUE(files.make_dirs("c/crawls/l/state"));
  const std::string journal = "c/crawls/l/state/cdx-journal";
  ASSERT_TRUE(files.write_atomically(journal, "http://a.com/X " + rest("http://a.com/X", "20200101000000")));
  ASSERT_TRUE(write_index_meta(files, journal, policy("exact"), std::vector<uint64_t>()));
  CaptureIndex index(files, clock, "c");
  EXPECT_EQ(ask(index, "url=http://a.com/X").size(), 1u);
  EXPECT_EQ(ask(index, "url=http://a.com/x").size(), 0u);
}

// ---- rekey

TEST_F(Keys, RekeyedEqualsANewIndex) {
  SeededRandom random(3);
  std::vector<Visit> visits;
  for (int i = 0; i < 500; ++i)
    visits.push_back({"http://www" + std::to_string(random.below(3)) + ".a" + std::to_string(random.below(5)) +
                          ".com/" + std::array{"", "index.html", "X", "x", "b/"}[random.below(5)],
                      std::to_string(20080000000000 + static_cast<int64_t>(random.below(9)) * 10000000000 + i)});
  const url::KeyPolicy to = policy("ia-surt -strip-www-n -lowercase-parts +index-document@from(2010),to(2012)");
  put("c/indexes/old.cdxj", visits, url::KeyPolicy::ia_surt());
  put("c/indexes/new.cdxj", visits, to);
  for (const size_t memory : {size_t{2000}, size_t{1} << 20}) {
    const auto lines = rekey_index(files, "c/indexes/old.cdxj", to, {.output = "c/out.cdxj", .memory = memory});
    ASSERT_TRUE(lines) << lines.error().message;
    EXPECT_EQ(*lines, 500u);
    EXPECT_EQ(files.read_all("c/out.cdxj").value(), files.read_all("c/indexes/new.cdxj").value());
    EXPECT_EQ(files.read_all("c/out.cdxj.meta").value(), files.read_all("c/indexes/new.cdxj.meta").value());
    EXPECT_EQ(rekey_index(files, "c/indexes/old.cdxj", to, {.output = "c/out.cdxj"}).error().code, ErrorCode::conflict);
    ASSERT_TRUE(files.remove("c/out.cdxj"));
  }
  ASSERT_TRUE(rekey_index(files, "c/indexes/old.cdxj", to, {}));
  EXPECT_EQ(files.read_all("c/indexes/old.cdxj").value(), files.read_all("c/indexes/new.cdxj").value());
}

// Whatever fails on the way: the index is the old one with its policy, or is not used until rekey is done.
TEST_F(Keys, ARekeyThatFailsNeverLeavesKeysOfAnotherPolicy) {
  const url::KeyPolicy to = policy("exact");
  bool has_refused = false;
  uint64_t operations = 1;
  for (uint64_t nth = 1; operations + 1 >= nth; ++nth) {
    SCOPED_TRACE(nth);
    put("c/indexes/1.cdxj", {{"http://A.com/X", "20200101000000"}}, url::KeyPolicy::ia_surt());
    ASSERT_TRUE(write_index_meta(files, "c/indexes/1.cdxj", url::KeyPolicy::ia_surt(), std::vector<uint64_t>{77}));
    operations = 0;
    files.set_gate([&](io::MemoryFiles::Operation, const std::string&) -> Result<void> {
      return ++operations == nth ? fail(ErrorCode::io, "broken") : Result<void>();
    });
    (void)rekey_index(files, "c/indexes/1.cdxj", to, {});
    files.set_gate({});
    const IndexMeta meta = read_index_meta(files, "c/indexes/1.cdxj");
    const std::string line = files.read_all("c/indexes/1.cdxj").value();
    has_refused = has_refused || !meta.policy;
    if (meta.policy) EXPECT_EQ(line.substr(0, line.find(' ')), index_key("http://A.com/X", *meta.policy));
    ASSERT_TRUE(rekey_index(files, "c/indexes/1.cdxj", to, {}));
    EXPECT_EQ(read_index_meta(files, "c/indexes/1.cdxj").policy, to);
    EXPECT_EQ(read_index_meta(files, "c/indexes/1.cdxj").journal, std::vector<uint64_t>{77});
    EXPECT_TRUE(files.read_all("c/indexes/1.cdxj")->starts_with("http://a.com/X 2020"));
  }
  EXPECT_TRUE(has_refused);
}

TEST_F(Keys, RekeyMakesCdxjOfCdx) {
  ASSERT_TRUE(files.make_dirs("c"));
  ASSERT_TRUE(files.write_atomically(
      "c/x.cdx",
      " CDX N b a m s k r M S V g\ncom,b)/ 20260101000000 http://b.com/X text/html 200 D - - 5 0 b.warc.gz\n"));
  ASSERT_TRUE(rekey_index(files, "c/x.cdx", policy("exact"), {.output = "c/x.cdxj"}));
  EXPECT_EQ(files.read_all("c/x.cdxj").value(),
            "http://b.com/X 20260101000000 {\"url\": \"http://b.com/X\", \"mime\": \"text/html\", \"status\": \"200\", "
            "\"digest\": \"D\", \"length\": \"5\", \"offset\": \"0\", \"filename\": \"b.warc.gz\"}\n");
  ASSERT_TRUE(files.write_atomically("c/y.cdxj", "com,b)/ 20260101000000 {\"filename\": \"x\"}\n"));
  EXPECT_THAT(rekey_index(files, "c/y.cdxj", policy("exact"), {}).error().message, HasSubstr("names no URL"));
  EXPECT_EQ(rekey_index(files, "c/none.cdxj", policy("exact"), {}).error().code, ErrorCode::not_found);
}

TEST_F(Keys, RekeyKeepsALastLineWithoutLineEnd) {
  const std::string cut = "com,a)/x " + rest("http://a.com/X", "20200101000000");
  ASSERT_TRUE(files.make_dirs("c"));
  ASSERT_TRUE(files.write_atomically("c/x.cdxj", cut.substr(0, cut.find('\n'))));
  EXPECT_EQ(*rekey_index(files, "c/x.cdxj", policy("exact"), {}), 1u);
  EXPECT_TRUE(files.read_all("c/x.cdxj")->starts_with("http://a.com/X 2020"));
}

TEST(KeyRangeOfPolicies, ByTheFormOfTheirKeys) {
  const auto range = [](std::string_view by, const char* url, MatchType match) {
    const auto found = key_range(url, match, policy(by));
    return found ? found->from + " .. " + found->to : found.error().message;
  };
  EXPECT_EQ(range("ssurt", "http://example.com/a", MatchType::host), "com,example,// .. com,example,/0");
  EXPECT_EQ(range("ssurt", "http://example.com/a", MatchType::domain), "com,example, .. com,example-");
  EXPECT_EQ(range("exact", "http://example.com/a", MatchType::host), "http://example.com/ .. http://example.com0");
  EXPECT_EQ(range("exact", "http://example.com/a", MatchType::prefix), "http://example.com/a .. http://example.com/b");
  EXPECT_EQ(range("owb-aggressive", "http://www.example.com/a", MatchType::host), "example.com/ .. example.com0");
  EXPECT_EQ(range("outback", "http://www.example.com:8080/a", MatchType::host), "com,example) .. com,example*");
  EXPECT_EQ(range("outback", "http://example.com/a", MatchType::domain), "com,example) .. com,example-");
  EXPECT_EQ(range("outback", "http://192.0.2.1/a", MatchType::domain), "192.0.2.1/ .. 192.0.2.10");
  EXPECT_THAT(range("exact", "http://example.com/", MatchType::domain), HasSubstr("caddis index rekey"));
}

}  // namespace
}  // namespace caddis::cdx
