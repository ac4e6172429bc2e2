#include "caddis/base/fingerprint_set.h"

#include "caddis/base/hash.h"
#include "caddis/base/random.h"

namespace caddis {
namespace {

// 0 is a slot that is free.
uint64_t fingerprint_of(std::string_view text) {
  static const uint64_t k0 = system_seed(), k1 = system_seed();
  const uint64_t fingerprint = siphash(text, k0, k1);
  return fingerprint == 0 ? 1 : fingerprint;
}

// Four of five slots are taken at most.
size_t slots_for(size_t entries) { return entries + entries / 4 + 1; }

}  // namespace

// Open addressing: an entry stands in the first slot that was free from its place on.
struct FingerprintSet::Table {
  explicit Table(size_t slots) : slots(slots), entries(std::make_unique<std::atomic<uint64_t>[]>(slots)) {}

  // The slot in which the fingerprint stands, or the free one in which it would.
  std::atomic<uint64_t>& slot_of(uint64_t fingerprint) const {
    size_t at = static_cast<size_t>((static_cast<unsigned __int128>(fingerprint) * slots) >> 64);
    for (;;) {
      const uint64_t there = entries[at].load(std::memory_order_acquire);
      if (there == fingerprint || there == 0) return entries[at];
      if (++at == slots) at = 0;
    }
  }

  const size_t slots;
  const std::unique_ptr<std::atomic<uint64_t>[]> entries;
};

FingerprintSet::FingerprintSet() = default;
FingerprintSet::~FingerprintSet() = default;

void FingerprintSet::grow_to(size_t slots) {
  auto larger = std::make_unique<Table>(slots);
  if (!tables_.empty()) {
    const Table& former = *tables_.back();
    for (size_t i = 0; i < former.slots; ++i)
      if (const uint64_t entry = former.entries[i].load(std::memory_order_relaxed); entry != 0)
        larger->slot_of(entry).store(entry, std::memory_order_relaxed);
  }
  tables_.push_back(std::move(larger));
  table_.store(tables_.back().get(), std::memory_order_release);
}

void FingerprintSet::reserve(size_t more) {
  const std::lock_guard lock(mutex_);
  const size_t slots = slots_for(size() + more);
  if (tables_.empty() || tables_.back()->slots < slots) grow_to(slots);
}

bool FingerprintSet::insert(std::string_view text) {
  constexpr size_t kLeast = 64;
  const uint64_t fingerprint = fingerprint_of(text);
  const std::lock_guard lock(mutex_);
  const size_t entries = size();
  if (tables_.empty() || tables_.back()->slots < slots_for(entries + 1))
    grow_to(entries == 0 ? kLeast : 2 * tables_.back()->slots);
  std::atomic<uint64_t>& slot = tables_.back()->slot_of(fingerprint);
  if (slot.load(std::memory_order_relaxed) == fingerprint) return false;
  slot.store(fingerprint, std::memory_order_release);
  size_.store(entries + 1, std::memory_order_release);
  return true;
}

bool FingerprintSet::contains(std::string_view text) const {
  const Table* const table = table_.load(std::memory_order_acquire);
  return table != nullptr && table->slot_of(fingerprint_of(text)).load(std::memory_order_acquire) != 0;
}

size_t FingerprintSet::bytes() const {
  const std::lock_guard lock(mutex_);
  size_t bytes = 0;
  for (const auto& table : tables_) bytes += table->slots * sizeof(uint64_t);
  return bytes;
}

}  // namespace caddis
