#include "caddis/revisits/original_places.h"

#include <algorithm>
#include <optional>

#include "caddis/base/hash.h"
#include "caddis/base/time_format.h"
#include "caddis/warc/digest_field.h"

namespace caddis::revisits {
namespace {

// Different kinds of names do not meet.
enum class Kind : uint64_t { id = 1, capture_and_digest, capture, digest };

void add(std::vector<uint64_t>& names, Kind kind, std::string_view text) {
  names.push_back(siphash(text, static_cast<uint64_t>(kind), 0));
}

// To the second: an original may be known from an index.
std::string capture_name(std::string_view url, std::string_view date) {
  const auto time = parse_w3c_date(date);
  return url.empty() || !time ? std::string() : timestamp14(*time) + ' ' + std::string(url);
}

// The names by which an original is known: its id, its URL and date, its digest.
std::vector<uint64_t> names_of(std::string_view id, std::string_view url, std::string_view date,
                               std::string_view digest_field) {
  std::vector<uint64_t> names;
  const auto digest = warc::parse_digest_field(digest_field);
  const std::string capture = capture_name(url, date);
  if (!id.empty()) add(names, Kind::id, id);
  if (!capture.empty() && digest) add(names, Kind::capture_and_digest, digest->raw + ' ' + capture);
  if (!capture.empty()) add(names, Kind::capture, capture);
  if (digest) add(names, Kind::digest, digest->raw);
  return names;
}

std::vector<uint64_t> names_wanted(const warc::Header& revisit) {
  return names_of(revisit.bare_uri("WARC-Refers-To"), revisit.bare_uri("WARC-Refers-To-Target-URI"),
                  revisit.get("WARC-Refers-To-Date"), revisit.payload_digest());
}

}  // namespace

void OriginalPlaces::want(const warc::Header& revisit) {
  for (const uint64_t name : names_wanted(revisit)) places_.try_emplace(name);
}

void OriginalPlaces::offer(const warc::Header& original, Place place) {
  for (const uint64_t name :
       names_of(original.id(), original.target_uri(), original.get("WARC-Date"), original.payload_digest())) {
    const auto wanted = places_.find(name);
    if (wanted != places_.end() && wanted->second.file == Place::kNone) wanted->second = place;
  }
}

std::vector<OriginalPlaces::Place> OriginalPlaces::places_of(const warc::Header& revisit) const {
  std::vector<Place> places;
  for (const uint64_t name : names_wanted(revisit)) {
    const auto found = places_.find(name);
    if (found == places_.end() || found->second.file == Place::kNone) continue;
    if (std::ranges::find(places, found->second) == places.end()) places.push_back(found->second);
  }
  return places;
}

}  // namespace caddis::revisits
