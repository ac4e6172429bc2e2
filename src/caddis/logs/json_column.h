// The columns that people ask of lines in JSON: their members, and what follows from them.
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/logs/json_line.h"

namespace caddis::logs {

struct JsonColumn {
  enum class Kind : uint8_t {
    member,
    host,  // of the URL
    domain,
    status_class,  // "2xx"; a word as it is
    outcome,       // "captured", "excluded" or "failed"
    day,           // "2026-01-02"
    hour,
    minute,
  };
  std::string name;
  Kind kind = Kind::member;
};

// "url,status,host": ErrorCode::config for a name that is none.
Result<std::vector<JsonColumn>> parse_json_columns(std::string_view list);

// The URL that a line is about: of a line of outlinks.jsonl, which has two, the page with the link. Empty if there is
// none. Valid as long as the line and `room`.
std::string_view url_of(const JsonLine& line, std::string& room);

// As text on one line; "-" if the line does not say. Valid as long as the line and `room`.
std::string_view value_of(const JsonLine& line, const JsonColumn& column, std::string& room);

}  // namespace caddis::logs
