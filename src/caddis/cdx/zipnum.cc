#include "caddis/cdx/zipnum.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/cdx/flat_json.h"
#include "caddis/cdx/line.h"
#include "caddis/io/gzip.h"

namespace caddis::cdx {
namespace {

constexpr uint64_t kMaxPacked = 64 << 20, kMaxUnpacked = 256 << 20;
constexpr size_t kBlocksHeld = 16;
constexpr std::string_view kIndexEnding = ".idx";

std::string without_ending(std::string_view path) {
  return std::string(path.substr(0, path.size() - kIndexEnding.size()));
}

std::optional<uint64_t> number_of(std::string_view text) {
  const auto number = parse_int(text);
  if (!number || *number < 0) return std::nullopt;
  return static_cast<uint64_t>(*number);
}

}  // namespace

bool is_zipnum_name(std::string_view name) { return name.ends_with(kIndexEnding) && name.size() > kIndexEnding.size(); }

// Stands on a line of a member, and knows the member's line of the index.
class ZipNumLines::Cursor : public LineCursor {
 public:
  explicit Cursor(ZipNumLines& source) : source_(source) {}

  Result<void> stand_at(std::string_view key) {
    TRY(at_, source_.index_->lower_bound(key));
    // The member before may end with what is sought.
    if (at_ > source_.index_->begin()) {
      TRY(at_, source_.index_->line_before(at_));
    }
    TRY_VOID(load());
    if (at_end()) return {};
    const auto place = std::ranges::lower_bound(block_->lines, key);
    line_ = static_cast<size_t>(place - block_->lines.begin());
    return pass_end();
  }
  bool at_end() const override { return block_ == nullptr; }
  std::string_view line() const override { return block_ == nullptr ? std::string_view() : block_->lines[line_]; }
  Result<void> next() override {
    if (at_end()) return {};
    ++line_;
    return pass_end();
  }
  Result<bool> previous() override {
    if (block_ != nullptr && line_ > 0) {
      --line_;
      return true;
    }
    for (uint64_t at = at_; at > source_.index_->begin();) {
      TRY(at, source_.index_->line_before(at));
      TRY(auto before, source_.block(at));
      if (before->lines.empty()) continue;
      at_ = at;
      block_ = std::move(before);
      line_ = block_->lines.size() - 1;
      return true;
    }
    return false;
  }

 private:
  Result<void> load() {
    line_ = 0;
    block_.reset();
    if (at_ < source_.index_->size()) {
      TRY(block_, source_.block(at_));
    }
    return {};
  }
  Result<void> pass_end() {
    while (block_ != nullptr && line_ >= block_->lines.size()) {
      std::string line;
      TRY(at_, source_.index_->read_line(at_, line));
      TRY_VOID(load());
    }
    return {};
  }

