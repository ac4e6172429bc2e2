#include "caddis/io/content_codec.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/io/codec_step.h"
#include "caddis/io/gzip.h"
#include "fmt/format.h"

namespace caddis::io {
namespace {

constexpr size_t kStep = 64 * 1024;

// Collects output up to the limit and remembers why it stopped.
class Output {
 public:
  Output(std::string_view coding, std::string_view body, size_t limit) : coding_(coding), body_(body), limit_(limit) {}

  // False when the limit is reached.
  bool add(std::string_view bytes) {
    const size_t room = limit_ - decoded_.bytes.size();
    decoded_.bytes += bytes.substr(0, room);
    if (bytes.size() <= room) return true;
    stop(fmt::format("stopped at the limit of {} bytes", limit_));
    return false;
  }
  void stop(std::string_view why) {
    decoded_.complete = false;
    decoded_.problem = fmt::format("{}: {}", coding_, why);
  }
  void cut() {
    cut_ = true;
    stop(fmt::format("the data is cut; {} bytes could be decoded", decoded_.bytes.size()));
  }
  // Where not a byte could be decoded of data that is whole, the label is wrong: it is given as it is.
  Decoded take() {
    if (!decoded_.complete && !cut_ && decoded_.bytes.empty()) {
      decoded_.bytes = body_.substr(0, limit_);
      decoded_.problem += "; the body is given undecoded";
    }
    return std::move(decoded_);
  }

 private:
  std::string_view coding_;
  std::string_view body_;
  size_t limit_;
  bool cut_ = false;
  Decoded decoded_;
};

// One sound member and nothing behind it, as nearly every body is, in one go: a quarter of the time. Nothing where that
// cannot be or is not so: piece by piece it can be said what is wrong.
std::optional<std::string> gunzip_whole(std::string_view body, size_t limit) {
  constexpr size_t kTrailer = 4, kShortest = 18, kMostGrowth = 1032;
  if (body.size() < kShortest) return std::nullopt;
  size_t size = 0;
  for (size_t i = 1; i <= kTrailer; ++i) size = size << 8 | static_cast<uint8_t>(body[body.size() - i]);
  if (size == 0 || size > limit || size / kMostGrowth > body.size()) return std::nullopt;
  std::string out;
  out.resize_and_overwrite(size, [&](char* buffer, size_t) {
    const auto whole = gunzip_member(body, {buffer, size});
    return whole && whole->consumed == body.size() && whole->written == size ? size : 0;
  });
  if (out.empty()) return std::nullopt;
  return out;
}

Decoded decode_stepwise(std::string_view body, Coding coding, size_t limit) {
  Output out(name_of(coding), body, limit);
  const std::unique_ptr<CodecStep> step = make_codec_step(coding);
  std::string buffer(kStep, '\0');
  std::string_view rest = body;
  while (step->state() == CodecStep::State::more) {
    const size_t written = step->step(rest, true, buffer);
    if (!out.add(std::string_view(buffer).substr(0, written))) return out.take();
  }
  if (step->state() == CodecStep::State::cut) out.cut();
  if (step->state() == CodecStep::State::flawed) out.stop(step->problem());
  return out.take();
}

Decoded gunzip(std::string_view body, size_t limit) {
  if (auto whole = gunzip_whole(body, limit)) {
    Decoded decoded;
    decoded.bytes = *std::move(whole);
    return decoded;
  }
  return decode_stepwise(body, Coding::gzip, limit);
}

// Servers mean either zlib or raw deflate; two bytes can deceive, so the other reading is tried where one gives
// nothing.
Decoded undeflate(std::string_view body, size_t limit) {
  const bool zlib_first = has_zlib_header(body);
  Decoded first = decode_stepwise(body, zlib_first ? Coding::zlib : Coding::raw_deflate, limit);
  if (first.complete) return first;
  Decoded second = decode_stepwise(body, zlib_first ? Coding::raw_deflate : Coding::zlib, limit);
  return second.complete ? second : first;
}

Decoded decode_one(std::string_view body, Coding coding, size_t limit) {
  // An empty body under a coding is what servers send with 204, 304 and HEAD; there is nothing to decode.
  if (body.empty()) return {};
  switch (coding) {
    case Coding::gzip:
      return gunzip(body, limit);
    case Coding::zlib:
    case Coding::raw_deflate:
      return undeflate(body, limit);
    case Coding::brotli:
    case Coding::zstd:
      return decode_stepwise(body, coding, limit);
    case Coding::identity:
    case Coding::unknown:
      break;
  }
  Output out("body", body, limit);
  out.add(body);
  return out.take();
}

}  // namespace

bool can_decode(std::string_view content_encoding) {
  const auto names = split(content_encoding, ',');
  return names.size() <= kMaxCodings &&
         std::ranges::none_of(names, [](std::string_view name) { return coding_of(trim(name)) == Coding::unknown; });
}

Decoded decode_content(std::string_view body, std::string_view content_encoding, size_t max_output) {
  auto names = split(content_encoding, ',');
  Decoded decoded;
  std::string problem;
  if (names.size() > kMaxCodings) {
    problem = fmt::format("{} content codings, more than {}: left as they are", names.size(), kMaxCodings);
    names.clear();
  }
  bool first = true;
  for (; !names.empty(); names.pop_back()) {
    const std::string_view name = trim(names.back());
    const Coding coding = coding_of(name);
    if (coding == Coding::identity) continue;
    if (coding == Coding::unknown) {
      problem = fmt::format("unknown content coding '{}'", name.substr(0, 40));
      break;
    }
    const std::string coded = std::move(decoded.bytes);
    decoded = decode_one(first ? body : std::string_view(coded), coding, max_output);
    first = false;
    if (problem.empty()) problem = decoded.problem;
  }
  if (first) decoded = decode_one(body, Coding::identity, max_output);
  if (problem.empty()) problem = decoded.problem;
  decoded.complete = problem.empty();
  decoded.problem = std::move(problem);
  return decoded;
}

}  // namespace caddis::io
