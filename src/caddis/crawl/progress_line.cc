#include "caddis/crawl/progress_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/time_format.h"
#include "caddis/crawl/lifecycle.h"

namespace caddis::crawl {
namespace {

// As NumberFormat of Java writes it for the United States: two digits of a fraction at most, groups of thousands.
std::string decimal(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return "\u221e";
  std::string text = fmt::format("{:.2f}", number);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  constexpr size_t kGroup = 3;
  const size_t first = text.starts_with('-') ? 1 : 0;
  for (size_t at = std::min(text.find('.'), text.size()); at > first + kGroup;) text.insert(at -= kGroup, ",");
  return text;
}

std::string whole_kib(double bytes) { return fmt::format("{:.0f}", std::floor(bytes / 1024)); }

// Counted in UTF-8: the bytes that continue a character are none of their own.
size_t characters(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<uint8_t>(c) & 0xc0) != 0x80; }));
}

// Ends at that column, behind a blank at least.
void append_up_to(std::string& line, size_t column, const std::string& text) {
  const size_t taken = characters(line) + characters(text);
  line.append(taken < column ? column - taken : 1, ' ').append(text);
}

bool is_eligible(frontier::QueueState state) {
  using frontier::QueueState;
  return state != QueueState::abandoned && state != QueueState::retired && state != QueueState::over_quota &&
         state != QueueState::retired_by_setting && state != QueueState::blocked && state != QueueState::empty;
}

}  // namespace

constinit const std::string_view kProgressHeader =
    "           timestamp  discovered      queued   downloaded       doc/s(avg)  KB/s(avg)   dl-failures   busy-thread "
    " "
    " mem-use-KB  heap-size-KB   congestion   max-depth   avg-depth";

std::string progress_line(const ProgressColumns& of) {
  constexpr size_t kDiscovered = 32, kQueued = 44, kDownloaded = 57, kDocuments = 74, kBytes = 85, kFailed = 99,
                   kBusy = 113, kMemory = 126, kHeap = 140, kCongestion = 153, kDeepest = 165, kAverage = 177;
  std::string line = rfc3339(of.time);
  append_up_to(line, kDiscovered, std::to_string(of.discovered));
  append_up_to(line, kQueued, std::to_string(of.queued));
  append_up_to(line, kDownloaded, std::to_string(of.downloaded));
  append_up_to(line, kDocuments,
               fmt::format("{}({})", decimal(of.documents_per_second), decimal(of.documents_per_second_average)));
  append_up_to(line, kBytes,
               fmt::format("{}({})", whole_kib(of.bytes_per_second), whole_kib(of.bytes_per_second_average)));
  append_up_to(line, kFailed, std::to_string(of.failed));
  append_up_to(line, kBusy, std::to_string(of.visiting));
  append_up_to(line, kMemory, std::to_string(of.memory / 1024));
  append_up_to(line, kHeap, std::to_string(of.memory_allowed / 1024));
  append_up_to(line, kCongestion, decimal(of.congestion));
  append_up_to(line, kDeepest, std::to_string(of.deepest));
  append_up_to(line, kAverage, std::to_string(of.average));
  return line;
}

double congestion(const frontier::QueueStates& queues) {
  using frontier::QueueState;
  uint64_t all = 0, busy = 0;
  for (const auto& [state, count, urls] : queues.states) {
    if (!is_eligible(state)) continue;
    all += count;
    if (state != QueueState::ready) busy += count;
  }
  return static_cast<double>(all) / static_cast<double>(busy);
}

std::string end_words(const CrawlEnd& end) {
  switch (end.reason) {
    case EndReason::finished:
      return "Finished";
    case EndReason::stopped:
      return "Finished - Ended by operator";
    case EndReason::failed:
      return "Finished - Abnormal exit from crawling";
    case EndReason::limit:
      break;
  }
  if (end.limit == "max-documents") return "Finished - Maximum number of documents limit hit";
  if (end.limit == "max-bytes" || end.limit == "max-novel-bytes") return "Finished - Maximum amount of data limit hit";
  if (end.limit == "max-warc-bytes") return "Finished - Maximum bytes written";
  return "Finished - Timelimit hit";
}

}  // namespace caddis::crawl
