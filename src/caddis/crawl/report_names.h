// The reports of a crawl: their names, which are those of their files, and what they tell. Heritrix's come first.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace caddis::crawl {

// The facts of a running crawl that a report tells, beyond the rows of the statistics: each takes its time.
struct ReportNeeds {
  bool queues = false, groups = false, visits = false;
};

struct ReportName {
  std::string_view name, title;
  ReportNeeds needs = {};
};

// In the order in which they are written: the manifest is the last, since it lists the others.
inline constexpr std::array kReportNames = std::to_array<ReportName>({
    {"crawl-report", "The crawl"},
    {"seeds-report", "Seeds"},
    {"hosts-report", "Hosts", {.queues = true}},
    {"source-report", "Hosts of each seed"},
    {"mimetype-report", "Media types"},
    {"responsecode-report", "Statuses"},
    {"processors-report", "Steps of visits"},
    {"documents-report", "Binary documents that were read for links"},
    {"frontier-summary-report", "The frontier", {.queues = true}},
    {"frontier-nonempty-report", "Queues that hold URLs", {.queues = true}},
    {"threads-report", "Visits that run", {.visits = true}},
    {"domains-report", "Registered domains", {.queues = true}},
    {"groups-report", "Politeness groups", {.queues = true, .groups = true}},
    {"feeds-report", "Feeds that are polled"},
    {"dedup-report", "Deduplication"},
    {"dedup-hosts-report", "Hosts of which most was known"},
    {"slow-hosts-report", "Slowest hosts", {.queues = true}},
    {"rejected-links-report", "Links that were not followed, by rule"},
    {"extraction-limits-report", "Documents read in part, and links left out"},
    {"refused-addresses-report", "Addresses that were not connected to"},
    {"walls-report", "Checks for bots, and requests for consent, in place of pages"},
    {"logins-report", "Logins: in (made), again (repeated, since the session had ended), failed"},
    {"traps-report", "Patterns of URLs judged to be traps"},
    {"crawl-manifest", "Files of the launch"},
});

// A name that is none needs nothing.
inline ReportNeeds needs_of(std::string_view name) {
  const auto found = std::ranges::find(kReportNames, name, &ReportName::name);
  return found == kReportNames.end() ? ReportNeeds() : found->needs;
}

inline bool is_report(std::string_view name) {
  return std::ranges::any_of(kReportNames, [&](const ReportName& one) { return one.name == name; });
}

}  // namespace caddis::crawl
