// Files of zstd frames, with a dictionary and without: what is read, where it is found again, and that damage costs the
// record it hits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/base32.h"
#include "caddis/io/memory_files.h"
#include "caddis/io/zstd.h"
#include "caddis/warc/check.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/writer.h"

namespace caddis::warc {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string noise(size_t size, uint64_t seed) {
  SeededRandom random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random.next());
  return bytes;
}

std::string uri(size_t i) { return "http://example.com/" + std::to_string(i); }
std::string block(size_t i) { return "HTTP/1.1 200 OK\r\nServer: somebody\r\n\r\n" + noise(400 + 100 * i, i); }

std::string record(size_t i, Compression compression = Compression::zstd_fast,
                   const io::ZstdDictionary* dictionary = nullptr, const std::string& body = {}) {
  std::string out;
  const std::string id = "<urn:uuid:00000000-0000-4000-8000-" + std::to_string(100'000'000'000 + i) + ">";
  const auto fields = RecordFields::response(id, "2026-01-02T03:04:05Z", uri(i)).content_type(kHttpResponse);
  append_record(out, fields, {body.empty() ? block(i) : body}, compression, dictionary);
  return out;
}

std::string frame(std::string_view bytes) {
  std::string out;
  io::zstd_frame_append(out, {bytes}, io::ZstdEffort::fast);
  return out;
}

std::unique_ptr<const io::ZstdDictionary> dictionary_of_records() {
  std::string samples;
  std::vector<size_t> sizes;
  for (size_t i = 0; i < 300; ++i) {
    const std::string sample = record(i, Compression::none);
    samples += sample;
    sizes.push_back(sample.size());
  }
  auto loaded = io::ZstdDictionary::load(*io::ZstdDictionary::train(samples, sizes, 8 * 1024));
  EXPECT_TRUE(loaded);
  return *std::move(loaded);
}

struct Found {
  std::vector<std::string> uris, blocks;
  std::vector<uint64_t> offsets, lengths;
  std::vector<bool> complete;
  std::vector<std::string> codes;
};

Found read_all(std::string_view bytes, size_t read_size = 256 * 1024) {
  const MemorySource source(bytes);
  Reader reader(source, {.read_size = read_size});
  Found found;
  for (;;) {
    auto next = reader.next();
    EXPECT_TRUE(next);
    if (*next == nullptr) break;
    Record& one = **next;
    found.uris.emplace_back(one.header().target_uri());
    found.blocks.push_back(*one.read_all(1 << 30));
    EXPECT_TRUE(one.finish());
    found.offsets.push_back(one.offset());
    found.lengths.push_back(one.length());
    found.complete.push_back(one.complete());
  }
  for (const Finding& finding : reader.take_findings()) found.codes.push_back(finding.code);
  return found;
}

TEST(ReaderZstd, ReadsFramesWithAndWithoutADictionary) {
  const auto dictionary = dictionary_of_records();
  for (const Compression compression : {Compression::zstd_fast, Compression::zstd_small}) {
    for (const io::ZstdDictionary* used : {static_cast<const io::ZstdDictionary*>(nullptr), dictionary.get()}) {
      std::string file = used == nullptr ? "" : io::dictionary_frame(used->bytes());
      std::vector<uint64_t> offsets, lengths;
      const std::string large = noise(3'000'000, 9);
      for (size_t i = 0; i < 4; ++i) {
        const std::string packed = record(i, compression, used, i == 2 ? large : "");
        offsets.push_back(file.size());
        lengths.push_back(packed.size());
        file += packed;
      }
      for (const size_t read_size : {size_t{4096}, size_t{1} << 20}) {
        const Found found = read_all(file, read_size);
        EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1), uri(2), uri(3)));
        EXPECT_THAT(found.blocks, ElementsAre(block(0), block(1), large, block(3)));
        EXPECT_EQ(found.offsets, offsets);
        EXPECT_EQ(found.lengths, lengths);
        EXPECT_THAT(found.codes, IsEmpty());
      }
    }
  }
}

