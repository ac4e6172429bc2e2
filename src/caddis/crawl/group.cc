#include "caddis/crawl/group.h"

#include "caddis/archive/file_names.h"
#include "caddis/base/log.h"
#include "caddis/cdx/line.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/gzip.h"

namespace caddis::crawl {
namespace {

std::string begun_row(uint64_t serial) { return std::string(kBegunRow) + std::to_string(serial); }

}  // namespace

// A template without a time gives the names of an earlier crawl again: those are passed over.
std::string GroupWriter::next_name(WallTime now) {
  for (;; ++serial_) {
    const archive::NameParts parts{settings_.prefix, now, serial_, names_.pid, names_.host, "0"};
    std::string name = archive::warc_file_name(settings_.name_template, parts);
    if (!streams_.is_taken(launch_.archive() + "/" + name, kOpenSuffix)) return name;
  }
}

Result<void> GroupWriter::roll() {
  const WallTime now = clock_.wall();
  const std::string name = next_name(now);
  // The archive is shared with other crawls: should we die before the commit, this row says that the file was ours.
  store::Batch begun;
  begun.put(kMeta, begun_row(serial_), name);
  if (auto written = kv_.write(begun, store::Durability::synced); !written) {
    store_failed_ = true;
    return written;
  }
  ++serial_;
  log_info("commit", "begins {}", name);
  TRY_VOID(streams_.roll_stream(kWarcStream, launch_.archive() + "/" + name, kOpenSuffix));
  const archive::Warcinfo info = archive::make_warcinfo(provenance_, settings_, name, now, random_);
  TRY_VOID(streams_.append(kWarcStream, info.bytes));
  return {};
}

Result<void> GroupWriter::append_capture(const visit::Capture& capture, std::string& cdx) {
  const uint64_t most = static_cast<uint64_t>(settings_.max_file_size);
  if (!streams_.has_open(kWarcStream) || streams_.length(kWarcStream) >= most) TRY_VOID(roll());
  const uint64_t start = streams_.length(kWarcStream);
  const archive::Records& records = capture.records;
  TRY_VOID(records.bytes.for_each([&](std::string_view bytes) -> Result<void> {
    TRY_VOID(streams_.append(kWarcStream, bytes));
    return {};
  }));
  if (records.indexed_length == 0) return {};
  const std::string path = streams_.path(kWarcStream);
  cdx += cdx::cdxj_line({.url = capture.url,
                         .date = capture.date,
                         .mime = capture.mime,
                         .status = capture.status,
                         .digest = capture.digest,
                         .length = records.indexed_length,
                         .offset = start + records.indexed_offset,
                         .filename = io::base_name(path)});
  cdx += '\n';
  return {};
}

// What sorted runs have held for as long as a disk might lose them is let go, file by file.
Result<void> GroupWriter::tend_seen_log(const Group& group) {
  if (!streams_.has_open(kSeenStream)) return {};
  if (!group.seen.empty() && streams_.committed_length(kSeenStream) >= group.seen_file)
    TRY_VOID(streams_.roll_log(kSeenStream));
  streams_.release(kSeenStream, group.seen_held * sizeof(uint64_t), recorded_.most);
  return {};
}

Result<void> GroupWriter::append_all(Group& group) {
  TRY_VOID(tend_seen_log(group));
  std::string cdx;
  for (const visit::Capture& capture : group.captures) TRY_VOID(append_capture(capture, cdx));
  const std::pair<const char*, const std::string*> logs[] = {
      {kLogStream, &group.log},     {kErrorStream, &group.errors},
      {kPagesStream, &group.pages}, {kProgressStream, &group.progress},
      {kCdxStream, &cdx},           {kSeenStream, &group.seen}};
  for (const auto& [stream, bytes] : logs)
    if (!bytes->empty()) TRY_VOID(streams_.append(stream, *bytes));
  // A member each: what a death leaves can be read to its last byte.
  if (!group.recovery.empty())
    TRY_VOID(streams_.append(kRecoveryStream, io::gzip_member(group.recovery, io::GzipEffort::fast)));
  if (group.closes_files && streams_.has_open(kWarcStream)) TRY_VOID(streams_.close_stream(kWarcStream));
  return streams_.sync();
}

// Before `committed`: the streams still say where the group began.
void GroupWriter::record(Group& group) {
  group.batch.put(kMeta, group_row(recorded_.next++), encode_group_undo(streams_.ends(), group.visits, group.seen));
  for (; recorded_.next - recorded_.first > recorded_.most; ++recorded_.first)
    group.batch.erase(kMeta, group_row(recorded_.first));
}

GroupWriter::Outcome GroupWriter::write(Group& group) {
  const uint64_t serial = serial_;
  if (auto appended = append_all(group); !appended) {
    if (store_failed_) return {Fate::unknown, std::move(appended).error()};
    serial_ = serial;
    if (auto undone = streams_.abandon_failed(); !undone) return {Fate::unknown, std::move(undone).error()};
    return {Fate::try_again, std::move(appended).error()};
  }
  streams_.stage_lengths(group.batch);
  for (uint64_t begun = serial; begun < serial_; ++begun) group.batch.erase(kMeta, begun_row(begun));
  group.batch.put(kMeta, std::string(kSerialRow), std::to_string(serial_));
  record(group);
  if (auto written = kv_.write(group.batch, store::Durability::synced); !written)
    return {Fate::unknown, std::move(written).error()};
  if (auto renamed = streams_.committed(); !renamed)
    log_warn("commit", "{}; it is tried again", renamed.error().message);
  return {};
}

}  // namespace caddis::crawl
