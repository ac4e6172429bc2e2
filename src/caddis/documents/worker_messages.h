// Messages between a crawl and its document worker, over a stream socket. Internal to documents.
//
//   worker  hello     one byte: how it is confined
//   crawl   request   `Request` as it lies in memory, with the document as a descriptor (SCM_RIGHTS)
//   worker  answer    its length (4 bytes), and what `encode_answer` makes
//
// Both ends are the same executable. The worker has read what a stranger wrote, and may be under somebody else's
// command: nothing in an answer is believed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/documents/document.h"

namespace caddis::documents {

inline constexpr char kConfinedBySeccomp = 'S', kConfinedByLimits = 'L';
// The descriptor of a worker's end of the socket.
inline constexpr int kWorkerSocket = 3;

struct Request {
  uint64_t size = 0;                                              // of the document
  uint64_t links = 0, url_length = 0, unpacked = 0, entries = 0;  // Limits
  uint32_t seconds = 0;                                           // of processor time
  uint32_t format = 0;
};

// The largest answer to a question with these limits.
uint64_t longest_answer(const Limits& limits);
std::string encode_answer(const Found& found);
// ErrorCode::corrupt if it is none, or has more than the limits allow.
Result<Found> decode_answer(std::string_view bytes, const Limits& limits);

}  // namespace caddis::documents
