#include "caddis/io/content_decoder.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/io/content_codec.h"

namespace caddis::io {
namespace {

constexpr size_t kBetweenStages = 32 * 1024;
// A body that is not in the coding named is known as such long before.
constexpr size_t kMaxHeld = 64 * 1024;

size_t copy_front(std::string_view& input, std::span<char> output) {
  const size_t n = input.copy(output.data(), output.size());
  input.remove_prefix(n);
  return n;
}

}  // namespace

ContentDecoder::ContentDecoder(std::string_view content_encoding, MemoryBudget* windows) {
  auto names = split(content_encoding, ',');
  if (names.size() > kMaxCodings) names.clear();
  for (; !names.empty(); names.pop_back()) {
    const Coding coding = coding_of(trim(names.back()));
    if (coding == Coding::identity) continue;
    if (coding == Coding::unknown) break;
    stages_.emplace_back(coding, windows);
  }
}

bool ContentDecoder::out_of_memory() const { return std::ranges::any_of(stages_, &Stage::out_of_memory); }

size_t ContentDecoder::decode(std::string_view& input, bool last, std::span<char> output) {
  if (output.empty() || ended()) return 0;
  if (!stages_.empty()) return pull(stages_.size() - 1, input, last, output);
  const size_t n = copy_front(input, output);
  ended_ = last && input.empty();
  return n;
}

// Output of the stage `at`, fed by those before it.
size_t ContentDecoder::pull(size_t at, std::string_view& input, bool last, std::span<char> output) {
  Stage& stage = stages_[at];
  if (at == 0) return stage.run(input, last, output);
  Stage& before = stages_[at - 1];
  if (stage.taken == stage.pending.size() && !before.ended()) {
    stage.pending.resize(kBetweenStages);
    stage.pending.resize(pull(at - 1, input, last, stage.pending));
    stage.taken = 0;
    if (stage.pending.empty() && !before.ended()) return 0;
  }
  std::string_view ready = std::string_view(stage.pending).substr(stage.taken);
  const size_t written = stage.run(ready, before.ended(), output);
  stage.taken = stage.pending.size() - ready.size();
  return written;
}

void ContentDecoder::Stage::hold(std::string_view& input) {
  const size_t n = std::min(input.size(), kMaxHeld - held_.size());
  held_ += input.substr(0, n);
  input.remove_prefix(n);
}

// Chooses the reading, by the first bytes. False where more of them are needed.
bool ContentDecoder::Stage::begin(std::string_view front, bool all) {
  if (front.size() < 2 && !all) return false;
  // Servers mean either by "deflate".
  if (coding_ == Coding::zlib && !has_zlib_header(front)) coding_ = Coding::raw_deflate;
  // An empty body under a coding is what they send with 204, 304 and HEAD.
  if (!front.empty()) step_ = make_codec_step(coding_, windows_);
  return begun_ = true;
}

// Not a byte could be decoded: two bytes can deceive about "deflate"; else the label is wrong.
bool ContentDecoder::Stage::read_otherwise() {
  if (!can_go_back_) return false;
  const bool deflate = coding_ == Coding::zlib || coding_ == Coding::raw_deflate;
  if (deflate && !tried_other_) {
    tried_other_ = true;
    coding_ = coding_ == Coding::zlib ? Coding::raw_deflate : Coding::zlib;
    step_ = make_codec_step(coding_, windows_);
  } else {
    step_ = nullptr;
    holding_ = can_go_back_ = false;
  }
  held_at_ = 0;
  return true;
}

size_t ContentDecoder::Stage::run(std::string_view& input, bool last, std::span<char> output) {
  while (!ended_) {
    if (holding_) hold(input);
    std::string_view rest = std::string_view(held_).substr(held_at_);
    const bool from_held = !rest.empty();
    std::string_view& from = from_held ? rest : input;
    const bool nothing_follows = last && (!from_held || input.empty());
    if (!begun_ && !begin(from, nothing_follows)) return 0;
    const size_t written = step_ != nullptr ? step_->step(from, nothing_follows, output) : copy_front(from, output);
    held_at_ = held_.size() - (from_held ? rest.size() : 0);
    if (written > 0) holding_ = can_go_back_ = false;
    if (held_.size() == kMaxHeld && held_at_ == kMaxHeld) holding_ = can_go_back_ = false;
    if (step_ == nullptr) {
      ended_ = nothing_follows && from.empty();
      return written;
    }
    using enum CodecStep::State;
    if (step_->state() == more) return written;
    if ((step_->state() == cut || step_->state() == flawed) && read_otherwise()) continue;
    ended_ = true;
    return written;
  }
  return 0;
}

}  // namespace caddis::io