// The grammar of docs/formats/warc.md in bytes: a dictionary frame with three bytes of content, a frame that the zstd
// program made of one record, and a skippable frame.
TEST(ReaderZstd, GoldenBytes) {
  const std::string packed = *io::decode_hex(
      "28b52ffd2492d50300c2071b1c608b1ba8c9563fc57e7eb88ddb8269acd8e9098a4ba24c11e894c24fa9a98b273595a5"
      "7ede817ed887fe106aa9ea29d5d1ff935a71887d77e24b0cb805dc015e18efe2253066a9fd5f6258ed68181b85d489b2"
      "8a0835eebc890d88e131b5478f659b4398d40558aa398409030052810c3ef30db3990772e0c4a0");
  const std::string record =
      "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
      "WARC-Target-URI: http://a/\r\nContent-Length: 2\r\n\r\nhi\r\n\r\n";
  const std::string file = *io::decode_hex("5d2a4d1803000000") + "abc" + packed + *io::decode_hex("502a4d1800000000");
  const Found found = read_all(file);
  EXPECT_THAT(found.uris, ElementsAre("http://a/"));
  EXPECT_THAT(found.blocks, ElementsAre("hi"));
  EXPECT_THAT(found.offsets, ElementsAre(11));
  EXPECT_THAT(found.lengths, ElementsAre(packed.size()));
  EXPECT_THAT(found.codes, IsEmpty());
  // Ours promise the same: magic number, size of the content and checksum in the descriptor, the size in one byte.
  const std::string ours = frame(record);
  EXPECT_EQ(ours.substr(0, 6), packed.substr(0, 6));
  EXPECT_EQ(ours.substr(ours.size() - 4), packed.substr(packed.size() - 4)) << "the checksum is of the content alone";
}

TEST(ReaderZstd, ARecordReadByItselfFindsTheDictionary) {
  const auto dictionary = dictionary_of_records();
  io::MemoryFiles files;
  const std::string front =
      io::dictionary_frame(dictionary->bytes()) + record(0, Compression::zstd_fast, dictionary.get());
  ASSERT_TRUE(files.make_dirs("/a"));
  ASSERT_TRUE(files.write_atomically("/a/x.warc.zst", front + record(1, Compression::zstd_small, dictionary.get())));
  const auto file = files.open_read("/a/x.warc.zst");
  ASSERT_TRUE(file);
  auto one = read_record_at(**file, front.size());
  ASSERT_TRUE(one) << one.error().message;
  EXPECT_EQ((*one)->header().target_uri(), uri(1));
  EXPECT_EQ(*(*one)->read_all(1 << 20), block(1));
  EXPECT_FALSE(read_record_at(**file, front.size() + 1));
}

TEST(ReaderZstd, ARecordMayHaveSeveralFrames) {
  const std::string first = record(0, Compression::none), second = record(1, Compression::none);
  // In the midst of the header, of the block, and of the separator behind it.
  for (const size_t cut : {size_t{20}, size_t{100}, first.size() - 300, first.size() - 4, first.size() - 2}) {
    for (const size_t again : {cut, cut + 1, first.size()}) {
      const std::string packed =
          frame(first.substr(0, cut)) + frame(first.substr(cut, again - cut)) + frame(first.substr(again));
      const Found found = read_all(packed + frame(second));
      EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1))) << cut << ' ' << again;
      EXPECT_THAT(found.blocks, ElementsAre(block(0), block(1)));
      EXPECT_THAT(found.offsets, ElementsAre(0, packed.size()));
      if (again < first.size()) EXPECT_EQ(found.lengths[0], packed.size());
      EXPECT_THAT(found.codes, IsEmpty()) << cut << ' ' << again;
    }
  }
}

TEST(ReaderZstd, OtherSkippableFramesAreIgnored) {
  const std::string skipped(
      "\x53\x2a\x4d\x18\x03\x00\x00\x00"
      "abc",
      11);
  const std::string file = skipped + record(0) + skipped + skipped + record(1) + skipped;
  const Found found = read_all(file);
  EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1)));
  EXPECT_THAT(found.offsets, ElementsAre(skipped.size(), file.size() - skipped.size() - record(1).size()));
  EXPECT_THAT(found.codes, IsEmpty());
}

TEST(ReaderZstd, RecordsThatShareAFrameHaveNoAddress) {
  const Found found = read_all(frame(record(0, Compression::none) + record(1, Compression::none)) + record(2));
  EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1), uri(2)));
  EXPECT_THAT(found.codes, ElementsAre("zstd-several-records"));
  EXPECT_EQ(found.lengths[1], 0u);
}

TEST(ReaderZstd, DamageCostsTheRecordItHits) {
  const std::string first = record(0), second = record(1), third = record(2);
  for (size_t at = 0; at < second.size(); at += 13) {
    std::string damaged = second;
    damaged[at] ^= 0x41;
    const Found found = read_all(first + damaged + third);
    EXPECT_EQ(found.uris.front(), uri(0)) << at;
    EXPECT_EQ(found.uris.back(), uri(2)) << at;
    EXPECT_EQ(found.blocks.back(), block(2)) << at;
    EXPECT_FALSE(found.codes.empty()) << at;
  }
}

