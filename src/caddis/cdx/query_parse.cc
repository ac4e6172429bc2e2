#include <re2/re2.h>

#include <algorithm>

#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/url_captures.h"

namespace caddis::cdx {
namespace {

constexpr uint64_t kMaxLimit = 1'000'000'000;  // so that page * pageSize stays a number
constexpr size_t kMaxFilters = 50;

std::string form_decode(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool is_true(std::string_view value) { return !(value.empty() || value == "0" || equals_ignore_case(value, "false")); }

Result<uint64_t> number(std::string_view name, std::string_view value) {
  const auto parsed = parse_int(value);
  if (!parsed || *parsed < 0)
    return fail(ErrorCode::parse, std::string(name) + "=" + std::string(value) + ": a number of 0 or more is wanted");
  return static_cast<uint64_t>(*parsed);
}

Result<std::string> timestamp(std::string_view name, std::string_view value) {
  if (value.size() > 17 || !std::ranges::all_of(value, is_digit))
    return fail(ErrorCode::parse,
                std::string(name) + "=" + std::string(value) + ": 1 to 17 digits are wanted, as in 20260131");
  return std::string(value);
}

Result<MatchType> match_type(std::string_view value) {
  if (value.empty() || value == "exact") return MatchType::exact;
  if (value == "prefix") return MatchType::prefix;
  if (value == "host") return MatchType::host;
  if (value == "domain") return MatchType::domain;
  return fail(ErrorCode::parse, "matchType=" + std::string(value) + ": exact, prefix, host and domain are known");
}

Result<Output> output_type(std::string_view value) {
  if (value.empty() || value == "cdxj") return Output::cdxj;
  if (value == "json") return Output::json;
  if (value == "text" || value == "cdx") return Output::text;
  if (value == "link") return Output::link;
  return fail(ErrorCode::parse, "output=" + std::string(value) + ": cdxj, json, text and link are known");
}

Result<Collapse> collapse(std::string_view value) {
  Collapse result;
  const size_t colon = value.rfind(':');
  result.field = value.substr(0, colon);
  if (colon != std::string_view::npos) {
    TRY(const uint64_t length, number("collapse", value.substr(colon + 1)));
    result.length = length;
  }
  return result;
}

Result<void> set_sort(Query& query, std::string_view value) {
  if (value == "reverse")
    query.reverse = true;
  else if (value != "closest" && value != "default" && value != "regular" && !value.empty())
    return fail(ErrorCode::parse, "sort=" + std::string(value) + ": default, reverse and closest are known");
  return {};
}

struct Page {
  uint64_t number = 0, size = 0;
};

Result<void> set_paging(Page& page, std::string_view name, std::string_view value) {
  TRY((name == "page" ? page.number : page.size), number(name, value));
  return {};
}

Result<void> set_list(Query& query, std::string_view name, std::string_view value) {
  if (name == "filter") {
    if (query.filters.size() >= kMaxFilters) return fail(ErrorCode::limit, "more than 50 filters");
    TRY(Filter filter, Filter::parse(value));
    query.filters.push_back(std::move(filter));
  } else if (name == "collapse") {
    TRY(Collapse by, collapse(value));
    query.collapse.push_back(std::move(by));
  } else if (name == "collapseTime") {
    TRY(const uint64_t length, number(name, value));
    query.collapse.push_back({"timestamp", length});
    query.collapse.push_back({"status", SIZE_MAX});  // as pywb does: a revisit is no repetition of a 200
  } else {
    for (const std::string_view field_name : split(value, ','))
      if (!trim(field_name).empty()) query.fields.emplace_back(trim(field_name));
  }
  return {};
}

// Parameters of the servers of the Internet Archive, OutbackCDX and pywb whose neglect would give a wrong answer.
bool is_others(std::string_view name) {
  for (const std::string_view one :
       {"offset", "resumeKey", "showResumeKey", "showNumPages", "showPagedIndex", "lastSkipTimestamp"})
    if (name == one) return true;
  return false;
}

Result<void> set(Query& query, std::string_view name, std::string_view value) {
  if (is_others(name))
    return fail(ErrorCode::parse, std::string(name) +
                                      "= is not known here; page= and pageSize= give long answers in "
                                      "parts");
  if (name == "url")
    query.url = value;
  else if (name == "matchType") {
    TRY(query.match, match_type(value));
  } else if (name == "from" || name == "from_ts") {
    TRY(query.from, timestamp(name, value));
  } else if (name == "to") {
    TRY(query.to, timestamp(name, value));
  } else if (name == "closest") {
    TRY(query.closest, timestamp(name, value));
  } else if (name == "sort")
    TRY_VOID(set_sort(query, value));
  else if (name == "exact")
    query.exact_url = is_true(value) ? "?" : "";  // known once all is read
  else if (name == "reverse")
    query.reverse = is_true(value);
  else if (name == "resolveRevisits")
    query.resolve_revisits = is_true(value);
  else if (name == "limit") {
    TRY(query.limit, number(name, value));
    query.has_limit = query.limit > 0;
  } else if (name == "output") {
    TRY(query.output, output_type(value));
  } else if (name == "filter" || name == "collapse" || name == "collapseTime" || name == "fl" || name == "fields")
    TRY_VOID(set_list(query, name, value));
  return {};
}

void read_wildcards(Query& query) {
  if (query.match != MatchType::exact) return;
  if (query.url.ends_with('*')) {
    query.url.pop_back();
    query.match = MatchType::prefix;
  } else if (query.url.starts_with("*.")) {
    query.url.erase(0, 2);
    query.match = MatchType::domain;
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> parse_form(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> parts;
  for (const std::string_view part : split(text, '&')) {
    if (part.empty()) continue;
    const size_t equals = part.find('=');
    parts.emplace_back(form_decode(part.substr(0, equals)),
                       equals == std::string_view::npos ? std::string() : form_decode(part.substr(equals + 1)));
  }
  return parts;
}

Result<Query> parse_query(std::string_view query_string) {
  Query query;
  Page page;
  for (const auto& [name, value] : parse_form(query_string)) {
    if (name == "page" || name == "pageSize")
      TRY_VOID(set_paging(page, name, value));
    else
      TRY_VOID(set(query, name, value));
  }
  if (query.url.empty()) return fail(ErrorCode::parse, "no url: ask with ?url=https://example.org/");
  read_wildcards(query);
  if (!query.exact_url.empty()) query.exact_url = normal_url(asked_url(query.url));
  if (page.size > 0) {
    query.limit = std::min(page.size, kMaxLimit);
    query.has_limit = true;
    query.skip = std::min(page.number, kMaxLimit) * query.limit;
  }
  query.limit = query.limit == 0 ? 100'000 : std::min(query.limit, kMaxLimit);
  return query;
}

namespace {

// The lines that begin with `prefix`.
Result<KeyRange> range_of_prefix(std::string prefix) {
  KeyRange range{prefix, {}};
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xFF) prefix.pop_back();
  if (prefix.empty()) return fail(ErrorCode::parse, "an empty prefix");
  ++prefix.back();
  range.to = std::move(prefix);
  return range;
}

// The part of a key that names the host, with what it is reached by.
std::string_view host_of_key(std::string_view key, url::KeyForm form) {
  if (form == url::KeyForm::surt) return key.substr(0, key.find(")/"));
  if (form == url::KeyForm::outback) {
    // Behind the ')' stands the port; an address has none of both.
    const size_t end = key.find(')'), path = key.find('/');
    return key.substr(0, end < path ? end : std::min(path, key.find(':')));
  }
  if (form == url::KeyForm::ssurt) return key.substr(0, key.find("//"));
  const size_t authority = form == url::KeyForm::url ? key.find("://") : std::string_view::npos;
  return key.substr(0, key.find('/', authority == std::string_view::npos ? 0 : authority + 3));
}

Result<KeyRange> range_of_host(std::string_view key, const url::KeyPolicy& policy, bool with_subdomains) {
  const std::string host(host_of_key(key, policy.form()));
  switch (policy.form()) {
    case url::KeyForm::surt: {
      // "com,example)/" to "com,example*" holds the host; up to "com,example-" also "com,example,sub)/".
      const std::string separator = host.find(',') == std::string::npos && with_subdomains ? "," : ")/";
      return KeyRange{host + separator, host + (with_subdomains ? "-" : "*")};
    }
    case url::KeyForm::outback: {
      const bool is_address = !key.substr(host.size()).starts_with(')');
      if (is_address) return range_of_prefix(host + '/');
      return KeyRange{host + ")", host + (with_subdomains ? "-" : "*")};
    }
    case url::KeyForm::ssurt:
      return range_of_prefix(host + (with_subdomains ? "" : "//"));
    case url::KeyForm::url:
    case url::KeyForm::host_path:
      break;
  }
  if (!with_subdomains) return range_of_prefix(host + '/');
  return fail(ErrorCode::unsupported,
              "matchType=domain: the keys of this index do not begin with the domain (policy '" + policy.notation() +
                  "'); rewrite it with caddis index rekey --key-policy ia-surt");
}

}  // namespace

Result<KeyRange> key_range(std::string_view url, MatchType match, const url::KeyPolicy& policy,
                           std::string_view timestamp) {
  std::string key = index_key(asked_url(url), policy, timestamp);
  switch (match) {
    case MatchType::exact:
      return KeyRange{key + ' ', key + '!'};
    case MatchType::prefix:
      // The key of "http://example.com/dir/" may have no slash at its end; the prefix meant by it has.
      if (url.ends_with('/') && !key.ends_with('/')) key += '/';
      return range_of_prefix(std::move(key));
    case MatchType::host:
    case MatchType::domain:
      break;
  }
  return range_of_host(key, policy, match == MatchType::domain);
}

Result<Filter> Filter::parse(std::string_view expression) {
  Filter filter;
  std::string_view rest = expression;
  if (rest.starts_with('!')) {
    filter.negated_ = true;
    rest.remove_prefix(1);
  }
  if (rest.starts_with('=')) filter.kind_ = Kind::equals;
  if (rest.starts_with('~')) filter.kind_ = Kind::matches;
  if (filter.kind_ != Kind::contains) rest.remove_prefix(1);
  const size_t colon = rest.find(':');
  filter.whole_line_ = colon == std::string_view::npos;
  if (!filter.whole_line_) filter.field_ = rest.substr(0, colon);
  filter.text_ = filter.whole_line_ ? rest : rest.substr(colon + 1);
  if (filter.kind_ == Kind::matches) {
    RE2::Options options;
    options.set_log_errors(false);
    auto pattern = std::make_shared<RE2>(filter.text_, options);
    if (!pattern->ok())
      return fail(ErrorCode::parse,
                  "filter=" + std::string(expression) + ": not a regular expression (RE2): " + pattern->error());
    filter.pattern_ = std::move(pattern);
  }
  return filter;
}

bool Filter::accepts(std::string_view line, const Capture& capture) const {
  const std::string_view value = whole_line_ ? line : field(capture, field_);
  bool found = false;
  switch (kind_) {
    case Kind::contains:
      found = value.find(text_) != std::string_view::npos;
      break;
    case Kind::equals:
      found = value == text_;
      break;
    case Kind::matches:
      found = static_cast<const RE2*>(pattern_.get())->Match(value, 0, value.size(), RE2::ANCHOR_START, nullptr, 0);
      break;
  }
  return found != negated_;
}

}  // namespace caddis::cdx
