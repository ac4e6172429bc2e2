// The answers of the last hours, good and bad, by host; the least recently used make room.
#pragma once

#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/dns/resolver.h"

namespace caddis::dns {

class Cache {
 public:
  explicit Cache(size_t capacity) : capacity_(capacity) {}
  void put(const std::string& host, const Result<Answer>& outcome, SteadyTime expires);
  // Null where there is none that still holds; else valid until the next `put` or `find`.
  const Result<Answer>* find(std::string_view host, SteadyTime now);
  size_t size() const { return by_host_.size(); }

 private:
  struct Entry {
    std::string host;
    Result<Answer> outcome;
    SteadyTime expires;
  };
  void erase(std::list<Entry>::iterator entry);

  size_t capacity_;
  std::list<Entry> by_use_;  // the latest first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_host_;
};

}  // namespace caddis::dns
