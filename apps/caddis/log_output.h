// How `caddis log` shows lines: as they stand there, as columns parted by tabs, or as JSON. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/logs/log_field.h"
#include "caddis/logs/log_groups.h"
#include "caddis/logs/log_line.h"

namespace caddis::cli {

class LogOutput {
 public:
  // Without fields, lines come as they are; in JSON with all columns.
  LogOutput(std::vector<logs::LogField> fields, bool as_json);

  // Lines are shown as they stand there, so that nobody has to parse them.
  bool is_verbatim() const { return fields_.empty(); }
  void add_verbatim(std::string_view text);
  void add(const logs::LogLine& line);
  // A line for each group, the largest `top` of them: values, lines, bytes.
  void add_groups(const logs::LogGroups& groups, size_t top);
  void flush();

 private:
  void end_line();
  void add_json(const logs::LogLine& line);

  std::vector<logs::LogField> fields_;
  bool as_json_;
  std::string text_;  // not written yet
};

}  // namespace caddis::cli
