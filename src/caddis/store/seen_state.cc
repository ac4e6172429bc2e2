#include "caddis/store/seen_state.h"

#include "caddis/store/seen_bytes.h"

namespace caddis::store {

namespace {
constexpr char kVersion = 1;
constexpr size_t kHeadBytes = 10;
constexpr size_t kRunBytes = 16;
}  // namespace

std::string encode_seen_state(const SeenState& state) {
  std::string bytes;
  bytes += kVersion;
  bytes += static_cast<char>(state.has_zero);
  put_number(bytes, state.rows);
  for (const SeenState::Run& run : state.runs) {
    put_number(bytes, run.number);
    put_number(bytes, run.values);
  }
  return bytes;
}

Result<SeenState> decode_seen_state(std::string_view bytes) {
  if (bytes.size() < kHeadBytes || bytes[0] != kVersion || (bytes.size() - kHeadBytes) % kRunBytes != 0)
    return fail(ErrorCode::corrupt, "the row of the runs of the seen-set is damaged, or of a newer Caddis");
  SeenState state;
  state.has_zero = bytes[1] != 0;
  state.rows = get_number<uint64_t>(bytes.data() + 2);
  for (size_t at = kHeadBytes; at < bytes.size(); at += kRunBytes)
    state.runs.push_back({get_number<uint64_t>(bytes.data() + at), get_number<uint64_t>(bytes.data() + at + 8)});
  return state;
}

}  // namespace caddis::store
