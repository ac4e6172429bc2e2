#include "caddis/store/seen_state.h"

#include "caddis/base/check.h"
#include "caddis/store/seen_bytes.h"

namespace caddis::store {

namespace {
constexpr char kOneState = 1;
constexpr char kSeveralStates = 2;
constexpr size_t kHeadBytes = 1 + 8;  // of a state
constexpr size_t kRunBytes = 16;
constexpr size_t kCountBytes = 4;

void put_head(std::string& bytes, const SeenState& state) {
  bytes += static_cast<char>(state.has_zero);
  put_number(bytes, state.rows);
}

void put_runs(std::string& bytes, const SeenState& state) {
  for (const SeenState::Run& run : state.runs) {
    put_number(bytes, run.number);
    put_number(bytes, run.values);
  }
}

// Of `count` runs; there are as many bytes.
SeenState take_state(std::string_view& bytes, size_t count, size_t between) {
  SeenState state;
  state.has_zero = bytes[0] != 0;
  state.rows = get_number<uint64_t>(bytes.data() + 1);
  bytes.remove_prefix(kHeadBytes + between);
  for (; count > 0; --count, bytes.remove_prefix(kRunBytes))
    state.runs.push_back({get_number<uint64_t>(bytes.data()), get_number<uint64_t>(bytes.data() + 8)});
  return state;
}

std::unexpected<Error> damaged() {
  return fail(ErrorCode::corrupt, "the row of the runs of the seen-set is damaged, or of a newer Caddis");
}

}  // namespace

std::string encode_seen_states(const std::vector<SeenState>& states) {
  CADDIS_CHECK(!states.empty());
  std::string bytes;
  bytes += states.size() == 1 ? kOneState : kSeveralStates;
  for (const SeenState& state : states) {
    put_head(bytes, state);
    if (states.size() > 1) put_number(bytes, static_cast<uint32_t>(state.runs.size()));
    put_runs(bytes, state);
  }
  return bytes;
}

Result<std::vector<SeenState>> decode_seen_states(std::string_view bytes) {
  if (bytes.empty()) return damaged();
  const char version = bytes[0];
  bytes.remove_prefix(1);
  std::vector<SeenState> states;
  if (version == kOneState) {
    if (bytes.size() < kHeadBytes || (bytes.size() - kHeadBytes) % kRunBytes != 0) return damaged();
    states.push_back(take_state(bytes, (bytes.size() - kHeadBytes) / kRunBytes, 0));
    return states;
  }
  if (version != kSeveralStates || bytes.empty()) return damaged();
  while (!bytes.empty()) {
    if (bytes.size() < kHeadBytes + kCountBytes) return damaged();
    const size_t count = get_number<uint32_t>(bytes.data() + kHeadBytes);
    if ((bytes.size() - kHeadBytes - kCountBytes) / kRunBytes < count) return damaged();
    states.push_back(take_state(bytes, count, kCountBytes));
  }
  return states;
}

}  // namespace caddis::store
