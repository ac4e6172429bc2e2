// Captures that others may refer to, and the question for one of them.
//
// A page that is fetched again and has not changed is kept as a revisit, which refers to the record that holds the
// payload. That record is an original: a response (or a resource), never a revisit itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::dedup {

struct Original {
  std::string url;
  WallTime date;
  std::string record_id;  // with its angle brackets, or empty
  std::string etag, last_modified;
};

// URL_EXACT, URL_CANONICAL, DIGEST_URL_PREFERRED and DIGEST_ANY of the DeDuplicator.
enum class Strategy { off, url, canonical, url_preferred, any };

// How a found original is like what was asked: the same URL, the same index key, only the same payload.
enum class Likeness { url, canonical, digest };

struct Question {
  std::string_view digest;   // "sha1:" and base32
  std::string_view url;      // as found
  std::string_view url_key;  // the index key
};

struct Match {
  Original original;
  Likeness likeness;
};

// Something that knows originals.
class Originals {
 public:
  virtual ~Originals() = default;
  // Any thread. The best match by the strategy; among equals the earliest capture.
  virtual Result<std::optional<Match>> find(Strategy strategy, const Question& question) const = 0;
};

}  // namespace caddis::dedup
