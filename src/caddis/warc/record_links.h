// How records of several files refer to each other: ids that are used twice, and revisits whose original is elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "caddis/warc/record.h"

namespace caddis::warc {

class RecordLinks {
 public:
  struct Place {
    uint32_t file = 0;  // as add_file has counted
    uint64_t offset = 0;
  };
  enum class Flaw {
    no_original,  // nothing of what it refers to is in the files
    chain,        // it refers to a revisit
  };
  struct Dangling {
    Place place;
    Flaw flaw = Flaw::no_original;
    std::string refers_to;  // for people
  };

  // The records that follow are of this file.
  void add_file(std::string_view name) { files_.emplace_back(name); }
  // The place of an earlier record with the same id, if there is one.
  std::optional<Place> add(const Header& header, uint64_t offset);
  const std::string& file(Place place) const { return files_[place.file]; }
  const std::string& file() const { return files_.back(); }

  uint64_t revisits() const { return revisits_.size(); }
  // After the last file: the revisits that cannot be resolved.
  std::vector<Dangling> dangling() const;

 private:
  // A record is remembered by hashes: there may be hundreds of millions of them.
  struct Revisit {
    Place place;
    uint64_t id = 0, capture = 0, payload = 0;  // of the original, as far as it is named; else 0
    std::string refers_to;
  };

  bool finds(const Revisit& revisit) const;

  std::vector<std::string> files_;
  std::unordered_map<uint64_t, Place> ids_;
  std::unordered_set<uint64_t> originals_;  // ids, captures (URL and date) and payloads of records with a payload
  std::unordered_set<uint64_t> revisit_ids_;
  std::vector<Revisit> revisits_;
};

}  // namespace caddis::warc
