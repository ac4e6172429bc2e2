#include "caddis/crawl/digest_run.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "caddis/crawl/store_layout.h"
#include "caddis/store/seen_filter.h"

namespace caddis::crawl {
namespace {

constexpr double kFilterBits = 10;
constexpr uint64_t kPerBlock = 512;
constexpr int kMostBits = 31;
constexpr size_t kPlaceSize = 2 * sizeof(uint64_t);
constexpr size_t kFactsSize = 2 * sizeof(uint64_t) + 1;

template <class Number>
void put(std::string& out, Number number) {
  out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

uint64_t number_at(std::string_view bytes, size_t at) {
  uint64_t number;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

// Keys sort as their numbers do.
std::string block_key(uint32_t run, uint32_t block) {
  std::string key(kDigestBlockRow);
  put(key, std::byteswap(run));
  put(key, std::byteswap(block));
  return key;
}

std::string facts_key(uint32_t run) {
  std::string key(kDigestRunRow);
  put(key, std::byteswap(run));
  return key;
}

DigestPlace place_at(std::string_view block, size_t index) {
  return {number_at(block, index * kPlaceSize), number_at(block, index * kPlaceSize + sizeof(uint64_t))};
}

int bits_for(uint64_t values) {
  return std::min<int>(kMostBits, values <= kPerBlock ? 0 : std::bit_width((values - 1) / kPerBlock));
}

std::unexpected<Error> damaged() {
  return fail(ErrorCode::corrupt, "a run of digests in the store of the crawl makes no sense");
}

}  // namespace

DigestRun::DigestRun(uint32_t number, Facts facts)
    : number_(number), facts_(facts), filter_(std::make_unique<store::SeenFilter>(facts.values, kFilterBits)) {}

DigestRun::~DigestRun() = default;

uint64_t DigestRun::memory_bytes() const { return filter_->memory_bytes(); }

uint32_t DigestRun::block_of(uint64_t fingerprint) const {
  return facts_.bits == 0 ? 0 : static_cast<uint32_t>(fingerprint >> (64 - facts_.bits));
}

std::shared_ptr<const DigestRun> DigestRun::write(store::Batch& batch, uint32_t number,
                                                  std::span<const DigestPlace> places, uint64_t next_pack) {
  const Facts facts{places.size(), next_pack, bits_for(places.size())};
  std::shared_ptr<DigestRun> run(new DigestRun(number, facts));
  std::string value;
  for (size_t i = 0; i < places.size(); ++i) {
    run->filter_->add(places[i].fingerprint);
    put(value, places[i].fingerprint);
    put(value, places[i].place);
    const uint32_t block = run->block_of(places[i].fingerprint);
    if (i + 1 < places.size() && run->block_of(places[i + 1].fingerprint) == block) continue;
    batch.put(kDigests, block_key(number, block), value);
    value.clear();
  }
  put(value, facts.values);
  put(value, facts.next_pack);
  value += static_cast<char>(facts.bits);
  batch.put(kDigests, facts_key(number), value);
  return run;
}

Result<void> DigestRun::load(store::Kv& kv) {
  const auto rows = kv.cursor(kDigests);
  uint64_t values = 0;
  const std::string own = facts_key(number_).substr(kDigestRunRow.size());
  const std::string prefix = std::string(kDigestBlockRow) + own;
  for (rows->seek(prefix); rows->valid() && rows->key().starts_with(prefix); rows->next()) {
    const std::string_view block = rows->value();
    if (block.size() % kPlaceSize != 0) return damaged();
    values += block.size() / kPlaceSize;
    for (size_t i = 0; i < block.size() / kPlaceSize; ++i) filter_->add(place_at(block, i).fingerprint);
  }
  TRY_VOID(rows->status());
  return values == facts_.values ? Result<void>() : damaged();
}

Result<std::vector<std::shared_ptr<const DigestRun>>> DigestRun::open_all(store::Kv& kv) {
  std::vector<std::shared_ptr<const DigestRun>> runs;
  const auto rows = kv.cursor(kDigests);
  for (rows->seek(kDigestRunRow); rows->valid() && rows->key().starts_with(kDigestRunRow); rows->next()) {
    const std::string_view value = rows->value();
    const auto number = static_cast<uint32_t>(runs.size());
    if (rows->key() != facts_key(number) || value.size() != kFactsSize) return damaged();
    const Facts facts{number_at(value, 0), number_at(value, sizeof(uint64_t)), static_cast<uint8_t>(value.back())};
    if (facts.bits != bits_for(facts.values)) return damaged();
    std::shared_ptr<DigestRun> run(new DigestRun(number, facts));
    TRY_VOID(run->load(kv));
    runs.push_back(std::move(run));
  }
  TRY_VOID(rows->status());
  return runs;
}

Result<void> DigestRun::find(store::Kv& kv, uint64_t fingerprint, std::vector<DigestPlace>& places) const {
  if (!filter_->may_contain(fingerprint)) return {};
  TRY(const auto block, kv.get(kDigests, block_key(number_, block_of(fingerprint))));
  if (!block) return {};
  if (block->size() % kPlaceSize != 0) return damaged();
  size_t from = 0, to = block->size() / kPlaceSize;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (place_at(*block, middle).fingerprint < fingerprint)
      from = middle + 1;
    else
      to = middle;
  }
  for (; from < block->size() / kPlaceSize && place_at(*block, from).fingerprint == fingerprint; ++from)
    places.push_back(place_at(*block, from));
  return {};
}

}  // namespace caddis::crawl
