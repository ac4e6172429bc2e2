// Any bytes as the answer of a worker that somebody else commands: what is taken is within the limits, and has one form.
#include <cstddef>
#include <cstdint>

#include "caddis/base/check.h"
#include "caddis/documents/worker_messages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace caddis::documents;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Limits limits{.links = 50, .url_length = 100};
  const auto found = decode_answer(bytes, limits);
  if (!found) return 0;
  CADDIS_CHECK(found->links.size() <= limits.links);
  for (const FoundLink& link : found->links) CADDIS_CHECK(link.url.size() <= 2 * limits.url_length);
  const auto again = decode_answer(encode_answer(*found), limits);
  CADDIS_CHECK(again.has_value() && again->links == found->links);
  return 0;
}
