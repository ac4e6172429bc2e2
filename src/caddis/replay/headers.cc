#include "caddis/replay/headers.h"

#include <algorithm>
#include <optional>

#include "caddis/base/strings.h"
#include "caddis/http/fields.h"
#include "caddis/replay/html.h"

namespace caddis::replay {
namespace {

enum class Treatment { keep, copy, rewrite_url, rewrite_list, rewrite_refresh, leave_out, archive };

struct Rule {
  std::string_view name;
  Treatment treatment;
};

// A field that is copied or rewritten stands in the answer as captured, too: scripts of the page are told that
// (requests.js).
// Whatever is not named is archived: cookies, caching, policies, server names and tracking belong to the live site.
constexpr Rule kRules[] = {
    {"content-type", Treatment::keep},           {"content-encoding", Treatment::copy},
    {"content-language", Treatment::keep},       {"content-disposition", Treatment::keep},
    {"x-content-type-options", Treatment::copy}, {"location", Treatment::rewrite_url},
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

void add_archived(http::ServerHeaders& headers, const http::Field& field) {
  headers.emplace_back("X-Archive-Orig-" + std::string(field.name), field.value);
}

void add_rewritten(http::ServerHeaders& headers, const http::Field& field, std::optional<std::string> value) {
  if (value && !value->empty()) headers.emplace_back(field.name, *std::move(value));
  add_archived(headers, field);
}

// Browsers fetch the certificate of a signed exchange from its site, and go there if it does not hold, past all
// policies.
bool is_signed_exchange(const http::Field& field) {
  return equals_ignore_case(field.name, "content-type") && contains_ignore_case(field.value, "signed-exchange");
}

bool only_connects(std::string_view parameters) {
  return contains_ignore_case(parameters, "preconnect") || contains_ignore_case(parameters, "dns-prefetch");
}

}  // namespace

http::ServerHeaders replay_headers(const http::Head& captured, const LinkRewriter* links) {
  http::ServerHeaders headers;
  for (const http::Field field : captured) {
    if (!http::is_token(field.name) || !can_be_sent(field.value)) continue;
    Treatment treatment = treatment_of(field.name);
    const bool is_kept = treatment == Treatment::keep || treatment == Treatment::copy;
    if (links == nullptr && !is_kept && treatment != Treatment::leave_out) treatment = Treatment::archive;
    switch (treatment) {
      case Treatment::keep:
        if (is_signed_exchange(field)) {
          headers.emplace_back(field.name, "application/octet-stream");
          add_archived(headers, field);
        } else {
          headers.emplace_back(field.name, field.value);
        }
        break;
      case Treatment::copy:
        headers.emplace_back(field.name, field.value);
        add_archived(headers, field);
        break;
      case Treatment::rewrite_url:
        add_rewritten(headers, field, links->rewrite(field.value, links->page_modifier()));
        break;
      case Treatment::rewrite_list:
        add_rewritten(headers, field, rewrite_link_header(field.value, *links));
        break;
      case Treatment::rewrite_refresh:
        add_rewritten(headers, field, rewrite_refresh(field.value, *links));
        break;
      case Treatment::archive:
        add_archived(headers, field);
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
    const size_t end = item.find('>');
    if (!item.starts_with('<') || end == std::string_view::npos) continue;
    const std::string_view rest = item.substr(end);
    if (only_connects(rest)) continue;
    const Modifier modifier = contains_ignore_case(rest, "stylesheet") || contains_ignore_case(rest, "as=style")
                                  ? Modifier::style
                              : contains_ignore_case(rest, "script")   ? Modifier::script
                              : contains_ignore_case(rest, "as=image") ? Modifier::image
                                                                       : Modifier::other;
    const auto target = links.rewrite(item.substr(1, end - 1), modifier);
    if (!target) continue;
    if (!out.empty()) out += ", ";
    out += '<';
    out += *target;
    out += rest;
  }
  return out;
}

std::string capture_policy(const Confinement& confinement) {
  using enum Confinement::Scripts;
  const std::string& sources = confinement.sources;
  std::string policy = "default-src " + sources + " data: blob: 'unsafe-inline' 'unsafe-eval'; object-src " + sources +
                       " data: blob:; worker-src " + sources + " blob:; form-action " + sources + "; base-uri " +
                       sources + "; ";
  if (!confinement.ancestors.empty()) policy += "frame-ancestors " + confinement.ancestors + "; ";
  policy += "sandbox";
  if (confinement.scripts == none) return policy;
  return policy + ' ' + std::string(confinement.scripts == with_origin ? kSandboxWithOrigin : kSandbox);
}

std::string_view own_content_security_policy() {
  // No scripts: captured ones have this host, too.
  return "default-src 'none'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; form-action 'self'; base-uri "
         "'none'; frame-ancestors 'none'";
}

void add_confinement(http::ServerHeaders& headers, const Confinement& confinement) {
  set_header(headers, "Content-Security-Policy", capture_policy(confinement));
  // The path of an address is needed to lead stray requests back (Referer), by the archive alone.
  set_header(headers, "Referrer-Policy", "same-origin");
  // Covers what a content security policy does not: connections opened in advance, look-ups, calls. Redirects are ours.
  set_header(headers, "Connection-Allowlist", "(response-origin);redirects=allow;webrtc=block");
  set_header(headers, "X-DNS-Prefetch-Control", "off");
}

http::ServerResponse confined_text(int status, std::string_view sentence) {
  http::ServerResponse response = http::text_response(status, sentence);
  add_confinement(response.headers, Confinement());
  return response;
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
