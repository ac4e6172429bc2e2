#include "caddis/replay/headers.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/http/fields.h"
#include "caddis/replay/html.h"

namespace caddis::replay {
namespace {

enum class Treatment { keep, rewrite_url, rewrite_list, rewrite_refresh, leave_out, archive };

struct Rule {
  std::string_view name;
  Treatment treatment;
};

// Whatever is not named is archived: cookies, caching, policies, server names and tracking belong to the live site.
constexpr Rule kRules[] = {
    {"content-type", Treatment::keep},           {"content-encoding", Treatment::keep},
    {"content-language", Treatment::keep},       {"content-disposition", Treatment::keep},
    {"x-content-type-options", Treatment::keep}, {"location", Treatment::rewrite_url},
    {"link", Treatment::rewrite_list},           {"refresh", Treatment::rewrite_refresh},
    {"content-length", Treatment::archive},      {"transfer-encoding", Treatment::archive},
    {"connection", Treatment::leave_out},        {"keep-alive", Treatment::leave_out},
};

Treatment treatment_of(std::string_view name) {
  for (const Rule& rule : kRules)
    if (equals_ignore_case(rule.name, name)) return rule.treatment;
  return Treatment::archive;
}

bool can_be_sent(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

}  // namespace

http::ServerHeaders replay_headers(const http::Head& captured, const LinkRewriter* links) {
  http::ServerHeaders headers;
  for (const http::Field field : captured) {
    if (!http::is_token(field.name) || !can_be_sent(field.value)) continue;
    Treatment treatment = treatment_of(field.name);
    if (links == nullptr && treatment != Treatment::keep && treatment != Treatment::leave_out)
      treatment = Treatment::archive;
    switch (treatment) {
      case Treatment::keep:
        headers.emplace_back(field.name, field.value);
        break;
      case Treatment::rewrite_url:
        headers.emplace_back(field.name,
                             links->rewrite(field.value, links->page_modifier()).value_or(std::string(field.value)));
        break;
      case Treatment::rewrite_list:
        headers.emplace_back(field.name, rewrite_link_header(field.value, *links));
        break;
      case Treatment::rewrite_refresh:
        headers.emplace_back(field.name, rewrite_refresh(field.value, *links).value_or(std::string(field.value)));
        break;
      case Treatment::archive:
        headers.emplace_back("X-Archive-Orig-" + std::string(field.name), field.value);
        break;
      case Treatment::leave_out:
        break;
    }
  }
  return headers;
}

std::string rewrite_link_header(std::string_view value, const LinkRewriter& links) {
  std::string out;
  for (const std::string_view item : http::split_list(value)) {
    if (!out.empty()) out += ", ";
    const size_t end = item.find('>');
    if (!item.starts_with('<') || end == std::string_view::npos) {
      out += item;
      continue;
    }
    const std::string_view target = item.substr(1, end - 1);
    const std::string_view rest = item.substr(end);
    const Modifier modifier = contains_ignore_case(rest, "stylesheet") || contains_ignore_case(rest, "as=style")
                                  ? Modifier::style
                              : contains_ignore_case(rest, "script")   ? Modifier::script
                              : contains_ignore_case(rest, "as=image") ? Modifier::image
                                                                       : Modifier::other;
    out += '<';
    out += links.rewrite(target, modifier).value_or(std::string(target));
    out += rest;
  }
  return out;
}

std::string_view content_security_policy() {
  return "default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; object-src 'self' data: blob:; worker-src "
         "'self' blob:; "
         "form-action 'self'; base-uri 'self'; frame-ancestors 'self'";
}

std::string_view own_content_security_policy() {
  return "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; form-action 'self'; base-uri "
         "'none'; "
         "frame-ancestors 'self'";
}

void add_confinement(http::ServerHeaders& headers) {
  set_header(headers, "Content-Security-Policy", std::string(content_security_policy()));
  // The path of an address is needed to lead stray requests back (Referer), by the archive alone.
  set_header(headers, "Referrer-Policy", "same-origin");
  set_header(headers, "X-DNS-Prefetch-Control", "off");
}

void set_header(http::ServerHeaders& headers, std::string_view name, std::string value) {
  for (auto& [known, text] : headers)
    if (equals_ignore_case(known, name)) {
      text = std::move(value);
      return;
    }
  headers.emplace_back(name, std::move(value));
}

std::string_view find_header(const http::ServerHeaders& headers, std::string_view name) {
  for (const auto& [known, text] : headers)
    if (equals_ignore_case(known, name)) return text;
  return {};
}

void remove_header(http::ServerHeaders& headers, std::string_view name) {
  std::erase_if(headers, [&](const auto& header) { return equals_ignore_case(header.first, name); });
}

}  // namespace caddis::replay
