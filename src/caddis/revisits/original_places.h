// Where the originals lie that revisit records refer to: first the revisits are told, then all records that may be
// originals. Memory grows with the revisits, by some 200 bytes each, and not with the archives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "caddis/warc/record.h"

namespace caddis::revisits {

// One thread while it is filled, any later.
class OriginalPlaces {
 public:
  struct Place {
    uint32_t file = kNone;  // as the caller counts
    uint64_t offset = 0;

    static constexpr uint32_t kNone = UINT32_MAX;
    bool operator==(const Place&) const = default;
  };

  void want(const warc::Header& revisit);
  // A response or resource. The first of several that fit stays.
  void offer(const warc::Header& original, Place place);
  // The places that may be its original, the likeliest first: by the id that it refers to, by URL and date, by digest.
  std::vector<Place> places_of(const warc::Header& revisit) const;

  size_t wanted() const { return places_.size(); }

 private:
  std::unordered_map<uint64_t, Place> places_;  // by the hash of a name
};

}  // namespace caddis::revisits
