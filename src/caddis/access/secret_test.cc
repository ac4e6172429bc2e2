#include "caddis/access/secret.h"

#include <gtest/gtest.h>

namespace caddis::access {
namespace {

TEST(Secret, IsLongAndNew) {
  const std::string one = new_secret();
  EXPECT_EQ(one.size(), 64u);
  EXPECT_EQ(one.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(one, new_secret());
  EXPECT_EQ(new_password().size(), 24u);
  EXPECT_NE(new_password(), new_password());
}

TEST(Secret, IsTheSameOnlyAsAWhole) {
  EXPECT_TRUE(are_same("abc", "abc"));
  EXPECT_TRUE(are_same("", ""));
  for (const char* other : {"abd", "ab", "abcd", "", "Abc"}) EXPECT_FALSE(are_same("abc", other)) << other;
}

}  // namespace
}  // namespace caddis::access
