// The fields of a line of crawl.log by name: its columns, and what follows from them.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/logs/log_line.h"

namespace caddis::logs {

enum class LogField : uint8_t {
  time,
  status,
  size,
  url,
  hops,
  via,
  mime,
  thread,
  fetch,
  digest,
  source,
  annotations,
  extra,         // the JSON object behind them
  host,          // of the URL
  domain,        // the registrable domain of the host; the host where there is none
  scheme,        // of the URL
  status_class,  // "2xx"; a status below 100 as it is
  outcome,       // "captured", "excluded" or "failed"
  words,         // the status, in words
  milliseconds,  // that the fetch took
  day,           // "2026-01-02"
  hour,          // "2026-01-02T03"
  minute,        // "2026-01-02T03:04"
};

// Their names, in the order above: "time", "status", …, "class", …
const std::vector<std::string>& log_field_names();
std::string_view name_of(LogField field);
// "url,status": ErrorCode::config for a name that is none, with those that there are.
Result<std::vector<LogField>> parse_log_fields(std::string_view list);

// As text; "-" where the line does not say. The view is valid as long as the line.
std::string_view value_of(const LogLine& line, LogField field);
// A number in JSON.
bool is_number(LogField field);

// How a visit of the URL with that status is counted: "captured", "excluded" or "failed".
std::string_view outcome_of(int status, std::string_view url);

}  // namespace caddis::logs
