#include "caddis/store/seen_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "caddis/base/check.h"
#include "caddis/store/seen_bytes.h"

namespace caddis::store {

namespace {

constexpr uint64_t kMostValuesInBlock = 512;  // on average
constexpr size_t kChecksumBytes = 4;
constexpr size_t kCountBytes = 4;
constexpr std::string_view kMagic = "seenrun1";
constexpr size_t kFooterBytes = 48;
constexpr size_t kScanBytes = 1 << 20;
constexpr size_t kFlushBytes = 1 << 20;

uint64_t low_bits(size_t bytes) { return bytes == 8 ? ~0ULL : (1ULL << 8 * bytes) - 1; }

uint32_t block_checksum(std::string_view bytes, uint64_t run, uint64_t block) {
  return static_cast<uint32_t>(seen_checksum(bytes, run << 40 ^ block));
}

std::string footer(const SeenRunShape& shape, uint64_t number, uint64_t values, uint64_t index_checksum) {
  std::string bytes(kMagic);
  bytes += static_cast<char>(shape.prefix_bits);
  bytes += static_cast<char>(shape.width);
  bytes.append(6, '\0');
  put_number(bytes, number);
  put_number(bytes, values);
  put_number(bytes, index_checksum);
  put_number(bytes, seen_checksum(bytes, 0));
  return bytes;
}

}  // namespace

SeenRunShape::SeenRunShape(uint64_t values) {
  const uint64_t blocks = values / kMostValuesInBlock;
  prefix_bits = static_cast<int>(std::bit_width(blocks));
  width = static_cast<size_t>(64 - prefix_bits + 7) / 8;
}

std::string seen_run_path(const std::string& folder, uint64_t number) {
  return io::join_path(folder, fmt::format("{:06}.run", number));
}

// --- reading

Result<std::shared_ptr<const SeenRun>> SeenRun::open(io::Files& files, const std::string& folder, uint64_t number,
                                                     uint64_t values) {
  const std::shared_ptr<SeenRun> run(new SeenRun(seen_run_path(folder, number), number, values));
  if (!files.exists(run->path_)) return run->fail_damaged("it is missing");
  TRY(run->file_, files.open_read(run->path_));
  TRY_VOID(run->load_index());
  return run;
}

std::unexpected<Error> SeenRun::fail_damaged(std::string_view what) const {
  return fail(ErrorCode::corrupt, fmt::format("{} is damaged: {}", path_, what));
}

// What the disk does not give is as good as wrong: it is mended in the same way.
std::unexpected<Error> SeenRun::fail_unread(Error error) const {
  if (error.code == ErrorCode::io) return fail_damaged(error.message);
  return std::unexpected(std::move(error));
}

Result<void> SeenRun::load_index() {
  const uint64_t blocks = shape_.blocks();
  const uint64_t index_at = values_ * shape_.width + blocks * kChecksumBytes;
  std::string bytes(blocks * kCountBytes + kFooterBytes, '\0');
  TRY(const uint64_t size, file_->size());
  if (size != index_at + bytes.size()) return fail_damaged(fmt::format("it has {} bytes", size));
  auto got = file_->read_at(index_at, bytes.data(), bytes.size());
  if (!got) return fail_unread(std::move(got).error());
  if (*got != bytes.size()) return fail_damaged("it became shorter");
  const std::string_view index = std::string_view(bytes).substr(0, blocks * kCountBytes);
  if (std::string_view(bytes).substr(index.size()) != footer(shape_, number_, values_, seen_checksum(index, number_)))
    return fail_damaged("its index does not have its checksum");
  starts_.reserve(blocks + 1);
  uint64_t start = 0;
  for (uint64_t block = 0; block < blocks; ++block) {
    starts_.push_back(static_cast<uint32_t>(start));
    start += get_number<uint32_t>(index.data() + block * kCountBytes);
  }
  starts_.push_back(static_cast<uint32_t>(start));
  if (start != values_) return fail_damaged(fmt::format("its index counts {} values", start));
  return {};
}

uint64_t SeenRun::offset_of(uint64_t block) const { return starts_[block] * shape_.width + block * kChecksumBytes; }

Result<void> SeenRun::check(uint64_t block, std::string_view bytes) const {
  const std::string_view values = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (get_number<uint32_t>(values.data() + values.size()) != block_checksum(values, number_, block))
    return fail_damaged(fmt::format("the block at byte {} does not have its checksum", offset_of(block)));
  return {};
}

Result<bool> SeenRun::read_block_at_once(uint64_t block, std::string& bytes) const {
  bytes.resize(size_of(block));
  auto is_there = file_->read_at_once(offset_of(block), bytes.data(), bytes.size());
  if (!is_there) return fail_unread(std::move(is_there).error());
  if (!*is_there) return false;
  TRY_VOID(check(block, bytes));
  return true;
}

Result<void> SeenRun::read_block(uint64_t block, std::string& bytes) const {
  bytes.resize(size_of(block));
  auto got = file_->read_at(offset_of(block), bytes.data(), bytes.size());
  if (!got) return fail_unread(std::move(got).error());
  if (*got != bytes.size()) return fail_damaged("it became shorter");
  return check(block, bytes);
}

uint64_t SeenRun::value_at(uint64_t block, std::string_view bytes, size_t index) const {
  const size_t at = index * shape_.width;
  uint64_t rest = 0;
  // The checksum stands behind the last value: mostly a whole word can be read, and what is too much cut off.
  if (at + sizeof rest <= bytes.size())
    rest = get_number<uint64_t>(bytes.data() + at) & low_bits(shape_.width);
  else
    std::memcpy(&rest, bytes.data() + at, shape_.width);
  // Of the upper bits that stand in the block's number too, some may also stand in the value.
  return shape_.prefix_bits == 0 ? rest : block << (64 - shape_.prefix_bits) | rest;
}

bool SeenRun::block_contains(uint64_t block, std::string_view bytes, uint64_t value) const {
  size_t from = 0;
  size_t to = (bytes.size() - kChecksumBytes) / shape_.width;
  while (from < to) {
    const size_t middle = (from + to) / 2;
    const uint64_t there = value_at(block, bytes, middle);
    if (there == value) return true;
    if (there < value)
      from = middle + 1;
    else
      to = middle;
  }
  return false;
}

Result<std::span<const uint64_t>> SeenRunScan::next() {
  const SeenRun& run = *run_;
  const uint64_t blocks = run.shape_.blocks();
  const uint64_t first = block_;
  const uint64_t offset = first < blocks ? run.offset_of(first) : 0;
  while (block_ < blocks && run.offset_of(block_) - offset < kScanBytes) ++block_;
  values_.clear();
  if (first == block_) return std::span<const uint64_t>(values_);
  TRY_VOID(read_bytes(first, block_));
  values_.reserve(run.starts_[block_] - run.starts_[first]);
  for (uint64_t block = first; block < block_; ++block) {
    const bool is_unread = !unread_.empty() && unread_[block - first];
    if (is_unread) {
      ++damaged_blocks_;
      damaged_values_ += run.starts_[block + 1] - run.starts_[block];
      continue;
    }
    TRY_VOID(read_values(block, std::string_view(bytes_).substr(run.offset_of(block) - offset, run.size_of(block))));
  }
  // Blocks may be empty: none of them is the end.
  if (values_.empty()) return next();
  return std::span<const uint64_t>(values_);
}

// A bad sector takes away its own blocks only.
Result<void> SeenRunScan::read_bytes(uint64_t first, uint64_t end) {
  const SeenRun& run = *run_;
  const uint64_t offset = run.offset_of(first);
  bytes_.resize(static_cast<size_t>(run.offset_of(end) - offset));
  unread_.clear();
  auto got = run.file_->read_at(offset, bytes_.data(), bytes_.size());
  if (got && *got == bytes_.size()) return {};
  if (got) return run.fail_damaged("it became shorter");
  if (damaged_ == Damaged::refused) return run.fail_unread(std::move(got).error());
  for (uint64_t block = first; block < end; ++block) {
    char* const begin = bytes_.data() + (run.offset_of(block) - offset);
    const auto some = run.file_->read_at(run.offset_of(block), begin, run.size_of(block));
    unread_.push_back(!some || *some != run.size_of(block));
  }
  return {};
}

Result<void> SeenRunScan::read_values(uint64_t block, std::string_view bytes) {
  const SeenRun& run = *run_;
  const auto checked = run.check(block, bytes);
  if (!checked && damaged_ == Damaged::refused) return checked;
  const size_t from = values_.size();
  const size_t count = run.starts_[block + 1] - run.starts_[block];
  for (size_t i = 0; i < count; ++i) values_.push_back(run.value_at(block, bytes, i));
  if (!checked) salvage(block, from);
  return {};
}

// Most of what a disk has damaged is mostly right: a bit, or a sector of the block.
void SeenRunScan::salvage(uint64_t block, size_t from) {
  ++damaged_blocks_;
  damaged_values_ += values_.size() - from;
  const auto begin = values_.begin() + static_cast<std::ptrdiff_t>(from);
  const auto belongs = [&](uint64_t value) { return value != 0 && run_->block_of(value) == block; };
  const auto end = std::partition(begin, values_.end(), belongs);
  std::sort(begin, end);
  values_.erase(std::unique(begin, end), values_.end());
}

// --- writing

Result<std::unique_ptr<SeenRunWriter>> SeenRunWriter::create(io::Files& files, const std::string& folder,
                                                             uint64_t number, uint64_t values) {
  CADDIS_CHECK(values <= kMostValuesInRun);
  std::unique_ptr<SeenRunWriter> writer(new SeenRunWriter(files, folder, number, values));
  const std::string path = seen_run_path(folder, number);
  TRY_VOID(files.make_dirs(folder));
  if (files.exists(path)) TRY_VOID(files.remove(path));
  TRY(writer->file_, files.open_append(path));
  return writer;
}

Result<void> SeenRunWriter::add(std::span<const uint64_t> values) {
  for (const uint64_t value : values) {
    const uint64_t block = shape_.block_of(value);
    while (counts_.size() < block) end_block();
    bytes_.append(reinterpret_cast<const char*>(&value), shape_.width);
    ++count_;
  }
  added_ += values.size();
  return bytes_.size() < kFlushBytes ? Result<void>() : flush();
}

void SeenRunWriter::end_block() {
  const std::string_view block = std::string_view(bytes_).substr(block_start_);
  put_number(bytes_, block_checksum(block, number_, counts_.size()));
  counts_.push_back(count_);
  count_ = 0;
  block_start_ = bytes_.size();
}

// Writes the complete blocks.
Result<void> SeenRunWriter::flush() {
  TRY_VOID(file_->append(std::string_view(bytes_).substr(0, block_start_)));
  bytes_.erase(0, block_start_);
  block_start_ = 0;
  return {};
}

Result<void> SeenRunWriter::sync() {
  TRY_VOID(flush());
  return file_->sync();
}

Result<void> SeenRunWriter::finish() {
  while (counts_.size() < shape_.blocks()) end_block();
  if (added_ != values_) {
    return fail(ErrorCode::corrupt,
                fmt::format("a run of the seen-set was to get {} values and got {}", values_, added_));
  }
  std::string index;
  for (const uint32_t count : counts_) put_number(index, count);
  bytes_ += index;
  bytes_ += footer(shape_, number_, values_, seen_checksum(index, number_));
  block_start_ = bytes_.size();
  TRY_VOID(sync());
  return files_.sync_dir(folder_);
}

}  // namespace caddis::store
