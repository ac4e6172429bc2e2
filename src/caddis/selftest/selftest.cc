// How it goes about its work: two crawls of the same site into one collection, by the executable as anybody would run
// it. What the second finds is known, so it has to be revisits. Then the files of both are read back, and the archive is
// served.

#include "caddis/selftest/selftest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/strings.h"
#include "caddis/io/files.h"
#include "caddis/process/captured.h"
#include "caddis/process/child.h"
#include "caddis/selftest/crawl_result.h"
#include "caddis/selftest/replay_check.h"
#include "caddis/selftest/site.h"
#include "caddis/selftest/site_server.h"

namespace caddis::selftest {
namespace {

constexpr Duration kPatience = std::chrono::minutes(3);
constexpr uint64_t kDeepestTrap = 30;

constexpr std::string_view kSettings =
    "crawl: {name: selftest}\n"
    "politeness: {delay: 0s, url-retries: 1, url-retry-delay: 100ms}\n"
    "limits: {max-time: 2m}\n";

// A few of many, for a line.
std::string first_of(const std::vector<std::string>& flaws) {
  constexpr size_t kMost = 5;
  const std::vector<std::string> first(flaws.begin(),
                                       flaws.begin() + static_cast<ptrdiff_t>(std::min(kMost, flaws.size())));
  return fmt::format("{}{}", fmt::join(first, "; "),
                     flaws.size() > kMost ? fmt::format("; and {} more", flaws.size() - kMost) : "");
}

struct Outcome {
  std::string text;  // if all is well
  std::vector<std::string> flaws;
};

class Selftest {
 public:
  Selftest(const Options& options, const std::function<void(const Check&)>& tell)
      : options_(options), tell_(tell), collection_(options.folder + "/c") {}

  bool run() {
    bool is_sound = check("site", [&] { return serve_site(); });
    is_sound = is_sound && check("crawl", [&] { return crawl(); });
    is_sound = is_sound && check("second crawl", [&] { return crawl(); });
    if (!is_sound) return false;
    server_->stop();
    for (const auto& [name, look] : checks()) is_sound = check(name, look) && is_sound;
    return is_sound;
  }

 private:
  using Look = std::function<Result<Outcome>()>;

  std::vector<std::pair<std::string, Look>> checks() {
    return {{"ways of URLs", [&] { return look_at_fates(); }},
            {"robots.txt", [&] { return look_at_robots(); }},
            {"traps", [&] { return look_at_trap(); }},
            {"repetitions", [&] { return look_at_repetitions(); }},
            {"WARC and index", [&] { return look_at_archive(); }},
            {"logs", [&] { return look_at_logs(); }},
            {"reports", [&] { return look_at_reports(); }},
            {"replay", [&] { return look_at_replay(); }}};
  }

  bool check(const std::string& name, const Look& look) {
    const Result<Outcome> outcome = look();
    const bool is_passed = outcome && outcome->flaws.empty();
    tell_({name, is_passed ? outcome->text : outcome ? first_of(outcome->flaws) : outcome.error().message, is_passed});
    return is_passed;
  }

  Result<Outcome> serve_site() {
    TRY(server_, SiteServer::start(site_));
    origin_ = server_->origin();
    return Outcome{fmt::format("{} at {}", counted(site_.pages().size(), "page"), origin_), {}};
  }

  Result<Outcome> crawl() {
    io::Files& files = io::real_files();
    const std::string settings = options_.folder + "/crawl.yaml";
    TRY_VOID(files.write_atomically(settings, kSettings));
    TRY(auto child, process::CapturedChild::start(
                        {options_.caddis, "crawl", origin_ + "/", "--config", settings, "--collection", collection_}));
    TRY(const process::CapturedEnd end, child.wait(kPatience, system_clock()));
    TRY(launches_, collection::launches(files, collection::Layout(collection_)));
    Outcome outcome;
    if (!end.is_success())
      outcome.flaws.push_back(fmt::format("ended {}: {}", process::how_it_ended(end.status), end.output));
    if (launches_.empty()) return fail(ErrorCode::not_found, "no launch is in the collection: " + end.output);
    TRY(LogLines lines, read_crawl_log(launches_.back()));
    outcome.text = counted(lines.size(), "URL");
    logs_.push_back(std::move(lines));
    return outcome;
  }

  // Each page has to have gone its way, in both crawls.
  Result<Outcome> look_at_fates() {
    Outcome outcome{fmt::format("{} as expected", counted(site_.pages().size(), "URL")), {}};
    for (const auto& [path, page] : site_.pages()) {
      for (size_t i = 0; i < logs_.size(); ++i) {
        const auto found = logs_[i].find(origin_ + path);
        if (found == logs_[i].end())
          outcome.flaws.push_back(fmt::format("{} ({}) was not visited by crawl {}", path, page.tries, i + 1));
        else if (found->second.status != page.fate)
          outcome.flaws.push_back(
              fmt::format("{} ({}) has status {} instead of {}", path, page.tries, found->second.status, page.fate));
      }
    }
    return outcome;
  }

