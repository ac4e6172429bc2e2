// Writes one line of a log by protocol or fate, field by field, in the order of `JsonField`. What is empty, 0 or false,
// and what was not chosen, is left out.
//
//   JsonLineWriter line(text, fields);
//   line.add(JsonField::url, url);
//   line.add(JsonField::attempts, 2);
//   line.end();                          // text: {"url":"http://a.example/","attempts":2}\n
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/logs/json_log.h"

namespace caddis::logs {

class JsonLineWriter {
 public:
  // Appends to `out`, which outlives it, as do the fields.
  JsonLineWriter(std::string& out, const JsonFields& fields) : out_(out), fields_(fields) { out_ += '{'; }
  JsonLineWriter(const JsonLineWriter&) = delete;
  JsonLineWriter& operator=(const JsonLineWriter&) = delete;

  bool has(JsonField field) const { return fields_.has(field); }
  void add(JsonField field, std::string_view text);
  void add(JsonField field, uint64_t number);
  void add_time(JsonField field, WallTime time);
  // In whole milliseconds.
  void add_duration(JsonField field, Duration duration);
  void add_flag(JsonField field, bool is_so);
  void add_list(JsonField field, std::span<const std::string> texts);
  // A number that is there even if it is 0.
  void add_number(JsonField field, int64_t number);
  // `json` is JSON text, and not empty.
  void add_raw(JsonField field, std::string_view json);
  // Ends the line. Returns where in `out` further members could be inserted.
  size_t end();

 private:
  bool begin(JsonField field);

  std::string& out_;
  const JsonFields& fields_;
  bool is_first_ = true;
};

}  // namespace caddis::logs
