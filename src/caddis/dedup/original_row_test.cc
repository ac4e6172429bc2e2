#include "caddis/dedup/original_row.h"

#include <gtest/gtest.h>

namespace caddis::dedup {
namespace {

constexpr const char* kDigest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ";

Original original() {
  return {.url = "http://example.org/a,b",
          .date = WallTime(std::chrono::milliseconds(1'790'000'000'123)),
          .record_id = "<urn:uuid:0a1b2c3d-4e5f-4a6b-8c7d-8e9f00112233>",
          .etag = {},
          .last_modified = {}};
}

TEST(OriginalRow, IsReadAsItWasWritten) {
  const auto read = read_row(row_value(original()));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->url, original().url);
  EXPECT_EQ(read->date, original().date);
  EXPECT_EQ(read->record_id, original().record_id);
}

TEST(OriginalRow, ARecordWithoutIdHasNone) {
  Original unnamed = original();
  unnamed.record_id.clear();
  EXPECT_EQ(read_row(row_value(unnamed))->record_id, "");
}

TEST(OriginalRow, HasTheseBytes) {
  const std::string value = row_value(original());
  EXPECT_EQ(value.substr(0, 8), std::string("\x7blP\xc4\xa0\x01\0\0", 8));
  EXPECT_EQ(value.substr(8, 4), "\x0a\x1b\x2c\x3d");
  EXPECT_EQ(value.substr(24), "http://example.org/a,b");
}

TEST(OriginalRow, PackedRowsComeOutOneAfterTheOther) {
  std::string pack;
  pack_row(pack, "key", "value");
  EXPECT_EQ(pack, "\x03key\x05value");
  pack_row(pack, "another", "");
  size_t at = 0;
  EXPECT_EQ(unpack_row(pack, at)->value, "value");
  EXPECT_EQ(unpack_row(pack, at)->key, "another");
  EXPECT_EQ(at, pack.size());
  EXPECT_FALSE(unpack_row(pack, at));
  at = 0;
  EXPECT_FALSE(unpack_row(std::string_view(pack).substr(0, 6), at));
}

TEST(OriginalRow, ACutValueIsRefused) {
  EXPECT_FALSE(read_row(row_value(original()).substr(0, 24)));
  EXPECT_FALSE(read_row(""));
}

TEST(OriginalRow, StrategiesByUrlHaveKeysOfTheirOwn) {
  const Question question{.digest = kDigest, .url = "http://example.org/a", .url_key = "org,example)/a"};
  const auto key = [&](Strategy strategy) { return row_key(strategy, question).value_or("none"); };
  EXPECT_EQ(key(Strategy::any).size(), 20u);
  EXPECT_EQ(key(Strategy::any), key(Strategy::url_preferred));
  EXPECT_EQ(key(Strategy::url).size(), 28u);
  EXPECT_NE(key(Strategy::url), key(Strategy::canonical));
  EXPECT_TRUE(key(Strategy::url).starts_with(key(Strategy::any)));
  Question other = question;
  other.url = "http://www.example.org/a";
  EXPECT_NE(row_key(Strategy::url, other), row_key(Strategy::url, question));
  EXPECT_EQ(row_key(Strategy::canonical, other), row_key(Strategy::canonical, question));
}

TEST(OriginalRow, AnIndexKeyThatIsNotGivenIsComputed) {
  const Question given{.digest = kDigest, .url = "http://www.example.org/a", .url_key = "org,example)/a"};
  Question asked = given;
  asked.url_key = {};
  EXPECT_EQ(row_key(Strategy::canonical, asked), row_key(Strategy::canonical, given));
}

TEST(OriginalRow, AnotherPolicyMakesAnotherKey) {
  const IndexKey exact = index_key_by(*url::KeyPolicy::parse("exact"));
  const Question asked{.digest = kDigest, .url = "http://www.example.org/a", .url_key = {}};
  Question other = asked;
  other.url = "http://example.org/a";
  EXPECT_EQ(row_key(Strategy::canonical, asked), row_key(Strategy::canonical, other));
  EXPECT_NE(row_key(Strategy::canonical, asked, exact), row_key(Strategy::canonical, other, exact));
}

TEST(OriginalRow, WhatIsNoDigestHasNoKey) {
  for (const char* text : {"", "sha1", "sha1:", "sha1:!", "none"})
    EXPECT_FALSE(row_key(Strategy::any, {.digest = text, .url = "u", .url_key = "k"})) << text;
}

}  // namespace
}  // namespace caddis::dedup
