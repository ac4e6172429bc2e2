#include "caddis/crawl/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/cdx/index_meta.h"
#include "caddis/cdx/journal.h"
#include "caddis/cdx/journal_segments.h"
#include "caddis/cdx/line.h"
#include "caddis/collection/page_list.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/digest_rows.h"
#include "caddis/crawl/lifecycle.h"
#include "caddis/crawl/module_listeners.h"
#include "caddis/crawl/reports.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/dedup/digest_index_writer.h"
#include "caddis/dedup/original_row.h"
#include "caddis/io/file_stamp.h"
#include "caddis/store/streams.h"

namespace caddis::crawl {
namespace {

constexpr size_t kMostForDigests = 64 << 20;  // bytes of memory to sort them in

// Whether the capture of an index line lay in a part that a disk lost: `torn` has the files, and up to where they are
// whole.
bool is_lost(std::string_view line, const std::map<std::string, std::string, std::less<>>& torn) {
  const auto capture = cdx::parse_line(line);
  if (!capture) return false;
  const auto file = torn.find(capture->filename);
  if (file == torn.end()) return false;
  return capture->offset_number().value_or(0) >= static_cast<uint64_t>(parse_int(file->second).value_or(0));
}

Result<SeedTally> write_reports_of(CrawlState& state, const CrawlEnd& end, std::vector<visit::StepReport> steps) {
  const frontier::Stats stats = state.frontier->stats();
  const bool is_done = end.reason == EndReason::finished;
  const std::string status = is_done ? "F" + end.text.substr(1) : "Finished - " + end.text;
  TRY(auto losses, rows_of(*state.kv, kLossRow));
  ReportFacts facts{state.launch.name, status, stats.queued, stats.queued_over, {}};
  for (auto& [key, text] : losses) facts.losses.push_back(std::move(text));
  facts.steps = std::move(steps);
  return write_reports(state.files, state.launch, state.statistics, *state.kv, facts);
}

Result<void> write_index(CrawlState& state) {
  const std::string journal = state.launch.cdx_journal(), index = state.launch.index();
  TRY(const store::LogParts parts, cdx::journal_parts(state.files, journal));
  TRY(const auto torn, rows_of(*state.kv, kLostCapturesRow));
  constexpr uint64_t kLeast = 16 << 20, kMost = 256 << 20;
  const auto held = state.settings.snapshot();  // people may still change settings meanwhile
  const MemoryShares& shares = held->memory;
  cdx::SortLimits limits;
  limits.memory = std::clamp<uint64_t>(shares.finished + shares.hosts, kLeast, kMost);
  std::vector<std::string> paths;
  std::vector<uint64_t> sizes;
  for (const auto& [path, size] : parts.parts) {
    paths.push_back(path);
    sizes.push_back(size);
  }
  if (torn.empty()) {
    TRY_VOID(cdx::merge_segments(state.files, journal, parts, index, limits.memory));
  } else {
    limits.keep = [&](std::string_view line) { return !is_lost(line, torn); };
    TRY_VOID(cdx::sort_files(state.files, paths, index, limits));
  }
  TRY_VOID(cdx::write_index_meta(state.files, index, held->keys.index, sizes));
  return cdx::remove_segments(state.files, journal);
}

// The digest index of the rows, for later crawls.
Result<void> write_digests(CrawlState& state) {
  dedup::WriterOptions options;
  options.memory = kMostForDigests;
  options.algorithm = state.settings.now().archive.digest;
  dedup::DigestIndexWriter writer(state.files, state.launch.digests(), options);
  const size_t size = io::digest_size(options.algorithm);
  TRY_VOID(DigestRows::each(*state.kv, [&](std::string_view key, std::string_view value) -> Result<void> {
    if (key.size() < size) return {};
    TRY(const dedup::Original original, dedup::read_row(value));
    return writer.add(key.substr(0, size), original);
  }));
  TRY(io::FileStamp stamp, io::stamp_of(state.files, state.launch.index()));
  writer.add_source({state.launch.index(), stamp});
  TRY_VOID(writer.finish());
  return {};
}

// A crawl that has kept no digests, or not all of them, leaves none: they are made of its index.
Result<void> leave_digests(CrawlState& state) {
  TRY(const auto are_partial, state.kv->get(kMeta, kDigestsForgottenRow));
  const auto rows = state.kv->cursor(kDigests);
  rows->seek("");
  if (are_partial || !rows->valid()) return rows->status();
  if (const auto written = write_digests(state); !written)
    log_warn("dedup", "no digest index is left of this crawl, the next one makes it: {}", written.error().message);
  return {};
}

// A digest index must not outlive the index that it was made of.
Result<void> retract_digests(CrawlState& state) {
  const std::string path = state.launch.digests();
  if (!state.files.exists(path)) return {};
  TRY_VOID(state.files.remove(path));
  return state.files.sync_dir(io::parent_path(path));
}

}  // namespace

Result<SeedTally> write_results(CrawlState& state, const CrawlEnd& end, std::vector<visit::StepReport> steps,
                                const std::vector<ModuleReport>& of_modules) {
  TRY(SeedTally seeds, write_reports_of(state, end, std::move(steps)));
  for (const ModuleReport& report : of_modules)
    TRY_VOID(state.files.write_atomically(fmt::format("{}/{}-report.txt", state.launch.reports(), report.name),
                                          report.text));
  TRY_VOID(retract_digests(state));
  TRY_VOID(write_index(state));
  TRY_VOID(leave_digests(state));
  TRY_VOID(collection::rebuild_page_list(state.files, state.launch.collection));
  return seeds;
}

void retract_results(CrawlState& state) {
  const collection::Launch& launch = state.launch;
  if (state.files.exists(launch.end_note())) {
    (void)state.files.remove(launch.end_note());
    (void)state.files.sync_dir(launch.state());
  }
  const std::string report = launch.reports() + "/crawl-report.txt";
  if (!state.files.exists(report)) return;
  (void)state.files.remove(report);
  (void)state.files.sync_dir(launch.reports());
}

}  // namespace caddis::crawl
