#include "caddis/visit/capture_writer.h"

#include <algorithm>
#include <utility>

#include "caddis/archive/crawl_dictionary.h"
#include "caddis/archive/mirror_path.h"
#include "caddis/archive/packing_strength.h"
#include "caddis/base/check.h"
#include "caddis/fetch/decoded_body.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

constexpr size_t kRecordsInMemory = 8 << 20;
// Documents that are packed, and larger than this and than what links are looked for in, are not mirrored: they are unpacked in memory.
constexpr size_t kMostUnpacked = 64 << 20;

bool is_success(int status) { return status >= 200 && status < 300; }

// Appends the document without its codings. Returns false if that is not possible.
Result<bool> append_document(const FetchedDocument& document, io::Spool& out) {
  const http::Exchange& exchange = *document.exchange();
  if (document.body && document.body->complete() && !document.body->is_away() && !document.stored) {
    TRY_VOID(out.append(document.body->bytes()));
    return true;
  }
  if (exchange.payload_is_body && exchange.head.joined("content-encoding").empty()) {
    TRY_VOID(exchange.response.for_each([&](std::string_view bytes) { return out.append(bytes); }, exchange.head_size));
    return true;
  }
  const size_t most = std::max(kMostUnpacked, document.body ? document.body->max_output() : 0);
  TRY(const fetch::DecodedBody body, fetch::decode_body(exchange, most));
  if (!body.complete()) return false;
  TRY_VOID(out.append(body.bytes()));
  return true;
}

}  // namespace

CaptureWriter::CaptureWriter(LaneTools& tools) : tools_(tools) {
  auto chain = archive::writer_chain(tools.context.settings->archive.writers);
  CADDIS_CHECK(chain.has_value());  // the settings were validated
  for (archive::WriterSpec& spec : *chain) {
    std::string step = archive::writer_step(spec.name);
    writers_.push_back({std::move(spec), std::move(step)});
  }
}

std::vector<CaptureWriter::Chosen> CaptureWriter::choose(Visit& visit, Capture& capture) const {
  std::vector<Chosen> chosen;
  for (size_t i = 0; i < writers_.size(); ++i) {
    if (!visit.allows(writers_[i].step)) continue;
    const archive::WriterSpec& spec = writers_[i].spec;
    chosen.push_back({i, spec.writes_records() ? form_of(visit, spec) : archive::RecordForm{}});
  }
  const std::string& prefix = visit.is_prerequisite() ? visit.host().archive.prefix : visit.site().archive.prefix;
  if (prefix != tools_.context.settings->archive.prefix) capture.prefix = prefix;
  return chosen;
}

Result<bool> CaptureWriter::write(const std::vector<Chosen>& chosen, Visit& visit, Capture& capture,
                                  const MakeRecords& make) const {
  bool is_taken = false, has_records = false;
  for (const auto& [writer, form] : chosen) {
    const archive::WriterSpec& spec = writers_[writer].spec;
    if (!spec.writes_records()) {
      TRY(const bool is_mirrored, mirror(visit, writer, capture));
      is_taken = is_taken || is_mirrored;
      continue;
    }
    is_taken = true;
    if (!std::exchange(has_records, true)) {
      capture.writer = writer;
      capture.has_dictionary = form.dictionary != nullptr;
      TRY_VOID(make(spec.kind, form, capture.records));
      continue;
    }
    Written copy(io::Spool(tools_.context.spools, kRecordsInMemory));
    copy.writer = writer;
    copy.has_dictionary = form.dictionary != nullptr;
    TRY_VOID(make(spec.kind, form, copy.records));
    capture.copies.push_back(std::move(copy));
  }
  return is_taken;
}

bool CaptureWriter::is_original(const Capture& capture) const {
  const archive::WriterSpec& spec = writers_[capture.writer].spec;
  return !capture.records.id.empty() && spec.on_failure != archive::OnFailure::go_on;
}

archive::RecordForm CaptureWriter::form_of(Visit& visit, const archive::WriterSpec& spec) const {
  const VisitContext& context = tools_.context;
  const archive::ArchiveSettings& settings = context.settings->archive;
  const warc::Packing packing = spec.packing.value_or(settings.packing);
  const auto choice = visit.is_prerequisite() ? archive::CompressionChoice::fast : visit.site().archive.compression;
  const bool has_time =
      context.packing.processors_idle != nullptr && context.packing.processors_idle->load(std::memory_order_relaxed);
  const bool is_small =
      choice == archive::CompressionChoice::small || (choice == archive::CompressionChoice::adaptive && has_time);
  archive::RecordForm form{.compression = archive::compression_of(packing, is_small),
                           .version = settings.warc_version,
                           .digest = settings.digest};
  if (packing == warc::Packing::zstd && context.packing.dictionary != nullptr)
    form.dictionary = context.packing.dictionary->get();
  return form;
}

Result<bool> CaptureWriter::mirror(Visit& visit, size_t writer, Capture& capture) const {
  const http::Exchange* const exchange = visit.document.exchange();
  if (exchange == nullptr || visit.url() == nullptr || !is_success(visit.document.outcome->status)) return false;
  Written copy(io::Spool(tools_.context.spools, kRecordsInMemory));
  copy.writer = writer;
  copy.path = archive::mirror_path(*visit.url());
  bool is_whole = exchange->truncated == http::Truncated::none;
  if (is_whole) {
    TRY(is_whole, append_document(visit.document, copy.records.bytes));
  }
  if (!is_whole) {
    ++visit.line->entry.facts.unmirrored;
    return false;
  }
  capture.copies.push_back(std::move(copy));
  return true;
}

}  // namespace caddis::visit
