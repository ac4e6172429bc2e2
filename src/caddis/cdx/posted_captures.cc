#include "caddis/cdx/posted_captures.h"

#include "caddis/base/strings.h"
#include "caddis/cdx/request_key.h"
#include "caddis/io/chunked.h"
#include "caddis/warc/payload.h"

namespace caddis::cdx {

RecordNames RecordNames::of(const warc::Header& header) {
  return {std::string(header.id()), std::string(header.bare_uri("WARC-Concurrent-To"))};
}

bool RecordNames::belong_to(const RecordNames& record) const {
  return (!own.empty() && own == record.other) || (!other.empty() && other == record.own);
}

CaptureFields HeldCapture::fields() const {
  return {.url = url,
          .date = date,
          .mime = mime,
          .status = status,
          .digest = digest,
          .length = length,
          .offset = offset,
          .filename = filename};
}

Result<std::optional<PostedRequest>> read_request(warc::Record& record) {
  constexpr size_t kMostHead = 64u << 10;
  std::optional<PostedRequest> request;
  if (record.type() != warc::RecordType::request || !warc::is_http(record.header())) return request;
  std::string bytes;
  std::optional<size_t> head;
  while (!head || bytes.size() < *head + kMostKeyInput) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty() || (bytes.empty() && piece.starts_with("GET "))) break;
    bytes += piece;
    if (!head) head = warc::HttpHead::find_end(bytes);
    if (!head && bytes.size() > kMostHead) return request;
  }
  if (!head) return request;
  const warc::HttpHead read(std::string_view(bytes).substr(0, *head));
  const std::string_view line = read.start_line();
  const std::string_view method = line.substr(0, line.find(' '));
  if (method != "POST" && method != "PUT" && method != "PATCH") return request;
  std::string body = bytes.substr(*head);
  if (contains_ignore_case(read.get("transfer-encoding"), "chunked")) body = io::dechunk(body).bytes;
  request = {std::string(method), key_body(read.get("content-type"), body)};
  return request;
}

Result<void> PostedCaptures::give(const HeldCapture& capture, const PostedRequest& request) {
  CaptureFields fields = capture.fields();
  fields.method = request.method;
  fields.request_body = request.body;
  return use_(fields);
}

Result<void> PostedCaptures::add(RecordNames names, HeldCapture capture) {
  TRY_VOID(end());
  if (request_ && request_->first.belong_to(names)) {
    const PostedRequest request = std::move(request_->second);
    request_.reset();
    return give(capture, request);
  }
  capture_.emplace(std::move(names), std::move(capture));
  return {};
}

Result<void> PostedCaptures::ask(warc::Record& record) {
  request_.reset();
  TRY(auto request, read_request(record));
  if (!request) return {};
  RecordNames names = RecordNames::of(record.header());
  if (!capture_ || !names.belong_to(capture_->first)) {
    request_.emplace(std::move(names), *std::move(request));
    return {};
  }
  const HeldCapture capture = std::move(capture_->second);
  capture_.reset();
  return give(capture, *request);
}

Result<void> PostedCaptures::end() {
  if (!capture_) return {};
  const HeldCapture capture = std::move(capture_->second);
  capture_.reset();
  return give(capture, {});
}

}  // namespace caddis::cdx
