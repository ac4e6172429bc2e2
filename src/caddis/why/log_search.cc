// A plain file is read piece by piece from its end; a packed one can only be read from its beginning, and what it has
// joins the rest when it was read whole.
#include "caddis/why/log_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "caddis/logs/log_files.h"

namespace caddis::why {

LogSearch::LogSearch(io::Files& files, std::string log, Wanted wanted)
    : files_(files), log_(std::move(log)), wanted_(std::move(wanted)) {}

std::vector<std::string> LogSearch::take() {
  std::vector<std::string> lines(std::make_move_iterator(found_.begin()), std::make_move_iterator(found_.end()));
  found_.clear();
  return lines;
}

Result<bool> LogSearch::open_next() {
  if (!is_listed_) {
    is_listed_ = true;
    TRY(parts_, logs::files_of_log(files_, log_));
  }
  if (parts_.empty()) return false;
  const std::string path = std::move(parts_.back());
  parts_.pop_back();
  TRY(auto opened, logs::open_log_file(files_, path));
  if (opened.is_packed) {
    TRY(packed_, io::TextLines::open(std::move(opened.file), opened.path));
    return true;
  }
  file_ = std::move(opened.file);
  TRY(end_, file_->size());
  rest_.clear();
  skips_ = false;
  return true;
}

// `lines` are whole, but for the last one, which may still be being written.
void LogSearch::keep_wanted(std::string_view lines) {
  std::vector<std::string> kept;
  for (size_t hit = lines.find(wanted_.text); hit != std::string_view::npos;) {
    const size_t before = lines.rfind('\n', hit);
    const size_t start = before == std::string_view::npos ? 0 : before + 1;
    const size_t end = lines.find('\n', hit);
    if (end == std::string_view::npos) break;
    const std::string_view line = lines.substr(start, end - start);
    if (line.size() <= io::TextLines::kMaxLine && wanted_.is_it(line)) kept.emplace_back(line);
    hit = lines.find(wanted_.text, end);
  }
  found_.insert(found_.begin(), std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
}

Result<void> LogSearch::search_backward() {
  const uint64_t start = end_ > kPiece ? end_ - kPiece : 0;
  std::string piece(end_ - start, '\0');
  TRY(const size_t got, file_->read_at(start, piece.data(), piece.size()));
  if (got != piece.size()) return fail(ErrorCode::io, "a log became shorter while it was read");
  end_ = start;
  if (skips_) piece.resize(piece.rfind('\n') + 1);  // 0 bytes if the line begins still before
  skips_ = skips_ && piece.empty();
  piece += rest_;
  rest_.clear();
  const size_t lines = start == 0 ? 0 : piece.find('\n') + 1;  // 0 also if none begins here
  const size_t of_rest = lines == 0 ? piece.size() : lines;
  if (start == 0 || lines > 0) keep_wanted(std::string_view(piece).substr(lines));
  if (start > 0 && of_rest > io::TextLines::kMaxLine + 1)
    skips_ = true;
  else if (start > 0)
    rest_ = piece.substr(0, of_rest);
  if (end_ == 0) file_.reset();
  return {};
}

Result<void> LogSearch::search_forward() {
  for (size_t read = 0; read < kPiece;) {
    TRY(const auto line, packed_->next());
    if (!line) {
      found_.insert(found_.begin(), std::make_move_iterator(of_packed_.begin()),
                    std::make_move_iterator(of_packed_.end()));
      of_packed_.clear();
      packed_.reset();
      return {};
    }
    read += line->size() + 1;
    if (line->find(wanted_.text) == std::string_view::npos || !wanted_.is_it(*line)) continue;
    of_packed_.emplace_back(*line);
    if (of_packed_.size() > wanted_.enough) of_packed_.pop_front();
  }
  return {};
}

Result<bool> LogSearch::step() {
  if (!file_ && !packed_) {
    TRY(const bool any, open_next());
    if (!any) return true;
  }
  if (packed_)
    TRY_VOID(search_forward());
  else if (file_)
    TRY_VOID(search_backward());
  while (found_.size() > wanted_.enough) found_.pop_front();
  return found_.size() == wanted_.enough || (!file_ && !packed_ && parts_.empty());
}

}  // namespace caddis::why
