#include "caddis/dedup/original_row.h"

#include <fmt/format.h>

#include <cstdint>

#include "caddis/base/hash.h"
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
  std::string hex;
  if (record_id.starts_with(kUuidUrn))
    for (const char c : record_id.substr(kUuidUrn.size()))
      if (c != '-' && c != '>') hex += c;
  auto raw = io::decode_hex(hex);
  return raw && raw->size() == kUuidSize ? *std::move(raw) : std::string(kUuidSize, '\0');
}

std::string record_id_of(std::string_view uuid) {
  if (uuid.find_first_not_of('\0') == std::string_view::npos) return {};
  std::string id(kUuidUrn);
  for (size_t i = 0; i < uuid.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) id += '-';
    id += fmt::format("{:02x}", static_cast<unsigned char>(uuid[i]));
  }
  return id + ">";
}

}  // namespace

std::optional<std::string> row_key(Strategy strategy, const Question& question) {
  auto key = raw_digest(question.digest);
  if (!key) return {};
  if (strategy == Strategy::url) put_number(*key, siphash(question.url, 0, 0));
  if (strategy == Strategy::canonical) put_number(*key, siphash(question.url_key, 0, 0));
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

}  // namespace caddis::dedup
