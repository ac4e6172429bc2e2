#include "caddis/crawl/seed_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/config/seeds.h"
#include "caddis/io/gzip.h"

namespace caddis::crawl {
namespace {

constexpr size_t kStep = 256 * 1024;
constexpr size_t kDigits = 6;
constexpr std::string_view kUnfinished = ".part";

// Writes what it is given into a file, inflated, and counts how long its lines are.
class Copy {
 public:
  Copy(std::unique_ptr<io::File> file, const std::string& name) : file_(std::move(file)), name_(name) {}

  Result<void> add(std::string_view bytes) {
    if (begun_ == Begun::no) {
      head_ += bytes;
      if (head_.size() < kMagic.size()) return {};
      begun_ = head_.starts_with(kMagic) ? Begun::gzip : Begun::plain;
      return pass_on(std::exchange(head_, {}));
    }
    return pass_on(bytes);
  }
  Result<void> finish() {
    TRY_VOID(write(head_));
    if (gunzip_.inside_member())
      return fail(ErrorCode::config, fmt::format("{} ends within a gzip member: it is not whole", name_));
    return file_->sync();
  }

 private:
  enum class Begun : uint8_t { no, plain, gzip };
  static constexpr std::string_view kMagic = "\x1f\x8b";

  Result<void> pass_on(std::string_view bytes) {
    if (begun_ == Begun::plain) return write(bytes);
    output_.resize(kStep);
    for (size_t written = 0; !bytes.empty() || written == output_.size();) {
      const auto step = gunzip_.inflate(bytes, output_);
      if (!step) return fail(ErrorCode::config, fmt::format("{}: damaged gzip: {}", name_, step.error().message));
      written = step->written;
      TRY_VOID(write(std::string_view(output_).substr(0, written)));
    }
    return {};
  }

  Result<void> write(std::string_view bytes) {
    for (size_t at = 0; at < bytes.size();) {
      const size_t end = bytes.find('\n', at);
      length_ += std::min(end, bytes.size()) - at;
      if (length_ > SeedListReader::kLongestLine)
        return fail(ErrorCode::config, fmt::format("{}: line {} is longer than {} kB: this is no list of seeds", name_,
                                                   line_, SeedListReader::kLongestLine / 1000));
      if (end == bytes.npos) break;
      at = end + 1;
      length_ = 0;
      ++line_;
    }
    return bytes.empty() ? Result<void>() : file_->append(bytes);
  }

