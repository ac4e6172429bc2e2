#include "caddis/protocols/host_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace caddis::protocols {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(HostKeys, TheFirstOneCounts) {
  HostKeys keys;
  keys.load("old.example:22", "SHA256:old");
  EXPECT_EQ(keys.first_of("old.example:22", "SHA256:other"), "SHA256:old");
  EXPECT_EQ(keys.first_of("new.example:22", "SHA256:one"), "SHA256:one");
  EXPECT_EQ(keys.first_of("new.example:22", "SHA256:two"), "SHA256:one");
  EXPECT_EQ(keys.first_of("new.example:2222", "SHA256:two"), "SHA256:two");
  EXPECT_THAT(keys.take_new(),
              ElementsAre(Pair("new.example:22", "SHA256:one"), Pair("new.example:2222", "SHA256:two")));
  EXPECT_THAT(keys.take_new(), IsEmpty());
}

}  // namespace
}  // namespace caddis::protocols
