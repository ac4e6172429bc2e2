#include "caddis/crawl/recover.h"

#include <fmt/format.h>

namespace caddis::crawl {

std::string write_recover_note(const RecoverOptions& options) {
  std::string flags;
  if (options.include_only) flags += 'i';
  if (options.retry_failures) flags += 'f';
  if (options.in_scope) flags += 's';
  return flags + ' ' + options.path;
}

Result<RecoverOptions> read_recover_note(std::string_view note) {
  const size_t blank = note.find(' ');
  if (blank == std::string_view::npos || blank + 1 == note.size())
    return fail(ErrorCode::corrupt, "the file state/recover, which names the recovery log to take over, is damaged");
  const std::string_view flags = note.substr(0, blank);
  return RecoverOptions{std::string(note.substr(blank + 1)), flags.contains('i'), flags.contains('f'),
                        flags.contains('s')};
}

void RecoverCounts::count_bad(uint64_t line, std::string_view why) {
  ++bad;
  if (problems.size() < kMostShown) problems.push_back(fmt::format("line {}: {}", line, why));
}

std::string recover_report(const RecoverOptions& options, const RecoverCounts& counts) {
  std::string report =
      fmt::format("{}: {} lines; {} URLs are known to be finished", options.path, counts.lines, counts.finished);
  if (!options.include_only) report += fmt::format(", {} wait", counts.queued);
  if (counts.known > 0) report += fmt::format(", {} were known", counts.known);
  if (counts.out_of_scope > 0) report += fmt::format(", {} are out of scope", counts.out_of_scope);
  if (counts.other_schemes > 0) report += fmt::format(", {} are neither http nor https", counts.other_schemes);
  if (counts.bad > 0) report += fmt::format(", {} lines are bad", counts.bad);
  report += '\n';
  for (const std::string& problem : counts.problems) report += fmt::format("  {}\n", problem);
  if (counts.problems.size() == RecoverCounts::kMostShown && counts.bad > RecoverCounts::kMostShown) report += "  …\n";
  return report;
}

}  // namespace caddis::crawl
