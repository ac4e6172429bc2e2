#include "caddis/url/host.h"

#include "caddis/base/utf8.h"
#include "caddis/url/ip.h"
#include "caddis/url/percent.h"

namespace caddis::url {
namespace {

constexpr ByteSet kForbiddenHost = ByteSet().with(std::string_view("\0\t\n\r #/:<>?@[\\]^|", 17));
constexpr ByteSet kForbiddenDomain = kForbiddenHost.with_range(0, 0x1F).with("%\x7F");

bool has_any(std::string_view text, const ByteSet& set) { return find_byte(text, set) < text.size(); }

bool append_opaque_host(std::string& out, std::string_view text) {
  if (has_any(text, kForbiddenHost)) return false;
  append_escaped(out, text, kC0ControlSet);
  return true;
}

bool append_bracketed(std::string& out, std::string_view text) {
  if (!text.ends_with(']')) return false;
  const auto address = parse_ipv6(text.substr(1, text.size() - 2));
  if (!address) return false;
  out += '[';
  append_ipv6(out, *address);
  out += ']';
  return true;
}

std::string with_valid_utf8(std::string_view text) {
  std::string out;
  while (!text.empty()) append_utf8(out, take_utf8(text));
  return out;
}

}  // namespace

bool append_host(std::string& out, std::string_view text, bool is_special) {
  if (text.starts_with('[')) return append_bracketed(out, text);
  if (!is_special) return append_opaque_host(out, text);
  const size_t start = out.size();
  std::string decoded;
  if (text.find('%') != std::string_view::npos) {
    decoded = percent_decode(text);
    if (!is_utf8(decoded)) decoded = with_valid_utf8(decoded);
    text = decoded;
  }
  bool ok = append_domain_to_ascii(out, text);
  const std::string_view domain = std::string_view(out).substr(start);
  if (ok && has_any(domain, kForbiddenDomain)) ok = false;
  if (ok && ends_in_a_number(domain)) {
    const auto address = parse_ipv4(domain);
    ok = address.has_value();
    out.resize(start);
    if (ok) append_ipv4(out, *address);
  }
  if (!ok) out.resize(start);
  return ok;
}

}  // namespace caddis::url
