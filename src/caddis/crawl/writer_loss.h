// A row of the state: the captures that a writer has left out since it failed (archive.on-failure: go-on).
//
// Row: "COUNT WHY", under kWriterFailedRow and the writer's name. Pure functions; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/strings.h"

namespace caddis::crawl {

struct WriterLoss {
  uint64_t captures = 0;
  std::string why;  // with the time since when

  static WriterLoss read(std::string_view row) {
    const size_t blank = std::min(row.find(' '), row.size());
    return {.captures = static_cast<uint64_t>(parse_int(row.substr(0, blank)).value_or(0)),
            .why = std::string(row.substr(std::min(blank + 1, row.size())))};
  }
  std::string row() const { return std::to_string(captures) + " " + why; }
};

}  // namespace caddis::crawl
