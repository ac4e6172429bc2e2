// All that reports are made of. A plain value for a call.
#pragma once

#include <functional>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/report_facts.h"
#include "caddis/crawl/seed_fates.h"
#include "caddis/crawl/statistics.h"
#include "caddis/io/files.h"
#include "caddis/reports/report.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

// All of it must outlive the reports.
struct ReportSource {
  const Statistics& statistics;
  store::Kv& kv;  // with the rows that statistics leave on disk
  const ReportFacts& facts;
  io::Files& files;
  const collection::Launch& launch;
  const SeedTally& seeds;
};

// The reports of a family are appended; each may be made, or not, at any time while the source lives.
using ReportList = std::vector<reports::Report>;
void add_summary_report(const ReportSource& source, ReportList& list);  // crawl
void add_site_reports(const ReportSource& source, ReportList& list);    // hosts, domains, groups, slow hosts
void add_seed_reports(const ReportSource& source, ReportList& list);    // seeds, sources
void add_kind_reports(const ReportSource& source, ReportList& list);    // media types, statuses, rejected links
void add_repeat_reports(const ReportSource& source, ReportList& list);  // dedup
void add_feed_reports(const ReportSource& source, ReportList& list);    // feeds
void add_queue_reports(const ReportSource& source, ReportList& list);   // the frontier's
void add_visit_reports(const ReportSource& source, ReportList& list);   // processors, documents, threads
void add_finding_reports(const ReportSource& source,
                         ReportList& list);  // traps, limits of extraction, refused addresses
void add_manifest_report(const ReportSource& source, ReportList& list);  // files of the launch

}  // namespace caddis::crawl
