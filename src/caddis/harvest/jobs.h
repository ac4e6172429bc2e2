// Jobs of harvests in the database: made by the generator, taken by exactly one harvester, heard of while they run, and ended
// with a result for each domain. A change that outcome.h does not allow is refused.
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/harvest/expectation.h"
#include "caddis/harvest/outcome.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

struct JobErrors {
  std::string harvest, harvest_details, upload, upload_details;  // short and long
};

struct JobTimes {
  int64_t created = 0;
  std::optional<int64_t> submitted, started, ended, heard;
};

struct JobShape {
  std::string template_name, overrides;
  Limits limits;  // of each domain
  int64_t max_seconds = 0, expected = 0, configurations = 0, seeds = 0;
};

// The wishes of people for a job, and what became of it besides its state.
struct JobCare {
  std::string wish;                // of the crawl: "", "pause", "stop"
  std::string live_settings;       // changed while it runs: "quota.seed-domain-bytes=…" a line; limits come first
  std::string left_by;             // the harvester that was lost with it; empty: none was
  std::string had_by;              // the last that was lost with it, in the folder of `left_by`
  int64_t left_at = 0;             // when that was found out
  std::string left_why;            // why no other has taken it over yet
  std::optional<int64_t> patches;  // a job whose gaps it closes
  std::string made_by;             // who has made its harvest
};

struct Job {
  int64_t id = 0, definition_id = 0, run = 0;
  std::string definition, kind, channel;
  JobState state = JobState::created;
  JobShape shape;
  JobTimes times;
  std::string harvester;
  std::optional<int64_t> continues, resubmitted_as;
  JobErrors errors;
  std::string command;                          // that began the crawl, with its environment and versions
  std::string exit;                             // "FINISHED", "ABORTED", …
  std::string latest;                           // JSON: the progress that was last heard of
  std::pair<std::string, std::string> verdict;  // "", "accepted", "rejected"; and a note
  int64_t objects = 0, bytes = 0;
  JobCare care;
};

// Somebody has given it other limits while it ran.
bool has_live_limits(const Job& job);
Result<Job> find_job(sql::Connection& connection, int64_t id);
struct JobQuery {
  std::vector<JobState> states;  // empty: all
  std::string definition;
  std::optional<int64_t> run;
  int64_t before = 0;  // ids below; 0: all
  int64_t limit = 100;
};
// The latest first.
Result<std::vector<Job>> list_jobs(sql::Connection& connection, const JobQuery& query);

Result<std::string> job_file(sql::Connection& connection, int64_t job, std::string_view name);
// The settings of its crawl. ErrorCode::conflict for an imported job, which has none: the message has the way out.
Result<std::string> crawl_yaml_of(sql::Connection& connection, const Job& job);
Result<std::vector<std::string>> job_file_names(sql::Connection& connection, int64_t job);

// The job of the lowest number that waits in one of the channels becomes SUBMITTED, and that harvester's; nothing if none
// waits.
Result<std::optional<Job>> take_job(sql::Connection& connection, std::string_view harvester,
                                    const std::vector<std::string>& channels, int64_t now);
// Records what a harvester says of its job. The first time that it runs it becomes STARTED. Returns what people wish.
// ErrorCode::conflict if the job is not that harvester's any more.
Result<std::string> hear_of_job(sql::Connection& connection, int64_t job, std::string_view harvester, bool is_started,
                                std::string_view sample, int64_t now);

