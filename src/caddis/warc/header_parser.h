// Reads record headers: the header block of a WARC record, and the one line of an ARC record.
//
//   header = version line, *named-field, empty line           WARC 1.1, section 4
//   version = "WARC/" 1*DIGIT "." 1*DIGIT
//   named-field = token ":" [field-value]; a line that begins with a blank continues the one before
//
//   arc-line = URL SP IP SP date SP mime SP length                                             ARC 1.x
//            | URL SP IP SP date SP mime SP status SP checksum SP location SP offset SP filename SP length   ARC 2
//
// Lenient throughout: lines may end with LF or with several CRs before it, URLs in ARC lines may hold blanks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/warc/record.h"

namespace caddis::warc {

// A departure from the grammar that could be read all the same.
struct HeaderFlaw {
  std::string code;
  std::string message;
};

// "WARC/1.0" at the front, whatever follows.
bool starts_like_warc(std::string_view bytes);

// The length of the header block at the front of `bytes`, its empty line included; nothing where that is not there.
// `from` is where to start looking, for callers who looked in a shorter `bytes` before.
std::optional<size_t> find_header_end(std::string_view bytes, size_t from = 0);

// `block` ends with its empty line. Appends to `flaws`.
void parse_warc_header(std::string_view block, Header& header, std::vector<HeaderFlaw>& flaws);

// A plausible header block that says what a reader needs to go on: type, id and length. `bytes` may go on behind it.
bool is_sound_warc_header(std::string_view bytes);

struct ArcLine {
  std::string_view url, ip, date, mime;
  std::string_view status;         // ARC 2 only
  std::optional<uint64_t> length;  // nothing where it is not a number
};

// Nothing where `line` (without its line end) is not one.
std::optional<ArcLine> parse_arc_line(std::string_view line);
// The same facts as WARC fields. The block of a "filedesc:" record becomes a warcinfo's.
void arc_header(const ArcLine& line, Header& header, std::vector<HeaderFlaw>& flaws);

}  // namespace caddis::warc
