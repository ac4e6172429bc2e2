#include "caddis/warc/payload.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/io/content_codec.h"
#include "caddis/warc/header_parser.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

// The next line without its end; advances `bytes`.
std::string_view take_line(std::string_view& bytes) {
  const size_t end = bytes.find('\n');
  std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// As many as module http takes from one head.
constexpr size_t kMaxFields = 2000;

}  // namespace

size_t HttpHead::blank_lines(std::string_view bytes) {
  size_t end = 0;
  for (std::string_view rest = bytes; rest.find('\n') != std::string_view::npos;) {
    if (!trim(take_line(rest)).empty()) break;
    end = bytes.size() - rest.size();
  }
  return end;
}

std::optional<size_t> HttpHead::find_end(std::string_view bytes, size_t from) {
  const size_t blank = blank_lines(bytes);
  if (blank > 0) {
    // Only in front of what is a status line: otherwise the block is taken as it is.
    constexpr std::string_view kBegin = "HTTP";
    const std::string_view begin = bytes.substr(blank, kBegin.size());
    const bool is_open = begin.size() < kBegin.size() && starts_with_ignore_case(kBegin, begin);
    if (is_open) return std::nullopt;
    if (equals_ignore_case(begin, kBegin)) {
      const auto end = find_header_end(bytes.substr(blank), from > blank ? from - blank : 0);
      return end ? std::optional(*end + blank) : std::nullopt;
    }
    from = 0;  // where it could not be told before
  }
  return find_header_end(bytes, from);
}

std::string_view HttpHead::start_line() const {
  std::string_view rest = bytes_.substr(blank_lines(bytes_));
  return take_line(rest);
}

int HttpHead::status() const {
  const std::string_view line = start_line();
  if (!starts_with_ignore_case(line, "HTTP")) return 0;
  const size_t blank = line.find(' ');
  if (blank == std::string_view::npos) return 0;
  std::string_view code = trim(line.substr(blank));
  code = code.substr(0, code.find(' '));
  const auto number = parse_int(code);
  return number && *number >= 100 && *number <= 999 ? static_cast<int>(*number) : 0;
}

// Calls `visit` with the trimmed value of each field of that name, until it says false. Lines that go on with a field
// are part of its value, line ends and all.
template <class Visit>
void HttpHead::for_each(std::string_view name, const Visit& visit) const {
  std::string_view rest = bytes_.substr(blank_lines(bytes_));
  take_line(rest);
  for (size_t fields = 0; !rest.empty();) {
    const std::string_view from = rest;
    const std::string_view line = take_line(rest);
    const size_t colon = line.find(':');
    if (line.empty() || is_blank(line.front()) || colon == std::string_view::npos) continue;
    if (++fields > kMaxFields) return;
    if (!equals_ignore_case(trim_blanks(line.substr(0, colon)), name)) continue;
    while (!rest.empty() && is_blank(rest.front())) take_line(rest);
    if (!visit(trim(from.substr(0, from.size() - rest.size()).substr(colon + 1)))) return;
  }
}

std::string_view HttpHead::get(std::string_view name) const {
  std::string_view found;
  for_each(name, [&](std::string_view value) {
    found = value.substr(0, value.find_first_of("\r\n"));
    return false;
  });
  return found;
}

bool HttpHead::chunked() const {
  std::string_view last;
  for_each("Transfer-Encoding", [&](std::string_view value) {
    for (const std::string_view item : split(value, ',')) {
      const std::string_view coding = trim(item.substr(0, item.find(';')));
      if (!coding.empty() && !equals_ignore_case(coding, "identity")) last = coding;
    }
    return true;
  });
  return equals_ignore_case(last, "chunked");
}

std::string_view PayloadSplitter::take_head(std::string_view bytes) {
  const size_t before = head_.size();
  head_ += bytes;
  const auto end = HttpHead::find_end(head_, before);
  if (!end) {
    // A block whose head never ends has no body.
    if (head_.size() > kMaxHead) head_.resize(kMaxHead);
    return {};
  }
  if (*end < before) early_ = head_.substr(*end, before - *end);
  head_.resize(*end);
  in_head_ = false;
  chunked_ = HttpHead(head_).chunked();
  return bytes.substr(std::max(*end, before) - before);
}

Result<Payload> read_payload(Record& record, uint64_t limit) {
  if (record.content_length() > limit) {
    return fail(ErrorCode::limit, fmt::format("the block at offset {} has {} bytes, more than {}", record.offset(),
                                              record.content_length(), limit));
  }
  Payload payload;
  const bool http = is_http(record.header());
  PayloadSplitter splitter(http);
  for (;;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    if (payload.raw.size() + piece.size() > limit) {
      return fail(ErrorCode::limit,
                  fmt::format("the block at offset {} has more than {} bytes", record.offset(), limit));
    }
    splitter.feed(
        piece, [&](std::string_view bytes) { payload.raw += bytes; },
        [&](std::string_view bytes) { payload.entity += bytes; });
  }
  payload.http_head = splitter.head();
  payload.complete = record.complete();
  if (!payload.complete) payload.problem = "the record is damaged or cut";
  const io::ChunkedDecoder& decoder = splitter.decoder();
  if (!splitter.was_chunked()) {
    payload.entity = payload.raw;
  } else if (!decoder.has_all_data()) {
    payload.complete = false;
    payload.problem = decoder.broken() ? decoder.problem() : "the chunked body is cut";
  }
  return payload;
}

std::string decode_payload(const Payload& payload, size_t max_output, std::string* problem) {
  const std::string_view coding = HttpHead(payload.http_head).get("Content-Encoding");
  io::Decoded decoded = io::decode_content(payload.entity, coding, max_output);
  if (problem != nullptr) *problem = std::move(decoded.problem);
  return std::move(decoded.bytes);
}

}  // namespace caddis::warc
