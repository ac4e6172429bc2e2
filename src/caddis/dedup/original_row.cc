#include "caddis/dedup/original_row.h"

#include <cstdint>

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "caddis/dedup/bytes.h"
#include "caddis/io/base32.h"

namespace caddis::dedup {
namespace {

constexpr size_t kDateSize = 8, kUuidSize = 16;
constexpr std::string_view kUuidUrn = "<urn:uuid:";

std::optional<std::string> raw_digest(std::string_view labelled) {
  const size_t colon = labelled.find(':');
  if (colon == std::string_view::npos) return {};
  auto raw = io::decode_base32(labelled.substr(colon + 1));
  return raw && !raw->empty() ? raw : std::nullopt;
}

std::string uuid_bytes(std::string_view record_id) {
  constexpr size_t kHexSize = 2 * kUuidSize;
  std::string hex;
  hex.reserve(kHexSize + 1);
  if (record_id.starts_with(kUuidUrn))
    for (const char c : record_id.substr(kUuidUrn.size()))
      if (c != '-' && c != '>' && hex.size() <= kHexSize) hex += c;
  auto raw = from_hex(hex);
  return raw && raw->size() == kUuidSize ? *std::move(raw) : std::string(kUuidSize, '\0');
}

std::string record_id_of(std::string_view uuid) {
  if (uuid.find_first_not_of('\0') == std::string_view::npos) return {};
  constexpr size_t kIdSize = 48;
  std::string id;
  id.reserve(kIdSize);
  id += kUuidUrn;
  const std::string hex = to_hex(uuid);
  for (size_t i = 0; i < hex.size(); ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) id += '-';
    id += hex[i];
  }
  id += '>';
  return id;
}

}  // namespace

std::optional<std::string> row_key(Strategy strategy, const Question& question, const IndexKey& index_key) {
  auto key = raw_digest(question.digest);
  if (!key) return {};
  if (strategy == Strategy::url) put_number(*key, siphash(question.url, 0, 0));
  if (strategy == Strategy::canonical)
    put_number(*key,
               question.url_key.empty() ? siphash(index_key.of(question.url), 0, 0) : siphash(question.url_key, 0, 0));
  return key;
}

std::string row_value(const Original& original) {
  std::string value;
  value.reserve(kDateSize + kUuidSize + original.url.size());
  const auto since = std::chrono::floor<std::chrono::milliseconds>(original.date.time_since_epoch());
  put_number(value, static_cast<uint64_t>(since.count()));
  return value.append(uuid_bytes(original.record_id)).append(original.url);
}

Result<Original> read_row(std::string_view value) {
  if (value.size() <= kDateSize + kUuidSize) return fail(ErrorCode::corrupt, "a row of digests is cut short");
  Original original;
  original.date = WallTime(std::chrono::milliseconds(static_cast<int64_t>(get_number<uint64_t>(value.data()))));
  original.record_id = record_id_of(value.substr(kDateSize, kUuidSize));
  original.url = value.substr(kDateSize + kUuidSize);
  return original;
}

void pack_row(std::string& pack, std::string_view key, std::string_view value) {
  put_text(pack, key);
  put_text(pack, value);
}

Result<PackedRow> unpack_row(std::string_view pack, size_t& at) {
  if (at >= pack.size()) return fail(ErrorCode::corrupt, "a row of digests that is not there");
  ByteReader reader(pack.substr(at));
  PackedRow row;
  row.key = reader.text();
  row.value = reader.text();
  if (!reader.ok()) return fail(ErrorCode::corrupt, "a pack of rows of digests is cut short");
  at = pack.size() - reader.rest().size();
  return row;
}

}  // namespace caddis::dedup
