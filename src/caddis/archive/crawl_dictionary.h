// The zstd dictionary of a crawl: learned from its first captures, then used by all that come later. Records of HTTP
// are alike, so that it saves a third of small pages.
//
//   if (dictionary.wants_samples()) dictionary.sample(head, body);     // lanes
//   if (dictionary.can_learn()) dictionary.learn();                    // the group's worker
//   form.dictionary = dictionary.get();
//
// Any thread. What `get` has returned stays as long as this lives.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/zstd.h"

namespace caddis::archive {

class CrawlDictionary {
 public:
  // One that the crawl has learned before. Called before other threads have it.
  Result<void> load(std::string bytes);

  bool wants_samples() const { return wants_samples_.load(std::memory_order_relaxed); }
  // The front of a document as records hold it.
  void sample(std::string_view document);
  bool can_learn() const { return !wants_samples() && get() == nullptr; }
  // Takes a second or two. If the samples have nothing in common, more are gathered.
  void learn();
  // Null until it is learned.
  const io::ZstdDictionary* get() const { return current_.load(std::memory_order_acquire); }

 private:
  std::mutex mutex_;
  std::string samples_;
  std::vector<size_t> sizes_;
  std::unique_ptr<const io::ZstdDictionary> learned_;
  std::atomic<const io::ZstdDictionary*> current_ = nullptr;
  std::atomic<bool> wants_samples_ = true;
};

}  // namespace caddis::archive
