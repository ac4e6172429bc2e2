// The questions of harvesters. A harvester says its name in the path; the gate says whether it may.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/engine/byte_range.h"
#include "caddis/engine/file_answer.h"
#include "caddis/harvest/earlier_jobs.h"
#include "caddis/harvest/handover.h"
#include "caddis/harvest/harvest_info.h"
#include "caddis/harvest/questions.h"
#include "caddis/harvest/withdrawal.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/keeper.h"
#include "caddis/harvestserver/routes.h"

namespace caddis::harvestserver {
namespace {

using sql::Connection;

constexpr int kMostUnfit = 100;           // jobs of which no order can be made, in one transaction
constexpr uint64_t kMostPart = 32 << 20;  // of a file from a replica, in one answer

// Whoever was last heard of before then is lost.
int64_t lost_before(const Call& call) {
  return call.parts.now() -
         std::chrono::duration_cast<std::chrono::seconds>(call.parts.settings.harvest.lost_after).count();
}

Answer list(const Call& call) {
  TRY(auto all, call.parts.database.read(harvest::list_harvesters));
  std::vector<std::string> rows;
  for (harvest::HarvesterState& one : all) {
    if (one.seen < lost_before(call)) one.state = "lost";
    rows.push_back(to_json(one));
  }
  return json_answer(json_page("harvesters", rows, ""));
}

Answer hello(const Call& call) {
  TRY(harvest::HarvesterState one, read_harvester(call.body()));
  one.name = call.segment("harvester");
  TRY_VOID(call.parts.database.transact([&](Connection& c) -> Result<void> {
    for (const std::string& channel : one.channels) TRY_VOID(harvest::find_channel(c, channel));
    if (one.channels.empty()) {
      TRY(const auto all, harvest::list_channels(c));
      for (const harvest::Channel& channel : all) one.channels.push_back(channel.name);
    }
    return harvest::hear_of_harvester(c, one, call.parts.now());
  }));
  return json_answer(JsonObject().add_raw("channels", json_list(one.channels)).finish());
}

Answer remove(const Call& call) {
  TRY_VOID(call.parts.database.transact([&](Connection& c) {
    return harvest::remove_harvester(c, call.segment("harvester"), lost_before(call), call.edit());
  }));
  return json_answer("{}");
}

Result<std::vector<EarlierFile>> earlier_files(Connection& c, const harvest::Job& job) {
  std::vector<EarlierFile> files;
  TRY(const auto jobs, harvest::earlier_jobs(c, job.id));
  for (const int64_t number : jobs) {
    TRY(const auto stored, harvest::stored_files(c, number, "digests"));
    for (const harvest::StoredFile& file : stored) files.push_back({file.job, file.name, file.sha256, file.bytes});
  }
  return files;
}

// The organization of the settings, if somebody has named it.
std::string performer_of(const HarvestSettings& settings) {
  return settings.organization == HarvestSettings().organization ? std::string() : settings.organization;
}

// A job of which no order can be made has failed: it is not to stand before all others of its channel.
Result<std::optional<harvest::Job>> take_new(const Call& call, Connection& c,
                                             const std::vector<std::string>& channels) {
  for (int tried = 0; tried < kMostUnfit; ++tried) {
    TRY(auto job, harvest::take_job(c, call.segment("harvester"), channels, call.parts.now()));
    if (!job) return job;
    const auto made = harvest::write_harvest_info(c, *job, performer_of(call.parts.settings.harvest));
    if (made) return job;
    const ErrorCode code = made.error().code;
    if (code != ErrorCode::not_found && code != ErrorCode::parse && code != ErrorCode::config)
      return std::unexpected(made.error());
    TRY_VOID(harvest::fail_job(c, job->id,
                               fmt::format("it could not be given to a harvester: {}", made.error().message),
                               {call.segment("harvester"), call.parts.now()}));
  }
  return std::optional<harvest::Job>();
}

Answer take(const Call& call) {
  TRY_VOID(harvest::check_name(call.segment("harvester"), "harvester"));
  TRY(const harvest::HarvesterState given, read_harvester(call.body()));
  TRY(std::string json, call.parts.database.write([&](Connection& c) -> Result<std::string> {
    const std::string& shared = call.parts.settings.harvest.shared;
    std::optional<harvest::Job> job;
    if (!shared.empty()) {
      TRY(job, harvest::take_over_job(c, call.segment("harvester"), given.channels, call.parts.now()));
    }
    if (!job) {
      TRY(job, take_new(call, c, given.channels));
    }
    if (!job) return std::string("{}");
    Order order;
    order.job = job->id;
    order.definition = job->definition_id;
    order.run = job->run;
    order.definition_name = job->definition;
    order.channel = job->channel;
    order.left_by = job->care.left_by;
    if (!job->care.left_by.empty()) order.folder = fmt::format("{}/{}/jobs", shared, job->care.left_by);
    order.organization = call.parts.settings.harvest.organization;
    TRY(order.files, harvest::job_file_names(c, job->id));
    TRY(order.earlier, earlier_files(c, *job));
    return to_json(order);
  }));
  return json_answer(std::move(json));
}

Answer progress(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY(const GivenProgress given, read_progress(call.body()));
  TRY(std::string json, call.parts.database.write([&](Connection& c) -> Result<std::string> {
    TRY_VOID(harvest::hear_of_job(c, job, call.segment("harvester"), given.is_started,
                                  given.sample == "null" ? "" : given.sample, call.parts.now()));
    TRY(const auto wishes, harvest::wishes_for(c, job, call.segment("harvester"), call.parts.now()));
    return to_json(wishes);
  }));
  return json_answer(std::move(json));
}

Answer tell_wishes(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY(const auto wishes, call.parts.database.read([&](Connection& c) {
    return harvest::wishes_for(c, job, call.segment("harvester"), call.parts.now());
  }));
  return json_answer(to_json(wishes));
}

Answer give_back(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY(const std::string why, read_text(call.body(), "why"));
  TRY_VOID(call.parts.database.transact(
      [&](Connection& c) { return harvest::give_back_job(c, job, call.segment("harvester"), why, call.parts.now()); }));
  return json_answer("{}");
}

// The harvester has to have the job; if that has ended, to be the last that had it.
Result<void> require_own(const Call& call, int64_t id) {
  TRY(const auto job, call.parts.database.read([&](Connection& c) { return harvest::find_job(c, id); }));
  if (harvest::is_with(job, call.segment("harvester"))) return {};
  return fail(ErrorCode::denied, fmt::format("job {} is not of this harvester", id));
}

Result<void> require_delivery(const Call& call, int64_t id) {
  TRY(const auto job, call.parts.database.read([&](Connection& c) { return harvest::find_job(c, id); }));
  if (harvest::takes_delivery(job, call.segment("harvester"))) return {};
  if (!harvest::is_with(job, call.segment("harvester")))
    return fail(ErrorCode::denied, fmt::format("job {} is not of this harvester", id));
  return fail(ErrorCode::conflict, fmt::format("job {} is {}: it takes no files any more", id, name_of(job.state)));
}

Answer tell_state(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const auto job, call.parts.database.read([&](Connection& c) { return harvest::find_job(c, id); }));
  return json_answer(JsonObject()
                         .add("job", id)
                         .add("state", name_of(job.state))
                         .add("takes_files", harvest::takes_delivery(job, call.segment("harvester")))
                         .finish());
}

Answer read_own_file(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY_VOID(require_own(call, job));
  TRY(std::string text,
      call.parts.database.read([&](Connection& c) { return harvest::job_file(c, job, call.segment("name")); }));
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.body = std::move(text);
  return response;
}

// A deletion is on record as soon as its number is known.
Result<void> record_deletion(Connection& c, int64_t job, const harvest::CrawlQuestion& question,
                             const harvest::CrawlAnswer& given, int64_t now) {
  TRY(const DeletionOrder order, read_deletion(question.text));
  if (order.dry) return {};
  const Deleted deleted = read_deleted(given.text);
  const std::string what = given.problem.empty()
                               ? fmt::format("deleted {}{} {} from its frontier", deleted.at_least ? "at least " : "",
                                             deleted.urls, in_words(order))
                               : fmt::format("was to delete {} from its frontier: {}", in_words(order), given.problem);
  return harvest::record_change(c, {order.actor, now}, "job", std::to_string(job), what);
}

Answer answer(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY(const int64_t question, call.number("question"));
  TRY_VOID(require_own(call, job));
  TRY(const harvest::CrawlAnswer given, read_answer(call.body()));
  TRY_VOID(call.parts.database.transact([&](Connection& c) -> Result<void> {
    TRY(const auto open, harvest::open_question(c, job, question));
    if (open && open->kind == "delete") TRY_VOID(record_deletion(c, job, *open, given, call.parts.now()));
    return harvest::answer_question(c, job, question, given, call.parts.now());
  }));
  return json_answer("{}");
}

Answer hear_of_question(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY(const int64_t question, call.number("question"));
  TRY_VOID(require_own(call, job));
  TRY(const int64_t done, read_done(call.body()));
  TRY_VOID(call.parts.database.transact(
      [&](Connection& c) { return harvest::hear_of_question(c, job, question, done, call.parts.now()); }));
  return json_answer("{}");
}

Answer end(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY_VOID(require_own(call, job));
  TRY(GivenEnd given, read_end(call.body()));
  given.end.by = call.segment("harvester");
  TRY_VOID(call.parts.database.transact(
      [&](Connection& c) { return harvest::end_job(c, job, given.end, given.otherwise, call.parts.now()); }));
  call.parts.look_now();
  return json_answer("{}");
}

Answer tell_received(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY(const uint64_t size, call.parts.store.received(job, call.segment("file")));
  return json_answer(JsonObject().add("bytes", size).finish());
}

// A harvester that sends or fetches files says nothing else meanwhile.
Result<void> hear(const Call& call) {
  return call.parts.database.transact(
      [&](Connection& c) { return harvest::hear_of_work(c, call.segment("harvester"), call.parts.now()); });
}

Answer receive(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY_VOID(require_delivery(call, job));
  TRY(const int64_t at, call.parameter("at", 0));
  TRY_VOID(hear(call));
  TRY(const uint64_t size, call.parts.store.add(job, call.segment("file"), static_cast<uint64_t>(at), call.body()));
  return json_answer(JsonObject().add("bytes", size).finish());
}

Answer finish(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY_VOID(require_delivery(call, job));
  const std::string& name = call.segment("file");
  const std::string kind = call.parameters.text("kind"), sha256 = call.parameters.text("sha256");
  TRY_VOID(call.parts.store.finish(job, name, kind, sha256));
  TRY(const std::string path, call.parts.store.path_of(kind, name));
  TRY(const auto file, call.parts.files.open_read(path));
  TRY(const uint64_t size, file->size());
  TRY_VOID(call.parts.database.transact([&](Connection& c) {
    return harvest::record_file(c, {job, name, kind, static_cast<int64_t>(size), sha256}, call.parts.now());
  }));
  return json_answer("{}");
}

Answer answer_stored(const Call& call, std::string_view kind) {
  TRY(const int64_t job, call.number("job"));
  const std::string& name = call.segment("file");
  TRY(const auto files, call.parts.database.read([&](Connection& c) { return harvest::stored_files(c, job, kind); }));
  for (const harvest::StoredFile& file : files) {
    if (file.name != name) continue;
    TRY(const std::string path, call.parts.store.path_of(file.kind, file.name));
    return engine::answer_file(call.parts.files, path, call.request);
  }
  return fail(ErrorCode::not_found, fmt::format("job {} has stored no file '{}'", job, name));
}

Answer read_stored(const Call& call) { return answer_stored(call, ""); }

// From a replica, if the archive's own file is not whole.
Answer read_copy(const Call& call, int64_t copy) {
  const size_t stores = call.parts.keeper == nullptr ? 1 : call.parts.keeper->names().size();
  if (copy < 0 || copy >= static_cast<int64_t>(stores))
    return fail(ErrorCode::parse, fmt::format("there is no copy {}: {} stores keep the file", copy, stores));
  TRY(const int64_t job, call.number("job"));
  TRY(const auto files,
      call.parts.database.read([&](Connection& c) { return harvest::stored_files(c, job, "digests"); }));
  const auto file = std::ranges::find(files, call.segment("file"), &harvest::StoredFile::name);
  if (file == files.end())
    return fail(ErrorCode::not_found, fmt::format("job {} has stored no file '{}'", job, call.segment("file")));
  const auto size = static_cast<uint64_t>(file->bytes);
  const auto part = engine::part_of(call.request.header("range"), size);
  if (!part) return fail(ErrorCode::parse, fmt::format("'{}' has {} bytes", file->name, size));
  const KeptFile kept{file->name, file->kind, file->sha256, size};
  http::ServerResponse response(part->is_whole ? 200 : 206);
  response.headers.emplace_back("Content-Type", "application/octet-stream");
  if (!part->is_whole)
    response.headers.emplace_back("Content-Range",
                                  fmt::format("bytes {}-{}/{}", part->begin, part->begin + part->size - 1, size));
  TRY(response.body,
      call.parts.keeper->read_part(static_cast<size_t>(copy), kept, part->begin, std::min(part->size, kMostPart)));
  return response;
}

// Jobs need what earlier ones have stored only to know it again.
Answer read_earlier(const Call& call) {
  TRY_VOID(hear(call));
  TRY(const int64_t copy, call.parameter("copy", 0));
  return copy == 0 ? answer_stored(call, "digests") : read_copy(call, copy);
}

Answer hear_of_earlier(const Call& call) {
  TRY(const int64_t job, call.number("job"));
  TRY_VOID(require_own(call, job));
  TRY(const harvest::EarlierTrouble trouble, read_earlier_trouble(call.body()));
  log_warn("harvest", "job {}: {}", job, trouble.words);
  TRY_VOID(call.parts.database.transact([&](Connection& c) {
    return harvest::bear_earlier_trouble(c, job, trouble, {call.segment("harvester"), call.parts.now()});
  }));
  return json_answer("{}");
}

constexpr Route kRoutes[] = {
    {"GET", "/api/harvesters", "", list},
    {"POST", "/api/harvesters/{harvester}", "", hello},
    {"DELETE", "/api/harvesters/{harvester}", "", remove, access::Role::manager},
    {"POST", "/api/harvesters/{harvester}/take", "", take},
    {"POST", "/api/harvesters/{harvester}/jobs/{job}/progress", "", progress},
    {"GET", "/api/harvesters/{harvester}/jobs/{job}", "", tell_state},
    {"GET", "/api/harvesters/{harvester}/jobs/{job}/wishes", "", tell_wishes},
    {"GET", "/api/harvesters/{harvester}/jobs/{job}/files/{name}", "", read_own_file},
    {"POST", "/api/harvesters/{harvester}/jobs/{job}/answers/{question}", "", answer},
    {"POST", "/api/harvesters/{harvester}/jobs/{job}/questions/{question}", "", hear_of_question},
    {"POST", "/api/harvesters/{harvester}/jobs/{job}/give-back", "", give_back},
    {"POST", "/api/harvesters/{harvester}/jobs/{job}/end", "", end},
    {"GET", "/api/harvesters/{harvester}/jobs/{job}/store/{file}", "", tell_received},
    {"PUT", "/api/harvesters/{harvester}/jobs/{job}/store/{file}", "at", receive},
    {"POST", "/api/harvesters/{harvester}/jobs/{job}/store/{file}", "kind sha256", finish},
    {"POST", "/api/harvesters/{harvester}/jobs/{job}/earlier", "", hear_of_earlier},
    {"GET", "/api/harvesters/{harvester}/stored/{job}/{file}", "copy", read_earlier},
    {"GET", "/api/jobs/{job}/stored/{file}", "", read_stored},
};

}  // namespace

std::span<const Route> harvester_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
