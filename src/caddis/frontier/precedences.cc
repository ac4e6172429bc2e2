#include "caddis/frontier/precedences.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/frontier/order.h"
#include "caddis/url/public_form.h"
#include "caddis/url/url.h"

namespace caddis::frontier {
namespace {

constexpr size_t kLongestLine = 64 * 1024;
constexpr size_t kPiece = 256 * 1024;
constexpr int64_t kHighest = 127;
constexpr uint64_t kLevelBits = kLevels - 1;

std::unexpected<Error> refuse(std::string_view why) {
  return fail(ErrorCode::config, fmt::format("{}; write a URL and a number from 0 to {}, lower ones first, as in "
                                             "\"http://example.org/ 3\"",
                                             why, kHighest));
}

Result<uint64_t> size_of(io::Files& files, const std::string& path) {
  TRY(const auto file, files.open_read(path));
  return file->size();
}

// Calls `see` with each line of the file, without line ends.
Result<void> each_line(io::Files& files, const std::string& path, auto&& see) {
  TRY(const auto file, files.open_read(path));
  std::string text, piece(kPiece, '\0');
  for (uint64_t offset = 0;;) {
    TRY(const size_t got, file->read_at(offset, piece.data(), piece.size()));
    offset += got;
    text.append(piece, 0, got);
    size_t begin = offset == got ? text.size() - without_byte_order_mark(text).size() : 0;
    for (size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
      TRY_VOID(see(std::string_view(text).substr(begin, end - begin)));
    text.erase(0, begin);
    if (got == 0) break;
    if (text.size() > kLongestLine) text.resize(kLongestLine + 1);
  }
  if (!text.empty()) TRY_VOID(see(std::string_view(text)));
  return {};
}

}  // namespace

Result<std::optional<PrecedenceLine>> parse_precedence_line(std::string_view line) {
  if (line.size() > kLongestLine) return refuse(fmt::format("it is longer than {} bytes", kLongestLine));
  const std::string_view whole = trim(line);
  if (whole.empty() || whole.front() == '#') return std::optional<PrecedenceLine>();
  const size_t gap = whole.find_last_of(" \t");
  if (gap == std::string_view::npos) return refuse("it has no precedence");
  const auto number = parse_int(whole.substr(gap + 1));
  if (!number || *number < 0 || *number > kHighest)
    return refuse(fmt::format("'{}' is no precedence", whole.substr(gap + 1)));
  const auto url = url::Url::parse(trim(whole.substr(0, gap)));
  if (!url || !url->is_http()) return refuse("it does not begin with an http or https URL");
  return std::optional(PrecedenceLine{std::string(url->without_fragment()), static_cast<unsigned>(*number)});
}

Result<Precedences> Precedences::load(io::Files& files, const std::string& path, const Identity& identity,
                                      uint64_t memory) {
  Precedences loaded;
  uint64_t number = 0;
  const uint64_t most = memory / sizeof(uint64_t);
  constexpr uint64_t kShortestLine = sizeof("http://a/ 0");
  if (auto size = size_of(files, path); size && *size > 0)
    loaded.rows_.reserve(std::min(most, *size / kShortestLine + 1));
  auto read = each_line(files, path, [&](std::string_view text) -> Result<void> {
    ++number;
    auto line = parse_precedence_line(text);
    if (!line) return pass(std::move(line).error(), fmt::format("line {}", number));
    if (!*line) return {};
    if (loaded.rows_.size() >= most)
      return fail(ErrorCode::limit,
                  fmt::format("line {}: {} URLs are what the memory allows; give the crawl more of it "
                              "(--memory), or list fewer",
                              number, most));
    const unsigned level = std::min((*line)->precedence, kLevels - 2);
    loaded.rows_.push_back((identity.url_hash((*line)->url) & ~kLevelBits) | level);
    return {};
  });
  if (!read) {
    // A file that is not there is not the crawl that is not there.
    Error error = std::move(read).error();
    if (error.code == ErrorCode::not_found) error.code = ErrorCode::config;
    return pass(std::move(error), fmt::format("frontier.precedences: {}", path));
  }
  std::ranges::sort(loaded.rows_);
  loaded.rows_.erase(std::ranges::unique(loaded.rows_).begin(), loaded.rows_.end());
  const auto twice = std::ranges::adjacent_find(
      loaded.rows_, [](uint64_t a, uint64_t b) { return (a & ~kLevelBits) == (b & ~kLevelBits); });
  if (twice == loaded.rows_.end()) return loaded;
  std::string which;
  TRY_VOID(each_line(files, path, [&](std::string_view text) -> Result<void> {
    TRY(const auto line, parse_precedence_line(text));
    if (line && which.empty() && (identity.url_hash(line->url) & ~kLevelBits) == (*twice & ~kLevelBits))
      which = url::public_form(line->url);
    return {};
  }));
  return fail(ErrorCode::config,
              fmt::format("frontier.precedences: {}: {} stands there with two precedences; leave one", path, which));
}

std::optional<unsigned> Precedences::of(uint64_t url_hash) const {
  const uint64_t least = url_hash & ~kLevelBits;
  const auto at = std::ranges::lower_bound(rows_, least);
  if (at == rows_.end() || (*at & ~kLevelBits) != least) return std::nullopt;
  return static_cast<unsigned>(*at & kLevelBits);
}

}  // namespace caddis::frontier
