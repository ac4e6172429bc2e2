#include "caddis/store/seen_run.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "caddis/base/random.h"
#include "caddis/base/strings.h"
#include "caddis/io/memory_files.h"
#include "caddis/store/seen_filter.h"
#include "caddis/store/seen_salvage.h"
#include "caddis/store/seen_state.h"

namespace caddis::store {
namespace {

std::shared_ptr<const SeenRun> write(io::Files& files, uint64_t number, const std::vector<uint64_t>& values) {
  auto writer = *SeenRunWriter::create(files, "/runs", number, values.size());
  EXPECT_TRUE(writer->add(values));
  EXPECT_TRUE(writer->finish());
  auto run = SeenRun::open(files, "/runs", number, values.size());
  EXPECT_TRUE(run) << run.error().message;
  return *run;
}

std::vector<uint64_t> sorted_values(uint64_t seed, size_t count) {
  SeededRandom random(seed);
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = random.next();
  std::ranges::sort(values);
  return values;
}

TEST(SeenRun, GivesBackWhatWasWritten) {
  for (const size_t count : {0, 1, 2, 511, 512, 513, 1024, 5000, 300'000}) {
    SCOPED_TRACE(count);
    io::MemoryFiles files;
    const std::vector<uint64_t> values = sorted_values(count, count);
    const auto run = write(files, 7, values);
    EXPECT_EQ(run->values(), count);
    std::vector<uint64_t> read;
    SeenRunScan scan(run);
    for (auto some = scan.next(); some && !some->empty(); some = scan.next())
      read.insert(read.end(), some->begin(), some->end());
    EXPECT_EQ(read, values);
    std::string block;
    for (size_t i = 0; i < count; i += 1 + count / 1000) {
      const uint64_t value = values[i];
      ASSERT_TRUE(run->read_block(run->block_of(value), block));
      ASSERT_TRUE(run->block_contains(run->block_of(value), block, value));
      if (std::ranges::binary_search(values, value + 1) || run->block_of(value) != run->block_of(value + 1)) continue;
      ASSERT_FALSE(run->block_contains(run->block_of(value), block, value + 1));
    }
  }
}

TEST(SeenRun, HoldsExtremesAndCrowds) {
  io::MemoryFiles files;
  std::vector<uint64_t> values;
  for (uint64_t i = 1; i <= 3000; ++i) values.push_back(i);  // all in the first of eight blocks
  values.push_back(~0ULL - 1);
  values.push_back(~0ULL);
  const auto run = write(files, 1, values);
  std::string block;
  for (const uint64_t value : values) {
    ASSERT_TRUE(*run->read_block_at_once(run->block_of(value), block));
    ASSERT_TRUE(run->block_contains(run->block_of(value), block, value)) << value;
  }
}

TEST(SeenRun, OtherCountsAreDamage) {
  io::MemoryFiles files;
  auto writer = *SeenRunWriter::create(files, "/runs", 1, 3);
  const uint64_t values[] = {1, 2};
  ASSERT_TRUE(writer->add(values));
  EXPECT_EQ(writer->finish().error().code, ErrorCode::corrupt);
  write(files, 1, {1, 2});
  EXPECT_EQ(SeenRun::open(files, "/runs", 1, 3).error().code, ErrorCode::corrupt);
  ASSERT_TRUE(files.rename("/runs/000001.run", "/runs/000002.run"));
  EXPECT_EQ(SeenRun::open(files, "/runs", 2, 2).error().code, ErrorCode::corrupt);
}

TEST(SeenRun, EveryChangedByteIsFound) {
  io::MemoryFiles files;
  write(files, 1, sorted_values(1, 600));
  const std::string bytes = *files.read_all("/runs/000001.run");
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    ASSERT_TRUE(files.write_atomically("/runs/000001.run", damaged));
    const auto run = SeenRun::open(files, "/runs", 1, 600);
    if (!run) continue;
    SeenRunScan scan(*run);
    Result<std::span<const uint64_t>> some = scan.next();
    ASSERT_FALSE(some) << "byte " << at;
    ASSERT_EQ(some.error().code, ErrorCode::corrupt);
  }
}

TEST(SeenRun, SalvagesWhatADamagedBlockHas) {
  io::MemoryFiles files;
  const std::vector<uint64_t> values = sorted_values(1, 5000);
  write(files, 1, values);
  const std::string bytes = *files.read_all("/runs/000001.run");
  const uint64_t value_bytes = values.size() * SeenRunShape(values.size()).width;
  for (uint64_t at = 0; at < value_bytes; at += 97) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    ASSERT_TRUE(files.write_atomically("/runs/000001.run", damaged));
    const auto salvaged = salvage_run(files, "/runs", {.number = 1, .values = values.size()}, 2);
    ASSERT_TRUE(salvaged) << salvaged.error().message;
    EXPECT_EQ(salvaged->damaged_blocks, 1u);
    EXPECT_LT(salvaged->damaged_values, 600u);
    SeenRunScan scan(*SeenRun::open(files, "/runs", 2, salvaged->run.values));
    std::vector<uint64_t> left, kept;
    for (auto some = *scan.next(); !some.empty(); some = *scan.next())
      left.insert(left.end(), some.begin(), some.end());
    EXPECT_TRUE(std::ranges::is_sorted(left));
    std::ranges::set_intersection(values, left, std::back_inserter(kept));
    EXPECT_GE(kept.size(), values.size() - 1) << at;
  }
  ASSERT_TRUE(files.write_atomically("/runs/000001.run", bytes.substr(0, value_bytes)));
  EXPECT_EQ(salvage_run(files, "/runs", {.number = 1, .values = values.size()}, 3).error().code, ErrorCode::corrupt);
}

// A file of which the disk does not give one byte, and whatever is read with it.
class BadSector : public io::MemoryFiles {
 public:
  explicit BadSector(uint64_t at) : at_(at) {}
  Result<std::unique_ptr<io::File>> open_read(const std::string& path) override {
    TRY(auto file, io::MemoryFiles::open_read(path));
    if (!path.ends_with("000001.run")) return file;
    return std::unique_ptr<io::File>(std::make_unique<BadFile>(std::move(file), at_));
  }

