#include "caddis/logs/log_groups.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::logs {

void LogGroups::add(const LogLine& line) {
  all_.add(line.bytes());
  std::string_view rest = value_of(line, LogField::annotations);
  if (std::ranges::find(fields_, LogField::annotations) == fields_.end()) rest = {};
  do {
    add_with(line, take_annotation(rest));
  } while (!rest.empty());
}

void LogGroups::add_with(const LogLine& line, std::string_view annotation) {
  key_.clear();
  for (const LogField field : fields_)
    key_.append(field == LogField::annotations ? annotation : value_of(line, field)).push_back('\0');
  add_to_group(key_, line.bytes());
}

void LogGroups::add(std::string_view key, uint64_t bytes) {
  all_.add(bytes);
  add_to_group(key, bytes);
}

void LogGroups::add_to_group(std::string_view key, uint64_t bytes) {
  auto found = groups_.find(key);
  if (found == groups_.end()) found = groups_.emplace(key, LogSums()).first;
  found->second.add(bytes);
}

std::vector<LogGroups::Group> LogGroups::largest(size_t most) const {
  std::vector<const std::pair<const std::string, LogSums>*> rows;
  rows.reserve(groups_.size());
  for (const auto& row : groups_) rows.push_back(&row);
  std::ranges::sort(rows, [](const auto* a, const auto* b) {
    return a->second.lines != b->second.lines ? a->second.lines > b->second.lines : a->first < b->first;
  });
  if (most > 0 && rows.size() > most) rows.resize(most);
  std::vector<Group> groups;
  for (const auto* row : rows) {
    Group& group = groups.emplace_back();
    group.sums = row->second;
    const auto values = split(row->first, '\0');
    for (size_t i = 0; i < width_; ++i) group.values.emplace_back(values[i]);
  }
  return groups;
}

}  // namespace caddis::logs
