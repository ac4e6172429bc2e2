// Response, request and metadata of an exchange as WARC records, built and compressed by the lane.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/aio/blocking.h"
#include "caddis/archive/arc.h"
#include "caddis/archive/capture.h"
#include "caddis/archive/crawl_dictionary.h"
#include "caddis/cdx/capture.h"
#include "caddis/dedup/original_row.h"
#include "caddis/io/digest.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/capture_writer.h"
#include "caddis/visit/known_payload.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/page_notes.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"
#include "caddis/warcstore/exchange_facts.h"

namespace caddis::visit {
namespace {

constexpr size_t kRecordsInMemory = 8 << 20;
// The records of a larger response are made by a thread beside the lanes: a film would hold up all visits of its lane.
constexpr size_t kMostByLane = 8 << 20;

archive::RevisitTarget revisit_target(const KnownPayload& known) {
  const dedup::Original& original = known.match->original;
  return {
      .is_unchanged = known.is_unchanged, .record_id = original.record_id, .url = original.url, .date = original.date};
}

// One line for each link, as the metadata record has them.
std::string outlink_lines(const extract::Extracted& extracted) {
  constexpr size_t kUsualLine = 80;
  std::string lines, shown;
  lines.reserve(extracted.links.size() * kUsualLine);
  for (const extract::Link& link : extracted.links) {
    if (link.target.has_userinfo()) shown = url::public_form(link.target);
    archive::append_outlink(lines, link.target.has_userinfo() ? shown : link.url(), static_cast<char>(link.hop),
                            link.context);
  }
  return lines;
}

class RecordsStep final : public Step {
 public:
  explicit RecordsStep(LaneTools& tools) : tools_(tools), writer_(tools) {}
  std::string_view name() const override { return "records"; }
  void pass_by(Visit& visit) override { visit.line->entry.facts.is_left_out = true; }

  bool waits() const override { return true; }

  aio::Task<Result<Next>> run_waiting(Visit& visit) override {
    if (visit.document.exchange() == nullptr) co_return Next::on();
    const PageNotes* const notes = visit.slots.find<PageNotes>();
    if (notes != nullptr && notes->is_left_out) {
      pass_by(visit);
      co_return Next::on();
    }
    Source source(visit);
    Capture made(io::Spool(tools_.context.spools, kRecordsInMemory));
    const auto chosen = writer_.choose(visit, made);
    Result<bool> is_taken = false;
    aio::Blocking* const worker = tools_.context.long_work;
    if (worker != nullptr && visit.document.exchange()->response.size() > kMostByLane) {
      SeededRandom ids(tools_.random.next());  // the lane's serve other visits meanwhile
      if (visit.document.body) visit.document.body->put_away();
      const std::function<void()> write = [&] { is_taken = write_all(chosen, source.capture, ids, visit, made); };
      co_await worker->run(tools_.loop, write);
    } else {
      is_taken = write_all(chosen, source.capture, tools_.random, visit, made);
    }
    if (!is_taken) co_return std::unexpected(std::move(is_taken).error());
    if (*is_taken)
      conclude(visit, source.capture, std::move(made));
    else
      pass_by(visit);
    co_return Next::on();
  }

 private:
  // A capture as writers take it, with the text that it borrows.
  struct Source {
    explicit Source(Visit& visit)
        : block_digest(io::digest_label(visit.document.exchange()->block_digest)),
          attachments(std::move(visit.document.attachments)),
          capture(capture_of(visit)) {
      const http::Exchange& exchange = *visit.document.exchange();
      if (exchange.resource && !exchange.resource->conversation.empty())
        attachments.push_back(
            {visit.line->entry.url, std::string(archive::kFtpConversation), exchange.resource->conversation});
      if (visit.document.extracted && visit.site().archive.outlinks)
        outlinks = outlink_lines(*visit.document.extracted);
      capture.block_digest = block_digest;
      capture.metadata.outlinks = outlinks;
      capture.attachments = attachments;
    }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    std::string block_digest, outlinks;
    std::vector<archive::Attachment> attachments;
    archive::HttpCapture capture;
  };