  Result<Outcome> look_at_robots() {
    Outcome outcome{"heeded", {}};
    for (const auto& [path, page] : site_.pages())
      if (path.starts_with("/private/") && site_.requests(path) > 0)
        outcome.flaws.push_back(fmt::format("{} was asked for", path));
    if (site_.requests("/robots.txt") == 0) outcome.flaws.emplace_back("robots.txt was not asked for");
    return outcome;
  }

  Result<Outcome> look_at_trap() {
    Outcome outcome{fmt::format("left after {}", counted(site_.trapped(), "URL")), {}};
    if (site_.trapped() == 0) outcome.flaws.emplace_back("the trap was not visited");
    if (site_.trapped() > kDeepestTrap)
      outcome.flaws.push_back(fmt::format("{} URLs of a trap were visited", site_.trapped()));
    return outcome;
  }

  // Pages with a body are known the second time.
  Result<Outcome> look_at_repetitions() {
    Outcome outcome;
    size_t repeated = 0;
    for (const auto& [path, page] : site_.pages()) {
      if (page.fate != 200 || page.delivery == Delivery::cut) continue;
      const auto found = logs_.back().find(origin_ + path);
      if (found == logs_.back().end()) continue;  // told elsewhere
      ++repeated;
      if (!found->second.is_repetition()) outcome.flaws.push_back(fmt::format("{} was stored a second time", path));
    }
    outcome.text = fmt::format("{} stored once", counted(repeated, "payload"));
    return outcome;
  }

  Result<Outcome> look_at_archive() {
    TRY(ArchiveFindings found, check_archive(collection_));
    if (found.revisits == 0) found.flaws.emplace_back("no record is a revisit");
    return Outcome{fmt::format("{} in {}, {} verified, {}, {} of indexes", counted(found.records, "record"),
                               counted(found.files, "file"), counted(found.digests, "digest"),
                               counted(found.revisits, "revisit"), counted(found.lines, "line")),
                   std::move(found.flaws)};
  }

  Result<Outcome> look_at_logs() {
    Outcome outcome;
    size_t number = 0;
    for (const collection::Launch& launch : launches_) {
      TRY(const auto entries, io::real_files().list(launch.logs()));
      number += entries.size();
      for (const std::string_view wanted : {"crawl.log", "progress-statistics.log", "job.log", "http.jsonl"})
        if (std::ranges::find(entries, wanted, &io::DirectoryEntry::name) == entries.end())
          outcome.flaws.push_back(fmt::format("there is no {}", wanted));
      for (const std::string_view silent : {"runtime-errors.log", "alerts.log"}) {
        TRY(const std::string text, io::real_files().read_all(io::join_path(launch.logs(), silent)));
        // A folder with a long name has no socket, which is no fault.
        if (!text.empty() && text.find("has no control socket") == std::string::npos)
          outcome.flaws.push_back(fmt::format("{} says: {}", silent, text));
      }
    }
    outcome.text = fmt::format("{}, no alert", counted(number, "file"));
    return outcome;
  }

  // The figures of the report are those of the log.
  Result<Outcome> look_at_reports() {
    Outcome outcome;
    size_t files = 0;
    for (size_t i = 0; i < launches_.size() && i < logs_.size(); ++i) {
      TRY(const auto entries, io::real_files().list(launches_[i].reports()));
      files += entries.size();
      TRY(const auto figures, read_crawl_report(launches_[i]));
      const auto count = [&](auto&& wanted) { return std::ranges::count_if(logs_[i], wanted); };
      const std::vector<std::pair<std::string, int64_t>> expected = {
          {"uri disregards", count([](const auto& line) { return line.second.status == -9998; })},
          {"uri failures",
           count([](const auto& line) { return line.second.status < 0 && line.second.status != -9998; })}};
      for (const auto& [name, number] : expected) {
        const auto told = figures.find(name);
        if (told == figures.end() || parse_int(told->second) != number)
          outcome.flaws.push_back(fmt::format("the report says '{}: {}', and crawl.log {}", name,
                                              told == figures.end() ? "nothing" : told->second, number));
      }
    }
    outcome.text = fmt::format("{}, their figures are those of the log", counted(files, "file"));
    return outcome;
  }

  Result<Outcome> look_at_replay() {
    size_t answers = 0;
    TRY(auto flaws, check_replay(options_.caddis, collection_, origin_, site_, answers));
    return Outcome{fmt::format("{} as served", counted(answers, "answer")), std::move(flaws)};
  }

  const Options& options_;
  const std::function<void(const Check&)>& tell_;
  const std::string collection_;
  std::string origin_;
  Site site_;
  std::unique_ptr<SiteServer> server_;  // uses the site
  std::vector<collection::Launch> launches_;
  std::vector<LogLines> logs_;  // of the crawls
};

}  // namespace

bool run(const Options& options, const std::function<void(const Check&)>& tell) {
  return Selftest(options, tell).run();
}

}  // namespace caddis::selftest
