// The outcome of each seed: of those that were given, and of those that others redirect to.
//
// Part of Statistics: its thread, its rows.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "caddis/base/fetch_status.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

struct SeedFate {
  FetchStatus status = 0;  // 0: not tried yet
  bool known = false;      // not tried, since its crawl key was seen: as that of another seed, or of a link
  std::string redirect;    // where it led, if it redirected
};

class SeedFates {
 public:
  static constexpr char kRow = 'e';

  // False if it is one already.
  bool add(const std::string& url);
  // One that cannot be crawled: no URL, or of another scheme.
  void add_unusable(std::string_view text);
  void mark_known(const std::string& url);
  void visited(const std::string& url, FetchStatus status, std::string_view redirect);
  const std::map<std::string, SeedFate>& all() const { return seeds_; }

  // Adds the rows that changed since the last call.
  void stage(store::Batch& batch, store::Family family);
  // A row as `stage` wrote it; `url` without the letter of the kind.
  void load(std::string_view url, std::string_view value);

 private:
  std::map<std::string, SeedFate> seeds_;
  std::set<std::string> changed_;
};

}  // namespace caddis::crawl
