// Steps of `outback`, the keys of OutbackCDX. It reads URLs with Java's parser, lowers their case before it undoes escapes,
// and cuts more session ids than others. Indexes hold the keys that it has written, so its odd turns are followed, too:
// each one below is an answer of its own.
#include <unicode/ucasemap.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/url/host.h"
#include "caddis/url/ip.h"
#include "caddis/url/percent.h"
#include "caddis/url/steps.h"

namespace caddis::url::steps {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr ByteSet kEscaped = ByteSet().with_range(0, 0x20).with("#%").with_range(0x7F, 0xFF);

bool is_id_char(char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); }

bool is_ascii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

size_t count_id_chars(std::string_view text) {
  return static_cast<size_t>(std::ranges::find_if_not(text, is_id_char) - text.begin());
}

// ---- reading

bool has_scheme(std::string_view text) {
  const size_t colon = text.find(':');
  return colon != kNone && colon < text.find('/');
}

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

// The length of "screenshot:" in front of a URL of the web, 0 if nothing stands there.
size_t wrapper_length(std::string_view text) {
  const size_t slashes = text.find('/');
  if (slashes == kNone || !text.substr(slashes).starts_with("//")) return 0;
  for (const std::string_view scheme : {":http:", ":https:"}) {
    if (slashes <= scheme.size()) continue;
    const size_t at = slashes - scheme.size();
    if (equals_ignore_case(text.substr(at, scheme.size()), scheme)) return at + 1;
  }
  return 0;
}

Result<void> read_port(Draft& draft, std::string_view text) {
  if (text.empty()) return {};
  const auto port = parse_int(text);
  if (!port || *port < 0 || *port > INT32_MAX)
    return fail(ErrorCode::parse, "no index key: malformed port \"" + std::string(text) + "\"");
  draft.port = std::to_string(*port);
  return {};
}

Result<void> read_authority(Draft& draft, std::string_view text) {
  const size_t at = text.find('@');
  if (at != kNone && at != text.rfind('@')) return {};  // no host at all
  if (at != kNone) {
    draft.userinfo = text.substr(0, at);
    text.remove_prefix(at + 1);
  }
  const size_t end = text.starts_with('[') ? text.find(']') : kNone;
  if (text.starts_with('[') && end == kNone) return fail(ErrorCode::parse, "no index key: an address without its ']'");
  const size_t colon = text.find(':', end == kNone ? 0 : end);
  draft.host = text.substr(0, colon);
  return colon == kNone ? Result<void>() : read_port(draft, text.substr(colon + 1));
}

// As Java's parser does it: empty segments count, and a ".." that has nothing to pop stays.
std::string with_dots_resolved(std::string_view path) {
  if (path.find("/.") == kNone) return std::string(path);
  std::vector<std::string_view> kept;
  const std::vector<std::string_view> segments = split(path, '/');
  for (size_t i = 0; i < segments.size(); ++i) {
    if (i > 0 && segments[i] == ".") continue;
    const bool pops = segments[i] == ".." && kept.size() > 1 && kept.back() != "..";
    if (pops)
      kept.pop_back();
    else
      kept.push_back(segments[i]);
  }
  std::string out;
  for (size_t i = 0; i < kept.size(); ++i) out.append(i > 0 ? "/" : "").append(kept[i]);
  return out;
}

