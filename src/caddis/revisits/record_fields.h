// Header fields that go along when a record is made anew. Internal to revisits.
#pragma once

#include "caddis/warc/record.h"
#include "caddis/warc/writer.h"

namespace caddis::revisits {

// Appends all fields of `header` but those that tell of its kind, its identity, its block and its payload, or what it
// refers to: those are the new record's own.
void keep_other_fields(const warc::Header& header, warc::RecordFields& fields);

}  // namespace caddis::revisits
