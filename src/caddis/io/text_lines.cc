#include "caddis/io/text_lines.h"

#include <span>
#include <utility>

namespace caddis::io {
namespace {

constexpr size_t kReadSize = 1 << 20;

}  // namespace

Result<std::unique_ptr<TextLines>> TextLines::open(io::Files& files, const std::string& path) {
  TRY(auto file, files.open_read(path));
  return open(std::move(file), path);
}

Result<std::unique_ptr<TextLines>> TextLines::open(std::unique_ptr<io::File> file, const std::string& path) {
  char front[4];
  TRY(const size_t got, file->read_at(0, front, sizeof front));
  auto lines = std::unique_ptr<TextLines>(new TextLines(path, std::move(file)));
  lines->is_gzip_ = got == sizeof front && io::looks_like_gzip(std::string_view(front, got));
  return lines;
}

Result<bool> TextLines::read(std::string& into) {
  const size_t before = into.size();
  into.resize(before + kReadSize);
  TRY(const size_t got, file_->read_at(offset_, into.data() + before, kReadSize));
  into.resize(before + got);
  offset_ += got;
  return got > 0;
}

Result<bool> TextLines::fill() {
  if (!is_gzip_) return read(text_);
  if (compressed_.empty()) {
    TRY(const bool more, read(compressed_));
    if (!more && gunzip_.inside_member()) return fail(ErrorCode::corrupt, path_ + " was cut inside a gzip member");
    if (!more) return false;
  }
  const size_t before = text_.size();
  text_.resize(before + kReadSize);
  std::string_view input = compressed_;
  const auto step = gunzip_.inflate(input, std::span(text_).subspan(before));
  text_.resize(before + (step ? step->written : gunzip_.damaged_output()));
  if (!step) return pass(step.error(), path_);
  compressed_.erase(0, compressed_.size() - input.size());
  return true;
}

Result<std::optional<std::string_view>> TextLines::next() {
  size_t looked = used_;
  for (;;) {
    if (const size_t end = text_.find('\n', looked); end != std::string::npos) {
      std::string_view line = std::string_view(text_).substr(used_, end - used_);
      used_ = end + 1;
      was_whole_ = true;
      if (!keeps_returns_ && line.ends_with('\r')) line.remove_suffix(1);
      return line;
    }
    text_.erase(0, used_);
    used_ = 0;
    looked = text_.size();
    if (looked > kMaxLine)
      return fail(ErrorCode::corrupt, path_ + ": a line longer than 4 MiB; is this an index or a log?");
    TRY(const bool more, fill());
    if (more) continue;
    if (text_.empty()) return std::nullopt;
    used_ = text_.size();
    was_whole_ = false;
    return std::string_view(text_);  // the last line, without end
  }
}

}  // namespace caddis::io
