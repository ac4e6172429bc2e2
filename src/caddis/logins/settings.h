// The settings of the section `logins`: who Caddis is to a site that asks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/settings/schema.h"

namespace caddis::logins {

enum class FormMethod { as_written, get, post };

struct LoginSettings {
  std::string site;  // a host or a domain
  std::string user;
  std::string password;
  std::string realm;
  std::vector<std::string> realms;  // "REALM = USER:PASSWORD": further accounts
  std::string form;                 // the URL of a page, or nothing
  FormMethod method = FormMethod::as_written;
  std::vector<std::string> fields;  // "NAME=VALUE"
  std::string check;                // a regular expression, or nothing

  bool has_user() const { return !user.empty() || !password.empty(); }
  bool is_set() const { return has_user() || !realms.empty(); }
};

// Whether the host is that of the setting `site`, or lies below it.
bool covers(std::string_view site, std::string_view host);

// The checks that no single row can do: ErrorCode::config names the setting.
Result<void> validate(const LoginSettings& settings);

}  // namespace caddis::logins

namespace caddis::settings {
template <>
const Schema& schema_of<logins::LoginSettings>();
}  // namespace caddis::settings
