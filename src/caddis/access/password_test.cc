#include "caddis/access/password.h"

#include <gtest/gtest.h>

#include "caddis/base/strings.h"

namespace caddis::access {
namespace {

TEST(Password, IsKnownByItsHash) {
  const PasswordHash hash = hash_password("correct horse");
  EXPECT_TRUE(is_password(hash, "correct horse"));
  EXPECT_FALSE(is_password(hash, "correct hors"));
  EXPECT_FALSE(is_password(hash, ""));
  EXPECT_NE(hash.salt, hash_password("correct horse").salt);
  const auto back = parse_password_hash(to_text(hash));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, hash);
}

// Made by scrypt elsewhere (python: hashlib.scrypt(b"pleaseletmein", salt=bytes(range(16)), n=1024, r=8, p=1, dklen=32)).
TEST(Password, IsTheScryptOfOthers) {
  const auto hash = parse_password_hash(
      "scrypt:10:8:1:000102030405060708090a0b0c0d0e0f:"
      "c748c7505929341889570635021b87ecdbb2c559646ab1675e344d869d41fde5");
  ASSERT_TRUE(hash);
  EXPECT_TRUE(is_password(*hash, "pleaseletmein"));
}

TEST(Password, OfOtherCostsOrFormsIsNone) {
  const std::string salt(32, 'a'), key(64, 'b');
  EXPECT_TRUE(parse_password_hash("scrypt:15:8:1:" + salt + ":" + key));
  for (const std::string& wrong :
       {"scrypt:15:8:1:" + salt, "bcrypt:15:8:1:" + salt + ":" + key, "scrypt:0:8:1:" + salt + ":" + key,
        "scrypt:63:8:1:" + salt + ":" + key, "scrypt:20:32:1:" + salt + ":" + key, "scrypt:15:8:0:" + salt + ":" + key,
        "scrypt:15:8:1:" + salt + ":" + key + "b", "scrypt:15:8:1:" + to_lower(salt) + ":" + std::string(64, 'B'),
        std::string()})
    EXPECT_FALSE(parse_password_hash(wrong)) << wrong;
}

TEST(Password, IsNeitherShortNorWithControls) {
  EXPECT_TRUE(check_strength("12345678").has_value());
  EXPECT_TRUE(check_strength("p\u00e4ssw\u00f6rter").has_value());
  for (const std::string& weak : {std::string("1234567"), std::string("12345678\n"), std::string(1001, 'a')})
    EXPECT_FALSE(check_strength(weak).has_value()) << weak;
}

TEST(Password, OfDigestIsReadBack) {
  const DigestSecrets secrets = digest_secrets("alice", "correct horse");
  const auto back = parse_digest_secrets(to_text(secrets));
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, secrets);
  EXPECT_FALSE(parse_digest_secrets("digest:1:2"));
}

}  // namespace
}  // namespace caddis::access
