// A run: places of digests that no longer are in memory, sorted, in rows of the store (docs/formats/digest-index.md).
// A filter of ten bits a digest tells most of those that are not in it; the others cost one look-up in the store.
//
// A run never changes, and may be asked from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/crawl/digest_table.h"
#include "caddis/store/kv.h"

namespace caddis::store {
class SeenFilter;
}  // namespace caddis::store

namespace caddis::crawl {

class DigestRun {
 public:
  // Adds the rows of a new run to a batch. `places` are sorted; all rows of packs before `next_pack` are in this run or
  // in earlier ones.
  static std::shared_ptr<const DigestRun> write(store::Batch& batch, uint32_t number,
                                                std::span<const DigestPlace> places, uint64_t next_pack);
  // Reads all runs of a store, in the order in which they were made. ErrorCode::corrupt if their rows make no sense.
  static Result<std::vector<std::shared_ptr<const DigestRun>>> open_all(store::Kv& kv);

  ~DigestRun();
  DigestRun(const DigestRun&) = delete;
  DigestRun& operator=(const DigestRun&) = delete;

  uint64_t next_pack() const { return facts_.next_pack; }
  // The memory of its filter.
  uint64_t memory_bytes() const;
  // Appends the places that have the fingerprint.
  Result<void> find(store::Kv& kv, uint64_t fingerprint, std::vector<DigestPlace>& places) const;

 private:
  struct Facts {
    uint64_t values = 0;
    uint64_t next_pack = 0;
    int bits = 0;  // of a fingerprint: the number of its block
  };
  DigestRun(uint32_t number, Facts facts);
  Result<void> load(store::Kv& kv);
  uint32_t block_of(uint64_t fingerprint) const;

  const uint32_t number_;
  const Facts facts_;
  const std::unique_ptr<store::SeenFilter> filter_;
};

}  // namespace caddis::crawl
