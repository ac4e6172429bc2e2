// The logs by protocol and by fate: their names, and the fields of their lines (docs/formats/logs.md). For whoever
// writes, reads or converts them.
//
// Pure functions; any thread.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::logs {

// The version of the form, as headers have it.
inline constexpr int kJsonLogVersion = 1;

enum class JsonLog : uint8_t { http, dns, failures, not_crawled, scope, ftp, sftp, whois, file };
inline constexpr size_t kJsonLogs = 9;
// A log that most crawls have nothing for: its file begins with its first line.
constexpr bool is_rare(JsonLog log) { return log >= JsonLog::ftp; }

// In the order in which a line has them.
enum class JsonField : uint8_t {
  time,
  url,
  status,
  scheme,
  reason,
  begun,
  duration_ms,
  connect_ms,
  wait_ms,
  receive_ms,
  reused,
  mime,
  digest,
  received,
  head_size,
  body_size,
  hops,
  via,
  seed,
  address,
  addresses,
  listing,
  reply,
  protocol,
  tls,
  refused_address,
  attempts,
  captured_before,
  lane,
  revisit,
  original_url,
  original_time,
  likeness,
  truncated,
  problem,
  body_flaw,
  body_problem,
  unknown_coding,
  dropped_links,
  consent_wall,
  document_problem,
  wall,
  directives,
  against_robots,
  login,
  login_problem,
  left_out,
  no_room,
  rule,
  key,
  quota,
  limit,
  hang,
  extra,
  warc,
  offset,
};
inline constexpr size_t kJsonFields = static_cast<size_t>(JsonField::offset) + 1;

// "not-crawled": as headers and settings have it. Its file is that and ".jsonl".
std::string_view to_string(JsonLog log);
std::optional<JsonLog> json_log_named(std::string_view name);
// "duration_ms".
std::string_view to_string(JsonField field);

// A choice of fields.
class JsonFields {
 public:
  JsonFields() = default;
  explicit JsonFields(std::span<const JsonField> fields) {
    for (const JsonField field : fields) add(field);
  }
  void add(JsonField field) { bits_.set(static_cast<size_t>(field)); }
  bool has(JsonField field) const { return bits_.test(static_cast<size_t>(field)); }
  bool operator==(const JsonFields&) const = default;

 private:
  std::bitset<kJsonFields> bits_;
};

// All that a line of the log may have.
const JsonFields& all_fields(JsonLog log);

// One choice of the settings: "http: time url status". ErrorCode::config for a log or a field that there is not.
struct FieldChoice {
  JsonLog log = JsonLog::http;
  JsonFields fields;
};
Result<FieldChoice> parse_field_choice(std::string_view text);

// The fields of the log by these settings, which are valid: the last choice that names it, otherwise all.
JsonFields chosen_fields(JsonLog log, std::span<const std::string> choices);

// The line with which a log begins, with its line end. `launch`: its name.
std::string json_log_header(JsonLog log, const JsonFields& fields, std::string_view launch);

}  // namespace caddis::logs
