// Reading past flaws: each case damages a file of known records and says which are still found, and what is told about
// it.
#include "caddis/warc/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caddis/base/random.h"
#include "caddis/io/gzip.h"
#include "caddis/warc/writer.h"

namespace caddis::warc {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace std::string_literals;

std::string noise(size_t size, uint64_t seed) {
  SeededRandom random(seed);
  std::string bytes(size, '\0');
  for (char& c : bytes) c = static_cast<char>(random.next());
  return bytes;
}

std::string uri(size_t i) { return "http://example.com/" + std::to_string(i); }
std::string block(size_t i) { return "HTTP/1.1 200 OK\r\n\r\n" + noise(400 + 100 * i, i); }

std::string record(size_t i, Compression compression, const std::string& body) {
  std::string out;
  const std::string id = "<urn:uuid:00000000-0000-4000-8000-00000000000" + std::to_string(i) + ">";
  append_record(out, RecordFields::response(id, "2026-01-02T03:04:05Z", uri(i)).content_type(kHttpResponse), {body},
                compression);
  return out;
}
std::string record(size_t i, Compression compression = Compression::fast) { return record(i, compression, block(i)); }

struct Found {
  std::vector<std::string> uris;
  std::vector<std::string> blocks;
  std::vector<uint64_t> offsets, lengths;
  std::vector<bool> complete;
  std::vector<std::string> codes;
  std::vector<uint64_t> flaw_offsets;
  std::vector<std::string> messages;
};

Found read_all(std::string_view bytes, ReaderOptions options = {}) {
  const MemorySource source(bytes);
  Reader reader(source, options);
  Found found;
  for (;;) {
    auto next = reader.next();
    EXPECT_TRUE(next);
    if (*next == nullptr) break;
    Record& one = **next;
    found.uris.emplace_back(one.header().target_uri());
    auto all = one.read_all(1 << 30);
    EXPECT_TRUE(all);
    EXPECT_TRUE(one.finish());
    found.blocks.push_back(*all);
    found.offsets.push_back(one.offset());
    found.lengths.push_back(one.length());
    found.complete.push_back(one.complete());
  }
  for (const Finding& finding : reader.take_findings()) {
    found.codes.push_back(finding.code);
    found.flaw_offsets.push_back(finding.offset);
    found.messages.push_back(finding.message);
  }
  return found;
}

TEST(Reader, ReadsWhatTheWriterWrites) {
  for (const Compression compression : {Compression::none, Compression::fast, Compression::small}) {
    std::string file;
    std::vector<uint64_t> offsets;
    for (size_t i = 0; i < 4; ++i) {
      offsets.push_back(file.size());
      file += record(i, compression);
    }
    const Found found = read_all(file);
    EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1), uri(2), uri(3)));
    EXPECT_THAT(found.blocks, ElementsAre(block(0), block(1), block(2), block(3)));
    EXPECT_EQ(found.offsets, offsets);
    EXPECT_THAT(found.codes, IsEmpty());
  }
}

TEST(Reader, SkippingGivesTheSameLengths) {
  for (const Compression compression : {Compression::none, Compression::fast}) {
    const std::string file =
        record(0, compression) + record(1, compression, noise(3'000'000, 1)) + record(2, compression);
    const Found read = read_all(file);
    const MemorySource source(file);
    Reader reader(source, {.read_size = 4096});
    for (size_t i = 0; i < 3; ++i) {
      auto one = reader.next();
      ASSERT_TRUE(one && *one);
      ASSERT_TRUE((*one)->finish());
      EXPECT_EQ((*one)->offset(), read.offsets[i]);
      EXPECT_EQ((*one)->length(), read.lengths[i]);
    }
  }
}

// Each gzip flaw costs the record that it hits, and no other.
TEST(ReaderGzip, CutInsideAMember) {
  const std::string first = record(0), second = record(1), third = record(2);
  const Found found = read_all(first + second.substr(0, second.size() / 2) + third);
  EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1), uri(2)));
  EXPECT_THAT(found.complete, ElementsAre(true, false, true));
  EXPECT_TRUE(block(1).starts_with(found.blocks[1].substr(0, 100)));
  EXPECT_EQ(found.offsets[2], first.size() + second.size() / 2);
  EXPECT_THAT(found.codes, ElementsAre("gzip-damaged"));
  EXPECT_THAT(found.flaw_offsets, ElementsAre(first.size()));
}

