// URLs that the frontier of a module holds (frontier.module) until it hands them over to their queues: rows of their own,
// so that none is lost though the module has them in memory alone. Keys are as those of deferred links: lists of what waits
// see them. If the module fails, they are handed over in the order in which they were found.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "caddis/base/error.h"
#include "caddis/frontier/candidate.h"
#include "caddis/frontier/identity.h"
#include "caddis/frontier/order.h"
#include "caddis/frontier/row_cache.h"
#include "caddis/modules/frontier_module.h"

namespace caddis::frontier {

struct HeldUrl {
  std::string host, origin;
  PriorityClass priority = 0;
  Candidate candidate;
};

class HeldUrls {
 public:
  // `module`: null if there is none: then nothing is taken, and what an earlier launch held is handed over.
  HeldUrls(store::Family family, const Identity& identity, RowCache& cache,
           std::shared_ptr<modules::FrontierModule> module)
      : family_(family), identity_(identity), cache_(cache), module_(std::move(module)) {}

  // Gives the module back what it held.
  Result<void> open();
  // Whether URLs that are found are to be added here.
  bool takes() const { return module_ != nullptr && !is_ignored_; }
  void add(const HeldUrl& url);
  // The next one, which leaves; nothing: none at this time. `must_go_on`: nothing else is there to do, so that a module
  // that hands over nothing is asked no more.
  Result<std::optional<HeldUrl>> next(bool must_go_on);
  uint64_t size() const { return hosts_.size(); }
  // Returns how many are of a host.
  Result<uint64_t> count(const std::string& host) const;
  // Deletes those of a host for which `match` returns true; how many there were.
  Result<uint64_t> erase(const std::string& host, const std::function<bool(const HeldUrl&)>& match);

 private:
  std::string key(uint64_t id, const std::string& host) const;
  // Calls `see` with the id and the row of each URL of the host.
  Result<void> each(const std::string& host, const std::function<Result<void>(uint64_t, std::string_view)>& see) const;
  Result<HeldUrl> read(uint64_t id, const std::string& host) const;
  void ignore_module(std::string_view why);
  std::optional<uint64_t> next_id(bool must_go_on);

  store::Family family_;
  Identity identity_;
  RowCache& cache_;
  std::shared_ptr<modules::FrontierModule> module_;
  bool is_ignored_ = false;                // the module, for the rest of the launch
  uint64_t erased_ = 0;                    // so many ids that are gone the module may still hand over
  std::map<uint64_t, std::string> hosts_;  // of what is held, by id
  uint64_t next_ = 1;                      // id
};

}  // namespace caddis::frontier
