#include "caddis/logins/accounts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/settings/checks.h"

namespace caddis::logins {
namespace {

constexpr std::string_view kIs = " = ";

}  // namespace

Result<Account> parse_account(std::string_view text) {
  const size_t is = text.find(kIs);
  const size_t colon = is == std::string_view::npos ? is : text.find(':', is + kIs.size());
  if (is == 0 || colon == std::string_view::npos || colon == is + kIs.size() || !settings::single_line(text))
    return fail(ErrorCode::config, "one of them is no account; write it as \"REALM = USER:PASSWORD\", on one line");
  const size_t user = is + kIs.size();
  return Account{std::string(text.substr(0, is)), std::string(text.substr(user, colon - user)),
                 std::string(text.substr(colon + 1))};
}

std::string to_text(const Account& account) {
  return fmt::format("{}{}{}:{}", account.realm, kIs, account.user, account.password);
}

Accounts::Accounts(std::vector<Account> accounts) : accounts_(std::move(accounts)) {
  for (const Account& account : accounts_)
    key_ += fmt::format("{}\n{}\n{}\n", account.realm, account.user, account.password);
}

Accounts Accounts::of(const LoginSettings& settings) {
  std::vector<Account> accounts;
  for (const std::string& text : settings.realms)
    if (auto account = parse_account(text)) accounts.push_back(*std::move(account));
  if (!settings.user.empty() || !settings.password.empty())
    accounts.push_back({settings.realm, settings.user, settings.password});
  return Accounts(std::move(accounts));
}

const Account* Accounts::find(std::string_view realm) const {
  const auto of = [&](std::string_view name) {
    const auto found = std::ranges::find(accounts_, name, &Account::realm);
    return found == accounts_.end() ? nullptr : &*found;
  };
  const Account* const own = of(realm);
  return own != nullptr ? own : of("");
}

}  // namespace caddis::logins
