#include "caddis/crawl/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "caddis/base/fetch_status.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

// The entries of a tally map, most URLs first.
template <class Map>
auto by_urls(const Map& map) {
  std::vector<std::pair<typename Map::key_type, typename Map::mapped_type>> rows(map.begin(), map.end());
  std::ranges::sort(rows, [](const auto& a, const auto& b) {
    return a.second.urls != b.second.urls ? a.second.urls > b.second.urls : a.first < b.first;
  });
  return rows;
}

double per_second(uint64_t amount, Duration time) {
  const double seconds = std::chrono::duration<double>(time).count();
  return seconds > 0 ? static_cast<double>(amount) / seconds : 0;
}

}  // namespace

std::string crawl_report(const Statistics& statistics, const SeedTally& seeds, const ReportFacts& facts) {
  const Duration time = statistics.running_time();
  std::string report = fmt::format(
      "Crawl Name: {}\nCrawl Status: {}\nDuration Time: {}\nTotal Seeds Crawled: {}\nTotal Seeds not Crawled: {}\n"
      "Total Hosts Crawled: {}\nTotal URIs Processed: {}\nURIs Crawled successfully: {}\nURIs Failed to Crawl: {}\n"
      "URIs Disregarded: {}\nURIs Queued: {}\nURIs Queued over Quota: {}\nProcessed docs/sec: {:.2f}\nBandwidth in "
      "Kbytes/sec: {:.0f}\n"
      "Total Raw Data Size in Bytes: {} ({})\nNovel Data Size in Bytes: {} ({})\n"
      "Size of WARC Records in Bytes: {} ({})\nDocuments Read in Part for Links: {}\n",
      facts.name, facts.status, format_duration(time), seeds.crawled, seeds.not_crawled,
      statistics.hosts().all().size() + statistics.hosts().others().hosts,
      statistics.documents() + statistics.prerequisites() + statistics.failed() + statistics.excluded(),
      statistics.documents(), statistics.failed(), statistics.excluded(), facts.queued, facts.over_quota,
      per_second(statistics.documents(), time), per_second(statistics.bytes(), time) / 1000.0, statistics.bytes(),
      format_size(static_cast<long long>(statistics.bytes())), statistics.novel_bytes(),
      format_size(static_cast<long long>(statistics.novel_bytes())), statistics.warc_bytes(),
      format_size(static_cast<long long>(statistics.warc_bytes())), statistics.read_in_part());
  if (const Tally repeated = statistics.repeats().repeated(); repeated.urls > 0)
    report += fmt::format("Duplicate-by-hash Data Size in Bytes: {} ({})\n", repeated.bytes,
                          format_size(static_cast<long long>(repeated.bytes)));
  if (const Tally unchanged = statistics.repeats().unchanged(); unchanged.urls > 0)
    report += fmt::format("Not-modified URIs: {}\n", unchanged.urls);
  if (seeds.removed > 0) report += fmt::format("Total Seeds Removed: {}\n", seeds.removed);
  for (const std::string& loss : facts.losses) report += fmt::format("Lost by the Disk: {}\n", loss);
  return report;
}

Result<SeedTally> write_seeds_report(io::Files& files, const std::string& path, store::Kv& kv, store::Family family) {
  constexpr size_t kPiece = 1 << 20;
  const std::string unfinished = path + ".part";
  if (files.exists(unfinished)) TRY_VOID(files.remove(unfinished));
  SeedTally tally;
  {
    TRY(const auto file, files.open_append(unfinished));
    std::string lines = "[code] [status] [seed] [redirect]\n";
    const auto add = [&](std::string_view url, const SeedFate& fate) -> Result<void> {
      tally.count(url, fate);
      const std::string_view word = fate.removed ? "REMOVED" : is_success(fate.status) ? "CRAWLED" : "NOTCRAWLED";
      lines += fmt::format("{} {} {} {}\n", fate.status, word, url, fate.redirect.empty() ? "-" : fate.redirect);
      if (lines.size() < kPiece) return {};
      return file->append(std::exchange(lines, {}));
    };
    TRY_VOID(each_seed_fate(kv, family, add));
    TRY_VOID(file->append(lines));
    TRY_VOID(file->sync());
  }
  TRY_VOID(files.rename(unfinished, path));
  TRY_VOID(files.sync_dir(io::parent_path(path)));
  return tally;
}

namespace {

std::string host_line(std::string_view host, const HostTally& tally) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}\n", tally.urls, tally.bytes, host, tally.excluded,
                     tally.failed, tally.slowest_ms, tally.novel(), tally.novel_bytes(), tally.repeated,
                     tally.repeated_bytes, tally.unchanged, tally.unchanged_bytes);
}

