#include "caddis/store/seen_memory.h"

#include <sys/mman.h>

#include <cstdlib>

#include "caddis/base/check.h"

namespace caddis::store {

namespace {
constexpr size_t kHugePage = 2 << 20;
constexpr size_t kMapped = 64 << 10;  // less comes from the heap: many small tables, as in tests
}  // namespace

ZeroedWords::ZeroedWords(uint64_t count) : count_(count) {
  if (count == 0) return;
  if (bytes() < kMapped) {
    words_ = static_cast<uint64_t*>(std::calloc(count, sizeof(uint64_t)));
    CADDIS_CHECK(words_ != nullptr);
    return;
  }
  void* memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CADDIS_CHECK(memory != MAP_FAILED);
  if (bytes() >= kHugePage) ::madvise(memory, bytes(), MADV_HUGEPAGE);
  words_ = static_cast<uint64_t*>(memory);
}

ZeroedWords::~ZeroedWords() {
  if (words_ == nullptr) return;
  if (bytes() < kMapped)
    std::free(words_);
  else
    ::munmap(words_, bytes());
}

}  // namespace caddis::store
