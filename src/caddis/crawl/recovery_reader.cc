#include "caddis/crawl/recovery_reader.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/utf8.h"

namespace caddis::crawl {
namespace {

constexpr size_t kReadStep = 64 * 1024;
constexpr std::string_view kMemberStart = "\x1f\x8b\x08";

}  // namespace

Result<std::unique_ptr<RecoveryReader>> RecoveryReader::open(io::Files& files, const std::string& path) {
  TRY(auto file, files.open_read(path));
  std::unique_ptr<RecoveryReader> reader(new RecoveryReader(path, std::move(file)));
  std::string start(4, '\0');
  TRY(const size_t got, reader->file_->read_at(0, start.data(), start.size()));
  reader->is_gzip_ = io::looks_like_gzip(std::string_view(start).substr(0, got));
  return reader;
}

void RecoveryReader::flaw(std::string text) {
  if (flaws_.size() < kMostFlaws) flaws_.push_back(std::move(text));
}

Result<std::string_view> RecoveryReader::next() {
  text_.erase(0, given_);
  given_ = 0;
  while (!at_end_ && text_.size() < kPiece) TRY_VOID(fill());
  if (at_end_ && !text_.empty() && text_.back() != '\n') text_ += '\n';
  given_ = text_.rfind('\n') + 1;
  if (given_ == 0 && text_.size() >= kPiece) {
    text_ += '\n';
    given_ = text_.size();
  }
  const std::string_view lines = std::string_view(text_).substr(0, given_);
  return std::exchange(is_first_, false) ? without_byte_order_mark(lines) : lines;
}

Result<void> RecoveryReader::fill() {
  std::string piece(kReadStep, '\0');
  TRY(const size_t got, file_->read_at(offset_, piece.data(), piece.size()));
  piece.resize(got);
  offset_ += got;
  if (!is_gzip_) {
    text_ += piece;
    at_end_ = got == 0;
    return {};
  }
  input_ += piece;
  if (!input_.empty()) return inflate();
  at_end_ = true;
  if (gunzip_.inside_member()) {
    flaw(fmt::format("{} ends within a gzip member, as one does whose writer died: it was read up to there", path_));
    text_.erase(text_.rfind('\n') + 1);  // half a line
  }
  return {};
}

Result<void> RecoveryReader::inflate() {
  std::string_view rest = input_;
  std::string output(kReadStep, '\0');
  for (size_t written = 0; !rest.empty() || written == output.size();) {
    if (!gunzip_.inside_member()) member_start_ = offset_ - rest.size();
    const auto step = gunzip_.inflate(rest, output);
    if (!step) {
      text_.append(output, 0, gunzip_.damaged_output());
      return skip_damage(step.error());
    }
    written = step->written;
    text_.append(output, 0, written);
  }
  input_.clear();
  return {};
}

// A writer that died and one that went on in the same file leave half a member before a whole one. Looks for the next
// start behind that of the damaged member: the damage is noticed only some way into what follows.
Result<void> RecoveryReader::skip_damage(const Error& error) {
  flaw(fmt::format("{}: the gzip member at byte {} is damaged: {}", path_, member_start_, error.message));
  text_.erase(text_.rfind('\n') + 1);
  input_.clear();
  std::string piece(kReadStep, '\0');
  for (uint64_t at = member_start_ + 1;;) {
    TRY(const size_t got, file_->read_at(at, piece.data(), piece.size()));
    const size_t found = std::string_view(piece).substr(0, got).find(kMemberStart);
    if (found != std::string_view::npos) {
      offset_ = at + found;
      break;
    }
    if (got < kMemberStart.size()) {
      at_end_ = true;
      break;
    }
    at += got - kMemberStart.size() + 1;
  }
  gunzip_.begin_member();
  return {};
}

}  // namespace caddis::crawl
