// Any bytes as gzip members: in one go, and in small pieces; both must give the same.
#include <algorithm>
#include <cstdint>
#include <string>

#include "caddis/base/check.h"
#include "caddis/io/gzip.h"

namespace {

using namespace caddis::io;

struct Outcome {
  std::string out;
  bool sound = true;
  size_t consumed = 0;
  bool operator==(const Outcome&) const = default;
};

Outcome inflate(std::string_view all, size_t piece, size_t room) {
  constexpr size_t kMaxOutput = 1 << 20;
  GunzipStream gunzip;
  std::string buffer(room, '\0');
  Outcome outcome;
  bool full = false;
  while ((outcome.consumed < all.size() || full) && outcome.out.size() < kMaxOutput) {
    std::string_view input = all.substr(outcome.consumed, piece);
    const size_t offered = input.size();
    const auto step = gunzip.inflate(input, buffer);
    outcome.consumed += offered - input.size();
    const size_t written = step ? step->written : gunzip.damaged_output();
    CADDIS_CHECK(written <= room);
    outcome.out.append(buffer, 0, written);
    full = written == room;
    if (!step) {
      outcome.sound = false;
      break;
    }
  }
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Outcome large = inflate(bytes, 1 << 20, 1 << 20);
  const Outcome small = inflate(bytes, 7, 1 << 20);
  // Where data is damaged, how much came out before depends on the pieces; sound data may not.
  CADDIS_CHECK(large.sound == small.sound);
  if (large.sound && large.out.size() < (1 << 20)) CADDIS_CHECK(large == small);
  std::string whole(1 << 20, '\0');
  if (const auto member = gunzip_member(bytes, whole)) {
    CADDIS_CHECK(std::string_view(large.out).starts_with(std::string_view(whole).substr(0, member->written)));
  }
  return 0;
}
