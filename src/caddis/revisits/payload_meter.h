// Tells by what the payload of a record is known again, while its block goes by piece by piece.
//
//   PayloadMeter meter;
//   meter.begin(record.header());
//   for (...) meter.feed(piece);
//   const MeteredPayload payload = meter.finish(record.complete());
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/io/digest.h"
#include "caddis/warc/digest_check.h"
#include "caddis/warc/finding.h"
#include "caddis/warc/payload.h"
#include "caddis/warc/reader.h"
#include "caddis/warc/record.h"

namespace caddis::revisits {

struct MeteredPayload {
  // Why nobody may take it for another payload, or another for it; empty if it is sound.
  std::string flaw;
  bool is_broken_coding = false;  // that is the flaw: digests hold, but tell nothing of it
  std::string http_head;          // with its empty line; empty for a resource
  std::string mime;               // of the payload, as its head or the resource tells it
  uint64_t size = 0;              // of the body as it is stored
  std::string digest;             // labelled: that of the record, which holds, or by the standard if it has none
  // The SHA-256, raw, of the payload as that digest takes it, and of the digest's algorithm. So payloads are known again
  // by their bytes, those only whose records tell the same digest, and resources apart from responses.
  std::string identity;
};

// A resource of the web or of FTP, whose payload is its block. Resources under other schemes (dns, urn) are none of them.
bool is_resource(const warc::Header& header);
// A response with a whole HTTP message, or a resource, whose date and URL can be referred to: not truncated, no segment.
// More is told by its payload.
bool is_whole_capture(const warc::Header& header);
// The same, and not of an ARC file.
bool may_be_original(const warc::Header& header);

class PayloadMeter {
 public:
  PayloadMeter();
  PayloadMeter(const PayloadMeter&) = delete;
  PayloadMeter& operator=(const PayloadMeter&) = delete;

  // `header` is that of an HTTP message or a resource, and must stay until finish().
  void begin(const warc::Header& header);
  void feed(std::string_view piece);
  MeteredPayload finish(bool complete);

 private:
  void note(warc::Level level, std::string_view code, std::string message);

  const warc::Header* header_ = nullptr;
  warc::DigestCheck check_;
  std::optional<warc::PayloadSplitter> splitter_;
  io::Sha256 raw_, entity_;
  io::Sha1 raw_sha1_, entity_sha1_;  // only of records that have no digest
  std::string flaw_;
  bool is_of_chunks_ = false;  // the record's digest is that of the body with its chunk sizes
  uint64_t size_ = 0;
};

// Reads the block of a record to its end, and appends it to `block` unless that is null.
Result<MeteredPayload> measure(warc::Record& record, PayloadMeter& meter, std::string* block);

}  // namespace caddis::revisits
