// Zstd frames: round trips in one go and in pieces, dictionaries, and what is said about damage.
#include "caddis/io/zstd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/base32.h"

namespace caddis::io {
namespace {

using ::testing::HasSubstr;

std::string text(size_t size, uint64_t seed) {
  SeededRandom random(seed);
  std::string bytes;
  while (bytes.size() < size) bytes += "word" + std::to_string(random.next() % 500) + ' ';
  bytes.resize(size);
  return bytes;
}

std::string frame(std::string_view data, const ZstdDictionary* dictionary = nullptr,
                  ZstdEffort effort = ZstdEffort::fast) {
  std::string out;
  zstd_frame_append(out, {data}, effort, dictionary);
  return out;
}

struct Outcome {
  std::string bytes;
  bool sound = false;
  bool only_checksum = false;
  uint64_t consumed = 0;
  std::string message;
};

// One frame, offered in pieces of `piece` bytes with room for `room`.
Outcome read_frame(std::string_view input, size_t piece, size_t room, const ZstdDictionary* dictionary = nullptr) {
  UnzstdStream unzstd;
  unzstd.use(dictionary);
  std::string buffer(room, '\0');
  Outcome outcome;
  for (;;) {
    std::string_view offered = input.substr(0, piece);
    const size_t size = offered.size();
    const auto step = unzstd.decompress(offered, buffer);
    input.remove_prefix(size - offered.size());
    const size_t written = step ? step->written : unzstd.damaged_output();
    outcome.bytes.append(buffer, 0, written);
    outcome.consumed = unzstd.frame_bytes();
    if (!step) outcome.message = step.error().message;
    outcome.only_checksum = unzstd.only_checksum_wrong();
    outcome.sound = step && step->frame_end;
    if (!step || step->frame_end || (written == 0 && offered.size() == size)) return outcome;
  }
}

std::unique_ptr<const ZstdDictionary> trained() {
  std::string samples;
  std::vector<size_t> sizes;
  for (uint64_t i = 0; i < 400; ++i) {
    const std::string sample = "HTTP/1.1 200 OK\r\nServer: somebody\r\nContent-Type: text/html\r\n\r\n" + text(600, i);
    samples += sample;
    sizes.push_back(sample.size());
  }
  const auto bytes = ZstdDictionary::train(samples, sizes, 16 * 1024);
  EXPECT_TRUE(bytes);
  auto loaded = ZstdDictionary::load(*bytes);
  EXPECT_TRUE(loaded);
  return *std::move(loaded);
}

TEST(Zstd, RoundTripsInPiecesOfAnySize) {
  for (const size_t size : {size_t{0}, size_t{1}, size_t{1000}, size_t{300'000}}) {
    const std::string data = text(size, size);
    for (const ZstdEffort effort : {ZstdEffort::fast, ZstdEffort::small}) {
      const std::string packed = frame(data, nullptr, effort);
      for (const size_t piece : {size_t{1}, size_t{7}, size_t{1} << 20}) {
        const Outcome outcome = read_frame(packed + "behind", piece, 4096);
        EXPECT_TRUE(outcome.sound) << size << ' ' << piece << outcome.message;
        EXPECT_EQ(outcome.bytes, data);
        EXPECT_EQ(outcome.consumed, packed.size());
      }
      std::string whole(size + 1, '\0');
      const auto at_once = unzstd_frame(packed + "behind", whole);
      ASSERT_TRUE(at_once);
      EXPECT_EQ(at_once->consumed, packed.size());
      EXPECT_EQ(whole.substr(0, at_once->written), data);
    }
  }
}

TEST(Zstd, StreamedFramesTellTheirSizeToo) {
  const std::string data = text(500'000, 3);
  ZstdStream stream(ZstdEffort::small, data.size());
  std::string packed;
  for (size_t at = 0; at < data.size(); at += 10'000) stream.write(std::string_view(data).substr(at, 10'000), packed);
  stream.finish(packed);
  EXPECT_TRUE(zstd_promises(packed).content_size);
  EXPECT_TRUE(zstd_promises(packed).checksum);
  EXPECT_EQ(read_frame(packed, 1000, 1 << 16).bytes, data);
}

TEST(Zstd, ReadsWhatTheReferenceProgramWrites) {
  const std::string hello = *decode_hex("28b52ffd045829000048656c6c6f447db275");
  const Outcome outcome = read_frame(hello, 100, 100);
  EXPECT_TRUE(outcome.sound);
  EXPECT_EQ(outcome.bytes, "Hello");
}

TEST(Zstd, TellsAWrongChecksumFromDamagedData) {
  const std::string data = text(300'000, 5);
  std::string packed = frame(data);
  packed.back() ^= 1;
  for (const size_t piece : {size_t{1}, size_t{1} << 20}) {
    const Outcome wrong = read_frame(packed + "behind", piece, 4096);
    EXPECT_FALSE(wrong.sound);
    EXPECT_TRUE(wrong.only_checksum);
    EXPECT_EQ(wrong.bytes, data);
    EXPECT_EQ(wrong.consumed, packed.size());
    EXPECT_THAT(wrong.message, HasSubstr("checksum mismatch"));
  }
  packed.back() ^= 1;
  packed[packed.size() / 2] ^= 0x55;
  const Outcome damaged = read_frame(packed, 1 << 20, 4096);
  EXPECT_FALSE(damaged.sound);
  std::string whole(data.size(), '\0');
  EXPECT_FALSE(unzstd_frame(packed, whole));
}

TEST(Zstd, DictionariesMakeShortTextsSmaller) {
  const auto dictionary = trained();
  const std::string data = "HTTP/1.1 200 OK\r\nServer: somebody\r\nContent-Type: text/html\r\n\r\n" + text(600, 1000);
  const std::string with = frame(data, dictionary.get()), without = frame(data);
  EXPECT_LT(with.size(), without.size() * 3 / 4);
  EXPECT_EQ(read_frame(with, 100, 4096, dictionary.get()).bytes, data);
  std::string whole(data.size(), '\0');
  EXPECT_TRUE(unzstd_frame(with, whole, dictionary.get()));
  EXPECT_EQ(whole, data);

  const Outcome alone = read_frame(with, 1 << 20, 4096);
  EXPECT_FALSE(alone.sound);
  EXPECT_THAT(alone.message, HasSubstr("a dictionary is needed"));
  // A thread's work space must not remember it.
  EXPECT_EQ(frame(data), without);
}

TEST(Zstd, DictionaryFramesHoldThemPackedOrNot) {
  const auto dictionary = trained();
  const std::string packed = dictionary_frame(dictionary->bytes());
  EXPECT_EQ(packed.substr(0, 4), "\x5d\x2a\x4d\x18");
  EXPECT_TRUE(is_dictionary_frame(packed));
  ASSERT_EQ(skippable_frame(packed), packed.size());
  EXPECT_EQ(*dictionary_in(std::string_view(packed).substr(kSkippableHead)), dictionary->bytes());
  EXPECT_EQ(*dictionary_in(dictionary->bytes()), dictionary->bytes());
  EXPECT_FALSE(dictionary_in(std::string_view(packed).substr(kSkippableHead, 100)));
  EXPECT_NE(dictionary->id(), 0u);
}

TEST(Zstd, DictionariesOfEightMebibytesAreTheLargest) {
  const std::string largest = text(ZstdDictionary::kMaxSize, 1);
  EXPECT_TRUE(ZstdDictionary::load(largest));
  EXPECT_EQ(*dictionary_in(frame(largest)), largest);
  EXPECT_EQ(ZstdDictionary::load(largest + "x").error().code, ErrorCode::limit);
  EXPECT_EQ(dictionary_in(frame(largest + largest)).error().code, ErrorCode::limit);
  EXPECT_FALSE(ZstdDictionary::load(""));
  EXPECT_FALSE(ZstdDictionary::train("too few", std::vector<size_t>{7}, 1024));
}

TEST(Zstd, SkippableFramesHaveSixteenMagicNumbers) {
  const std::string frame = *decode_hex("502a4d1803000000") + "abc";
  EXPECT_EQ(skippable_frame(frame), frame.size());
  EXPECT_FALSE(is_dictionary_frame(frame));
  EXPECT_FALSE(skippable_frame(*decode_hex("602a4d1803000000")));
  EXPECT_FALSE(skippable_frame(frame.substr(0, 7)));
  EXPECT_FALSE(looks_like_zstd(frame));
}

}  // namespace
}  // namespace caddis::io
