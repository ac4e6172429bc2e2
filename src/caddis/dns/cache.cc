#include "caddis/dns/cache.h"

namespace caddis::dns {

void Cache::put(const std::string& host, const Result<Answer>& outcome, SteadyTime expires) {
  if (const auto found = by_host_.find(host); found != by_host_.end()) erase(found->second);
  by_use_.push_front(Entry{host, outcome, expires});
  by_host_.emplace(by_use_.front().host, by_use_.begin());
  if (by_host_.size() > capacity_) erase(std::prev(by_use_.end()));
}

const Result<Answer>* Cache::find(std::string_view host, SteadyTime now) {
  const auto found = by_host_.find(host);
  if (found == by_host_.end()) return nullptr;
  const auto entry = found->second;
  if (entry->expires <= now) {
    erase(entry);
    return nullptr;
  }
  by_use_.splice(by_use_.begin(), by_use_, entry);
  return &entry->outcome;
}

void Cache::erase(std::list<Entry>::iterator entry) {
  by_host_.erase(entry->host);
  by_use_.erase(entry);
}

}  // namespace caddis::dns
