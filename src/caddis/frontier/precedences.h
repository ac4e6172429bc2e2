// Precedences that an operator gives to URLs beforehand (Heritrix's PreloadedUriPrecedencePolicy): from a file with a
// URL and a number in each line,
//
//   # comment
//   http://example.org/ 0
//   http://example.org/archive?page=9 40
//
// 0 to 127, lower ones first; above 62 all are alike. A URL is known by its WHATWG href without fragment. In memory a
// URL costs 8 bytes, of which 58 bits tell it from others: among ten million, one of thirty thousand million strangers
// is taken for a listed one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/identity.h"
#include "caddis/io/files.h"

namespace caddis::frontier {

struct PrecedenceLine {
  std::string url;
  unsigned precedence = 0;
};
// Returns nothing for an empty line or a comment; ErrorCode::config for what is neither.
Result<std::optional<PrecedenceLine>> parse_precedence_line(std::string_view line);

class Precedences {
 public:
  // Reads all of it: at a start. A line that is none ends it, with its number; so does a URL with two precedences, and
  // more URLs than `memory` bytes hold.
  static Result<Precedences> load(io::Files& files, const std::string& path, const Identity& identity, uint64_t memory);

  // The level of a URL with this hash.
  std::optional<unsigned> of(uint64_t url_hash) const;
  size_t size() const { return rows_.size(); }

 private:
  std::vector<uint64_t> rows_;  // sorted: the hash without its lowest six bits, which hold the level
};

}  // namespace caddis::frontier
