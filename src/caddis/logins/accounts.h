// Names and passwords of one site, by realm (RFC 9110, section 11.5).
//
// Immutable; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/logins/settings.h"

namespace caddis::logins {

struct Account {
  std::string realm;  // empty: any that no other account is for
  std::string user, password;

  bool operator==(const Account&) const = default;
};

// An item of `logins.realms`: "REALM = USER:PASSWORD". No error shows the password.
Result<Account> parse_account(std::string_view text);
// The reverse; the realm has no " = ", and the user no colon.
std::string to_text(const Account& account);

class Accounts {
 public:
  explicit Accounts(std::vector<Account> accounts);
  // The settings are valid.
  static Accounts of(const LoginSettings& settings);

  // Null if there is none for that realm.
  const Account* find(std::string_view realm) const;
  // A text that differs if any name, password or realm does. It is a secret.
  const std::string& key() const { return key_; }

 private:
  std::vector<Account> accounts_;
  std::string key_;
};

}  // namespace caddis::logins
