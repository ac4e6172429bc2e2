#include "caddis/http/server_request.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::http {
namespace {

// A Content-Length of a request is one number: two that differ are an attempt at smuggling (RFC 9112 section 6.3).
Result<uint64_t> content_length(const RequestHead& head) {
  std::optional<std::string_view> value;
  for (const std::string_view next : head.find_all("content-length")) {
    if (value && *value != next) return fail(ErrorCode::parse, "two lengths that differ");
    value = next;
  }
  if (!value) return 0;
  if (value->empty() || value->size() > 18 || !std::ranges::all_of(*value, is_digit)) {
    return fail(ErrorCode::parse, "the Content-Length is no number");
  }
  return static_cast<uint64_t>(*parse_int(*value));
}

// "http://host/path" is asked of proxies, but every server has to understand it (RFC 9112 section 3.2.2).
std::string_view without_origin(std::string_view target) {
  if (target.starts_with('/')) return target;
  const size_t host = target.find("://");
  if (host == std::string_view::npos) return target;
  const size_t path = target.find('/', host + 3);
  return path == std::string_view::npos ? "/" : target.substr(path);
}

}  // namespace

Result<size_t> RequestParser::take(std::string_view bytes) {
  switch (state_) {
    case State::head:
      return take_head(bytes);
    case State::sized_body:
      return take_sized(bytes);
    case State::chunked_body:
      return take_chunked(bytes);
    case State::done:
      break;
  }
  return 0;
}

Result<size_t> RequestParser::take_head(std::string_view bytes) {
  if (bytes.starts_with("\r\n")) {  // left over behind a body by careless clients (RFC 9112 section 2.2)
    scanner_ = HeadScanner();
    return 2;
  }
  const std::optional<size_t> size = scanner_.scan(bytes);
  if (size.value_or(bytes.size()) > settings_.max_head) return fail(ErrorCode::limit, "the head is too long");
  if (!size) return 0;
  HeadLimits limits;
  limits.bytes = settings_.max_head;
  limits.fields = 500;
  TRY(const RequestHead head, parse_request_head(bytes.substr(0, *size), Mode::strict, limits));
  TRY_VOID(use_head(head));
  return *size;
}

Result<void> RequestParser::use_head(const RequestHead& head) {
  http_1_0_ = head.version() < Version{1, 1};
  if (!http_1_0_ && head.find_all("host").size() != 1) return fail(ErrorCode::parse, "not exactly one Host field");
  request_.method = head.method();
  request_.target = head.target();
  const std::string_view local = without_origin(head.target());
  const size_t mark = local.find('?');
  request_.path = local.substr(0, mark);
  if (mark != std::string_view::npos) request_.query = local.substr(mark + 1);
  request_.headers.reserve(head.field_count());
  for (const Field field : head) request_.headers.emplace_back(field.name, field.value);
  for_reader_ = settings_.reads_body && settings_.reads_body(request_);
  keep_alive_ = http_1_0_ ? head.has_token("connection", "keep-alive") : !head.has_token("connection", "close");
  TRY_VOID(use_framing(head));
  wants_continue_ = state_ != State::done && !http_1_0_ && head.has_token("expect", "100-continue");
  return {};
}

Result<void> RequestParser::use_framing(const RequestHead& head) {
  if (head.find("transfer-encoding")) {
    if (head.find("content-length")) return fail(ErrorCode::parse, "both a length and a transfer coding");
    if (!equals_ignore_case(head.joined("transfer-encoding"), "chunked")) {
      return fail(ErrorCode::unsupported, "a transfer coding other than chunked");
    }
    state_ = State::chunked_body;
    return {};
  }
  TRY(left_, content_length(head));
  state_ = left_ > 0 ? State::sized_body : State::done;
  // Who waits to be told to send it is told not to.
  if (left_ > settings_.max_body && !for_reader_) return fail(ErrorCode::limit, "the body is too long");
  return {};
}

Result<size_t> RequestParser::take_sized(std::string_view bytes) {
  const size_t size = std::min<uint64_t>(left_, bytes.size());
  request_.body.append(bytes.substr(0, size));
  left_ -= size;
  if (left_ == 0) state_ = State::done;
  return size;
}

Result<size_t> RequestParser::take_chunked(std::string_view bytes) {
  std::string_view rest = bytes;
  for (std::string_view piece; !(piece = chunked_.next(rest)).empty();) {
    if (request_.body.size() + piece.size() > settings_.max_body && !for_reader_)
      return fail(ErrorCode::limit, "the body is too long");
    request_.body.append(piece);
  }
  if (chunked_.broken()) return fail(ErrorCode::parse, chunked_.problem());
  if (chunked_.done()) state_ = State::done;
  return bytes.size() - rest.size();
}

int status_of(const Error& error, bool in_head) {
  if (error.code == ErrorCode::unsupported) return 501;
  if (error.code == ErrorCode::limit) return in_head ? 431 : 413;
  return 400;
}

int status_of_body(const Error& error) {
  if (error.code == ErrorCode::timeout) return 504;
  return error.code == ErrorCode::limit ? 413 : 500;
}

}  // namespace caddis::http
