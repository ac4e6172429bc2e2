// All reports of a launch, made from the rows of its store and from facts: of a crawl that runs as of its last commit,
// of one that has ended as it ended. So they can be made at any time, and again.
//
//   TRY(const auto set, ReportSet::open(files, launch, kv, facts));
//   TRY_VOID(set->write_all());                  // <launch>/reports/
//
// One thread, which may be blocked; the crawl's loop may go on meanwhile.
#pragma once

#include <memory>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/report_facts.h"
#include "caddis/crawl/report_source.h"
#include "caddis/crawl/seed_fates.h"
#include "caddis/crawl/statistics.h"
#include "caddis/io/files.h"
#include "caddis/reports/report_page.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

// Whether all files are there: of each report, and index.html.
bool has_all_reports(io::Files& files, const collection::Launch& launch);
// Removes the files that are there, as far as they can be removed.
void remove_reports(io::Files& files, const collection::Launch& launch);

class ReportSet {
 public:
  // Files, launch and store must outlive the set. Adds what the store says to the facts.
  static Result<std::unique_ptr<ReportSet>> open(io::Files& files, const collection::Launch& launch, store::Kv& kv,
                                                 ReportFacts facts);
  ReportSet(const ReportSet&) = delete;

  // Null if there is none of that name.
  const reports::Report* find(std::string_view name) const;
  // Each as text, JSON and CSV, then index.html; in place of those that are there.
  Result<void> write_all() const { return write(false); }
  // The files that are not there.
  Result<void> write_missing() const { return write(true); }
  const SeedTally& seeds() const { return seeds_; }

 private:
  ReportSet(io::Files& files, const collection::Launch& launch, store::Kv& kv, ReportFacts facts);
  void make();
  Result<void> write(bool only_missing) const;
  Result<void> write_page(reports::ReportPage& page) const;

  io::Files& files_;
  const collection::Launch& launch_;
  store::Kv& kv_;
  ReportFacts facts_;
  Statistics statistics_;
  SeedTally seeds_;
  ReportList list_;
};

}  // namespace caddis::crawl
