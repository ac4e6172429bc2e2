#include "caddis/base/fingerprint_set.h"

#include <cstring>

#include "caddis/base/random.h"

namespace caddis {
namespace {

uint64_t word(const char* bytes, size_t size) {
  uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}

// Both halves of the product: a multiplication by a secret number, as in wyhash.
uint64_t mix(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Four of five slots are taken at most.
size_t slots_for(size_t entries) { return entries + entries / 4 + 1; }

struct Key {
  uint64_t first = system_seed(), second = system_seed(), third = system_seed();

  static const Key& of_process() {
    static const Key key;
    return key;
  }
};

// 16 bytes at a time, the last ones once more if there are no 16 behind them.
uint64_t fingerprint_of(std::string_view text) {
  const Key& key = Key::of_process();
  const char* at = text.data();
  size_t left = text.size();
  uint64_t hash = key.first;
  for (; left > 16; at += 16, left -= 16) hash = mix(word(at, 8) ^ key.second, word(at + 8, 8) ^ hash);
  uint64_t head = 0, tail = 0;
  if (left >= 8) {
    head = word(at, 8);
    tail = word(at + left - 8, 8);
  } else if (left >= 4) {
    head = word(at, 4);
    tail = word(at + left - 4, 4);
  } else if (left > 0) {
    head = word(at, 1) | word(at + left / 2, 1) << 8 | word(at + left - 1, 1) << 16;
  }
  hash = mix(head ^ key.second, tail ^ hash);
  const uint64_t fingerprint = mix(hash ^ key.third, text.size() ^ key.second);
  return fingerprint == 0 ? 1 : fingerprint;  // 0 is a slot that is free
}

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
  if (table == nullptr) return false;
  // A slot that was free may hold another one by now.
  const uint64_t fingerprint = fingerprint_of(text);
  return table->slot_of(fingerprint).load(std::memory_order_acquire) == fingerprint;
}

size_t FingerprintSet::bytes() const {
  const std::lock_guard lock(mutex_);
  size_t bytes = 0;
  for (const auto& table : tables_) bytes += table->slots * sizeof(uint64_t);
  return bytes;
}

}  // namespace caddis
