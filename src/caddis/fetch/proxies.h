// The proxies that settings name, with their addresses: looked up when settings come into force, by the system's means,
// since they are ours and no part of the web that is archived. None is ever forgotten: visits in flight go on through
// those with which they began.
//
// Any thread, but `learn`, which waits for look-ups.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/http/proxy.h"

namespace caddis::fetch {

// Returns the address of a server of ours, as a literal. Waits.
using FindServer = std::function<Result<std::string>(const std::string& host)>;
// By the resolver of the system.
Result<std::string> find_server(const std::string& host);

class Proxies {
 public:
  // None: hosts are taken for addresses.
  // `seed`: of random numbers, for what a client of Digest has to make up.
  explicit Proxies(FindServer find = nullptr, uint64_t seed = 0) : find_(std::move(find)), seed_(seed) {}

  // Settings `fetch.proxy` that may count from now on; those that are known are left as they are. ErrorCode::config if
  // one is none, or cannot be found.
  Result<void> learn(const std::vector<std::string>& settings);
  // The same, but for one that could not be found when it was learned last: that is the answer, without another look-up.
  Result<void> ensure(const std::vector<std::string>& settings);
  // The proxy of a setting that was learned; null if it is empty. Lives as long as this.
  const http::Proxy* find(const std::string& setting) const;

 private:
  const FindServer find_;
  const uint64_t seed_;
  mutable std::mutex mutex_;
  std::map<std::string, http::Proxy, std::less<>> known_;
  std::map<std::string, std::string, std::less<>> missing_;  // why they could not be found
};

}  // namespace caddis::fetch
