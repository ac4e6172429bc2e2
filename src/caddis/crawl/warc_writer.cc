#include "caddis/crawl/warc_writer.h"

#include <memory>
#include <utility>

#include "caddis/archive/file_names.h"
#include "caddis/base/log.h"
#include "caddis/collection/layout.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/index_journal.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/io/files.h"

namespace caddis::crawl {
namespace {

std::string begun_row(uint64_t serial) { return std::string(kBegunRow) + std::to_string(serial); }

}  // namespace

// The captures of one group.
class WarcWriter::Write final : public commit::StagedWrite {
 public:
  Write(WarcWriter& writer, std::vector<visit::Capture> captures, bool closes)
      : writer_(writer), captures_(std::move(captures)), closes_(closes) {}

  Result<void> append(commit::GroupOutput& out) override { return writer_.append(out, captures_, closes_); }
  void seal(commit::GroupOutput& out, commit::CommitGroup& group) override {
    (void)out;
    writer_.seal(group.batch());
  }

 private:
  WarcWriter& writer_;
  const std::vector<visit::Capture> captures_;
  const bool closes_;
};

void WarcWriter::on_final(visit::VisitResult& result) {
  for (visit::Capture& capture : result.captures) add(std::move(capture));
  result.captures.clear();
}

void WarcWriter::stage(commit::CommitGroup& group) {
  group.add(std::make_unique<Write>(*this, std::exchange(captures_, {}), group.closes_files()));
}

Result<void> WarcWriter::append(commit::GroupOutput& out, const std::vector<visit::Capture>& captures, bool closes) {
  serial_ = committed_serial_;
  std::string index_lines;
  for (const visit::Capture& capture : captures) TRY_VOID(append_capture(out, capture, index_lines));
  TRY_VOID(IndexJournal::append(out.streams(), index_lines));
  return closes && out.streams().has_open(kWarcStream) ? out.streams().close_stream(kWarcStream) : Result<void>();
}

Result<void> WarcWriter::append_capture(commit::GroupOutput& out, const visit::Capture& capture,
                                        std::string& index_lines) {
  store::StreamSet& streams = out.streams();
  const auto most = static_cast<uint64_t>(options_.settings.max_file_size);
  if (!streams.has_open(kWarcStream) || streams.length(kWarcStream) >= most) TRY_VOID(begin_file(out));
  const uint64_t start = streams.length(kWarcStream);
  TRY_VOID(capture.records.bytes.for_each([&](std::string_view bytes) -> Result<void> {
    TRY_VOID(streams.append(kWarcStream, bytes));
    return {};
  }));
  const std::string path = streams.path(kWarcStream);
  IndexJournal::add_line(index_lines, capture, io::base_name(path), start);
  return {};
}

Result<void> WarcWriter::begin_file(commit::GroupOutput& out) {
  const WallTime now = clock_.wall();
  const std::string name = next_name(out.streams(), now);
  // The archive is shared with other crawls: should we die before the commit, this row says that the file was ours.
  store::Batch begun;
  begun.put(kMeta, begun_row(serial_), name);
  TRY_VOID(out.write_ahead(begun));
  ++serial_;
  log_info("commit", "begins {}", name);
  TRY_VOID(out.streams().roll_stream(kWarcStream, options_.folder + "/" + name, collection::kOpenSuffix));
  const archive::Warcinfo info = archive::make_warcinfo(options_.provenance, options_.settings, name, now, random_);
  TRY_VOID(out.streams().append(kWarcStream, info.bytes));
  return {};
}

// A template without a time makes the names of an earlier crawl again: those are passed over.
std::string WarcWriter::next_name(const store::StreamSet& streams, WallTime now) {
  for (;; ++serial_) {
    const archive::NameParts parts{options_.settings.prefix,     now,          serial_, options_.pid,
                                   options_.provenance.hostname, options_.port};
    std::string name = archive::warc_file_name(options_.settings.name_template, parts);
    if (!streams.is_taken(options_.folder + "/" + name, collection::kOpenSuffix)) return name;
  }
}

void WarcWriter::seal(store::Batch& batch) {
  for (uint64_t begun = committed_serial_; begun < serial_; ++begun) batch.erase(kMeta, begun_row(begun));
  batch.put(kMeta, kSerialRow, std::to_string(serial_));
  committed_serial_ = serial_;
}

}  // namespace caddis::crawl
