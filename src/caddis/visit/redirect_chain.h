// An attribute of a candidate: the redirects that have led to it. It tells a consent wall from a loop: if a chain comes
// back to a URL of its own, and another Cookie would be sent now than the one that was answered with a redirect, the
// page behind the wall is still to be had.
//
// A plain value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/frontier/candidate.h"

namespace caddis::visit {

struct RedirectChain {
  // A URL that redirected.
  struct Hop {
    uint64_t fingerprint = 0;  // of its crawl key
    uint64_t cookie = 0;       // fetch::FetchOutcome::cookie of its request
  };
  static constexpr size_t kMostHops = 8;  // the latest ones

  uint64_t walls = 0;  // how often a URL of the chain was fetched again
  std::vector<Hop> hops;

  // The chain of a candidate; empty if no redirect has led to it.
  static RedirectChain of(const frontier::Candidate& candidate);
  void put_into(frontier::Candidate& candidate) const;

  void add(Hop hop);
  // The latest one with that fingerprint; null if there is none.
  const Hop* find(uint64_t fingerprint) const;
};

}  // namespace caddis::visit
