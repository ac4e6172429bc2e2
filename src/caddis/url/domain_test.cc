#include "caddis/url/domain.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "caddis/base/strings.h"
#include "support/testdata.h"

namespace caddis::url {
namespace {

TEST(Domain, BuiltinList) {
  EXPECT_EQ(registrable_domain("www.example.co.uk"), "example.co.uk");
  EXPECT_EQ(registrable_domain("example.com."), "example.com.");
  EXPECT_EQ(registrable_domain("co.uk"), "");
  EXPECT_EQ(registrable_domain("localhost"), "");
  EXPECT_EQ(registrable_domain("127.0.0.1"), "");
  EXPECT_EQ(registrable_domain("[::1]"), "");
  EXPECT_EQ(registrable_domain(""), "");
  EXPECT_EQ(registrable_domain("."), "");
  EXPECT_EQ(registrable_domain(std::string(5000, 'a') + ".com"), "");
}

TEST(Domain, PublicSuffixTests) {
  CADDIS_TESTDATA_OR_SKIP(cases, "10-psl/test_psl.jsonl");
  CADDIS_TESTDATA_OR_SKIP(dat, "10-psl/public_suffix_list.dat");
  const auto list = SuffixList::from_text(testing::read_file(dat));
  ASSERT_TRUE(list);
  int count = 0;
  for (const std::string& line : testing::read_lines(cases)) {
    const auto test = nlohmann::json::parse(line);
    const std::string host = test.at("in").is_null() ? "" : test.at("in").get<std::string>();
    const auto expected = test.at("registrable_domain");
    EXPECT_EQ(to_lower(list->registrable_domain(host)), expected.is_null() ? "" : expected.get<std::string>()) << line;
    ++count;
  }
  EXPECT_EQ(count, 78);
}

TEST(Domain, RefusesAnEmptyList) { EXPECT_FALSE(SuffixList::from_text("")); }

}  // namespace
}  // namespace caddis::url
