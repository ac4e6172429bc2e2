// A Candidate is a URL that scope has accepted and that wants to be captured, with its provenance.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/frontier/attributes.h"

namespace caddis::frontier {

// Which of a queue's lines a URL stands in; a lower one is served first.
enum class Precedence : uint8_t { first = 0 /* seeds, redirects */, embed = 1, normal = 2 };
inline constexpr size_t kPrecedences = 3;

struct Candidate {
  std::string url;      // WHATWG href without fragment
  std::string via;      // URL of the page that named it; empty for seeds
  std::string hops;     // hop path from the seed, the last hop included ("LLE")
  std::string context;  // where in the page ("a/@href")
  std::string seed;     // the seed it comes from
  bool is_seed = false;
  bool force = false;  // captured even where its key was seen (a redirect to a URL with its source's key)
  bool again = false;  // its visit is made again: what it forces then was queued the first time
  Attributes attributes;

  Precedence precedence() const {
    if (is_seed || hops.empty() || hops.back() == 'R' || hops.back() == 'P') return Precedence::first;
    return hops.back() == 'E' || hops.back() == 'I' ? Precedence::embed : Precedence::normal;
  }
  bool operator==(const Candidate&) const = default;
};

}  // namespace caddis::frontier
