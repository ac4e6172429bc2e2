#include "caddis/harvest/job_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

#include "caddis/harvest/domain_name.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/log_files.h"

namespace caddis::harvest {
namespace {

constexpr std::array<std::string_view, 5> kAnswers = {"http", "ftp", "sftp", "whois", "file"};
// Words of seeds-report. Other ones may stand there while URLs wait.
constexpr std::array<std::string_view, 3> kNothingLeft = {"finished", "failed", "robots"};

class Counter {
 public:
  explicit Counter(StopReason otherwise) : otherwise_(otherwise) {}

  // A row of seeds-report. A domain is complete if nothing waits for any of its seeds.
  void add_seed(const logs::JsonLine& row) {
    const std::string why = row.copy("stop-reason");
    // A known one is told by the seed of which it was a link.
    if (why.empty() || why == "known") return;
    DomainResult* const domain = domain_of(row);
    if (domain == nullptr) return;
    const bool is_over = std::ranges::find(kNothingLeft, why) != kNothingLeft.end();
    const auto [at, is_new] = complete_.try_emplace(domain, is_over);
    if (!is_new) at->second = at->second && is_over;
    domain->reason = at->second ? StopReason::completed : otherwise_;
  }

  void add_answer(const logs::JsonLine& line) {
    DomainResult* const domain = domain_of(line);
    if (domain == nullptr) return;
    domain->bytes += line.number("received").value_or(0);
    if (!line.copy("hops").ends_with('P')) ++domain->objects;
  }

  void add_left_out(const logs::JsonLine& line) {
    const std::string quota = line.copy("quota");
    if (quota != "seed-domain-successes" && quota != "seed-domain-bytes") return;
    DomainResult* const domain = domain_of(line);
    if (domain == nullptr) return;
    // The limit of objects is told if both were reached.
    if (quota == "seed-domain-successes")
      domain->reason = StopReason::object_limit;
    else if (domain->reason != StopReason::object_limit)
      domain->reason = StopReason::size_limit;
  }

  void add_strange() { ++statistics_.strange_lines; }

  JobStatistics finish() {
    for (auto& [name, result] : domains_) statistics_.domains.push_back(std::move(result));
    return std::move(statistics_);
  }

 private:
  // The seed is the same for many lines in a row.
  DomainResult* domain_of(const logs::JsonLine& line) {
    std::string url = line.copy("seed");
    if (url.empty()) url = line.copy("url");
    if (url == last_url_) return last_;
    last_url_ = std::move(url);
    last_ = nullptr;
    const auto name = domain_of_url(last_url_);
    if (!name) return nullptr;
    const auto [at, is_new] = domains_.try_emplace(*name);
    if (is_new) at->second = {*name, 0, 0, otherwise_};
    last_ = &at->second;
    return last_;
  }

  const StopReason otherwise_;
  std::map<std::string, DomainResult, std::less<>> domains_;
  std::string last_url_;
  DomainResult* last_ = nullptr;
  std::unordered_map<const DomainResult*, bool> complete_;
  JobStatistics statistics_;
};

template <class Use>
Result<void> read_log(io::Files& files, const std::string& path, Counter& counter, const Use& use) {
  TRY(const auto parts, logs::files_of_log(files, path));
  logs::JsonLine line;
  for (const std::string& part : parts) {
    TRY(const auto lines, io::TextLines::open(files, part));
    for (;;) {
      TRY(const auto text, lines->next());
      if (!text) break;
      if (!line.parse(*text))
        counter.add_strange();
      else if (!line.is_header())
        use(line);
    }
  }
  return {};
}

// Rows of a report stand in lines of their own, with a comma behind all but the last.
Result<void> read_seeds(io::Files& files, const std::string& path, Counter& counter) {
  if (!files.exists(path)) return {};
  TRY(const auto lines, io::TextLines::open(files, path));
  logs::JsonLine row;
  for (;;) {
    TRY(auto text, lines->next());
    if (!text) return {};
    std::string_view object = *text;
    if (object.ends_with(',')) object.remove_suffix(1);
    if (row.parse(object)) counter.add_seed(row);
  }
}

// A crawl that has died leaves no reports, or those of an earlier moment.
bool has_reports(std::string_view exit) { return !exit.empty() && exit != "ABNORMAL"; }

}  // namespace

StopReason reason_of_exit(std::string_view exit) {
  if (exit == "FINISHED") return StopReason::completed;
  if (exit == "FINISHED_TIME_LIMIT") return StopReason::time_limit;
  return StopReason::unfinished;
}

Result<JobStatistics> read_job_statistics(io::Files& files, const collection::Launch& launch, std::string_view exit) {
  const StopReason otherwise = reason_of_exit(exit);
  Counter counter(otherwise);
  // Before the logs, which know of limits.
  if (otherwise != StopReason::completed && has_reports(exit))
    TRY_VOID(read_seeds(files, launch.reports() + "/seeds-report.json", counter));
  for (const std::string_view log : kAnswers)
    TRY_VOID(read_log(files, fmt::format("{}/{}.jsonl", launch.logs(), log), counter,
                      [&](const logs::JsonLine& line) { counter.add_answer(line); }));
  TRY_VOID(read_log(files, launch.logs() + "/not-crawled.jsonl", counter,
                    [&](const logs::JsonLine& line) { counter.add_left_out(line); }));
  return counter.finish();
}

}  // namespace caddis::harvest
