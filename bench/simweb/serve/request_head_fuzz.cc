// Requests as a hostile client sends them: found the same whether they come at once or byte by byte.
#include <cstddef>
#include <cstdint>

#include "caddis/base/check.h"
#include "simweb/serve/request_head.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace simweb;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  RequestHead request;
  const ParsedRequest whole = parse_request(bytes, 0, request);
  if (whole.state != ParsedRequest::State::complete) {
    CADDIS_CHECK(whole.state != ParsedRequest::State::bad || (whole.status >= 400 && whole.status <= 501));
    return 0;
  }
  CADDIS_CHECK(whole.head_size <= size && !request.method.empty() && !request.target.empty());
  CADDIS_CHECK(request.body_size <= max_request_body && !path_of(request.target).empty());
  RequestHead again;
  for (size_t length = 0; length < whole.head_size; ++length) {
    const auto part = parse_request(bytes.substr(0, length), length == 0 ? 0 : length - 1, again);
    CADDIS_CHECK(part.state == ParsedRequest::State::incomplete);
  }
  const auto parsed = parse_request(bytes.substr(0, whole.head_size), whole.head_size - 1, again);
  CADDIS_CHECK(parsed.head_size == whole.head_size && again.target == request.target && again.host == request.host);
  return 0;
}