 private:
  class BadFile : public io::File {
   public:
    BadFile(std::unique_ptr<io::File> file, uint64_t at) : file_(std::move(file)), at_(at) {}
    Result<size_t> read_at(uint64_t offset, char* buffer, size_t size) const override {
      if (offset <= at_ && at_ < offset + size) return fail(ErrorCode::io, "bad sector");
      return file_->read_at(offset, buffer, size);
    }
    Result<void> append(std::string_view) override { return fail(ErrorCode::io, "it is read"); }
    Result<void> sync() override { return {}; }
    Result<void> truncate(uint64_t) override { return fail(ErrorCode::io, "it is read"); }
    Result<uint64_t> size() const override { return file_->size(); }

   private:
    std::unique_ptr<io::File> file_;
    uint64_t at_;
  };
  uint64_t at_;
};

TEST(SeenRun, SalvagesWhatABadSectorLeaves) {
  const std::vector<uint64_t> values = sorted_values(1, 5000);
  const uint64_t value_bytes = values.size() * SeenRunShape(values.size()).width;
  for (uint64_t at = 0; at < value_bytes; at += 997) {
    BadSector files(at);
    write(files, 1, values);
    SeenRunScan refused(*SeenRun::open(files, "/runs", 1, values.size()));
    EXPECT_EQ(refused.next().error().code, ErrorCode::corrupt);
    const auto salvaged = salvage_run(files, "/runs", {.number = 1, .values = values.size()}, 2);
    ASSERT_TRUE(salvaged) << salvaged.error().message;
    EXPECT_EQ(salvaged->damaged_blocks, 1u);
    EXPECT_EQ(salvaged->run.values + salvaged->damaged_values, values.size());
    SeenRunScan scan(*SeenRun::open(files, "/runs", 2, salvaged->run.values));
    std::vector<uint64_t> left;
    for (auto some = *scan.next(); !some.empty(); some = *scan.next())
      left.insert(left.end(), some.begin(), some.end());
    EXPECT_TRUE(std::ranges::includes(values, left));
  }
}

// Golden bytes: they are on users' disks (docs/formats/seen.md).
TEST(SeenRun, IsWrittenAsDocumented) {
  io::MemoryFiles files;
  write(files, 3, {0x0102030405060708, 0xfffefdfcfbfaf9f8});
  EXPECT_EQ(to_hex(*files.read_all("/runs/000003.run")),
            "0807060504030201"
            "f8f9fafbfcfdfeff"
            "9df39f3d"  // the only block
            "02000000"  // the index
            "7365656e72756e31"
            "0008000000000000"
            "0300000000000000"
            "0200000000000000"
            "b574fe69f6064a51"
            "dbea931e236c4106");
  EXPECT_EQ(to_hex(encode_seen_states({{.rows = 5, .has_zero = true, .runs = {{3, 2}, {9, 0x0102}}}})),
            "0101"
            "0500000000000000"
            "0300000000000000"
            "0200000000000000"
            "0900000000000000"
            "0201000000000000");
  EXPECT_EQ(to_hex(encode_seen_states({{.rows = 5, .has_zero = true, .runs = {{3, 2}}}, {.rows = 4}})),
            "02"
            "01"
            "0500000000000000"
            "01000000"
            "0300000000000000"
            "0200000000000000"
            "00"
            "0400000000000000"
            "00000000");
}

TEST(SeenState, IsReadBack) {
  const std::vector<SeenState> states = {{.rows = 77, .has_zero = true, .runs = {{1, 40}, {2, 36}}},
                                         {.rows = 40, .has_zero = false, .runs = {{1, 40}}},
                                         {.rows = 0, .has_zero = false, .runs = {}}};
  EXPECT_EQ(decode_seen_states(encode_seen_states(states)), states);
  EXPECT_EQ(decode_seen_states(encode_seen_states({states[0]})), std::vector{states[0]});
  for (const std::vector<SeenState>& some : {states, {states[0]}}) {
    const std::string bytes = encode_seen_states(some);
    for (size_t cut = 1; cut < 8; ++cut) EXPECT_FALSE(decode_seen_states(bytes.substr(0, bytes.size() - cut))) << cut;
    EXPECT_FALSE(decode_seen_states("\3" + bytes.substr(1)));
  }
  EXPECT_FALSE(decode_seen_states(""));
  EXPECT_FALSE(decode_seen_states("\2"));
}

TEST(SeenFilter, PassesWhatIsThereAndLittleElse) {
  for (const auto& [bits, passing] : {std::pair(10.0, 0.02), std::pair(5.0, 0.13), std::pair(2.0, 0.5)}) {
    SeenFilter filter(100'000, bits);
    const auto values = sorted_values(1, 100'000);
    for (const uint64_t value : values) filter.add(value);
    for (const uint64_t value : values) ASSERT_TRUE(filter.may_contain(value));
    size_t passed = 0;
    for (const uint64_t value : sorted_values(2, 100'000)) passed += filter.may_contain(value);
    EXPECT_LT(static_cast<double>(passed) / 100'000, passing) << bits;
    EXPECT_LT(static_cast<double>(filter.memory_bytes()), 100'000 * bits / 8 + 100);
  }
}

}  // namespace
}  // namespace caddis::store
