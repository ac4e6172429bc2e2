#include <algorithm>
#include <iterator>

#include "caddis/base/strings.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query.h"
#include "caddis/cdx/real_time.h"
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
  if (value == "range") return MatchType::range;
  return fail(ErrorCode::parse,
              "matchType=" + std::string(value) + ": exact, prefix, host, domain and range are known");
}

Result<Output> output_type(std::string_view value, Dialect dialect) {
  if (value.empty()) return dialect == Dialect::pywb ? Output::cdxj : Output::text;
  if (value == "cdxj") return Output::cdxj;
  if (value == "json") return dialect == Dialect::pywb ? Output::json : Output::rows;
  if (value == "jsondict") return Output::dicts;
  if (value == "text" || value == "cdx") return Output::text;
  if (value == "link") return Output::link;
  return fail(ErrorCode::parse, "output=" + std::string(value) + ": cdxj, json, jsondict, text and link are known");
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

struct Reading {
  Query query;
  uint64_t page = 0, offset = 0;
  bool last = false;
  std::string method, request_body;
};

template <auto member>
Result<void> set_text_of(Reading& reading, std::string_view /*name*/, std::string_view value) {
  reading.*member = value;
  return {};
}

// Parameters that are no part of what is searched for.
bool is_harmless(std::string_view name) {
  for (const std::string_view one : {"allowFuzzy", "fastLatest", "_"})
    if (name == one) return true;
  return false;
}

using Setter = Result<void> (*)(Reading& reading, std::string_view name, std::string_view value);
struct Parameter {
  std::string_view name;
  Setter set;
};

Result<void> set_limit(Reading& reading, std::string_view name, std::string_view value) {
  Query& query = reading.query;
  query.parts.last = value.starts_with('-');
  if (query.parts.last) value.remove_prefix(1);
  TRY(query.limit, number(name, value));
  query.has_limit = query.limit > 0;
  return {};
}

Result<void> set_sort(Reading& reading, std::string_view /*name*/, std::string_view value) {
  if (value == "reverse")
    reading.query.reverse = true;
  else if (value != "closest" && value != "default" && value != "regular" && !value.empty())
    return fail(ErrorCode::parse, "sort=" + std::string(value) + ": default, reverse and closest are known");
  return {};
}

Result<void> set_list(Reading& reading, std::string_view name, std::string_view value) {
  Query& query = reading.query;
  if (name == "filter") {
    if (query.filters.size() >= kMaxFilters) return fail(ErrorCode::limit, "more than 50 filters");
    TRY(Filter filter, Filter::parse(value, query.dialect));
    query.filters.push_back(std::move(filter));
  } else if (name == "collapseTime") {
    TRY(const uint64_t length, number(name, value));
    query.collapse.push_back({"timestamp", length});
    query.collapse.push_back({"status", SIZE_MAX});  // as pywb does: a revisit is no repetition of a 200
  } else if (name.starts_with("collapse")) {
    if (query.collapse.size() >= kMaxFilters) return fail(ErrorCode::limit, "more than 50 fields to collapse by");
    TRY(Collapse by, collapse(value));
    query.collapse.push_back(std::move(by));
    query.left_out.all_but_last = name == "collapseToLast";
  } else {
    for (const std::string_view field_name : split(value, ','))
      if (!trim(field_name).empty()) query.fields.emplace_back(trim(field_name));
  }
  return {};
}

// Takes the place of the Internet Archive's offset=, too: captures that are passed over.
Result<void> set_page(Reading& reading, std::string_view name, std::string_view value) {
  TRY(const uint64_t wanted, number(name, value));
  if (name == "page") reading.query.parts.has_page = true;
  (name == "page" ? reading.page : name == "pageSize" ? reading.query.parts.page_size : reading.offset) = wanted;
  return {};
}

template <auto member>
Result<void> set_true(Reading& reading, std::string_view /*name*/, std::string_view value) {
  reading.query.*member = is_true(value);
  return {};
}
template <auto set>
Result<void> set_part(Reading& reading, std::string_view /*name*/, std::string_view value) {
  set(reading.query, is_true(value));
  return {};
}
template <auto member>
Result<void> set_counter(Reading& reading, std::string_view /*name*/, std::string_view value) {
  reading.query.left_out.counters.*member = is_true(value);
  return {};
}
template <auto member>
Result<void> set_text(Reading& reading, std::string_view /*name*/, std::string_view value) {
  reading.query.*member = value;
  return {};
}
template <auto member>
Result<void> set_time(Reading& reading, std::string_view name, std::string_view value) {
  TRY(reading.query.*member, timestamp(name, value));
  return {};
}

constexpr Parameter kParameters[] = {
    {"url", set_text<&Query::url>},
    {"urlkey", set_text<&Query::key>},
    {"matchType",
     [](Reading& reading, std::string_view, std::string_view value) -> Result<void> {
       TRY(reading.query.match, match_type(value));
       return {};
     }},
    {"from", set_time<&Query::from>},
    {"from_ts", set_time<&Query::from>},
    {"to", set_time<&Query::to>},
    {"closest",
     [](Reading& reading, std::string_view name, std::string_view value) -> Result<void> {
       TRY(const std::string asked, timestamp(name, value));
       reading.query.closest = real_timestamp(asked);
       return {};
     }},
    {"sort", set_sort},
    {"exact",
     [](Reading& reading, std::string_view, std::string_view value) -> Result<void> {
       reading.query.exact_url = is_true(value) ? "?" : "";  // known once all is read
       return {};
     }},
    {"reverse", set_true<&Query::reverse>},
    {"resolveRevisits", set_true<&Query::resolve_revisits>},
    {"omitSelfRedirects", set_part<[](Query& query, bool value) { query.left_out.self_redirects = value; }>},
    {"showDupeCount", set_counter<&LeftOut::Counters::duplicates>},
    {"showGroupCount", set_counter<&LeftOut::Counters::groups>},
    {"showUniqCount", set_counter<&LeftOut::Counters::unique>},
    {"showSkipCount", set_counter<&LeftOut::Counters::skipped>},
    {"lastSkipTimestamp", set_counter<&LeftOut::Counters::end>},
    {"last",
     [](Reading& reading, std::string_view, std::string_view value) -> Result<void> {
       reading.last = is_true(value);
       return {};
     }},
    {"limit", set_limit},
    {"rows", set_limit},
    {"offset", set_page},
    {"page", set_page},
    {"pageSize", set_page},
    {"showNumPages", set_part<[](Query& query, bool value) { query.parts.count_pages = value; }>},
    {"showResumeKey", set_part<[](Query& query, bool value) { query.parts.show_resume_key = value; }>},
    {"resumeKey",
     [](Reading& reading, std::string_view, std::string_view value) -> Result<void> {
       if (value.empty()) return {};
       TRY(reading.query.parts.resume, parse_resume_key(value));
       return {};
     }},
    {"output",
     [](Reading& reading, std::string_view, std::string_view value) -> Result<void> {
       TRY(reading.query.output, output_type(value, reading.query.dialect));
       return {};
     }},
    {"gzip",
     [](Reading& reading, std::string_view, std::string_view value) -> Result<void> {
       reading.query.parts.gzip = is_true(value);
       return {};
     }},
    {"method", set_text_of<&Reading::method>},
    {"requestBody", set_text_of<&Reading::request_body>},
    {"filter", set_list},
    {"collapse", set_list},
    {"collapseToFirst", set_list},
    {"collapseToLast", set_list},
    {"collapseTime", set_list},
    {"fl", set_list},
    {"fields", set_list},
};

Result<void> set(Reading& reading, std::string_view name, std::string_view value) {
  const auto known = std::ranges::find(kParameters, name, &Parameter::name);
  if (known != std::end(kParameters)) return known->set(reading, name, value);
  if (is_harmless(name)) return {};
  std::vector<std::string> names;
  for (const Parameter& one : kParameters) names.emplace_back(one.name);
  const std::string near = nearest_name(name, names);
  return fail(ErrorCode::parse, std::string(name) + "= is not known here" +
                                    (near.empty() ? std::string() : "; did you mean " + near + "=?"));
}

// "*.example.org/*" is a domain, as "*.example.org" is, and "example.org/a*" what begins so.
Result<void> read_wildcards(Query& query) {
  std::string_view rest = query.url;
  const size_t scheme = rest.find("://");
  if (scheme != rest.npos) rest.remove_prefix(scheme + 3);
  const bool is_domain =
      rest.starts_with("*.") && (query.match == MatchType::exact || query.match == MatchType::domain);
  if (is_domain) {
    rest.remove_prefix(2);
    if (rest.ends_with('*')) rest.remove_suffix(1);
    if (rest.ends_with('/')) rest.remove_suffix(1);
    query.match = MatchType::domain;
    query.url = std::string(rest);
  } else if (query.match == MatchType::exact && rest.ends_with('*')) {
    query.url.pop_back();
    rest.remove_suffix(1);
    query.match = MatchType::prefix;
  }
  const bool is_path_of_domain = is_domain && rest.find('/') != rest.npos;
  if (is_path_of_domain || (query.key.empty() && rest.empty()) ||
      rest.substr(0, rest.find_first_of("/?#")).find('*') != rest.npos)
    return fail(ErrorCode::parse,
                "url=: '*' stands at the end (example.org/a*), or for all hosts of a domain (*.example.org); ask for "
                "more with filter=");
  return {};
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

std::string resume_key(const ResumePoint& point) {
  return point.skip == 0 ? point.place : point.place + ' ' + std::to_string(point.skip);
}

Result<ResumePoint> parse_resume_key(std::string_view text) {
  std::string decoded(text);
  // Sent as it was shown, and encoded once more by the client.
  if (decoded.find(' ') == std::string::npos) decoded = form_decode(decoded);
  ResumePoint point{decoded, 0};
  const size_t first = decoded.find(' '), last = decoded.rfind(' ');
  if (first == std::string::npos || decoded.size() - first > 60)
    return fail(ErrorCode::parse, "resumeKey=" + std::string(text) + ": none that was shown here");
  if (last != first) {
    TRY(point.skip, number("resumeKey", decoded.substr(last + 1)));
    point.place.resize(last);
  }
  return point;
}

namespace {

constexpr uint64_t kPageSize = 3'000;

// last=true is limit=-1, and with limit=N the same as limit=-N.
void read_last(const Reading& reading, Query& query) {
  if (!reading.last) return;
  if (!query.has_limit) query.limit = 1;
  query.parts.last = query.has_limit = true;
}

// A counter is shown behind the other fields, or where fl= names it, which is to ask for it.
void read_counters(Query& query) {
  LeftOut::Counters& counters = query.left_out.counters;
  std::vector<std::string> behind;
  const auto read = [&](bool& is_asked_for, std::string_view name) {
    const bool is_named = std::ranges::find(query.fields, name) != query.fields.end();
    if (is_asked_for && !is_named) behind.emplace_back(name);
    is_asked_for = is_asked_for || is_named;
  };
  read(counters.duplicates, kDupeCount);
  read(counters.groups, kGroupCount);
  read(counters.skipped, kSkipCount);
  read(counters.end, kEndTimestamp);
  read(counters.unique, kUniqCount);
  if (behind.empty()) return;
  if (query.fields.empty() && (query.output == Output::cdxj || query.output == Output::json)) return;  // all are shown
  query.fields = shown_fields(query);
  if (query.fields.empty()) query.fields = all_fields();
  query.fields.insert(query.fields.end(), behind.begin(), behind.end());
}

Result<void> read_page(Reading& reading) {
  Query& query = reading.query;
  query.limit = query.limit == 0 ? 100'000 : std::min(query.limit, kMaxLimit);
  query.skip = std::min(reading.offset, kMaxLimit);
  const bool in_pages = query.parts.has_page || query.parts.page_size > 0 || query.parts.count_pages;
  if (!in_pages) return {};
  if (query.parts.last)
    return fail(ErrorCode::parse, "limit=-N gives the last captures, and page= counts from the first: one of both");
  query.parts.page_size = query.parts.page_size == 0 ? kPageSize : std::min(query.parts.page_size, kMaxLimit);
  query.limit = query.has_limit ? std::min(query.limit, query.parts.page_size) : query.parts.page_size;
  query.has_limit = true;
  query.skip += std::min(reading.page, kMaxLimit) * query.parts.page_size;
  return {};
}

// An answer in another order than that of the index cannot go on by a key, so it shows none.
Result<void> check_together(Query& query) {
  const bool ordered = query.reverse || !query.closest.empty();
  if (!ordered) return {};
  query.parts.show_resume_key = false;
  if (!query.parts.resume.place.empty())
    return fail(ErrorCode::parse, "resumeKey= goes on in the order of the index: not together with sort= or closest=");
  if (query.parts.last)
    return fail(ErrorCode::parse, "limit=-N is the end of the index's order: not together with sort=");
  return {};
}

}  // namespace

Result<Query> parse_query(std::string_view query_string, Dialect dialect) {
  Reading reading;
  Query& query = reading.query;
  query.dialect = dialect;
  query.output = dialect == Dialect::pywb ? Output::cdxj : Output::text;
  query.limit = dialect == Dialect::outback ? 10'000 : 100'000;
  for (const auto& [name, value] : parse_form(query_string)) TRY_VOID(set(reading, name, value));
  if (query.url.empty() == query.key.empty())
    return fail(ErrorCode::parse, query.url.empty() ? "no url: ask with ?url=https://example.org/"
                                                    : "both url= and urlkey=: one of them is wanted");
  TRY_VOID(read_wildcards(query));
  if (!reading.method.empty() && reading.method != "GET")
    query.url = request_url(query.url, reading.method, reading.request_body);
  if (!query.exact_url.empty()) query.exact_url = normal_url(asked_url(query.url));
  read_last(reading, query);
  TRY_VOID(read_page(reading));
  TRY_VOID(check_together(query));
  const bool by_names = query.output == Output::rows || query.output == Output::dicts ||
                        (query.output == Output::text && dialect == Dialect::internet_archive);
  if (by_names) query.fields = shown_fields(query);
  read_counters(query);
  return std::move(reading.query);
}

}  // namespace caddis::cdx
