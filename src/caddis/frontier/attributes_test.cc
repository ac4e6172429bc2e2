#include "caddis/frontier/attributes.h"

#include <gtest/gtest.h>

#include <vector>

#include "caddis/frontier/chunk.h"
#include "caddis/frontier/rows.h"

namespace caddis::frontier {
namespace {

using namespace std::string_literals;

TEST(Attributes, AreAListOfNamesWithBytes) {
  Attributes list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.write(), "");
  list.set("b", "\0x"s);
  list.set("a", "");
  list.set("b", "y\0"s);
  EXPECT_EQ(list.find("b"), "y\0"s);
  EXPECT_EQ(list.find("a"), "");
  EXPECT_FALSE(list.find("c"));
  EXPECT_EQ(list.write(), "\1a\0\1b\2y\0"s);
  const Attributes copy = list;
  EXPECT_EQ(copy, list);
  list.set("a", "z");
  EXPECT_NE(copy, list);
  EXPECT_NE(copy, Attributes());
  EXPECT_EQ(*Attributes::read(copy.write()), copy);
}

TEST(Attributes, DamagedBytesAreRefused) {
  for (const std::string& bytes : {"\1"s, "\1a"s, "\1a\5b"s, "\1b\0\1a\0"s, "\1a\0\1a\0"s, "\xff\xff\xff"s})
    EXPECT_FALSE(Attributes::read(bytes)) << bytes;
}

TEST(Attributes, TravelInTheRowsOfTheQueue) {
  Candidate plain, with;
  plain.url = "http://a.test/1";
  with.url = "http://a.test/2";
  plain.hops = with.hops = "R";
  with.attributes.set("redirects", "abc");
  const std::vector<Candidate> candidates = {with, plain, with};
  const auto read = decode_chunk(encode_chunk(candidates));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, candidates);
  RetryRow retry;
  retry.candidate = with;
  EXPECT_EQ(read_retry_row(write_retry_row(retry))->candidate, with);
}

TEST(Attributes, CostNoByteIfThereAreNone) {
  Candidate plain;
  plain.url = "http://a.test/";
  Candidate with = plain;
  with.attributes.set("n", "12");
  EXPECT_EQ(encode_chunk(std::vector{with}).size(), encode_chunk(std::vector{plain}).size() + 1 + 1 + 1 + 1 + 2);
}

TEST(Attributes, AChunkWithDamagedOnesIsDamaged) {
  Candidate with;
  with.url = "http://a.test/";
  with.attributes.set("name", "value");
  std::string bytes = encode_chunk(std::vector{with});
  bytes[bytes.find("\4name")] = '\x7f';
  EXPECT_FALSE(decode_chunk(bytes));
}

}  // namespace
}  // namespace caddis::frontier
