#include "caddis/heritrix/logins_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/config/settings_file.h"
#include "caddis/heritrix/imported_settings.h"
#include "caddis/logins/accounts.h"
#include "caddis/url/url.h"

namespace caddis::heritrix {
namespace {

constexpr std::string_view kPlace = "section logins of a sheet";

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

// The fields of a form; {user} and {password} stand in the items.
struct FormFields {
  std::string user, password;
  std::vector<std::string> items;
};

class LoginsImport {
 public:
  explicit LoginsImport(Import& import) : import_(import) {}

  std::vector<ImportedSheet> run() {
    import_.tree().each([&](const Bean& bean) {
      const std::string_view kind = bean.kind();
      if (kind == "HttpAuthenticationCredential" || kind == "Rfc2617Credential") import_http(bean);
      if (kind == "HtmlFormCredential") import_form(bean);
      if (kind == "FormLoginProcessor") import_processor(bean);
    });
    import_.tree().each([&](const Bean& bean) {
      const BeanProperty* const all = bean.kind() == "CredentialStore" ? bean.find("credentials") : nullptr;
      if (all != nullptr) import_.tell_deep(*all, Fate::taken, kPlace);
    });
    for (Site& site : sites_) {
      set_realms(site);
      const std::string name = fmt::format("login-{}", &site - sites_.data() + 1);
      found_.push_back({settings::Sheet{name, {site.host}, {}, site.target.values(), {}, {}}, site.item});
    }
    return std::move(found_);
  }

 private:
  // All logins of one host.
  struct Site {
    std::string host;
    ItemId item = kNoItem;  // of the first
    SheetTarget target;
    bool has_user = false;
    std::vector<logins::Account> realms;
    std::string realms_from;  // a class of Heritrix
  };

  void import_http(const Bean& bean) {
    const std::string domain = bean.text("domain", bean.text("credentialDomain"));
    const auto site = site_of(domain);
    if (domain.empty() || !site) return lacks_site(bean);
    const std::string realm = bean.text("realm"), user = bean.text("login"), password = bean.text("password");
    if (realm.empty()) {
      if (add_user(bean, *site, user, config::literal(password)) != nullptr)
        import_.tell_deep(bean, Fate::taken, kPlace);
      return;
    }
    const logins::Account account{realm, user, password};
    const auto read = logins::parse_account(logins::to_text(account));
    if (!read || *read != account)
      return import_.tell_deep(bean, Fate::without,
                               "a realm with ' = ' in it, or a name with a colon, cannot be told: write logins.user "
                               "and logins.realm into a sheet for the site (docs/logins.md)");
    Site& own = site_for(bean, *site);
    own.realms.push_back(account);
    own.realms_from = std::string(bean.class_name);
    import_.tell_deep(bean, Fate::taken, kPlace);
  }

  void import_form(const Bean& bean) {
    const std::string domain = bean.text("domain");
    const auto site = site_of(domain);
    if (domain.empty() || !site) return lacks_site(bean);
    const auto base = url::Url::parse(fmt::format("http://{}/", domain));
    const std::string where = bean.text("loginUri");
    const auto page = url::Url::parse(where, base ? &*base : nullptr);
    const BeanProperty* const stated = bean.find("formItems");
    if (where.empty() || !page || stated == nullptr || !stated->value.is_map() || stated->value.items.empty())
      return import_.tell_deep(
          bean, Fate::without,
          "it names no page or no fields: write logins.form and logins.fields into a sheet for the "
          "site (docs/logins.md)");
    const FormFields fields = fields_of(stated->value);
    Site* const own = add_user(bean, *site, fields.user, fields.password);
    if (own == nullptr) return;
    set(own->target, bean.class_name, "form", {std::string(page->href())});
    const bool is_get = equals_ignore_case(bean.text("httpMethod", "POST"), "get");
    set(own->target, bean.class_name, "method", {is_get ? "get" : "post"});
    set(own->target, bean.class_name, "fields", fields.items);
    import_.tell_deep(
        bean, Fate::differently,
        "section logins of a sheet; Caddis fetches the page first, and sends what else stands in its form, too");
  }

