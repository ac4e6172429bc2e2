#include "caddis/heritrix/expressions.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::heritrix {
namespace {

std::string_view without_quotes(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front())
    return text.substr(1, text.size() - 2);
  return text;
}

// The default in an expression; npos-like: false if it has none.
bool default_of(std::string_view inside, bool is_spel, std::string_view& value) {
  const std::string_view sign = is_spel ? "?:" : ":";
  const size_t at = inside.find(sign);
  if (at == std::string_view::npos) return false;
  value = without_quotes(inside.substr(at + sign.size()));
  return true;
}

struct KnownMark {
  std::string_view name;
  std::string_view said;
};

// By the beginning of their names, of NetarchiveSuite 5 to 8.
constexpr std::array<KnownMark, 10> kMarks = {{
    {"MAX_TIME_SECONDS_",
     "the longest time of a job: each job of a harvest brings it (a crawl by itself: limits.max-time)"},
    {"CRAWLERTRAPS_",
     "crawler traps: each job of a harvest brings those of its domains and of all (a crawl by itself: scope.exclude)"},
    {"DEDUPLICATION_INDEX_LOCATION_", "the index of earlier jobs: each job of a harvest names them (dedup.against)"},
    {"DEDUPLICATION_ENABLED_", "whether payloads are looked up: that is dedup.strategy here"},
    {"ARCHIVE_FILE_PREFIX_", "the number of the job: each job of a harvest brings it (archive.prefix)"},
    {"FRONTIER_QUEUE_TOTAL_BUDGET_",
     "the limit of objects: each job of a harvest brings it (quota.seed-domain-successes)"},
    {"QUOTA_ENFORCER_GROUP_MAX_FETCH_SUCCES",
     "the limit of objects: each job of a harvest brings it (quota.seed-domain-successes)"},
    {"QUOTA_ENFORCER_MAX_BYTES_", "the limit of bytes: each job of a harvest brings it (quota.seed-domain-bytes)"},
    {"ARCHIVER_", "the writer of archive files, which every crawl has"},
    {"METADATA_ITEMS_", "facts of the job: its metadata file has them"},
}};
constexpr std::string_view kUmbra =
    "it is empty unless NetarchiveSuite works with Umbra; browsers record through `caddis record` here "
    "(docs/recording.md)";

// Attributes of configurations, with what NetarchiveSuite puts in place of them if a configuration says nothing else.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kAttributes = {
    {{"%{MAX_HOPS}", "20"}, {"%{HONOR_ROBOTS_DOT_TXT}", "ignore"}, {"%{EXTRACT_JAVASCRIPT}", "true"}}};

std::string with_attributes(std::string text, ItemId item, ImportReport& report) {
  for (const auto& [mark, value] : kAttributes) {
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(at, mark.size(), value);
      report.note(item,
                  fmt::format("'{}' is an attribute of configurations: NetarchiveSuite's default '{}' counts where "
                              "a configuration has no other",
                              mark, value));
    }
  }
  return text;
}

}  // namespace

OpenMark open_mark(std::string_view text) {
  OpenMark found;
  for (size_t at = text.find("%{"); at != std::string_view::npos; at = text.find("%{", at + 2)) {
    const std::string_view name = text.substr(at + 2);
    std::string_view said = name.starts_with("UMBRA_") ? kUmbra : std::string_view();
    for (const KnownMark& mark : kMarks)
      if (name.starts_with(mark.name)) said = mark.said;
    if (said.empty()) return {};
    if (found.fate == Fate::without) found = {Fate::differently, said};
  }
  return found;
}

std::string without_expressions(const std::string& given, ItemId item, ImportReport& report) {
  const std::string text = given.contains("%{") ? with_attributes(given, item, report) : given;
  if (!text.contains("#{") && !text.contains("${")) return text;
  std::string out;
  size_t at = 0;
  while (at < text.size()) {
    const bool is_spel = text.compare(at, 2, "#{") == 0;
    const size_t end = is_spel || text.compare(at, 2, "${") == 0 ? text.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      out += text[at++];
      continue;
    }
    const std::string_view whole = std::string_view(text).substr(at, end + 1 - at);
    std::string_view value = whole;
    if (default_of(whole.substr(2, whole.size() - 3), is_spel, value))
      report.note(item,
                  fmt::format("'{}' is calculated when Heritrix starts; its default '{}' counts here", whole, value));
    out += value;
    at = end + 1;
  }
  return out;
}

bool is_open(std::string_view text) { return text.contains("%{") || text.contains("#{"); }

}  // namespace caddis::heritrix
