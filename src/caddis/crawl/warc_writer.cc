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
  Write(WarcWriter& writer, std::shared_ptr<const Form> form, std::vector<visit::Capture> captures, bool closes)
      : writer_(writer), form_(std::move(form)), captures_(std::move(captures)), closes_(closes) {}

  Result<void> append(commit::GroupOutput& out) override { return writer_.append(out, *form_, captures_, closes_); }
  void seal(commit::GroupOutput& out, commit::CommitGroup& group) override {
    (void)out;
    writer_.seal(group.batch());
  }

 private:
  WarcWriter& writer_;
  const std::shared_ptr<const Form> form_;
  const std::vector<visit::Capture> captures_;
  const bool closes_;
};

WarcWriter::WarcWriter(Options options, const Clock& clock, Random& random)
    : folder_(std::move(options.folder)),
      pid_(std::move(options.pid)),
      port_(options.port),
      index_key_(options.index_key),
      clock_(clock),
      random_(random),
      committed_serial_(options.next_serial) {
  follow(std::move(options.settings), std::move(options.provenance));
}

void WarcWriter::follow(archive::ArchiveSettings settings, archive::Provenance provenance) {
  form_ = std::make_shared<const Form>(Form{std::move(settings), std::move(provenance)});
}

void WarcWriter::on_final(visit::VisitResult& result) {
  for (visit::Capture& capture : result.captures) add(std::move(capture));
  result.captures.clear();
}

void WarcWriter::stage(commit::CommitGroup& group) {
  group.add(std::make_unique<Write>(*this, form_, std::exchange(captures_, {}), group.closes_files()));
}

Result<void> WarcWriter::append(commit::GroupOutput& out, const Form& form, const std::vector<visit::Capture>& captures,
                                bool closes) {
  serial_ = committed_serial_;
  std::string index_lines;
  for (const visit::Capture& capture : captures) TRY_VOID(append_capture(out, form, capture, index_lines));
  TRY_VOID(IndexJournal::append(out.streams(), index_lines));
  return closes && out.streams().has_open(kWarcStream) ? out.streams().close_stream(kWarcStream) : Result<void>();
}

Result<void> WarcWriter::append_capture(commit::GroupOutput& out, const Form& form, const visit::Capture& capture,
                                        std::string& index_lines) {
  store::StreamSet& streams = out.streams();
  const auto most = static_cast<uint64_t>(form.settings.max_file_size);
  if (!streams.has_open(kWarcStream) || streams.length(kWarcStream) >= most) TRY_VOID(begin_file(out, form));
  const uint64_t start = streams.length(kWarcStream);
  TRY_VOID(capture.records.bytes.for_each([&](std::string_view bytes) -> Result<void> {
    TRY_VOID(streams.append(kWarcStream, bytes));
    return {};
  }));
  const std::string path = streams.path(kWarcStream);
  IndexJournal::add_line(index_lines, capture, {io::base_name(path), start}, index_key_);
  return {};
}

Result<void> WarcWriter::begin_file(commit::GroupOutput& out, const Form& form) {
  const WallTime now = clock_.wall();
  const std::string name = next_name(out.streams(), form, now);
  // The archive is shared with other crawls: should we die before the commit, this row says that the file was ours.
  store::Batch begun;
  begun.put(kMeta, begun_row(serial_), name);
  TRY_VOID(out.write_ahead(begun));
  ++serial_;
  log_info("commit", "begins {}", name);
  TRY_VOID(out.streams().roll_stream(kWarcStream, folder_ + "/" + name, collection::kOpenSuffix));
  const archive::Warcinfo info = archive::make_warcinfo(form.provenance, form.settings, name, now, random_);
  TRY_VOID(out.streams().append(kWarcStream, info.bytes));
  return {};
}

// A template without a time makes the names of an earlier crawl again: those are passed over.
std::string WarcWriter::next_name(const store::StreamSet& streams, const Form& form, WallTime now) {
  for (;; ++serial_) {
    const archive::NameParts parts{form.settings.prefix, now, serial_, pid_, form.provenance.hostname, port_};
    std::string name = archive::warc_file_name(form.settings.name_template, parts);
    if (!streams.is_taken(folder_ + "/" + name, collection::kOpenSuffix)) return name;
  }
}

void WarcWriter::seal(store::Batch& batch) {
  for (uint64_t begun = committed_serial_; begun < serial_; ++begun) batch.erase(kMeta, begun_row(begun));
  batch.put(kMeta, kSerialRow, std::to_string(serial_));
  committed_serial_ = serial_;
}

}  // namespace caddis::crawl
