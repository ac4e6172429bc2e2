#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "caddis/base/output.h"
#include "caddis/base/time_format.h"

namespace caddis::cli {
namespace {

std::string held_up(const crawl::CrawlStatus& status) {
  if (!status.waits_for.empty()) return status.waits_for;
  if (!status.standing.empty()) return describe(status.standing.front());
  return status.slow_because.empty() ? "" : "waits for " + status.slow_because;
}

constexpr uint64_t kPlainEvery = 10;  // calls, of one a second

std::string size(double bytes) { return format_size(static_cast<long long>(bytes)); }

}  // namespace

std::string status_line(const crawl::CrawlStatus& status) {
  const std::string waits = held_up(status);
  return fmt::format(
      "{} {}: {} documents ({:.1f}/s now, {:.1f}/s on average), {} ({}/s), {} queued, {} being visited, {} failed{}{}",
      format_duration(std::chrono::floor<std::chrono::seconds>(status.elapsed)), name_of(status.state),
      status.documents, status.documents_per_second, status.documents_per_second_average,
      size(static_cast<double>(status.bytes)), size(status.bytes_per_second), status.queued, status.visiting,
      status.failed, waits.empty() ? "" : "; ", waits);
}

Progress::Progress() : terminal_(::isatty(STDERR_FILENO) == 1) {}

std::string Progress::block(const crawl::CrawlStatus& status) const {
  const std::string waits = held_up(status);
  std::string text = fmt::format(
      "{} for {}{}\n  documents {:>10}   {:>8.1f}/s now {:>8.1f}/s average\n  bytes     {:>10}   {:>10}/s {:>10}/s\n"
      "  queued    {:>10}   visiting {}, hosts {}, set aside {}\n  failed    {:>10}   excluded {}\n",
      name_of(status.state), format_duration(std::chrono::floor<std::chrono::seconds>(status.elapsed)),
      waits.empty() ? "" : " - " + waits, status.documents, status.documents_per_second,
      status.documents_per_second_average, size(static_cast<double>(status.bytes)), size(status.bytes_per_second),
      size(status.bytes_per_second_average), status.queued, status.visiting, status.active_hosts, status.hosts_aside,
      status.failed, status.excluded);
  for (const crawl::StandingLane& lane : status.standing) text += fmt::format("  {}\n", describe(lane));
  for (const frontier::QueueReport& queue : status.slowest)
    text +=
        fmt::format("  {:<40.40} {:>7} queued  {}{}\n", queue.origin, queue.queued, frontier::to_string(queue.state),
                    queue.wait > Duration(0) ? ", " + format_duration(queue.wait) : "");
  return text;
}

void Progress::clear() {
  if (terminal_ && lines_ > 0) say(fmt::format("\x1b[{}A\x1b[J", lines_));
  lines_ = 0;
}

void Progress::show(const crawl::CrawlStatus& status) {
  if (!terminal_) {
    if (++calls_ % kPlainEvery == 0) say(status_line(status) + "\n");
    return;
  }
  const std::string text = block(status);
  clear();
  say(text);
  lines_ = static_cast<size_t>(std::ranges::count(text, '\n'));
}

}  // namespace caddis::cli
