// The seeds of a crawl, for rules that ask if a URL belongs to one of them. Seeds are not kept, only what finds them
// again (seeds.h).
//
// Any thread may find and add at the same time; finding takes no lock, unless there are SURT prefixes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "caddis/scope/scope_settings.h"
#include "caddis/scope/seeds.h"
#include "caddis/scope/shared_prefixes.h"
#include "caddis/url/url.h"

namespace caddis::scope {

class SeedBook {
 public:
  // Seeds are found by these kinds alone: an index is made for each.
  SeedBook(const std::vector<ScopeKind>& kinds, const std::vector<url::Url>& seeds);
  void add(const url::Url& seed);
  // Seeds end: `leave` is called for each of them, `keep` for each that stays, then `settle`. Meanwhile they are found
  // as before, and others may be added.
  void leave(const url::Url& seed);
  void keep(const url::Url& seed);
  void settle();
  // One that had ended before any was added.
  void note_ended(const url::Url& seed);
  // Whether people have ended the seed of that URL, and named it no more since.
  bool has_ended(std::string_view seed) const { return ended_.is_gone(seed); }
  // So many more are to come.
  void reserve(size_t more);
  // Another kind, by which seeds are found that are added from now on: those that the book has are to be added again.
  void add_kind(ScopeKind kind);
  bool knows(ScopeKind kind) const { return index_of(kind) != nullptr; }
  // All that begins with this SURT prefix belongs to the seeds, too, whatever the kind: Heritrix's "+http://(org,example,"
  // among seeds.
  void widen(std::string_view prefix) { widening_.add(prefix); }
  // Leaves out all that begins with it: "-http://(org,example,".
  void narrow(std::string_view prefix) { narrowing_.add(prefix); }
  bool leaves_out(const url::Url& url) const { return narrowing_.matches(url); }
  // Returns the page, prefix ("example.com/dir/"), host or domain of a seed that `url` belongs to; empty if there is
  // none. It is a part of `url`; its host if a SURT prefix says so.
  std::string_view find(ScopeKind kind, const url::Url& url) const;

 private:
  static constexpr size_t kKinds = 5;
  SeedIndex* index_of(ScopeKind kind) const {
    return indexes_[static_cast<size_t>(kind)].load(std::memory_order_acquire);
  }

  std::array<std::atomic<SeedIndex*>, kKinds> indexes_{};
  std::mutex mutex_;  // of who adds kinds
  std::vector<std::unique_ptr<SeedIndex>> owned_;
  LeavingKeys ended_;  // URLs of seeds
  SharedPrefixes widening_, narrowing_;
};

}  // namespace caddis::scope
