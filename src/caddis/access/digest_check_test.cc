#include "caddis/access/digest_check.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <vector>

#include "caddis/base/strings.h"
#include "caddis/io/digest.h"

namespace caddis::access {
namespace {

using Outcome = DigestCheck::Outcome;

// RFC 7616, section 3.9.1.
TEST(DigestResponse, IsThatOfTheRfc) {
  const std::string a1 = "Mufasa:http-auth@example.org:Circle of Life";
  const DigestSecrets secrets{.md5 = to_hex(io::digest(io::DigestAlgorithm::md5, a1)),
                              .sha256 = to_hex(io::sha256(a1))};
  DigestFields fields;
  fields.uri = "/dir/index.html";
  fields.nonce = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v";
  fields.cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
  fields.qop = "auth";
  fields.count = 1;
  fields.algorithm = "MD5";
  EXPECT_EQ(digest_response(secrets, fields, "GET"), "8ca523f5e9506fed4657c9700eebdbec");
  fields.algorithm = "";
  EXPECT_EQ(digest_response(secrets, fields, "GET"), "8ca523f5e9506fed4657c9700eebdbec");
  fields.algorithm = "SHA-256";
  EXPECT_EQ(digest_response(secrets, fields, "GET"),
            "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1");
  fields.algorithm = "SHA-512-256";
  EXPECT_EQ(digest_response(secrets, fields, "GET"), "");
}

class DigestChecks : public testing::Test {
 protected:
  std::string nonce() {
    const std::string challenge = check_.challenges(clock_.steady(), false).at(0);
    const size_t begin = challenge.find("nonce=\"") + 7;
    return challenge.substr(begin, challenge.find('"', begin) - begin);
  }
  DigestFields fields(const std::string& nonce, uint32_t count, std::string algorithm = "SHA-256") {
    DigestFields made{.username = "alice",
                      .realm = "caddis",
                      .nonce = nonce,
                      .uri = "/engine?a=b",
                      .response = {},
                      .algorithm = std::move(algorithm),
                      .cnonce = "c",
                      .qop = "auth",
                      .count = count};
    made.response = digest_response(secrets_, made, "GET");
    return made;
  }
  Outcome check(const DigestFields& fields, std::string_view method = "GET", std::string_view target = "/engine?a=b") {
    return check_.check(fields, &secrets_, method, target, clock_.steady());
  }

  ManualClock clock_;
  const DigestSecrets secrets_ = digest_secrets("alice", "correct horse");
  DigestCheck check_{"a key"};
};

TEST_F(DigestChecks, TakesTheRightPassword) {
  const std::string one = nonce();
  for (uint32_t count = 1; const char* algorithm : {"SHA-256", "MD5", "", "md5", "MD5-sess", "SHA-256-sess"})
    EXPECT_EQ(check(fields(one, count++, algorithm)), Outcome::good) << algorithm;
  DigestFields wrong = fields(one, 10);
  wrong.response[0] ^= 1;
  EXPECT_EQ(check(wrong), Outcome::wrong);
  EXPECT_EQ(check_.check(fields(one, 11), nullptr, "GET", "/engine?a=b", clock_.steady()), Outcome::wrong);
}

TEST_F(DigestChecks, HoldsForOneRequestAlone) {
  const std::string one = nonce();
  EXPECT_EQ(check(fields(one, 1), "POST"), Outcome::wrong);
  EXPECT_EQ(check(fields(one, 1), "GET", "/engine/job/a"), Outcome::wrong);
  EXPECT_EQ(check(fields(one, 1)), Outcome::good);
  EXPECT_EQ(check(fields(one, 1)), Outcome::stale) << "sent again";
  EXPECT_EQ(check(fields(one, 1), "POST"), Outcome::stale) << "sent again after a redirect";
  DigestFields absolute = fields(one, 2);
  absolute.uri = "https://127.0.0.1:8443/engine?a=b";
  absolute.response = digest_response(secrets_, absolute, "GET");
  EXPECT_EQ(check(absolute), Outcome::good);
}

TEST_F(DigestChecks, CountsMayComeInAnotherOrderButOnce) {
  const std::string one = nonce();
  for (const uint32_t count : {5u, 3u, 4u, 1u, 70u, 69u, 7u})
    EXPECT_EQ(check(fields(one, count)), Outcome::good) << count;
  for (const uint32_t count : {5u, 3u, 70u, 69u, 7u, 2u}) EXPECT_EQ(check(fields(one, count)), Outcome::stale) << count;
}

TEST_F(DigestChecks, NoncesAreOursAndNew) {
  const std::string one = nonce();
  EXPECT_EQ(check(fields("0123", 1)), Outcome::stale);
  std::string forged = one;
  forged[0] = forged[0] == '0' ? '1' : '0';
  EXPECT_EQ(check(fields(forged, 1)), Outcome::stale);
  DigestCheck other("another key");
  EXPECT_EQ(other.check(fields(one, 1), &secrets_, "GET", "/engine?a=b", clock_.steady()), Outcome::stale);
  clock_.advance(std::chrono::minutes(9));
  EXPECT_EQ(check(fields(one, 1)), Outcome::good);
  clock_.advance(std::chrono::minutes(2));
  EXPECT_EQ(check(fields(one, 2)), Outcome::stale);
}

TEST_F(DigestChecks, RemembersSoManyAndNoReplayOfTheOthers) {
  std::vector<std::string> all;
  for (int i = 0; i < 5000; ++i) {
    clock_.advance(std::chrono::milliseconds(1));
    all.push_back(nonce());
    ASSERT_EQ(check(fields(all.back(), 1)), Outcome::good);
  }
  for (const size_t i : {0, 1, 500, 4999}) EXPECT_EQ(check(fields(all[i], 1)), Outcome::stale) << i;
}

TEST_F(DigestChecks, WithoutQopOrCountNothingIsTaken) {
  DigestFields old = fields(nonce(), 1);
  old.qop = "";
  old.response = digest_response(secrets_, old, "GET");
  EXPECT_EQ(check(old), Outcome::wrong);
  EXPECT_EQ(check(fields(nonce(), 0)), Outcome::wrong);
}

}  // namespace
}  // namespace caddis::access