  std::unique_ptr<io::File> file_;
  const std::string& name_;
  Begun begun_ = Begun::no;
  std::string head_;
  io::GunzipStream gunzip_;
  std::string output_;  // of it
  uint64_t line_ = 1;
  size_t length_ = 0;  // of that line, so far
};

// As a part of a file's name.
std::string name_for(std::string_view shown) {
  constexpr size_t kLongest = 80;
  std::string name(io::base_name(shown));
  if (name.size() > kLongest) name.erase(0, name.size() - kLongest);
  std::ranges::replace_if(name, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '_');
  if (!is_utf8(name)) std::ranges::replace_if(name, [](unsigned char c) { return c >= 0x80; }, '_');
  return name;
}

}  // namespace

Result<SeedSource> seed_source_of_file(io::Files& files, const std::string& path) {
  TRY(auto opened, files.open_read(path));
  return SeedSource{path, [file = std::shared_ptr<io::File>(std::move(opened)), at = uint64_t{0}]() mutable {
                      std::string bytes(kStep, '\0');
                      auto got = file->read_at(at, bytes.data(), bytes.size());
                      if (!got) return Result<std::string>(std::unexpected(std::move(got).error()));
                      at += *got;
                      bytes.resize(*got);
                      return Result<std::string>(std::move(bytes));
                    }};
}

Result<SeedList> copy_seed_list(io::Files& files, const collection::Launch& launch, const SeedSource& source) {
  TRY_VOID(files.make_dirs(launch.seed_lists()));
  TRY(const auto lists, seed_lists(files, launch));
  const int64_t before = lists.empty() ? 0 : parse_int(lists.back().file.substr(0, kDigits)).value_or(0);
  SeedList list;
  list.shown = name_for(source.name);
  list.file = fmt::format("{:0{}}.{}", before + 1, kDigits, list.shown);
  list.path = io::join_path(launch.seed_lists(), list.file);
  const std::string unfinished = list.path + std::string(kUnfinished);
  if (files.exists(unfinished)) TRY_VOID(files.remove(unfinished));
  const auto copy_all = [&]() -> Result<void> {
    TRY(auto file, files.open_append_private(unfinished));
    Copy copy(std::move(file), source.name);
    for (;;) {
      TRY(const std::string bytes, source.read());
      if (bytes.empty()) break;
      TRY_VOID(copy.add(bytes));
    }
    return copy.finish();
  };
  if (auto copied = copy_all(); !copied) {
    (void)files.remove(unfinished);
    return std::unexpected(std::move(copied).error());
  }
  TRY_VOID(files.rename(unfinished, list.path));
  TRY_VOID(files.sync_dir(launch.seed_lists()));
  return list;
}

Result<void> remove_unfinished_copies(io::Files& files, const std::string& collection) {
  TRY(const auto launches, collection::launch_folders(files, collection::Layout(collection)));
  for (const collection::Launch& launch : launches) {
    if (!files.exists(launch.seed_lists())) continue;
    TRY(const auto entries, files.list(launch.seed_lists()));
    for (const io::DirectoryEntry& entry : entries)
      if (entry.name.ends_with(kUnfinished)) TRY_VOID(files.remove(io::join_path(launch.seed_lists(), entry.name)));
  }
  return {};
}

Result<std::vector<SeedList>> seed_lists(io::Files& files, const collection::Launch& launch) {
  std::vector<SeedList> lists;
  if (!files.exists(launch.seed_lists())) return lists;
  TRY(const auto entries, files.list(launch.seed_lists()));
  for (const io::DirectoryEntry& entry : entries) {
    const bool is_numbered = entry.name.size() > kDigits + 1 && entry.name[kDigits] == '.' &&
                             parse_int(std::string_view(entry.name).substr(0, kDigits)).has_value();
    if (!is_numbered || entry.is_directory || entry.name.ends_with(kUnfinished)) continue;
    lists.push_back({entry.name, entry.name.substr(kDigits + 1), io::join_path(launch.seed_lists(), entry.name)});
  }
  return lists;
}

Result<SeedListReader> SeedListReader::open(io::Files& files, const SeedList& list, uint64_t offset) {
  TRY(auto file, files.open_read(list.path));
  TRY(const uint64_t size, file->size());
  if (offset > size)
    return fail(ErrorCode::corrupt,
                fmt::format("{} is shorter than what the crawl has read of it ({} of {} bytes): put it back as it was, "
                            "or remove it to go on without the rest of its seeds",
                            list.path, size, offset));
  return SeedListReader(std::move(file), offset);
}

Result<std::string_view> SeedListReader::next() {
  part_.resize(kPart);
  TRY(const size_t got, file_->read_at(offset_, part_.data(), part_.size()));
  part_.resize(got);
  if (got == kPart) part_.resize(part_.rfind('\n') + 1);
  std::string_view lines = part_;
  if (offset_ == 0) lines = without_byte_order_mark(lines);
  offset_ += part_.size();
  return lines;
}

Result<SeedListLook> look_at_seed_list(io::Files& files, const SeedList& list, bool contact_missing) {
  TRY(SeedListReader reader, SeedListReader::open(files, list, 0));
  SeedListLook look;
  config::SeedProblems problems;
  for (uint64_t number = 0;;) {
    TRY(const std::string_view text, reader.next());
    if (text.empty()) break;
    for (const std::string_view line : split(text.ends_with('\n') ? text.substr(0, text.size() - 1) : text, '\n')) {
      ++number;
      const std::string_view written = config::seed_on_line(line);
      if (written.empty()) continue;
      const auto seed = config::parse_seed(written);
      if (!seed) {
        if (!look.has_seed) problems.add(fmt::format("{}:{}: {}", list.shown, number, seed.error().message));
        continue;
      }
      look.has_seed = true;
      look.only_loopback = look.only_loopback && config::is_loopback(*seed);
      if (!contact_missing || !look.only_loopback) return look;
    }
  }
  if (!look.has_seed) look.problems = problems.told();
  return look;
}

Result<uint64_t> count_lines(io::Files& files, const SeedList& list) {
  TRY(SeedListReader reader, SeedListReader::open(files, list, 0));
  for (uint64_t lines = 0;;) {
    TRY(const std::string_view text, reader.next());
    if (text.empty()) return lines;
    lines += static_cast<uint64_t>(std::ranges::count(text, '\n')) + (text.ends_with('\n') ? 0 : 1);
  }
}

}  // namespace caddis::crawl
