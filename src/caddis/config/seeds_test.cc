#include "caddis/config/seeds.h"

#include <gtest/gtest.h>

#include "caddis/base/visible.h"

namespace caddis::config {
namespace {

TEST(Seeds, AreUrlsOrBareHosts) {
  const auto href = [](std::string_view text) {
    const auto seed = parse_seed(text);
    return seed ? std::string(seed->href()) : seed.error().message;
  };
  EXPECT_EQ(href("https://a.test/x?y#z"), "https://a.test/x?y");
  EXPECT_EQ(href("a.test"), "http://a.test/");
  EXPECT_EQ(href("a.test/x:y"), "http://a.test/x:y");
  EXPECT_EQ(href("a.test:8080"), "http://a.test:8080/");
  EXPECT_EQ(href("localhost:8080/x?y"), "http://localhost:8080/x?y");
  EXPECT_EQ(href("[::1]:8080/x"), "http://[::1]:8080/x");
  EXPECT_EQ(href("mailto:x@y.test"), "seed 'mailto:x@y.test' has the scheme mailto; Caddis crawls http and https");
  EXPECT_EQ(href("javascript:a()"), "seed 'javascript:a()' has the scheme javascript; Caddis crawls http and https");
  EXPECT_EQ(href("ftp://a.test/"), "seed 'ftp://a.test/' has the scheme ftp; Caddis crawls http and https");
  EXPECT_FALSE(parse_seed("http://"));
  EXPECT_FALSE(parse_seed(""));
}

TEST(Seeds, AreShownWithoutPasswords) {
  for (const char* plain :
       {"https://a.test/x?y#z", "a.test", "a.test:8080/@x", "https://a.test/@me/1", "mailto:x@y.test", "nonsense", ""})
    EXPECT_EQ(shown_seed(plain), plain);
  EXPECT_EQ(shown_seed("https://me:sesame@a.test/x?y"), "https://a.test/x?y");
  for (const char* secret :
       {"http://sesame@a.test", "me:sesame@a.test", "http:\\\\me:sesame@a.test/", "ftp://me:sesame@a.test/",
        "http://me:ses/ame@a.test/", "ht\ttp://me:sesame@a.test/", "sesame@a test", "http://me:sesame@[::/"}) {
    EXPECT_EQ(shown_seed(secret).find("ses"), std::string::npos) << secret;
    if (const auto seed = parse_seed(secret); !seed)
      EXPECT_EQ(seed.error().message.find("ses"), std::string::npos) << seed.error().message;
  }
}

// It is told in logs, reports and on terminals.
TEST(Seeds, AreQuotedOnOneLine) {
  for (const char* bad : {"ftp://a\nseed 'b' is fine", "no\x1b[2Jhost here"})
    EXPECT_EQ(parse_seed(bad).error().message.find_first_of("\n\x1b"), std::string::npos) << bad;
}

TEST(Seeds, AListNamesItsBadLines) {
  const SeedList list =
      read_seed_list("\xef\xbb\xbf# mine\r\nhttp://a.test/\r\n\n  b.test \nno seed\nftp://c.test/\n", "s.txt");
  EXPECT_EQ(list.seeds, (std::vector<std::string>{"http://a.test/", "b.test"}));
  const auto told = list.problems.told();
  ASSERT_EQ(told.size(), 2u);
  EXPECT_TRUE(told[0].starts_with("s.txt:5: seed 'no seed' is not a URL: ")) << told[0];
  EXPECT_EQ(told[1], "s.txt:6: seed 'ftp://c.test/' has the scheme ftp; Caddis crawls http and https");
}

// However long it is: where it is cut, nothing may tell any more that what stands before is a password.
TEST(Seeds, AListHidesPasswordsBeforeItCuts) {
  const SeedList list = read_seed_list("ftp://me:sesame" + std::string(600, 'e') + "@a.test/\n", "s.txt");
  ASSERT_EQ(list.unusable.size(), 1u);
  EXPECT_EQ(list.unusable[0], shown_seed("ftp://me:sesame@a.test/"));
}

TEST(Seeds, OfAFileThatIsNoListLittleIsTold) {
  std::string binary;
  for (uint64_t i = 0; i < 200'000; ++i) binary += static_cast<char>((i * i / 7 + i % 251) & 0xff);
  const SeedList list = read_seed_list(binary, "image.png");
  const auto told = list.problems.told();
  ASSERT_EQ(told.size(), 21u);
  EXPECT_TRUE(told.back().starts_with("and ") && told.back().ends_with(" like these")) << told.back();
  for (const std::string& line : told) {
    EXPECT_LT(line.size(), 3000u);
    EXPECT_FALSE(has_control_character(line)) << line;
  }
}

TEST(Seeds, KnowWhatStaysOnThisMachine) {
  const auto stays = [](std::string_view text) { return only_loopback({*parse_seed(text)}); };
  for (const char* own : {"localhost", "a.localhost:80", "127.0.0.1", "127.1.2.3:8080", "0x7f.1", "[::1]"})
    EXPECT_TRUE(stays(own)) << own;
  for (const char* other : {"127.evil.test", "127.0.0.1.evil.test", "128.0.0.1", "localhost.test", "[::2]"})
    EXPECT_FALSE(stays(other)) << other;
  EXPECT_FALSE(only_loopback({*parse_seed("localhost"), *parse_seed("a.test")}));
}

}  // namespace
}  // namespace caddis::config
