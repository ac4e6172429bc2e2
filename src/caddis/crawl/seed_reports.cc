// seeds-report: what became of each seed, and of all that it led to; source-report: the same by host. However many
// there are, both are read from rows that are sorted alike.

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/capture_status.h"
#include "caddis/crawl/report_source.h"
#include "caddis/crawl/site_tallies.h"
#include "caddis/crawl/stop_reason.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

using reports::count;
using reports::figure;
using reports::Row;
using reports::RowCall;
using reports::word;

// "S<seed> <host>" → the tally; of rows that are no such key: nothing.
std::string_view seed_in(std::string_view key) { return key.substr(0, key.rfind(' ')); }
std::string_view host_in(std::string_view key) { return key.substr(key.rfind(' ') + 1); }

// The sums of the hosts below a seed, asked for in the order of the seeds.
class SourceSums {
 public:
  explicit SourceSums(store::Kv& kv) : rows_(kv.cursor(kStatistics)) { rows_->seek(prefix()); }

  FetchTally of(std::string_view seed) {
    while (is_row() && seed_in(rows_->key().substr(1)) < seed) rows_->next();
    FetchTally sum;
    for (; is_row() && seed_in(rows_->key().substr(1)) == seed; rows_->next()) {
      FetchTally one;
      read_row(rows_->value(), one);
      sum.add(one);
    }
    return sum;
  }
  Result<void> status() const { return rows_->status(); }

 private:
  static std::string prefix() { return std::string(1, SiteTallies::kSourceRow); }
  bool is_row() const { return rows_->valid() && rows_->key().starts_with(prefix()); }

  std::unique_ptr<store::Cursor> rows_;
};

const Waiting* waiting_of(const ReportFacts& facts, std::string_view seed) {
  const auto found = facts.seeds.find(seed);
  return found == facts.seeds.end() ? nullptr : &found->second;
}

// The seed's own URL, if nothing at all is known of what it led to.
std::string stop_of_seed(const SeedFate& fate, const FetchTally& tally, const ReportFacts& facts,
                         std::string_view seed) {
  if (fate.removed) return "operator";
  const Waiting* waiting = waiting_of(facts, seed);
  const bool is_fetched = is_captured(fate.status, seed);
  if (waiting != nullptr || tally.activity() > 0 || is_fetched)
    return stop_reason(tally, waiting, facts.knows_seeds, facts);
  if (fate.known) return "known";
  if (fate.status != 0) return "failed";
  if (!facts.is_over) return "waiting";
  return facts.ended_by.empty() ? "waiting" : facts.ended_by;
}

Result<void> write_seeds(const ReportSource& source, const RowCall& row) {
  SourceSums sums(source.kv);
  TRY_VOID(each_seed_fate(source.kv, kStatistics, [&](std::string_view url, const SeedFate& fate) {
    const std::string_view word = fate.removed ? "REMOVED" : is_captured(fate.status, url) ? "CRAWLED" : "NOTCRAWLED";
    const FetchTally tally = sums.of(url);
    return row({std::to_string(fate.status), std::string(word), std::string(url), fate.redirect,
                std::to_string(tally.urls), std::to_string(tally.bytes), std::to_string(tally.novel()),
                std::to_string(tally.novel_bytes()), std::to_string(tally.excluded), std::to_string(tally.failed),
                stop_of_seed(fate, tally, source.facts, url)});
  }));
  return sums.status();
}

Result<void> write_sources(const ReportSource& source, const RowCall& row) {
  const auto add = [&](std::string_view key, const FetchTally& tally) -> Result<void> {
    return row({std::string(seed_in(key)), std::string(host_in(key)), std::to_string(tally.urls),
                std::to_string(tally.bytes), std::to_string(tally.novel()), std::to_string(tally.novel_bytes()),
                std::to_string(tally.excluded), std::to_string(tally.failed)});
  };
  return each_tally<FetchTally>(source.kv, kStatistics, SiteTallies::kSourceRow, "", add);
}

}  // namespace

void add_seed_reports(const ReportSource& source, ReportList& list) {
  list.push_back(
      {.name = "seeds-report",
       .columns = {figure("code"), word("status"), word("seed"), word("redirect"), count("urls"), count("bytes"),
                   count("novel-urls"), count("novel-bytes"), count("excluded"), count("failed"), word("stop-reason")},
       .rows = [source](const RowCall& row) { return write_seeds(source, row); }});
  list.push_back({.name = "source-report",
                  .columns = {word("source"), word("host"), count("urls"), count("bytes"), count("novel-urls"),
                              count("novel-bytes"), count("excluded"), count("failed")},
                  .rows = [source](const RowCall& row) { return write_sources(source, row); }});
}

}  // namespace caddis::crawl
