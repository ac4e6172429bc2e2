// The links of captured pages, as metadata records name them: "outlink: <url> <hop> <context>".
#pragma once

#include <functional>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/warc/source.h"

namespace caddis::inspect {

// Views are valid during the call.
struct Outlink {
  std::string_view page, date;  // of the metadata record
  std::string_view url;
  std::string_view hop;      // a letter
  std::string_view context;  // "a/@href"
};

// Calls `use` with each outlink of each metadata record; false ends it. Damaged records are passed over. An error only
// where the source cannot be read.
Result<void> each_outlink(const warc::ByteSource& source, const std::function<bool(const Outlink& link)>& use);

}  // namespace caddis::inspect
