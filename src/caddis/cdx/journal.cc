#include "caddis/cdx/journal.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "caddis/cdx/line.h"
#include "caddis/cdx/line_sorter.h"
#include "caddis/store/streams.h"

namespace caddis::cdx {
namespace {

constexpr size_t kReadSize = 1u << 20;

using UseLine = std::function<Result<void>(std::string_view line)>;

// Gives each complete line of a file from `offset` to `limit`, and the offset behind the last of them. `rest`: bytes behind it.
Result<uint64_t> each_line(io::Files& files, const std::string& path, uint64_t offset, const UseLine& use,
                           uint64_t limit = UINT64_MAX, std::string* rest = nullptr) {
  TRY(const auto file, files.open_read(path));
  std::string buffer, chunk(kReadSize, '\0');
  uint64_t read_at = offset;
  for (;;) {
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(chunk.size(), limit - read_at));
    TRY(const size_t got, file->read_at(read_at, chunk.data(), wanted));
    if (got == 0) {
      if (rest != nullptr) *rest = std::move(buffer);
      return offset;
    }
    read_at += got;
    buffer.append(chunk, 0, got);
    size_t start = 0;
    for (size_t end; (end = buffer.find('\n', start)) != std::string::npos; start = end + 1)
      TRY_VOID(use(std::string_view(buffer).substr(start, end - start)));
    offset += start;
    buffer.erase(0, start);
    if (buffer.size() > kMaxLine)
      return fail(ErrorCode::corrupt, path + ": a line longer than 4 MiB; is this an index?");
  }
}

bool is_capture_line(std::string_view line) { return !line.empty() && line.front() != '!' && line.front() != ' '; }

UseLine of_captures(const UseLine& use) {
  return [&use](std::string_view line) { return is_capture_line(line) ? use(line) : Result<void>(); };
}

// `inputs`: indexes, or a journal.
template <typename Inputs>
Result<uint64_t> sort_lines(io::Files& files, const Inputs& inputs, const std::string& output,
                            const SortLimits& limits) {
  LineSorter sorter(files, output, limits.memory);
  TRY_VOID(each_capture_line(files, inputs, [&](std::string_view line) -> Result<void> {
    if (limits.keep && !limits.keep(line)) return {};
    if (!limits.change) return sorter.add(line);
    TRY(const std::string changed, limits.change(line));
    return sorter.add(changed);
  }));
  auto written = sorter.finish();
  if (!written) return pass(std::move(written).error(), "writing " + output);
  return written;
}

}  // namespace

Result<uint64_t> each_line_between(io::Files& files, const std::string& path, uint64_t from, uint64_t to,
                                   const UseLine& use) {
  return each_line(files, path, from, of_captures(use), to);
}

Result<void> each_capture_line(io::Files& files, const std::vector<std::string>& indexes, const UseLine& use) {
  const UseLine use_capture = of_captures(use);
  for (const std::string& index : indexes) {
    if (!files.exists(index)) continue;
    std::string last;
    const auto read = each_line(files, index, 0, use_capture, UINT64_MAX, &last);
    if (!read) return pass(read.error(), "reading " + index);
    if (const auto used = use_capture(last); !used) return pass(used.error(), "reading " + index);
  }
  return {};
}

Result<void> each_capture_line(io::Files& files, const store::LogParts& journal, const UseLine& use) {
  for (const auto& [path, length] : journal.parts) {
    if (!files.exists(path)) continue;
    const auto read = each_line(files, path, 0, of_captures(use), length);
    if (!read) return pass(read.error(), "reading " + path);
  }
  return {};
}

Result<uint64_t> sort_files(io::Files& files, const std::vector<std::string>& indexes, const std::string& output,
                            const SortLimits& limits) {
  return sort_lines(files, indexes, output, limits);
}

Result<uint64_t> sort_journal(io::Files& files, const store::LogParts& journal, const std::string& output,
                              const SortLimits& limits) {
  return sort_lines(files, journal, output, limits);
}

Result<bool> JournalReader::go_on(const std::vector<std::string>& found) {
  if (found.size() < parts_.size()) return false;
  for (size_t i = 0; i < found.size(); ++i) {
    if (i == parts_.size()) {
      const uint64_t begin = i < indexed_.size() ? indexed_[i] : 0;
      parts_.push_back({found[i], begin, begin});
    }
    Part& part = parts_[i];
    if (part.path != found[i]) return false;
    TRY(const auto file, files_.open_read(part.path));
    TRY(const uint64_t size, file->size());
    if (size < part.end) return false;
    if (size == part.end) continue;
    TRY(part.end, each_line(files_, part.path, part.end, [&](std::string_view line) -> Result<void> {
          if (is_capture_line(line)) lines_->add(line);
          return {};
        }));
  }
  return true;
}

Result<void> JournalReader::refresh(const std::vector<uint64_t>& indexed) {
  TRY(const auto found, store::log_parts(files_, path_));
  if (indexed == indexed_) {
    TRY(const bool went_on, go_on(found));
    if (went_on) return {};
  }
  lines_ = std::make_shared<MemoryLines>(policy_);
  parts_.clear();
  indexed_ = indexed;
  TRY(const bool whole, go_on(found));
  if (whole) return {};
  // Shorter than what was indexed: another journal than the index was made of.
  lines_ = std::make_shared<MemoryLines>(policy_);
  parts_.clear();
  indexed_.clear();
  TRY_VOID(go_on(found));
  indexed_ = indexed;
  return {};
}

}  // namespace caddis::cdx
