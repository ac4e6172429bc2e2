// Logs are searched for the URL as text; a line is parsed only if it holds that. Only if no log has the URL, they are
// searched once more for others of its host that have the same key. The latest launch is searched first, so that what a
// limit leaves out is the oldest.
#include "caddis/why/inquiry.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/capture_status.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/json_text.h"
#include "caddis/cdx/capture_index.h"
#include "caddis/cdx/indexer.h"
#include "caddis/cdx/line.h"
#include "caddis/cdx/query_run.h"
#include "caddis/collection/archive_folders.h"
#include "caddis/collection/layout.h"
#include "caddis/config/seeds.h"
#include "caddis/config/settings.h"
#include "caddis/crawl/launch_settings.h"
#include "caddis/inspect/outlinks.h"
#include "caddis/io/files.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/line_upgrade.h"
#include "caddis/logs/link_words.h"
#include "caddis/logs/log_files.h"
#include "caddis/logs/log_line.h"
#include "caddis/url/canonicalize.h"
#include "caddis/url/public_form.h"
#include "caddis/warc/source.h"

namespace caddis::why {
namespace {

using logs::LogLine;

constexpr size_t kLinksKept = 20;
constexpr uint64_t kMostAnswers = 100;
constexpr uint64_t kMostRead = 2 << 20;  // bytes of the index

LoggedVisit visit_on(std::string_view text, const std::string& launch) {
  LogLine line;
  if (!line.parse(text)) return {};
  return {.launch = launch,
          .url = std::string(line.field(LogLine::url)),
          .time = std::string(line.field(LogLine::time)),
          .hops = std::string(line.known(LogLine::hops)),
          .via = std::string(line.known(LogLine::via)),
          .source = std::string(line.known(LogLine::source)),
          .mime = std::string(line.known(LogLine::mime)),
          .annotations = std::string(line.known(LogLine::annotations)),
          .reason = {},
          .flaws = {},
          .status = line.status().value_or(0)};
}

// A line of nonfatal-errors.log has the reason behind the annotations.
void part_reason(LoggedVisit& visit) {
  const size_t blank = std::min(visit.annotations.find(' '), visit.annotations.size());
  visit.reason = visit.annotations.substr(std::min(blank + 1, visit.annotations.size()));
  visit.annotations.resize(blank);
  if (visit.annotations == "-") visit.annotations.clear();
  visit.reason = visit.reason == "-" ? "" : logs::decoded(visit.reason);
}

// The log in JSON that tells more of a visit than crawl.log does; empty if none does.
std::string_view log_with_details(const LoggedVisit& visit) {
  const std::string_view scheme = std::string_view(visit.url).substr(0, visit.url.find(':'));
  if (is_refusal(visit.status, visit.url)) return scheme;
  if (!is_success(visit.status)) return is_disregarded(visit.status) ? "" : "failures";
  constexpr std::array<std::string_view, 5> kSaid = {"httpProblem", "readTrunc", "decodeProblem", "documentProblem",
                                                     "login:"};
  bool is_said = false;
  for (std::string_view rest = visit.annotations; !rest.empty();)
    is_said |= std::ranges::any_of(
        kSaid, [one = logs::take_annotation(rest)](std::string_view begin) { return one.starts_with(begin); });
  if (!is_said) return "";
  if (scheme == "https") return "http";
  constexpr std::array<std::string_view, 5> kLogs = {"http", "ftp", "sftp", "whois", "file"};
  const auto* const log = std::ranges::find(kLogs, scheme);
  return log == kLogs.end() ? "" : *log;
}

// The line of another visit of the same URL says nothing of this one.
void take_details(LoggedVisit& visit, std::string_view text) {
  logs::JsonLine line;
  if (!line.parse(text) || line.copy("time") != visit.time) return;
  visit.reason = line.copy(is_refusal(visit.status, visit.url) ? "reply" : "reason");
  visit.flaws = {.problem = line.copy("problem"),
                 .body_problem = line.copy("body_problem"),
                 .document_problem = line.copy("document_problem"),
                 .login_problem = line.copy("login_problem")};
}

UrlTest exactly(const std::string& url) {
  return {url, true, [url](std::string_view other) { return other == url; }};
}

LogSearch::Wanted wanted_of_columns(const UrlTest& test, size_t enough) {
  const auto is_it = [is_it = test.is_it](std::string_view text) {
    LogLine line;
    return line.parse(text) && is_it(line.field(LogLine::url));
  };
  return {.text = test.is_whole ? ' ' + test.text + ' ' : test.text, .is_it = is_it, .enough = enough};
}

// Lines of visits, or about links, with the URL in that member.
LogSearch::Wanted wanted_of_json(const UrlTest& test, size_t enough, const std::string& name = "url",
                                 bool of_links = false) {
  std::string text = test.text;
  if (test.is_whole) {
    text = fmt::format("\"{}\":", name);
    append_json_string(text, test.text);
  }
  const auto is_it = [is_it = test.is_it, name, of_links](std::string_view json) {
    logs::JsonLine line;
    return line.parse(json) && is_it(line.copy(name)) && logs::is_about_link(line) == of_links;
  };
  return {.text = std::move(text), .is_it = is_it, .enough = enough};
}

// `lines` of an earlier log, before those that are there.
void put_before(std::vector<LoggedVisit>& visits, const std::vector<std::string>& lines, const std::string& launch,
                bool of_errors) {
  std::vector<LoggedVisit> earlier;
  for (const std::string& line : lines) {
    earlier.push_back(visit_on(line, launch));
    if (of_errors) part_reason(earlier.back());
  }
  visits.insert(visits.begin(), std::make_move_iterator(earlier.begin()), std::make_move_iterator(earlier.end()));
}

// The world with one patience for all questions: each has what the earlier ones have left of it, and none is asked once
// it is used up, or once one had no answer in time. `world` outlives it.
control::AskingWorld with_one_patience(const control::AskingWorld& world) {
  control::AskingWorld made = world;
  if (!world.ask) return made;
  const SteadyTime deadline = world.clock.steady() + world.patience;
  made.ask = [&world, deadline, is_over = false](const std::string& socket, const control::Question& question,
                                                 Duration) mutable -> Result<std::string> {
    const Duration left = deadline - world.clock.steady();
    if (is_over || left <= Duration::zero())
      return fail(ErrorCode::timeout, "the crawl took too long for the questions before");
    auto answer = world.ask(socket, question, left);
    is_over = !answer && answer.error().code == ErrorCode::timeout;
    return answer;
  };
  return made;
}

}  // namespace

struct Inquiry::OfLatest {
  config::Settings settings;
  config::KeyPolicies keys;
};

Limits limits_of_a_page() {
  constexpr size_t kVisits = 20;
  // Logs of large crawls have many gigabytes: whoever waits for a page waits no longer than this.
  return {.logs = std::chrono::seconds(1), .visits = kVisits, .captures = kVisits, .reads_settings = false};
}

Inquiry::Inquiry(const control::AskingWorld& world, InquiryOptions options, url::Url url)
    : world_(world), options_(std::move(options)), url_(std::move(url)), latest_(std::make_unique<OfLatest>()) {
  evidence_.url = url::public_form(url_);
  question_.url = std::string(url_.href());
}

Inquiry::~Inquiry() = default;

Result<std::unique_ptr<Inquiry>> Inquiry::begin(const control::AskingWorld& world, InquiryOptions options) {
  const collection::Layout layout(options.collection);
  if (!world.files.is_directory(layout.crawls()) && !world.files.is_directory(layout.indexes()))
    return fail(ErrorCode::not_found,
                world.files.is_directory(io::join_path(options.collection, "latest"))
                    ? control::no_crawl_in(world.files, options.collection)
                    : fmt::format("{} is no collection: it has neither crawls nor indexes", options.collection));
  TRY(auto url, config::parse_seed(options.url));
  std::unique_ptr<Inquiry> inquiry(new Inquiry(world, std::move(options), std::move(url)));
  TRY(inquiry->launches_, collection::launch_folders(world.files, collection::Layout(inquiry->options_.collection)));
  auto& launches = inquiry->launches_;
  inquiry->asks_latest_ = !launches.empty();
  launches.insert(launches.begin(), inquiry->options_.others.begin(), inquiry->options_.others.end());
  TRY_VOID(inquiry->keep_launch());
  inquiry->evidence_.launches = inquiry->launches_.size();
  return inquiry;
}

Result<void> Inquiry::keep_launch() {
  if (options_.launch.empty()) return {};
  const auto found = std::ranges::find(launches_, options_.launch, &collection::Launch::name);
  if (found == launches_.end()) {
    std::vector<std::string> names;
    for (const collection::Launch& launch : launches_) names.push_back(launch.name);
    return fail(ErrorCode::not_found, fmt::format("there is no launch '{}' in {}; there are: {}", options_.launch,
                                                  options_.collection, fmt::join(names, ", ")));
  }
  asks_latest_ = asks_latest_ && std::next(found) == launches_.end();
  launches_ = {*found};
  return {};
}

bool Inquiry::step() {
  if (!search_on()) return false;
  advance();
  return stage_ == Stage::done;
}

void Inquiry::advance() {
  switch (stage_) {
    case Stage::begun:
      read_settings();
      note(read_captures(), "the indexes");
      look_for_file();
      plan_logs();
      stage_ = Stage::logs;
      return;
    case Stage::logs:
      if (evidence_.visits.empty()) plan_spellings();
      stage_ = Stage::spellings;
      return;
    case Stage::spellings:
      if (evidence_.visits.empty()) plan_judged();
      stage_ = Stage::judged;
      return;
    case Stage::judged:
      // A rejection says more than an acceptance of the same moment.
      std::ranges::sort(evidence_.logged_links.judged, {}, [](const LoggedLink& link) {
        return std::pair<std::string_view, bool>(link.time, link.word != logs::kAcceptedLink);
      });
      plan_prerequisite();
      stage_ = Stage::prerequisite;
      return;
    case Stage::prerequisite:
      // The last one planned is searched first.
      if (evidence_.prerequisite) {
        plan_tries_of_prerequisite();
        plan_details(*evidence_.prerequisite);
      }
      if (!evidence_.visits.empty()) plan_details(evidence_.visits.back());
      stage_ = Stage::details;
      return;
    case Stage::details:
      if (options_.search_links) note(search_links(), "the links of captured pages");
      plan_way();
      stage_ = Stage::links;
      return;
    case Stage::links:
      if (!launches_.empty() && asks_latest_) note(ask_crawl(), "the state of " + launches_.back().name);
      stage_ = Stage::done;
      return;
    case Stage::done:
      return;
  }
}

void Inquiry::note(const Result<void>& done, std::string_view source) {
  if (!done) evidence_.problems.push_back(fmt::format("{} could not be asked: {}", source, done.error().message));
}

bool Inquiry::search_on() {
  if (searches_.empty()) return true;
  if (searched_ >= options_.limits.logs) {
    evidence_.logs_searched = false;
    if (search_) searches_.back().use(search_->take());
    search_.reset();
    searches_.clear();
    return true;
  }
  Search& search = searches_.back();
  const SteadyTime begin = world_.clock.steady();
  if (!search_) search_.emplace(world_.files, search.log, search.wanted);
  const auto ended = search_->step();
  searched_ += world_.clock.steady() - begin;
  if (ended && !*ended) return false;
  if (!ended) note(std::unexpected(ended.error()), search.source);
  search.use(search_->take());
  search_.reset();
  searches_.pop_back();
  return false;
}

// The latest launch makes the keys, or the one that is asked about.
void Inquiry::read_settings() {
  if (!launches_.empty() && options_.limits.reads_settings) {
    auto asked = collection::latest_launch(world_.files, options_.collection);
    const bool is_here = launches_.back().collection == options_.collection;
    if (asked && *asked && !asks_latest_ && is_here) *asked = launches_.back();
    const auto loaded =
        asked && *asked ? crawl::load_settings_files(world_.files, **asked, latest_->settings) : Result<void>();
    note(loaded, "the settings of the crawl");
    if (const auto keys = config::key_policies(latest_->settings.canonicalization)) latest_->keys = *keys;
  }
  if (auto key = url::crawl_key(latest_->keys.crawl, url_)) evidence_.key = *std::move(key);
}

Result<void> Inquiry::read_captures() {
  cdx::CaptureIndex index(world_.files, world_.clock, options_.collection);
  TRY(const auto found, index.captures_of(evidence_.url));
  for (std::string& problem : index.problems()) evidence_.problems.push_back(std::move(problem));
  const auto take = [&](cdx::Capture& capture) {
    auto& into = capture.url == evidence_.url ? evidence_.captures : evidence_.others;
    into.push_back(std::move(capture));
    return true;
  };
  if (options_.limits.captures == std::numeric_limits<size_t>::max()) {
    TRY_VOID(found.each(take));
  } else {
    TRY(auto latest, found.closest("99991231235959", options_.limits.captures));
    for (cdx::Capture& capture : std::views::reverse(latest)) take(capture);
  }
  return evidence_.captures.empty() ? read_answers_to_posts(index) : Result<void>();
}

// Answers to what was sent to it are indexed with that behind the URL.
Result<void> Inquiry::read_answers_to_posts(cdx::CaptureIndex& index) {
  cdx::Query query;
  query.url = cdx::request_url(evidence_.url.substr(0, evidence_.url.find_first_of("?#")), "", "");
  query.url.resize(query.url.rfind('&'));
  query.match = cdx::MatchType::prefix;
  query.exact_url = cdx::normal_url(evidence_.url);
  query.limit = kMostAnswers;
  TRY(auto run, cdx::QueryRun::start(index, query, cdx::kServedHeld));
  cdx::Capture capture;
  for (uint64_t budget = kMostRead;;) {
    TRY(const auto found, run.next(capture, budget));
    if (found != cdx::QueryRun::Found::capture) return {};
    evidence_.captures.push_back(std::move(capture));
  }
}

// An index may outlive its archive files. Where others have them, nothing is said.
void Inquiry::look_for_file() {
  const collection::Layout layout(options_.collection);
  if (evidence_.captures.empty() || world_.files.exists(io::join_path(layout.folder(), "sources.yaml"))) return;
  const std::string& name = evidence_.captures.back().filename;
  const auto places = collection::places_of_archive(world_.files, layout, name);
  if (std::ranges::any_of(places, [&](const std::string& path) { return world_.files.exists(path); })) return;
  evidence_.problems.push_back(
      fmt::format("the file {} of the latest capture is in no folder of the collection (caddis repair tells what is "
                  "gone; caddis serve --sources names other places)",
                  name));
}

// The next one that is searched stands last.
void Inquiry::search_log(const collection::Launch& launch, const UrlTest& test, size_t enough, const UseLines& use) {
  const std::string source = "the logs of " + launch.name;
  const auto parts = logs::files_of_log(world_.files, launch.crawl_log());
  if (!parts || !parts->empty()) {
    searches_.push_back({source, launch.crawl_log(), wanted_of_columns(test, enough), use});
    return;
  }
  // Without crawl.log its logs in JSON say the same.
  has_json_logs_ = true;
  const auto use_converted = [use](const std::vector<std::string>& lines) {
    std::vector<std::string> converted;
    logs::JsonLine line;
    for (const std::string& text : lines)
      if (line.parse(text)) converted.push_back(logs::downgraded_line(line));
    use(converted);
  };
  for (const char* name : {"/dns.jsonl", "/http.jsonl", "/ftp.jsonl", "/sftp.jsonl", "/whois.jsonl", "/file.jsonl",
                           "/failures.jsonl", "/not-crawled.jsonl"})
    searches_.push_back({source, launch.logs() + name, wanted_of_json(test, enough), use_converted});
}

void Inquiry::plan_logs() {
  const UrlTest test = exactly(evidence_.url);
  const size_t enough = options_.limits.visits;
  for (const collection::Launch& launch : launches_) {
    const auto use = [this, name = launch.name](const std::vector<std::string>& lines) {
      put_before(evidence_.tries, lines, name, true);
    };
    searches_.push_back({"the logs of " + launch.name, launch.error_log(), wanted_of_columns(test, enough), use});
  }
  for (const collection::Launch& launch : launches_) search_log(launch, test, enough, visits_into(launch));
}

UseLines Inquiry::visits_into(const collection::Launch& launch) {
  return [this, name = launch.name](const std::vector<std::string>& lines) {
    put_before(evidence_.visits, lines, name, false);
    // Of several logs each has its own part of the time.
    if (has_json_logs_) std::ranges::sort(evidence_.visits, {}, &LoggedVisit::time);
  };
}

void Inquiry::plan_spellings() {
  const std::string host(logs::host_of(evidence_.key.find("://") != std::string::npos ? evidence_.key : evidence_.url));
  if (host.empty()) return;
  const auto is_it = [this, host](std::string_view url) {
    return logs::host_of(url).ends_with(host) && has_same_key(url);
  };
  for (const collection::Launch& launch : launches_)
    search_log(launch, {host, false, is_it}, options_.limits.visits, visits_into(launch));
}

// Logs that are not there have no lines.
void Inquiry::plan_judged() {
  const UrlTest test = exactly(evidence_.url);
  for (const collection::Launch& launch : launches_) {
    const std::string source = "the logs of " + launch.name;
    const auto take_judged = [this, name = launch.name](const std::vector<std::string>& lines) {
      logs::JsonLine line;
      for (const std::string& text : lines)
        if (line.parse(text))
          evidence_.logged_links.judged.push_back({name, line.copy("time"), line.copy("status"), line.copy("rule"),
                                                   line.copy("key"), line.copy("via"), line.copy("hops")});
    };
    for (const char* log : {"/scope.jsonl", "/not-crawled.jsonl"})
      searches_.push_back({source, launch.logs() + log, wanted_of_json(test, kLinksKept, "url", true), take_judged});
    const auto take_links = [this](const std::vector<std::string>& lines) {
      std::vector<FoundLink> found;
      logs::JsonLine line;
      for (const std::string& text : lines)
        if (line.parse(text))
          found.push_back(
              {line.copy("from"), line.copy("time"), line.copy("to"), line.copy("hop"), line.copy("context")});
      evidence_.logged_links.outlinks.insert(evidence_.logged_links.outlinks.begin(), found.begin(), found.end());
    };
    searches_.push_back(
        {source, collection::outlink_log_of(launch), wanted_of_json(test, kLinksKept, "to"), take_links});
  }
}

// Empty if the last visit did not fail for another URL.
std::string Inquiry::prerequisite_url() const {
  if (evidence_.visits.empty()) return "";
  const LoggedVisit& last = evidence_.visits.back();
  if (last.status == status::kDomainPrerequisiteFailed) return fmt::format("dns:{}", logs::host_of(last.url));
  if (last.status != status::kRobotsPrerequisiteFailed) return "";
  const size_t begin = last.url.find("://");
  return begin == std::string::npos ? "" : last.url.substr(0, last.url.find('/', begin + 3)) + "/robots.txt";
}

void Inquiry::plan_prerequisite() {
  const std::string wanted = prerequisite_url();
  if (wanted.empty()) return;
  const std::string& name = evidence_.visits.back().launch;
  const auto launch = std::ranges::find(launches_, name, &collection::Launch::name);
  search_log(*launch, exactly(wanted), 1, [this, name](const std::vector<std::string>& lines) {
    if (!lines.empty()) evidence_.prerequisite = visit_on(lines.back(), name);
  });
}

// `visit` stays where it is.
void Inquiry::plan_details(LoggedVisit& visit) {
  const std::string_view log = log_with_details(visit);
  const auto launch = std::ranges::find(launches_, visit.launch, &collection::Launch::name);
  if (log.empty() || launch == launches_.end()) return;
  const auto use = [&visit](const std::vector<std::string>& lines) {
    if (!lines.empty()) take_details(visit, lines.back());
  };
  searches_.push_back({"the logs of " + launch->name, fmt::format("{}/{}.jsonl", launch->logs(), log),
                       wanted_of_json(exactly(visit.url), 1), use});
}

// The reason of its last try, if no log has that of its end.
void Inquiry::plan_tries_of_prerequisite() {
  LoggedVisit& visit = *evidence_.prerequisite;
  const auto launch = std::ranges::find(launches_, visit.launch, &collection::Launch::name);
  if (is_success(visit.status) || launch == launches_.end()) return;
  const auto use = [&visit](const std::vector<std::string>& lines) {
    if (lines.empty() || !visit.reason.empty()) return;
    LoggedVisit tried = visit_on(lines.back(), visit.launch);
    part_reason(tried);
    visit.reason = std::move(tried.reason);
  };
  searches_.push_back(
      {"the logs of " + launch->name, launch->error_log(), wanted_of_columns(exactly(visit.url), 1), use});
}

bool Inquiry::has_same_key(std::string_view text) const {
  const auto url = url::Url::parse(text);
  const auto key = url ? url::crawl_key(latest_->keys.crawl, *url) : std::unexpected(url.error());
  return key && *key == evidence_.key;
}

Result<void> Inquiry::search_links() {
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
  std::set<std::string> searched;
  for (const std::string& folder : collection::archive_folders(world_.files, collection::Layout(options_.collection))) {
    if (!world_.files.exists(folder)) {
      note(fail(ErrorCode::not_found, "no such folder"), folder);
      continue;
    }
    TRY(const auto archives, cdx::find_archives(world_.files, folder));
    for (const std::string& path : archives) {
      if (!searched.insert(path).second) continue;
      TRY(const auto file, world_.files.open_read(path));
      TRY_VOID(inspect::each_outlink(warc::FileSource(*file), take));
    }
  }
  return {};
}

// The way to the URL, as far as a search has found one.
void Inquiry::plan_way() {
  if (evidence_.links.empty()) return;
  const FoundLink& link = evidence_.links.front();
  question_.via = link.page;
  question_.hops = link.hop;
  question_.is_seed = false;
  const auto use = [this, hop = link.hop](const std::vector<std::string>& lines) {
    LogLine line;
    if (lines.empty() || !question_.source_seed.empty() || !line.parse(lines.back())) return;
    const std::string_view hops = line.known(LogLine::hops);
    const size_t plus = hops.find('+');  // "12+LL…": the front of a long path is not known
    question_.hops = std::string(hops.substr(plus == std::string_view::npos ? 0 : plus + 1)) + hop;
    question_.source_seed = line.known(LogLine::source);
  };
  for (const collection::Launch& launch : launches_) search_log(launch, exactly(link.page), 1, use);
}

Result<void> Inquiry::ask_crawl() {
  const bool is_archived = !evidence_.captures.empty();
  TRY(const auto latest, collection::latest_launch(world_.files, options_.collection));
  if (!latest) return {};  // only logs are there
  const control::AskingWorld world = with_one_patience(world_);
  TRY(auto crawl, control::AskedCrawl::open(world, options_.collection));
  auto report = crawl.read<control::api::UrlReport>("/url", control::query_of({{"url", url_.href()}}));
  Result<void> outcome = report ? Result<void>() : std::unexpected(report.error());
  evidence_.was_state_asked = report.has_value();
  evidence_.runs = crawl.runs() && report;
  if (report) evidence_.report = *std::move(report);
  // It may have ended meanwhile.
  const auto status = evidence_.runs ? crawl.status() : Result<std::string>();
  if (const auto told =
          status ? control::api::from_json<control::api::Status>(*status) : std::unexpected(status.error()))
    evidence_.state = told->state;
  const bool is_known = is_archived || !evidence_.visits.empty() || !evidence_.logged_links.judged.empty() ||
                        (evidence_.report && evidence_.report->seen);
  const bool is_too_slow = !outcome && outcome.error().code == ErrorCode::timeout;
  if (!is_known && !is_too_slow) note(ask_scope(crawl), "the scope");
  // A state that nobody may look into from here is no problem, but something that is not known.
  if (!world_.open_kv && !outcome && outcome.error().code == ErrorCode::unsupported) return {};
  return outcome;
}

Result<void> Inquiry::ask_scope(control::AskedCrawl& crawl) {
  auto answer = crawl.ask_scope(control::query_of({{"url", question_.url},
                                                   {"via", question_.via},
                                                   {"hops", question_.hops.empty() ? "L" : question_.hops},
                                                   {"source", question_.source_seed}}));
  if (answer) {
    TRY(evidence_.scope, control::api::from_json<control::api::ScopeReport>(*answer));
    return {};
  }
  if (answer.error().code != ErrorCode::not_found) return std::unexpected(std::move(answer).error());
  if (!options_.limits.reads_settings) return {};
  config::Settings settings = latest_->settings;
  TRY_VOID(name_copies_of_lists(world_.files, crawl.launch(), settings));
  TRY(auto explainer, ScopeExplainer::create(settings, {}));
  TRY(auto explained, explainer.explain(question_));
  evidence_.scope = std::move(explained.report);
  return {};
}

Result<UrlEvidence> gather_evidence(const control::AskingWorld& world, InquiryOptions options) {
  TRY(const auto inquiry, Inquiry::begin(world, std::move(options)));
  while (!inquiry->step()) {
  }
  return inquiry->evidence();
}

}  // namespace caddis::why