  ZipNumLines& source_;
  uint64_t at_ = 0;  // of the index's line; its size at the end
  std::shared_ptr<const Block> block_;
  size_t line_ = 0;
};

Result<std::shared_ptr<ZipNumLines>> ZipNumLines::open(io::Files& files, const std::string& path, url::KeyPolicy policy,
                                                       std::shared_ptr<BrokenLines> broken) {
  TRY(auto index, SortedFile::open(files, path));
  TRY_VOID(index->check_order());
  auto source =
      std::shared_ptr<ZipNumLines>(new ZipNumLines(files, std::move(index), std::move(policy), std::move(broken)));
  TRY_VOID(source->read_locations());
  std::string first;
  TRY(const uint64_t next, source->index_->read_line(source->index_->begin(), first));
  (void)next;
  if (!first.empty() && !first.starts_with('!')) TRY_VOID(source->parse_place(first));
  return source;
}

Result<void> ZipNumLines::read_locations() {
  const std::string path = without_ending(index_->path()) + ".loc";
  if (!files_.exists(path)) return {};
  TRY(const std::string text, files_.read_all(path, 64 << 20));
  const std::string folder = io::parent_path(path);
  for (std::string_view line : split(text, '\n')) {
    while (line.ends_with('\r')) line.remove_suffix(1);
    const auto words = split(line, '\t');
    for (size_t i = 1; i < words.size(); ++i)
      if (!words[i].empty())
        locations_[std::string(words[0])].push_back(words[i].starts_with('/') ? std::string(words[i])
                                                                              : io::join_path(folder, words[i]));
  }
  return {};
}

// "key timestamp<TAB>part<TAB>offset<TAB>length[<TAB>number]", or as in WACZ "key timestamp {"offset":…}".
Result<ZipNumLines::Place> ZipNumLines::parse_place(std::string_view line) const {
  const auto broken = [&] {
    return fail(ErrorCode::corrupt,
                index_->path() + ": no line of a ZipNum index: " + std::string(line.substr(0, 100)));
  };
  Place place;
  std::optional<uint64_t> offset, length;
  if (const auto words = split(line, '\t'); words.size() >= 4) {
    place.part = words[1];
    offset = number_of(words[2]);
    length = number_of(words[3]);
  } else if (const size_t object = line.find('{'); object != std::string_view::npos) {
    FlatJson json(line.substr(object));
    while (json.next()) {
      const std::string_view value = json.is_string() ? json.text() : json.raw();
      if (json.name() == "offset") offset = number_of(value);
      if (json.name() == "length") length = number_of(value);
      if (json.name() == "filename") place.part = value;
    }
    if (place.part.empty()) place.part = std::string(io::base_name(without_ending(index_->path()))) + ".cdx.gz";
  }
  if (!offset || !length || *length > kMaxPacked) return broken();
  place.offset = *offset;
  place.length = *length;
  return place;
}

Result<std::shared_ptr<io::File>> ZipNumLines::open_part(const std::string& part) {
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = parts_.find(part); known != parts_.end()) return known->second;
  }
  const std::string folder = io::parent_path(index_->path());
  std::vector<std::string> places;
  if (const auto known = locations_.find(part); known != locations_.end()) places = known->second;
  // Names of an index that others wrote do not lead out of its folder; its locations are its operator's.
  if (part.find('/') == std::string::npos && part != "..") {
    places.push_back(io::join_path(folder, part));
    places.push_back(io::join_path(folder, part + ".cdx.gz"));
  }
  for (const std::string& place : places) {
    if (!files_.exists(place) || files_.is_directory(place)) continue;
    TRY(auto file, files_.open_read(place));
    const std::scoped_lock lock(mutex_);
    return parts_.emplace(part, std::move(file)).first->second;
  }
  return fail(ErrorCode::not_found,
              index_->path() + ": its part " + part +
                  " lies neither beside it nor where its .loc says: put it there, or name its place");
}

Result<std::string> ZipNumLines::read_member(const Place& place) {
  TRY(const auto file, open_part(place.part));
  std::string packed(place.length, '\0');
  TRY(const size_t got, file->read_at(place.offset, packed.data(), packed.size()));
  packed.resize(got);
  auto text = io::gunzip_all(packed, kMaxUnpacked);
  if (!text)
    return fail(ErrorCode::corrupt,
                fmt::format("{}: part {} at {}: {}", index_->path(), place.part, place.offset, text.error().message));
  return *std::move(text);
}

Result<std::shared_ptr<const ZipNumLines::Block>> ZipNumLines::block(uint64_t offset) {
  {
    const std::scoped_lock lock(mutex_);
    const auto known = std::ranges::find(blocks_, offset, [](const auto& one) { return one.first; });
    if (known != blocks_.end()) {
      std::rotate(known, known + 1, blocks_.end());
      return blocks_.back().second;
    }
  }
  std::string line;
  TRY(const uint64_t next, index_->read_line(offset, line));
  (void)next;
  auto block = std::make_shared<Block>();
  if (!line.starts_with('!')) {
    TRY(const Place place, parse_place(line));
    TRY(block->text, read_member(place));
    for (std::string_view one : split(block->text, '\n')) {
      while (one.ends_with('\r')) one.remove_suffix(1);
      if (!one.empty() && one.front() != ' ' && one.front() != '!') block->lines.push_back(one);
    }
  }
  const std::scoped_lock lock(mutex_);
  if (blocks_.size() >= kBlocksHeld) blocks_.erase(blocks_.begin());
  blocks_.emplace_back(offset, block);
  return block;
}

Result<std::unique_ptr<LineCursor>> ZipNumLines::seek(std::string_view key) {
  auto cursor = std::make_unique<Cursor>(*this);
  TRY_VOID(cursor->stand_at(key));
  return cursor;
}

