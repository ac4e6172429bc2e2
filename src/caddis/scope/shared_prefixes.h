// SURT prefixes that any thread may add and look for at the same time. Looking takes no lock while there are none.
#pragma once

#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>

#include "caddis/url/surt.h"
#include "caddis/url/url.h"

namespace caddis::scope {

class SharedPrefixes {
 public:
  void add(std::string_view prefix) {
    const std::unique_lock lock(mutex_);
    prefixes_.add(prefix);
    has_any_.store(true, std::memory_order_release);
  }
  bool matches(const url::Url& url) const {
    if (!has_any_.load(std::memory_order_acquire)) return false;
    const std::string surt = url::heritrix_surt(url);
    const std::shared_lock lock(mutex_);
    return prefixes_.matches(surt);
  }

 private:
  std::atomic<bool> has_any_ = false;
  mutable std::shared_mutex mutex_;
  url::SurtPrefixSet prefixes_;
};

}  // namespace caddis::scope
