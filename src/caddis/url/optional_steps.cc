// Steps on the parts of a URL that few shipped policies have: they are switched on where a collection needs them.
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"
#include "caddis/url/key_tokens.h"
#include "caddis/url/percent.h"
#include "caddis/url/steps.h"

namespace caddis::url::steps {
namespace {

// "www." of a name that has more than one label behind it.
Result<void> drop_www(Draft& draft) {
  if (!draft.host || !draft.host->starts_with("www.") || draft.host->find('.', 4) == std::string::npos) return {};
  draft.host->erase(0, 4);
  return {};
}

Result<void> fold_https(Draft& draft) {
  if (draft.scheme == "https") draft.scheme = "http";
  return {};
}

Result<void> collapse_slashes(Draft& draft) {
  if (!draft.host || draft.path.find("//") == std::string::npos) return {};
  const auto twice = std::ranges::unique(draft.path, [](char a, char b) { return a == '/' && b == '/'; });
  draft.path.erase(twice.begin(), twice.end());
  return {};
}

// Escapes read again and again, and written in one way: upper case, and none that is not needed. What would change the
// meaning of its part stays escaped.
void settle_escapes(std::string& text, const ByteSet& escaped, const ByteSet& kept) {
  if (find_byte(text, escaped) == text.size()) return;
  struct Byte {
    char value;
    bool was_escaped;
  };
  std::vector<Byte> bytes;
  bytes.reserve(text.size());
  for (const char c : text) {
    bytes.push_back({c, false});
    while (bytes.size() >= 3 && bytes[bytes.size() - 3].value == '%') {
      const int high = hex_value(bytes[bytes.size() - 2].value), low = hex_value(bytes.back().value);
      if (high < 0 || low < 0) break;
      bytes.resize(bytes.size() - 3);
      bytes.push_back({static_cast<char>(high * 16 + low), true});
    }
  }
  text.clear();
  for (const Byte& byte : bytes) {
    if (escaped.has(byte.value) || (byte.was_escaped && kept.has(byte.value)))
      append_escaped(text, static_cast<unsigned char>(byte.value));
    else
      text += byte.value;
  }
}

Result<void> settle_all_escapes(Draft& draft) {
  static constexpr ByteSet kEscaped = ByteSet().with_range(0, 0x20).with("#%").with_range(0x7F, 0xFF);
  settle_escapes(draft.path, kEscaped, ByteSet().with("?"));
  if (draft.query) settle_escapes(*draft.query, kEscaped, ByteSet().with("&=+"));
  if (draft.fragment) settle_escapes(*draft.fragment, kEscaped, ByteSet());
  return {};
}

Result<void> blanks_as_plus(Draft& draft) {
  if (draft.path.find("%20") == std::string::npos) return {};
  std::string out;
  for (size_t at = 0; at < draft.path.size(); ++at) {
    const bool is_blank = draft.path.compare(at, 3, "%20") == 0;
    out += is_blank ? '+' : draft.path[at];
    if (is_blank) at += 2;
  }
  draft.path = std::move(out);
  return {};
}

Result<void> write_without_scheme(Draft& draft) {
  if (!draft.host) return write_url.apply(draft);
  std::string out = *draft.host;
  if (!draft.port.empty()) out.append(":").append(draft.port);
  out += draft.path;
  if (draft.query) out.append("?").append(*draft.query);
  draft.text = std::move(out);
  return {};
}

std::string joined(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items) out.append(out.empty() ? "" : " ").append(escape_item(item));
  return out;
}

// A host as URLs have it.
Result<std::string> read_host(std::string_view text, std::string_view item) {
  const auto url = Url::parse("http://" + std::string(text) + "/");
  if (text.empty() || !url || url->pathname() != "/" || url->has_query() || url->has_userinfo() || !url->port().empty())
    return fail(ErrorCode::config, "host-alias: '" + std::string(item) + "' is not written ALIAS=HOST");
  return std::string(url->hostname());
}

// Whether `name` is one of the names, which end in '*' if they stand for all that begin so.
bool is_named(std::string_view name, const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [name](std::string_view wanted) {
    if (!wanted.ends_with('*')) return equals_ignore_case(name, wanted);
    return starts_with_ignore_case(name, wanted.substr(0, wanted.size() - 1));
  });
}

void drop_named(std::optional<std::string>& query, const std::vector<std::string>& names) {
  std::string out;
  bool has_dropped = false, has_any = false;
  for (const std::string_view parameter : split(*query, '&')) {
    if (is_named(parameter.substr(0, parameter.find('=')), names)) {
      has_dropped = true;
      continue;
    }
    if (std::exchange(has_any, true)) out += '&';
    out += parameter;
  }
  if (!has_dropped) return;
  if (has_any)
    query = std::move(out);
  else
    query.reset();
}

}  // namespace

Result<MadeStep> make_host_alias(std::string_view arguments) {
  std::map<std::string, std::string, std::less<>> aliases;
  const std::vector<std::string> items = list_items(arguments);
  if (items.empty()) return fail(ErrorCode::config, "host-alias: it is written host-alias(ALIAS=HOST ALIAS=HOST…)");
  for (const std::string& item : items) {
    const size_t equals = std::min(item.find('='), item.size());
    TRY(std::string alias, read_host(item.substr(0, equals), item));
    TRY(aliases[std::move(alias)], read_host(item.substr(std::min(equals + 1, item.size())), item));
  }
  return MadeStep{joined(items), [aliases = std::move(aliases)](Draft& draft) -> Result<void> {
                    if (!draft.host) return {};
                    if (const auto found = aliases.find(*draft.host); found != aliases.end())
                      draft.host = found->second;
                    return {};
                  }};
}

Result<MadeStep> make_index_document(std::string_view arguments) {
  static const std::vector<std::string> kUsual = {
      "index.html", "index.htm",    "index.xhtml", "index.shtml", "index.php",    "index.asp",  "index.aspx",
      "index.jsp",  "default.html", "default.htm", "default.asp", "default.aspx", "default.php"};
  const std::vector<std::string> named = list_items(arguments);
  return MadeStep{joined(named), [names = named.empty() ? kUsual : named](Draft& draft) -> Result<void> {
                    const size_t begin = draft.path.rfind('/') + 1;
                    if (draft.host && begin > 0 && is_named(std::string_view(draft.path).substr(begin), names))
                      draft.path.resize(begin);
                    return {};
                  }};
}

Result<MadeStep> make_strip_parameters(std::string_view arguments) {
  std::vector<std::string> names = list_items(arguments);
  if (names.empty()) return fail(ErrorCode::config, "strip-parameters: it is written strip-parameters(NAME PREFIX*…)");
  std::string written = joined(names);
  return MadeStep{std::move(written), [names = std::move(names)](Draft& draft) -> Result<void> {
                    if (draft.query) drop_named(draft.query, names);
                    return {};
                  }};
}

const Step strip_www{"strip-www", drop_www};
const Step https_as_http{"https-as-http", fold_https};
const Step strip_extra_slashes{"strip-extra-slashes", collapse_slashes};
const Step normalize_escapes{"normalize-escapes", settle_all_escapes};
const Step blank_to_plus{"blank-to-plus", blanks_as_plus};
const Step write_host_path{"write-host-path", write_without_scheme};

}  // namespace caddis::url::steps