TEST(ReaderGzip, CutAtTheEnd) {
  const std::string first = record(0), second = record(1);
  for (size_t left = 4; left < second.size(); left += 7) {
    const Found found = read_all(first + second.substr(0, left));
    EXPECT_EQ(found.uris[0], uri(0));
    EXPECT_THAT(found.codes, ElementsAre("gzip-cut")) << left;
    EXPECT_THAT(found.flaw_offsets, ElementsAre(first.size()));
  }
}

TEST(ReaderGzip, WrongCrc) {
  const std::string first = record(0), third = record(2);
  std::string second = record(1);
  second[second.size() - 6] ^= 1;
  const Found found = read_all(first + second + third);
  EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1), uri(2)));
  EXPECT_THAT(found.complete, ElementsAre(true, false, true));
  EXPECT_EQ(found.blocks[1], block(1));
  EXPECT_THAT(found.codes, ElementsAre("gzip-crc"));
}

TEST(ReaderGzip, GarbageBetweenMembers) {
  const std::string first = record(0), second = record(1);
  for (const std::string& garbage : {"\0\0\0\0\0\0"s, "garbage"s, "\x1f\x8b\x08\x00 not gzip"s, noise(300'000, 9)}) {
    const Found found = read_all(first + garbage + second);
    EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1)));
    EXPECT_EQ(found.offsets[1], first.size() + garbage.size());
    EXPECT_EQ(found.codes.size(), 1U);
    EXPECT_THAT(found.flaw_offsets, ElementsAre(first.size()));
    const Found at_end = read_all(first + garbage);
    EXPECT_THAT(at_end.uris, ElementsAre(uri(0)));
    EXPECT_EQ(at_end.codes.size(), 1U);
  }
}

TEST(ReaderGzip, WholeFileInOneMember) {
  std::string plain;
  for (size_t i = 0; i < 3; ++i) plain += record(i, Compression::none);
  const Found found = read_all(io::gzip_member(plain, io::GzipEffort::small));
  EXPECT_THAT(found.uris, ElementsAre(uri(0), uri(1), uri(2)));
  EXPECT_THAT(found.blocks, ElementsAre(block(0), block(1), block(2)));
  EXPECT_THAT(found.lengths, ElementsAre(0, 0, 0));
  EXPECT_THAT(found.codes, ElementsAre("gzip-several-records"));
}

TEST(ReaderGzip, RecordOverTwoMembers) {
  const std::string plain = record(1, Compression::none);
  const std::string file = record(0) + io::gzip_member(plain.substr(0, 300), io::GzipEffort::fast) +
                           io::gzip_member(plain.substr(300), io::GzipEffort::fast) + record(2);
  const Found found = read_all(file);
  EXPECT_THAT(found.blocks, ElementsAre(block(0), block(1), block(2)));
  EXPECT_THAT(found.codes, ElementsAre("record-spans-members"));
}

TEST(ReaderGzip, ContentLengthAgainstTheMember) {
  const auto with_length = [](size_t length) {
    return io::gzip_member(
        "WARC/1.1\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Target-URI: urn:x\r\n"
        "Content-Length: " +
            std::to_string(length) + "\r\n\r\n0123456789\r\n\r\n",
        io::GzipEffort::fast);
  };
  const Found longer = read_all(with_length(20) + record(2));
  EXPECT_THAT(longer.uris, ElementsAre("urn:x", uri(2)));
  EXPECT_THAT(longer.codes, ElementsAre("content-length"));
  EXPECT_THAT(longer.complete, ElementsAre(false, true));
  const Found shorter = read_all(with_length(5) + record(2));
  EXPECT_THAT(shorter.uris, ElementsAre("urn:x", uri(2)));
  EXPECT_EQ(shorter.codes.back(), "garbage");
}

