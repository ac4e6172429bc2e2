// All records of one capture: the response, and behind it in the same file the request and the metadata that tell how a
// crawl came to it, and the warcinfo at the file's beginning, which tells who captured it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/replay/collection.h"
#include "caddis/warc/views.h"

namespace caddis::replay {

struct CaptureRecords {
  warc::WarcFields header;    // of the record
  std::string response_head;  // as it came, with its line ends; empty if the record has none
  std::string request_head;   // empty if no request lies behind it
  warc::WarcFields metadata;  // via, hopsFromSeed, …
  warc::WarcFields warcinfo;
};

// Reads a few records behind the capture, and little of each. What lies elsewhere (writers that put requests in front,
// or into other files) is not found. ErrorCode::not_found or corrupt if the capture's own record cannot be read.
Result<CaptureRecords> read_capture_records(const Collection& collection, const cdx::Capture& capture);

// The first value of that name; empty if there is none.
std::string_view value_of(const warc::WarcFields& fields, std::string_view name);

}  // namespace caddis::replay
