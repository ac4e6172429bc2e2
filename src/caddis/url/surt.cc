#include "caddis/url/surt.h"

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/canonicalize.h"

namespace caddis::url {
namespace {

bool is_dotted_quad(std::string_view host) {
  const std::vector<std::string_view> numbers = split(host, '.');
  return numbers.size() == 4 && std::ranges::all_of(numbers, [](std::string_view number) {
           return !number.empty() && number.size() <= 3 && std::ranges::all_of(number, is_digit);
         });
}

// "(com,example,www," without what closes it. Dotted quads are not reversed and take no comma.
void append_reversed(std::string& out, std::string_view host) {
  out += '(';
  if (is_dotted_quad(host)) {
    out += host;
  } else if (!host.empty()) {
    out += surt_host(host);
    out += ',';
  }
}

std::string_view folded_scheme(std::string_view scheme) { return scheme == "https" ? "http" : scheme; }

// The last path segment is cut, and where there is no path, the closing parenthesis, to cover subdomains.
std::string as_prefix(std::string surt) {
  const size_t authority = surt.find("//");
  if (authority == std::string::npos) return surt;
  const size_t slash = surt.rfind('/');
  if (slash > authority + 1) {
    surt.resize(slash + 1);
  } else if (surt.ends_with(')')) {
    surt.pop_back();
  }
  return surt;
}

bool has_scheme(std::string_view text) {
  const size_t colon = text.find(':');
  return colon != std::string_view::npos && text.substr(colon).starts_with("://") &&
         std::ranges::all_of(text.substr(0, colon),
                             [](char c) { return is_alnum(c) || c == '+' || c == '-' || c == '.'; });
}

}  // namespace

Result<std::string> surt(std::string_view url) { return canonicalize(KeyPolicy::ia_surt(), url); }

std::string surt_host(std::string_view host) {
  std::string out;
  out.reserve(host.size());
  for (size_t end = host.size();;) {
    const size_t dot = end == 0 ? std::string_view::npos : host.rfind('.', end - 1);
    const size_t start = dot == std::string_view::npos ? 0 : dot + 1;
    out.append(host, start, end - start);
    if (start == 0) return out;
    out += ',';
    end = dot;
  }
}

std::string heritrix_surt(const Url& url) {
  const std::string_view plain = url.without_fragment();
  if (!url.has_host() || url.host().empty()) return std::string(plain);
  std::string out(folded_scheme(url.scheme()));
  out.reserve(plain.size() + 8);
  out += "://";
  append_reversed(out, url.hostname());
  if (!url.port().empty()) out.append(":").append(url.port());
  if (url.has_userinfo()) {
    out.append("@").append(url.username());
    if (!url.password().empty()) out.append(":").append(url.password());
  }
  out += ')';
  out += plain.substr(static_cast<size_t>(url.pathname().data() - plain.data()));
  for (char& c : out) c = to_lower(c);
  return out;
}

Result<std::string> surt_prefix_from_text(std::string_view text) {
  text = trim(text);
  const std::string absolute = has_scheme(text) ? std::string(text) : "http://" + std::string(text);
  TRY(const Url url, Url::parse(absolute));
  std::string surt = heritrix_surt(url);
  // The parser gives every host a path; whether the text had one decides on subdomains.
  if (!text.ends_with('/') && surt.ends_with('/')) surt.pop_back();
  return as_prefix(std::move(surt));
}

std::string surt_prefix_of_url(const Url& url) { return as_prefix(heritrix_surt(url)); }

std::string surt_prefix_of_domain(std::string_view host) {
  std::string out = "http://";
  append_reversed(out, host);
  return out;
}

std::string surt_prefix_of_host(std::string_view host) { return surt_prefix_of_domain(host) + ")"; }

void SurtPrefixSet::add(std::string_view prefix) {
  if (prefix.empty() || matches(prefix)) return;
  auto covered = prefixes_.lower_bound(prefix);
  while (covered != prefixes_.end() && covered->starts_with(prefix)) covered = prefixes_.erase(covered);
  prefixes_.emplace(prefix);
}

Result<void> SurtPrefixSet::add_line(std::string_view line) {
  line = trim(line);
  if (line.starts_with('+')) line = trim(line.substr(1));
  if (line.empty() || line.starts_with('#')) return {};
  line = line.substr(0, line.find_first_of(" \t"));
  const size_t parenthesis = line.find('(');
  if (parenthesis != std::string_view::npos && parenthesis > 0) {
    std::string prefix = to_lower(line);
    if (prefix.starts_with("https:")) prefix.erase(4, 1);
    add(prefix);
    return {};
  }
  TRY(const std::string prefix, surt_prefix_from_text(line));
  add(prefix);
  return {};
}

// No member covers another, so the only candidate is the greatest one not above `surt`.
std::string_view SurtPrefixSet::find(std::string_view surt) const {
  auto above = prefixes_.upper_bound(surt);
  if (above == prefixes_.begin()) return {};
  --above;
  return surt.starts_with(*above) ? std::string_view(*above) : std::string_view();
}

}  // namespace caddis::url
