#include "caddis/logins/digest.h"

#include <gtest/gtest.h>

#include "caddis/logins/protection_space.h"

namespace caddis::logins {
namespace {

std::string response_of(const std::string& credentials) {
  const auto parsed = parse_challenges(credentials);
  return parsed.empty() ? "" : std::string(parsed.front().find("response").value_or(""));
}

DigestChallenge challenge(std::string_view field) {
  const auto parsed = parse_challenges(field);
  return *digest_challenge(parsed.at(0));
}

TEST(Challenges, ComeOneBehindTheOther) {
  const auto all = parse_challenges(
      R"(Newauth realm="apps", type=1, title="Login to \"apps\"", Basic realm="simple", Negotiate, Bearer abc==)");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].scheme, "newauth");
  EXPECT_EQ(all[0].find("title"), "Login to \"apps\"");
  EXPECT_EQ(all[1].scheme, "basic");
  EXPECT_EQ(all[1].realm(), "simple");
  EXPECT_EQ(all[2].scheme, "negotiate");
  EXPECT_EQ(all[3].scheme, "bearer");
}

// RFC 7616, section 3.9.1.
constexpr std::string_view kRfc =
    R"(Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, )"
    R"(nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", )"
    R"(Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, )"
    R"(nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS")";
constexpr DigestRequest kGet{
    .method = "GET", .target = "/dir/index.html", .cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", .count = 1};

TEST(Digest, AnswersAsTheExamplesOfTheRfc) {
  const auto both = parse_challenges(kRfc);
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(response_of(digest_credentials(*digest_challenge(both[0]), "Mufasa", "Circle of Life", kGet)),
            "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1");
  const std::string md5 = digest_credentials(*digest_challenge(both[1]), "Mufasa", "Circle of Life", kGet);
  EXPECT_EQ(response_of(md5), "8ca523f5e9506fed4657c9700eebdbec");
  EXPECT_TRUE(md5.contains("nc=00000001, qop=auth")) << md5;
  EXPECT_TRUE(md5.contains("opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"")) << md5;
}

// RFC 2617, section 3.5, and the same without qop (RFC 2069, with the erratum).
TEST(Digest, AnswersOldServers) {
  const DigestRequest request{.method = "GET", .target = "/dir/index.html", .cnonce = "0a4f113b", .count = 1};
  const std::string with_qop =
      R"(Digest realm="testrealm@host.com", qop="auth,auth-int", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093")";
  EXPECT_EQ(response_of(digest_credentials(challenge(with_qop), "Mufasa", "Circle Of Life", request)),
            "6629fae49393a05397450978507c4ef1");
  const std::string without = R"(Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093")";
  const std::string old = digest_credentials(challenge(without), "Mufasa", "Circle Of Life", request);
  EXPECT_EQ(response_of(old), "670fd8c2df070c60b045671b8b24ff02");
  EXPECT_FALSE(old.contains("cnonce")) << old;
}

TEST(Digest, KeepsTheKeyOfASession) {
  const auto of_session = challenge(R"(Digest realm="r", nonce="n", algorithm=MD5-sess, qop="auth")");
  ASSERT_TRUE(of_session.is_session);
  DigestRequest first{.method = "GET", .target = "/", .cnonce = "c1", .count = 2};
  DigestRequest second = first;
  second.cnonce = "c2";
  second.session_cnonce = "c1";
  EXPECT_NE(response_of(digest_credentials(of_session, "u", "p", first)),
            response_of(digest_credentials(of_session, "u", "p", second)));
  // MD5(MD5("u:r:p"):"n":"c1") is the key of both.
  EXPECT_EQ(response_of(digest_credentials(of_session, "u", "p", first)), "0e06baabd284d549a6a434a0d4e10c22");
}

TEST(Digest, RefusesWhatItDoesNotSpeak) {
  for (const char* field : {R"(Digest realm="r", nonce="n", qop="auth-int")", R"(Digest realm="r")",
                            R"(Digest realm="r", nonce="n", algorithm=SHA-512-256)", R"(Basic realm="r")"})
    EXPECT_FALSE(digest_challenge(parse_challenges(field).at(0))) << field;
}

http::ResponseHead head(std::string_view fields) {
  return *http::parse_response_head("HTTP/1.1 401 No\r\n" + std::string(fields) + "\r\n\r\n", http::Mode::lenient);
}

TEST(ProtectionSpace, PrefersTheStrongestChallenge) {
  ProtectionSpace space;
  const Accounts given({{"", "Mufasa", "Circle of Life"}});
  const auto offered = head("WWW-Authenticate: Basic realm=\"b\"\r\nWWW-Authenticate: " + std::string(kRfc));
  EXPECT_EQ(space.challenged(offered, "www-authenticate", given, ""), ProtectionSpace::Answer::again);
  EXPECT_EQ(space.scheme(), "digest");
  EXPECT_EQ(space.realm(), "http-auth@example.org");
  EXPECT_TRUE(space.credentials(given, "GET", "/", "c").contains("algorithm=SHA-256"));
}

TEST(ProtectionSpace, IsOfItsRealm) {
  ProtectionSpace space;
  const auto offered = head(R"(WWW-Authenticate: Basic realm="theirs", Basic realm="ours")");
  EXPECT_EQ(space.challenged(offered, "www-authenticate", Accounts({{"others", "u", "p"}}), ""),
            ProtectionSpace::Answer::none);
  EXPECT_EQ(space.challenged(offered, "www-authenticate", Accounts({{"ours", "u", "p"}}), ""),
            ProtectionSpace::Answer::again);
  EXPECT_EQ(space.realm(), "ours");
  EXPECT_EQ(space.credentials(Accounts({{"ours", "u", "p"}}), "GET", "/", "c"), "Basic dTpw");
  EXPECT_EQ(space.challenged(offered, "www-authenticate", Accounts({{"ours", "u", "p"}}), "Basic dTpw"),
            ProtectionSpace::Answer::rejected);
}

TEST(ProtectionSpace, CountsTheUsesOfANonce) {
  ProtectionSpace space;
  const Accounts given({{"", "u", "p"}});
  const auto first = head(R"(WWW-Authenticate: Digest realm="r", nonce="n1", qop="auth")");
  ASSERT_EQ(space.challenged(first, "www-authenticate", given, ""), ProtectionSpace::Answer::again);
  EXPECT_TRUE(space.credentials(given, "GET", "/", "c").contains("nc=00000001"));
  const std::string sent = space.credentials(given, "GET", "/", "c");
  EXPECT_TRUE(sent.contains("nc=00000002"));
  space.answered(head(R"(Authentication-Info: nextnonce="n2", qop=auth)"), "authentication-info");
  EXPECT_TRUE(space.credentials(given, "GET", "/", "c").contains("nonce=\"n2\", cnonce=\"c\", nc=00000001"));
}

TEST(ProtectionSpace, TellsAnOldNonceFromAWrongPassword) {
  using Answer = ProtectionSpace::Answer;
  ProtectionSpace space;
  const Accounts given({{"", "u", "p"}});
  ASSERT_EQ(space.challenged(head(R"(WWW-Authenticate: Digest realm="r", nonce="n1", qop="auth")"), "www-authenticate",
                             given, ""),
            Answer::again);
  const std::string sent = space.credentials(given, "GET", "/", "c");
  EXPECT_EQ(space.challenged(head(R"(WWW-Authenticate: Digest realm="r", nonce="n2", qop="auth", stale=true)"),
                             "www-authenticate", given, sent),
            Answer::again);
  const std::string again = space.credentials(given, "GET", "/", "c");
  EXPECT_TRUE(again.contains("nonce=\"n2\""));
  const auto plain = head(R"(WWW-Authenticate: Digest realm="r", nonce="n3", qop="auth")");
  EXPECT_EQ(space.challenged(plain, "www-authenticate", given, again), Answer::rejected);
  // A visit that was on its way with an older nonce does not say that the password is wrong.
  EXPECT_EQ(space.challenged(plain, "www-authenticate", given, sent), Answer::again);
  // It was taken before: the nonce has ended.
  const std::string third = space.credentials(given, "GET", "/", "c");
  space.answered(head("X: y"), "authentication-info");
  EXPECT_EQ(space.challenged(head(R"(WWW-Authenticate: Digest realm="r", nonce="n4", qop="auth")"), "www-authenticate",
                             given, third),
            Answer::again);
}

}  // namespace
}  // namespace caddis::logins
