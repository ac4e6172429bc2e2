// Questions that people ask a crawl which runs elsewhere: its harvester fetches them, and brings the answers.
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

struct CrawlQuestion {
  int64_t id = 0;
  std::string kind;  // "queues", "log", "report", "delete", "script"
  std::string text;  // JSON of the kind's own
  bool is_given_up = false;
};
struct CrawlAnswer {
  std::string text;     // JSON, or the text of a report
  std::string problem;  // why there is no answer; empty: there is one
};

// A question as people see it.
struct AskedQuestion {
  CrawlQuestion question;
  int64_t job = 0, asked = 0, heard = 0;  // heard: when its harvester has last told of it
  int64_t done = 0;                       // URLs that are deleted or counted until now
  std::optional<CrawlAnswer> answer;
};

// ErrorCode::conflict if the job does not run, or nobody has it. Questions of the last hour are kept, deletions and counts for
// a day after they were heard of.
Result<int64_t> ask_crawl(sql::Connection& connection, int64_t job, std::string_view kind, std::string_view text,
                          int64_t now);
// A job that has ended meanwhile answers no more; nor does one whose harvester has left a question alone for long, unless it
// is a deletion. That is a problem as the answer.
Result<AskedQuestion> find_question(sql::Connection& connection, int64_t question, int64_t now);
// Deletions and counts of a job, the latest first.
Result<std::vector<AskedQuestion>> deletions_of(sql::Connection& connection, int64_t job, int64_t now);
// ErrorCode::conflict if it has an answer, or is no deletion.
Result<void> give_up_question(sql::Connection& connection, int64_t job, int64_t question, const Edit& edit);
Result<void> hear_of_question(sql::Connection& connection, int64_t job, int64_t question, int64_t done, int64_t now);
// A question of the job that nobody has answered yet; nothing if it was answered, or is gone.
Result<std::optional<CrawlQuestion>> open_question(sql::Connection& connection, int64_t job, int64_t question);
Result<void> answer_question(sql::Connection& connection, int64_t job, int64_t question, const CrawlAnswer& answer,
                             int64_t now);

// All that a harvester has to know of the job that it has.
struct JobWishes {
  std::string wish;      // "", "pause", "stop"
  std::string settings;  // of the crawl, changed while it runs: "quota.seed-domain-bytes=…" a line
  std::vector<CrawlQuestion> questions;
};
// ErrorCode::conflict if the job is not that harvester's any more.
Result<JobWishes> wishes_for(sql::Connection& connection, int64_t job, std::string_view harvester, int64_t now);

}  // namespace caddis::harvest
