// caddis why URL [COLLECTION]: why a URL is, or is not, in the archive: one answer from indexes, logs, the state of the
// crawl and its rules.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "asked_crawl.h"
#include "caddis/base/clock.h"
#include "caddis/base/counted.h"
#include "caddis/base/error.h"
#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/control/api_json.h"
#include "caddis/io/files.h"
#include "caddis/why/fate_words.h"
#include "caddis/why/inquiry.h"
#include "caddis/why/url_evidence.h"
#include "commands.h"
#include "job_logs.h"
#include "tell.h"

namespace caddis::cli {
namespace {

using why::UrlEvidence;

constexpr size_t kShown = 20;
constexpr size_t kMostOfASentence = 4000;
constexpr size_t kMostJobs = 20;  // of a harvest server, whose logs are looked into at once

// The last `kShown` of `all`, as a JSON array; to_json makes one of each.
template <class List, class ToJson>
std::string latest_json(const List& all, const ToJson& to_json) {
  std::string list = "[";
  for (size_t i = all.size() - std::min(all.size(), kShown); i < all.size(); ++i) {
    if (list.size() > 1) list += ',';
    list += to_json(all[i]);
  }
  return list + "]";
}

std::string sentence_json(const std::string& sentence) {
  std::string text;
  append_json_string(text, sentence);
  return text;
}

void add_text(JsonObject& object, std::string_view name, std::string_view value) {
  if (!value.empty()) object.add(name, value);
}

void add_number(JsonObject& object, std::string_view name, std::string_view value) {
  if (const auto number = parse_int(value)) object.add(name, *number);
}

std::string capture_json(const cdx::Capture& capture) {
  JsonObject object;
  object.add("url", capture.url).add("timestamp", capture.timestamp);
  add_number(object, "status", capture.status);
  add_text(object, "mime", capture.mime);
  add_text(object, "digest", capture.digest);
  add_text(object, "filename", capture.filename);
  add_number(object, "offset", capture.offset);
  return object.add("revisit", capture.is_revisit()).finish();
}

std::string visit_json(const why::LoggedVisit& visit) {
  JsonObject object;
  object.add("launch", visit.launch).add("url", visit.url).add("time", visit.time).add("status", visit.status);
  add_text(object, "hops", visit.hops);
  add_text(object, "via", visit.via);
  add_text(object, "source", visit.source);
  add_text(object, "mime", visit.mime);
  add_text(object, "annotations", visit.annotations);
  add_text(object, "reason", visit.reason);
  return object.finish();
}

std::string link_json(const why::FoundLink& link) {
  JsonObject object;
  object.add("page", link.page).add("date", link.date).add("url", link.url).add("hop", link.hop);
  add_text(object, "context", link.context);
  return object.finish();
}

std::string judged_json(const why::LoggedLink& link) {
  JsonObject object;
  object.add("launch", link.launch).add("time", link.time).add("status", link.word);
  add_text(object, "rule", link.rule);
  add_text(object, "key", link.key);
  add_text(object, "via", link.via);
  add_text(object, "hops", link.hops);
  return object.finish();
}

std::string answer_json(const UrlEvidence& evidence) {
  JsonObject object;
  object.add("url", evidence.url).add("key", evidence.key).add("fate", why::name_of(why::fate_of(evidence)));
  object.add_raw("sentences", latest_json(why::fate_sentences(evidence), sentence_json));
  object.add("launches", evidence.launches).add("running", evidence.runs);
  add_text(object, "state", evidence.state);
  object.add("captured", evidence.captures.size()).add_raw("captures", latest_json(evidence.captures, capture_json));
  object.add_raw("other_spellings", latest_json(evidence.others, capture_json));
  object.add("visited", evidence.visits.size()).add_raw("visits", latest_json(evidence.visits, visit_json));
  object.add_raw("tries", latest_json(evidence.tries, visit_json));
  if (evidence.prerequisite) object.add_raw("prerequisite", visit_json(*evidence.prerequisite));
  object.add_raw("judged", latest_json(evidence.logged_links.judged, judged_json));
  object.add_raw("outlinks", latest_json(evidence.logged_links.outlinks, link_json));
  if (evidence.report) object.add_raw("frontier", control::api::to_json(*evidence.report));
  if (evidence.scope) object.add_raw("scope", control::api::to_json(*evidence.scope));
  if (evidence.has_searched)
    object.add("links_searched", evidence.links_searched)
        .add("links_found", evidence.links_found)
        .add_raw("links", latest_json(evidence.links, link_json));
  object.add_raw("problems", latest_json(evidence.problems, sentence_json));
  return object.finish();
}

struct WhyArguments {
  why::InquiryOptions asked{.collection = ".", .url = {}, .search_links = false, .launch = {}, .limits = {}};
  bool json = false;
};

// Jobs whose logs are looked into: that of --launch, or those that have captured it, and the latest.
Result<std::vector<harvest::ArchivedJob>> wanted_jobs(const std::vector<harvest::ArchivedJob>& jobs,
                                                      const why::InquiryOptions& asked) {
  std::vector<harvest::ArchivedJob> wanted;
  if (!asked.launch.empty()) {
    if (const auto* const job = JobLogs::find(jobs, asked.launch)) wanted.push_back(*job);
    return wanted;
  }
  std::set<int64_t> numbers;
  cdx::CaptureIndex index(io::real_files(), system_clock(), asked.collection);
  TRY(const auto found, index.captures_of(asked.url));
  TRY_VOID(found.each([&](const cdx::Capture& capture) {
    // Names of their files begin with the number of the job.
    const auto number = parse_int(capture.filename.substr(0, capture.filename.find('-')));
    if (number && std::ranges::find(jobs, *number, &harvest::ArchivedJob::number) != jobs.end())
      numbers.insert(*number);
    return true;
  }));
  while (numbers.size() > kMostJobs) numbers.erase(numbers.begin());
  for (auto job = jobs.rbegin(); job != jobs.rend() && numbers.size() < kMostJobs; ++job) numbers.insert(job->number);
  std::ranges::copy_if(jobs, std::back_inserter(wanted),
                       [&](const harvest::ArchivedJob& job) { return numbers.contains(job.number); });
  return wanted;
}

bool is_log_of_urls(std::string_view kind, std::string_view name) {
  return kind == "logs" &&
         (name.starts_with("crawl.log") || name.starts_with("nonfatal-errors.log") || name.contains(".jsonl"));
}

// The archive of a harvest server: logs of its jobs lie in metadata files. Returns what could not be looked into.
Result<std::vector<std::string>> add_jobs(why::InquiryOptions& asked, JobLogs& unpacked) {
  std::vector<std::string> problems;
  TRY(const auto jobs, JobLogs::list(asked.collection));
  if (jobs.empty()) return problems;
  TRY(const auto wanted, wanted_jobs(jobs, asked));
  for (const harvest::ArchivedJob& job : wanted) {
    auto launch = unpacked.open(job, is_log_of_urls);
    if (!launch) {
      problems.push_back(launch.error().message);
      continue;
    }
    if (!asked.launch.empty()) asked.launch = launch->name;
    asked.others.push_back(*std::move(launch));
  }
  if (asked.launch.empty() && wanted.size() < jobs.size())
    problems.push_back(fmt::format("the logs of {} were not looked into: --launch NUMBER asks one of them, {} to {}",
                                   counted(jobs.size() - wanted.size(), "job"), jobs.front().number,
                                   jobs.back().number));
  return problems;
}

int answer_why(const WhyArguments& arguments) {
  const std::string& url = arguments.asked.url;
  if (io::real_files().is_directory(url)) {
    tell(fmt::format("caddis why: {0} is a folder: the URL comes first, as in caddis why URL {0}\n", url));
    return 2;
  }
  JobLogs unpacked;
  why::InquiryOptions asked = arguments.asked;
  const auto problems = add_jobs(asked, unpacked);
  if (!problems) {
    tell(fmt::format("caddis why: {}\n", problems.error().message));
    return 2;
  }
  auto evidence = why::gather_evidence(real_crawls(), asked);
  if (evidence) evidence->problems.insert(evidence->problems.end(), problems->begin(), problems->end());
  if (!evidence) {
    tell(fmt::format("caddis why: {}\n", evidence.error().message));
    return 2;
  }
  if (arguments.json) {
    fmt::print("{}\n", answer_json(*evidence));
    return why::is_known(*evidence) ? 0 : 1;
  }
  fmt::print("{}\n", evidence->url);
  for (const std::string& sentence : why::fate_sentences(*evidence))
    fmt::print("  {}\n", visible(sentence, kMostOfASentence));
  return why::is_known(*evidence) ? 0 : 1;
}

}  // namespace

void add_why_commands(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "why", "Say why a URL is, or is not, in the archive: from indexes, logs, the state of the crawl and its rules");
  const auto arguments = std::make_shared<WhyArguments>();
  command->add_option("url", arguments->asked.url, "The URL")->required();
  command->add_option("collection,--collection", arguments->asked.collection, "The folder of the archive")
      ->capture_default_str();
  command->add_option("--launch", arguments->asked.launch,
                      "Only the logs of this launch, and its state if it is the latest (default: those of all); in the "
                      "archive of a harvest server the number of a job (default: those that have captured it, and the "
                      "latest, 20 in all)");
  command->add_flag("--search", arguments->asked.search_links,
                    "Also look through the archive for pages that link to it, which takes a while");
  command->add_flag("--json", arguments->json, "One JSON object, with all that was found");
  command->footer("The exit code is 0 if anything is known of the URL, 1 if nothing is, 2 if nothing could be asked.");
  command->callback([arguments, &exit_code] { exit_code = answer_why(*arguments); });
}

}  // namespace caddis::cli
