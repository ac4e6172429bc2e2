// How a job is looked into: its crawl while it runs, its logs and reports, what it has missed, and what is done about that.

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "caddis/base/json_text.h"
#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/engine/file_answer.h"
#include "caddis/harvest/job_records.h"
#include "caddis/harvest/live_settings.h"
#include "caddis/harvest/metadata_file.h"
#include "caddis/harvest/patch.h"
#include "caddis/harvestserver/json.h"
#include "caddis/harvestserver/routes.h"
#include "caddis/reports/report.h"
#include "caddis/wacz/zip_writer.h"

namespace caddis::harvestserver {
namespace {

using sql::Connection;

constexpr uint64_t kMostText = 64 << 20;

Result<std::vector<harvest::StoredFile>> metadata_files(const Call& call, int64_t id) {
  return call.parts.database.read([&](Connection& c) -> Result<std::vector<harvest::StoredFile>> {
    TRY_VOID(harvest::find_job(c, id));
    return harvest::stored_files(c, id, "metadata");
  });
}

// The metadata file of a job that has ended, unpacked.
Result<UnpackedJobs::InUse> metadata_of(const Call& call, int64_t id) {
  TRY(const auto files, metadata_files(call, id));
  if (files.empty())
    return fail(ErrorCode::conflict,
                fmt::format("job {} has delivered no metadata file (yet): nothing tells of it", id));
  TRY(const std::string path, call.parts.store.path_of(files.front().kind, files.front().name));
  return call.parts.unpacked.of(path);
}

Result<bool> is_crawling(const Call& call, int64_t id) {
  TRY(const auto job, call.parts.database.read([&](Connection& c) { return harvest::find_job(c, id); }));
  return job.state == harvest::JobState::started;
}

bool is_word(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '-' || c == '.' || c == '_'; });
}

Answer list_queues(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const int64_t limit, call.parameter("limit", 100));
  const std::string by = call.parameters.text("by");
  if (!by.empty() && !is_word(by)) return fail(ErrorCode::parse, "by is one of size, wait, failures");
  return ask_crawl(call, id, "queues",
                   to_json(ReportQuestion{fmt::format("/queues?by={}&limit={}", by.empty() ? "size" : by, limit)}));
}

Result<harvest::JobRecord> report_of(const Call& call, const UnpackedJobs::InUse& job, std::string_view given) {
  TRY(auto records, harvest::list_records(call.parts.files, job));
  std::erase_if(records, [](const harvest::JobRecord& one) { return one.kind != "reports"; });
  for (const std::string& full : reports::names_meant(given))
    if (const auto found = std::ranges::find(records, full + ".txt", &harvest::JobRecord::name); found != records.end())
      return std::move(*found);
  std::string names;
  for (const harvest::JobRecord& one : records) names += fmt::format("{}{}", names.empty() ? "" : ", ", one.name);
  return fail(ErrorCode::not_found,
              fmt::format("the job has kept no report '{}'; it has kept: {}", given, names.empty() ? "none" : names));
}

Answer read_report(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  const std::string& name = call.segment("name");
  if (!is_word(name)) return fail(ErrorCode::parse, fmt::format("'{}' is no name of a report", name));
  TRY(const bool crawls, is_crawling(call, id));
  if (crawls)
    return ask_crawl(call, id, "report", to_json(ReportQuestion{fmt::format("/reports/{}?limit=1000", name)}));
  TRY(const auto job, metadata_of(call, id));
  TRY(const auto record, report_of(call, job, name));
  TRY(const std::string text, harvest::read_job_record(call.parts.files, job, record, kMostText));
  return json_answer(JsonObject().add("name", name).add("text", text).finish());
}

