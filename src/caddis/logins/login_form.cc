#include "caddis/logins/login_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/html/tokenizer.h"
#include "caddis/url/public_form.h"

namespace caddis::logins {
namespace {

constexpr size_t kMostFields = 500, kMostForms = 100;
constexpr std::string_view kUser = "{user}", kPassword = "{password}";

struct FormField {
  std::string name, value;
  enum class Kind { plain, text, password } kind = Kind::plain;
  bool is_secret = false;
};

struct Form {
  std::string action;
  bool is_post = false;
  bool has_button = false;
  size_t passwords = 0;
  std::vector<FormField> fields;
};

std::string attribute(const html::Token& token, std::string_view name) {
  for (const html::Attribute& one : token.attributes)
    if (one.name == name) return std::string(one.value);
  return {};
}

bool has_attribute(const html::Token& token, std::string_view name) {
  return std::ranges::any_of(token.attributes, [&](const html::Attribute& one) { return one.name == name; });
}

// Adds what an <input> or a <button> says to its form.
void add_control(Form& form, const html::Token& token) {
  const bool is_button = token.name == "button";
  std::string type = to_lower(attribute(token, "type"));
  if (type.empty()) type = is_button ? "submit" : "text";
  FormField field{.name = attribute(token, "name"), .value = attribute(token, "value")};
  if (type == "password") {
    field.kind = FormField::Kind::password;
    field.value.clear();
    ++form.passwords;
  } else if (type == "submit") {
    if (form.has_button) return;
    form.has_button = true;
  } else if (type == "checkbox" || type == "radio") {
    if (!has_attribute(token, "checked")) return;
    if (field.value.empty()) field.value = "on";
  } else if (type == "text" || type == "email" || type == "tel") {
    field.kind = FormField::Kind::text;
  } else if (type == "image" || type == "reset" || type == "button" || type == "file") {
    return;
  }
  if (!field.name.empty() && form.fields.size() < kMostFields && !has_attribute(token, "disabled"))
    form.fields.push_back(std::move(field));
}

std::vector<Form> forms_of(std::string_view source) {
  std::vector<Form> forms;
  html::Tokenizer tokens(source, {.skip_text = true});
  html::Token token;
  bool is_inside = false;
  while (tokens.next(token)) {
    if (token.kind == html::Token::Kind::end_tag && token.name == "form") is_inside = false;
    if (token.kind != html::Token::Kind::start_tag) continue;
    if (token.name == "form" && forms.size() < kMostForms) {
      is_inside = true;
      forms.push_back({.action = attribute(token, "action"),
                       .is_post = equals_ignore_case(attribute(token, "method"), "post"),
                       .fields = {}});
    } else if (is_inside && (token.name == "input" || token.name == "button")) {
      add_control(forms.back(), token);
    }
  }
  return forms;
}

// Two passwords are for people who are new.
std::optional<Form> login_form_of(std::string_view source) {
  std::vector<Form> forms = forms_of(source);
  auto found = std::ranges::find(forms, size_t{1}, &Form::passwords);
  if (found == forms.end()) found = std::ranges::find_if(forms, [](const Form& form) { return form.passwords > 0; });
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

void append_encoded(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (is_alnum(c) || c == '*' || c == '-' || c == '.' || c == '_')
      out += c;
    else if (c == ' ')
      out += '+';
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
}

std::string encode(const std::vector<FormField>& fields, bool shows_secrets) {
  std::string out;
  for (const FormField& field : fields) {
    if (!out.empty()) out += '&';
    append_encoded(out, field.name);
    out += '=';
    append_encoded(out, field.is_secret && !shows_secrets ? "*" : std::string_view(field.value));
  }
  return out;
}

// The URL with that query in place of its own.
Result<url::Url> with_query(const url::Url& target, std::string_view query) {
  std::string_view all = target.without_fragment();
  all = all.substr(0, std::min(all.find('?'), all.size()));
  return url::Url::parse(fmt::format("{}?{}", all, query));
}

}  // namespace

bool has_login_form(std::string_view html) { return login_form_of(html).has_value(); }

Result<Submission> fill_login_form(const LoginSettings& login, const url::Url& page, std::string_view html) {
  std::optional<Form> form = login_form_of(html);
  if (!form && !(names(login, kUser) && names(login, kPassword)))
    return fail(ErrorCode::not_found,
                "the page has no form with a password; name its fields by logins.fields, as in \"name={user}\" and "
                "\"pwd={password}\"");
  if (!form) form = Form{.action = {}, .is_post = true, .fields = {}};
  fill_found(login, form->fields);
  lay_over(login, form->fields);
  auto target = form->action.empty() ? Result<url::Url>(page) : url::Url::parse(form->action, &page);
  if (!target || !target->is_http()) return fail(ErrorCode::not_found, "the form leads to no URL that can be fetched");
  target->drop_fragment();
  if (!covers(login.site, target->hostname()))
    return fail(ErrorCode::denied,
                fmt::format("the form would tell the password to {}, which is not of logins.site ({})",
                            target->hostname(), login.site));
  if (page.scheme() == "https" && target->scheme() != "https")
    return fail(ErrorCode::denied, "the form would send the password without TLS");
  const bool is_post = login.method == FormMethod::as_written ? form->is_post : login.method == FormMethod::post;
  Submission made{
      .target = *target, .shown_target = *target, .is_post = is_post, .body = {}, .shown_body = {}, .masked = {}};
  const std::string sent = encode(form->fields, true), shown = encode(form->fields, false);
  for (const FormField& field : form->fields) {
    if (!field.is_secret) continue;
    if (!made.masked.empty()) made.masked += ", ";
    made.masked += field.name;
  }
  if (made.masked.empty())
    return fail(ErrorCode::not_found,
                "no field of the form takes the password: name it by logins.fields, as in \"pwd={password}\"");
  if (is_post) {
    made.body = sent;
    made.shown_body = shown;
    return made;
  }
  TRY(made.target, with_query(*target, sent));
  TRY(made.shown_target, with_query(*target, shown));
  return made;
}

}  // namespace caddis::logins