Result<void> parse_as_java(Draft& draft) {
  std::string text = draft.text;
  if (const size_t length = wrapper_length(text); length > 0) {
    draft.prefix = to_lower(text.substr(0, length));
    if (draft.prefix == "urn:transclusions:") draft.prefix = "youtube-dl:";
    text.erase(0, length);
  }
  std::erase_if(text, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
  if (!has_scheme(text)) text.insert(0, "http://");
  std::string_view rest = without_blanks(text);
  const size_t colon = std::min(rest.find(':'), rest.size());
  draft.scheme = to_lower(rest.substr(0, colon));
  constexpr std::array<std::string_view, 5> kKnown{"http", "https", "ftp", "file", "mailto"};
  draft.final = std::ranges::find(kKnown, draft.scheme) == kKnown.end();
  if (draft.final) return {};
  rest.remove_prefix(colon + 1);
  if (const size_t hash = rest.find('#'); hash != kNone) {
    draft.fragment = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  if (const size_t mark = rest.find('?'); mark != kNone) {
    draft.query = rest.substr(mark + 1);
    rest = rest.substr(0, mark);
  }
  draft.host.emplace();
  if (rest.starts_with("//") && !rest.starts_with("////")) {
    rest.remove_prefix(2);
    const std::string_view authority = rest.substr(0, rest.find('/'));
    rest.remove_prefix(authority.size());
    TRY_VOID(read_authority(draft, authority));
  }
  draft.path = with_dots_resolved(rest);
  return {};
}

// ---- case, hosts, escapes

void lower(std::string& text) {
  if (is_ascii(text)) {
    for (char& c : text) c = to_lower(c);
    return;
  }
  UErrorCode status = U_ZERO_ERROR;
  UCaseMap* const map = ucasemap_open("", 0, &status);
  if (U_FAILURE(status)) return;
  std::string out(text.size() * 3, '\0');
  const int32_t size = ucasemap_utf8ToLower(map, out.data(), static_cast<int32_t>(out.size()), text.data(),
                                            static_cast<int32_t>(text.size()), &status);
  ucasemap_close(map);
  if (U_FAILURE(status)) return;
  out.resize(static_cast<size_t>(size));
  text = std::move(out);
}

Result<void> lower_all(Draft& draft) {
  if (draft.host) lower(*draft.host);
  lower(draft.path);
  if (draft.query) lower(*draft.query);
  return {};
}

void append_lower_escape(std::string& out, char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  out.append("%").append(1, kDigits[value >> 4]).append(1, kDigits[value & 15]);
}

// How many bytes Java refuses at once where no character begins: a character that is cut short, or a surrogate.
size_t malformed_length(std::string_view bytes) {
  const auto at = [bytes](size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U; };
  const unsigned lead = at(0);
  const size_t most = lead >= 0xF0 && lead <= 0xF4 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : 1;
  const unsigned least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  if (most == 1 || at(1) < least || at(1) > (lead == 0xF4 ? 0x8F : 0xBF)) return 1;
  size_t length = 2;
  while (length < most && at(length) >= 0x80 && at(length) <= 0xBF) ++length;
  return length;
}

// The bytes of a run of escapes as text. Those that are not UTF-8 stay escapes, and come before the characters that
// stand in front of them since the last such bytes.
void append_run(std::string& out, std::string_view bytes) {
  std::string sound;
  while (!bytes.empty()) {
    if (const size_t length = utf8_length(bytes); length > 0) {
      sound += bytes.substr(0, length);
      bytes.remove_prefix(length);
      continue;
    }
    const size_t length = malformed_length(bytes);
    for (const char c : bytes.substr(0, length)) append_lower_escape(out, c);
    bytes.remove_prefix(length);
    out += std::exchange(sound, {});
  }
  out += sound;
}

// Undoes escapes once. The character behind a run of them is not looked at, also if it is a '%'.
std::string unescape_once(std::string_view text) {
  std::string out, run;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%') {
      run.clear();
      for (; i + 2 < text.size() && text[i] == '%'; i += 3) {
        const int high = hex_value(text[i + 1]), low = hex_value(text[i + 2]);
        if (high < 0 || low < 0) break;
        run += static_cast<char>(high * 16 + low);
      }
      append_run(out, run);
    }
    if (i < text.size()) out += text[i];
  }
  return out;
}

// Undoes escapes until none is left. Escapes of escapes of more than kMostTimes are cut short before, so that hostile
// ones take linear time.
void settle_escapes(std::string& text) {
  constexpr int kMostTimes = 16;
  if (find_byte(text, kEscaped) == text.size()) return;
  bool changes = text.find('%') != kNone;
  for (int i = 0; i < 2 * kMostTimes && changes; ++i) {
    if (i == kMostTimes) {
      std::string out;
      for (const char c : text) {
        out += c;
        if (out.ends_with("%25")) out.resize(out.size() - 2);
      }
      text = std::move(out);
    }
    std::string once = unescape_once(text);
    changes = once != text;
    text = std::move(once);
  }
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (kEscaped.has(c))
      append_lower_escape(out, c);
    else
      out += c;
  }
  text = std::move(out);
}

Result<void> settle_path_and_query(Draft& draft) {
  settle_escapes(draft.path);
  if (draft.query) settle_escapes(*draft.query);
  return {};
}

