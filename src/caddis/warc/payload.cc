#include "caddis/warc/payload.h"

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

}  // namespace

std::optional<size_t> HttpHead::find_end(std::string_view bytes) { return find_header_end(bytes); }

std::string_view HttpHead::start_line() const {
  std::string_view rest = bytes_;
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

// Calls `visit` with the trimmed value of each field of that name, until it says false.
template <class Visit>
void HttpHead::for_each(std::string_view name, const Visit& visit) const {
  std::string_view rest = bytes_;
  take_line(rest);
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || !equals_ignore_case(trim(line.substr(0, colon)), name)) continue;
    if (!visit(trim(line.substr(colon + 1)))) return;
  }
}

std::string_view HttpHead::get(std::string_view name) const {
  std::string_view found;
  for_each(name, [&](std::string_view value) {
    found = value;
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
  const auto end = find_header_end(head_, before);
  if (!end) {
    // A block whose head never ends has no body.
    if (head_.size() > kMaxHead) head_.resize(kMaxHead);
    return {};
  }
  head_.resize(*end);
  in_head_ = false;
  chunked_ = HttpHead(head_).chunked();
  return bytes.substr(*end - before);
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
