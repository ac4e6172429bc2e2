// Work that goes through all seeds of a crawl that runs: rules that look for seeds in another way than those before,
// and seeds that people end. There may be ten million of them: they are read in pieces, where blocking is allowed, and
// the loop does something else meanwhile. One after the other.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "caddis/aio/event.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/scope/scope_settings.h"
#include "caddis/url/url.h"

namespace caddis::aio {
class Blocking;
class Loop;
}  // namespace caddis::aio

namespace caddis::crawl {

struct CommitPath;
struct CrawlState;

class SeedScan {
 public:
  // All of it must outlive the scan.
  SeedScan(aio::Loop& loop, aio::Blocking& blocking, CrawlState& state, CommitPath& path)
      : loop_(loop), blocking_(blocking), state_(state), path_(path), free_(loop) {}

  // Lets rules look for seeds by these kinds: they may be put in force when it has ended. Does nothing if rules do
  // already.
  aio::Task<Result<void>> look_for(std::vector<scope::ScopeKind> kinds);
  // Adds all seeds to the scope, for kinds that are looked for already. Blocks the loop.
  Result<void> add_all_at_once();

  // Ends seeds, and those that they have led to by redirects: all or none. Then they widen no scope, and are visited
  // only if they are in the scope of the others; what waits is asked again. On disk when it has ended, or soon.
  // ErrorCode::not_found if one of them is no seed. Returns how many were ended.
  aio::Task<Result<uint64_t>> remove(std::vector<url::Url> seeds);

 private:
  using See = std::function<void(const url::Url& seed)>;
  aio::Task<Result<void>> each(See see);
  // Ends all of these.
  aio::Task<Result<void>> end(const std::vector<url::Url>& leaving);
  Result<void> check_seeds(const std::vector<url::Url>& seeds) const;
  Result<std::vector<url::Url>> with_targets(const std::vector<url::Url>& seeds) const;
  Result<void> put_on_record(const std::vector<url::Url>& seeds);

  aio::Loop& loop_;
  aio::Blocking& blocking_;
  CrawlState& state_;
  CommitPath& path_;
  aio::Event free_;
  bool is_busy_ = false;
};

}  // namespace caddis::crawl
