#include "caddis/crawl/action_progress.h"

#include <fmt/format.h>

#include <iterator>
#include <optional>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {

std::string write_action_progress(const ActionProgress& progress) {
  return fmt::format("{} {} {} {} {} {}{}", progress.pass, progress.lines, progress.taken, progress.known,
                     progress.outside, progress.done ? 1 : 0,
                     progress.over_budget == 0 ? "" : fmt::format(" {}", progress.over_budget));
}

Result<ActionProgress> read_action_progress(std::string_view row) {
  ActionProgress progress;
  uint64_t done = 0;
  uint64_t* const numbers[] = {&progress.pass,    &progress.lines, &progress.taken,      &progress.known,
                               &progress.outside, &done,           &progress.over_budget};
  const auto parts = split(row, ' ');
  const bool is_row = parts.size() == std::size(numbers) || parts.size() + 1 == std::size(numbers);
  for (size_t i = 0; i == 0 || i < parts.size(); ++i) {
    const auto number = is_row ? parse_int(parts[i]) : std::nullopt;
    if (!number || *number < 0) return fail(ErrorCode::corrupt, fmt::format("'{}' is no row of an action", row));
    *numbers[i] = static_cast<uint64_t>(*number);
  }
  progress.done = done != 0;
  return progress;
}

void ActionProgressRows::put(std::string_view file, const ActionProgress& progress) {
  rows_.put(kMeta, fmt::format("{}{}", kActionRow, file), write_action_progress(progress));
}

void ActionProgressRows::erase(std::string_view file) { rows_.erase(kMeta, fmt::format("{}{}", kActionRow, file)); }

void ActionProgressRows::stage(commit::CommitGroup& group) { group.batch().append(std::exchange(rows_, {})); }

}  // namespace caddis::crawl
