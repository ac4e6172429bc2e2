#include "caddis/heritrix/logins_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/heritrix/imported_settings.h"
#include "caddis/url/url.h"

namespace caddis::heritrix {
namespace {

constexpr std::string_view kPlace = "section logins of a sheet";

// "${" would stand for a variable of the environment.
std::string literal(std::string_view text) {
  std::string out(text);
  for (size_t at = 0; (at = out.find("${", at)) != std::string::npos; at += 3) out.insert(at, "$");
  return out;
}

// "www.example.org:8080" → "www.example.org"; nothing if it is no host.
std::optional<std::string> site_of(std::string_view domain) {
  const auto url = url::Url::parse(fmt::format("http://{}/", trim(domain)));
  if (!url || url->hostname().empty()) return {};
  return std::string(url->hostname());
}

// "http://(org,example,www,)/a" → "www.example.org".
std::optional<std::string> site_of_surt(std::string_view surt) {
  const size_t begin = surt.find('(');
  if (begin == std::string_view::npos) return site_of(surt);
  const std::string_view inside = surt.substr(begin + 1, surt.find(')') - begin - 1);
  std::string host;
  for (const std::string_view label : split(inside, ',')) {
    if (label.empty()) continue;
    host = host.empty() ? std::string(label) : fmt::format("{}.{}", label, host);
  }
  return host.empty() ? std::nullopt : site_of(host);
}

bool has_any(std::string_view name, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words, [&](std::string_view word) { return contains_ignore_case(name, word); });
}

class LoginsImport {
 public:
  explicit LoginsImport(Import& import) : import_(import) {}

  std::vector<ImportedSheet> run() {
    import_.tree().each([&](const Bean& bean) {
      const std::string_view kind = bean.kind();
      if (kind == "HttpAuthenticationCredential" || kind == "Rfc2617Credential") import_http(bean);
      if (kind == "HtmlFormCredential") import_form(bean);
      if (kind == "FormLoginProcessor") import_processor(bean);
      if (kind != "CredentialStore") return;
      if (const BeanProperty* const all = bean.find("credentials")) import_.tell(*all, Fate::taken, kPlace);
    });
    return std::move(found_);
  }

 private:
  void import_http(const Bean& bean) {
    const std::string domain = bean.text("domain", bean.text("credential-domain"));
    const auto site = site_of(domain);
    if (domain.empty() || !site) return lacks_site(bean);
    SheetTarget target;
    set(target, bean, "site", {*site});
    set(target, bean, "user", {bean.text("login")});
    set(target, bean, "password", {literal(bean.text("password"))});
    set(target, bean, "realm", {bean.text("realm")});
    add(bean, *site, target, Fate::taken, kPlace);
  }

  void import_form(const Bean& bean) {
    const std::string domain = bean.text("domain");
    const auto site = site_of(domain);
    if (domain.empty() || !site) return lacks_site(bean);
    const auto base = url::Url::parse(fmt::format("http://{}/", domain));
    const std::string where = bean.text("loginUri", bean.text("login-uri"));
    const auto page = url::Url::parse(where, base ? &*base : nullptr);
    const BeanProperty* const stated = bean.find("formItems");
    if (where.empty() || !page || stated == nullptr || !stated->value.is_map() || stated->value.items.empty())
      return import_.tell_deep(
          bean, Fate::without,
          "it names no page or no fields: write logins.form and logins.fields into a sheet for the "
          "site (docs/logins.md)");
    SheetTarget target;
    set(target, bean, "site", {*site});
    set(target, bean, "form", {std::string(page->href())});
    if (equals_ignore_case(bean.text("httpMethod", "POST"), "get"))
      set(target, bean, "method", {"get"});
    else
      set(target, bean, "method", {"post"});
    set_fields(target, bean, stated->value);
    add(bean, *site, target, Fate::differently,
        "section logins of a sheet; Caddis fetches the page first, and sends what else stands in its form, too");
  }

  // Which field is the name and which the password is told by their names.
  void set_fields(SheetTarget& target, const Bean& bean, const BeanValue& map) {
    const auto find = [&](std::initializer_list<std::string_view> words, std::optional<size_t> but) {
      for (size_t i = 0; i < map.keys.size(); ++i)
        if (i != but && has_any(map.keys[i], words)) return std::optional(i);
      return std::optional<size_t>();
    };
    const auto password = find({"pass", "pwd", "pw", "secret"}, {});
    const auto user = find({"user", "login", "mail", "name", "account"}, password);
    std::vector<std::string> fields;
    for (size_t i = 0; i < map.items.size(); ++i) {
      const std::string value = i == password ? "{password}" : i == user ? "{user}" : literal(map.items[i].text);
      fields.push_back(fmt::format("{}={}", map.keys[i], value));
    }
    set(target, bean, "user", {user ? map.items[*user].text : "-"});
    set(target, bean, "password", {password ? literal(map.items[*password].text) : "-"});
    set(target, bean, "fields", fields);
  }

  void import_processor(const Bean& bean) {
    const std::string user = bean.text("loginUsername");
    if (user.empty()) return import_.tell_deep(bean, Fate::taken, "it logs in nowhere: the values of sheets do");
    const auto site = site_of_surt(bean.text("applicableSurtPrefix"));
    if (!site) return lacks_site(bean);
    SheetTarget target;
    set(target, bean, "site", {*site});
    set(target, bean, "user", {user});
    set(target, bean, "password", {literal(bean.text("loginPassword"))});
    add(bean, *site, target, Fate::differently,
        "section logins of a sheet; name the page with the form there by logins.form: Caddis logs in before the first "
        "page, and looks for forms nowhere else");
  }

  void lacks_site(const Bean& bean) {
    import_.tell_deep(
        bean, Fate::without,
        "it names no site: write logins.site, logins.user and logins.password into a sheet (docs/logins.md)");
  }

  static void set(SheetTarget& target, const Bean& bean, std::string_view name, const std::vector<std::string>& texts) {
    if (texts.size() == 1 && texts.front().empty()) return;
    (void)target.set("logins", name, texts, std::string(bean.class_name));
  }

  void add(const Bean& bean, const std::string& site, const SheetTarget& target, Fate fate, std::string_view said) {
    import_.tell_deep(bean, fate, said);
    const std::string name = fmt::format("login-{}", found_.size() + 1);
    found_.push_back({settings::Sheet{name, {site}, {}, target.values(), {}, {}}, bean.item});
  }

  Import& import_;
  std::vector<ImportedSheet> found_;
};

}  // namespace

std::vector<ImportedSheet> import_logins(Import& import) { return LoginsImport(import).run(); }

}  // namespace caddis::heritrix
