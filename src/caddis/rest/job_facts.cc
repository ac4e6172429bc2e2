#include "caddis/rest/job_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace caddis::rest {
namespace {

using Json = nlohmann::json;

// Reads a document; whatever nlohmann throws at fields of other types becomes an error.
template <class Read>
auto read_document(std::string_view text, std::string_view what, Read read) -> Result<decltype(read(Json()))> {
  try {
    return read(Json::parse(text));
  } catch (const Json::exception& error) {
    return fail(ErrorCode::parse, fmt::format("the engine's document of {} is malformed: {}", what, error.what()));
  }
}

void read_summary(const Json& json, JobSummaryFacts& job) {
  job.name = json.at("name");
  job.is_profile = json.at("is_profile");
  job.state = json.at("state");
  job.exit = json.at("exit").is_null() ? "" : json.at("exit").get<std::string>();
  job.status = json.at("status");
  job.launch_count = json.at("launch_count");
  job.last_launch = json.at("last_launch").is_null() ? "" : json.at("last_launch").get<std::string>();
  job.documents = json.at("documents");
  job.bytes = json.at("bytes");
  job.alerts = json.at("alerts");
}

// Counts that a crawl's own status and the row of a launch that has ended have in common.
void read_repeats(const Json& json, CrawlFacts& crawl) {
  crawl.repeated = json.at("repeated");
  crawl.repeated_bytes = json.at("repeated_bytes");
  crawl.unchanged = json.at("unchanged");
  crawl.unchanged_bytes = json.at("unchanged_bytes");
}

CrawlFacts ended_crawl(const Json& launch) {
  CrawlFacts crawl;
  crawl.documents = launch.at("documents");
  crawl.bytes = launch.at("bytes");
  read_repeats(launch, crawl);
  crawl.novel_bytes = crawl.bytes - std::min(crawl.bytes, crawl.repeated_bytes + crawl.unchanged_bytes);
  return crawl;
}

CrawlFacts crawl_of(const Json& json) {
  CrawlFacts crawl;
  read_repeats(json, crawl);
  crawl.elapsed_seconds = json.at("elapsed_seconds");
  crawl.documents = json.at("documents");
  crawl.bytes = json.at("bytes");
  crawl.novel_bytes = json.at("novel_bytes");
  crawl.warc_bytes = json.at("warc_bytes");
  crawl.failed = json.at("failed");
  crawl.excluded = json.at("excluded");
  crawl.queued = json.at("queued");
  crawl.visiting = json.at("visiting");
  crawl.hosts = json.at("hosts");
  crawl.documents_per_second = json.at("documents_per_second");
  crawl.documents_per_second_average = json.at("documents_per_second_average");
  crawl.bytes_per_second = json.at("bytes_per_second");
  crawl.bytes_per_second_average = json.at("bytes_per_second_average");
  for (const Json& row : json.at("waits")) crawl.queues[row.at("state")] += row.at("queues").get<uint64_t>();
  for (const Json& queue : json.at("slowest"))
    crawl.deepest_queue = std::max(crawl.deepest_queue, queue.at("queued").get<uint64_t>());
  return crawl;
}

}  // namespace

bool JobSummaryFacts::is_running() const { return is_built() && state != "READY" && state != "FINISHED"; }

Result<EngineFacts> read_engine(std::string_view json) {
  return read_document(json, "the engine", [](const Json& engine) {
    EngineFacts facts;
    facts.version = engine.at("version");
    facts.jobs_dir = engine.at("jobs_dir");
    facts.memory_total = engine.at("memory").at("total");
    facts.memory_available = engine.at("memory").at("available");
    return facts;
  });
}

Result<std::vector<JobSummaryFacts>> read_jobs(std::string_view json) {
  return read_document(json, "its jobs", [](const Json& list) {
    std::vector<JobSummaryFacts> jobs;
    for (const Json& one : list.at("jobs")) read_summary(one, jobs.emplace_back());
    return jobs;
  });
}

Result<JobFacts> read_job(std::string_view json) {
  return read_document(json, "a job", [](const Json& detail) {
    JobFacts job;
    read_summary(detail, job);
    job.config_file = detail.at("config_file");
    job.log_tail = detail.at("log_tail").get<std::vector<std::string>>();
    for (const Json& one : detail.at("checkpoints")) job.checkpoints.push_back(one.at("name"));
    job.problems = detail.at("problems").get<std::vector<std::string>>();
    if (const Json& launches = detail.at("launches"); !launches.empty() && launches.back().at("exit") != "")
      job.ended = ended_crawl(launches.back());
    if (detail.at("crawl").is_object()) job.crawl = crawl_of(detail.at("crawl"));
    return job;
  });
}

Result<std::vector<std::string>> read_lines(std::string_view json) {
  return read_document(json, "a log",
                       [](const Json& page) { return page.at("lines").get<std::vector<std::string>>(); });
}

Result<std::map<std::string, uint64_t>> read_visits(std::string_view json) {
  return read_document(json, "visits", [](const Json& list) {
    std::map<std::string, uint64_t> steps;
    for (const Json& visit : list.at("visits")) ++steps[visit.at("step").get<std::string>()];
    return steps;
  });
}

}  // namespace caddis::rest