// A number of up to twelve digits: octal behind a zero, and hexadecimal, without letters, behind "0x".
std::optional<uint32_t> undotted_address(std::string_view host) {
  const bool is_hex = host.starts_with("0x");
  const std::string_view digits = is_hex ? host.substr(2) : host;
  if (digits.empty() || digits.size() > 12 || !std::ranges::all_of(digits, is_digit)) return std::nullopt;
  const uint64_t base = is_hex ? 16 : digits.size() > 1 && digits[0] == '0' ? 8 : 10;
  uint64_t value = 0;
  for (const char c : digits) {
    const auto digit = static_cast<uint64_t>(c - '0');
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
  }
  return value <= UINT32_MAX ? std::optional(static_cast<uint32_t>(value)) : std::nullopt;
}

// OutbackCDX takes bytes for signed ones: a piece that has one of 128 or more reads as part of the zeros that are left out.
std::string outback_ipv6(const Ipv6& address) {
  std::array<bool, 8> is_left_out{};
  size_t best = 0, best_length = 0;
  for (size_t i = 0, length = 0; i < address.size(); ++i) {
    length = address[i] == 0 ? length + 1 : 0;
    if (length > best_length) {
      best = i + 1 - length;
      best_length = length;
    }
  }
  for (size_t i = 0; i < address.size(); ++i) {
    const bool is_zero = best_length >= 2 && i >= best && i < best + best_length;
    is_left_out[i] = is_zero || (address[i] & 0x8080) != 0;
  }
  std::string out = "[";
  for (size_t i = 0; i < address.size(); ++i) {
    const bool follows_number = i > 0 && !is_left_out[i - 1];
    if (is_left_out[i]) {
      if (i == 0 || follows_number) out += "::";
      continue;
    }
    if (follows_number) out += ':';
    constexpr std::string_view kDigits = "0123456789abcdef";
    bool has_begun = false;
    for (int shift = 12; shift >= 0; shift -= 4) {
      const auto digit = static_cast<size_t>((address[i] >> shift) & 15);
      has_begun = has_begun || digit != 0 || shift == 0;
      if (has_begun) out += kDigits[digit];
    }
  }
  return out + "]";
}

void settle_address(std::string& host) {
  if (const auto address = undotted_address(host)) {
    host.clear();
    append_ipv4(host, *address);
  }
  if (!host.starts_with('[') || !host.ends_with(']')) return;
  const auto address = parse_ipv6(std::string_view(host).substr(1, host.size() - 2));
  if (!address) return;
  constexpr Ipv6 kMapped{0, 0, 0, 0, 0, 0xFFFF};
  if (std::equal(address->begin(), address->begin() + 6, kMapped.begin())) {
    host.clear();
    append_ipv4(host, (static_cast<uint32_t>((*address)[6]) << 16) | (*address)[7]);
    return;
  }
  host = outback_ipv6(*address);
}

Result<void> settle_host(Draft& draft) {
  if (!draft.host) return {};
  std::string host;
  for (size_t i = 0; i < draft.host->size(); ++i) {
    host += (*draft.host)[i];
    if (draft.host->compare(i, 2, "..") == 0) ++i;
  }
  if (host.ends_with('.')) host.pop_back();
  if (!is_ascii(host)) host = idna2003_to_ascii(host, Unassigned::refused).value_or(host);
  settle_escapes(host);
  settle_address(host);
  if (host.ends_with('.')) host.pop_back();
  draft.host = std::move(host);
  return {};
}

// ---- paths, queries, session ids

Result<void> settle_path(Draft& draft) {
  std::vector<std::string_view> kept;
  for (const std::string_view segment : split(draft.path, '/')) {
    if (segment == "..") {
      if (!kept.empty()) kept.pop_back();
    } else if (!segment.empty() && segment != ".") {
      kept.push_back(segment);
    }
  }
  std::string out = kept.empty() ? "/" : "";
  for (const std::string_view segment : kept) out.append("/").append(segment);
  draft.path = std::move(out);
  return {};
}

// A whole field "sessionid=…", with a value of at least so many letters and digits.
bool is_session_field(std::string_view field) {
  const size_t equals = field.find('=');
  if (equals == kNone) return false;
  const std::string_view name = field.substr(0, equals), value = field.substr(equals + 1);
  if (count_id_chars(value) != value.size()) return false;
  if (name == "jsessionid") return value.size() >= 10;
  constexpr std::string_view kAsp = "aspsessionid";
  const bool is_asp = name.starts_with(kAsp) && name.size() == kAsp.size() + 8 &&
                      std::ranges::all_of(name.substr(kAsp.size()), is_alpha);
  return (is_asp || name == "sessionid" || name == "phpsessid" || name == "sid") && value.size() >= 16;
}