Result<Capture> ZipNumLines::parse(std::string_view line) const {
  auto capture = parse_line(line);
  if (!capture && broken_) broken_->note(index_->path(), line, capture.error(), [&] { return place_of(line); });
  return capture;
}

std::string ZipNumLines::place_of(std::string_view line) const {
  // The member begins with the line itself, or with one before it.
  const auto behind = index_->lower_bound(std::string(line) + '\t');
  const auto at = behind ? index_->line_before(*behind) : behind;
  std::string member;
  if (!at || !index_->read_line(*at, member)) return {};
  const auto place = parse_place(member);
  return place ? fmt::format("in the member of {} at byte {}", place->part, place->offset) : std::string();
}

uint64_t ZipNumLines::estimated_lines() {
  const uint64_t bytes = index_->size() - index_->begin();
  std::string line;
  uint64_t at = index_->begin(), members = 0;
  for (; at < index_->size() && members < 100; ++members) {
    const auto next = index_->read_line(at, line);
    if (!next) return 0;
    at = *next;
  }
  const auto first = block(index_->begin());
  if (!first || members == 0) return 0;
  const uint64_t all = members * bytes / std::max<uint64_t>(at - index_->begin(), 1);
  return all * (*first)->lines.size();
}

// ---- writing

namespace {

// The parts of a cluster that is being written.
class ZipNumWriter {
 public:
  ZipNumWriter(io::Files& files, std::string path, const ZipNumOptions& options)
      : files_(files), path_(std::move(path)), base_(without_ending(path_)), options_(options) {}

  Result<void> add(std::string_view line) {
    if (lines_in_block_ == 0) first_ = line.substr(0, line.find(' ', std::min(line.find(' ') + 1, line.size())));
    block_ += line;
    block_ += '\n';
    ++lines_;
    return ++lines_in_block_ < options_.block_lines ? Result<void>() : write_block();
  }

  Result<uint64_t> finish() {
    if (lines_in_block_ > 0) TRY_VOID(write_block());
    if (part_ != nullptr) TRY_VOID(part_->sync());
    TRY_VOID(files_.write_atomically(base_ + ".loc", locations_));
    TRY_VOID(files_.write_atomically(path_, index_));
    return lines_;
  }

 private:
  Result<void> begin_part() {
    if (part_ != nullptr) TRY_VOID(part_->sync());
    part_name_ = fmt::format("{}-{:05}.cdx.gz", io::base_name(base_), parts_++);
    const std::string path = io::join_path(io::parent_path(path_), part_name_);
    if (files_.exists(path)) TRY_VOID(files_.remove(path));  // of an attempt that was broken off
    TRY(part_, files_.open_append(path));
    part_size_ = 0;
    locations_ += part_name_ + '\t' + part_name_ + '\n';
    return {};
  }

  Result<void> write_block() {
    if (part_ == nullptr || part_size_ >= options_.part_bytes) TRY_VOID(begin_part());
    const std::string packed = io::gzip_member(block_, io::GzipEffort::small);
    TRY_VOID(part_->append(packed));
    index_ += fmt::format("{}\t{}\t{}\t{}\t{}\n", first_, part_name_, part_size_, packed.size(), ++blocks_);
    part_size_ += packed.size();
    block_.clear();
    lines_in_block_ = 0;
    return {};
  }

  io::Files& files_;
  const std::string path_, base_;
  const ZipNumOptions options_;
  std::unique_ptr<io::File> part_;
  std::string part_name_, first_, block_;
  std::string index_, locations_;
  uint64_t part_size_ = 0, parts_ = 0, blocks_ = 0, lines_ = 0;
  size_t lines_in_block_ = 0;
};

}  // namespace

Result<uint64_t> write_zipnum(io::Files& files, const std::string& sorted, const std::string& path,
                              const ZipNumOptions& options) {
  if (!is_zipnum_name(path)) return fail(ErrorCode::config, path + ": a ZipNum index is named *.idx");
  if (files.exists(path)) return fail(ErrorCode::conflict, path + " is there already: name another file, or remove it");
  TRY(const auto lines, SortedFile::open(files, sorted));
  ZipNumWriter writer(files, path, options);
  std::string line;
  for (uint64_t at = lines->begin(); at < lines->size();) {
    TRY(at, lines->read_line(at, line));
    if (!line.empty()) TRY_VOID(writer.add(line));
  }
  return writer.finish();
}

}  // namespace caddis::cdx
