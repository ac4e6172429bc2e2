#include "caddis/crawl/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "caddis/base/capture_status.h"
#include "caddis/base/fetch_status.h"
#include "caddis/base/strings.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/progress_series.h"
#include "caddis/crawl/site_tallies.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

// Rows are "<kind><name>" → numbers (and a text) separated by blanks. Kinds:
//   t total, m mime, s status, h host, o other hosts, e seed, r rejecting rule, d repeated payloads.
// Those of SiteTallies and ProgressSeries stand among them.
constexpr const char* kOtherMimes = "other";

uint64_t number(const std::vector<std::string_view>& parts, size_t index) {
  return index < parts.size() ? static_cast<uint64_t>(parse_int(parts[index]).value_or(0)) : 0;
}

// Rows of others, and of seeds: there may be millions of them, and nobody asks for one.
bool is_left_on_disk(char kind) {
  return kind == SeedFates::kRow || SiteTallies::is_row(kind) || kind == ProgressSeries::kRow;
}

// The name under which a type is counted.
const std::string& counted_type(const std::map<std::string, Tally>& known, const std::string& mime) {
  static const std::string other = kOtherMimes;
  if (known.contains(mime)) return mime;
  return mime.size() <= Statistics::kMaxMimeLength && known.size() < Statistics::kMaxMimes ? mime : other;
}

}  // namespace

void Statistics::bump(const std::string& name, uint64_t by) {
  totals_[name] += by;
  dirty_.insert("t" + name);
}

void Statistics::on_final(visit::VisitResult& result) {
  for (const visit::LoggedVisit& visited : result.visited)
    count(visited.entry, visited.host, visited.is_prerequisite, visited.is_seed, visited.redirect);
  for (const auto& [rule, links] : result.rejected) count_rejected(rule, links);
  for (const visit::Capture& capture : result.captures) bump("warc-bytes", capture.records.bytes.size());
}

void Statistics::on_deleted(const visit::LoggedVisit& record) {
  count(record.entry, record.host, false, record.is_seed, "");
}

void Statistics::on_running_time(Duration passed) {
  bump("milliseconds", static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(passed).count()));
}

void Statistics::stage(commit::CommitGroup& group) { stage(group.batch(), kStatistics); }

void Statistics::count(const visit::LogEntry& entry, std::string_view host, bool is_prerequisite, bool is_seed,
                       std::string_view redirect) {
  const bool captured = is_captured(entry.status, entry.url);
  if (is_seed) {
    seeds_.visited(entry.url, entry.status, redirect);
  }
  HostTally& tally = hosts_.of(host);
  if (captured) {
    bump(is_prerequisite ? "prerequisites" : "documents", 1);
    bump("bytes", entry.size);
    bump("novel-bytes", visit::novel_size(entry));
    repeats_.count(entry);
    // DNS is asked about the host, and answers where the host never does.
    if (entry.status != status::kDnsOk) {
      tally.urls += 1;
      tally.bytes += entry.size;
      if (entry.is_unchanged()) {
        tally.unchanged += 1;
        tally.unchanged_bytes += entry.size;
      } else if (entry.is_repeated()) {
        tally.repeated += 1;
        tally.repeated_bytes += entry.size;
      }
    }
    const auto millis =
        static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(entry.duration).count());
    tally.slowest_ms = std::max(tally.slowest_ms, millis);
    const std::string& type = counted_type(mimes_, entry.mime);
    mimes_[type].add(entry.size);
    dirty_.insert("m" + type);
    if (is_prerequisite) bump("prerequisites-of-type-" + type, 1);
    if (entry.facts.body.flaw == fetch::BodyFlaw::read_in_part) bump("read-in-part", 1);
    if (entry.facts.opens_wall) bump("consent-walls", 1);
    if (is_prerequisite) bump(fmt::format("prerequisites-of-status-{}", entry.status), 1);
  } else if (is_disregarded(entry.status)) {
    bump("excluded", 1);
    tally.excluded += 1;
  } else {
    bump("failed", 1);
    tally.failed += 1;
    if (is_refusal(entry.status, entry.url)) bump(fmt::format("refused-with-{}", entry.status), 1);
  }
  statuses_[entry.status].add(captured ? entry.size : 0);
  dirty_.insert(fmt::format("s{}", entry.status));
}

void Statistics::set_rejected(std::string_view rule, uint64_t links) {
  if (links == 0 || rejected_[std::string(rule)] == links) return;
  count_rejected(rule, links - rejected_[std::string(rule)]);
}

void Statistics::count_rejected(std::string_view rule, uint64_t links) {
  rejected_[std::string(rule)] += links;
  dirty_.insert("r" + std::string(rule));
}

void Statistics::stage(store::Batch& batch, store::Family family) {
  hosts_.stage(batch, family);
  repeats_.stage(batch, family);
  if (const uint64_t added = seeds_.take_added(); added > 0) bump("seeds", added);
  seeds_.stage(batch, family);
  for (const std::string& key : dirty_) {
    const std::string name = key.substr(1);
    std::string value;
    switch (key.front()) {
      case 't':
        value = std::to_string(totals_[name]);
        break;
      case 'm':
        value = fmt::format("{} {}", mimes_[name].urls, mimes_[name].bytes);
        break;
      case 's': {
        const Tally& tally = statuses_[static_cast<int>(parse_int(name).value_or(0))];
        value = fmt::format("{} {}", tally.urls, tally.bytes);
        break;
      }
      default:
        value = std::to_string(rejected_[name]);
        break;
    }
    batch.put(family, key, std::move(value));
  }
  dirty_.clear();
}

Result<void> Statistics::load(store::Kv& kv, store::Family family) {
  const auto rows = kv.cursor(family);
  for (rows->seek(""); rows->valid(); rows->next()) {
    while (rows->valid() && is_left_on_disk(rows->key().front()))
      rows->seek(std::string(1, static_cast<char>(rows->key().front() + 1)));
    if (!rows->valid()) break;
    const std::string key(rows->key());
    const std::string name = key.substr(1);
    const std::string value(rows->value());
    const auto parts = split(value, ' ');
    switch (key.front()) {
      case 't':
        totals_[name] = number(parts, 0);
        break;
      case 'm':
        mimes_[name] = {number(parts, 0), number(parts, 1)};
        break;
      case 's':
        statuses_[static_cast<int>(parse_int(name).value_or(0))] = {number(parts, 0), number(parts, 1)};
        break;
      case RepeatTallies::kRow:
        repeats_.load(name, value);
        break;
      case HostTallies::kRow:
      case HostTallies::kOthersRow:
        hosts_.load(key.front(), name, value);
        break;
      case 'r':
        rejected_[name] = number(parts, 0);
        break;
      default:
        return fail(ErrorCode::corrupt, "the statistics hold a row of unknown kind");
    }
  }
  return rows->status();
}

}  // namespace caddis::crawl
