// Settings of a job that people change while it runs, and which its crawl follows: limits, and crawler traps besides those that
// it was made with. Jobs that take its place, or patch it, have them too.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/jobs.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

// New limits of each domain and of the job, in place of those that it was made with. Domains whose configurations allow less
// keep that. ErrorCode::conflict unless it runs; ErrorCode::config for none.
Result<void> set_limits(sql::Connection& connection, int64_t job, const Limits& limits, int64_t max_seconds,
                        const Edit& edit);

// Crawler traps (domain_name.h) that its crawl leaves out from now on, besides those that it was made with. Other jobs know
// nothing of them, but for those that take its place or patch it. Returns how many are new. ErrorCode::conflict unless it runs.
Result<int64_t> add_traps(sql::Connection& connection, int64_t job, std::string_view traps, const Edit& edit);
// Traps that were added, by their expressions, one a line: its crawl no longer leaves them out. Returns how many.
// ErrorCode::conflict unless it runs, and for one that was not added.
Result<int64_t> take_back_traps(sql::Connection& connection, int64_t job, std::string_view expressions,
                                const Edit& edit);

struct JobTrap {
  std::string expression;
  bool was_added = false;  // else the job was made with it
  std::optional<Edit> by;  // unless that is not on record
};
// Traps that it was made with come first.
Result<std::vector<JobTrap>> traps_of(sql::Connection& connection, int64_t job);
// A job that takes the place of another, or patches it, has its traps on record.
Result<void> copy_added_traps(sql::Connection& connection, int64_t from, int64_t to);

}  // namespace caddis::harvest
