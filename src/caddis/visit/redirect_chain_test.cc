#include "caddis/visit/redirect_chain.h"

#include <gtest/gtest.h>

namespace caddis::visit {
namespace {

TEST(RedirectChain, TravelsWithACandidate) {
  frontier::Candidate candidate;
  EXPECT_TRUE(RedirectChain::of(candidate).hops.empty());
  RedirectChain chain;
  chain.walls = 2;
  chain.add({1, 10});
  chain.add({2, 20});
  chain.add({1, 30});
  chain.put_into(candidate);
  const RedirectChain read = RedirectChain::of(candidate);
  EXPECT_EQ(read.walls, 2u);
  ASSERT_EQ(read.hops.size(), 3u);
  EXPECT_EQ(read.find(1)->cookie, 30u);
  EXPECT_EQ(read.find(2)->cookie, 20u);
  EXPECT_EQ(read.find(3), nullptr);
}

TEST(RedirectChain, RemembersTheLatestHops) {
  RedirectChain chain;
  for (uint64_t i = 0; i < 20; ++i) chain.add({i, i});
  EXPECT_EQ(chain.hops.size(), RedirectChain::kMostHops);
  EXPECT_EQ(chain.find(11), nullptr);
  EXPECT_NE(chain.find(12), nullptr);
}

TEST(RedirectChain, DamagedBytesAreNoReasonToLoseAUrl) {
  for (const std::string_view bytes : {"", "\2\1", "\1", "\1\1abc"}) {
    frontier::Candidate candidate;
    candidate.attributes.set("redirects", std::string(bytes));
    EXPECT_TRUE(RedirectChain::of(candidate).hops.empty());
  }
}

}  // namespace
}  // namespace caddis::visit
