// What the standard asks of a record's named fields (WARC 1.1, sections 4 to 6). Internal to check.
#pragma once

#include <functional>
#include <string>

#include "caddis/warc/finding.h"
#include "caddis/warc/record.h"

namespace caddis::warc {

using FieldReport = std::function<void(Level level, std::string code, std::string message, std::string repair)>;

// Reports each departure; records of ARC files have no fields of their own and are passed over.
void check_fields(const Header& header, uint64_t content_length, const FieldReport& report);

}  // namespace caddis::warc
