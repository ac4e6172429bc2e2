// The outcome of each seed: of those that were given, and of those that others redirect to. They are rows of the state;
// in memory stand those that are not in a group yet.
//
// Part of Statistics: its thread, its rows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/base/fetch_status.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

struct SeedFate {
  FetchStatus status = 0;  // 0: not tried yet
  bool known = false;      // not tried, since its crawl key was seen: as that of another seed, or of a link
  bool removed = false;    // people have ended it: it is no seed any more
  std::string redirect;    // where it led, if it redirected
};

class SeedFates {
 public:
  static constexpr char kRow = 'e';

  // A seed that is new. If its crawl key was seen, it is `known`.
  void add(const std::string& url, bool known = false);
  // One that cannot be crawled: no URL, or of another scheme.
  void add_unusable(std::string_view text);
  void visited(const std::string& url, FetchStatus status, std::string_view redirect);
  // Returns what became of it until now. A seed that is not known was not tried.
  Result<SeedFate> of(store::Kv& kv, store::Family family, const std::string& url) const;
  // It is no seed any more, with that fate, or named once more.
  void remove(const std::string& url, SeedFate fate);
  void name_again(const std::string& url, SeedFate fate);
  // Another process has removed it.
  void note_removed(const std::string& url) { removed_.insert(url); }

  // How many seeds were added since the last call.
  uint64_t take_added() { return std::exchange(added_, 0); }
  // Adds the rows that changed since the last call.
  void stage(store::Batch& batch, store::Family family);

 private:
  void put(const std::string& url, const SeedFate& fate);

  std::map<std::string, std::string> changed_;  // rows
  std::map<std::string, std::string> staged_;   // those that may be on their way to the disk
  std::set<std::string> removed_;
  uint64_t added_ = 0;
};

// The committed ones, sorted by URL.
Result<void> each_seed_fate(store::Kv& kv, store::Family family,
                            const std::function<Result<void>(std::string_view url, const SeedFate& fate)>& call);

// All of them, as far as people read about it.
struct SeedTally {
  static constexpr size_t kTold = 20;

  uint64_t crawled = 0, not_crawled = 0, removed = 0;
  uint64_t failed = 0, known = 0;  // of which the first are told
  std::vector<std::pair<std::string, SeedFate>> first_failed;
  std::vector<std::string> first_known;

  void count(std::string_view url, const SeedFate& fate);
};

}  // namespace caddis::crawl