// Whatever 200 bytes of a file are destroyed: all records that they do not touch are found, whole.
TEST(ReaderGzip, DamageAnywhereCostsOnlyWhatItHits) {
  std::string file;
  std::vector<uint64_t> begins;
  for (size_t i = 0; i < 8; ++i) {
    begins.push_back(file.size());
    file += record(i);
  }
  begins.push_back(file.size());
  constexpr size_t kSize = 200;
  for (size_t at = 0; at + kSize < file.size(); at += 37) {
    std::string damaged = file;
    damaged.replace(at, kSize, noise(kSize, at));
    const Found found = read_all(damaged, {.read_size = 4096});
    for (size_t i = 0; i < 8; ++i) {
      if (at < begins[i + 1] && at + kSize > begins[i]) continue;
      const auto it = std::ranges::find(found.blocks, block(i));
      EXPECT_NE(it, found.blocks.end()) << "record " << i << " with damage at " << at;
    }
    EXPECT_FALSE(found.codes.empty());
  }
}

TEST(ReaderPlain, DamageAnywhereCostsOnlyWhatItHits) {
  std::string file;
  std::vector<uint64_t> begins;
  for (size_t i = 0; i < 8; ++i) {
    begins.push_back(file.size());
    file += record(i, Compression::none);
  }
  begins.push_back(file.size());
  constexpr size_t kSize = 200;
  for (size_t at = 0; at + kSize < file.size(); at += 37) {
    std::string cut = file;
    cut.erase(at, kSize);
    std::string overwritten = file;
    overwritten.replace(at, kSize, noise(kSize, at));
    for (const std::string& damaged : {cut, overwritten}) {
      const Found found = read_all(damaged, {.read_size = 4096});
      for (size_t i = 0; i < 8; ++i) {
        if (at < begins[i + 1] && at + kSize > begins[i]) continue;
        EXPECT_NE(std::ranges::find(found.blocks, block(i)), found.blocks.end()) << "record " << i << " at " << at;
      }
    }
  }
}

std::string plain_record(const std::string& uri_text, const std::string& length_line, const std::string& body) {
  return "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Record-ID: <urn:x:1>\r\nWARC-Date: 2026-01-02T03:04:05Z\r\n"
         "WARC-Target-URI: " +
         uri_text + "\r\n" + length_line + "\r\n" + body;
}

