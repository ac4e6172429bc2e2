// The lines of the logs by protocol and by fate (docs/formats/logs.md), from the facts of a visit.
//
// Pure functions; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "caddis/logs/json_log.h"

namespace caddis::visit {
struct LogEntry;
struct WrittenAt;
}  // namespace caddis::visit

namespace caddis::crawl {

// The one log that has it.
logs::JsonLog log_of(const visit::LogEntry& entry);

// Appends its line, without the place of its records. Returns where in `lines` that is to be inserted. `why`: the reason
// of a failure, in words.
size_t append_outcome(std::string& lines, logs::JsonLog log, const logs::JsonFields& fields,
                      const visit::LogEntry& entry, std::string_view why);

// Appends the fields of a place to a line that has no end yet; nothing if no records were written.
void append_place(std::string& line, const logs::JsonFields& fields, const visit::WrittenAt& place);

}  // namespace caddis::crawl
