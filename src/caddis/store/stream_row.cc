#include "caddis/store/stream_row.h"

#include <algorithm>
#include <iterator>

#include "caddis/base/strings.h"
#include "caddis/io/files.h"

namespace caddis::store {

namespace {

constexpr char kVersion = 1;
constexpr size_t kFixedBytes = 4 + 8 + 2 + 2;

void append_little_endian(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

bool is_below(std::string_view path, std::string_view root) {
  return !root.empty() && path.size() > root.size() + 1 && path.starts_with(root) && path[root.size()] == '/';
}

std::unexpected<Error> damaged(std::string_view key, std::string_view what) {
  return fail(ErrorCode::corrupt, "the row of stream " + std::string(key.substr(0, key.find('\0'))) + " (key " +
                                      to_hex(key) + ") is damaged: " + std::string(what) +
                                      "; go back to the last checkpoint");
}

}  // namespace

std::string stream_key(const StreamRow& row) {
  std::string key = row.name;
  key += '\0';
  for (int shift = 24; shift >= 0; shift -= 8) key += static_cast<char>(row.generation >> shift);
  return key;
}

std::string encode_stream_row(const StreamRow& row, std::string_view root) {
  std::string_view path = row.path;
  if (is_below(path, root)) path.remove_prefix(root.size() + 1);
  std::string value;
  value += kVersion;
  value += static_cast<char>(row.kind);
  value += static_cast<char>(row.state);
  value += '\0';
  append_little_endian(value, row.length, 8);
  append_little_endian(value, path.size(), 2);
  append_little_endian(value, row.suffix.size(), 2);
  value += path;
  value += row.suffix;
  return value;
}

Result<StreamRow> decode_stream_row(std::string_view key, std::string_view value, std::string_view root) {
  StreamRow row;
  const size_t zero = key.find('\0');
  if (zero == 0 || zero == std::string_view::npos || key.size() != zero + 5)
    return damaged(key, "no name or generation");
  row.name = key.substr(0, zero);
  row.generation = 0;
  for (const char c : key.substr(zero + 1)) row.generation = row.generation << 8 | static_cast<unsigned char>(c);

  if (!value.empty() && value[0] != kVersion) {
    return fail(ErrorCode::unsupported, "stream " + row.name + " is in format " + std::to_string(+value[0]) +
                                            ", this caddis knows format 1: go on with the version that wrote it");
  }
  if (value.size() < kFixedBytes) return damaged(key, "too short");
  row.kind = static_cast<StreamRow::Kind>(value[1]);
  if (row.kind != StreamRow::Kind::log && row.kind != StreamRow::Kind::rolled) return damaged(key, "unknown kind");
  row.state = static_cast<StreamRow::State>(value[2]);
  using State = StreamRow::State;
  constexpr State kStates[] = {State::open, State::closed, State::released, State::lost};
  if (std::ranges::find(kStates, row.state) == std::end(kStates)) return damaged(key, "unknown state");
  row.length = little_endian(value.substr(4, 8));
  const size_t path_size = little_endian(value.substr(12, 2));
  const size_t suffix_size = little_endian(value.substr(14, 2));
  if (path_size == 0 || value.size() != kFixedBytes + path_size + suffix_size) return damaged(key, "wrong length");
  row.path = value.substr(kFixedBytes, path_size);
  row.suffix = value.substr(kFixedBytes + path_size);
  if (!root.empty() && row.path.front() != '/') row.path = io::join_path(root, row.path);
  return row;
}

bool storable_path(std::string_view path, std::string_view root) {
  if (path.empty() || path.size() > 0xffff) return false;
  return root.empty() || path.front() == '/' || is_below(path, root);
}

}  // namespace caddis::store
