// Each look gathers all conditions that stand, under a name for each, and compares the names with those that the last look has
// kept in the table `notices`. So nothing has to be noticed where it happens, and a server that was killed between what happens
// and the next look tells it all the same. Once noticed, a message lies in memory until it is sent, a minute at most.

#include "caddis/harvest/notices.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/harvest/outcome.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

constexpr int64_t kMemory = int64_t{30} * 86'400;  // seconds for which a job that is over is kept in mind
constexpr std::string_view kBegun = "begun";       // the row of a database that was looked at before

using Names = std::set<std::string, std::less<>>;

class Look {
 public:
  Look(Connection& c, const NoticeRules& rules, int64_t now, const Names& known)
      : c_(c), rules_(rules), now_(now), known_(known) {}

  Result<void> gather() {
    TRY_VOID(gather_failed());
    TRY_VOID(gather_lost());
    TRY_VOID(gather_old());
    TRY_VOID(gather_harvests());
    TRY_VOID(gather_harvesters());
    for (const std::string& store : rules_.stores) TRY_VOID(gather_files(store));
    return {};
  }

  std::map<std::string, Notice> standing;  // one without text is kept in mind, and not told

 private:
  void add(std::string name, NoticeKind kind, std::string text, std::string page) {
    standing.try_emplace(std::move(name), Notice{kind, std::move(text), std::move(page)});
  }
  void add_job(std::string_view what, const Row& row, const std::string& text) {
    add(fmt::format("{} {}", what, row.number(0)), NoticeKind::job,
        fmt::format("job {} of {} {}", row.number(0), row.text(1), text), fmt::format("/jobs/{}", row.number(0)));
  }

  Result<void> gather_failed() {
    return c_.each(
        "SELECT j.id, d.name, j.harvest_error, j.upload_error FROM jobs j JOIN definitions d ON d.id = j.definition_id "
        "WHERE j.state = ? AND j.ended > ?",
        Values(name_of(JobState::failed), now_ - kMemory), [&](const Row& row) {
          std::string why = row.text(2);
          if (!row.text(3).empty()) why += fmt::format("{}upload: {}", why.empty() ? "" : "; ", row.text(3));
          add_job("failed", row, fmt::format("has failed: {}", why.empty() ? "no reason was given" : why));
        });
  }

  // Jobs whose harvester was not heard of again: another job has taken their place, or they wait for another harvester.
  Result<void> gather_lost() {
    TRY_VOID(
        c_.each("SELECT j.id, d.name, j.harvest_error, j.resubmitted_as FROM jobs j JOIN definitions d ON d.id = "
                "j.definition_id "
                "WHERE j.state = ? AND j.started IS NULL AND j.ended IS NULL AND j.harvest_error <> '' AND "
                "j.submitted > ?",
                Values(name_of(JobState::resubmitted), now_ - kMemory), [&](const Row& row) {
                  add_job("resubmitted", row, fmt::format("was resubmitted as {}: {}", row.number(3), row.text(2)));
                }));
    return c_.each(
        "SELECT j.id, d.name, j.left_why FROM jobs j JOIN definitions d ON d.id = j.definition_id "
        "WHERE j.state = ? AND j.harvester = '' AND j.left_by <> ''",
        Values(name_of(JobState::started)),
        [&](const Row& row) { add_job("left", row, fmt::format("waits for another harvester: {}", row.text(2))); });
  }

  Result<void> gather_old() {
    return c_.each(
        "SELECT j.id, d.name, j.harvest_error FROM jobs j JOIN definitions d ON d.id = j.definition_id "
        "WHERE j.state = ? AND j.wish = 'stop' AND j.harvest_error <> ''",
        Values(name_of(JobState::started)),
        [&](const Row& row) { add_job("old", row, fmt::format("is to stop: {}", row.text(2))); });
  }