struct DomainResult {
  std::string domain;
  int64_t objects = 0, bytes = 0;
  StopReason reason = StopReason::completed;
};
struct JobEnd {
  bool is_done = false;  // else it has failed
  JobErrors errors;
  std::string exit, command;
  std::vector<DomainResult> results;  // domains that are not in the job are left out
  std::string by;                     // the harvester that tells it; empty: the one that has the job
};
// The harvester that has it; if that was given up, the one whose folder has its files, or the last that went on with it there.
bool is_with(const Job& job, std::string_view harvester);
// Whether files and results are taken from the harvester. A job that has failed takes them until another has taken it up.
bool takes_delivery(const Job& job, std::string_view harvester);
// Records the end. Domains of the job without a result get one of their own, with `otherwise` as reason; those of a job whose
// crawl was never begun get the results of such a one (withdrawal.h). A job that was given up stays FAILED, and gets the results
// all the same, once. Of another that has ended only the place of its files is recorded.
Result<void> end_job(sql::Connection& connection, int64_t job, const JobEnd& end, StopReason otherwise, int64_t now);

// Returns the number of the job that takes its place. ErrorCode::conflict for one that has not failed, or was imported.
Result<int64_t> resubmit_job(sql::Connection& connection, int64_t job, const Edit& edit);
// A job that has failed gets results: those of one that was never begun (withdrawal.h) if its crawl is not known to run, else
// `unfinished` for each of its configurations.
Result<void> set_state(sql::Connection& connection, int64_t job, JobState state, std::string_view why,
                       const Edit& edit);
Result<void> set_wish(sql::Connection& connection, int64_t job, std::string_view wish, const Edit& edit);
// ErrorCode::conflict for a job that has not ended.
Result<void> set_verdict(sql::Connection& connection, int64_t job, std::string_view verdict, std::string_view note,
                         const Edit& edit);
// Jobs of which nobody has heard for `silence` seconds: what was only submitted is resubmitted, what ran has failed. Jobs that
// have run for longer than `longest` are to stop, and fail when they have been handed over, or a day later. Returns what was
// done, in words.
// `since`: from when on harvesters could be heard; before it, silence does not count.
// `may_be_taken_over`: what ran waits for another harvester as long again, before it has failed (handover.h).
Result<std::vector<std::string>> end_lost_jobs(sql::Connection& connection, int64_t silence, int64_t longest,
                                               int64_t since, bool may_be_taken_over, const Edit& edit);

struct ResultLine {
  int64_t id = 0, job = 0, run = 0;
  std::string definition, domain, configuration;
  int64_t objects = 0, bytes = 0, time = 0;
  StopReason reason = StopReason::completed;
};
struct ResultQuery {
  std::optional<int64_t> job;
  std::string domain, definition;  // empty: all
  std::optional<int64_t> run;
  std::optional<StopReason> reason;
  int64_t after = 0, limit = 100;  // ids
  std::optional<int64_t> before;   // the latest first, ids below; 0: all. Else the oldest first
};
Result<std::vector<ResultLine>> list_results(sql::Connection& connection, const ResultQuery& query);

struct StoredFile {
  int64_t job = 0;
  std::string name, kind;  // "warc", "metadata", "index", "digests"
  int64_t bytes = 0;
  std::string sha256;
};
Result<void> record_file(sql::Connection& connection, const StoredFile& file, int64_t now);
Result<std::vector<StoredFile>> stored_files(sql::Connection& connection, int64_t job, std::string_view kind = "");

struct HarvesterState {
  std::string name, host, version, state;
  std::vector<std::string> channels;
  int64_t free_bytes = 0, seen = 0;
  std::optional<int64_t> job;
};
Result<void> hear_of_harvester(sql::Connection& connection, const HarvesterState& harvester, int64_t now);
// The harvester was heard of, though not of how it is.
Result<void> see_harvester(sql::Connection& connection, std::string_view name, int64_t now);
Result<std::vector<HarvesterState>> list_harvesters(sql::Connection& connection);
// Forgets one of which nothing was heard since then: ErrorCode::conflict for others. One that is heard of again is known again.
Result<void> remove_harvester(sql::Connection& connection, std::string_view name, int64_t since, const Edit& edit);
// Whether one that was heard of since serves the channel.
Result<bool> is_channel_served(sql::Connection& connection, std::string_view channel, int64_t since);

}  // namespace caddis::harvest