Answer search_log(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  LogQuestion question;
  question.name = call.parameters.contains("name") ? call.parameters.text("name") : "crawl.log";
  question.match = call.parameters.text("match");
  question.reverse = call.parameters.text("reverse") == "1";
  if (!is_word(question.name)) return fail(ErrorCode::parse, fmt::format("'{}' is no name of a log", question.name));
  TRY(question.limit, call.parameter("limit", 100));
  if (const auto from = call.parameters.find("from")) {
    question.from = parse_int(*from);
    if (!question.from || *question.from < 0) return fail(ErrorCode::parse, "from is where the page before has ended");
  }
  TRY(const bool crawls, is_crawling(call, id));
  if (crawls) return ask_crawl(call, id, "log", to_json(question));
  TRY(const auto job, metadata_of(call, id));
  harvest::LineQuery query;
  query.match = question.match;
  query.after = static_cast<uint64_t>(question.from.value_or(0));
  query.limit = static_cast<size_t>(question.limit);
  TRY(const auto page, harvest::search_log(call.parts.files, job, question.name, query));
  return json_answer(to_json(page));
}

Answer list_records(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const auto job, metadata_of(call, id));
  TRY(const auto records, harvest::list_records(call.parts.files, job));
  std::vector<std::string> rows;
  for (const harvest::JobRecord& record : records) rows.push_back(to_json(record));
  return json_answer(json_page("records", rows, ""));
}

Answer read_record(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const auto job, metadata_of(call, id));
  TRY(const auto record, harvest::find_record(call.parts.files, job, call.segment("kind"), call.segment("name")));
  // The whole of it, however large, or a part.
  if (!record.unpacked.empty()) return engine::answer_file(call.parts.files, record.unpacked, call.request);
  TRY(std::string text, harvest::read_job_record(call.parts.files, job, record, kMostText));
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
  response.body = std::move(text);
  return response;
}

// As it is kept, for those who want all of it at once.
Answer read_metadata_file(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const auto files, metadata_files(call, id));
  const std::string& name = call.segment("name");
  const auto file = std::ranges::find(files, name, &harvest::StoredFile::name);
  if (file == files.end())
    return fail(ErrorCode::not_found, fmt::format("job {} has no metadata file '{}'", id, visible(name)));
  TRY(const std::string path, call.parts.store.path_of(file->kind, file->name));
  auto answer = engine::answer_file(call.parts.files, path, call.request);
  if (answer)
    answer->headers.emplace_back("Content-Disposition", fmt::format("attachment; filename=\"{}\"", file->name));
  return answer;
}

// All documents in one file that every system opens. It is made beside what was unpacked, and goes with it.
Answer read_all_documents(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const auto job, metadata_of(call, id));
  const std::string path = job.folder + "/documents.zip";
  // One at a time: two of one job would write into one file.
  static std::mutex making;
  std::unique_lock lock(making);
  if (!call.parts.files.exists(path)) {
    TRY(const auto records, harvest::list_records(call.parts.files, job));
    TRY(const auto zip, wacz::ZipWriter::create(call.parts.files, path, call.parts.clock.wall()));
    for (const harvest::JobRecord& record : records) {
      const std::string name = fmt::format("{}/{}", record.kind, record.name);
      if (record.unpacked.empty()) {
        TRY(const std::string text, harvest::read_job_record(call.parts.files, job, record, kMostText));
        TRY_VOID(zip->add(name, text));
      } else {
        TRY(const auto file, call.parts.files.open_read(record.unpacked));
        TRY_VOID(zip->add_file(name, *file));
      }
    }
    TRY_VOID(zip->finish());
  }
  lock.unlock();
  auto answer = engine::answer_file(call.parts.files, path, call.request);
  if (answer)
    answer->headers.emplace_back("Content-Disposition",
                                 fmt::format("attachment; filename=\"job-{}-documents.zip\"", id));
  return answer;
}

Answer list_missed(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const auto job, metadata_of(call, id));
  harvest::MissedQuery query;
  query.with_links = call.parameters.text("links") == "1";
  TRY(const int64_t limit, call.parameter("limit", 1000));
  query.limit = static_cast<size_t>(limit);
  query.after = call.parameters.text("after");
  TRY(const auto missed, harvest::missed_urls(call.parts.files, job, query));
  std::vector<std::string> rows;
  for (const harvest::MissedUrl& one : missed.urls) rows.push_back(to_json(one));
  return json_answer(json_page("missed", rows, missed.has_more ? missed.urls.back().url : ""));
}