  // Borrows from the visit.
  static archive::HttpCapture capture_of(Visit& visit) {
    const http::Exchange& exchange = *visit.document.exchange();
    const LogEntry& entry = visit.line->entry;
    archive::HttpCapture capture{.url = entry.url,
                                 .date = visit.document.outcome->started,
                                 .address = exchange.remote.address,
                                 .request = exchange.request_bytes,
                                 .response = exchange.response,
                                 .block_digest = {},
                                 .payload_digest = entry.digest,
                                 .truncated = warcstore::warc_reason(exchange.truncated),
                                 .protocol = {},
                                 .cipher = {},
                                 .head_size = exchange.head_size,
                                 .is_compressed = warcstore::is_incompressible(entry.mime, exchange.head),
                                 .metadata = metadata_of(visit),
                                 .http = http::protocol_of(exchange)};
    if (exchange.resource)
      capture.resource = archive::ResourceForm{.media_type = exchange.head.find("content-type").value_or("")};
    if (exchange.tls) {
      capture.protocol = exchange.tls->protocol;
      capture.cipher = exchange.tls->cipher;
    }
    const std::optional<KnownPayload>& known = visit.document.known;
    if (known && known->match) capture.revisit = revisit_target(*known);
    return capture;
  }

  // Any thread.
  Result<bool> write_all(const std::vector<CaptureWriter::Chosen>& chosen, const archive::HttpCapture& capture,
                         Random& ids, Visit& visit, Capture& made) const {
    return writer_.write(chosen, visit, made,
                         [&](archive::WriterKind kind, const archive::RecordForm& form, archive::Records& records) {
                           if (kind == archive::WriterKind::arc)
                             return archive::write_arc_http(capture, visit.line->entry.mime, form.compression, records);
                           return archive::write_http_capture(capture, form, ids, records);
                         });
  }

  void conclude(Visit& visit, const archive::HttpCapture& capture, Capture made) const {
    const http::Exchange& exchange = *visit.document.exchange();
    const LogEntry& entry = visit.line->entry;
    if (!capture.is_compressed) sample(exchange);
    made.url = entry.url;
    made.method = visit.document.sent.method;
    made.request_body = visit.document.sent.body;
    made.date = visit.document.outcome->started;
    made.mime = is_revisit(capture, made) ? std::string(cdx::kRevisitMime)
                                          : std::string(exchange.head.find("content-type").value_or(""));
    // An index knows the status of HTTP alone.
    if (!exchange.resource) made.status = visit.document.outcome->status;
    made.digest = entry.digest;
    visit.line->place = made.place = std::make_shared<WrittenAt>();
    const std::optional<KnownPayload>& known = visit.document.known;
    if (known && known->row_key && writer_.is_original(made))
      made.original.emplace(
          *known->row_key,
          dedup::row_value(
              {.url = made.url, .date = made.date, .record_id = made.records.id, .etag = {}, .last_modified = {}}));
    visit.result.captures.push_back(std::move(made));
  }

  static bool is_revisit(const archive::HttpCapture& capture, const Capture& made) {
    return capture.revisit.has_value() && !made.records.id.empty();
  }

  // Dictionaries are learned from what comes first.
  void sample(const http::Exchange& exchange) const {
    archive::CrawlDictionary* const dictionary = tools_.context.packing.dictionary;
    if (dictionary != nullptr && dictionary->wants_samples()) dictionary->sample(exchange.response.memory_view());
  }

  static std::string_view name_of_reply(std::string_view protocol) {
    if (protocol == "file") return "fileModified";
    return protocol == "sftp" ? "sftpHostKey" : "ftpFetchStatus";
  }

  // How the URL came to be captured; borrows from the visit.
  static archive::CaptureMetadata metadata_of(Visit& visit) {
    const http::Exchange& exchange = *visit.document.exchange();
    const LogEntry& entry = visit.line->entry;
    archive::CaptureMetadata metadata;
    metadata.via = entry.via;
    metadata.hops = entry.hops;
    metadata.seed = entry.seed;
    metadata.fetch_time = visit.document.outcome->took;
    if (visit.document.extracted) metadata.charset = visit.document.extracted->charset;
    const std::string& withheld = visit.document.outcome->withheld;
    if (!withheld.empty()) metadata.more.emplace_back("requestWithheld", withheld);
    if (exchange.resource && !exchange.resource->reply.empty())
      metadata.more.emplace_back(name_of_reply(exchange.resource->protocol), exchange.resource->reply);
    if (!exchange.interim.empty()) metadata.more.emplace_back("httpInterim", exchange.interim);
    if (!exchange.problem.empty())
      metadata.more.emplace_back(exchange.resource ? "fetchProblem" : "httpProblem", exchange.problem);
    if (exchange.tls) warcstore::add_tls(metadata, *exchange.tls, exchange.reused);
    if (const PageNotes* notes = visit.slots.find<PageNotes>())
      metadata.more.insert(metadata.more.end(), notes->metadata.begin(), notes->metadata.end());
    return metadata;
  }

  LaneTools& tools_;
  CaptureWriter writer_;
};

}  // namespace

std::unique_ptr<Step> make_records_step(LaneTools& tools) { return std::make_unique<RecordsStep>(tools); }

}  // namespace caddis::visit
