// The users file: who may ask, and the tokens of programs (docs/formats/users.md has the grammar).
//
// A value. Names are 1 to 64 letters, digits and any of "._@-", and begin with a letter or digit.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/access/identity.h"
#include "caddis/access/password.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::access {

struct User {
  std::string name;
  Role role = Role::viewer;
  PasswordHash password;
  std::optional<DigestSecrets> digest;  // without it, this user cannot log in by HTTP Digest
  bool operator==(const User&) const = default;
};

// A token gives its bearer the lesser of its role and the role that its user has.
struct Token {
  std::string id;  // 12 hexadecimal digits, by which people name it
  std::string user;
  Role role = Role::viewer;
  std::optional<WallTime> expires;  // whole seconds; nothing: never
  std::string hash;                 // SHA-256 of the token, in hexadecimal
  std::string purpose;              // for people; blanks at neither end
  bool operator==(const Token&) const = default;
};

struct UserFile {
  std::vector<User> users;
  std::vector<Token> tokens;

  // ErrorCode::config, with the line, for anything that `to_text` would not write.
  static Result<UserFile> parse(std::string_view text);
  std::string to_text() const;

  const User* find_user(std::string_view name) const;
  const Token* find_token(std::string_view id) const;
  bool operator==(const UserFile&) const = default;
};

bool is_user_name(std::string_view name);
bool is_purpose(std::string_view purpose);

}  // namespace caddis::access
