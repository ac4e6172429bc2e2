#include "caddis/harvest/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"
#include "caddis/harvest/handover.h"
#include "caddis/harvest/job_files.h"
#include "caddis/harvest/live_settings.h"
#include "caddis/harvest/withdrawal.h"

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

constexpr int64_t kSampleSeconds = 60;  // between two samples that are kept
constexpr int64_t kMostRunning = 100'000;
constexpr int64_t kDelivery = 86'400;  // a job that is too old has as long to be stopped and handed over

constexpr std::string_view kJob =
    "SELECT j.id, j.definition_id, j.run, d.name, d.kind, h.name, j.state, j.template_name, j.overrides, "
    "j.max_objects, "
    "j.max_bytes, j.max_seconds, j.expected, j.configurations, j.seed_count, j.created, j.submitted, j.started, "
    "j.ended, "
    "j.heard, j.harvester, j.wish, j.continues, j.resubmitted_as, j.harvest_error, j.harvest_details, j.upload_error, "
    "j.upload_details, j.command, j.exit, j.latest, j.verdict, j.verdict_note, j.objects, j.bytes, "
    "j.left_by, j.left_at, j.left_why, j.live_settings, j.patches, d.made_by, j.had_by "
    "FROM jobs j JOIN definitions d ON d.id = j.definition_id JOIN channels h ON h.id = j.channel_id";

Job job_of(const Row& row) {
  Job job;
  size_t i = 0;
  job.id = row.number(i++);
  job.definition_id = row.number(i++);
  job.run = row.number(i++);
  job.definition = row.text(i++);
  job.kind = row.text(i++);
  job.channel = row.text(i++);
  job.state = state_named(row.text(i++)).value_or(JobState::failed);
  job.shape.template_name = row.text(i++);
  job.shape.overrides = row.text(i++);
  job.shape.limits.objects = row.number(i++);
  job.shape.limits.bytes = row.number(i++);
  job.shape.max_seconds = row.number(i++);
  job.shape.expected = row.number(i++);
  job.shape.configurations = row.number(i++);
  job.shape.seeds = row.number(i++);
  job.times.created = row.number(i++);
  job.times.submitted = row.maybe_number(i++);
  job.times.started = row.maybe_number(i++);
  job.times.ended = row.maybe_number(i++);
  job.times.heard = row.maybe_number(i++);
  job.harvester = row.text(i++);
  job.care.wish = row.text(i++);
  job.continues = row.maybe_number(i++);
  job.resubmitted_as = row.maybe_number(i++);
  job.errors.harvest = row.text(i++);
  job.errors.harvest_details = row.text(i++);
  job.errors.upload = row.text(i++);
  job.errors.upload_details = row.text(i++);
  job.command = row.text(i++);
  job.exit = row.text(i++);
  job.latest = row.text(i++);
  job.verdict.first = row.text(i++);
  job.verdict.second = row.text(i++);
  job.objects = row.number(i++);
  job.bytes = row.number(i++);
  job.care.left_by = row.text(i++);
  job.care.left_at = row.number(i++);
  job.care.left_why = row.text(i++);
  job.care.live_settings = row.text(i++);
  job.care.patches = row.maybe_number(i++);
  job.care.made_by = row.text(i++);
  job.care.had_by = row.text(i++);
  return job;
}

Result<void> require_change(const Job& job, JobState then) {
  if (may_follow(job.state, then)) return {};
  return fail(ErrorCode::conflict,
              fmt::format("job {} is {}, and cannot become {}", job.id, name_of(job.state), name_of(then)));
}

struct Member {
  int64_t configuration = 0, domain = 0;
  Limits own;
};

using Members = std::map<std::string, Member, std::less<>>;

Result<Members> members_of(Connection& c, int64_t job) {
  Members members;
  TRY_VOID(c.each(
      "SELECT d.name, m.configuration_id, m.domain_id, m.max_objects, m.max_bytes FROM job_configurations m "
      "JOIN domains d ON d.id = m.domain_id WHERE m.job_id = ?",
      Values(job),
      [&](const Row& row) { members[row.text(0)] = {row.number(1), row.number(2), {row.number(3), row.number(4)}}; }));
  return members;
}

