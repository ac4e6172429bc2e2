#include "caddis/replay/live_collection.h"

#include <fmt/format.h>

#include <utility>

#include "caddis/base/time_format.h"
#include "caddis/cdx/line.h"
#include "caddis/http/media_type.h"
#include "caddis/sources/record_file.h"

namespace caddis::replay {
namespace {

// The record of the exchange, whatever file is asked for.
class FetchedRecord final : public sources::RecordSource {
 public:
  explicit FetchedRecord(FetchedCapture fetched) : fetched_(std::move(fetched)) {}
  Result<std::unique_ptr<io::File>> open(const cdx::Capture& capture) override {
    const http::Exchange& exchange = *fetched_.exchange;
    return sources::record_file(
        fmt::format("WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\n"
                    "Content-Type: application/http;msgtype=response\r\nContent-Length: {}\r\n\r\n",
                    fetched_.url, rfc3339(parse_timestamp(capture.timestamp).value_or(WallTime())),
                    exchange.response.size()),
        std::shared_ptr<const io::Spool>(fetched_.exchange, &exchange.response));
  }

 private:
  const FetchedCapture fetched_;
};

}  // namespace

std::unique_ptr<Collection> live_collection(io::Files& files, const Clock& clock, std::string title,
                                            const FetchedCapture* fetched) {
  const auto records = fetched != nullptr ? std::make_shared<FetchedRecord>(*fetched) : nullptr;
  auto collection = collection_in_memory(files, clock, std::string(kLive), std::move(title), records);
  if (fetched == nullptr) return collection;
  const http::Exchange& exchange = *fetched->exchange;
  collection->index().add_line(cdx::cdxj_line({.url = fetched->url,
                                               .date = parse_timestamp(fetched->timestamp).value_or(WallTime()),
                                               .mime = http::mime_of(exchange.head),
                                               .status = exchange.head.status(),
                                               .digest = {},
                                               .length = 0,
                                               .offset = 0,
                                               .filename = kLive}));
  return collection;
}

}  // namespace caddis::replay
