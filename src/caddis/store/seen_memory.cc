#include "caddis/store/seen_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "caddis/base/check.h"

namespace caddis::store {

namespace {
constexpr size_t kHugePage = 2 << 20;
constexpr size_t kMapped = 64 << 10;  // less comes from the heap: many small tables, as in tests

char* map(size_t bytes) {
  void* const memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CADDIS_CHECK(memory != MAP_FAILED);
  return static_cast<char*>(memory);
}

// Only what lies at a multiple of their size becomes huge pages: more address space is taken, and the rest given back.
char* map_aligned(size_t bytes) {
  char* const mapped = map(bytes + kHugePage);
  const size_t before = -reinterpret_cast<uintptr_t>(mapped) & (kHugePage - 1);
  const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  const size_t end = (before + bytes + page - 1) & ~(page - 1);
  if (before > 0) ::munmap(mapped, before);
  if (end < bytes + kHugePage) ::munmap(mapped + end, bytes + kHugePage - end);
  ::madvise(mapped + before, bytes, MADV_HUGEPAGE);
  return mapped + before;
}

}  // namespace

ZeroedWords::ZeroedWords(uint64_t count) : count_(count) {
  if (count == 0) return;
  if (bytes() < kMapped) {
    words_ = static_cast<uint64_t*>(std::calloc(count, sizeof(uint64_t)));
    CADDIS_CHECK(words_ != nullptr);
    return;
  }
  words_ = reinterpret_cast<uint64_t*>(bytes() < kHugePage ? map(bytes()) : map_aligned(bytes()));
}

ZeroedWords::~ZeroedWords() {
  if (words_ == nullptr) return;
  if (bytes() < kMapped)
    std::free(words_);
  else
    ::munmap(words_, bytes());
}

}  // namespace caddis::store
