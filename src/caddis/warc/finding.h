// What a reader or a check found wrong with a file: where, how bad, and what to do about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis::warc {

enum class Level {
  info,     // worth knowing, nothing wrong
  warning,  // off the standard, but nothing is lost
  error,    // data is lost, damaged or cannot be addressed
};

std::string_view to_string(Level level);

struct Finding {
  uint64_t offset =
      0;  // in the file as it lies on disk: of the record (or gzip member) concerned, or of the flaw itself
  Level level = Level::warning;
  std::string code;  // stable, for programs: "digest-mismatch", "gzip-cut", ...; all are listed in docs/formats/warc.md
  std::string message;  // for people
  std::string repair;   // what to do; empty where nothing is needed
};

}  // namespace caddis::warc
