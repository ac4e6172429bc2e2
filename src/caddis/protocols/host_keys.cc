#include "caddis/protocols/host_keys.h"

#include <utility>

namespace caddis::protocols {

std::string HostKeys::first_of(const std::string& server, const std::string& shown) {
  const std::lock_guard lock(mutex_);
  const auto [known, is_new] = keys_.try_emplace(server, shown);
  if (is_new) new_.emplace(server, shown);
  return known->second;
}

void HostKeys::load(std::string_view server, std::string_view key) {
  const std::lock_guard lock(mutex_);
  keys_.insert_or_assign(std::string(server), std::string(key));
}

std::map<std::string, std::string> HostKeys::take_new() {
  const std::lock_guard lock(mutex_);
  return std::exchange(new_, {});
}

}  // namespace caddis::protocols
