#include "caddis/base/fingerprint_set.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace caddis {
namespace {

std::string name(size_t number) { return "host" + std::to_string(number) + ".example"; }

TEST(FingerprintSet, KnowsWhatWasInserted) {
  FingerprintSet set;
  EXPECT_FALSE(set.contains("a"));
  for (size_t i = 0; i < 50'000; ++i) ASSERT_TRUE(set.insert(name(i)));
  EXPECT_FALSE(set.insert(name(7)));
  EXPECT_EQ(set.size(), 50'000u);
  for (size_t i = 0; i < 50'000; ++i) ASSERT_TRUE(set.contains(name(i)));
  for (size_t i = 50'000; i < 100'000; ++i) ASSERT_FALSE(set.contains(name(i)));
}

TEST(FingerprintSet, TakesTenBytesForEachIfItIsToldBefore) {
  FingerprintSet set;
  set.reserve(100'000);
  for (size_t i = 0; i < 100'000; ++i) set.insert(name(i));
  EXPECT_LE(set.bytes(), 1'000'100u);
  set.reserve(0);
  EXPECT_LE(set.bytes(), 1'000'100u);
}

TEST(FingerprintSet, IsReadWhileItGrows) {
  FingerprintSet set;
  set.insert(name(0));
  std::atomic<bool> done = false;
  std::thread reader([&] {
    while (!done) {
      ASSERT_TRUE(set.contains(name(0)));
      ASSERT_FALSE(set.contains("none"));
    }
  });
  std::thread other([&] {
    for (size_t i = 0; i < 20'000; ++i) set.insert(name(i));
  });
  for (size_t i = 10'000; i < 30'000; ++i) set.insert(name(i));
  other.join();
  done = true;
  reader.join();
  EXPECT_EQ(set.size(), 30'000u);
}

}  // namespace
}  // namespace caddis
