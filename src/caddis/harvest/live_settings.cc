// The live settings of a job are lines that replace what its file has: all expressions that it leaves out, or none of them.
// An empty `scope.exclude=` stands for a list without any.

#include "caddis/harvest/live_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/harvest/domain_name.h"
#include "caddis/harvest/templates.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

constexpr std::string_view kExclude = "scope.exclude=";
constexpr size_t kMostLive = 256 << 10;
constexpr size_t kMostRecorded = 1000;

// 0 is no limit in settings of a crawl.
int64_t quota_of(int64_t limit) { return limit == kNoLimit ? 0 : limit; }

// The lines of live settings that are expressions, or those that are not.
std::string lines_of(const std::string& live, bool of_expressions) {
  std::string lines;
  for (const std::string_view line : split(live, '\n'))
    if (!line.empty() && line.starts_with(kExclude) == of_expressions) lines += fmt::format("{}\n", line);
  return lines;
}

// The expressions that the job was made with: its file has all of them.
Result<std::vector<std::string>> made_with(Connection& c, int64_t job) {
  auto file = job_file(c, job, "crawl.yaml");
  // One that was imported has none.
  if (!file && file.error().code == ErrorCode::not_found) return std::vector<std::string>();
  TRY(const std::string yaml, std::move(file));
  // The files that it extends are not at hand.
  std::string alone;
  for (const std::string_view line : split(yaml, '\n'))
    if (!line.starts_with("extends:")) alone += fmt::format("{}\n", line);
  return excluded_by(alone, "");
}

// The expressions that its crawl leaves out.
Result<std::vector<std::string>> excluded_now(Connection& c, const Job& job) {
  const std::string live = lines_of(job.care.live_settings, true);
  if (live.empty()) return made_with(c, job.id);
  std::vector<std::string> excluded;
  for (std::string_view line : split(live, '\n')) {
    line.remove_prefix(std::min(kExclude.size(), line.size()));
    if (!line.empty()) excluded.emplace_back(line);
  }
  return excluded;
}

Result<void> exclude(Connection& c, const Job& job, const std::vector<std::string>& expressions) {
  std::string lines;
  for (const std::string& one : expressions) lines += fmt::format("{}{}\n", kExclude, one);
  if (lines.empty()) lines = fmt::format("{}\n", kExclude);
  if (lines.size() > kMostLive)
    return fail(ErrorCode::limit, "a job has 256 KiB of crawler traps at most: put them into the lists of harvests");
  return c.execute("UPDATE jobs SET live_settings = ? WHERE id = ?",
                   Values(lines_of(job.care.live_settings, false) + lines, job.id));
}

Result<void> require_running(const Job& job) {
  if (is_running(job.state)) return {};
  return fail(ErrorCode::conflict, fmt::format("job {} is {}: it does not run", job.id, name_of(job.state)));
}

Result<std::map<std::string, Edit>> recorded_traps(Connection& c, int64_t job) {
  std::map<std::string, Edit> recorded;
  TRY_VOID(c.each("SELECT expression, who, time FROM job_traps WHERE job_id = ?", Values(job),
                  [&](const Row& row) { recorded[row.text(0)] = {row.text(1), row.number(2)}; }));
  return recorded;
}

// By its expression as it is listed, or as it was given when it was added.
std::vector<JobTrap>::iterator trap_named(std::vector<JobTrap>& traps, std::string_view expression) {
  const auto listed = std::ranges::find(traps, expression, &JobTrap::expression);
  if (listed != traps.end()) return listed;
  const auto patterns = trap_patterns(expression);
  return patterns && !patterns->empty() ? std::ranges::find(traps, patterns->front(), &JobTrap::expression)
                                        : traps.end();
}

std::string in_short(const std::vector<std::string>& expressions) {
  return visible(fmt::format("{}", fmt::join(expressions, ", ")), kMostRecorded);
}

}  // namespace