// A limit that was reached is told as that of the configuration if the harvest allows no less.
StopReason reason_of(StopReason reason, const Limits& own, const Limits& harvest) {
  if (reason == StopReason::size_limit && own.bytes != kNoLimit && !is_less(harvest.bytes, own.bytes))
    return StopReason::config_size_limit;
  if (reason == StopReason::object_limit && own.objects != kNoLimit && !is_less(harvest.objects, own.objects))
    return StopReason::config_object_limit;
  return reason;
}

std::optional<Brought> brought_of(const Row& row, size_t at) {
  if (row.is_null(at)) return std::nullopt;
  return Brought{row.number(at), row.number(at + 1), row.flag(at + 2)};
}

// Keeps up from what a configuration is expected to bring next time.
Result<void> remember(Connection& c, int64_t configuration, const DomainResult& result) {
  TRY(const auto row, c.row("SELECT most_objects, most_bytes, most_complete, described_objects, described_bytes, "
                            "described_complete FROM configurations WHERE id = ?",
                            Values(configuration)));
  if (!row) return {};
  const Precedent before{brought_of(*row, 0), brought_of(*row, 3)};
  const Precedent after = with_result(before, {result.objects, result.bytes, result.reason == StopReason::completed});
  return c.execute(
      "UPDATE configurations SET most_objects = ?, most_bytes = ?, most_complete = ?, described_objects = ?, "
      "described_bytes = ?, described_complete = ? WHERE id = ?",
      Values(after.most->objects, after.most->bytes, after.most->is_complete, after.described->objects,
             after.described->bytes, after.described->is_complete, configuration));
}

// A patch belongs to the job alone: it says nothing of how large a domain is.
Result<void> record_patch(Connection& c, const Job& job, const JobEnd& end) {
  int64_t objects = 0, bytes = 0;
  for (const DomainResult& result : end.results) {
    objects += result.objects;
    bytes += result.bytes;
  }
  return c.execute("UPDATE jobs SET objects = ?, bytes = ? WHERE id = ?", Values(objects, bytes, job.id));
}

// Returns what each domain has brought. Seeds elsewhere count for the domain whose configuration has them.
Result<std::map<std::string, DomainResult, std::less<>>> by_member(Connection& c, int64_t job,
                                                                   const std::vector<DomainResult>& results) {
  std::map<std::string, std::string, std::less<>> others;
  const auto file = job_file(c, job, kSeedDomains);
  if (!file && file.error().code != ErrorCode::not_found) return std::unexpected(file.error());
  if (file)
    for (const std::string_view line : split(*file, '\n'))
      if (const size_t at = line.find(' '); at != std::string_view::npos)
        others.emplace(line.substr(0, at), line.substr(at + 1));
  std::map<std::string, DomainResult, std::less<>> given;
  for (const DomainResult& result : results) {
    const auto other = others.find(result.domain);
    const std::string& domain = other == others.end() ? result.domain : other->second;
    const auto [known, is_new] = given.emplace(domain, result);
    if (is_new) continue;
    known->second.objects += result.objects;
    known->second.bytes += result.bytes;
    if (known->second.reason == StopReason::completed) known->second.reason = result.reason;
  }
  return given;
}

Result<void> record_results(Connection& c, const Job& job, const JobEnd& end, StopReason otherwise, int64_t now) {
  if (job.care.patches) return record_patch(c, job, end);
  TRY(const auto limits,
      c.row("SELECT max_objects, max_bytes FROM definitions WHERE id = ?", Values(job.definition_id)));
  // Limits that somebody has given the job while it ran count instead.
  const Limits harvest = has_live_limits(job) ? job.shape.limits : Limits{limits->number(0), limits->number(1)};
  TRY(Members members, members_of(c, job.id));
  TRY(const auto given, by_member(c, job.id, end.results));
  std::vector<Values> rows;
  int64_t objects = 0, bytes = 0;
  for (const auto& [domain, member] : members) {
    const auto found = given.find(domain);
    DomainResult result = found == given.end() ? DomainResult{domain, 0, 0, otherwise} : found->second;
    result.reason = reason_of(result.reason, member.own, harvest);
    objects += result.objects;
    bytes += result.bytes;
    rows.emplace_back(job.id, job.definition_id, job.run, member.domain, member.configuration, result.objects,
                      result.bytes, name_of(result.reason), now);
    TRY_VOID(remember(c, member.configuration, result));
  }
  TRY_VOID(
      c.insert_all("INSERT INTO results (job_id, definition_id, run, domain_id, configuration_id, objects, bytes, "
                   "stop_reason, time) VALUES",
                   rows));
  return c.execute("UPDATE jobs SET objects = ?, bytes = ? WHERE id = ?", Values(objects, bytes, job.id));
}

