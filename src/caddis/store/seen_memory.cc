#include "caddis/store/seen_memory.h"

#include <sys/mman.h>

#include "caddis/base/check.h"

namespace caddis::store {

namespace {
constexpr size_t kHugePage = 2 << 20;
}

ZeroedWords::ZeroedWords(uint64_t count) : count_(count) {
  if (count == 0) return;
  void* memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CADDIS_CHECK(memory != MAP_FAILED);
  if (bytes() >= kHugePage) ::madvise(memory, bytes(), MADV_HUGEPAGE);
  words_ = static_cast<uint64_t*>(memory);
}

ZeroedWords::~ZeroedWords() {
  if (words_ != nullptr) ::munmap(words_, bytes());
}

}  // namespace caddis::store
