// Requests of HTTP/1.0 and 1.1 (RFC 9112) as the synthetic web's server reads them: only what answers depend on.
//
// Pure. The views of a RequestHead lead into the bytes that were parsed. Limits: 32 KB a head, 100 fields, 1 MB of
// body, which is skipped; a chunked body is refused, since no crawler sends one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace simweb {

struct RequestHead {
  std::string_view method;
  std::string_view target;  // as sent; in absolute form where the client takes us for a proxy
  std::string_view host;    // of the Host field, or of an absolute target; without port
  std::string_view user_agent;
  std::string_view if_none_match;
  std::string_view if_modified_since;
  std::string_view cookie;
  std::string_view authorization;
  bool http_1_0 = false;
  bool keep_alive = true;
  bool accepts_gzip = false;
  uint64_t body_size = 0;  // bytes that follow the head
};

inline constexpr size_t max_request_head = 32 * 1024;
inline constexpr uint64_t max_request_body = 1024 * 1024;

struct ParsedRequest {
  enum class State : uint8_t { incomplete, complete, bad };
  State state = State::incomplete;
  int status = 0;        // where bad: what to answer before closing
  size_t head_size = 0;  // where complete: bytes of the head
};

// `bytes` is what came and was not taken yet; the first `searched` of them were looked at by an earlier call that found
// the head incomplete.
ParsedRequest parse_request(std::string_view bytes, size_t searched, RequestHead& request);

// The path and query of a target in origin or absolute form.
std::string_view path_of(std::string_view target);

}  // namespace simweb
