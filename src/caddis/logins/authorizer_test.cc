#include "caddis/logins/authorizer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace caddis::logins {
namespace {

using Answer = ProtectionSpace::Answer;

http::ResponseHead head(int status, std::string_view fields) {
  return *http::parse_response_head("HTTP/1.1 " + std::to_string(status) + " X\r\n" + std::string(fields) + "\r\n\r\n",
                                    http::Mode::lenient);
}

url::Url url(std::string_view text) { return *url::Url::parse(text); }

Accounts login() { return Accounts({{"", "u", "p"}}); }

TEST(Authorizer, BasicHoldsForAFolder) {
  Authorizer book;
  const auto page = url("https://example.org/a/b");
  EXPECT_EQ(book.credentials(login(), page, "GET", "c"), "");
  const auto asked = head(401, "WWW-Authenticate: Basic realm=x");
  EXPECT_EQ(book.learn(login(), page, asked, ""), Answer::again);
  EXPECT_EQ(book.credentials(login(), page, "GET", "c"), "Basic dTpw");
  EXPECT_EQ(book.credentials(login(), url("https://example.org/a/c/d"), "GET", "c"), "Basic dTpw");
  EXPECT_EQ(book.credentials(login(), url("https://example.org/other"), "GET", "c"), "");
  EXPECT_EQ(book.credentials(login(), url("http://example.org/a/b"), "GET", "c"), "");
  EXPECT_EQ(book.credentials(login(), url("https://www.example.org/a/b"), "GET", "c"), "");
  EXPECT_EQ(book.learn(login(), page, head(200, "X: y"), "Basic dTpw"), Answer::none);
}

TEST(Authorizer, TellsNobodyTwiceWhoRejects) {
  Authorizer book;
  const auto page = url("https://example.org/a/b");
  const auto asked = head(401, "WWW-Authenticate: Basic realm=x");
  ASSERT_EQ(book.learn(login(), page, asked, ""), Answer::again);
  EXPECT_EQ(book.learn(login(), page, asked, "Basic dTpw"), Answer::rejected);
  EXPECT_EQ(book.credentials(login(), page, "GET", "c"), "");
  EXPECT_EQ(book.learn(login(), url("https://example.org/c"), asked, ""), Answer::rejected);
  EXPECT_EQ(book.learn(Accounts({{"", "u", "q"}}), page, asked, ""), Answer::again);
}

TEST(Authorizer, ARejectionIsToldOnceForARealmOfASite) {
  Authorizer book;
  const auto page = url("https://example.org/a/b"), other = url("https://www.example.org/c");
  const auto asked = head(401, "WWW-Authenticate: Basic realm=x");
  ASSERT_EQ(book.learn(login(), page, asked, ""), Answer::again);
  EXPECT_EQ(book.untold_rejection(login(), page, "example.org"), std::nullopt);
  ASSERT_EQ(book.learn(login(), page, asked, "Basic dTpw"), Answer::rejected);
  EXPECT_EQ(book.untold_rejection(login(), page, "example.org"), "x");
  EXPECT_EQ(book.untold_rejection(login(), page, "example.org"), std::nullopt);
  ASSERT_EQ(book.learn(login(), other, asked, "Basic dTpw"), Answer::rejected);
  EXPECT_EQ(book.untold_rejection(login(), other, "example.org"), std::nullopt);
  ASSERT_EQ(
      book.learn(login(), url("https://example.org/d/"), head(401, "WWW-Authenticate: Basic realm=y"), "Basic dTpw"),
      Answer::rejected);
  EXPECT_EQ(book.untold_rejection(login(), url("https://example.org/d/"), "example.org"), "y");
}

TEST(Authorizer, DigestHoldsWhereTheServerSays) {
  Authorizer book;
  const auto page = url("https://example.org/a/b?c");
  ASSERT_EQ(book.learn(login(), page,
                       head(401, R"(WWW-Authenticate: Digest realm=r, nonce=n, qop=auth, domain="/a /z/")"), ""),
            Answer::again);
  EXPECT_TRUE(book.credentials(login(), page, "GET", "c").contains("uri=\"/a/b?c\""));
  EXPECT_EQ(book.scheme_for(login(), page), "digest");
  EXPECT_TRUE(book.credentials(login(), url("https://example.org/z/1"), "GET", "c").contains("nc=00000002"));
  EXPECT_EQ(book.credentials(login(), url("https://example.org/b"), "GET", "c"), "");
  ASSERT_EQ(book.learn(login(), url("https://www.example.org/x/y"),
                       head(401, "WWW-Authenticate: Digest realm=r, nonce=n"), ""),
            Answer::again);
  EXPECT_NE(book.credentials(login(), url("https://www.example.org/"), "GET", "c"), "");
}

// Asks as a crawl does, until nothing more is learned; returns what was sent last.
std::string sent_after_asking(Authorizer& book, const Accounts& accounts, std::string_view where,
                              std::string_view challenge) {
  const url::Url page = url(where);
  const auto asked = head(401, fmt::format("WWW-Authenticate: {}", challenge));
  std::string sent = book.credentials(accounts, page, "GET", "c");
  if (book.learn(accounts, page, asked, sent) != Answer::again) return sent;
  sent = book.credentials(accounts, page, "GET", "c");
  EXPECT_EQ(book.learn(accounts, page, head(200, "X: y"), sent), Answer::none);
  return sent;
}

const Accounts kTwo({{"staff", "anna", "a"}, {"press", "bert", "b"}});
constexpr std::string_view kAnna = "Basic YW5uYTph", kBert = "Basic YmVydDpi";

TEST(Authorizer, HasAnAccountForEachRealm) {
  Authorizer book;
  EXPECT_EQ(sent_after_asking(book, kTwo, "http://example.org/staff/", "Basic realm=staff"), kAnna);
  EXPECT_EQ(sent_after_asking(book, kTwo, "http://example.org/press/", "Basic realm=press"), kBert);
  EXPECT_EQ(sent_after_asking(book, kTwo, "http://example.org/", "Basic realm=other"), "");
  EXPECT_EQ(book.credentials(kTwo, url("http://example.org/staff/2"), "GET", "c"), kAnna);
  EXPECT_EQ(book.credentials(kTwo, url("http://example.org/press/2"), "GET", "c"), kBert);
}

TEST(Authorizer, KnowsARealmWithinAnother) {
  Authorizer book;
  EXPECT_EQ(sent_after_asking(book, kTwo, "http://example.org/", "Basic realm=staff"), kAnna);
  EXPECT_EQ(sent_after_asking(book, kTwo, "http://example.org/press/1", "Basic realm=press"), kBert);
  EXPECT_EQ(book.credentials(kTwo, url("http://example.org/press/2"), "GET", "c"), kBert);
  EXPECT_EQ(book.credentials(kTwo, url("http://example.org/2"), "GET", "c"), kAnna);
}

TEST(Authorizer, KnowsTwoRealmsInOneFolder) {
  for (const std::string_view scheme : {"Basic", "Digest nonce=n,"}) {
    Authorizer book;
    const auto ask = [&](std::string_view where, std::string_view realm) {
      return sent_after_asking(book, kTwo, where, fmt::format("{} realm={}", scheme, realm));
    };
    const std::string anna = ask("http://example.org/a", "staff"), bert = ask("http://example.org/b", "press");
    EXPECT_NE(anna, bert);
    const auto user = [](std::string_view sent) { return sent.contains("bert") || sent == kBert ? "bert" : "anna"; };
    const std::string a = book.credentials(kTwo, url("http://example.org/a"), "GET", "c");
    const std::string b = book.credentials(kTwo, url("http://example.org/b"), "GET", "c");
    EXPECT_EQ(user(a), "anna") << a;
    EXPECT_EQ(user(b), "bert") << b;
  }
}

TEST(Authorizer, LosesNoRealmToOneThatRejects) {
  Authorizer book;
  EXPECT_EQ(sent_after_asking(book, login(), "http://example.org/", "Basic realm=all"), "Basic dTpw");
  EXPECT_EQ(book.learn(login(), url("http://example.org/boss/1"), head(401, "WWW-Authenticate: Basic realm=boss"),
                       "Basic dTpw"),
            Answer::rejected);
  EXPECT_EQ(book.credentials(login(), url("http://example.org/boss/2"), "GET", "c"), "");
  EXPECT_EQ(book.credentials(login(), url("http://example.org/other"), "GET", "c"), "Basic dTpw");
}

}  // namespace
}  // namespace caddis::logins