Result<void> settle_query(Draft& draft) {
  if (!draft.query) return {};
  std::vector<std::string_view> fields = split(*draft.query, '&');
  std::erase_if(fields, [](std::string_view field) { return field.empty() || is_session_field(field); });
  std::ranges::sort(fields);
  std::string out;
  for (const std::string_view field : fields) out.append(out.empty() ? "" : "&").append(field);
  if (out.empty())
    draft.query.reset();
  else
    draft.query = std::move(out);
  return {};
}

// "/(24)" goes, if a page with the ending aspx stands behind it: the first of them.
void cut_cookieless_id(std::string& path) {
  constexpr size_t kLength = 27;  // "/(" and 24 and ")"
  const std::string_view text = path;
  size_t mark = 0, page = 0;
  for (size_t at = text.find("/("); at != kNone; at = text.find("/(", at + 1)) {
    const size_t slash = at + kLength;
    if (slash >= text.size() || text[slash] != '/' || text[slash - 1] != ')') continue;
    if (count_id_chars(text.substr(at + 2, 24)) != 24) continue;
    if (page < slash + 3) page = text.find("aspx", slash + 3);
    if (page == kNone) return;
    if (mark < slash) mark = std::min(text.find('?', slash), text.size());
    if (mark < page - 1) continue;
    path.erase(at, kLength);
    return;
  }
}

void cut_jsessionid(std::string& path) {
  constexpr std::string_view kName = ";jsessionid=";
  constexpr size_t kLength = kName.size() + 32;
  if (path.size() < kLength) return;
  const std::string_view end = std::string_view(path).substr(path.size() - kLength);
  if (end.starts_with(kName) && count_id_chars(end.substr(kName.size())) == 32) path.resize(path.size() - kLength);
}

// The first "cfid=…&cftoken=…"; the '&' behind it stays.
void cut_cfid(std::string& query) {
  constexpr std::string_view kId = "cfid=", kToken = "&cftoken=";
  for (size_t at = query.find(kId); at != kNone; at = query.find(kId, at + 1)) {
    if (at > 0 && query[at - 1] != '&') continue;
    const size_t token = query.find_first_not_of("0123456789", at + kId.size());
    if (token == kNone || token == at + kId.size() || query.compare(token, kToken.size(), kToken) != 0) continue;
    const size_t value = token + kToken.size();
    size_t end = value;
    while (end < query.size() && (is_id_char(query[end]) || query[end] == '-')) ++end;
    if (end == value) continue;
    const size_t begin = at > 0 ? at - 1 : 0;
    query.erase(begin, end - begin);
    return;
  }
}

Result<void> cut_session_ids(Draft& draft) {
  cut_cookieless_id(draft.path);
  cut_jsessionid(draft.path);
  if (!draft.query) return {};
  cut_cfid(*draft.query);
  if (draft.query->empty()) draft.query.reset();
  return {};
}

// ---- writing

bool is_dotted_address(std::string_view host) {
  const auto labels = split(host, '.');
  return labels.size() == 4 && std::ranges::all_of(labels, [](std::string_view label) {
           return !label.empty() && label.size() <= 3 && std::ranges::all_of(label, is_digit);
         });
}

Result<void> write_key(Draft& draft) {
  const std::string_view host = draft.host ? std::string_view(*draft.host) : std::string_view();
  std::string out = draft.prefix;
  if (is_dotted_address(host)) {
    out += host;
  } else {
    std::vector<std::string_view> labels = split(host, '.');
    while (labels.size() > 1 && labels.back().empty()) labels.pop_back();
    for (size_t i = labels.size(); i-- > 0;) out.append(labels[i]).append(i > 0 ? "," : "");
    out += ')';
  }
  if (!draft.port.empty()) out.append(":").append(draft.port);
  out += draft.path;
  if (draft.query) out.append("?").append(*draft.query);
  draft.text = std::move(out);
  return {};
}

}  // namespace

const Step outback_parse{"outback-parse", parse_as_java};
const Step lowercase_unicode{"lowercase-unicode", lower_all};
const Step outback_host{"outback-host", settle_host};
const Step outback_query{"outback-query", settle_query};
const Step outback_escapes{"outback-escapes", settle_path_and_query};
const Step outback_path{"outback-path", settle_path};
const Step outback_session_ids{"outback-session-ids", cut_session_ids};
const Step write_outback_key{"write-outback-key", write_key};

}  // namespace caddis::url::steps
