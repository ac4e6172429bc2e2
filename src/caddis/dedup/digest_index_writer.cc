// An original passes through two sorters. In the first it is a row that begins with its URL and its digest, so that rows
// of the same original follow each other, the earliest first. Its place in that order is its ordinal. In the second it
// is an entry of the table, which begins with its digest.
#include "caddis/dedup/digest_index_writer.h"

#include <algorithm>
#include <bit>
#include <chrono>

#include "caddis/dedup/bytes.h"
#include "caddis/dedup/table_builder.h"

namespace caddis::dedup {
namespace {

constexpr uint64_t kSign = 1ULL << 63;

WallTime second_of(WallTime time) { return std::chrono::floor<std::chrono::seconds>(time); }

// A date to the second, as indexes have it, and the exact one of the same capture are one capture.
bool may_be_the_same(WallTime kept, WallTime next) {
  return kept == next || (kept == second_of(kept) && kept == second_of(next));
}

void fill(std::string& empty, const std::string& known) {
  if (empty.empty()) empty = known;
}

// Takes over what another account of the same capture knows.
void complete(Original& kept, const Original& next) {
  kept.date = std::max(kept.date, next.date);
  fill(kept.record_id, next.record_id);
  fill(kept.etag, next.etag);
  fill(kept.last_modified, next.last_modified);
}

bool has_controls(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < ' '; });
}

}  // namespace

struct DigestIndexWriter::Found {
  Original original;
  std::string digest;
  uint32_t key_hash = 0;

  bool is_same(const Found& other) const { return digest == other.digest && original.url == other.original.url; }

  static std::string row(std::string_view digest, const Original& original, uint32_t key_hash) {
    const StoredUrl url = split_url(original.url);
    std::string row(url.rest);
    row += '\0';
    row += static_cast<char>(url.scheme);
    row += digest;
    put_number(row, std::byteswap(static_cast<uint64_t>(original.date.time_since_epoch().count()) ^ kSign));
    put_number(row, key_hash);
    put_text(row, original.record_id);
    put_text(row, original.etag);
    put_text(row, original.last_modified);
    return row;
  }

  static Found of(std::string_view row, size_t digest_size) {
    Found found;
    const size_t url_end = row.find('\0');
    const std::string_view url = row.substr(0, url_end);
    ByteReader reader(row.substr(url_end + 1));
    found.original.url = join_url(reader.byte(), url);
    found.digest = reader.bytes(digest_size);
    const auto date = std::byteswap(get_number<uint64_t>(reader.bytes(sizeof(uint64_t)).data())) ^ kSign;
    found.original.date = WallTime(std::chrono::microseconds(static_cast<int64_t>(date)));
    found.key_hash = get_number<uint32_t>(reader.bytes(sizeof(uint32_t)).data());
    found.original.record_id = reader.text();
    found.original.etag = reader.text();
    found.original.last_modified = reader.text();
    return found;
  }
};

DigestIndexWriter::DigestIndexWriter(io::Files& files, std::string path, WriterOptions options)
    : files_(files),
      path_(std::move(path)),
      options_(std::move(options)),
      digest_size_(io::digest_size(options_.algorithm)),
      originals_(files, path_ + ".tmp-originals", options_.memory / 2),
      entries_(files, path_ + ".tmp-entries", options_.memory / 2),
      texts_(files, path_ + ".tmp-texts") {
  info_.algorithm = options_.algorithm;
  info_.rules = options_.key.rules;
}

DigestIndexWriter::~DigestIndexWriter() = default;

Result<void> DigestIndexWriter::add(std::string_view digest, const Original& original, std::string_view url_key) {
  if (digest.size() != digest_size_) return fail(ErrorCode::parse, "a digest of another length than the index has");
  if (original.url.size() > kMaxUrl) return fail(ErrorCode::parse, "a URL of more than 64 KiB");
  if (has_controls(original.url)) return fail(ErrorCode::parse, "a URL with control characters");
  const uint32_t hash = url_key.empty() ? key_hash(options_.key.of(original.url)) : key_hash(url_key);
  return originals_.add(Found::row(digest, original, hash));
}

