#include "caddis/crawl/fetch_tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

#include "caddis/base/capture_status.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/visit/given_up_reason.h"
#include "caddis/visit/log_entry.h"

namespace caddis::crawl {
namespace {

// As one word of a row.
std::string one_word(std::string_view reason) {
  constexpr size_t kMost = 100;
  std::string word(reason.substr(0, kMost));
  std::ranges::replace_if(word, [](char c) { return is_space(c); }, '_');
  return word;
}

void count_given_up(GivenUp& given_up, const visit::LogEntry& entry) {
  const visit::GivenUpReason why(entry.facts.given_up);
  std::string reason;
  switch (entry.status) {
    case status::kRobotsPrecluded:
      ++given_up.robots;
      break;
    case status::kBlockedByQuota:
      ++given_up.quota;
      reason = one_word(why.quota);
      break;
    case status::kBlockedByRuntimeLimit:
      ++given_up.limit;
      reason = one_word(why.limit);
      break;
    case status::kBlockedByUser:
    case status::kDeleted:
    case status::kInterrupted:
      ++given_up.by_people;
      break;
    default:
      break;
  }
  if (!reason.empty()) given_up.reason = std::move(reason);
}

}  // namespace

void GivenUp::add(const GivenUp& other) {
  robots += other.robots;
  quota += other.quota;
  limit += other.limit;
  by_people += other.by_people;
  if (!other.reason.empty()) reason = other.reason;
}

void FetchTally::count(const visit::LogEntry& entry) {
  if (is_captured(entry.status, entry.url)) {
    urls += 1;
    bytes += entry.size;
    if (entry.is_unchanged()) {
      unchanged += 1;
      unchanged_bytes += entry.size;
    } else if (entry.is_repeated()) {
      repeated += 1;
      repeated_bytes += entry.size;
    }
    const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(entry.duration).count();
    slowest_ms = std::max(slowest_ms, static_cast<uint64_t>(millis));
  } else {
    ++(is_disregarded(entry.status) ? excluded : failed);
    count_given_up(given_up, entry);
  }
}

void FetchTally::add(const FetchTally& other) {
  urls += other.urls;
  bytes += other.bytes;
  failed += other.failed;
  excluded += other.excluded;
  slowest_ms = std::max(slowest_ms, other.slowest_ms);
  repeated += other.repeated;
  repeated_bytes += other.repeated_bytes;
  unchanged += other.unchanged;
  unchanged_bytes += other.unchanged_bytes;
  given_up.add(other.given_up);
}

std::string to_row(const FetchTally& tally) {
  const GivenUp& given_up = tally.given_up;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {} {}", tally.urls, tally.bytes, tally.failed, tally.excluded,
                     tally.slowest_ms, tally.repeated, tally.repeated_bytes, tally.unchanged, tally.unchanged_bytes,
                     given_up.robots, given_up.quota, given_up.limit, given_up.by_people, given_up.reason);
}

void read_row(std::string_view row, FetchTally& tally) {
  const auto parts = split(row, ' ');
  const auto number = [&](size_t index) {
    return index < parts.size() ? static_cast<uint64_t>(parse_int(parts[index]).value_or(0)) : 0;
  };
  tally = {.urls = number(0),
           .bytes = number(1),
           .failed = number(2),
           .excluded = number(3),
           .slowest_ms = number(4),
           .repeated = number(5),
           .repeated_bytes = number(6),
           .unchanged = number(7),
           .unchanged_bytes = number(8),
           .given_up = {.robots = number(9),
                        .quota = number(10),
                        .limit = number(11),
                        .by_people = number(12),
                        .reason = parts.size() > 13 ? std::string(parts[13]) : ""}};
}

}  // namespace caddis::crawl
