#include "caddis/crawl/index_journal.h"

#include "caddis/cdx/line.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/streams.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

Result<void> IndexJournal::open(store::StreamSet& streams) { return streams.open_stream(kCdxStream, path_); }

void IndexJournal::add_line(std::string& lines, const visit::Capture& capture, const archive::Records& records,
                            const Place& place, const url::KeyPolicy& policy) {
  if (records.indexed_length == 0) return;
  lines += cdx::cdxj_line({.url = capture.url,
                           .date = capture.date,
                           .mime = capture.mime,
                           .status = capture.status,
                           .digest = capture.digest,
                           .length = records.indexed_length,
                           .offset = place.start + records.indexed_offset,
                           .filename = place.file,
                           .method = capture.method,
                           .request_body = capture.request_body},
                          policy);
  lines += '\n';
}

Result<void> IndexJournal::append(store::StreamSet& streams, std::string_view lines) {
  if (lines.empty()) return {};
  TRY_VOID(streams.append(kCdxStream, lines));
  return {};
}

}  // namespace caddis::crawl
