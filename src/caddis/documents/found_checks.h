// Checks of every answer of a reader, for fuzz targets.
#pragma once

#include <string_view>

#include "caddis/base/check.h"
#include "caddis/base/utf8.h"
#include "caddis/documents/document.h"
#include "caddis/documents/worker_messages.h"

namespace caddis::documents {

// Reads the bytes as a document of that format, within small limits; ends the process if the answer is not as promised.
inline void check_reader(Format format, std::string_view bytes) {
  const Limits limits{.links = 100, .url_length = 200, .unpacked = 4 << 20, .entries = 200};
  const Found found = read_document(format, bytes, limits);
  CADDIS_CHECK(found.links.size() <= limits.links);
  for (const FoundLink& link : found.links) {
    CADDIS_CHECK(!link.url.empty() && link.url.size() <= 2 * limits.url_length);
    CADDIS_CHECK(is_utf8(link.url));
  }
  const std::string message = encode_answer(found);
  CADDIS_CHECK(message.size() <= longest_answer(limits) + found.base.size());
  const auto again = decode_answer(message, limits);
  CADDIS_CHECK(again.has_value());
  CADDIS_CHECK(again->links == found.links && again->dropped == found.dropped);
}

}  // namespace caddis::documents
