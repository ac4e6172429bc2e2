#include "caddis/logins/settings.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <set>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/logins/accounts.h"
#include "caddis/url/url.h"

namespace caddis::settings {
namespace {

Result<void> site_name(std::string_view text) {
  if (text.empty()) return {};
  TRY_VOID(single_line(text));
  const auto url = url::Url::parse(fmt::format("http://{}/", text));
  if (url && url->hostname() == text && !text.starts_with('.') && !text.ends_with('.')) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no host or domain; write it in small letters, without a port, as "
                                             "in \"example.org\"",
                                             visible(text, kQuoted)));
}

Result<void> form_page(std::string_view text) {
  if (text.empty()) return {};
  const auto url = url::Url::parse(text);
  if (url && url->is_http() && !url->has_userinfo()) return {};
  return fail(ErrorCode::config, fmt::format("'{}' is no URL of a page; write it as \"https://example.org/login\"",
                                             visible(text, kQuoted)));
}

// It holds a secret, and is not shown.
Result<void> account(std::string_view text) {
  TRY_VOID(logins::parse_account(text));
  return {};
}

// It may hold a secret, and is not shown.
Result<void> form_field(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals != std::string_view::npos && equals > 0 && single_line(text)) return {};
  return fail(ErrorCode::config, "one of them is no field; write it as \"NAME=VALUE\", on one line");
}

Result<void> pattern(std::string_view text) {
  if (text.empty()) return {};
  TRY_VOID(single_line(text));
  const re2::RE2 regex(re2::StringPiece(text.data(), text.size()), re2::RE2::Quiet);
  if (regex.ok()) return {};
  return fail(ErrorCode::config,
              fmt::format("'{}' is no regular expression: {}", visible(text, kQuoted), regex.error()));
}

}  // namespace

template <>
const Schema& schema_of<logins::LoginSettings>() {
  using S = logins::LoginSettings;
  using logins::FormMethod;
  static const Schema schema(
      "logins", "Who Caddis is to a site that asks for a name and a password (docs/logins.md). A sheet for each site.",
      {
          field<&S::site>(
              "site",
              "The host or the domain that the password is for. It is sent to that host and those below it, "
              "and nowhere else.",
              {.flags = kHostSheet | kLive, .check = site_name}),
          field<&S::user>("user", "The name to log in with; empty: no login.", {.flags = kHostSheet | kLive}),
          field<&S::password>("password",
                              "The password. It is a secret: ${NAME} stands for a variable of the environment, "
                              "${file:PATH} for what a file holds.",
                              {.flags = kHostSheet | kLive | kSecret}),
          field<&S::realm>("realm", "The realm that the password is for, with Basic and Digest; empty: any.",
                           {.flags = kHostSheet | kLive}),
          field<&S::realms>("realms",
                            "Further realms of the site, which have a name and a password of their own, with Basic and "
                            "Digest: each as \"REALM = USER:PASSWORD\". They are kept as a secret.",
                            {.flags = kHostSheet | kLive | kSecret, .check = account}),
          field<&S::form>("form",
                          "The URL of the page that has the form to log in with. It is filled in and sent before any "
                          "other page of the site is fetched. Empty: none; Basic and Digest alone are answered.",
                          {.flags = kHostSheet | kLive, .check = form_page}),
          field<&S::method>("method", "How the form is sent: as it says itself, or by GET or POST.",
                            {.flags = kHostSheet | kLive | kExpert,
                             .choices = {choice("form", FormMethod::as_written), choice("get", FormMethod::get),
                                         choice("post", FormMethod::post)}}),
          field<&S::fields>("fields",
                            "Further fields of the form, each as \"NAME=VALUE\"; {user} and {password} stand for those "
                            "two. Without them the fields are found in the page. They are kept as a secret.",
                            {.flags = kHostSheet | kLive | kSecret, .check = form_field}),
          field<&S::check>(
              "check",
              "A regular expression (RE2) for pages that say that nobody is logged in: \"Please log in\". "
              "If one fits, the login is repeated. An answer with 401, or a redirect to the form, says so, "
              "too.",
              {.flags = kHostSheet | kLive, .check = pattern}),
      });
  return schema;
}

}  // namespace caddis::settings

namespace caddis::logins {

bool covers(std::string_view site, std::string_view host) {
  if (site.empty() || !host.ends_with(site)) return false;
  return host.size() == site.size() || host[host.size() - site.size() - 1] == '.';
}

namespace {

// One name and password a realm.
Result<void> check_realms(const LoginSettings& settings) {
  std::set<std::string> realms;
  if (settings.has_user()) realms.insert(settings.realm);
  for (const std::string& text : settings.realms) {
    TRY(Account one, parse_account(text));
    if (!realms.insert(one.realm).second)
      return fail(ErrorCode::config, fmt::format("logins.realms: there are two names for the realm '{}' of {}",
                                                 visible(one.realm, kQuoted), settings.site));
  }
  return {};
}

}  // namespace

Result<void> validate(const LoginSettings& settings) {
  if (!settings.has_user() && !settings.form.empty())
    return fail(ErrorCode::config, "logins.form needs logins.user and logins.password: whom to log in");
  if (!settings.is_set()) return {};
  if (settings.site.empty())
    return fail(ErrorCode::config,
                fmt::format("logins.{} needs logins.site: the host or domain that may be told the password, as in "
                            "example.org",
                            settings.has_user() ? "user" : "realms"));
  TRY_VOID(check_realms(settings));
  if (settings.form.empty()) return {};
  const auto page = url::Url::parse(settings.form);
  if (page && covers(settings.site, page->hostname())) return {};
  return fail(ErrorCode::config, fmt::format("logins.form is no page of logins.site ({}), which alone is told the "
                                             "password: name the domain that both are of",
                                             settings.site));
}

}  // namespace caddis::logins
