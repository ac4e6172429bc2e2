// Elements come in the order in which Heritrix writes them. What Caddis does not know is 0 or empty, never left out:
// clients read fields without asking whether they are there.
#include "caddis/rest/heritrix_documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "caddis/base/percent.h"
#include "caddis/base/strings.h"
#include "caddis/base/version.h"
#include "caddis/rest/report_classes.h"

namespace caddis::rest {
namespace {

constexpr std::string_view kConfigName = "crawler-beans.cxml";

std::string job_url(const EngineUrl& url, std::string_view job) {
  return fmt::format("{}/job/{}", url, percent_encoded(job));
}

Node heap_report(const EngineFacts& engine) {
  Node heap{Fields{}};
  heap.count("usedBytes", engine.memory_total - std::min(engine.memory_total, engine.memory_available));
  heap.count("totalBytes", engine.memory_total).count("maxBytes", engine.memory_total);
  return heap;
}

int64_t kib(double bytes) { return static_cast<int64_t>(std::llround(bytes / 1024)); }

Node uri_totals(const CrawlFacts& crawl) {
  const uint64_t done = crawl.documents + crawl.failed + crawl.excluded;
  Node totals{Fields{}};
  totals.count("downloadedUriCount", crawl.documents).count("queuedUriCount", crawl.queued);
  return totals.count("totalUriCount", done + crawl.queued).count("futureUriCount", 0);
}

Node size_totals(const CrawlFacts& crawl) {
  Node totals{Fields{}};
  const uint64_t known = crawl.repeated + crawl.unchanged;
  totals.count("dupByHash", crawl.repeated_bytes).count("dupByHashCount", crawl.repeated);
  totals.count("novel", crawl.novel_bytes).count("novelCount", crawl.documents - std::min(crawl.documents, known));
  totals.count("notModified", crawl.unchanged_bytes).count("notModifiedCount", crawl.unchanged);
  totals.count("total", crawl.bytes).count("totalCount", crawl.documents);
  return totals.count("sizeOnDisk", crawl.warc_bytes);
}

Node rate_report(const CrawlFacts& crawl) {
  Node rates{Fields{}};
  rates.add("currentDocsPerSecond", Node(crawl.documents_per_second));
  rates.add("averageDocsPerSecond", Node(crawl.documents_per_second_average));
  rates.add("currentKiBPerSec", Node(kib(crawl.bytes_per_second)));
  return rates.add("averageKiBPerSec", Node(kib(crawl.bytes_per_second_average)));
}

uint64_t queues_in(const CrawlFacts& crawl, std::initializer_list<std::string_view> states) {
  uint64_t sum = 0;
  for (const auto& [state, queues] : crawl.queues)
    if (std::ranges::find(states, std::string_view(state)) != states.end()) sum += queues;
  return sum;
}

struct QueueCounts {
  uint64_t total = 0, in_process = 0, ready = 0, snoozed = 0, ineligible = 0, retired = 0, exhausted = 0;
  uint64_t active() const { return in_process + ready + snoozed; }
};

QueueCounts queue_counts(const CrawlFacts& crawl) {
  QueueCounts counts;
  for (const auto& [state, queues] : crawl.queues) counts.total += queues;
  counts.in_process = queues_in(crawl, {"being visited"});
  counts.ready = queues_in(crawl, {"ready"});
  counts.ineligible = queues_in(crawl, {"set aside", "given up", "blocked"});
  counts.retired = queues_in(crawl, {"retired", "retired by setting", "over quota"});
  counts.exhausted = queues_in(crawl, {"empty"});
  counts.snoozed =
      counts.total - counts.in_process - counts.ready - counts.ineligible - counts.retired - counts.exhausted;
  return counts;
}

Node load_report(const CrawlFacts& crawl, uint64_t threads) {
  const QueueCounts queues = queue_counts(crawl);
  const uint64_t waiting = queues.total - queues.retired - queues.exhausted;
  Node load{Fields{}};
  load.count("busyThreads", crawl.visiting).count("totalThreads", threads);
  load.add("congestionRatio",
           Node(static_cast<double>(waiting) / static_cast<double>(std::max<uint64_t>(1, crawl.visiting))));
  load.count("averageQueueDepth", crawl.queued / std::max<uint64_t>(1, waiting));
  return load.count("deepestQueueDepth", crawl.deepest_queue);
}

Node thread_report(const JobFacts& job) {
  uint64_t threads = 0;
  Items steps;
  for (const auto& [step, visits] : job.visits) {
    steps.emplace_back(fmt::format("{} {}", visits, step));
    threads += visits;
  }
  Node report{Fields{}};
  report.count("toeCount", threads);
  return report.add("steps", Node(steps)).add("processors", Node(std::move(steps)));
}

Node frontier_report(const CrawlFacts& crawl, std::string_view state) {
  const QueueCounts counts = queue_counts(crawl);
  Node report{Fields{}};
  report.count("totalQueues", counts.total).count("inProcessQueues", counts.in_process);
  report.count("readyQueues", counts.ready).count("snoozedQueues", counts.snoozed);
  report.count("activeQueues", counts.active()).count("inactiveQueues", 0);
  report.count("ineligibleQueues", counts.ineligible).count("retiredQueues", counts.retired);
  report.count("exhaustedQueues", counts.exhausted);
  const std::string_view reached = state == "PAUSED" ? "PAUSE" : state == "FINISHED" ? "FINISH" : "RUN";
  return report.add("lastReachedState", Node(reached));
}

Node elapsed_report(const CrawlFacts& crawl) {
  const auto milliseconds = static_cast<uint64_t>(std::llround(crawl.elapsed_seconds * 1000));
  Node elapsed{Fields{}};
  elapsed.count("elapsedMilliseconds", milliseconds);
  return elapsed.add("elapsedPretty", Node(pretty_time(milliseconds)));
}

struct ConfigFile {
  std::string_view key, name, path;  // below the job's folder
  bool editable = false;
};

constexpr auto kConfigFiles = std::to_array<ConfigFile>({
    {"", "job base", ""},
    {"", "primary configuration", "crawler-beans.cxml", true},
    {"seeds.textSource.path", "seeds", "seeds.txt", true},
    {"loggerModule.path", "logs subdirectory", "latest/logs"},
    {"loggerModule.crawlLogPath", "crawl log", "latest/logs/crawl.log"},
    {"loggerModule.alertsLogPath", "alerts log", "latest/logs/alerts.log"},
    {"loggerModule.nonfatalErrorsLogPath", "nonfatal errors log", "latest/logs/nonfatal-errors.log"},
    {"loggerModule.progressLogPath", "progress statistics log", "latest/logs/progress-statistics.log"},
    {"loggerModule.runtimeErrorsLogPath", "runtime errors log", "latest/logs/runtime-errors.log"},
    {"loggerModule.uriErrorsLogPath", "URI errors log", "latest/logs/uri-errors.log"},
    {"statisticsTracker.reportsDir", "reports subdirectory", "latest/reports"},
    {"checkpointService.checkpointsDir", "checkpoints subdirectory", "latest/state/checkpoints"},
    {"bdb.dir", "state subdirectory", "latest/state"},
    {"actionDirectory.actionDir", "action directory", "latest/action"},
    {"warcWriter.directory", "writer base path", "latest"},
});

Node config_files(const JobFacts& job, const std::string& jobdir) {
  Items files;
  for (const ConfigFile& file : kConfigFiles) {
    std::string path = file.editable && file.path == kConfigName ? primary_config(job)
                       : file.path.empty()                       ? job.folder
                                                                 : fmt::format("{}/{}", job.folder, file.path);
    const std::string below = path.size() > job.folder.size() ? path.substr(job.folder.size()) : "/";
    Node one{Fields{}};
    one.add("key", Node(file.key)).add("name", Node(file.name)).add("path", Node(std::move(path)));
    one.add("url", Node(jobdir + below)).add("editable", Node(file.editable));
    files.push_back(std::move(one));
  }
  return Node(std::move(files));
}

Node reports_of(const std::string& url) {
  Items reports;
  for (const ReportClass& one : kReportClasses) {
    Node report{Fields{}};
    report.add("className", Node(one.name)).add("shortName", Node(one.short_name()));
    reports.push_back(std::move(report.add("url", Node(fmt::format("{}/report/{}", url, one.name)))));
  }
  return Node(std::move(reports));
}

// The fields that the list of jobs and a job's own document share.
void add_launches(Node& node, const JobSummaryFacts& job) {
  node.add("isProfile", Node(job.is_profile)).count("launchCount", job.launch_count);
  node.add("lastLaunch", Node(launch_time(job.last_launch)));
}

void add_state(Node& node, const JobSummaryFacts& job) {
  if (const std::string state = controller_state(job); !state.empty()) node.add("crawlControllerState", Node(state));
  if (!job.is_built()) return;
  if (job.is_running() || job.exit.empty())
    node.add("crawlExitStatus", Node(job.is_running() ? "RUNNING" : "CREATED"));
  else
    node.add("crawlExitStatus", Node(job.exit));
}

std::vector<std::string> newest_first(std::vector<std::string> lines) {
  std::ranges::reverse(lines);
  if (lines.size() > 5) lines.resize(5);
  return lines;
}

}  // namespace

std::string primary_config(const JobFacts& job) {
  if (job.config_file.ends_with(".cxml")) return job.config_file;
  return fmt::format("{}/{}", job.folder, kConfigName);
}

std::string pretty_time(uint64_t milliseconds) {
  std::string text;
  const auto add = [&](uint64_t unit, std::string_view name) {
    if (const uint64_t number = milliseconds / unit; number != 0 || !text.empty())
      text += fmt::format("{}{}", number, name);
    milliseconds %= unit;
  };
  add(86'400'000, "d");
  add(3'600'000, "h");
  add(60'000, "m");
  add(1000, "s");
  return text + fmt::format("{}ms", milliseconds);
}

std::string launch_time(std::string_view launch) {
  if (launch.size() < 14 || !std::ranges::all_of(launch.substr(0, 14), is_digit)) return "";
  const auto part = [&](size_t at, size_t size) { return launch.substr(at, size); };
  return fmt::format("{}-{}-{}T{}:{}:{}.000Z", part(0, 4), part(4, 2), part(6, 2), part(8, 2), part(10, 2),
                     part(12, 2));
}

std::string controller_state(const JobSummaryFacts& job) {
  if (!job.is_built()) return "";
  if (job.state == "READY") return "NASCENT";
  if (job.state == "QUEUED") return "PREPARING";
  return job.state;
}

std::vector<std::string> available_actions(const JobSummaryFacts& job) {
  std::vector<std::string> actions;
  if (!job.is_built()) actions.emplace_back("build");
  if (!job.is_profile && (!job.is_built() || job.state == "READY")) actions.emplace_back("launch");
  if (job.state == "RUNNING" || job.state == "EMPTY") actions.emplace_back("pause");
  if (job.state == "PAUSED" || job.state == "PAUSING") actions.emplace_back("unpause");
  if (job.is_running() && job.state != "STOPPING") {
    if (job.state != "QUEUED" && job.state != "PREPARING") actions.emplace_back("checkpoint");
    actions.emplace_back("terminate");
  }
  if (job.is_built()) actions.emplace_back("teardown");
  return actions;
}

Node engine_document(const EngineFacts& engine, const std::vector<JobSummaryFacts>& jobs, const EngineUrl& url) {
  Node document{Fields{}};
  document.add("heritrixVersion", Node(fmt::format("3.4.0 (Caddis {})", engine.version)));
  document.add("heapReport", heap_report(engine));
  document.add("jobsDir", Node(engine.jobs_dir)).add("jobsDirUrl", Node(url + "/jobsdir/"));
  document.add("availableActions", texts({"rescan", "add", "create", "gc"}));
  Items values;
  for (const JobSummaryFacts& job : jobs) {
    Node one{Fields{}};
    const std::string config = fmt::format("{}/{}", job.name, kConfigName);
    one.add("shortName", Node(job.name)).add("url", Node(job_url(url, job.name)));
    add_launches(one, job);
    one.add("hasApplicationContext", Node(job.is_built())).add("statusDescription", Node(job.status));
    one.add("isLaunchInfoPartial", Node(false));
    one.add("primaryConfig", Node(fmt::format("{}/{}", engine.jobs_dir, config)));
    one.add("primaryConfigUrl", Node(fmt::format("{}/jobdir/{}", job_url(url, job.name), kConfigName)));
    add_state(one, job);
    values.push_back(std::move(one.add("key", Node(job.name))));
  }
  return std::move(document.add("jobs", Node(std::move(values))));
}

Node job_document(const JobFacts& job, const EngineFacts& engine, const EngineUrl& url) {
  const std::string base = job_url(url, job.name), jobdir = base + "/jobdir", config = primary_config(job);
  const CrawlFacts crawl = job.crawl.value_or(job.ended);
  const std::string logs = job.folder + "/latest/logs";
  Node document{Fields{}};
  document.add("shortName", Node(job.name));
  add_state(document, job);
  document.add("statusDescription", Node(job.status)).add("availableActions", texts(available_actions(job)));
  document.count("launchCount", job.launch_count).add("lastLaunch", Node(launch_time(job.last_launch)));
  document.add("isProfile", Node(job.is_profile)).add("primaryConfig", Node(config));
  document.add("primaryConfigUrl", Node(jobdir + config.substr(std::min(job.folder.size(), config.size()))));
  document.add("url", Node(base)).add("jobLogTail", texts(newest_first(job.log_tail)));
  const bool has_crawl = job.is_built() && job.state != "READY" && job.state != "QUEUED";
  document.add("uriTotalsReport", has_crawl ? uri_totals(crawl) : Node());
  document.add("sizeTotalsReport", size_totals(has_crawl ? crawl : CrawlFacts()));
  document.add("rateReport", has_crawl ? rate_report(crawl) : Node());
  document.add("loadReport",
               has_crawl ? load_report(crawl, std::max<uint64_t>(crawl.visiting, job.visits.size())) : Node());
  document.add("elapsedReport", has_crawl ? elapsed_report(crawl) : Node());
  document.add("threadReport", has_crawl ? thread_report(job) : Node());
  document.add("frontierReport", has_crawl ? frontier_report(crawl, job.state) : Node());
  document.add("crawlLogTail", texts(job.crawl_log_tail)).add("configFiles", config_files(job, jobdir));
  document.add("isLaunchInfoPartial", Node(false)).add("isRunning", Node(job.is_running()));
  document.add("isLaunchable", Node(!job.is_profile && (!job.is_built() || job.state == "READY")));
  document.add("hasApplicationContext", Node(job.is_built())).count("alertCount", job.alerts);
  document.add("checkpointFiles", texts(newest_first(job.checkpoints)));
  document.add("alertLogFilePath", Node(logs + "/alerts.log")).add("crawlLogFilePath", Node(logs + "/crawl.log"));
  return std::move(document.add("reports", reports_of(base)).add("heapReport", heap_report(engine)));
}

Node script_document(const ScriptOutcome& outcome, std::string_view job, const EngineUrl& url) {
  const auto engine = [](const char* name, const char* language) {
    Node one{Fields{}};
    return std::move(one.add("engine", Node(name)).add("language", Node(language)));
  };
  const auto variable = [](const char* name, const char* description) {
    Node one{Fields{}};
    return std::move(one.add("variable", Node(name)).add("description", Node(description)));
  };
  const bool failed = !outcome.exception.empty();
  const auto lines = 1 + std::ranges::count(outcome.script, '\n');
  Node document{Fields{}};
  document.add("crawlJobUrl", Node(job_url(url, job))).add("crawlJobShortName", Node(job));
  document.add("availableScriptEngines",
               Node(Items{engine("lua", "Lua"), engine("groovy", "Groovy"), engine("beanshell", "BeanShell")}));
  document.add("script", Node(outcome.script)).count("linesExecuted", failed ? 0 : static_cast<uint64_t>(lines));
  if (failed) document.add("exception", Node(outcome.exception));
  document.add("htmlOutput", Node(outcome.html_output));
  if (!failed || !outcome.raw_output.empty()) document.add("rawOutput", Node(outcome.raw_output));
  document.add("availableGlobalVariables",
               Node(Items{variable("rawOut", "a PrintWriter for arbitrary text output to this page"),
                          variable("job", "the current CrawlJob instance"),
                          variable("appCtx", "current job ApplicationContext, if any")}));
  document.add("failure", Node(failed));
  if (failed) document.add("stackTrace", Node(outcome.exception));
  return document;
}

}  // namespace caddis::rest
