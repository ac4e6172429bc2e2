#include "caddis/logins/login_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/url/public_form.h"

namespace caddis::logins {
namespace {

constexpr std::string_view kUser = "{user}", kPassword = "{password}";

// Two passwords are for people who are new.
std::optional<PageForm> login_form_of(std::vector<PageForm> forms) {
  auto found = std::ranges::find(forms, size_t{1}, &PageForm::passwords);
  if (found == forms.end())
    found = std::ranges::find_if(forms, [](const PageForm& form) { return form.passwords > 0; });
  if (found == forms.end()) return {};
  return std::move(*found);
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
}

bool names(const LoginSettings& login, std::string_view what) {
  return std::ranges::any_of(
      login.fields, [&](const std::string& line) { return line.find(what, line.find('=')) != std::string::npos; });
}

// Fills in what the settings do not name: the password, and in the text input before it the user.
void fill_found(const LoginSettings& login, std::vector<FormField>& fields) {
  const auto password = std::ranges::find(fields, FormField::Kind::password, &FormField::kind);
  if (password == fields.end()) return;
  if (!names(login, kPassword)) password->value = login.password;
  password->is_secret = true;
  if (names(login, kUser)) return;
  for (auto field = password; field != fields.begin();) {
    --field;
    if (field->kind != FormField::Kind::text) continue;
    field->value = login.user;
    return;
  }
}

void lay_over(const LoginSettings& login, std::vector<FormField>& fields) {
  for (const std::string& line : login.fields) {
    const size_t equals = line.find('=');
    FormField field{.name = line.substr(0, equals), .value = line.substr(equals + 1)};
    field.is_secret = field.value != kUser;
    // One after the other: what a name or a password holds is not read again.
    const size_t user = field.value.find(kUser);
    if (user != std::string::npos && !field.value.contains(kPassword))
      replace_all(field.value, kUser, login.user);
    else if (user == std::string::npos)
      replace_all(field.value, kPassword, login.password);
    else
      field.value = fmt::format("{}{}", login.user, login.password);
    const auto same = std::ranges::find(fields, field.name, &FormField::name);
    if (same == fields.end())
      fields.push_back(std::move(field));
    else
      *same = std::move(field);
  }
}

// The URL that actions of the page resolve against (HTML Standard, 4.2.3).
url::Url base_of(const url::Url& page, std::string_view written) {
  auto base = written.empty() ? Result<url::Url>(page) : url::Url::parse(written, &page);
  return base && base->is_http() ? *std::move(base) : page;
}

// The URL with that query in place of its own.
Result<url::Url> with_query(const url::Url& target, std::string_view query) {
  std::string_view all = target.without_fragment();
  all = all.substr(0, std::min(all.find('?'), all.size()));
  return url::Url::parse(fmt::format("{}?{}", all, query));
}

}  // namespace

bool has_login_form(std::string_view html, size_t passwords) {
  return std::ranges::any_of(read_forms(html).forms, [passwords](const PageForm& form) {
    return form.passwords == 1 || (form.passwords > 0 && form.passwords == passwords);
  });
}

Result<Submission> fill_login_form(const LoginSettings& login, const url::Url& page, std::string_view html) {
  PageForms read = read_forms(html);
  std::optional<PageForm> form = login_form_of(std::move(read.forms));
  if (!form && !(names(login, kUser) && names(login, kPassword)))
    return fail(ErrorCode::not_found,
                "the page has no form with a password; name its fields by logins.fields, as in \"name={user}\" and "
                "\"pwd={password}\"");
  if (!form) form = PageForm{.action = {}, .is_post = true, .fields = {}};
  fill_found(login, form->fields);
  lay_over(login, form->fields);
  const url::Url base = base_of(page, read.base);
  auto target = form->action.empty() ? Result<url::Url>(page) : url::Url::parse(form->action, &base);
  if (!target || !target->is_http()) return fail(ErrorCode::not_found, "the form leads to no URL that can be fetched");
  target->drop_fragment();
  if (!covers(login.site, target->hostname()))
    return fail(ErrorCode::denied,
                fmt::format("the form would tell the password to {}, which is not of logins.site ({})",
                            target->hostname(), login.site));
  if (page.scheme() == "https" && target->scheme() != "https")
    return fail(ErrorCode::denied, "the form would send the password without TLS");
  const bool is_post = login.method == FormMethod::as_written ? form->is_post : login.method == FormMethod::post;
  Submission made{.target = *target,
                  .shown_target = *target,
                  .is_post = is_post,
                  .body = {},
                  .masked = {},
                  .passwords = form->passwords};
  for (const FormField& field : form->fields) {
    if (!field.is_secret) continue;
    if (!made.masked.empty()) made.masked += ", ";
    made.masked += field.name;
  }
  if (made.masked.empty())
    return fail(ErrorCode::not_found,
                "no field of the form takes the password: name it by logins.fields, as in \"pwd={password}\"");
  if (is_post) {
    made.body = form_body(form->fields, form->coding);
    return made;
  }
  TRY(made.target, with_query(*target, form_query(form->fields, Secrets::written)));
  TRY(made.shown_target, with_query(*target, form_query(form->fields, Secrets::hidden)));
  return made;
}

}  // namespace caddis::logins