Result<void> DigestIndexWriter::keep(const Found& found, BlockText& block) {
  if (info_.originals == UINT32_MAX)
    return fail(ErrorCode::limit, "more than 4 billion originals in one digest index; make several");
  const WallTime date = found.original.date;
  info_.first = info_.originals == 0 ? date : std::min(info_.first, date);
  info_.last = info_.originals == 0 ? date : std::max(info_.last, date);
  TRY_VOID(entries_.add(table_row(found.digest, found.key_hash, date.time_since_epoch().count(),
                                  static_cast<uint32_t>(info_.originals))));
  ++info_.originals;
  block.add(std::string_view(found.digest).substr(kPrefixSize), found.original);
  return block.count() < kOriginalsPerBlock ? Result<void>() : texts_.add(block.take());
}

Result<void> DigestIndexWriter::write_texts() {
  BlockText block;
  std::optional<Found> kept;
  TRY_VOID(originals_.drain([&](std::string_view row) -> Result<void> {
    Found next = Found::of(row, digest_size_);
    if (kept && kept->is_same(next)) {
      if (may_be_the_same(kept->original.date, next.original.date)) complete(kept->original, next.original);
      return {};
    }
    if (kept) TRY_VOID(keep(*kept, block));
    kept = std::move(next);
    return {};
  }));
  if (kept) TRY_VOID(keep(*kept, block));
  return block.count() > 0 ? texts_.add(block.take()) : Result<void>();
}

Result<void> DigestIndexWriter::write_blocks(SectionOutput& output) {
  const std::string dictionary = texts_.dictionary();
  io::BlockCompressor compressor(dictionary);
  std::string directory, bytes;
  output.begin();
  TRY_VOID(texts_.each([&](std::string_view taken) -> Result<void> {
    put_number(directory, output.offset());
    bytes.clear();
    append_block(bytes, taken, compressor);
    return output.append(bytes);
  }));
  info_.blocks = output.end();
  output.begin();
  TRY_VOID(output.append(directory));
  info_.directory = output.end();
  output.begin();
  TRY_VOID(output.append(dictionary));
  info_.dictionary = output.end();
  return {};
}

Result<void> DigestIndexWriter::write_table(SectionOutput& output) {
  TableBuilder table(output, info_.originals);
  output.begin();
  TRY_VOID(entries_.drain([&](std::string_view row) { return table.add(row); }));
  TRY_VOID(table.finish());
  info_.table = output.end();
  output.begin();
  TRY_VOID(output.append(table.bucket_ends()));
  info_.buckets = output.end();
  info_.bucket_bits = table.bucket_bits();
  info_.entries = table.entries();
  info_.digests = table.digests();
  return {};
}

Result<void> DigestIndexWriter::write(SectionOutput& output) {
  std::string head(kIndexHead);
  head.resize(kIndexHeadSize);
  TRY_VOID(output.append(head));
  TRY_VOID(write_texts());
  TRY_VOID(write_blocks(output));
  TRY_VOID(write_table(output));
  output.begin();
  const std::string text = info_text(info_);
  TRY_VOID(output.append(text));
  std::string trailer;
  put_number(trailer, static_cast<uint32_t>(text.size()));
  put_number(trailer, output.end().checksum);
  trailer += kIndexEnd;
  TRY_VOID(output.append(trailer));
  return output.sync();
}

Result<IndexInfo> DigestIndexWriter::finish() {
  const std::string temporary = path_ + ".tmp";
  (void)files_.remove(temporary);
  TRY(auto file, files_.open_append(temporary));
  SectionOutput output(std::move(file));
  auto written = write(output);
  if (written) written = files_.rename(temporary, path_);
  if (!written) {
    (void)files_.remove(temporary);
    return pass(std::move(written).error(), "writing " + path_);
  }
  TRY_VOID(files_.sync_dir(io::parent_path(path_)));
  return info_;
}

}  // namespace caddis::dedup
