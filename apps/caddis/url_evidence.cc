// Logs are searched line by line for the URL as text; a line is parsed only if it holds that. Only if no log has the URL,
// they are searched once more for others of its host that have the same key.
#include "url_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "asked_crawl.h"
#include "caddis/base/clock.h"
#include "caddis/base/fetch_status.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/launch.h"
#include "caddis/collection/layout.h"
#include "caddis/config/canonicalization_settings.h"
#include "caddis/config/seeds.h"
#include "caddis/config/settings.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/inspect/outlinks.h"
#include "caddis/io/files.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/log_files.h"
#include "caddis/logs/log_line.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/public_form.h"
#include "caddis/url/url.h"
#include "caddis/warc/source.h"
#include "scope_explainer.h"
#include "warc_tools.h"

namespace caddis::cli {
namespace {

using logs::LogLine;

constexpr size_t kLinksKept = 20;

LoggedVisit visit_on(const LogLine& line, const std::string& launch) {
  LoggedVisit visit{.launch = launch,
                    .url = std::string(line.field(LogLine::url)),
                    .time = std::string(line.field(LogLine::time)),
                    .hops = std::string(line.known(LogLine::hops)),
                    .via = std::string(line.known(LogLine::via)),
                    .source = std::string(line.known(LogLine::source)),
                    .mime = std::string(line.known(LogLine::mime)),
                    .annotations = std::string(line.known(LogLine::annotations)),
                    .reason = {},
                    .status = line.status().value_or(0)};
  return visit;
}

// A line of nonfatal-errors.log has the reason behind the annotations.
void part_reason(LoggedVisit& visit) {
  const size_t blank = std::min(visit.annotations.find(' '), visit.annotations.size());
  visit.reason = visit.annotations.substr(std::min(blank + 1, visit.annotations.size()));
  visit.annotations.resize(blank);
  if (visit.annotations == "-") visit.annotations.clear();
  if (visit.reason == "-") visit.reason.clear();
}

// Calls use(line) with each line of a log that holds `part`.
template <class Use>
Result<void> each_line_with(const std::string& log, std::string_view part, const Use& use) {
  TRY(const auto files, logs::files_of_log(io::real_files(), log));
  for (const std::string& file : files) {
    TRY(const auto lines, io::TextLines::open(io::real_files(), file));
    for (;;) {
      TRY(const auto text, lines->next());
      if (!text) break;
      LogLine line;
      if (text->find(part) != std::string_view::npos && line.parse(*text)) use(line);
    }
  }
  return {};
}

class Gatherer {
 public:
  Gatherer(const EvidenceOptions& options, url::Url url) : options_(options), url_(std::move(url)) {
    evidence_.url = url::public_form(url_);
  }

  Result<UrlEvidence> gather() {
    TRY(launches_, collection::launches(io::real_files(), collection::Layout(options_.collection)));
    evidence_.launches = launches_.size();
    read_settings();
    note(read_captures(), "the indexes");
    for (const collection::Launch& launch : launches_) note(read_logs(launch), "the logs of " + launch.name);
    if (evidence_.visits.empty())
      for (const collection::Launch& launch : launches_) note(read_spellings(launch), "the logs of " + launch.name);
    note(read_prerequisite(), "the logs");
    if (options_.search_links) note(search_links(), "the links of captured pages");
    if (!launches_.empty()) note(ask_crawl(), "the state of " + launches_.back().name);
    return std::move(evidence_);
  }

 private:
  void note(const Result<void>& done, std::string_view source) {
    if (!done) evidence_.problems.push_back(fmt::format("{} could not be asked: {}", source, done.error().message));
  }

  // The latest launch makes the keys.
  void read_settings() {
    if (!launches_.empty()) {
      const auto latest = collection::latest_launch(io::real_files(), options_.collection);
      const auto loaded =
          latest && *latest ? crawl::load_settings_files(io::real_files(), **latest, settings_) : Result<void>();
      note(loaded, "the settings of the crawl");
      if (const auto keys = config::key_policies(settings_.canonicalization)) keys_ = *keys;
    }
    if (auto key = url::crawl_key(keys_.crawl, url_)) evidence_.key = *std::move(key);
  }

  Result<void> read_captures() {
    cdx::CaptureIndex index(io::real_files(), system_clock(), options_.collection);
    TRY(const auto found, index.captures_of(evidence_.url));
    for (std::string& problem : index.problems()) evidence_.problems.push_back(std::move(problem));
    return found.each([&](cdx::Capture& capture) {
      auto& into = capture.url == evidence_.url ? evidence_.captures : evidence_.others;
      into.push_back(std::move(capture));
      return true;
    });
  }

  Result<void> read_logs(const collection::Launch& launch) {
    const std::string part = ' ' + evidence_.url + ' ';
    const auto is_it = [&](const LogLine& line) { return line.field(LogLine::url) == evidence_.url; };
    TRY_VOID(each_line_with(launch.crawl_log(), part, [&](const LogLine& line) {
      if (is_it(line)) evidence_.visits.push_back(visit_on(line, launch.name));
    }));
    return each_line_with(launch.error_log(), part, [&](const LogLine& line) {
      if (is_it(line)) part_reason(evidence_.tries.emplace_back(visit_on(line, launch.name)));
    });
  }

  // Empty if the last visit did not fail for another URL.
  std::string prerequisite_url() const {
    if (evidence_.visits.empty()) return "";
    const LoggedVisit& last = evidence_.visits.back();
    if (last.status == status::kDomainPrerequisiteFailed) return fmt::format("dns:{}", logs::host_of(last.url));
    if (last.status != status::kRobotsPrerequisiteFailed) return "";
    const size_t begin = last.url.find("://");
    return begin == std::string::npos ? "" : last.url.substr(0, last.url.find('/', begin + 3)) + "/robots.txt";
  }