TEST(ReaderPlain, ContentLengths) {
  const std::string next = plain_record("urn:next", "Content-Length: 2\r\n", "ok\r\n\r\n");
  struct Case {
    const char* what;
    std::string file;
    std::string first_block;
    std::vector<std::string> codes;
  };
  const Case cases[] = {
      {"right", plain_record("urn:a", "Content-Length: 5\r\n", "hello\r\n\r\n") + next, "hello", {}},
      {"too long",
       plain_record("urn:a", "Content-Length: 50\r\n", "hello\r\n\r\n") + next,
       "hello",
       {"content-length"}},
      {"far too long",
       plain_record("urn:a", "Content-Length: 99999999\r\n", "hello\r\n\r\n") + next,
       "hello",
       {"content-length"}},
      {"too short", plain_record("urn:a", "Content-Length: 3\r\n", "hello\r\n\r\n") + next, "hel", {"garbage"}},
      {"missing", plain_record("urn:a", "", "hello\r\n\r\n") + next, "hello", {"content-length"}},
      {"no number",
       plain_record("urn:a", "Content-Length: five\r\n", "hello\r\n\r\n") + next,
       "hello",
       {"content-length"}},
      {"negative",
       plain_record("urn:a", "Content-Length: -5\r\n", "hello\r\n\r\n") + next,
       "hello",
       {"content-length"}},
      {"cut short by the next record",
       plain_record("urn:a", "Content-Length: 5\r\n", "hel") + next,
       "hel",
       {"content-length"}},
      {"one separator line",
       plain_record("urn:a", "Content-Length: 5\r\n", "hello\r\n") + next,
       "hello",
       {"record-separator"}},
      {"no separator", plain_record("urn:a", "Content-Length: 5\r\n", "hello") + next, "hello", {"record-separator"}},
      {"folded and bare",
       "WARC/1.0\nWARC-Type:resource\nWARC-Record-ID:\n <urn:x:1>\nWARC-Target-URI: urn:a\n"
       "content-length: 5\n\nhello\r\n\r\n" +
           next,
       "hello",
       {"header-line-end"}},
      {"garbage in front",
       "garbage\r\n" + plain_record("urn:a", "Content-Length: 5\r\n", "hello\r\n\r\n") + next,
       "hello",
       {"garbage"}},
      {"a line without colon",
       plain_record("urn:a", "Content-Length: 5\r\nnonsense\r\n", "hello\r\n\r\n") + next,
       "hello",
       {"header-line"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Found found = read_all(c.file);
    EXPECT_THAT(found.uris, ElementsAre("urn:a", "urn:next"));
    if (found.blocks.size() == 2) {
      EXPECT_EQ(found.blocks[0], c.first_block);
      EXPECT_EQ(found.blocks[1], "ok");
    }
    EXPECT_EQ(found.codes, c.codes) << (found.messages.empty() ? "" : found.messages[0]);
  }
}

TEST(ReaderPlain, CutsAndLimits) {
  const std::string good = plain_record("urn:a", "Content-Length: 5\r\n", "hello\r\n\r\n");
  const Found cut = read_all(good + plain_record("urn:b", "Content-Length: 500\r\n", "half"));
  EXPECT_THAT(cut.blocks, ElementsAre("hello", "half"));
  EXPECT_THAT(cut.complete, ElementsAre(true, false));
  EXPECT_THAT(cut.codes, ElementsAre("cut"));
  EXPECT_THAT(cut.flaw_offsets, ElementsAre(good.size()));
  EXPECT_THAT(read_all(good + "WARC/1.0\r\nWARC-Type: res").codes, ElementsAre("header-cut"));

  const std::string endless = "WARC/1.0\r\nX: " + std::string(5000, 'x') + "\r\nY: y\r\n\r\n";
  const Found limited = read_all(good + endless + good, {.max_header = 4000});
  EXPECT_EQ(limited.uris.size(), 2U);
  EXPECT_THAT(limited.codes, ElementsAre("header-too-long"));

  EXPECT_THAT(read_all("").codes, ElementsAre("empty-file"));
  EXPECT_THAT(read_all("<html>no archive</html>").codes, ElementsAre("not-an-archive"));
  EXPECT_THAT(read_all("PK\x03\x04zip").codes, ElementsAre("not-an-archive"));
  EXPECT_THAT(read_all("\x04\x22\x4d\x18....").codes, ElementsAre("not-an-archive"));
}

TEST(ReaderArc, VersionsAndFlaws) {
  const std::string version_1 =
      "filedesc://x.arc 0.0.0.0 20260102030405 text/plain 76\n1 0 LiveWeb Capture\n"
      "URL IP-address Archive-date Content-type Archive-length\n\n";
  const std::string first = "http://a/ 1.2.3.4 20260102030405 text/html 19\nHTTP/1.0 200 OK\r\n\r\n\n";
  const std::string version_2_line =
      "http://b/ 1.2.3.4 20260102030405 text/html 200 checksum - 0 x.arc 19\nHTTP/1.0 200 OK\r\n\r\n\n";
  const std::string dns = "dns:a 8.8.8.8 20260102030405 text/dns 5\nhello\n";
  for (const bool gzip : {false, true}) {
    const auto pack = [gzip](const std::string& one) {
      return gzip ? io::gzip_member(one, io::GzipEffort::fast) : one;
    };
    const Found found = read_all(pack(version_1) + pack(first) + pack(version_2_line) + pack(dns));
    EXPECT_THAT(found.uris, ElementsAre("filedesc://x.arc", "http://a/", "http://b/", "dns:a"));
    EXPECT_THAT(found.codes, IsEmpty());
    EXPECT_EQ(found.blocks[3], "hello");
  }
  const Found damaged = read_all(version_1 + first + "http://c/ 1.2.3.4 20260102030405 text/html 99\ncut" + "\n" + dns);
  EXPECT_THAT(damaged.uris, ElementsAre("filedesc://x.arc", "http://a/", "http://c/", "dns:a"));
  EXPECT_THAT(damaged.codes, ElementsAre("content-length"));

  const MemorySource source(first);
  Reader reader(source);
  const Record& record = **reader.next();
  EXPECT_EQ(record.header().get("WARC-Date"), "2026-01-02T03:04:05Z");
  EXPECT_EQ(record.header().get("WARC-IP-Address"), "1.2.3.4");
  EXPECT_TRUE(is_http(record.header()));
  EXPECT_TRUE(record.is_arc());
}

}  // namespace
}  // namespace caddis::warc
