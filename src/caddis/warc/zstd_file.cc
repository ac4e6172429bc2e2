#include "caddis/warc/zstd_file.h"

#include <array>

namespace caddis::warc {
namespace {

Result<void> load_dictionary(const ByteSource& source, uint64_t begin, uint64_t end, SkippedFrames& frames) {
  frames.has_dictionary_frame = true;
  if (end - begin > io::ZstdDictionary::kMaxSize) {
    frames.problem = "the file's dictionary has more than 8 MiB";
    return {};
  }
  std::string content(static_cast<size_t>(end - begin), '\0');
  TRY(const size_t got, source.read_at(begin, content.data(), content.size()));
  content.resize(got);
  auto bytes = io::dictionary_in(content);
  auto loaded = bytes ? io::ZstdDictionary::load(*std::move(bytes)) : std::unexpected(std::move(bytes).error());
  if (loaded) {
    frames.dictionary = *std::move(loaded);
  } else {
    frames.problem = "the file's dictionary cannot be read: " + loaded.error().message;
  }
  return {};
}

}  // namespace

Result<SkippedFrames> skip_frames(const ByteSource& source, uint64_t offset) {
  SkippedFrames frames{.end = offset, .dictionary = nullptr, .has_dictionary_frame = false, .problem = {}};
  TRY(const uint64_t size, source.size());
  for (;;) {
    std::array<char, io::kSkippableHead> head;
    TRY(const size_t got, source.read_at(frames.end, head.data(), head.size()));
    const std::string_view front(head.data(), got);
    const auto length = io::skippable_frame(front);
    if (!length || *length > size - frames.end) return frames;
    if (io::is_dictionary_frame(front))
      TRY_VOID(load_dictionary(source, frames.end + io::kSkippableHead, frames.end + *length, frames));
    frames.end += *length;
  }
}

Result<std::vector<Finding>> missing_promises(const ByteSource& source, uint64_t offset) {
  std::array<char, io::kZstdHeaderSize> head;
  TRY(const size_t got, source.read_at(offset, head.data(), head.size()));
  std::vector<Finding> findings;
  const std::string_view front(head.data(), got);
  if (!io::looks_like_zstd(front)) return findings;
  const io::ZstdPromises promises = io::zstd_promises(front);
  const auto tell = [&](std::string message) {
    findings.push_back({offset, Level::warning, "zstd-frame", std::move(message), {}});
  };
  if (!promises.content_size) tell("the frame does not tell the size of its content");
  if (!promises.checksum) tell("the frame has no checksum: damage may pass unnoticed");
  return findings;
}

}  // namespace caddis::warc
