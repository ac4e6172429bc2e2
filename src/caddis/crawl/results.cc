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
#include "caddis/crawl/report_facts.h"
#include "caddis/crawl/report_set.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/dedup/digest_index_writer.h"
#include "caddis/dedup/index_key.h"
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

Result<void> write_index(CrawlState& state) {
  const std::string journal = state.launch.cdx_journal(), index = state.launch.index();
  TRY(const store::LogParts parts, cdx::journal_parts(state.files, journal));
  TRY(const auto torn, rows_of(*state.kv, kLostCapturesRow));
  constexpr uint64_t kLeast = 16 << 20, kMost = 256 << 20;
  const auto held = state.settings.snapshot();  // people may still change settings meanwhile
  const MemoryShares& shares = held->memory;
  cdx::SortLimits limits;
  limits.memory = std::clamp<uint64_t>(shares.finished + shares.hosts, kLeast, kMost);
  std::vector<uint64_t> sizes;
  for (const store::LogParts::Part& part : parts.parts) sizes.push_back(part.length);
  if (torn.empty()) {
    TRY_VOID(cdx::merge_segments(state.files, journal, parts, index, limits.memory));
  } else {
    limits.keep = [&](std::string_view line) { return !is_lost(line, torn); };
    TRY_VOID(cdx::sort_journal(state.files, parts, index, limits));
  }
  TRY_VOID(cdx::write_index_meta(state.files, index, held->keys.index, sizes));
  return cdx::remove_segments(state.files, journal);
}

// The digest index of the rows, for later crawls.
Result<void> write_digests(CrawlState& state) {
  dedup::WriterOptions options;
  options.memory = kMostForDigests;
  options.algorithm = state.settings.now().archive.digest;
  options.key = dedup::index_key_by(state.settings.keys().index);
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

// A digest index must not outlive the index that it was made of. Beside it may lie what a death has left of making it.
Result<void> retract_digests(CrawlState& state) {
  const std::string path = state.launch.digests(), folder(io::parent_path(path));
  if (!state.files.is_directory(folder)) return {};
  const std::string name(io::base_name(path)), unfinished = name + ".tmp";
  bool any = false;
  TRY(const auto entries, state.files.list(folder));
  for (const io::DirectoryEntry& entry : entries) {
    if (entry.name != name && !entry.name.starts_with(unfinished)) continue;
    TRY_VOID(state.files.remove(folder + "/" + entry.name));
    any = true;
  }
  return any ? state.files.sync_dir(folder) : Result<void>();
}

}  // namespace

Result<SeedTally> write_end_reports(CrawlState& state, const CrawlEnd& end, LaneTotals lanes, WallTime now) {
  ReportFacts facts;
  facts.name = state.launch.name;
  facts.now = now;
  facts.lanes = std::move(lanes);
  set_end(facts, end);
  TRY_VOID(gather_from_stopped(state, facts));
  TRY(const auto set, ReportSet::open(state.files, state.launch, *state.kv, std::move(facts)));
  // If not all can be written, those that are there tell of the end, and the others can be made.
  remove_reports(state.files, state.launch);
  TRY_VOID(set->write_all());
  return set->seeds();
}

Result<SeedTally> write_results(CrawlState& state, const CrawlEnd& end, LaneTotals lanes,
                                const std::vector<ModuleReport>& of_modules, WallTime now) {
  TRY(SeedTally seeds, write_end_reports(state, end, std::move(lanes), now));
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
  bool has_one = false;
  for (const char* const name : {"crawl-report.txt", "crawl-report.json", "crawl-report.csv", "index.html"}) {
    const std::string report = launch.reports() + "/" + name;
    if (!state.files.exists(report)) continue;
    has_one = true;
    (void)state.files.remove(report);
  }
  if (has_one) (void)state.files.sync_dir(launch.reports());
}

}  // namespace caddis::crawl
