#include "caddis/warc/record_links.h"

#include "caddis/base/hash.h"
#include "caddis/base/time_format.h"
#include "caddis/warc/digest_field.h"
#include "caddis/warc/views.h"
#include "fmt/format.h"

namespace caddis::warc {
namespace {

// Different kinds of names do not meet.
enum class Kind : uint64_t { id = 1, capture, payload };

uint64_t hash(Kind kind, std::string_view text) {
  return text.empty() ? 0 : siphash(text, static_cast<uint64_t>(kind), 0);
}

uint64_t capture_hash(std::string_view url, std::string_view date) {
  const auto time = parse_w3c_date(date);
  if (url.empty() || !time) return 0;
  return hash(Kind::capture, fmt::format("{} {}", rfc3339_micros(*time), url));
}

uint64_t payload_hash(const Header& header) {
  const auto digest = parse_digest_field(header.payload_digest());
  return digest ? hash(Kind::payload, digest->raw) : 0;
}

}  // namespace

std::optional<RecordLinks::Place> RecordLinks::add(const Header& header, uint64_t offset) {
  const Place here{static_cast<uint32_t>(files_.size() - 1), offset};
  const uint64_t id = hash(Kind::id, header.id());
  const RecordType type = header.type();
  if (type == RecordType::revisit) {
    const std::string_view refers_to = header.bare_uri("WARC-Refers-To");
    const std::string_view url = header.bare_uri("WARC-Refers-To-Target-URI");
    const std::string_view date = header.get("WARC-Refers-To-Date");
    revisit_ids_.insert(id);
    revisits_.push_back({here, hash(Kind::id, refers_to), capture_hash(url, date), payload_hash(header),
                         url.empty() ? std::string(refers_to.empty() ? header.payload_digest() : refers_to)
                                     : fmt::format("{} of {}", url, date)});
  } else if (type == RecordType::response || type == RecordType::resource) {
    originals_.insert({id, capture_hash(header.target_uri(), header.get("WARC-Date")), payload_hash(header)});
  }
  if (id == 0) return std::nullopt;
  const auto [earlier, is_new] = ids_.try_emplace(id, here);
  return is_new ? std::nullopt : std::optional(earlier->second);
}

// By what it names itself; the payload's digest counts only where it names nothing else.
bool RecordLinks::finds(const Revisit& revisit) const {
  const auto is_there = [this](uint64_t key) { return key != 0 && originals_.contains(key); };
  if (revisit.id == 0 && revisit.capture == 0) return is_there(revisit.payload);
  return is_there(revisit.id) || is_there(revisit.capture);
}

std::vector<RecordLinks::Dangling> RecordLinks::dangling() const {
  std::vector<Dangling> all;
  for (const Revisit& revisit : revisits_) {
    if (finds(revisit)) continue;
    const bool chain = revisit.id != 0 && revisit_ids_.contains(revisit.id);
    all.push_back({revisit.place, chain ? Flaw::chain : Flaw::no_original, revisit.refers_to});
  }
  return all;
}

}  // namespace caddis::warc