  Result<void> read_prerequisite() {
    const std::string wanted = prerequisite_url();
    if (wanted.empty()) return {};
    const std::string& name = evidence_.visits.back().launch;
    const auto launch = std::ranges::find(launches_, name, &collection::Launch::name);
    return each_line_with(launch->crawl_log(), ' ' + wanted + ' ', [&](const LogLine& line) {
      if (line.field(LogLine::url) == wanted) evidence_.prerequisite = visit_on(line, name);
    });
  }

  bool has_same_key(std::string_view text) const {
    const auto url = url::Url::parse(text);
    const auto key = url ? url::crawl_key(keys_.crawl, *url) : std::unexpected(url.error());
    return key && *key == evidence_.key;
  }

  Result<void> read_spellings(const collection::Launch& launch) {
    const std::string host(
        logs::host_of(evidence_.key.find("://") != std::string::npos ? evidence_.key : evidence_.url));
    return each_line_with(launch.crawl_log(), host, [&](const LogLine& line) {
      if (logs::host_of(line.field(LogLine::url)).ends_with(host) && has_same_key(line.field(LogLine::url)))
        evidence_.visits.push_back(visit_on(line, launch.name));
    });
  }

  Result<void> search_links() {
    evidence_.has_searched = true;
    const auto take = [&](const inspect::Outlink& link) {
      ++evidence_.links_searched;
      if (link.url != evidence_.url && !has_same_key(link.url)) return true;
      ++evidence_.links_found;
      if (evidence_.links.size() < kLinksKept)
        evidence_.links.push_back({std::string(link.page), std::string(link.date), std::string(link.url),
                                   std::string(link.hop), std::string(link.context)});
      return true;
    };
    auto folders = collection::archive_folders(io::real_files(), collection::Layout(options_.collection));
    std::erase_if(folders, [this](const std::string& folder) {
      const bool is_there = io::real_files().exists(folder);
      if (!is_there) note(fail(ErrorCode::not_found, "no such folder"), folder);
      return !is_there;
    });
    TRY(const auto archives, archives_below(folders));
    for (const std::string& path : archives) {
      TRY(const auto file, io::real_files().open_read(path));
      TRY_VOID(inspect::each_outlink(warc::FileSource(*file), take));
    }
    return {};
  }

  Result<void> ask_crawl() {
    TRY(auto crawl, AskedCrawl::open(options_.collection));
    auto report = crawl.read<control::api::UrlReport>("/url", query_of({{"url", url_.href()}}));
    const Result<void> outcome = report ? Result<void>() : std::unexpected(report.error());
    evidence_.runs = crawl.runs() && report;
    if (report) evidence_.report = *std::move(report);
    // It may have ended meanwhile.
    const auto status = evidence_.runs ? crawl.status() : Result<std::string>();
    if (const auto told =
            status ? control::api::from_json<control::api::Status>(*status) : std::unexpected(status.error()))
      evidence_.state = told->state;
    const bool is_known =
        !evidence_.captures.empty() || !evidence_.visits.empty() || (evidence_.report && evidence_.report->seen);
    if (!is_known) note(ask_scope(crawl), "the scope");
    return outcome;
  }

  // The way to the URL, as far as a search has found one.
  Result<ScopeExplainer::Question> question() {
    ScopeExplainer::Question asked{std::string(url_.href()), {}, {}, {}, {}};
    if (evidence_.links.empty()) return asked;
    const FoundLink& link = evidence_.links.front();
    asked.via = link.page;
    asked.hops = link.hop;
    asked.is_seed = false;
    for (const collection::Launch& launch : launches_)
      TRY_VOID(each_line_with(launch.crawl_log(), ' ' + link.page + ' ', [&](const LogLine& line) {
        if (line.field(LogLine::url) != link.page) return;
        const std::string_view hops = line.known(LogLine::hops);
        const size_t plus = hops.find('+');  // "12+LL…": the front of a long path is not known
        asked.hops = std::string(hops.substr(plus == std::string_view::npos ? 0 : plus + 1)) + link.hop;
        asked.source_seed = line.known(LogLine::source);
      }));
    return asked;
  }

  Result<void> ask_scope(AskedCrawl& crawl) {
    TRY(const ScopeExplainer::Question asked, question());
    auto answer = crawl.ask_scope(query_of({{"url", asked.url},
                                            {"via", asked.via},
                                            {"hops", asked.hops.empty() ? "L" : asked.hops},
                                            {"source", asked.source_seed}}));
    if (answer) {
      TRY(evidence_.scope, control::api::from_json<control::api::ScopeReport>(*answer));
      return {};
    }
    if (answer.error().code != ErrorCode::not_found) return std::unexpected(std::move(answer).error());
    TRY(auto explainer, ScopeExplainer::create(settings_, {}));
    TRY(auto explained, explainer.explain(asked));
    evidence_.scope = std::move(explained.report);
    return {};
  }

  const EvidenceOptions& options_;
  url::Url url_;
  std::vector<collection::Launch> launches_;  // oldest first
  config::Settings settings_;                 // of the latest
  config::KeyPolicies keys_;
  UrlEvidence evidence_;
};

}  // namespace

Result<UrlEvidence> gather_evidence(const EvidenceOptions& options) {
  const collection::Layout layout(options.collection);
  if (!io::real_files().is_directory(layout.crawls()) && !io::real_files().is_directory(layout.indexes()))
    return fail(ErrorCode::not_found,
                fmt::format("{} is no collection: it has neither crawls nor indexes", options.collection));
  TRY(auto url, config::parse_seed(options.url));
  return Gatherer(options, std::move(url)).gather();
}

}  // namespace caddis::cli
