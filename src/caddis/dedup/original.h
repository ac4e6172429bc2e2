// Originals: captures that revisits may refer to, and who knows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::dedup {

// A capture that others may refer to: always a response (or resource), never a revisit.
struct Original {
  std::string url;        // as in WARC-Target-URI
  WallTime date;          // WARC-Date
  std::string record_id;  // with brackets; empty if it is not known
  std::string etag, last_modified;
};

// By what an original is known, in the words of the DeDuplicator: none, URL_EXACT, URL_CANONICAL,
// DIGEST_URL_PREFERRED, DIGEST_ANY.
enum class Strategy { off, url, canonical, url_preferred, any };

// How a found original is like what was asked: the same URL, the same index key, only the same payload.
enum class Likeness { url, canonical, digest };

// A payload that was received. Borrowed for the call.
struct Question {
  std::string_view digest;   // labelled, "sha1:…"
  std::string_view url;      // as in WARC-Target-URI
  std::string_view url_key;  // in the index; empty: it is computed where it is needed
};

struct Match {
  Original original;
  Likeness likeness = Likeness::digest;
};

// Somebody who knows originals.
class Originals {
 public:
  virtual ~Originals() = default;
  // Returns the best original by the strategy; among equals the earliest capture. Any thread; it may read a disk.
  virtual Result<std::optional<Match>> find(Strategy strategy, const Question& question) const = 0;
};

// Whether an original of that likeness is good enough.
constexpr bool serves(Strategy strategy, Likeness likeness) {
  switch (strategy) {
    case Strategy::off:
      return false;
    case Strategy::url:
      return likeness == Likeness::url;
    case Strategy::canonical:
      return likeness != Likeness::digest;
    case Strategy::url_preferred:
    case Strategy::any:
      return true;
  }
  return false;
}

// Whether no original could be better.
constexpr bool is_best(Strategy strategy, Likeness likeness) {
  switch (strategy) {
    case Strategy::canonical:
      return likeness != Likeness::digest;
    case Strategy::url_preferred:
      return likeness == Likeness::url;
    case Strategy::off:
    case Strategy::url:
    case Strategy::any:
      return true;
  }
  return true;
}

}  // namespace caddis::dedup
