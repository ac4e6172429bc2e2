// Facts about a record, from its header and the first bytes of its block.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/warc/reader.h"

namespace caddis::inspect {

struct RecordFacts {
  int status = 0;         // of an HTTP response; 0 if there is none
  std::string mime;       // of the payload, in small letters, without parameters; empty if it is unknown
  std::string http_head;  // with its empty line; of HTTP messages only
  std::string front;      // what was read of the block, the head included
};

// Reads the block as far as is needed. Nothing of it has been read yet.
Result<RecordFacts> facts_of(warc::Record& record);

// "Text/HTML; charset=x" gives "text/html".
std::string bare_mime(std::string_view content_type);

}  // namespace caddis::inspect
