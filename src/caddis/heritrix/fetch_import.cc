// How pages are asked for.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/heritrix/decide_rules.h"
#include "caddis/heritrix/expressions.h"
#include "caddis/heritrix/handlers.h"

namespace caddis::heritrix {
namespace {

// A ConfigFile or ConfigPath, or the path alone.
std::string path_of(Import& import, const BeanProperty& property) {
  if (const Bean* const file = import.tree().follow(property.value)) {
    import.tell_deep(*file, Fate::taken, "its path");
    return std::string(trim(file->text("path")));
  }
  return std::string(trim(property.value.text));
}

}  // namespace

// Each is a header line; Accept has a setting of its own.
void import_accept_headers(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  std::vector<std::string> lines;
  if (const BeanValue* const list = import.tree().list(property.value)) {
    for (const BeanValue& item : list->items) lines.emplace_back(trim(item.text));
  } else if (!trim(property.value.text).empty()) {
    lines.emplace_back(trim(property.value.text));
  }
  std::string accept;
  std::vector<std::string> others;
  for (std::string& line : lines) {
    if (starts_with_ignore_case(line, "accept:"))
      accept = trim(std::string_view(line).substr(7));
    else
      others.push_back(std::move(line));
  }
  if (!others.empty()) import.set(property, "fetch", "headers", others);
  // An empty list sends no Accept at all.
  if (!accept.empty() || lines.empty()) import.set(property, "fetch", "accept", {accept});
}

void import_accept_compression(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "fetch", "accept-encoding", {is_true(property.value.text) ? "gzip, deflate" : ""});
}

void import_http_version(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "fetch", "http-version", {is_true(property.value.text) ? "1.1" : "1.0"});
}

void import_connection_close(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "fetch", "keep-alive", {is_true(property.value.text) ? "false" : "true"});
}

void import_trust(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string level = to_lower(trim(property.value.text));
  const bool is_exact = level != "loose";
  import.set(property, "fetch", "trust", {is_exact ? level : "open"}, is_exact ? Fate::taken : Fate::differently,
             is_exact ? "" : "Caddis has the levels open, normal and strict");
}

namespace {

std::string proxy_url(std::string_view scheme, const std::string& host, const std::string& port,
                      const std::string& user, const std::string& password) {
  // Any byte may be in a password; a reference to the environment ("${") is none when it is encoded.
  const std::string login = user.empty() ? "" : fmt::format("{}:{}@", percent_encoded(user), percent_encoded(password));
  return fmt::format("{}://{}{}:{}", scheme, login, host, port);
}

}  // namespace

// Host, port, user and password are properties of their own; the host's sets all.
void import_proxy(Import& import, const Bean& bean, const BeanProperty& property) {
  const std::string host = bean.text("httpProxyHost");
  if (host.empty()) return import.tell(property, Fate::taken, "no proxy");
  if (!bean.text("socksProxyHost").empty())
    return import.tell(property, Fate::differently, "the SOCKS proxy outranks it");
  import.set(property, "fetch", "proxy",
             {proxy_url("http", host, bean.text("httpProxyPort", "8000"), bean.text("httpProxyUser"),
                        bean.text("httpProxyPassword"))});
}

void import_socks_proxy(Import& import, const Bean& bean, const BeanProperty& property) {
  const std::string host = bean.text("socksProxyHost");
  if (host.empty()) return import.tell(property, Fate::taken, "no proxy");
  import.set(property, "fetch", "proxy",
             {proxy_url("socks5", host, bean.text("socksProxyPort", "1080"), bean.text("socksProxyUsername"),
                        bean.text("socksProxyPassword"))});
}

// FetchHTTP2 speaks HTTP/2 unless it is told not to.
void import_http2(Import& import, const Bean& bean) {
  if (!is_true(bean.text("enabled", "true"))) return;
  import.set(bean.item, "fetch", "http-version", {is_true(bean.text("useHTTP2", "true")) ? "2" : "1.1"});
}

void import_use_http2(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.tell(property, Fate::taken, "fetch.http-version");
}

void import_cookies_ignored(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.set(property, "cookies", "enabled", {is_true(property.value.text) ? "false" : "true"});
}

// The file is copied: it lies where the configuration lay.
void import_cookie_file(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string path = path_of(import, property);
  if (path.empty()) return import.tell(property, Fate::taken, "no file of cookies");
  const auto text =
      is_open(path) ? Result<std::string>(fail(ErrorCode::config, std::string(kTemplateMark))) : import.read(path);
  if (!text)
    return import.tell(property, Fate::without,
                       fmt::format("{}: give the whole path of the file in cookies.load", text.error().message));
  import.set(property, "cookies", "load", {import.add_file("cookies.txt", *text)}, Fate::taken,
             "a copy beside crawl.yaml: it may let somebody in");
}

void import_cookie_save_file(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string path = path_of(import, property);
  if (path.empty()) return import.tell(property, Fate::taken, "no file of cookies");
  if (!path.starts_with('/') || is_open(path))
    return import.tell(property, Fate::without, "give the whole path of the file in cookies.save");
  import.set(property, "cookies", "save", {path});
}

void import_body_rule(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  if (accepts_all(import.tree(), property.value) || import.tree().follow(property.value) == nullptr)
    return import.tell_deep(property, Fate::taken, "every body is received");
  const Bean& bean = *import.tree().follow(property.value);
  const std::vector<RuleLine> lines = bean.kind().ends_with("DecideRuleSequence")
                                          ? sequence_lines(import, bean, RuleUse::guard)
                                          : rule_lines(import, bean, RuleUse::guard);
  std::vector<std::string> guards;
  bool is_plain = true;
  for (const RuleLine& line : lines) {
    if (!line.rejects) {
      is_plain = is_plain && guards.empty() && line.terms == std::vector<std::string>{"all"};
      continue;
    }
    is_plain = is_plain && line.terms.size() == 1;
    const std::string& term = line.terms.front();
    guards.push_back("body: " + (term.starts_with("not ") ? term.substr(4) : "not " + term));
  }
  if (!is_plain)
    return import.tell_deep(property, Fate::without,
                            "more than rules that reject: write a guard of the body (pipeline.guard)");
  if (guards.empty())
    return import.tell_deep(property, Fate::without,
                            "no rule of it can be taken over: write a guard of the body (pipeline.guard)");
  import.set(property, "pipeline", "guard", guards);
  import.tell_deep(bean, Fate::taken, "in pipeline.guard");
}

void import_geo_database(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  const std::string path(trim(property.value.text));
  const bool is_calculated = !import.report().item(property.item).noted.empty();
  if (!path.starts_with('/') || is_open(path) || is_calculated)
    return import.tell(property, Fate::without, "give the whole path of the file in pipeline.countries");
  import.set(property, "pipeline", "countries", {path});
}

}  // namespace caddis::heritrix
