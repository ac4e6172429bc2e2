// The row that the key-value store keeps for each generation of a stream. Grammar and bytes: docs/formats/streams.md.
// Private to store.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::store {

struct StreamRow {
  enum class Kind : char { log = 'L', rolled = 'R' };
  enum class State : char {
    open = 'o',      // being written, under path + suffix
    closed = 'c',    // complete, under path (or still to be renamed to it)
    released = 'r',  // of a log: let go; the file may be there for a while, and nobody needs it
    lost = 'x',      // the file was found shorter than committed, or missing; nobody looks at it again
  };

  std::string name;
  uint32_t generation = 1;
  Kind kind = Kind::log;
  State state = State::open;
  uint64_t length = 0;  // committed bytes
  std::string path;     // final name
  std::string suffix;   // of the name while open

  std::string open_path() const { return path + suffix; }
};

std::string stream_key(const StreamRow& row);
// `root`: paths below it are written relative to it; "" writes all as they are.
std::string encode_stream_row(const StreamRow& row, std::string_view root);
Result<StreamRow> decode_stream_row(std::string_view key, std::string_view value, std::string_view root);

// True where `path` comes back from a row as it went in.
bool storable_path(std::string_view path, std::string_view root);

}  // namespace caddis::store