  Result<void> gather_harvests() {
    return c_.each(
        "SELECT id, name, is_active, problem, missed FROM definitions WHERE missed > 0 OR problem <> ''", Values(),
        [&](const Row& row) {
          const std::string page = fmt::format("/harvests/{}", percent_encoded(row.text(1)));
          if (!row.flag(2) && !row.text(3).empty())
            add(fmt::format("problem {}", row.number(0)), NoticeKind::still,
                fmt::format("the harvest {} was deactivated: {}", row.text(1), row.text(3)), page);
          if (row.number(4) > 0)
            add(fmt::format("missed {} {}", row.number(0), row.number(4)), NoticeKind::still,
                fmt::format("the harvest {} has missed dates of its schedule, {} by now", row.text(1), row.number(4)),
                page);
        });
  }

  Result<void> gather_harvesters() {
    return c_.each("SELECT name, seen, free_bytes, job_id FROM harvesters", Values(), [&](const Row& row) {
      const std::string gone = "gone " + row.text(0);
      const int64_t heard = row.number(1);
      // One that was told of stays told, though a server that has just begun could not have heard it.
      const int64_t from = known_.contains(gone) ? heard : std::max(heard, rules_.since);
      if (now_ - from > rules_.silence)
        add(gone, NoticeKind::still,
            fmt::format("nothing was heard of the harvester {} for {}{}", row.text(0),
                        format_duration(std::chrono::seconds(now_ - heard)),
                        row.is_null(3) ? "" : fmt::format("; it has job {}", row.number(3))),
            "/");
      else if (row.number(2) < rules_.least_free)
        add("disk " + row.text(0), NoticeKind::still,
            fmt::format("the disk of the harvester {} has {} left", row.text(0), format_size(row.number(2))), "/");
    });
  }

  // A store is told of again when it has twice as many files that are not as they should be.
  Result<void> gather_files(const std::string& store) {
    TRY_VOID(c_.each(
        "SELECT count(*), coalesce(max(problem), '') FROM copies WHERE store = ? AND state IN ('missing', 'wrong')",
        Values(store), [&](const Row& row) {
          const auto count = static_cast<uint64_t>(row.number(0));
          if (count == 0) return;
          const int level = std::bit_width(count);
          add(fmt::format("harm {} {}", store, level), NoticeKind::file,
              fmt::format("in the store {} {} missing or wrong: {}", store, counted(count, "file is", "files are"),
                          row.text(1)),
              "/stores");
          for (int below = 1; below < level; ++below) standing.try_emplace(fmt::format("harm {} {}", store, below));
        }));
    return c_.each(
        "SELECT count(*), coalesce(max(problem), '') FROM copies WHERE store = ? AND state = 'wanted' AND problem <> "
        "''",
        Values(store), [&](const Row& row) {
          const auto count = static_cast<uint64_t>(row.number(0));
          if (count == 0) return;
          add("unreached " + store, NoticeKind::file,
              fmt::format("{} put into the store {}: {}", counted(count, "file was not", "files were not"), store,
                          row.text(1)),
              "/stores");
        });
  }

  Connection& c_;
  const NoticeRules& rules_;
  const int64_t now_;
  const Names& known_;
};

}  // namespace

Result<std::vector<Notice>> new_notices(Connection& c, const NoticeRules& rules, int64_t now) {
  Names known;
  TRY_VOID(c.each("SELECT name FROM notices", Values(), [&](const Row& row) { known.insert(row.text(0)); }));
  Look look(c, rules, now, known);
  TRY_VOID(look.gather());
  const bool is_first = !known.contains(kBegun);
  look.standing.try_emplace(std::string(kBegun));
  std::vector<Notice> news;
  for (const auto& [name, notice] : look.standing) {
    if (known.contains(name)) continue;
    TRY_VOID(c.execute("INSERT INTO notices (name, time) VALUES (?, ?)", Values(name, now)));
    if (!is_first && !notice.text.empty()) news.push_back(notice);
  }
  for (const std::string& name : known)
    if (!look.standing.contains(name)) TRY_VOID(c.execute("DELETE FROM notices WHERE name = ?", Values(name)));
  return news;
}

}  // namespace caddis::harvest
