#include "caddis/harvest/questions.h"

#include <fmt/format.h>

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

constexpr int64_t kKept = 3600;           // seconds
constexpr int64_t kDeletionKept = 86400;  // since it was heard of
constexpr int64_t kFresh = 120;           // questions that are older were given up by whoever asked, but for deletions
constexpr int64_t kMostOpen = 20;

constexpr std::string_view kAsked =
    "SELECT q.id, q.kind, q.text, q.given_up, q.job_id, q.asked, q.heard, q.done, q.answered, q.answer, q.problem, "
    "j.state "
    "FROM questions q JOIN jobs j ON j.id = q.job_id";

AskedQuestion asked_in(const Row& row, int64_t now) {
  AskedQuestion one{{row.number(0), row.text(1), row.text(2), row.flag(3)},
                    row.number(4),
                    row.number(5),
                    row.number(6),
                    row.number(7),
                    {}};
  const bool is_deletion = one.question.kind == "delete";
  if (row.flag(8)) {
    one.answer = CrawlAnswer{row.text(9), row.text(10)};
  } else if (row.text(11) != name_of(JobState::started)) {
    const std::string done = is_deletion ? fmt::format("; it was at {} URLs", one.done) : "";
    one.answer = CrawlAnswer{"", fmt::format("job {} has become {} meanwhile{}", one.job, row.text(11), done)};
  } else if (!is_deletion && one.asked < now - kFresh) {
    const bool changes = one.question.kind == "script";
    one.answer = CrawlAnswer{"", fmt::format("the harvester has not answered in time{}",
                                             changes ? "; it may have been done all the same" : "")};
  }
  return one;
}

}  // namespace

Result<int64_t> ask_crawl(Connection& c, int64_t id, std::string_view kind, std::string_view text, int64_t now) {
  TRY(const Job job, find_job(c, id));
  if (job.state != JobState::started || job.harvester.empty())
    return fail(ErrorCode::conflict, fmt::format("job {} is {}: no crawl can be asked", id, name_of(job.state)));
  TRY_VOID(c.execute("DELETE FROM questions WHERE heard < ? AND (kind <> 'delete' OR heard < ?)",
                     Values(now - kKept, now - kDeletionKept)));
  // A few that take long do not keep the others out.
  const bool takes_long = kind == "delete";
  TRY(const int64_t open, c.number(takes_long ? "SELECT count(*) FROM questions WHERE job_id = ? AND answered = 0 "
                                                "AND kind = 'delete' AND asked >= ?"
                                              : "SELECT count(*) FROM questions WHERE job_id = ? AND answered = 0 "
                                                "AND kind <> 'delete' AND asked >= ?",
                                   Values(id, takes_long ? 0 : now - kFresh)));
  if (open >= kMostOpen) return fail(ErrorCode::timeout, "too many questions wait for this crawl: ask again soon");
  return c.number(
      "INSERT INTO questions (job_id, kind, text, asked, heard, answered, answer, problem) "
      "VALUES (?, ?, ?, ?, ?, 0, '', '') RETURNING id",
      Values(id, kind, text, now, now));
}

Result<AskedQuestion> find_question(Connection& c, int64_t question, int64_t now) {
  TRY(const auto row, c.row(fmt::format("{} WHERE q.id = ?", kAsked), Values(question)));
  if (!row) return fail(ErrorCode::not_found, "the question is gone");
  return asked_in(*row, now);
}

Result<std::vector<AskedQuestion>> deletions_of(Connection& c, int64_t job, int64_t now) {
  TRY_VOID(find_job(c, job));
  std::vector<AskedQuestion> found;
  TRY_VOID(c.each(fmt::format("{} WHERE q.job_id = ? AND q.kind = 'delete' ORDER BY q.id DESC LIMIT 100", kAsked),
                  Values(job), [&](const Row& row) { found.push_back(asked_in(row, now)); }));
  return found;
}

Result<void> give_up_question(Connection& c, int64_t job, int64_t question, const Edit& edit) {
  const auto asked = find_question(c, question, edit.now);
  if (!asked && asked.error().code != ErrorCode::not_found) return std::unexpected(asked.error());
  if (!asked || asked->job != job || asked->question.kind != "delete" || asked->answer)
    return fail(ErrorCode::conflict,
                fmt::format("question {} is no deletion or count of job {} that goes on", question, job));
  TRY_VOID(c.execute("UPDATE questions SET given_up = 1 WHERE id = ?", Values(question)));
  return record_change(c, edit, "job", std::to_string(job),
                       fmt::format("gives up the deletion or count of URLs that is question {}", question));
}

Result<void> hear_of_question(Connection& c, int64_t job, int64_t question, int64_t done, int64_t now) {
  return c.execute("UPDATE questions SET done = ?, heard = ? WHERE id = ? AND job_id = ? AND answered = 0",
                   Values(done, now, question, job));
}

Result<std::optional<CrawlQuestion>> open_question(Connection& c, int64_t job, int64_t question) {
  TRY(const auto row,
      c.row("SELECT kind, text FROM questions WHERE id = ? AND job_id = ? AND answered = 0", Values(question, job)));
  if (!row) return std::optional<CrawlQuestion>();
  return std::optional(CrawlQuestion{question, row->text(0), row->text(1)});
}

Result<void> answer_question(Connection& c, int64_t job, int64_t question, const CrawlAnswer& answer, int64_t now) {
  return c.execute("UPDATE questions SET answered = 1, answer = ?, problem = ?, heard = ? WHERE id = ? AND job_id = ?",
                   Values(answer.text, answer.problem, now, question, job));
}

Result<JobWishes> wishes_for(Connection& c, int64_t id, std::string_view harvester, int64_t now) {
  TRY(const Job job, find_job(c, id));
  if (job.harvester != harvester || !is_running(job.state))
    return fail(ErrorCode::conflict, fmt::format("job {} is {}, and not with {}", id, name_of(job.state), harvester));
  JobWishes wishes{job.care.wish, job.care.live_settings, {}};
  TRY_VOID(c.each(
      "SELECT id, kind, text, given_up FROM questions WHERE job_id = ? AND answered = 0 "
      "AND (asked >= ? OR kind = 'delete') ORDER BY id LIMIT 100",
      Values(id, now - kFresh),
      [&](const Row& row) { wishes.questions.push_back({row.number(0), row.text(1), row.text(2), row.flag(3)}); }));
  return wishes;
}

}  // namespace caddis::harvest