TEST(ReaderZstd, TellsHowItIsDamaged) {
  const std::string first = record(0), second = record(1), third = record(2);
  std::string wrong = second;
  wrong.back() ^= 1;
  const Found checksum = read_all(first + wrong + third);
  EXPECT_THAT(checksum.codes, ElementsAre("zstd-checksum"));
  EXPECT_THAT(checksum.complete, ElementsAre(true, false, true));
  EXPECT_EQ(checksum.blocks[1], block(1));
  const Found cut = read_all(first + second.substr(0, second.size() / 2));
  EXPECT_THAT(cut.codes, ElementsAre("zstd-cut"));
  const Found garbage = read_all(first + "nothing of worth" + third);
  EXPECT_THAT(garbage.codes, ElementsAre("garbage"));
  EXPECT_THAT(garbage.uris, ElementsAre(uri(0), uri(2)));
}

TEST(ReaderZstd, AFileWhoseDictionaryIsDamagedSaysSo) {
  const auto dictionary = dictionary_of_records();
  std::string front = io::dictionary_frame(dictionary->bytes());
  front[front.size() / 2] ^= 0x10;
  const Found found = read_all(front + record(0, Compression::zstd_fast, dictionary.get()));
  EXPECT_THAT(found.uris, IsEmpty());
  EXPECT_EQ(found.codes.front(), "zstd-dictionary");
}

TEST(ReaderZstd, FilesWithDictionariesPutTogetherAreReadAndReported) {
  const auto dictionary = dictionary_of_records();
  const std::string one = record(0) + record(1);
  const std::string two =
      io::dictionary_frame(dictionary->bytes()) + record(2, Compression::zstd_fast, dictionary.get());
  const Found found = read_all(one + two);
  EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1), uri(2)));
  EXPECT_THAT(found.codes, ElementsAre("zstd-dictionary"));
}

TEST(ReaderZstd, FramesThatPromiseNothingAreReported) {
  // A frame of one raw block without size and checksum: descriptor 00, window byte 58 (2 MiB).
  const std::string plain = record(0, Compression::none);
  const auto header = static_cast<uint32_t>(plain.size() << 3 | 1);
  std::string bare("\x28\xb5\x2f\xfd\x00\x58", 6);
  for (int shift = 0; shift < 24; shift += 8) bare += static_cast<char>(header >> shift & 0xff);
  bare += plain;
  const Found found = read_all(bare + bare);
  EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(0)));
  EXPECT_THAT(found.codes, ElementsAre("zstd-frame", "zstd-frame")) << "once for the file: no size, no checksum";
}

TEST(ReaderZstd, ChecksDigestsAsInOtherFiles) {
  const std::string file = record(0) + record(1);
  std::vector<Finding> findings;
  const auto summary = check_file(MemorySource(file), [&](const Finding& finding) { findings.push_back(finding); });
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->records, 2u);
  EXPECT_THAT(findings, IsEmpty());
}

TEST(WriterZstd, RecordsFromFilesAreTheSameFrames) {
  const auto dictionary = dictionary_of_records();
  const std::string body = noise(700'000, 1);
  const auto fields = RecordFields::response("<urn:uuid:1>", "2026-01-02T03:04:05Z", uri(0));
  size_t at = 0;
  std::string written;
  const auto done = write_record(
      fields, body.size(),
      [&](char* buffer, size_t size) -> Result<size_t> {
        const size_t n = std::string_view(body).substr(at).copy(buffer, size);
        at += n;
        return n;
      },
      Compression::zstd_fast,
      [&](std::string_view bytes) -> Result<void> {
        written += bytes;
        return {};
      },
      dictionary.get());
  ASSERT_TRUE(done);
  EXPECT_TRUE(io::zstd_promises(written).content_size);
  const Found found = read_all(io::dictionary_frame(dictionary->bytes()) + written);
  EXPECT_THAT(found.blocks, ElementsAre(body));
  EXPECT_THAT(found.codes, IsEmpty());
}

// The line end behind a header is missing: it must not take the next record for a part of it.
TEST(ReaderZstd, AHeaderThatNeverEndsCostsNoOther) {
  const std::string bytes =
      record(1) + frame("WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: 0\r\n") + record(2) + record(3);
  for (const size_t read_size : {size_t{64}, size_t{256 * 1024}}) {
    const Found found = read_all(bytes, read_size);
    EXPECT_THAT(found.uris, ElementsAre(uri(1), uri(2), uri(3))) << read_size;
    EXPECT_THAT(found.codes, ElementsAre("header-cut")) << read_size;
  }
  // A header that does go on in the next frame.
  const std::string whole = record(4, Compression::none);
  EXPECT_THAT(read_all(frame(whole.substr(0, 30)) + frame(whole.substr(30)) + record(5)).uris,
              ElementsAre(uri(4), uri(5)));
}

}  // namespace
}  // namespace caddis::warc
