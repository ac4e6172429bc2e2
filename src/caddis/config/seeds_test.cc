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
  EXPECT_EQ(href("mailto:x@y.test"),
            "seed 'mailto:x@y.test' has the scheme mailto; Caddis crawls http, https, "
            "ftp, sftp and whois, and file (file:///srv/site/) if the setting fetch.files allows it");
  EXPECT_EQ(href("javascript:a()"),
            "seed 'javascript:a()' has the scheme javascript; Caddis crawls http, https, "
            "ftp, sftp and whois, and file (file:///srv/site/) if the setting fetch.files allows it");
  EXPECT_EQ(href("ftp://a.test"), "ftp://a.test/");
  EXPECT_EQ(href("file:///srv/site/a b#c"), "file:///srv/site/a%20b");
  EXPECT_EQ(href("file://localhost/srv/"), "file:///srv/");
  EXPECT_EQ(href("whois:a.test"), "whois://whois.iana.org/a.test");
  EXPECT_EQ(href("whois://w.test:4343/a.test"), "whois://w.test:4343/a.test");
  EXPECT_EQ(
      href("- http://a.test/"),
      "'- http://a.test/' is no seed: is - a bullet? Write the URL alone; to leave out what begins with it, write "
      "- and the URL without a blank, as in -http://(org,example,");
  EXPECT_FALSE(parse_seed("http://"));
  EXPECT_FALSE(parse_seed(""));
}

TEST(Seeds, AreShownWithoutPasswords) {
  for (const char* plain :
       {"https://a.test/x?y#z", "a.test", "a.test:8080/@x", "https://a.test/@me/1", "mailto:x@y.test", "nonsense", ""})
    EXPECT_EQ(shown_seed(plain), plain);
  EXPECT_EQ(shown_seed("https://me:sesame@a.test/x?y"), "https://a.test/x?y");
  for (const char* secret : {"http://sesame@a.test", "me:sesame@a.test", "http:\\\\me:sesame@a.test/",
                             "ftp://me:sesame@a.test/", "http://me:ses/ame@a.test/", "ht\ttp://me:sesame@a.test/",
                             "sesame@a test", "- http://me:sesame@a.test/", "http://me:sesame@[::/"}) {
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

TEST(Seeds, StandAloneOnALineOfAList) {
  EXPECT_EQ(seed_on_line("  b.test \r"), "b.test");
  EXPECT_EQ(seed_on_line("http://a.test/ # the first"), "http://a.test/");
  EXPECT_EQ(seed_on_line("http://a.test/#part\t# with a fragment"), "http://a.test/#part");
  EXPECT_EQ(seed_on_line("http://a.test/#part"), "http://a.test/#part");
  EXPECT_EQ(seed_on_line("http://bücher.test/ü"), "http://bücher.test/ü");
  for (const char* without : {"", "  ", "# mine", "\t#http://a.test/", "\r"})
    EXPECT_EQ(seed_on_line(without), "") << without;
}

// However long it is: where it is cut, nothing may tell any more that what stands before is a password.
TEST(Seeds, UnusableOnesHidePasswordsBeforeTheyAreCut) {
  EXPECT_EQ(shown_unusable("ftp://me:sesame" + std::string(600, 'e') + "@a.test/"),
            shown_seed("ftp://me:sesame@a.test/"));
  EXPECT_EQ(shown_unusable("no seed\x1b"), "no_seed_");
  EXPECT_EQ(shown_unusable(std::string(600, 'x')), std::string(500, 'x'));
}

TEST(Seeds, OfManyProblemsLittleIsTold) {
  SeedProblems problems;
  for (int i = 0; i < 1000; ++i) problems.add(std::to_string(i));
  const auto told = problems.told();
  ASSERT_EQ(told.size(), 21u);
  EXPECT_EQ(told.front(), "0");
  EXPECT_EQ(told.back(), "and 980 more seeds are like these");
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
