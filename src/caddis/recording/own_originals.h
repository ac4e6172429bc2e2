// The payloads that a recording has stored itself, by their digests: rows of its store (dedup/original_row.h), and those
// that are on their way there.
//
// A revisit may refer to a capture that no commit holds yet: it goes into the same group or a later one, so no crash
// keeps the one without the other.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>

#include "caddis/dedup/index_key.h"
#include "caddis/dedup/original.h"
#include "caddis/dedup/original_row.h"
#include "caddis/store/kv.h"

namespace caddis::recording {

class OwnOriginals final : public dedup::Originals {
 public:
  // `family` of `kv` holds the rows; the store must outlive this. `key`: of the collection's index.
  OwnOriginals(store::Kv& kv, store::Family family, dedup::IndexKey key)
      : kv_(kv), family_(family), key_(std::move(key)) {}

  // Any thread; may read a disk.
  Result<std::optional<dedup::Match>> find(dedup::Strategy strategy, const dedup::Question& question) const override;
  // The key under which that strategy finds the payload; nothing if it finds none so.
  std::optional<std::string> row_key(dedup::Strategy strategy, const dedup::Question& question) const {
    return dedup::row_key(strategy, question, key_);
  }

  // From now on it is found. The first one of a key stays.
  void add(std::string key, std::string value);
  // Puts all that was added since the last call into the batch of a group.
  void stage(uint64_t group, store::Batch& batch);
  // That group is durable: the store has them.
  void committed(uint64_t group);

 private:
  using Rows = std::map<std::string, std::string, std::less<>>;
  Result<std::optional<std::string>> value_of(const std::string& key) const;
  dedup::Likeness likeness_of(const dedup::Original& original, const dedup::Question& question) const;

  store::Kv& kv_;
  const store::Family family_;
  const dedup::IndexKey key_;
  mutable std::shared_mutex mutex_;  // of what follows
  Rows gathered_;
  std::deque<std::pair<uint64_t, Rows>> staged_;
};

}  // namespace caddis::recording