Answer job_json(const Call& call, int64_t id) {
  TRY(const auto job, call.parts.database.read([&](Connection& c) { return harvest::find_job(c, id); }));
  return json_answer(job_json_for(call, job));
}

Answer patch(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const GivenUrls given, read_urls(call.body()));
  TRY(const int64_t made,
      call.parts.database.write([&](Connection& c) { return harvest::patch_job(c, id, given.urls, call.edit()); }));
  return job_json(call, made);
}

Answer collect(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const GivenUrls given, read_urls(call.body()));
  TRY(const auto collected, call.parts.database.write([&](Connection& c) {
    return harvest::collect_seeds(c, id, given.urls, given.list, call.edit());
  }));
  return json_answer(to_json(collected));
}

Answer change_limits(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY_VOID(require_steering(call, id));
  TRY(const GivenLimits given, read_limits(call.body()));
  TRY_VOID(call.parts.database.transact([&](Connection& c) -> Result<void> {
    TRY(const harvest::Job job, harvest::find_job(c, id));
    const harvest::Limits limits{given.max_objects.value_or(job.shape.limits.objects),
                                 given.max_bytes.value_or(job.shape.limits.bytes)};
    return harvest::set_limits(c, id, limits, given.max_seconds.value_or(job.shape.max_seconds), call.edit());
  }));
  return job_json(call, id);
}

Answer add_traps(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY_VOID(require_steering(call, id));
  TRY(const std::string traps, read_text(call.body(), "traps"));
  TRY(const int64_t added,
      call.parts.database.write([&](Connection& c) { return harvest::add_traps(c, id, traps, call.edit()); }));
  return json_answer(JsonObject().add("added", added).finish());
}

Answer list_traps(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY(const auto traps, call.parts.database.read([&](Connection& c) { return harvest::traps_of(c, id); }));
  std::vector<std::string> rows;
  for (const harvest::JobTrap& trap : traps) rows.push_back(to_json(trap));
  return json_answer(json_page("traps", rows, ""));
}

Answer take_back_traps(const Call& call) {
  TRY(const int64_t id, call.number("job"));
  TRY_VOID(require_steering(call, id));
  TRY(const std::string traps, read_text(call.body(), "traps"));
  TRY(const int64_t gone,
      call.parts.database.write([&](Connection& c) { return harvest::take_back_traps(c, id, traps, call.edit()); }));
  return json_answer(JsonObject().add("taken_back", gone).finish());
}

constexpr Route kRoutes[] = {
    {"GET", "/api/jobs/{job}/queues", "by limit", list_queues},
    {"GET", "/api/jobs/{job}/log", "name match from reverse limit", search_log},
    {"GET", "/api/jobs/{job}/reports/{name}", "", read_report},
    {"GET", "/api/jobs/{job}/records", "", list_records},
    {"GET", "/api/jobs/{job}/records/{kind}/{name}", "", read_record},
    {"GET", "/api/jobs/{job}/metadata/{name}", "", read_metadata_file},
    {"GET", "/api/jobs/{job}/documents.zip", "", read_all_documents},
    {"GET", "/api/jobs/{job}/missed", "links after limit", list_missed},
    {"POST", "/api/jobs/{job}/patch", "", patch, access::Role::curator},
    {"POST", "/api/jobs/{job}/seeds", "", collect, access::Role::curator},
    {"POST", "/api/jobs/{job}/limits", "", change_limits, access::Role::curator},
    {"GET", "/api/jobs/{job}/traps", "", list_traps},
    {"POST", "/api/jobs/{job}/traps", "", add_traps, access::Role::curator},
    {"POST", "/api/jobs/{job}/traps/take-back", "", take_back_traps, access::Role::curator},
};

}  // namespace

std::span<const Route> review_routes() { return kRoutes; }

}  // namespace caddis::harvestserver
