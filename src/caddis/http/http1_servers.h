// Servers whose HTTP/2 cannot be used, as a client has learned: they are asked by HTTP/1.1.
//
// Bounded: when there are too many, all are forgotten, and learned again. Belongs to its client's loop.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>

namespace caddis::http {

class Http1Servers {
 public:
  bool has(const std::string& server) const { return servers_.contains(server); }
  void add(std::string server) {
    if (servers_.size() >= kMost) servers_.clear();
    servers_.insert(std::move(server));
  }

 private:
  static constexpr size_t kMost = 4096;
  std::unordered_set<std::string> servers_;
};

}  // namespace caddis::http
