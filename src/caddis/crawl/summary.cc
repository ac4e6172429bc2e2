#include "caddis/crawl/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/crawl/crawl.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/crawl_status.h"
#include "caddis/http/reason.h"

namespace caddis::crawl {
namespace {

constexpr size_t kShown = 10;
constexpr size_t kLongestSeed = 2000;

std::string name_of(int status) {
  const std::string_view words = http::describe_status(status);
  return words.empty() ? std::to_string(status) : fmt::format("{} {}", status, words);
}

void add_types(std::string& out, const Statistics& statistics) {
  std::vector<std::pair<std::string, Tally>> types(statistics.mimes().begin(), statistics.mimes().end());
  for (auto& [mime, tally] : types) tally.urls -= std::min(tally.urls, statistics.prerequisites_of_mime(mime));
  std::erase_if(types, [](const auto& type) { return type.second.urls == 0; });
  if (types.empty()) return;
  std::ranges::sort(types, [](const auto& a, const auto& b) { return a.second.urls > b.second.urls; });
  out += "captured by type:\n";
  for (size_t i = 0; i < std::min(kShown, types.size()); ++i)
    out += fmt::format("  {:>8}  {:<32} {}\n", types[i].second.urls, types[i].first,
                       format_size(static_cast<long long>(types[i].second.bytes)));
  if (types.size() > kShown) out += fmt::format("  {:>8}  more types\n", types.size() - kShown);
}

void add_statuses(std::string& out, const Statistics& statistics) {
  std::string captured, missed;
  for (const auto& [status, tally] : statistics.statuses()) {
    const uint64_t urls = tally.urls - std::min(tally.urls, statistics.prerequisites_of_status(status));
    // The same number may be an answer of HTTP and a refusal of FTP.
    const uint64_t lost =
        is_success(status) ? std::min(urls, statistics.total(fmt::format("refused-with-{}", status))) : urls;
    if (urls > lost) captured += fmt::format("  {:>8}  {}\n", urls - lost, name_of(status));
    if (lost > 0) missed += fmt::format("  {:>8}  {}\n", lost, name_of(status));
  }
  if (!captured.empty()) out += "captured by status:\n" + captured;
  if (statistics.prerequisites() > 0)
    out += fmt::format("besides: {} of DNS and robots.txt\n", counted(statistics.prerequisites(), "answer"));
  if (!missed.empty()) out += "not captured:\n" + missed;
}

void add_repeated(std::string& out, const Statistics& statistics) {
  if (const Tally unchanged = statistics.repeats().unchanged(); unchanged.urls > 0)
    out += fmt::format("not changed, as the servers said: {}\n", counted(unchanged.urls, "document"));
  const Tally repeated = statistics.repeats().repeated();
  if (repeated.urls == 0) return;
  const uint64_t same = statistics.repeats().repeated(dedup::Likeness::url).urls;
  out += fmt::format("known already: {}, {}, not stored again ({} at the same URL; reports/dedup-report.txt)\n",
                     counted(repeated.urls, "answer"), format_size(static_cast<long long>(repeated.bytes)), same);
}

void add_rejected(std::string& out, const Statistics& statistics) {
  if (statistics.rejected().empty()) return;
  out += "links not followed, by rule (caddis scope explain tells more):\n";
  for (const auto& [rule, links] : statistics.rejected()) out += fmt::format("  {:>8}  {}\n", links, rule);
}

std::string fate_of(const SeedFate& fate, bool has_queued) {
  if (fate.status != 0) return name_of(fate.status);
  return has_queued ? "no answer yet: it is still queued, perhaps for its next try, or was deleted" : "not tried";
}

// The first of them; who gives thousands of seeds looks into the report.
void add_lines(std::string& out, std::string_view title, const std::vector<std::string>& lines, uint64_t number) {
  if (number == 0) return;
  out += fmt::format("{}:\n", title);
  for (const std::string& line : lines) out += fmt::format("  {}\n", line);
  if (number > lines.size()) out += fmt::format("  and {} more: reports/seeds-report.txt\n", number - lines.size());
}

void add_seeds(std::string& out, const SeedTally& seeds, bool has_queued) {
  std::vector<std::string> failed, known;
  for (const auto& [url, fate] : seeds.first_failed)
    failed.push_back(fmt::format("{}: {}", visible(url, kLongestSeed), fate_of(fate, has_queued)));
  for (const std::string& url : seeds.first_known) known.push_back(visible(url, kLongestSeed));
  add_lines(out, "seeds that failed", failed, seeds.failed);
  add_lines(out,
            "seeds that were known already, as a link, by another seed, or by a crawl before (caddis frontier --url "
            "tells more)",
            known, seeds.known);
}

void add_hosts(std::string& out, const Statistics& statistics) {
  std::vector<std::pair<std::string, HostTally>> hosts;
  std::ranges::copy_if(statistics.hosts().all(), std::back_inserter(hosts),
                       [](const auto& host) { return host.second.failed > 0; });
  if (hosts.empty()) return;
  std::ranges::sort(hosts, [](const auto& a, const auto& b) { return a.second.failed > b.second.failed; });
  out += "hosts with most failures:\n";
  for (size_t i = 0; i < std::min(kShown, hosts.size()); ++i)
    out += fmt::format("  {:>8}  {} ({} captured)\n", hosts[i].second.failed, hosts[i].first, hosts[i].second.urls);
}

}  // namespace

bool had_nothing_to_do(const Crawl& crawl, const CrawlEnd& end) {
  const Statistics& statistics = crawl.state().statistics;
  return end.reason == EndReason::finished && statistics.statuses().empty() && crawl.status().queued == 0 &&
         crawl.seeds().crawled + crawl.seeds().not_crawled == crawl.seeds().known;
}

std::string summary(const Crawl& crawl, const CrawlEnd& end) {
  const Statistics& statistics = crawl.state().statistics;
  const collection::Launch& launch = crawl.state().launch;
  const CrawlStatus status = crawl.status();
  std::string out = fmt::format(
      "{}: {}, {}, in {} ({:.1f} documents/s, {}/s)\n", end.text, counted(statistics.documents(), "document"),
      format_size(static_cast<long long>(statistics.bytes())), format_duration(statistics.running_time()),
      status.documents_per_second_average, format_size(static_cast<long long>(status.bytes_per_second_average)));
  if (statistics.documents() > 0) add_types(out, statistics);
  add_statuses(out, statistics);
  add_repeated(out, statistics);
  add_rejected(out, statistics);
  add_seeds(out, crawl.seeds(), status.queued > 0);
  add_hosts(out, statistics);
  if (end.reason == EndReason::failed)
    out +=
        "what was not committed when it failed is counted here, too; it is fetched again when the crawl is resumed\n";
  if (status.queued > 0) out += fmt::format("still queued: {}\n", counted(status.queued, "URL"));
  if (status.queued_retired > status.queued_over_quota)
    out += fmt::format(
        "retired:  {} of them; caddis crawl --resume without frontier.retire takes up those that it has retired. "
        "Others are taken up by caddis frontier --unretire, on a crawl that is resumed with --run-while-empty\n",
        status.queued_retired - status.queued_over_quota);
  if (status.queued_over_quota > 0)
    out += fmt::format("over quota: {} of them; caddis crawl --resume with higher quotas takes them up\n",
                       status.queued_over_quota);
  out += fmt::format("archive:  {}\nindex:    {}\nlogs:     {}\nreports:  {}\n", launch.archive(), launch.index(),
                     launch.logs(), launch.reports());
  const bool is_given_up = statistics.statuses().contains(status::kBlockedByRuntimeLimit);
  if (end.reason == EndReason::limit && status.queued == 0 && is_given_up)
    out +=
        "nothing waits any more: what did was given up at the limit (-5004), and a higher one does not bring it back; "
        "caddis frontier --add URL --force does, on a crawl that is resumed with --run-while-empty\n";
  if (end.reason == EndReason::finished || (end.reason == EndReason::limit && status.queued == 0))
    out += fmt::format("browse:   caddis serve {}\n", launch.collection);
  else
    out += fmt::format("go on:    caddis crawl --resume --collection {}{}\n", launch.collection,
                       end.reason == EndReason::limit ? " (with a higher limit: limits count over all launches)" : "");
  return out;
}

}  // namespace caddis::crawl
