#include "caddis/archive/crawl_dictionary.h"

#include <algorithm>
#include <utility>

namespace caddis::archive {
namespace {

constexpr size_t kLargest = 110 << 10;   // bytes of a dictionary: what zstd's own tool makes
constexpr size_t kPartOfSamples = 16;    // a dictionary is at most so small a part of what it was learned from
constexpr size_t kMostOfOne = 32 << 10;  // bytes of one document
constexpr size_t kEnough = 2 << 20;      // bytes of samples
constexpr size_t kManyDocuments = 500;   // are enough, too, if they have
constexpr size_t kLeast = 256 << 10;     // bytes together

bool is_enough(size_t bytes, size_t documents) {
  return bytes >= kEnough || (documents >= kManyDocuments && bytes >= kLeast);
}

}  // namespace

Result<void> CrawlDictionary::load(std::string bytes) {
  TRY(learned_, io::ZstdDictionary::load(std::move(bytes)));
  wants_samples_ = false;
  current_ = learned_.get();
  return {};
}

void CrawlDictionary::sample(std::string_view document) {
  const std::string_view front = document.substr(0, kMostOfOne);
  if (front.empty()) return;
  const std::lock_guard lock(mutex_);
  if (!wants_samples()) return;
  samples_ += front;
  sizes_.push_back(front.size());
  if (is_enough(samples_.size(), sizes_.size())) wants_samples_ = false;
}

void CrawlDictionary::learn() {
  const std::lock_guard lock(mutex_);
  const size_t size = std::min(kLargest, samples_.size() / kPartOfSamples);
  const auto bytes = io::ZstdDictionary::train(std::exchange(samples_, {}), std::exchange(sizes_, {}), size);
  auto made = bytes ? io::ZstdDictionary::load(*bytes) : fail(ErrorCode::corrupt, "nothing was learned");
  if (!made) {
    wants_samples_ = true;
    return;
  }
  learned_ = *std::move(made);
  current_.store(learned_.get(), std::memory_order_release);
}

}  // namespace caddis::archive