std::string job_name(int64_t job) { return std::to_string(job); }

// Where that is which a job has brought whose harvester is lost.
std::string left_with(const Job& job) {
  return fmt::format("what it has brought is with harvester {}, in jobs/{} of its folder, until that is heard of again",
                     job.harvester.empty() ? job.care.left_by : job.harvester, job.id);
}

// A job that another has taken up, or that people have rejected: where its files are is told all the same.
Result<void> keep_files_in_mind(Connection& c, const Job& job, const JobEnd& end) {
  if (end.errors.upload.empty()) return {};
  // They are no longer where they were when the harvester was lost.
  return c.execute(
      "UPDATE jobs SET upload_error = ?, upload_details = ?, harvest_details = CASE WHEN harvest_details = ? THEN '' "
      "ELSE harvest_details END WHERE id = ? AND upload_error = ''",
      Values(end.errors.upload, end.errors.upload_details, left_with(job), job.id));
}

// A job that was given up, and whose harvester came back: it has failed for the same reason, but has what it brought.
Result<void> end_late(Connection& c, const Job& job, const JobEnd& end, StopReason otherwise, int64_t now) {
  if (!job.exit.empty() || end.exit.empty()) return keep_files_in_mind(c, job, end);
  const std::string who = !end.by.empty() ? end.by : job.harvester.empty() ? job.care.left_by : job.harvester;
  std::string words = end.errors.upload.empty()
                          ? fmt::format("its harvester {} has handed over files and results afterwards", who)
                          : fmt::format("its harvester {} has told its results afterwards", who);
  TRY_VOID(record_change(c, {who, now}, "job", job_name(job.id), words));
  if (!end.errors.harvest.empty()) words += fmt::format("; {}: {}", end.errors.harvest, end.errors.harvest_details);
  TRY_VOID(
      c.execute("UPDATE jobs SET harvest_details = ?, upload_error = ?, upload_details = ?, exit = ?, command = ?, "
                "harvester = ? WHERE id = ?",
                Values(words, end.errors.upload, end.errors.upload_details, end.exit, end.command, who, job.id)));
  TRY_VOID(c.execute("DELETE FROM results WHERE job_id = ?", Values(job.id)));
  return record_results(c, job, end, otherwise, now);
}

// The harvester is to end the crawl and to hand over what there is; the job fails when it has.
Result<void> stop_old_job(Connection& c, const Job& job, std::string_view why, const Edit& edit) {
  TRY_VOID(c.execute("UPDATE jobs SET wish = 'stop', harvest_error = ? WHERE id = ?", Values(why, job.id)));
  return record_change(c, edit, "job", job_name(job.id), fmt::format("is to stop: {}", why));
}

}  // namespace

bool has_live_limits(const Job& job) { return job.care.live_settings.starts_with("quota."); }

Result<Job> find_job(Connection& c, int64_t id) {
  TRY(const auto row, c.row(fmt::format("{} WHERE j.id = ?", kJob), Values(id)));
  if (!row) return fail(ErrorCode::not_found, fmt::format("there is no job {}", id));
  return job_of(*row);
}

