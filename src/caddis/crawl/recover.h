// Taking over a recovery log of Heritrix's kind: what it says is finished becomes known, what it says was queued and is
// not finished waits again, with its hops and via.
//
// The log is read twice: first what is finished, then what was queued, of which the set of known URLs leaves only the
// rest. So nothing of the log is held in memory, no URL is visited before it is through, and all of it may be done
// again after a death.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"

namespace caddis::crawl {

struct RecoverOptions {
  std::string path;
  bool include_only = false;    // nothing is queued
  bool retry_failures = false;  // what failed or was refused is queued again
  bool in_scope = false;        // only what the scope accepts is queued
  bool operator==(const RecoverOptions&) const = default;
};

// ErrorCode::config where the file is something else: of what it begins with some is bad, and nothing tells of a URL.
Result<void> look_at_recovery_log(io::Files& files, const std::string& path);

// The file that says what is being taken over: flags and path.
std::string write_recover_note(const RecoverOptions& options);
Result<RecoverOptions> read_recover_note(std::string_view note);

// What came of it.
struct RecoverCounts {
  static constexpr size_t kMostShown = 20;

  uint64_t lines = 0;
  uint64_t finished = 0, queued = 0;  // that were not known before
  uint64_t known = 0, other_schemes = 0, out_of_scope = 0, bad = 0;
  std::vector<std::string> problems;  // the first bad lines, and flaws of the file

  void count_bad(uint64_t line, std::string_view why);
};
// For people: a line, then one for each problem.
std::string recover_report(const RecoverOptions& options, const RecoverCounts& counts);

}  // namespace caddis::crawl