// The hosts of which most bytes were known.
std::string most_repeated_hosts(const HostTallies& hosts) {
  constexpr size_t kMost = 20;
  std::vector<std::pair<std::string_view, const HostTally*>> rows;
  for (const auto& [host, tally] : hosts.all())
    if (tally.repeated + tally.unchanged > 0) rows.emplace_back(host, &tally);
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, rows.size()));
  std::ranges::partial_sort(rows, end, [](const auto& a, const auto& b) {
    return a.second->repeated_bytes != b.second->repeated_bytes ? a.second->repeated_bytes > b.second->repeated_bytes
                                                                : a.first < b.first;
  });
  if (rows.empty()) return {};
  std::string out = "\n[#duplicates] [#bytes] [%bytes] [#not-modified] [host]\n";
  for (const auto& [host, tally] : std::ranges::subrange(rows.begin(), end)) {
    const double part =
        tally->bytes == 0 ? 0 : 100.0 * static_cast<double>(tally->repeated_bytes) / static_cast<double>(tally->bytes);
    out += fmt::format("{} {} {:.1f} {} {}\n", tally->repeated, tally->repeated_bytes, part, tally->unchanged, host);
  }
  return out;
}

}  // namespace

std::string hosts_report(const Statistics& statistics) {
  std::string out =
      "[#urls] [#bytes] [host] [#excluded] [#failed] [slowest-ms] [#novel-urls] [#novel-bytes] [#dup-by-hash-urls] "
      "[#dup-by-hash-bytes] [#not-modified-urls] [#not-modified-bytes]\n";
  for (const auto& [host, tally] : by_urls(statistics.hosts().all())) out += host_line(host, tally);
  if (const OtherHosts& others = statistics.hosts().others(); others.hosts > 0)
    out += host_line(fmt::format("other-hosts:{}", others.hosts), others.tally);
  return out;
}

std::string mimetype_report(const Statistics& statistics) {
  std::string out = "[#urls] [#bytes] [mime-types]\n";
  for (const auto& [mime, tally] : by_urls(statistics.mimes()))
    out += fmt::format("{} {} {}\n", tally.urls, tally.bytes, mime);
  return out;
}

std::string responsecode_report(const Statistics& statistics) {
  std::string out = "[#urls] [rescode]\n";
  for (const auto& [status, tally] : by_urls(statistics.statuses())) out += fmt::format("{} {}\n", tally.urls, status);
  return out;
}

std::string processors_report(const std::vector<visit::StepReport>& steps) {
  std::string out = "[pipeline] [step] [#visits] [#passed-by] [#failed] [total-ms]\n";
  for (const visit::StepReport& step : steps)
    out += fmt::format("{} {} {} {} {} {}\n", step.pipeline, step.step, step.times, step.passed_by, step.failed,
                       std::chrono::duration_cast<std::chrono::milliseconds>(step.time).count());
  return out;
}

std::string dedup_report(const Statistics& statistics, const std::vector<visit::StepReport>& steps) {
  const RepeatTallies& repeats = statistics.repeats();
  const Tally all = repeats.looked_up(), known = repeats.repeated();
  const auto percent = [](uint64_t part, uint64_t whole) {
    return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  };
  std::string out = fmt::format(
      "Total handled: {}\nDuplicates found: {} {:.1f}%\nBytes total: {} ({})\nBytes duplicate: {} ({}) {:.1f}%\n"
      "New (no hits): {}\n",
      all.urls, known.urls, percent(known.urls, all.urls), all.bytes, format_size(static_cast<long long>(all.bytes)),
      known.bytes, format_size(static_cast<long long>(known.bytes)), percent(known.bytes, all.bytes),
      all.urls - known.urls);
  constexpr std::pair<dedup::Likeness, const char*> kHits[] = {{dedup::Likeness::url, "Exact URL hits"},
                                                               {dedup::Likeness::canonical, "Canonical hits"},
                                                               {dedup::Likeness::digest, "Digest hits"}};
  for (const auto& [likeness, name] : kHits)
    out += fmt::format("{}: {} bytes: {}\n", name, repeats.repeated(likeness).urls, repeats.repeated(likeness).bytes);
  out += fmt::format("Not modified, as the server said: {}\n", repeats.unchanged().urls);
  visit::StepReport looked_up;
  for (const visit::StepReport& step : steps)
    if (step.step == "dedup") looked_up.add(step);
  if (looked_up.times > 0)
    out += fmt::format(
        "Average lookup time: {:.3f} ms\n",
        std::chrono::duration<double, std::milli>(looked_up.time).count() / static_cast<double>(looked_up.times));
  out += most_repeated_hosts(statistics.hosts());
  return out;
}

Result<SeedTally> write_reports(io::Files& files, const collection::Launch& launch, const Statistics& statistics,
                                store::Kv& kv, const ReportFacts& facts) {
  TRY(SeedTally seeds, write_seeds_report(files, launch.reports() + "/seeds-report.txt", kv, kStatistics));
  const std::pair<const char*, std::string> reports[] = {{"crawl-report.txt", crawl_report(statistics, seeds, facts)},
                                                         {"hosts-report.txt", hosts_report(statistics)},
                                                         {"mimetype-report.txt", mimetype_report(statistics)},
                                                         {"responsecode-report.txt", responsecode_report(statistics)},
                                                         {"processors-report.txt", processors_report(facts.steps)},
                                                         {"dedup-report.txt", dedup_report(statistics, facts.steps)}};
  for (const auto& [name, text] : reports) TRY_VOID(files.write_atomically(launch.reports() + "/" + name, text));
  return seeds;
}

}  // namespace caddis::crawl
