#include "caddis/archive/capture.h"

#include <algorithm>

#include "caddis/base/time_format.h"
#include "caddis/io/digest.h"
#include "caddis/warc/views.h"

namespace caddis::archive {
namespace {

void append_line(std::string& block, std::string_view value) {
  const size_t start = block.size();
  block += value;
  std::replace_if(
      block.begin() + static_cast<ptrdiff_t>(start), block.end(), [](char c) { return c == '\r' || c == '\n'; }, ' ');
  block += "\r\n";
}

void add(std::string& block, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  block += name;
  block += ": ";
  append_line(block, value);
}

std::string digest_of(std::string_view block, const RecordForm& form) {
  return io::digest_label(io::digest(form.digest, block));
}

// Requests and metadata are short texts of fields: they have a way of their own to be packed fast.
warc::Compression for_fields(warc::Compression compression) {
  return compression == warc::Compression::fast ? warc::Compression::fields : compression;
}

// Appends a record whose block is in memory.
Result<void> append(Records& out, const warc::RecordFields& fields, std::initializer_list<std::string_view> block,
                    const RecordForm& form, warc::Compression compression) {
  // Kept for the next record, so that a record's copy in the spool is the only memory that is asked for.
  thread_local std::string bytes;
  bytes.clear();
  warc::append_record(bytes, fields, block, compression, form.dictionary);
  constexpr size_t kUsualFollowers = 3 << 10;  // request and metadata of a response
  if (out.bytes.size() == 0) out.bytes.reserve(bytes.size() + kUsualFollowers);
  auto appended = out.bytes.append(bytes);
  constexpr size_t kKeepAtMost = 4 << 20;
  if (bytes.capacity() > kKeepAtMost) bytes = std::string();
  return appended;
}

// The head of the response: what follows it lies with the original.
Result<std::string> head_of(const HttpCapture& capture) {
  std::string head(std::min<uint64_t>(capture.head_size, capture.response.size()), '\0');
  size_t done = 0;
  while (done < head.size()) {
    TRY(const size_t n, capture.response.read_at(done, head.data() + done, head.size() - done));
    if (n == 0) return fail(ErrorCode::io, "the spool of a response ends within its head");
    done += n;
  }
  return head;
}

Result<void> append_revisit(const HttpCapture& capture, warc::RecordFields& fields, const RecordForm& form,
                            Records& out) {
  TRY(const std::string head, head_of(capture));
  const bool is_whole = head.size() == capture.response.size();
  fields.block_digest(is_whole ? std::string(capture.block_digest) : digest_of(head, form));
  if (!is_whole) fields.truncated(warc::Truncated::length);
  return append(out, fields, {head}, form, for_fields(form.compression));
}

void add_connection(const HttpCapture& capture, warc::RecordFields& fields) {
  if (capture.resource) {
    fields.protocol(capture.http);
    return;
  }
  fields.protocol(capture.protocol.empty() ? "" : capture.http).protocol(capture.protocol).cipher_suite(capture.cipher);
}

std::string date_of(WallTime date, const RecordForm& form) {
  return form.version == WarcVersion::v1_0 ? rfc3339(date) : rfc3339_millis(date);
}

std::string date_of_original(WallTime date, const RecordForm& form) {
  return form.version == WarcVersion::v1_0 ? rfc3339(date) : warc::referred_date(date);
}

std::string_view profile_of(const RevisitTarget& target, const RecordForm& form) {
  if (form.version == WarcVersion::v1_0)
    return target.is_unchanged ? warc::kProfileNotModified10 : warc::kProfileIdenticalPayload10;
  return target.is_unchanged ? warc::kProfileNotModified : warc::kProfileIdenticalPayload;
}

warc::RecordFields in_version(warc::RecordFields fields, const RecordForm& form) {
  if (form.version == WarcVersion::v1_0) fields.as_version_1_0();
  return fields;
}

warc::RecordFields first_fields(const HttpCapture& capture, std::string_view id, std::string_view date,
                                const RecordForm& form) {
  if (!capture.revisit && capture.resource) {
    auto fields = warc::RecordFields::resource(id, date, capture.url, capture.resource->media_type);
    fields.ip_address(capture.address).payload_digest(capture.payload_digest);
    return fields;
  }
  if (!capture.revisit) {
    auto fields = warc::RecordFields::response(id, date, capture.url);
    fields.content_type(warc::kHttpResponse).ip_address(capture.address).payload_digest(capture.payload_digest);
    return fields;
  }
  const RevisitTarget& target = *capture.revisit;
  auto fields = warc::RecordFields::revisit(id, date, capture.url, profile_of(target, form), capture.payload_digest,
                                            target.record_id, target.url, date_of_original(target.date, form));
  fields.content_type(capture.resource ? capture.resource->media_type : warc::kHttpResponse)
      .ip_address(capture.address);
  return fields;
}

Result<void> append_response(const HttpCapture& capture, const warc::RecordFields& fields, const RecordForm& form,
                             Records& out) {
  const warc::Compression compression = compression_for(capture, form.compression);
  if (capture.response.in_memory()) {
    const std::string_view whole = capture.response.memory_view();
    const size_t head = static_cast<size_t>(std::min<uint64_t>(capture.head_size, whole.size()));
    return append(out, fields, {whole.substr(0, head), whole.substr(head)}, form, compression);
  }
  uint64_t position = 0;
  const warc::BlockSource read = [&](char* buffer, size_t size) -> Result<size_t> {
    TRY(const size_t n, capture.response.read_at(position, buffer, size));
    position += n;
    return n;
  };
  const warc::RecordSink write = [&](std::string_view bytes) { return out.bytes.append(bytes); };
  return warc::write_record(fields, capture.response.size(), read, compression, write, form.dictionary);
}

// A request with a body of any size: it goes from spool to spool.
Result<void> append_long_request(const HttpCapture& capture, const warc::RecordFields& request, const RecordForm& form,
                                 Records& out) {
  uint64_t position = 0;
  const warc::BlockSource read = [&](char* buffer, size_t size) -> Result<size_t> {
    const size_t head = capture.request.size();
    if (position < head) {
      const size_t n = capture.request.substr(position).copy(buffer, size);
      position += n;
      return n;
    }
    TRY(const size_t n, capture.request_body->read_at(position - head, buffer, size));
    position += n;
    return n;
  };
  const warc::RecordSink write = [&](std::string_view bytes) { return out.bytes.append(bytes); };
  const uint64_t size = capture.request.size() + capture.request_body->size();
  return warc::write_record(request, size, read, form.compression, write, form.dictionary);
}

Result<std::string> digest_of_request(const HttpCapture& capture, const RecordForm& form) {
  io::Digest digest(form.digest);
  digest.update(capture.request);
  if (capture.request_body != nullptr) {
    const auto take = [&](std::string_view bytes) {
      digest.update(bytes);
      return Result<void>();
    };
    TRY_VOID(capture.request_body->for_each(take));
  }
  return io::digest_label(digest.finish());
}

Result<void> append_request(const HttpCapture& capture, std::string_view date, std::string_view about,
                            const RecordForm& form, Random& random, Records& out) {
  auto request = in_version(warc::RecordFields::request(warc::record_id(random), date, capture.url, about), form);
  TRY(const std::string digest, digest_of_request(capture, form));
  request.content_type(warc::kHttpRequest).ip_address(capture.address).block_digest(digest);
  add_connection(capture, request);
  if (capture.request_body != nullptr && capture.request_body->size() > 0)
    return append_long_request(capture, request, form, out);
  return append(out, request, {capture.request}, form, for_fields(form.compression));
}

Result<void> append_attachment(const Attachment& attachment, std::string_view address, std::string_view date,
                               std::string_view first, const RecordForm& form, Random& random, Records& out) {
  warc::RecordFields fields(warc::RecordType::metadata, warc::record_id(random), date);
  fields.target_uri(attachment.about).concurrent_to(first).content_type(attachment.media_type).ip_address(address);
  fields.block_digest(digest_of(attachment.block, form));
  fields = in_version(std::move(fields), form);
  return append(out, fields, {attachment.block}, form, for_fields(form.compression));
}

Result<void> append_metadata(std::string_view url, std::string_view date, std::string_view about,
                             const CaptureMetadata& metadata, const RecordForm& form, Random& random, Records& out) {
  const std::string block = metadata_block(metadata);
  auto fields = in_version(warc::RecordFields::metadata(warc::record_id(random), date, url, about), form);
  fields.block_digest(digest_of(block, form));
  return append(out, fields, {block}, form, for_fields(form.compression));
}

}  // namespace

warc::Compression compression_for(const HttpCapture& capture, warc::Compression compression) {
  const bool is_gzip = warc::packing_of(compression) == warc::Packing::gzip;
  return capture.is_compressed && is_gzip ? warc::Compression::cheapest : compression;
}

void append_outlink(std::string& outlinks, std::string_view url, char hop, std::string_view context) {
  outlinks.append("outlink: ").append(url).append(1, ' ').append(1, hop).append(1, ' ');
  append_line(outlinks, context);
}

std::string metadata_block(const CaptureMetadata& metadata) {
  std::string block;
  if (metadata.via.empty()) block += "seed: \r\n";
  add(block, "via", metadata.via);
  add(block, "hopsFromSeed", metadata.hops);
  add(block, "sourceTag", metadata.seed);
  add(block, "fetchTimeMs",
      std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(metadata.fetch_time).count()));
  add(block, "charsetForLinkExtraction", metadata.charset);
  for (const auto& [name, value] : metadata.more) add(block, name, value);
  block += metadata.outlinks;
  return block;
}

