#include "caddis/dedup/archive_block.h"

#include "caddis/io/digest.h"
#include "caddis/warc/payload.h"

namespace caddis::dedup {

Result<ArchiveBlock> read_archive_block(warc::Record& record, bool wants_digest) {
  const bool http = warc::is_http(record.header());
  warc::PayloadSplitter splitter(http);
  io::Sha1 raw, entity;
  for (;;) {
    TRY(const std::string_view piece, record.read_block());
    if (piece.empty()) break;
    splitter.feed(
        piece, [&](std::string_view bytes) { wants_digest ? raw.update(bytes) : void(); },
        [&](std::string_view bytes) { wants_digest ? entity.update(bytes) : void(); });
    if (!wants_digest && (!http || splitter.head_complete())) break;
  }
  ArchiveBlock block;
  if (http) block.http_head = splitter.head();
  if (wants_digest) block.digest = io::digest_label(splitter.was_chunked() ? entity.finish() : raw.finish());
  return block;
}

}  // namespace caddis::dedup
