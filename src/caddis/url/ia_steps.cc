// Steps of the index key, `ia-surt`: what CDX files have been sorted by since Alexa's days. The forms of a URL that a
// browser would refuse, or read otherwise, count here: keys must equal those that Python's `surt` has written for
// twenty years, and each odd turn below is one of its observed answers.
#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/url/host.h"
#include "caddis/url/ip.h"
#include "caddis/url/percent.h"
#include "caddis/url/session_ids.h"
#include "caddis/url/steps.h"
#include "caddis/url/surt.h"

namespace caddis::url::steps {
namespace {

constexpr ByteSet kEscapedInKey = ByteSet().with_range(0, 0x20).with("#%").with_range(0x7F, 0xFF);

bool has_scheme(std::string_view text) {
  if (text.empty() || !is_alpha(text[0])) return false;
  const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
  return end != std::string_view::npos && text[end] == ':';
}

// "http://http://x" is "http://x", "https:////x" is "https://x".
std::string_view without_doubled_scheme(std::string_view text) {
  for (;;) {
    const size_t colon = text.starts_with("http:") ? 4 : text.starts_with("https:") ? 5 : 0;
    if (colon == 0 || text.substr(colon, 3) != "://") return text;
    const std::string_view rest = text.substr(colon + 3);
    if (!rest.starts_with("http://") && !rest.starts_with("https://")) return text;
    text = rest;
  }
}

Result<void> read_port(Draft& draft, std::string_view text) {
  uint32_t port = 0;
  for (const char c : text) {
    if (!is_digit(c)) return fail(ErrorCode::parse, "no index key: malformed port \"" + std::string(text) + "\"");
    port = std::min<uint32_t>(port * 10 + static_cast<uint32_t>(c - '0'), 65536);
  }
  if (port > 65535) return fail(ErrorCode::parse, "no index key: port above 65535");
  if (port > 0) draft.port = std::to_string(port);
  return {};
}

Result<void> read_authority(Draft& draft, std::string_view text) {
  while (text.ends_with(':')) text.remove_suffix(1);
  const size_t at = text.rfind('@');
  if (at != std::string_view::npos) {
    draft.userinfo = text.substr(0, at);
    text.remove_prefix(at + 1);
  }
  std::string_view host = text, port;
  if (const size_t open = text.find('['); open != std::string_view::npos) {
    host = text.substr(open + 1);
    const size_t close = std::min(host.find(']'), host.size());
    const std::string_view behind = host.substr(std::min(close + 1, host.size()));
    host = host.substr(0, close);
    if (const size_t colon = behind.find(':'); colon != std::string_view::npos) port = behind.substr(colon + 1);
  } else if (const size_t colon = text.find(':'); colon != std::string_view::npos) {
    host = text.substr(0, colon);
    port = text.substr(colon + 1);
  }
  if (!host.empty()) draft.host = to_lower(host);
  return read_port(draft, port);
}

Result<void> parse_leniently(Draft& draft) {
  draft.final = draft.text.empty() || draft.text.starts_with("filedesc");
  if (draft.text.empty()) draft.text = "-";
  if (draft.final) return {};
  std::string text(trim(draft.text));
  std::erase_if(text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  if (text.empty()) return fail(ErrorCode::parse, "no index key: nothing but white space");
  if (!has_scheme(text)) text.insert(0, "http://");
  std::string_view rest = without_doubled_scheme(text);
  const size_t colon = rest.find(':');
  draft.scheme = rest.substr(0, colon);
  rest.remove_prefix(colon + 1);
  if (const size_t hash = rest.find('#'); hash != std::string_view::npos) {
    draft.fragment = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  if (const size_t mark = rest.find('?'); mark != std::string_view::npos) {
    draft.query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  std::string_view authority;
  if (rest.starts_with("//")) {
    rest.remove_prefix(2);
    authority = rest.substr(0, rest.find('/'));
    rest.remove_prefix(authority.size());
  }
  TRY_VOID(read_authority(draft, authority));
  if (!draft.host && !rest.empty() && draft.scheme.starts_with("http")) {
    // No "//", too many slashes, or only a user before the path: the first segment is the host, as it stands.
    rest.remove_prefix(std::min(rest.find_first_not_of('/'), rest.size()));
    const std::string_view host = rest.substr(0, rest.find('/'));
    rest.remove_prefix(host.size());
    draft.host = host;
    if (rest.empty()) rest = "/";
  }
  draft.path = rest;
  return {};
}

void lower(std::string& text) {
  for (char& c : text) c = to_lower(c);
}

// Decodes "%XX" until none is left, also those that decoding has made ("%2541"), in one pass: what is written is looked
// at again.
void unescape_repeatedly(std::string& text) {
  if (text.find('%') == std::string::npos) return;
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    out += c;
    while (out.size() >= 3 && out[out.size() - 3] == '%') {
      const int high = hex_value(out[out.size() - 2]);
      const int low = hex_value(out.back());
      if (high < 0 || low < 0) break;
      out.resize(out.size() - 3);
      out += static_cast<char>(high * 16 + low);
    }
  }
  text = std::move(out);
}

Result<void> unescape_all(Draft& draft) {
  if (draft.host) unescape_repeatedly(*draft.host);
  unescape_repeatedly(draft.path);
  if (draft.query) unescape_repeatedly(*draft.query);
  return {};
}

// Dots at the ends are cut, two dots become one: of three, two are left.
std::string with_fewer_dots(std::string_view host) {
  while (host.starts_with('.')) host.remove_prefix(1);
  while (host.ends_with('.')) host.remove_suffix(1);
  std::string out;
  for (size_t i = 0; i < host.size(); ++i) {
    out += host[i];
    if (host[i] == '.' && i + 1 < host.size() && host[i + 1] == '.') ++i;
  }
  return out;
}

// Any number of digits is the low 32 bits of that number; else one to four numbers, octal ones with a leading zero, and
// all octal where the first is.
std::optional<uint32_t> read_ip(std::string_view host) {
  if (host.empty() || !is_digit(host[0]) || host.find_first_not_of("0123456789.") != std::string_view::npos)
    return std::nullopt;
  if (host.find('.') != std::string_view::npos) {
    const bool mixed = host[0] == '0' && host.find_first_of("89") != std::string_view::npos;
    return mixed ? std::nullopt : parse_ipv4(host);
  }
  uint32_t low = 0;
  for (const char c : host) low = low * 10 + static_cast<uint32_t>(c - '0');
  return low;
}

Result<void> settle_host(Draft& draft) {
  if (!draft.host) return {};
  const bool ascii = std::ranges::none_of(*draft.host, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (!ascii) draft.host = idna2003_to_ascii(*draft.host).value_or(*draft.host);
  if (draft.host->find("..") != std::string::npos || draft.host->starts_with('.') || draft.host->ends_with('.')) {
    draft.host = with_fewer_dots(*draft.host);
  }
  if (const auto address = read_ip(*draft.host)) {
    draft.host->clear();
    append_ipv4(*draft.host, *address);
  }
  lower(*draft.host);
  if (draft.host->empty()) draft.host.reset();
  return {};
}

// Dots resolved and slashes collapsed; a ".." that has nothing to pop stays. Only where there is a host.
Result<void> settle_path(Draft& draft) {
  if (!draft.host) return {};
  if (draft.path.starts_with('/') && draft.path.find("//") == std::string::npos &&
      draft.path.find("/.") == std::string::npos) {
    return {};
  }
  std::vector<std::string_view> kept;
  const std::vector<std::string_view> segments = split(draft.path, '/');
  for (size_t i = 1; i < segments.size(); ++i) {
    if (segments[i] == ".") continue;
    if (segments[i] == ".." && !kept.empty())
      kept.pop_back();
    else
      kept.push_back(segments[i]);
  }
  std::string out = "/";
  for (size_t i = 0; i < kept.size(); ++i) {
    out += kept[i];
    if (i + 1 < kept.size() && !kept[i].empty()) out += '/';
  }
  draft.path = std::move(out);
  return {};
}

void escape_text(std::string& text) {
  if (find_byte(text, kEscapedInKey) == text.size()) return;
  std::string out;
  append_escaped(out, text, kEscapedInKey);
  text = std::move(out);
}

Result<void> escape_all(Draft& draft) {
  if (draft.host) escape_text(*draft.host);
  escape_text(draft.path);
  if (draft.query) escape_text(*draft.query);
  return {};
}

Result<void> drop_default_port(Draft& draft) {
  const std::string scheme = to_lower(draft.scheme);
  if ((scheme == "http" && draft.port == "80") || (scheme == "https" && draft.port == "443")) draft.port.clear();
  return {};
}

Result<void> drop_host_wwwn(Draft& draft) {
  if (!draft.host || !draft.host->starts_with("www") || draft.scheme == "dns") return {};
  const size_t dot = std::min(draft.host->find_first_not_of("0123456789", 3), draft.host->size());
  if (dot < draft.host->size() && (*draft.host)[dot] == '.') draft.host->erase(0, dot + 1);
  return {};
}

Result<void> to_lowercase(Draft& draft) {
  if (draft.host) lower(*draft.host);
  lower(draft.path);
  if (draft.query) lower(*draft.query);
  return {};
}

Result<void> cut_path_session_ids(Draft& draft) {
  cut_aspx_segments(draft.path);
  return {};
}

Result<void> cut_trailing_slash(Draft& draft) {
  if (draft.path.size() > 1 && draft.path.ends_with('/')) draft.path.pop_back();
  return {};
}

Result<void> cut_query_session_ids(Draft& draft) {
  if (!draft.query || !may_hold_session_id(*draft.query)) return {};
  std::string& query = *draft.query;
  cut_value32(query, {"jsessionid"}, 0);
  cut_value32(query, {"phpsessid"}, 0);
  cut_value32(query, {"sid"}, 0);
  cut_aspsessionid(query, 0);
  cut_cfid(query, 0);
  return {};
}

// By name, then by value; a name without "=" stands before the same with one.
Result<void> order_query(Draft& draft) {
  if (!draft.query) return {};
  if (draft.query->empty()) {
    draft.query.reset();
    return {};
  }
  if (draft.query->find('&') == std::string::npos) return {};
  std::vector<std::string_view> parameters = split(*draft.query, '&');
  const auto name = [](std::string_view parameter) { return parameter.substr(0, parameter.find('=')); };
  std::ranges::sort(parameters, [&](std::string_view a, std::string_view b) {
    const int order = name(a).compare(name(b));
    return order != 0 ? order < 0 : a < b;
  });
  std::string out;
  for (const std::string_view parameter : parameters) {
    if (!out.empty() || parameter.data() != parameters.front().data()) out += '&';
    out += parameter;
  }
  draft.query = std::move(out);
  return {};
}

Result<void> write_key(Draft& draft) {
  std::string out;
  if (draft.host) {
    out = surt_host(*draft.host);
    if (!draft.port.empty()) out.append(":").append(draft.port);
    out += ')';
  } else {
    out = draft.scheme + ":";
  }
  if (draft.path.empty() && draft.query) out += '/';
  out += draft.path;
  if (draft.query) out.append("?").append(*draft.query);
  draft.text = std::move(out);
  return {};
}

}  // namespace

const Step lenient_parse{"lenient-parse", parse_leniently};
const Step unescape{"unescape-repeatedly", unescape_all};
const Step normalize_host{"normalize-host-idna2003", settle_host};
const Step normalize_path{"normalize-path", settle_path};
const Step escape{"escape", escape_all};
const Step strip_default_port{"strip-default-port", drop_default_port};
const Step strip_www_n{"strip-www-n", drop_host_wwwn};
const Step lowercase_parts{"lowercase-parts", to_lowercase};
const Step strip_path_session_ids{"strip-path-session-ids", cut_path_session_ids};
const Step strip_trailing_slash{"strip-trailing-slash", cut_trailing_slash};
const Step strip_query_session_ids{"strip-query-session-ids", cut_query_session_ids};
const Step sort_query{"sort-query", order_query};
const Step write_surt_key{"write-surt-key", write_key};

}  // namespace caddis::url::steps
