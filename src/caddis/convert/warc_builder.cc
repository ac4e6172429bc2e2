#include "caddis/convert/warc_builder.h"

#include "caddis/base/time_format.h"
#include "caddis/base/version.h"
#include "caddis/io/digest.h"
#include "caddis/warc/payload.h"
#include "fmt/format.h"

namespace caddis::convert {
namespace {

constexpr std::string_view kSeparator = "\r\n\r\n";
constexpr size_t kPiece = 256 * 1024;

// Gives all of a file, piece by piece.
Result<uint64_t> read_through(const io::File& file, const std::function<Result<void>(std::string_view)>& use) {
  const auto buffer = std::make_unique_for_overwrite<char[]>(kPiece);
  for (uint64_t at = 0;;) {
    TRY(const size_t got, file.read_at(at, buffer.get(), kPiece));
    if (got == 0) return at;
    TRY_VOID(use({buffer.get(), got}));
    at += got;
  }
}

// Without the transfer coding that the head tells of.
std::string payload_digest(std::string_view head, std::string_view body) {
  io::Sha1 raw, entity;
  warc::PayloadSplitter splitter(!head.empty());
  const auto feed = [&](std::string_view bytes) {
    splitter.feed(
        bytes, [&](std::string_view piece) { raw.update(piece); },
        [&](std::string_view piece) { entity.update(piece); });
  };
  feed(head);
  feed(body);
  const std::string as_stored = raw.finish();
  return io::digest_label(splitter.was_chunked() ? entity.finish() : as_stored);
}

}  // namespace

Result<WarcBuilder> WarcBuilder::create(io::Files& files, const std::string& to, std::string_view source,
                                        const ConvertOptions& options) {
  TRY(auto file, warc::ArchiveFile::create(
                     files, to, {.compression = options.compression, .threads = options.threads, .dictionary = {}}));
  WarcBuilder builder(std::move(file), options.seed);
  builder.warcinfo_id_ = builder.new_id();
  const std::string block = fmt::format(
      "software: Caddis/{}\r\nformat: WARC File Format 1.1\r\n"
      "conformsTo: http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n"
      "description: converted from {}\r\n",
      kVersion, source);
  auto fields = warc::RecordFields::warcinfo(builder.warcinfo_id_, rfc3339(options.now), io::base_name(to));
  fields.block_digest(io::digest_label(io::sha1(block)));
  TRY_VOID(builder.file_->add(fields.header_block(block.size()) + block + std::string(kSeparator)));
  return builder;
}

Result<void> WarcBuilder::add(warc::RecordFields fields, std::string_view head, std::string_view body,
                              bool has_payload) {
  io::Sha1 block;
  block.update(head);
  block.update(body);
  fields.warcinfo_id(warcinfo_id_);
  if (has_payload) fields.payload_digest(payload_digest(head, body));
  fields.block_digest(io::digest_label(block.finish()));
  std::string record = fields.header_block(head.size() + body.size());
  record += head;
  record += body;
  record += kSeparator;
  ++records_;
  return file_->add(std::move(record));
}

Result<void> WarcBuilder::add_file(warc::RecordFields fields, const io::File& file) {
  return add_read(std::move(fields), [&file](const Sink& sink) { return read_through(file, sink); });
}

Result<void> WarcBuilder::add_read(warc::RecordFields fields, const Reading& read) {
  io::Sha1 sha1;
  const auto update = [&](std::string_view piece) -> Result<void> {
    sha1.update(piece);
    return {};
  };
  TRY(const uint64_t size, read(update));
  const std::string digest = io::digest_label(sha1.finish());
  fields.warcinfo_id(warcinfo_id_).payload_digest(digest).block_digest(digest);
  const std::string header = fields.header_block(size);
  TRY_VOID(file_->begin_large(header.size() + size + kSeparator.size()));
  TRY_VOID(file_->write_large(header));
  uint64_t left = size;
  const auto copy = [&](std::string_view piece) -> Result<void> {
    if (piece.size() > left) return fail(ErrorCode::conflict, "the file grows while it is read");
    left -= piece.size();
    return file_->write_large(piece);
  };
  TRY(const uint64_t again, read(copy));
  if (left > 0 || again != size) return fail(ErrorCode::conflict, "the file shrinks while it is read");
  TRY_VOID(file_->write_large(kSeparator));
  ++records_;
  return file_->end_large();
}

Result<uint64_t> WarcBuilder::commit() {
  TRY_VOID(file_->finish());
  TRY_VOID(file_->commit());
  return file_->size();
}

}  // namespace caddis::convert
