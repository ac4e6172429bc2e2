#include "caddis/recording/record_maker.h"

#include <utility>
#include <vector>

#include "caddis/archive/packing_strength.h"
#include "caddis/base/json_text.h"
#include "caddis/base/time_format.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/request_key.h"
#include "caddis/dedup/original_row.h"
#include "caddis/http/media_type.h"
#include "caddis/io/digest.h"
#include "caddis/warcstore/exchange_facts.h"

namespace caddis::recording {
namespace {

constexpr size_t kRecordsInMemory = 1 << 20;

// A response with a flaw in its bytes may be more than its payload.
bool is_whole(const http::Exchange& exchange) {
  return exchange.truncated == http::Truncated::none && exchange.problem.empty() && !exchange.payload_digest.empty();
}

archive::CaptureMetadata metadata_of(const RecordedExchange& recorded) {
  const http::Exchange& exchange = recorded.exchange;
  archive::CaptureMetadata metadata;
  metadata.via = recorded.via;
  metadata.fetch_time = exchange.timings.finished;
  if (!recorded.withheld.empty()) metadata.more.emplace_back("requestWithheld", recorded.withheld);
  if (!recorded.cut.empty()) metadata.more.emplace_back("recordingCut", recorded.cut);
  if (!exchange.interim.empty()) metadata.more.emplace_back("httpInterim", exchange.interim);
  if (!exchange.problem.empty()) metadata.more.emplace_back("httpProblem", exchange.problem);
  if (exchange.tls) warcstore::add_tls(metadata, *exchange.tls, exchange.reused);
  return metadata;
}

std::string page_line_of(const MadeCapture& made) {
  return JsonObject().add("url", made.url).add("ts", rfc3339(made.date)).finish() + "\n";
}

// The body as it stands in a key.
Result<std::string> key_body_of(const RecordedExchange& exchange) {
  if (!exchange.request_body) return std::string();
  std::string body(std::min<uint64_t>(exchange.request_body->size(), cdx::kMostKeyInput), '\0');
  TRY(const size_t got, exchange.request_body->read_at(0, body.data(), body.size()));
  body.resize(got);
  return cdx::key_body(exchange.content_type, body);
}

}  // namespace

uint64_t RecordMaker::next_seed() {
  const std::scoped_lock lock(mutex_);
  return random_.next();
}

Result<std::optional<dedup::Match>> RecordMaker::known_payload(const RecordedExchange& exchange,
                                                               const MadeCapture& made) const {
  const bool is_asked = options_.dedup.strategy != dedup::Strategy::off && is_whole(exchange.exchange) &&
                        dedup::is_wanted(options_.dedup, made.log_mime, exchange.exchange.payload_size);
  if (!is_asked) return std::nullopt;
  return known_.find(options_.dedup.strategy, {.digest = made.digest, .url = made.url, .url_key = {}});
}

// By which later captures may refer to it.
std::optional<std::pair<std::string, std::string>> RecordMaker::row_of(const MadeCapture& made) const {
  auto key = own_.row_key(options_.dedup.strategy, {.digest = made.digest, .url = made.url, .url_key = {}});
  if (!key) return std::nullopt;
  return std::pair(
      *std::move(key),
      dedup::row_value(
          {.url = made.url, .date = made.date, .record_id = made.records.id, .etag = {}, .last_modified = {}}));
}

Result<MadeCapture> RecordMaker::make(const RecordedExchange& recorded, WallTime finished) {
  const http::Exchange& exchange = recorded.exchange;
  MadeCapture made{.records = {.bytes = io::Spool(spools_, kRecordsInMemory), .id = {}}};
  made.url = recorded.url;
  made.via = recorded.via;
  made.date = exchange.timings.started;
  made.finished = finished;
  made.status = exchange.head.status();
  made.log_mime = http::mime_of(exchange.head);
  made.size = exchange.response.size();
  made.body_size = exchange.body_size();
  made.protocol = http::protocol_of(exchange);
  made.truncated = exchange.truncated;
  made.has_problem = !exchange.problem.empty();
  if (!exchange.payload_digest.empty()) made.digest = io::digest_label(exchange.payload_digest);
  if (recorded.method != "GET") {
    made.method = recorded.method;
    TRY(made.request_body, key_body_of(recorded));
  }
  TRY(made.revisit, known_payload(recorded, made));

  const std::string block_digest = io::digest_label(exchange.block_digest);
  archive::HttpCapture capture{.url = made.url,
                               .date = made.date,
                               .address = exchange.remote.address,
                               .request = exchange.request_bytes,
                               .response = exchange.response,
                               .block_digest = block_digest,
                               .payload_digest = made.digest,
                               .truncated = warcstore::warc_reason(exchange.truncated),
                               .protocol = {},
                               .cipher = {},
                               .head_size = exchange.head_size,
                               .is_compressed = warcstore::is_incompressible(made.log_mime, exchange.head),
                               .metadata = metadata_of(recorded),
                               .http = made.protocol};
  if (recorded.request_body) capture.request_body = &*recorded.request_body;
  if (exchange.tls) {
    capture.protocol = exchange.tls->protocol;
    capture.cipher = exchange.tls->cipher;
  }
  if (made.revisit) {
    const dedup::Original& original = made.revisit->original;
    capture.revisit = archive::RevisitTarget{
        .is_unchanged = false, .record_id = original.record_id, .url = original.url, .date = original.date};
  }
  const bool is_small = options_.archive.compression == archive::CompressionChoice::small;
  const archive::RecordForm form{.compression = archive::compression_of(options_.archive.packing, is_small),
                                 .version = options_.archive.warc_version,
                                 .digest = options_.archive.digest};
  SeededRandom random(next_seed());
  TRY_VOID(archive::write_http_capture(capture, form, random, made.records));
  made.mime =
      made.revisit ? std::string(cdx::kRevisitMime) : std::string(exchange.head.find("content-type").value_or(""));
  if (!made.revisit && is_whole(exchange) && dedup::is_wanted(options_.dedup, made.log_mime, exchange.payload_size))
    made.original = row_of(made);
  if (recorded.is_page && made.status == 200 && made.log_mime.contains("html")) made.page_line = page_line_of(made);
  return made;
}

}  // namespace caddis::recording
