#include "caddis/text/sketch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>

namespace caddis::text {
namespace {

constexpr bool is_letter(unsigned char c) { return (c | 0x20) - 'a' < 26u || c >= 0x80; }

// Keeps the smallest kSketchSize of the hashes that it is given. Those that may be among them are gathered, and sorted
// when there are many: most hashes of a long page are beyond the bound by then.
class Smallest {
 public:
  void add(uint32_t hash) {
    if (hash >= bound_) return;
    gathered_[size_++] = hash;
    if (size_ == gathered_.size()) sort();
  }
  Sketch finish() && {
    sort();
    return {gathered_.begin(), gathered_.begin() + static_cast<ptrdiff_t>(size_)};
  }

 private:
  void sort() {
    const auto all = std::span(gathered_).first(size_);
    std::ranges::sort(all);
    size_ = std::min<size_t>(static_cast<size_t>(std::ranges::unique(all).begin() - all.begin()), kSketchSize);
    if (size_ == kSketchSize) bound_ = gathered_[size_ - 1];
  }

  uint32_t bound_ = std::numeric_limits<uint32_t>::max();
  std::array<uint32_t, 4 * kSketchSize> gathered_;
  size_t size_ = 0;
};

// Adds the word that begins at `at`, and gives its end. Eight letters are mixed at once: a product for each would make
// the next letter wait for it.
const char* add_word(const char* at, const char* end, Smallest& smallest) {
  constexpr ptrdiff_t kShortest = 3;
  constexpr uint64_t kOffset = 0xcbf29ce484222325, kPrime = 0x9e3779b97f4a7c15;
  const char* const begin = at;
  uint64_t hash = kOffset, letters = 0;
  for (; at != end && is_letter(static_cast<unsigned char>(*at)); ++at) {
    const auto c = static_cast<unsigned char>(*at);
    letters = letters << 8 | (c < 0x80 ? c | 0x20 : c);
    if ((at - begin) % 8 == 7) {
      hash = (hash ^ letters) * kPrime;
      hash ^= hash >> 32;
      letters = 0;
    }
  }
  if (at - begin >= kShortest) {
    hash = (hash ^ letters) * kPrime;
    smallest.add(static_cast<uint32_t>((hash ^ hash >> 29) * kPrime >> 32));
  }
  return at;
}

}  // namespace

Sketch sketch_of(std::string_view html) {
  Smallest smallest;
  const char* at = html.data();
  const char* const end = at + html.size();
  while (at != end) {
    if (is_letter(static_cast<unsigned char>(*at))) {
      at = add_word(at, end, smallest);
    } else if (*at == '<') {
      at = static_cast<const char*>(std::memchr(at, '>', static_cast<size_t>(end - at)));
      if (at == nullptr) break;
    } else {
      ++at;
    }
  }
  return std::move(smallest).finish();
}

double novelty(const Sketch& page, const std::vector<Sketch>& others) {
  if (page.empty()) return 0;
  // Of a long page only the smallest hashes are kept: those beyond another's largest say nothing of that one.
  const auto is_in = [](const Sketch& sketch, uint32_t hash) {
    return std::ranges::binary_search(sketch, hash) || (sketch.size() == kSketchSize && hash > sketch.back());
  };
  const auto fresh = std::ranges::count_if(page, [&](uint32_t hash) {
    return std::ranges::none_of(others, [&](const Sketch& sketch) { return is_in(sketch, hash); });
  });
  return static_cast<double>(fresh) / static_cast<double>(page.size());
}

}  // namespace caddis::text
