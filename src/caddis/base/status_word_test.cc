#include "caddis/base/status_word.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace caddis {
namespace {

TEST(StatusWord, EachStatusThatIsNoAnswerHasOneOfItsOwn) {
  std::set<std::string_view> words;
  for (const StatusInfo& info : all_statuses()) {
    const std::string_view word = status_word(info.status);
    EXPECT_EQ(word.empty(), is_success(info.status)) << info.name;
    if (word.empty()) continue;
    EXPECT_TRUE(words.insert(word).second) << word;
    EXPECT_EQ(status_of_word(word), info.status) << word;
  }
  EXPECT_EQ(words.size(), all_status_words().size());
}

TEST(StatusWord, OfATimeout) {
  EXPECT_EQ(status_word(status::kConnectFailed, true), "connect-timeout");
  EXPECT_EQ(status_of_word("connect-timeout"), status::kConnectFailed);
  EXPECT_EQ(status_word(status::kTimeout, true), "response-timeout");
}

TEST(StatusWord, OthersHaveNone) {
  EXPECT_EQ(status_word(200), "");
  EXPECT_EQ(status_word(-12345), "");
  EXPECT_EQ(status_of_word("fine"), std::nullopt);
}

}  // namespace
}  // namespace caddis
