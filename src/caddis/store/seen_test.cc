#include "caddis/store/seen.h"

#include <gtest/gtest.h>

#include <memory>
#include <unordered_set>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/io/memory_files.h"

namespace caddis::store {
namespace {

std::vector<bool> insert(SeenSet& seen, const std::vector<uint64_t>& fingerprints) {
  const auto is_new = std::make_unique<bool[]>(fingerprints.size());
  EXPECT_TRUE(seen.insert_batch(fingerprints, std::span(is_new.get(), fingerprints.size())));
  return std::vector<bool>(is_new.get(), is_new.get() + fingerprints.size());
}

TEST(Seen, TellsNewFromOld) {
  SeenSet seen;
  EXPECT_EQ(seen.contains(7), false);
  EXPECT_EQ(seen.contains(0), false);
  EXPECT_EQ(insert(seen, {7, 0, 7, ~0ULL}), (std::vector<bool>{true, true, false, true}));
  EXPECT_EQ(insert(seen, {0, 8, 7}), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(insert(seen, {}), (std::vector<bool>{}));
  EXPECT_EQ(seen.size(), 4u);
  for (const uint64_t f : {0ULL, 7ULL, 8ULL, ~0ULL}) EXPECT_EQ(seen.contains(f), true);
  EXPECT_EQ(seen.contains(9), false);
}

TEST(Seen, IsExact) {
  SeededRandom random(1);
  SeenSet seen;
  std::unordered_set<uint64_t> expected;
  for (int round = 0; round < 3000; ++round) {
    std::vector<uint64_t> batch(random.below(300));
    for (uint64_t& f : batch) f = random.below(3) == 0 ? random.below(100'000) : random.next();
    const auto is_new = insert(seen, batch);
    for (size_t i = 0; i < batch.size(); ++i) ASSERT_EQ(is_new[i], expected.insert(batch[i]).second);
    ASSERT_EQ(seen.size(), expected.size());
  }
  for (const uint64_t f : expected) ASSERT_EQ(seen.contains(f), true);
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t f = random.next();
    ASSERT_EQ(seen.contains(f), expected.contains(f));
  }
  EXPECT_LT(seen.memory_bytes(), expected.size() * 14);
}

// All of one host: the partition bits are the same in every fingerprint.
TEST(Seen, OnePartitionIsAsGoodAsMany) {
  SeenSet seen;
  std::vector<uint64_t> batch;
  for (uint64_t i = 0; i < 300'000; ++i) batch.push_back(fingerprint("http://host/" + std::to_string(i), 1023, {1, 2}));
  for (const bool is_new : insert(seen, batch)) ASSERT_TRUE(is_new);
  for (const bool is_new : insert(seen, batch)) ASSERT_FALSE(is_new);
}

TEST(Seen, NumbersInARowDoNotClump) {
  SeenSet seen;
  std::vector<uint64_t> batch(1'000'000);
  for (size_t i = 0; i < batch.size(); ++i) batch[i] = i;
  insert(seen, batch);  // would take hours if they clumped
  EXPECT_EQ(seen.size(), batch.size());
}

TEST(Seen, IsRebuiltFromItsLog) {
  io::MemoryFiles files;
  SeededRandom random(1);
  std::string rows;
  std::vector<uint64_t> batch(100'000);
  for (uint64_t& f : batch) {
    f = random.next();
    append_fingerprint(rows, f);
  }
  auto log = *files.open_append("seen");
  ASSERT_TRUE(log->append(rows.substr(0, 80)));
  auto more = *files.open_append("seen.2");
  ASSERT_TRUE(more->append(rows.substr(80)));
  SeenSet seen;
  EXPECT_EQ(seen.load(files, std::nullopt, {.parts = {{"seen", {}}, {"seen.2", {}}}}), "");
  EXPECT_EQ(seen.size(), batch.size());
  for (const uint64_t f : batch) ASSERT_EQ(seen.contains(f), true);
  const SeenOnDisk both{{}, "runs", {.released = 0, .parts = {{"seen", 80}, {"seen.2", rows.size() - 80}}}};
  const SeenOnDisk one{{}, "runs", {.released = 0, .parts = {{"seen", 80}}}};
  for (const uint64_t f : {batch.front(), batch[9], batch[10], batch.back()})
    EXPECT_EQ(*seen_on_disk(files, both, f), true);
  EXPECT_EQ(*seen_on_disk(files, both, batch.front() + 1), false);
  EXPECT_EQ(*seen_on_disk(files, one, batch.back()), false);

  ASSERT_TRUE(log->append("x"));
  SeenSet none;
  EXPECT_EQ(none.load(files, std::nullopt, {.parts = {{"seen", {}}}}).error().code, ErrorCode::corrupt);
  EXPECT_EQ(none.size(), 0u);
  const SeenOnDisk torn{{}, "runs", {.released = 0, .parts = {{"seen", 81}}}};
  EXPECT_EQ(*seen_on_disk(files, torn, batch[9]), true) << "half a row at the end is none";
}

// Golden bytes: they are on users' disks (docs/formats/seen.md).
TEST(Fingerprint, IsPartitionAndKeyedHash) {
  const FingerprintKey key{0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL};
  const uint64_t f = fingerprint("https://example.org/", 0x2a5, key);
  EXPECT_EQ(partition_of(f), 0x2a5);
  std::string row;
  append_fingerprint(row, f);
  EXPECT_EQ(to_hex(row), "50dd115130356ba9");
  EXPECT_NE(f, fingerprint("https://example.org/", 0x2a5, {key.k0, key.k1 + 1}));
  EXPECT_NE(f, fingerprint("https://example.org", 0x2a5, key));
}

}  // namespace
}  // namespace caddis::store
