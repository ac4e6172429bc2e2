// Heads of every mode, and what is decided from them.
#include <cstdint>

#include "caddis/base/check.h"
#include "caddis/http/framing.h"
#include "caddis/http/head.h"
#include "caddis/http/media_type.h"

using namespace caddis;

namespace {

// Every view has to lie inside the head's own bytes: reading them shows it under the sanitizer.
template <class AnyHead>
void read_all(const AnyHead& head) {
  size_t sum = head.raw().size();
  for (const http::Field field : head) sum += field.name.size() + field.value.size() + head.joined(field.name).size();
  for (const char c : http::mime_of(head)) sum += static_cast<unsigned char>(c);
  volatile size_t sink = sum;
  static_cast<void>(sink);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const http::HeadLimits limits = {.bytes = 4096, .fields = 16};
  if (const auto head = http::parse_response_head(bytes, http::Mode::lenient, limits)) {
    read_all(*head);
    const auto framing = http::response_framing(*head, size % 2 == 0 ? "GET" : "HEAD");
    CADDIS_CHECK(framing.problem.empty() || !framing.keep_alive);
    // The scanner and the parser agree on where a head ends.
    const auto end = http::HeadScanner().scan(bytes);
    CADDIS_CHECK(end.value_or(bytes.size()) == head->size());
    CADDIS_CHECK(end.has_value() == head->complete());
  }
  if (const auto head = http::parse_response_head(bytes, http::Mode::strict, limits)) {
    read_all(*head);
    CADDIS_CHECK(http::parse_response_head(bytes, http::Mode::lenient, limits).has_value());
  }
  if (const auto head = http::parse_request_head(bytes, http::Mode::lenient, limits)) read_all(*head);
  if (const auto head = http::parse_request_head(bytes, http::Mode::strict, limits)) read_all(*head);
  return 0;
}
