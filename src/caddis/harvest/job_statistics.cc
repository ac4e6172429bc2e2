#include "caddis/harvest/job_statistics.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

#include "caddis/harvest/domain_name.h"
#include "caddis/io/text_lines.h"
#include "caddis/logs/json_line.h"
#include "caddis/logs/log_files.h"

namespace caddis::harvest {
namespace {

constexpr std::array<std::string_view, 5> kAnswers = {"http", "ftp", "sftp", "whois", "file"};

class Counter {
 public:
  explicit Counter(StopReason otherwise) : otherwise_(otherwise) {}

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

}  // namespace

StopReason reason_of_exit(std::string_view exit) {
  if (exit == "FINISHED") return StopReason::completed;
  if (exit == "FINISHED_TIME_LIMIT") return StopReason::time_limit;
  return StopReason::unfinished;
}

Result<JobStatistics> read_job_statistics(io::Files& files, const collection::Launch& launch, StopReason otherwise) {
  Counter counter(otherwise);
  for (const std::string_view log : kAnswers)
    TRY_VOID(read_log(files, fmt::format("{}/{}.jsonl", launch.logs(), log), counter,
                      [&](const logs::JsonLine& line) { counter.add_answer(line); }));
  TRY_VOID(read_log(files, launch.logs() + "/not-crawled.jsonl", counter,
                    [&](const logs::JsonLine& line) { counter.add_left_out(line); }));
  return counter.finish();
}

}  // namespace caddis::harvest
