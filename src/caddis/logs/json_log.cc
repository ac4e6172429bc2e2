#include "caddis/logs/json_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"

namespace caddis::logs {
namespace {

constexpr std::array<std::string_view, kJsonLogs> kLogNames = {"http", "dns",  "failures", "not-crawled", "scope",
                                                               "ftp",  "sftp", "whois",    "file"};

// A letter for each log, in their order: "o" are those of other protocols.
constexpr std::string_view kLogLetters = "hdfnsoooo";

// The fields in their order, and the logs that have them.
struct FieldRow {
  JsonField field;
  std::string_view name, logs;
};
using enum JsonField;
constexpr auto kFields = std::to_array<FieldRow>({
    {time, "time", "hdfnso"},
    {url, "url", "hdfnso"},
    {status, "status", "hdfnso"},
    {scheme, "scheme", "fn"},
    {reason, "reason", "f"},
    {begun, "begun", "hdfo"},
    {duration_ms, "duration_ms", "hdfo"},
    {connect_ms, "connect_ms", "ho"},
    {wait_ms, "wait_ms", "ho"},
    {receive_ms, "receive_ms", "ho"},
    {reused, "reused", "h"},
    {mime, "mime", "ho"},
    {digest, "digest", "ho"},
    {received, "received", "hdo"},
    {head_size, "head_size", "h"},
    {body_size, "body_size", "h"},
    {hops, "hops", "hdfnso"},
    {via, "via", "hdfnso"},
    {seed, "seed", "hdfnso"},
    {address, "address", "hdo"},
    {addresses, "addresses", "d"},
    {listing, "listing", "o"},
    {reply, "reply", "o"},
    {protocol, "protocol", "h"},
    {tls, "tls", "h"},
    {refused_address, "refused_address", "dfn"},
    {attempts, "attempts", "hdfno"},
    {captured_before, "captured_before", "hdfno"},
    {lane, "lane", "hdfno"},
    {revisit, "revisit", "ho"},
    {original_url, "original_url", "ho"},
    {original_time, "original_time", "ho"},
    {likeness, "likeness", "ho"},
    {truncated, "truncated", "hfo"},
    {problem, "problem", "hfo"},
    {body_flaw, "body_flaw", "ho"},
    {body_problem, "body_problem", "ho"},
    {unknown_coding, "unknown_coding", "ho"},
    {dropped_links, "dropped_links", "ho"},
    {consent_wall, "consent_wall", "h"},
    {document_problem, "document_problem", "ho"},
    {wall, "wall", "ho"},
    {directives, "directives", "h"},
    {against_robots, "against_robots", "hf"},
    {login, "login", "hf"},
    {login_problem, "login_problem", "hf"},
    {left_out, "left_out", "ho"},
    {no_room, "no_room", "f"},
    {rule, "rule", "ns"},
    {key, "key", "n"},
    {quota, "quota", "n"},
    {limit, "limit", "n"},
    {hang, "hang", "f"},
    {extra, "extra", "hdfno"},
    {warc, "warc", "hdo"},
    {offset, "offset", "hdo"},
});
static_assert(kFields.size() == kJsonFields);
static_assert([] {
  for (size_t i = 0; i < kFields.size(); ++i)
    if (static_cast<size_t>(kFields[i].field) != i) return false;
  return true;
}());

bool has_field(JsonLog log, const FieldRow& row) { return row.logs.contains(kLogLetters[static_cast<size_t>(log)]); }

std::string names_of(JsonLog log) {
  std::string names;
  for (const FieldRow& row : kFields)
    if (has_field(log, row)) names.append(names.empty() ? "" : ", ").append(row.name);
  return names;
}

}  // namespace

std::string_view to_string(JsonLog log) { return kLogNames[static_cast<size_t>(log)]; }

std::optional<JsonLog> json_log_named(std::string_view name) {
  const auto* const found = std::ranges::find(kLogNames, name);
  if (found == kLogNames.end()) return std::nullopt;
  return static_cast<JsonLog>(found - kLogNames.begin());
}

std::string_view to_string(JsonField field) { return kFields[static_cast<size_t>(field)].name; }

const JsonFields& all_fields(JsonLog log) {
  static const std::array<JsonFields, kJsonLogs> all = [] {
    std::array<JsonFields, kJsonLogs> made;
    for (size_t i = 0; i < kJsonLogs; ++i)
      for (const FieldRow& row : kFields)
        if (has_field(static_cast<JsonLog>(i), row)) made[i].add(row.field);
    return made;
  }();
  return all[static_cast<size_t>(log)];
}

Result<FieldChoice> parse_field_choice(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos)
    return fail(ErrorCode::config, fmt::format("'{}' names no log: write 'http: time url status'", text));
  const auto log = json_log_named(trim(text.substr(0, colon)));
  if (!log)
    return fail(
        ErrorCode::config,
        fmt::format("there is no log '{}'; there are http, dns, failures, not-crawled, scope, ftp, sftp, whois, file",
                    trim(text.substr(0, colon))));
  FieldChoice choice{*log, {}};
  bool is_empty = true;
  for (const std::string_view name : split(text.substr(colon + 1), ' ')) {
    if (trim(name).empty()) continue;
    const auto* const row = std::ranges::find(kFields, trim(name), &FieldRow::name);
    if (row == kFields.end() || !has_field(*log, *row))
      return fail(ErrorCode::config, fmt::format("the log '{}' has no field '{}'; it has {}", to_string(*log),
                                                 trim(name), names_of(*log)));
    choice.fields.add(row->field);
    is_empty = false;
  }
  if (is_empty)
    return fail(ErrorCode::config,
                fmt::format("no field is named for the log '{}': leave it out of logs.write instead", to_string(*log)));
  return choice;
}

JsonFields chosen_fields(JsonLog log, std::span<const std::string> choices) {
  JsonFields chosen = all_fields(log);
  for (const std::string& text : choices)
    if (const auto choice = parse_field_choice(text); choice && choice->log == log) chosen = choice->fields;
  return chosen;
}

std::string json_log_header(JsonLog log, const JsonFields& fields, std::string_view launch) {
  std::string names;
  for (const FieldRow& row : kFields)
    if (fields.has(row.field)) names += fmt::format("{}\"{}\"", names.empty() ? "" : ",", row.name);
  JsonObject header;
  header.add("log", to_string(log)).add("version", kJsonLogVersion).add_raw("fields", "[" + names + "]");
  header.add("software", fmt::format("Caddis {}", kVersion)).add("launch", launch);
  return header.finish() + "\n";
}

}  // namespace caddis::logs
