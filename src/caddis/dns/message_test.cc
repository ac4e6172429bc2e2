#include "caddis/dns/message.h"

#include <gtest/gtest.h>

#include <string>

namespace caddis::dns {
namespace {

using namespace std::string_literals;

// One question, www.example.org A, and `answers` records.
std::string message(int answers, const std::string& records) {
  return "\x12\x34\x81\x80\x00\x01\x00"s + static_cast<char>(answers) + "\0\0\0\0\3www\7example\3org\0\0\1\0\1"s +
         records;
}

TEST(Message, ReadsAddressesAndAliases) {
  const auto parsed =
      parse_message(message(3,
                            "\xc0\x0c\0\5\0\1\0\0\1\x2c\0\6\3web\xc0\x10"
                            "\xc0\x2d\0\1\0\1\0\0\0\x3c\0\4\xc0\0\2\1"
                            "\xc0\x2d\0\x1c\0\1\0\0\0\x3c\0\x10\x20\1\xd\xb8\0\0\0\0\0\0\0\0\0\0\0\1"s));
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  ASSERT_EQ(parsed->answers.size(), 3u);
  EXPECT_EQ(to_string(parsed->answers[0]), "www.example.org.\t300\tIN\tCNAME\tweb.example.org.");
  EXPECT_EQ(to_string(parsed->answers[1]), "web.example.org.\t60\tIN\tA\t192.0.2.1");
  EXPECT_EQ(to_string(parsed->answers[2]), "web.example.org.\t60\tIN\tAAAA\t2001:db8::1");
}

TEST(Message, WritesWhatItDoesNotKnowGenerically) {
  const auto parsed = parse_message(message(2,
                                            "\5a.b\\\t\0\0\x10\0\1\0\0\0\5\0\3\2hi"
                                            "\0\0\1\0\3\xff\xff\xff\xff\0\1x"s));
  ASSERT_TRUE(parsed.has_value()) << parsed.error().message;
  EXPECT_EQ(to_string(parsed->answers[0]), "a\\.b\\\\\\009.\t5\tIN\tTYPE16\t\\# 3 026869");
  EXPECT_EQ(to_string(parsed->answers[1]), ".\t0\tCLASS3\tA\t\\# 1 78");  // the TTL is no number below 2^31
}

TEST(Message, KnowsItsResponseCode) {
  const auto parsed = parse_message("\x12\x34\x81\x83\0\0\0\0\0\0\0\0"s);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->response_code, 3);
}

TEST(Message, QuestionsAreWritten) {
  EXPECT_EQ(query_message("www.Example.org.", Type::aaaa).value(),
            "\0\0\1\0\0\1\0\0\0\0\0\0\3www\7Example\3org\0\0\x1c\0\1"s);
  EXPECT_EQ(query_message("a", Type::a).value(), "\0\0\1\0\0\1\0\0\0\0\0\0\1a\0\0\1\0\1"s);
  EXPECT_TRUE(query_message(std::string(63, 'a') + ".b.", Type::a).has_value());
  std::string longest = "b";
  for (int i = 0; i < 4; ++i) longest += "." + std::string(62, 'a');
  EXPECT_TRUE(query_message(longest, Type::a).has_value());
  for (const std::string& bad : {std::string(64, 'a'), "a..b"s, ""s, ".a"s, longest + "aa"})
    EXPECT_EQ(query_message(bad, Type::a).error().code, ErrorCode::not_found) << bad;
}

TEST(Message, RefusesWhatIsDamaged) {
  const std::string good = message(1, "\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\xc0\0\2\1"s);
  ASSERT_TRUE(parse_message(good).has_value());
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_FALSE(parse_message(std::string_view(good).substr(0, size)).has_value()) << size;
  }
  const std::string tail = "\0\1\0\1\0\0\0\x3c\0\4\xc0\0\2\1"s;
  EXPECT_FALSE(parse_message(message(1, "\xc0\x21"s + tail)).has_value());  // a pointer to itself
  EXPECT_FALSE(parse_message(message(1, "\xc0\x80"s + tail)).has_value());  // forwards
  EXPECT_FALSE(parse_message(message(1, "\x40xx"s + tail)).has_value());    // a label of unknown kind
  EXPECT_FALSE(parse_message(message(1, "\xc0\x0c\0\5\0\1\0\0\0\x3c\0\7\1x\0abcd"s)).has_value());  // more than a name
  std::string long_name;
  for (int i = 0; i < 5; ++i) long_name += "\x3f"s + std::string(63, 'a');
  EXPECT_FALSE(parse_message(message(1, long_name + "\0"s + tail)).has_value());
}

}  // namespace
}  // namespace caddis::dns
