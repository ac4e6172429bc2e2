#include "caddis/control/deletion.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <vector>

namespace caddis::control {
namespace {

// Answers one after the other: a count and a marker, or a refusal.
struct Crawl {
  struct Answer {
    int urls;  // below 0: the marker no longer holds
    const char* marker;
  };
  std::vector<Answer> answers;
  std::vector<std::string> asked = {};

  AskPart part(const char* count) {
    return [this, count](const std::string& marker) -> Result<std::string> {
      asked.push_back(marker);
      const Answer answer = answers[std::min(asked.size(), answers.size()) - 1];
      if (answer.urls < 0) return fail(ErrorCode::conflict, "the marker no longer holds");
      return fmt::format(R"({{"{}": {}, "marker": "{}"}})", count, answer.urls, answer.marker);
    };
  }
};

using Markers = std::vector<std::string>;

TEST(Deletion, GoesOnUntilAllIsDeleted) {
  Crawl crawl{{{5, "a"}, {7, "b"}, {1, ""}}};
  EXPECT_EQ(*delete_in_parts(crawl.part("deleted")), 13u);
  EXPECT_EQ(crawl.asked, (Markers{"", "a", "b"}));
}

TEST(Deletion, BeginsAgainWhereAMarkerNoLongerHolds) {
  Crawl crawl{{{5, "a"}, {-1, ""}, {0, "b"}, {7, "c"}, {-1, ""}, {0, ""}}};
  EXPECT_EQ(*delete_in_parts(crawl.part("deleted")), 12u);
  EXPECT_EQ(crawl.asked, (Markers{"", "a", "", "b", "c", ""}));
}

TEST(Deletion, CountsAnewWhereNothingWasDeleted) {
  Crawl crawl{{{5, "a"}, {-1, ""}, {5, "b"}, {7, ""}}};
  EXPECT_EQ(*count_in_parts(crawl.part("would_delete")), 12u);
}

TEST(Deletion, SaysHowManyAreGoneIfItEndsHalfWay) {
  int asked = 0;
  const AskPart ask = [&](const std::string&) -> Result<std::string> {
    if (asked++ < 2) return std::string(R"({"deleted": 4, "marker": "m"})");
    return fail(ErrorCode::timeout, "the crawl does not answer");
  };
  const auto done = delete_in_parts(ask);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "the crawl does not answer; 8 deleted until now");
}

TEST(Deletion, GivesUpInTheEnd) {
  std::vector<Crawl::Answer> never;
  for (int i = 0; i < 50; ++i) never.insert(never.end(), {{3, "a"}, {-1, ""}});
  Crawl crawl{never};
  EXPECT_EQ(count_in_parts(crawl.part("would_delete")).error().code, ErrorCode::conflict);
  Crawl other{{{-1, ""}}};
  EXPECT_FALSE(delete_in_parts(other.part("deleted"))) << "without a marker it is another conflict";
  EXPECT_EQ(other.asked.size(), 1u);
  Crawl strange{{{1, ""}}};
  EXPECT_EQ(delete_in_parts(strange.part("other")).error().code, ErrorCode::parse);
}

}  // namespace
}  // namespace caddis::control