Result<std::vector<Job>> list_jobs(Connection& c, const JobQuery& query) {
  std::string sql(kJob);
  Values values;
  std::vector<std::string> conditions;
  if (!query.states.empty()) {
    conditions.push_back(fmt::format("j.state IN ({})", question_marks(query.states.size())));
    for (const JobState state : query.states) values.add(name_of(state));
  }
  if (!query.definition.empty()) {
    conditions.emplace_back("d.name = ?");
    values.add(query.definition);
  }
  if (query.run) {
    conditions.emplace_back("j.run = ?");
    values.add(*query.run);
  }
  if (query.before > 0) {
    conditions.emplace_back("j.id < ?");
    values.add(query.before);
  }
  if (!conditions.empty()) sql += fmt::format(" WHERE {}", fmt::join(conditions, " AND "));
  values.add(query.limit);
  std::vector<Job> jobs;
  TRY_VOID(c.each(sql + " ORDER BY j.id DESC LIMIT ?", values, [&](const Row& row) { jobs.push_back(job_of(row)); }));
  return jobs;
}

Result<std::string> job_file(Connection& c, int64_t job, std::string_view name) {
  TRY(const auto row, c.row("SELECT text FROM job_files WHERE job_id = ? AND name = ?", Values(job, name)));
  if (!row) return fail(ErrorCode::not_found, fmt::format("job {} has no file '{}'", job, name));
  return row->text(0);
}

Result<std::string> crawl_yaml_of(Connection& c, const Job& job) {
  auto yaml = job_file(c, job.id, "crawl.yaml");
  if (yaml || yaml.error().code != ErrorCode::not_found) return yaml;
  return fail(
      ErrorCode::conflict,
      fmt::format("job {} has no settings of a crawl, as jobs have none that were imported from NetarchiveSuite: "
                  "activate its harvest '{}', or run it now, so that jobs are made anew",
                  job.id, job.definition));
}

Result<std::vector<std::string>> job_file_names(Connection& c, int64_t job) {
  std::vector<std::string> names;
  TRY_VOID(c.each("SELECT name FROM job_files WHERE job_id = ? ORDER BY name", Values(job),
                  [&](const Row& row) { names.push_back(row.text(0)); }));
  return names;
}

Result<std::optional<Job>> take_job(Connection& c, std::string_view harvester, const std::vector<std::string>& channels,
                                    int64_t now) {
  if (channels.empty()) return std::optional<Job>();
  Values values(name_of(JobState::created));
  for (const std::string& channel : channels) values.add(channel);
  TRY(const int64_t id,
      c.number(fmt::format("SELECT coalesce(min(j.id), 0) FROM jobs j JOIN channels h ON h.id = j.channel_id "
                           "WHERE j.state = ? AND h.name IN ({})",
                           question_marks(channels.size())),
               values));
  if (id == 0) return std::optional<Job>();
  TRY(const uint64_t taken,
      c.run("UPDATE jobs SET state = ?, submitted = ?, heard = ?, harvester = ? WHERE id = ? AND state = ?",
            Values(name_of(JobState::submitted), now, now, harvester, id, name_of(JobState::created))));
  // Another was faster: the transaction is tried again.
  if (taken == 0) return fail(ErrorCode::timeout, "the job was taken by another harvester");
  TRY(Job job, find_job(c, id));
  return std::optional<Job>(std::move(job));
}

