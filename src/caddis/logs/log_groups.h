// Lines of a log, counted by the values of some fields. One thread; memory grows with the number of groups.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/string_hash.h"
#include "caddis/logs/log_field.h"
#include "caddis/logs/log_line.h"

namespace caddis::logs {

struct LogSums {
  uint64_t lines = 0, bytes = 0;

  void add(uint64_t of_line) {
    ++lines;
    bytes += of_line;
  }
};

class LogGroups {
 public:
  // Without fields all lines are one group, without values.
  explicit LogGroups(std::vector<LogField> fields) : fields_(std::move(fields)), width_(fields_.size()) {}
  // For keys of so many values.
  explicit LogGroups(size_t width) : width_(width) {}

  // If a field is `annotations`, the line counts for each of its annotations (once in `all`).
  void add(const LogLine& line);
  // A line with this key: its values, each with a NUL behind it.
  void add(std::string_view key, uint64_t bytes);

  struct Group {
    std::vector<std::string> values;  // of the fields, in their order
    LogSums sums;
  };
  // The groups with the most lines first; of equal ones by their values. 0: all of them.
  std::vector<Group> largest(size_t most) const;
  size_t size() const { return groups_.size(); }
  const LogSums& all() const { return all_; }
  const std::vector<LogField>& fields() const { return fields_; }

 private:
  void add_to_group(std::string_view key, uint64_t bytes);
  void add_with(const LogLine& line, std::string_view annotation);

  std::vector<LogField> fields_;
  size_t width_;
  std::unordered_map<std::string, LogSums, StringHash, std::equal_to<>>
      groups_;       // by the values, each with a NUL behind it
  std::string key_;  // of the line at hand
  LogSums all_;
};

}  // namespace caddis::logs