  // Which field is the name and which the password is told by their names.
  static FormFields fields_of(const BeanValue& map) {
    const auto find = [&](std::initializer_list<std::string_view> words, std::optional<size_t> but) {
      for (size_t i = 0; i < map.keys.size(); ++i)
        if (i != but && has_any(map.keys[i], words)) return std::optional(i);
      return std::optional<size_t>();
    };
    const auto password = find({"pass", "pwd", "pw", "secret"}, {});
    const auto user = find({"user", "login", "mail", "name", "account"}, password);
    FormFields fields{
        user ? map.items[*user].text : "-", password ? config::literal(map.items[*password].text) : "-", {}};
    for (size_t i = 0; i < map.items.size(); ++i) {
      const std::string value = i == password ? "{password}"
                                : i == user   ? "{user}"
                                              : config::literal(map.items[i].text);
      fields.items.push_back(fmt::format("{}={}", map.keys[i], value));
    }
    return fields;
  }

  void import_processor(const Bean& bean) {
    const std::string user = bean.text("loginUsername");
    if (user.empty()) return import_.tell_deep(bean, Fate::taken, "it logs in nowhere: the values of sheets do");
    const auto site = site_of_surt(bean.text("applicableSurtPrefix"));
    if (!site) return lacks_site(bean);
    if (add_user(bean, *site, user, config::literal(bean.text("loginPassword"))) == nullptr) return;
    import_.tell_deep(
        bean, Fate::differently,
        "section logins of a sheet; name the page with the form there by logins.form: Caddis logs in before the first "
        "page, and looks for forms nowhere else");
  }

  void lacks_site(const Bean& bean) {
    import_.tell_deep(
        bean, Fate::without,
        "it names no site: write logins.site, logins.user and logins.password into a sheet (docs/logins.md)");
  }

  Site& site_for(const Bean& bean, const std::string& host) {
    const auto known = std::ranges::find(sites_, host, &Site::host);
    if (known != sites_.end()) return *known;
    Site& site = sites_.emplace_back();
    site.host = host;
    site.item = bean.item;
    set(site.target, bean.class_name, "site", {host});
    return site;
  }

  // Null if the site has a login without a realm already, which is told.
  Site* add_user(const Bean& bean, const std::string& host, const std::string& user, const std::string& password) {
    Site& site = site_for(bean, host);
    if (site.has_user) {
      import_.tell_deep(bean, Fate::without,
                        fmt::format("{} has a login already, and there is one for each realm: write further ones into "
                                    "logins.realms of its sheet (docs/logins.md)",
                                    host));
      return nullptr;
    }
    site.has_user = true;
    set(site.target, bean.class_name, "user", {user});
    set(site.target, bean.class_name, "password", {password});
    return &site;
  }

  // One realm alone is written out.
  static void set_realms(Site& site) {
    if (site.realms.size() == 1 && !site.has_user) {
      const logins::Account& only = site.realms.front();
      set(site.target, site.realms_from, "user", {only.user});
      set(site.target, site.realms_from, "password", {config::literal(only.password)});
      return set(site.target, site.realms_from, "realm", {only.realm});
    }
    std::vector<std::string> texts;
    for (const logins::Account& account : site.realms) texts.push_back(config::literal(logins::to_text(account)));
    if (!texts.empty()) set(site.target, site.realms_from, "realms", texts);
  }

  static void set(SheetTarget& target, std::string_view from, std::string_view name,
                  const std::vector<std::string>& texts) {
    if (texts.size() == 1 && texts.front().empty()) return;
    (void)target.set("logins", name, texts, std::string(from));
  }

  Import& import_;
  std::vector<Site> sites_;
  std::vector<ImportedSheet> found_;
};

}  // namespace

std::vector<ImportedSheet> import_logins(Import& import) { return LoginsImport(import).run(); }

}  // namespace caddis::heritrix
