#include "caddis/url/url.h"

#include <algorithm>

#include "caddis/base/utf8.h"
#include "caddis/url/url_parser.h"

namespace caddis::url {
namespace {

constexpr bool is_c0_or_space(char c) { return static_cast<unsigned char>(c) <= 0x20; }
constexpr bool is_tab_or_newline(char c) { return c == '\t' || c == '\n' || c == '\r'; }

std::string_view without_outer_spaces(std::string_view text) {
  while (!text.empty() && is_c0_or_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_c0_or_space(text.back())) text.remove_suffix(1);
  return text;
}

bool is_clean(std::string_view text) {
  return std::ranges::none_of(text,
                              [](char c) { return is_tab_or_newline(c) || static_cast<unsigned char>(c) >= 0x80; });
}

// Without tabs and newlines, and as UTF-8.
std::string cleaned(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (is_tab_or_newline(text.front()))
      text.remove_prefix(1);
    else
      append_utf8(out, take_utf8(text));
  }
  return out;
}

}  // namespace

Result<Url> Url::parse(std::string_view input, const Url* base) { return parse(input, base, nullptr); }

Result<Url> Url::parse(std::string_view input, const Url* base, const QueryEncoder* encoder) {
  if (input.size() <= kMaxLength) {
    if (auto url = UrlParser::parse_normal(input)) return std::move(*url);
    if (base != nullptr && encoder == nullptr)
      if (auto url = UrlParser::resolve_normal(input, *base)) return std::move(*url);
  }
  if (input.size() > kMaxLength) return fail(ErrorCode::limit, "invalid URL: longer than 2 MiB");
  input = without_outer_spaces(input);
  if (is_clean(input)) return UrlParser(input, base, encoder).parse();
  return UrlParser(cleaned(input), base, encoder).parse();
}

std::string_view Url::username() const {
  return has_userinfo() ? slice(protocol_end_ + 2, username_end_) : std::string_view();
}

std::string_view Url::password() const {
  return username_end_ < host_start_ ? slice(username_end_ + 1, host_start_) : std::string_view();
}

std::string_view Url::hostname() const { return slice(has_userinfo() ? host_start_ + 1 : host_start_, host_end_); }

std::string_view Url::host() const {
  const std::string_view name = hostname();
  return port_ < 0 ? name : std::string_view(name.data(), name.size() + 1 + port().size());
}

std::string_view Url::port() const {
  // With a port there is a host, and then no "/." stands before the path.
  return port_ < 0 ? std::string_view() : slice(host_end_ + 1, pathname_start_);
}

std::string_view Url::search() const {
  const std::string_view text = slice(search_start_, hash_start_);
  return text.size() > 1 ? text : std::string_view();
}

std::string_view Url::hash() const {
  const std::string_view text = std::string_view(href_).substr(hash_start_);
  return text.size() > 1 ? text : std::string_view();
}

std::optional<uint16_t> Url::port_number() const {
  if (port_ < 0) return std::nullopt;
  return static_cast<uint16_t>(port_);
}

uint16_t Url::effective_port() const { return port_number().value_or(default_port(scheme()).value_or(0)); }

std::optional<uint16_t> default_port(std::string_view scheme) {
  if (scheme == "http" || scheme == "ws") return 80;
  if (scheme == "https" || scheme == "wss") return 443;
  if (scheme == "ftp") return 21;
  return std::nullopt;
}

}  // namespace caddis::url