Result<void> write_http_capture(const HttpCapture& capture, const RecordForm& form, Random& random, Records& out) {
  const std::string date = date_of(capture.date, form);
  const std::string id = warc::record_id(random);
  auto first = in_version(first_fields(capture, id, date, form), form);
  out.indexed_offset = out.bytes.size();
  if (capture.revisit) {
    add_connection(capture, first);
    TRY_VOID(append_revisit(capture, first, form, out));
  } else {
    first.block_digest(capture.block_digest);
    if (capture.truncated) first.truncated(*capture.truncated);
    add_connection(capture, first);
    TRY_VOID(append_response(capture, first, form, out));
  }
  out.indexed_length = out.bytes.size() - out.indexed_offset;
  out.id = id;

  if (!capture.resource) TRY_VOID(append_request(capture, date, id, form, random, out));
  for (const Attachment& attachment : capture.attachments)
    TRY_VOID(append_attachment(attachment, capture.address, date, id, form, random, out));
  return append_metadata(capture.url, date, id, capture.metadata, form, random, out);
}

Result<void> write_dns_capture(std::string_view url, WallTime date, std::string_view server, std::string_view body,
                               const CaptureMetadata& metadata, const RecordForm& form, Random& random, Records& out) {
  const std::string written = date_of(date, form);
  const std::string id = warc::record_id(random);
  const std::string digest = digest_of(body, form);
  auto resource = in_version(warc::RecordFields::resource(id, written, url, "text/dns"), form);
  resource.ip_address(server).payload_digest(digest).block_digest(digest);
  out.indexed_offset = out.bytes.size();
  TRY_VOID(append(out, resource, {body}, form, form.compression));
  out.indexed_length = out.bytes.size() - out.indexed_offset;
  return append_metadata(url, written, id, metadata, form, random, out);
}

}  // namespace caddis::archive
