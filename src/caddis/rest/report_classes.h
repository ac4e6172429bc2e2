// Reports by the names of Heritrix's classes, with the files that hold them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace caddis::rest {

struct ReportClass {
  std::string_view name;  // "CrawlSummaryReport"
  std::string_view file;  // "crawl-report", below `reports`, without its ending
  std::string_view short_name() const { return name.substr(0, name.size() - std::string_view("Report").size()); }
};

inline constexpr auto kReportClasses = std::to_array<ReportClass>({
    {"CrawlSummaryReport", "crawl-report"},
    {"SeedsReport", "seeds-report"},
    {"HostsReport", "hosts-report"},
    {"SourceTagsReport", "source-report"},
    {"MimetypesReport", "mimetype-report"},
    {"ResponseCodeReport", "responsecode-report"},
    {"ProcessorsReport", "processors-report"},
    {"FrontierSummaryReport", "frontier-summary-report"},
    {"FrontierNonemptyReport", "frontier-nonempty-report"},
    {"ToeThreadsReport", "threads-report"},
});

// Returns nothing if there is no such class.
inline std::optional<ReportClass> report_class_named(std::string_view name) {
  const auto found = std::ranges::find(kReportClasses, name, &ReportClass::name);
  if (found == kReportClasses.end()) return std::nullopt;
  return *found;
}

}  // namespace caddis::rest
