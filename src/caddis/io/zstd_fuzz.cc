// Any bytes as a zstd frame: in one go, and in small pieces; both must give the same. And as a dictionary's frame.
#include <algorithm>
#include <cstdint>
#include <string>

#include "caddis/base/check.h"
#include "caddis/io/zstd.h"

namespace {

using namespace caddis::io;

constexpr size_t kMaxOutput = 1 << 20;

struct Outcome {
  std::string out;
  bool sound = true, ended = false;
  uint64_t consumed = 0;
};

Outcome decompress(std::string_view all, size_t piece, size_t room) {
  UnzstdStream unzstd;
  std::string buffer(room, '\0');
  Outcome outcome;
  for (;;) {
    std::string_view input = all.substr(outcome.consumed, piece);
    const size_t offered = input.size();
    const auto step = unzstd.decompress(input, buffer);
    const size_t taken = offered - input.size();
    outcome.consumed += taken;
    const size_t written = step ? step->written : unzstd.damaged_output();
    CADDIS_CHECK(written <= room);
    outcome.out.append(buffer, 0, written);
    outcome.sound = step.has_value();
    outcome.ended = step && step->frame_end;
    if (!step || step->frame_end || (taken == 0 && written == 0) || outcome.out.size() >= kMaxOutput) return outcome;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Outcome large = decompress(bytes, kMaxOutput, kMaxOutput);
  const Outcome small = decompress(bytes, 7, kMaxOutput);
  CADDIS_CHECK(large.sound == small.sound && large.ended == small.ended);
  if (large.ended) CADDIS_CHECK(large.out == small.out && large.consumed == small.consumed);
  std::string whole(kMaxOutput, '\0');
  if (const auto frame = unzstd_frame(bytes, whole)) {
    // Some frames off the standard (a block longer than the window) are refused only by those who read in pieces.
    if (large.ended) CADDIS_CHECK(large.consumed == frame->consumed && large.out == whole.substr(0, frame->written));
  }
  if (skippable_frame(bytes)) {
    if (auto dictionary = dictionary_in(bytes.substr(kSkippableHead))) (void)ZstdDictionary::load(*dictionary);
  }
  return 0;
}