Result<std::string> hear_of_job(Connection& c, int64_t id, std::string_view harvester, bool is_started,
                                std::string_view sample, int64_t now) {
  TRY(Job job, find_job(c, id));
  if (job.harvester.empty() && !job.care.left_by.empty() && job.state == JobState::started) {
    // It was taken for lost, and is back before another has the job: whoever reports on a job has locked its folder.
    TRY_VOID(
        c.execute("UPDATE jobs SET harvester = ?, left_by = CASE WHEN left_by = ? THEN '' ELSE left_by END, "
                  "left_why = '' WHERE id = ?",
                  Values(harvester, harvester, id)));
    job.harvester = harvester;
  }
  if (job.harvester != harvester || !is_running(job.state))
    return fail(ErrorCode::conflict, fmt::format("job {} is {}, and not with {}", id, name_of(job.state), harvester));
  TRY_VOID(see_harvester(c, harvester, now));
  const bool begins = is_started && job.state == JobState::submitted;
  TRY_VOID(c.execute("UPDATE jobs SET heard = ?, latest = ?, state = ?, started = ? WHERE id = ?",
                     Values(now, sample, name_of(is_started ? JobState::started : job.state),
                            begins ? std::optional(now) : job.times.started, id)));
  TRY(const int64_t last, c.number("SELECT coalesce(max(time), 0) FROM progress WHERE job_id = ?", Values(id)));
  if (!sample.empty() && now - last >= kSampleSeconds)
    TRY_VOID(c.execute("INSERT INTO progress (job_id, time, sample) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                       Values(id, now, sample)));
  return job.care.wish;
}

bool is_with(const Job& job, std::string_view harvester) {
  if (!job.harvester.empty()) return job.harvester == harvester;
  return job.care.left_by == harvester || (!job.care.had_by.empty() && job.care.had_by == harvester);
}

bool takes_delivery(const Job& job, std::string_view harvester) {
  return job.state <= JobState::failed && is_with(job, harvester);
}

Result<void> end_job(Connection& c, int64_t id, const JobEnd& end, StopReason otherwise, int64_t now) {
  TRY(const Job job, find_job(c, id));
  if (job.state > JobState::failed) return keep_files_in_mind(c, job, end);
  if (job.state == JobState::failed) return end_late(c, job, end, otherwise, now);
  if (job.state == JobState::done) return {};
  // A crawl that ended by itself, before it was stopped as too old, has all that it was to have.
  const bool is_cut = !job.errors.harvest.empty() && end.exit == "ABORTED";
  const JobState then = end.is_done && !is_cut ? JobState::done : JobState::failed;
  TRY_VOID(require_change(job, then));
  TRY_VOID(
      c.execute("UPDATE jobs SET state = ?, ended = ?, harvest_error = ?, harvest_details = ?, upload_error = ?, "
                "upload_details = ?, exit = ?, command = ?, wish = '' WHERE id = ?",
                Values(name_of(then), now, is_cut ? job.errors.harvest : end.errors.harvest, end.errors.harvest_details,
                       end.errors.upload, end.errors.upload_details, end.exit, end.command, id)));
  const bool is_unbegun = job.state == JobState::submitted && then == JobState::failed && end.exit.empty();
  return is_unbegun ? record_unbegun(c, job, now) : record_results(c, job, end, otherwise, now);
}

Result<int64_t> resubmit_job(Connection& c, int64_t id, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  if (!may_be_resubmitted(job.state))
    return fail(ErrorCode::conflict, fmt::format("job {} is {}: only a job that was submitted, or has failed, can be "
                                                 "resubmitted",
                                                 id, name_of(job.state)));
  TRY(const std::string yaml, crawl_yaml_of(c, job));
  const std::optional<int64_t> continues = job.state == JobState::failed ? std::optional(id) : job.continues;
  TRY(const int64_t made,
      c.number("INSERT INTO jobs (definition_id, run, channel_id, state, template_id, template_name, overrides, "
               "max_objects, "
               "max_bytes, max_seconds, expected, configurations, seed_count, created, harvester, wish, continues, "
               "patches, live_settings, harvest_error, harvest_details, upload_error, upload_details, command, exit, "
               "latest, "
               "verdict, verdict_note, objects, bytes) SELECT definition_id, run, channel_id, 'NEW', template_id, "
               "template_name, "
               "overrides, "
               "max_objects, max_bytes, max_seconds, expected, configurations, seed_count, CAST(? AS BIGINT), '', '', "
               "CAST(? AS BIGINT), patches, live_settings, '', '', '', '', '', '', '', '', '', 0, 0 FROM jobs WHERE id "
               "= ? RETURNING id",
               Values(edit.now, continues, id)));
  TRY_VOID(
      c.execute("INSERT INTO job_files (job_id, name, text) SELECT CAST(? AS BIGINT), name, text FROM job_files "
                "WHERE job_id = ?",
                Values(made, id)));
  // Changes that people made while it ran belong to the job, and hold for the crawl that takes its place from its start.
  TRY_VOID(c.execute(
      "UPDATE job_files SET text = ? WHERE job_id = ? AND name = 'crawl.yaml'",
      Values(renumbered(with_live_settings(yaml, job.care.live_settings), id, made, job.definition_id), made)));
  TRY_VOID(c.execute(
      "INSERT INTO job_configurations (job_id, configuration_id, domain_id, max_objects, max_bytes, expected) "
      "SELECT CAST(? AS BIGINT), configuration_id, domain_id, max_objects, max_bytes, expected "
      "FROM job_configurations WHERE job_id = ?",
      Values(made, id)));
  TRY_VOID(copy_added_traps(c, id, made));
  TRY_VOID(c.execute("UPDATE jobs SET state = ?, resubmitted_as = ? WHERE id = ?",
                     Values(name_of(JobState::resubmitted), made, id)));
  TRY_VOID(record_change(c, edit, "job", job_name(id), fmt::format("resubmitted as job {}", made)));
  return made;
}

Result<void> set_state(Connection& c, int64_t id, JobState state, std::string_view why, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  TRY_VOID(require_change(job, state));
  const bool is_unbegun = job.state < JobState::started && state >= JobState::done;
  const bool has_ended = is_unbegun || (state == JobState::failed && is_running(job.state));
  const std::string& who = job.harvester.empty() ? job.care.left_by : job.harvester;
  const std::string details =
      has_ended && job.state == JobState::started && !who.empty() ? left_with(job) : job.errors.harvest_details;
  TRY(const uint64_t changed,
      c.run("UPDATE jobs SET state = ?, harvest_error = CASE WHEN ? = '' THEN harvest_error ELSE ? END, "
            "harvest_details = ?, ended = CASE WHEN ? = 1 THEN ? ELSE ended END WHERE id = ? AND state = ?",
            Values(name_of(state), why, why, details, has_ended, edit.now, id, name_of(job.state))));
  // A harvester has taken it, or it has ended: the transaction is tried again.
  if (changed == 0) return fail(ErrorCode::timeout, fmt::format("job {} is no longer {}", id, name_of(job.state)));
  // A harvester that brings something all the same replaces these results.
  if (is_unbegun)
    TRY_VOID(record_unbegun(c, job, edit.now));
  else if (has_ended)
    TRY_VOID(record_results(c, job, JobEnd(), StopReason::unfinished, edit.now));
  FieldChanges changes;
  changes.add("state", name_of(job.state), name_of(state));
  return record_change(c, edit, "job", job_name(id), fmt::format("became {}: {}", name_of(state), why), changes);
}

Result<void> set_wish(Connection& c, int64_t id, std::string_view wish, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  if (!wish.empty() && wish != "pause" && wish != "stop")
    return fail(ErrorCode::config, "a job can be paused, resumed or stopped");
  if (!is_running(job.state))
    return fail(ErrorCode::conflict, fmt::format("job {} is {}: it does not run", id, name_of(job.state)));
  TRY_VOID(c.execute("UPDATE jobs SET wish = ? WHERE id = ?", Values(wish, id)));
  return record_change(c, edit, "job", job_name(id), wish.empty() ? "is to go on" : fmt::format("is to {}", wish));
}

Result<void> set_verdict(Connection& c, int64_t id, std::string_view verdict, std::string_view note, const Edit& edit) {
  TRY(const Job job, find_job(c, id));
  if (verdict != "" && verdict != "accepted" && verdict != "rejected")
    return fail(ErrorCode::config, "a job is accepted or rejected");
  if (job.state < JobState::done)
    return fail(ErrorCode::conflict,
                fmt::format("job {} is {}: what it brings can be judged when it has ended", id, name_of(job.state)));
  TRY_VOID(c.execute("UPDATE jobs SET verdict = ?, verdict_note = ? WHERE id = ?", Values(verdict, note, id)));
  FieldChanges changes;
  changes.add("verdict", job.verdict.first, verdict);
  changes.add("note", job.verdict.second, note);
  return record_change(c, edit, "job", job_name(id), fmt::format("{}: {}", verdict, note), changes);
}

Result<std::vector<std::string>> end_lost_jobs(Connection& c, int64_t silence, int64_t longest, int64_t since,
                                               bool may_be_taken_over, const Edit& edit) {
  JobQuery query;
  query.states = {JobState::submitted, JobState::started};
  query.limit = kMostRunning;
  TRY(const auto running, list_jobs(c, query));
  std::vector<std::string> told;
  for (const Job& job : running) {
    const bool is_left = job.harvester.empty() && !job.care.left_by.empty();
    const int64_t last = is_left ? job.care.left_at : job.times.heard.value_or(job.times.created);
    const int64_t quiet = edit.now - std::max(last, since);
    const bool is_silent = quiet > silence;
    const int64_t age = job.times.started ? edit.now - *job.times.started : 0;
    const bool is_old = longest > 0 && age > longest;
    const bool is_overdue = is_old && age > longest + kDelivery;
    const std::string too_long =
        fmt::format("it has run for longer than {}", format_duration(std::chrono::seconds(longest)));
    if (is_old && !is_silent && !is_overdue) {
      if (job.care.wish == "stop") continue;
      TRY_VOID(stop_old_job(c, job, too_long, edit));
      told.push_back(fmt::format("job {} is to stop: {}", job.id, too_long));
      continue;
    }
    if (!is_silent && !is_overdue) continue;
    if (job.state == JobState::submitted) {
      TRY_VOID(c.execute("UPDATE jobs SET harvest_error = ? WHERE id = ?",
                         Values(fmt::format("{} was not heard of again", job.harvester), job.id)));
      TRY(const int64_t made, resubmit_job(c, job.id, edit));
      told.push_back(
          fmt::format("job {} was resubmitted as {}: {} was not heard of again", job.id, made, job.harvester));
      continue;
    }
    if (may_be_taken_over && !is_left && !is_overdue) {
      const std::string lost = fmt::format("nothing was heard of harvester {} for {}", job.harvester,
                                           format_duration(std::chrono::seconds(quiet)));
      TRY_VOID(leave_job(c, job, lost, edit));
      told.push_back(fmt::format("job {} waits for another harvester: {}", job.id, lost));
      continue;
    }
    const std::string why = is_left      ? fmt::format("harvester {} was lost, and no other has taken the job over: {}",
                                                       job.care.left_by, job.care.left_why)
                            : is_overdue ? too_long
                                         : fmt::format("nothing was heard of harvester {} for {}", job.harvester,
                                                       format_duration(std::chrono::seconds(quiet)));
    TRY_VOID(set_state(c, job.id, JobState::failed, why, edit));
    told.push_back(fmt::format("job {} has failed: {}", job.id, why));
  }
  return told;
}

Result<std::vector<ResultLine>> list_results(Connection& c, const ResultQuery& query) {
  std::string sql =
      "SELECT r.id, r.job_id, r.run, f.name, d.name, g.name, r.objects, r.bytes, r.time, r.stop_reason FROM results r "
      "JOIN definitions f ON f.id = r.definition_id JOIN domains d ON d.id = r.domain_id "
      "JOIN configurations g ON g.id = r.configuration_id WHERE r.id > ?";
  Values values(query.after);
  const auto add = [&](std::string_view condition, const auto& value) {
    sql += fmt::format(" AND {} = ?", condition);
    values.add(value);
  };
  if (query.job) add("r.job_id", *query.job);
  if (!query.domain.empty()) add("d.name", query.domain);
  if (!query.definition.empty()) add("f.name", query.definition);
  if (query.run) add("r.run", *query.run);
  if (query.reason) add("r.stop_reason", std::string(name_of(*query.reason)));
  if (query.before.value_or(0) > 0) {
    sql += " AND r.id < ?";
    values.add(*query.before);
  }
  values.add(query.limit);
  std::vector<ResultLine> lines;
  TRY_VOID(c.each(sql + (query.before ? " ORDER BY r.id DESC LIMIT ?" : " ORDER BY r.id LIMIT ?"), values,
                  [&](const Row& row) {
                    ResultLine& line = lines.emplace_back();
                    line.id = row.number(0);
                    line.job = row.number(1);
                    line.run = row.number(2);
                    line.definition = row.text(3);
                    line.domain = row.text(4);
                    line.configuration = row.text(5);
                    line.objects = row.number(6);
                    line.bytes = row.number(7);
                    line.time = row.number(8);
                    line.reason = reason_named(row.text(9)).value_or(StopReason::unfinished);
                  }));
  return lines;
}

Result<void> record_file(Connection& c, const StoredFile& file, int64_t now) {
  return c.execute(
      "INSERT INTO stored_files (job_id, name, kind, bytes, sha256, time) VALUES (?, ?, ?, ?, ?, ?) "
      "ON CONFLICT (job_id, name) DO UPDATE SET bytes = excluded.bytes, sha256 = excluded.sha256, "
      "time = excluded.time",
      Values(file.job, file.name, file.kind, file.bytes, file.sha256, now));
}

Result<std::vector<StoredFile>> stored_files(Connection& c, int64_t job, std::string_view kind) {
  std::vector<StoredFile> files;
  TRY_VOID(c.each("SELECT job_id, name, kind, bytes, sha256 FROM stored_files WHERE job_id = ? ORDER BY name",
                  Values(job), [&](const Row& row) {
                    if (kind.empty() || row.text(2) == kind)
                      files.push_back({row.number(0), row.text(1), row.text(2), row.number(3), row.text(4)});
                  }));
  return files;
}

Result<void> hear_of_harvester(Connection& c, const HarvesterState& one, int64_t now) {
  TRY_VOID(check_name(one.name, "harvester"));
  return c.execute(
      "INSERT INTO harvesters (name, channels, host, version, free_bytes, seen, job_id, state) "
      "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET channels = excluded.channels, "
      "host = excluded.host, version = excluded.version, free_bytes = excluded.free_bytes, "
      "seen = excluded.seen, job_id = excluded.job_id, state = excluded.state",
      Values(one.name, fmt::format("{}", fmt::join(one.channels, ",")), one.host, one.version, one.free_bytes, now,
             one.job, one.state));
}

Result<void> see_harvester(Connection& c, std::string_view name, int64_t now) {
  return c.execute("UPDATE harvesters SET seen = ? WHERE name = ?", Values(now, name));
}

Result<std::vector<HarvesterState>> list_harvesters(Connection& c) {
  std::vector<HarvesterState> all;
  TRY_VOID(c.each("SELECT name, channels, host, version, free_bytes, seen, job_id, state FROM harvesters ORDER BY name",
                  Values(), [&](const Row& row) {
                    HarvesterState& one = all.emplace_back();
                    one.name = row.text(0);
                    const std::string channels = row.text(1);
                    for (const std::string_view channel : split(channels, ','))
                      if (!channel.empty()) one.channels.emplace_back(channel);
                    one.host = row.text(2);
                    one.version = row.text(3);
                    one.free_bytes = row.number(4);
                    one.seen = row.number(5);
                    one.job = row.maybe_number(6);
                    one.state = row.text(7);
                  }));
  return all;
}

Result<void> remove_harvester(Connection& c, std::string_view name, int64_t since, const Edit& edit) {
  TRY(const auto row, c.row("SELECT seen FROM harvesters WHERE name = ?", Values(name)));
  if (!row) return fail(ErrorCode::not_found, fmt::format("there is no harvester '{}'", name));
  TRY(const uint64_t removed, c.run("DELETE FROM harvesters WHERE name = ? AND seen < ?", Values(name, since)));
  if (removed == 0)
    return fail(ErrorCode::conflict, fmt::format("the harvester '{}' was heard of at {}: only one that is lost can be "
                                                 "removed",
                                                 name, rfc3339(WallTime(std::chrono::seconds(row->number(0))))));
  return record_change(c, edit, "harvester", name, "removed");
}

Result<bool> is_channel_served(Connection& c, std::string_view channel, int64_t since) {
  TRY(const auto all, list_harvesters(c));
  return std::ranges::any_of(all, [&](const HarvesterState& one) {
    return one.seen >= since && std::ranges::count(one.channels, channel) > 0;
  });
}

}  // namespace caddis::harvest
