#include "caddis/cdxserver/line_intake.h"

#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"

namespace caddis::cdxserver {
namespace {

constexpr std::string_view kAlias = "@alias ";
constexpr size_t kShownOfLine = 200;

std::string_view value_of(const cdx::Capture& capture, std::string_view name) { return cdx::field(capture, name); }

// The key that the policy makes of what the line is a capture of. A line of a request with a body has it in its key
// alone, if its indexer did not name it.
std::string key_of(const cdx::Capture& capture, const url::KeyPolicy& policy) {
  const std::string_view method = value_of(capture, "method");
  if (!method.empty() && method != "GET")
    return cdx::index_key(cdx::request_url(capture.url, method, value_of(capture, "requestBody")), policy,
                          capture.timestamp);
  if (capture.urlkey.find("__wb_method=") != std::string::npos) return capture.urlkey;
  return cdx::index_key(capture.url, policy, capture.timestamp);
}

}  // namespace

Result<void> LineIntake::take(std::string_view piece) {
  for (;;) {
    const size_t end = piece.find('\n');
    if (end == std::string_view::npos) break;
    if (rest_.empty()) {
      TRY_VOID(take_line(piece.substr(0, end)));
    } else {
      rest_ += piece.substr(0, end);
      TRY_VOID(take_line(rest_));
      rest_.clear();
    }
    piece.remove_prefix(end + 1);
  }
  if (rest_.size() + piece.size() > cdx::kMaxLine)
    return fail(ErrorCode::limit, "line " + std::to_string(number_ + 1) + " is longer than 4 MiB");
  rest_ += piece;
  return {};
}

Result<void> LineIntake::finish() {
  if (!rest_.empty()) TRY_VOID(take_line(rest_));
  return commit();
}

Result<void> LineIntake::take_line(std::string_view line) {
  ++number_;
  while (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with(" CDX")) cdx_header_ = line;
  if (line.empty() || line.front() == ' ' || line.front() == '!') return {};
  const auto used = use_line(line);
  if (used) {
    ++held_;
    const bool is_full = held_ >= options_.part_lines || writer_.bytes() >= options_.part_bytes;
    return is_full ? commit() : Result<void>();
  }
  if (options_.skip_bad) {
    ++skipped_;
    return {};
  }
  std::string message = "line " + std::to_string(number_) + ": " + used.error().message + ": " +
                        std::string(line.substr(0, kShownOfLine)) + '\n';
  message += committed_lines_ == 0 ? "nothing of this request was done; badLines=skip passes such lines over"
                                   : "lines 1 to " + std::to_string(committed_lines_) +
                                         " were done, nothing behind them; send the rest again, or with badLines=skip";
  writer_.abandon();
  return fail(ErrorCode::parse, std::move(message));
}

Result<void> LineIntake::use_alias(std::string_view line) {
  std::vector<std::string_view> urls;
  for (const std::string_view part : split(line.substr(kAlias.size()), ' '))
    if (!part.empty()) urls.push_back(part);
  const size_t wanted = options_.is_deletion ? 1 : 2;
  if (urls.size() < wanted || urls.size() > 2)
    return fail(ErrorCode::parse, "an alias is written as @alias <URL> <URL of the captures>");
  std::string alias = cdx::index_key(urls[0], store_.policy());
  if (options_.is_deletion) {
    writer_.erase_alias(std::move(alias));
    return {};
  }
  return writer_.put_alias({std::move(alias), cdx::index_key(urls[1], store_.policy())});
}

Result<void> LineIntake::use_line(std::string_view line) {
  if (line.starts_with(kAlias)) return use_alias(line);
  Result<cdx::Capture> parsed = fail(ErrorCode::not_found, "");
  if (!cdx_header_.empty()) parsed = cdx::parse_cdx_line(line, cdx_header_);
  // CDXJ, or lines of several files under the header of the first.
  if (!parsed) parsed = cdx::parse_line(line);
  if (!parsed) return std::unexpected(std::move(parsed).error());
  cdx::Capture capture = *std::move(parsed);
  if (options_.makes_keys) {
    if (capture.url.empty()) return fail(ErrorCode::parse, "a line without a URL");
    capture.urlkey = key_of(capture, store_.policy());
  }
  return options_.is_deletion ? writer_.erase(std::move(capture)) : writer_.put(std::move(capture));
}

Result<void> LineIntake::commit() {
  const auto written = writer_.commit();
  if (!written) {
    Error error = written.error();
    error.message += committed_lines_ == 0 ? "; nothing of this request was done"
                                           : "; lines 1 to " + std::to_string(committed_lines_) + " were done";
    return std::unexpected(std::move(error));
  }
  committed_lines_ = number_;
  taken_ += std::exchange(held_, 0);
  return {};
}

}  // namespace caddis::cdxserver
