#include "caddis/dns/cache.h"

#include <gtest/gtest.h>

namespace caddis::dns {
namespace {

using namespace std::chrono_literals;

Answer answer_of(const std::string& host) {
  Answer answer;
  answer.host = host;
  return answer;
}

TEST(Cache, ForgetsWhatIsOldAndWhatIsNotUsed) {
  Cache cache(3);
  const SteadyTime now(1h);
  for (const char* host : {"a", "b", "c"}) cache.put(host, answer_of(host), now + 1h);
  EXPECT_TRUE(cache.find("a", now));  // now b is the oldest
  cache.put("d", answer_of("d"), now + 1min);
  EXPECT_FALSE(cache.find("b", now));
  EXPECT_TRUE(cache.find("a", now));
  EXPECT_FALSE(cache.find("d", now + 1min));
  EXPECT_EQ(cache.size(), 2u);
  cache.put("a", answer_of("new"), now + 2h);
  EXPECT_EQ((*cache.find("a", now + 90min))->host, "new");
  EXPECT_EQ(cache.size(), 2u);
}

}  // namespace
}  // namespace caddis::dns
