#include "caddis/crawl/recover.h"

#include <fmt/format.h>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/recovery_reader.h"

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
  std::string report = fmt::format("{}: {}; {} known to be finished", options.path, counted(counts.lines, "line"),
                                   counted(counts.finished, "URL is", "URLs are"));
  if (!options.include_only) report += fmt::format(", {}", counted(counts.queued, "waits", "wait"));
  if (counts.known > 0) report += fmt::format(", {} known", counted(counts.known, "was", "were"));
  if (counts.out_of_scope > 0) report += fmt::format(", {} out of scope", counted(counts.out_of_scope, "is", "are"));
  if (counts.other_schemes > 0)
    report += fmt::format(", {} neither http nor https", counted(counts.other_schemes, "is", "are"));
  if (counts.bad > 0) report += fmt::format(", {} bad", counted(counts.bad, "line is", "lines are"));
  report += '\n';
  for (const std::string& problem : counts.problems) report += fmt::format("  {}\n", problem);
  if (counts.problems.size() == RecoverCounts::kMostShown && counts.bad > RecoverCounts::kMostShown) report += "  …\n";
  return report;
}

Result<void> look_at_recovery_log(io::Files& files, const std::string& path) {
  TRY(const auto reader, RecoveryReader::open(files, path));
  TRY(const std::string_view text, reader->next());
  std::string problem;
  for (const std::string_view line : split(text, '\n')) {
    const auto parsed = parse_recovery_line(line);
    if (parsed && !parsed->url.empty()) return {};
    if (!parsed && problem.empty()) problem = fmt::format("'{}': {}", line.substr(0, 60), parsed.error().message);
  }
  if (problem.empty()) return {};
  return fail(ErrorCode::config,
              fmt::format("{} is no recovery log (frontier.recover.gz, lines such as 'F+ http://a.example/ L "
                          "http://b.example/'): {}",
                          path, problem));
}

}  // namespace caddis::crawl
