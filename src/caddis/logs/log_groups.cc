#include "caddis/logs/log_groups.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::logs {

void LogGroups::add(const LogLine& line) {
  key_.clear();
  for (const LogField field : fields_) key_.append(value_of(line, field)).push_back('\0');
  add(key_, line.bytes());
}

void LogGroups::add(std::string_view key, uint64_t bytes) {
  auto found = groups_.find(key);
  if (found == groups_.end()) found = groups_.emplace(key, LogSums()).first;
  for (LogSums* const sums : {&found->second, &all_}) {
    ++sums->lines;
    sums->bytes += bytes;
  }
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
