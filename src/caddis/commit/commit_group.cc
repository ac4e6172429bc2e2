#include "caddis/commit/commit_group.h"

#include <algorithm>

namespace caddis::commit {

void CommitGroup::append(store::StreamId stream, std::string bytes) {
  if (bytes.empty()) return;
  const auto staged = std::ranges::find(bytes_, stream, &std::pair<std::string, std::string>::first);
  if (staged == bytes_.end())
    bytes_.emplace_back(stream, std::move(bytes));
  else
    staged->second += bytes;
}

std::string_view CommitGroup::appended(store::StreamId stream) const {
  const auto staged = std::ranges::find(bytes_, stream, &std::pair<std::string, std::string>::first);
  return staged == bytes_.end() ? std::string_view() : staged->second;
}

}  // namespace caddis::commit
