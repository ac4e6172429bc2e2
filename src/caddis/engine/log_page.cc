// A page is cut out of one piece of the file, which begins or ends at a line: the lines of a piece are gone through in
// the order that was asked for, until the page is full or the piece is at its end.

#include "caddis/engine/log_page.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <string_view>

namespace caddis::engine {
namespace {

constexpr uint64_t kPiece = 16 << 20;       // bytes that a request reads
constexpr size_t kMostOfALine = 64 * 1024;  // bytes of a line that are told

struct Piece {
  uint64_t begin = 0;
  std::string text;
  uint64_t end() const { return begin + text.size(); }
};

Result<Piece> read_piece(const io::File& file, uint64_t begin, uint64_t end) {
  Piece piece{begin, std::string(end - begin, '\0')};
  TRY(const size_t got, file.read_at(begin, piece.text.data(), piece.text.size()));
  piece.text.resize(got);
  return piece;
}

class Page {
 public:
  Page(const LogQuery& query, const re2::RE2* pattern) : query_(query), pattern_(pattern) {}
  // False: it is full.
  bool add(std::string_view line) {
    if (pattern_ == nullptr || re2::RE2::PartialMatch(re2::StringPiece(line.data(), line.size()), *pattern_))
      page.lines.emplace_back(line.substr(0, kMostOfALine));
    return page.lines.size() < query_.limit;
  }
  LogPage page;

 private:
  const LogQuery& query_;
  const re2::RE2* pattern_;
};

// Lines of which the piece has the begin, but the last one if more follows it. Returns where to go on.
uint64_t go_forward(const Piece& piece, bool is_last, Page& page) {
  size_t at = 0;
  const std::string_view text = piece.text;
  while (at < text.size()) {
    const size_t end = text.find('\n', at);
    const bool is_open = end == std::string_view::npos;
    if (is_open && !is_last && at > 0) break;  // whole with the next piece
    const bool goes_on = page.add(text.substr(at, is_open ? std::string_view::npos : end - at));
    at = is_open ? text.size() : end + 1;
    if (!goes_on) break;
  }
  return piece.begin + at;
}

// The same from the end, at which a line ends. Returns where the line that was taken last begins.
uint64_t go_back(const Piece& piece, Page& page) {
  const std::string_view text = piece.text;
  size_t end = text.size();
  while (end > 0) {
    const size_t stop = text[end - 1] == '\n' ? end - 1 : end;
    const size_t before = stop == 0 ? std::string_view::npos : text.rfind('\n', stop - 1);
    if (before == std::string_view::npos && piece.begin > 0 && end < text.size()) break;
    const size_t begin = before == std::string_view::npos ? 0 : before + 1;
    const bool goes_on = page.add(text.substr(begin, stop - begin));
    end = begin;
    if (!goes_on) break;
  }
  return piece.begin + end;
}

}  // namespace

Result<LogPage> read_log_page(io::Files& files, const std::string& path, const LogQuery& query) {
  std::optional<re2::RE2> pattern;
  if (!query.regex.empty()) {
    re2::RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(8 << 20);
    pattern.emplace(query.regex, options);
    if (!pattern->ok()) return fail(ErrorCode::parse, fmt::format("regex: {}", pattern->error()));
  }
  TRY(const auto file, files.open_read_foreign(path));
  TRY(const uint64_t size, file->size());
  Page page(query, pattern ? &*pattern : nullptr);
  const uint64_t from = std::min(query.from.value_or(query.reverse ? size : 0), size);
  if (query.reverse) {
    TRY(const Piece piece, read_piece(*file, from > kPiece ? from - kPiece : 0, from));
    if (const uint64_t next = go_back(piece, page); next > 0) page.page.next = next;
    return std::move(page.page);
  }
  TRY(const Piece piece, read_piece(*file, from, std::min(size, from + kPiece)));
  const uint64_t next = go_forward(piece, piece.end() >= size, page);
  if (next < size) page.page.next = next;
  return std::move(page.page);
}

}  // namespace caddis::engine
