#include "caddis/logs/json_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"

namespace caddis::logs {
namespace {

constexpr std::array<std::string_view, kJsonLogs> kLogNames = {"http", "dns", "failures", "not-crawled", "scope"};

// A letter for each log, in their order.
constexpr std::string_view kLogLetters = "hdfns";

// The fields in their order, and the logs that have them.
struct FieldRow {
  JsonField field;
  std::string_view name, logs;
};
using enum JsonField;
constexpr auto kFields = std::to_array<FieldRow>({
    {time, "time", "hdfns"},
    {url, "url", "hdfns"},
    {status, "status", "hdfns"},
    {scheme, "scheme", "fn"},
    {reason, "reason", "f"},
    {begun, "begun", "hdf"},
    {duration_ms, "duration_ms", "hdf"},
    {connect_ms, "connect_ms", "h"},
    {wait_ms, "wait_ms", "h"},
    {receive_ms, "receive_ms", "h"},
    {reused, "reused", "h"},
    {mime, "mime", "h"},
    {digest, "digest", "h"},
    {received, "received", "hd"},
    {head_size, "head_size", "h"},
    {body_size, "body_size", "h"},
    {hops, "hops", "hdfns"},
    {via, "via", "hdfns"},
    {seed, "seed", "hdfns"},
    {address, "address", "hd"},
    {addresses, "addresses", "d"},
    {protocol, "protocol", "h"},
    {tls, "tls", "h"},
    {refused_address, "refused_address", "dfn"},
    {attempts, "attempts", "hdfn"},
    {captured_before, "captured_before", "hdfn"},
    {lane, "lane", "hdfn"},
    {revisit, "revisit", "h"},
    {original_url, "original_url", "h"},
    {original_time, "original_time", "h"},
    {likeness, "likeness", "h"},
    {truncated, "truncated", "hf"},
    {problem, "problem", "hf"},
    {body_flaw, "body_flaw", "h"},
    {body_problem, "body_problem", "h"},
    {unknown_coding, "unknown_coding", "h"},
    {dropped_links, "dropped_links", "h"},
    {consent_wall, "consent_wall", "h"},
    {document_problem, "document_problem", "h"},
    {wall, "wall", "h"},
    {directives, "directives", "h"},
    {against_robots, "against_robots", "hf"},
    {login, "login", "hf"},
    {login_problem, "login_problem", "hf"},
    {left_out, "left_out", "h"},
    {no_room, "no_room", "f"},
    {rule, "rule", "ns"},
    {key, "key", "n"},
    {quota, "quota", "n"},
    {limit, "limit", "n"},
    {hang, "hang", "f"},
    {extra, "extra", "hdfn"},
    {warc, "warc", "hd"},
    {offset, "offset", "hd"},
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
    return fail(ErrorCode::config,
                fmt::format("there is no log '{}'; there are http, dns, failures, not-crawled, scope",
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