Result<void> set_limits(Connection& c, int64_t id, const Limits& limits, int64_t max_seconds, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  TRY_VOID(require_running(job));
  if (limits.objects < kNoLimit || limits.objects == 0 || limits.bytes < kNoLimit || limits.bytes == 0 ||
      max_seconds < 0)
    return fail(ErrorCode::config,
                "a limit of a job that runs is a number from 1 on, or -1 for none; a job of 0 "
                "seconds may run as long as it likes");
  const std::string settings =
      fmt::format("quota.seed-domain-successes={}\nquota.seed-domain-bytes={}\nlimits.max-time={}s\n",
                  quota_of(limits.objects), quota_of(limits.bytes), max_seconds) +
      lines_of(job.care.live_settings, true);
  TRY_VOID(c.execute("UPDATE jobs SET max_objects = ?, max_bytes = ?, max_seconds = ?, live_settings = ? WHERE id = ?",
                     Values(limits.objects, limits.bytes, max_seconds, settings, id)));
  FieldChanges changes;
  changes.add("most objects", job.shape.limits.objects, limits.objects);
  changes.add("most bytes", job.shape.limits.bytes, limits.bytes);
  changes.add("longest time", job.shape.max_seconds, max_seconds);
  return record_change(
      c, edit, "job", std::to_string(id),
      fmt::format("has new limits: {} objects, {} bytes, {} seconds", limits.objects, limits.bytes, max_seconds),
      changes);
}

Result<int64_t> add_traps(Connection& c, int64_t id, std::string_view traps, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  TRY_VOID(require_running(job));
  TRY(const auto patterns, trap_patterns(traps));
  TRY(auto excluded, excluded_now(c, job));
  std::vector<std::string> added;
  for (const std::string& pattern : patterns) {
    if (std::ranges::find(excluded, pattern) != excluded.end()) continue;
    excluded.push_back(pattern);
    added.push_back(pattern);
    TRY_VOID(c.execute("DELETE FROM job_traps WHERE job_id = ? AND expression = ?", Values(id, pattern)));
    TRY_VOID(c.execute("INSERT INTO job_traps (job_id, expression, who, time) VALUES (?, ?, ?, ?)",
                       Values(id, pattern, edit.who, edit.now)));
  }
  if (added.empty()) return 0;
  TRY_VOID(exclude(c, job, excluded));
  const auto count = static_cast<int64_t>(added.size());
  TRY_VOID(record_change(c, edit, "job", std::to_string(id),
                         fmt::format("leaves out {} crawler traps more: {}", count, in_short(added))));
  return count;
}

Result<int64_t> take_back_traps(Connection& c, int64_t id, std::string_view expressions, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  TRY_VOID(require_running(job));
  TRY(auto traps, traps_of(c, id));
  std::vector<std::string> gone;
  for (const std::string_view line : split(expressions, '\n')) {
    const std::string_view expression = trim(line);
    if (expression.empty()) continue;
    const auto it = trap_named(traps, expression);
    if (it == traps.end() || !it->was_added)
      return fail(ErrorCode::conflict,
                  fmt::format("'{}' is {} job {}", expression,
                              it == traps.end() ? "no crawler trap of" : "a crawler trap that was not added to", id));
    gone.push_back(it->expression);
    traps.erase(it);
    TRY_VOID(c.execute("DELETE FROM job_traps WHERE job_id = ? AND expression = ?", Values(id, gone.back())));
  }
  if (gone.empty()) return 0;
  std::vector<std::string> left;
  for (JobTrap& trap : traps) left.push_back(std::move(trap.expression));
  TRY_VOID(exclude(c, job, left));
  const auto count = static_cast<int64_t>(gone.size());
  TRY_VOID(record_change(c, edit, "job", std::to_string(id),
                         fmt::format("no longer leaves out {} crawler traps: {}", count, in_short(gone))));
  return count;
}

Result<std::vector<JobTrap>> traps_of(Connection& c, int64_t id) {
  TRY(const Job job, find_job(c, id));
  TRY(const auto excluded, excluded_now(c, job));
  TRY(const auto original, made_with(c, id));
  TRY(auto recorded, recorded_traps(c, id));
  std::vector<JobTrap> traps, added;
  for (const std::string& expression : excluded) {
    JobTrap trap{expression};
    const auto by = recorded.find(expression);
    if (by != recorded.end()) trap.by = std::move(by->second);
    trap.was_added = trap.by.has_value() || std::ranges::find(original, expression) == original.end();
    (trap.was_added ? added : traps).push_back(std::move(trap));
  }
  std::ranges::move(added, std::back_inserter(traps));
  return traps;
}

Result<void> copy_added_traps(Connection& c, int64_t from, int64_t to) {
  return c.execute(
      "INSERT INTO job_traps (job_id, expression, who, time) SELECT CAST(? AS BIGINT), expression, who, time "
      "FROM job_traps WHERE job_id = ?",
      Values(to, from));
}

}  // namespace caddis::harvest
