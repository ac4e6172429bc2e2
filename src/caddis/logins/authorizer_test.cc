#include "caddis/logins/authorizer.h"

#include <gtest/gtest.h>

namespace caddis::logins {
namespace {

using Answer = ProtectionSpace::Answer;

http::ResponseHead head(int status, std::string_view fields) {
  return *http::parse_response_head("HTTP/1.1 " + std::to_string(status) + " X\r\n" + std::string(fields) + "\r\n\r\n",
                                    http::Mode::lenient);
}

url::Url url(std::string_view text) { return *url::Url::parse(text); }

LoginSettings login() {
  LoginSettings made;
  made.site = "example.org";
  made.user = "u";
  made.password = "p";
  return made;
}

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
  LoginSettings other = login();
  other.password = "q";
  EXPECT_EQ(book.learn(other, page, asked, ""), Answer::again);
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

}  // namespace
}  // namespace caddis::logins
