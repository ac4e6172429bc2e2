#include "caddis/aio/process_use.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>

namespace caddis::aio {
namespace {

TEST(ProcessUse, CountsMemoryAndTime) {
  constexpr size_t kBytes = 64 << 20;
  const ProcessUse before = process_use();
  const auto block = std::make_unique<char[]>(kBytes);
  std::memset(block.get(), 1, kBytes);
  const ProcessUse after = process_use();
  EXPECT_EQ(block[kBytes - 1], 1);
  EXPECT_GE(after.memory, before.memory + kBytes / 2);
  EXPECT_GT(after.processor, before.processor);
}

}  // namespace
}  // namespace caddis::aio
