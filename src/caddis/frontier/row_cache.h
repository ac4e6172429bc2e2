// Rows that are changed and not committed yet. All changes are pending until `stage` moves them into the batch of a
// group; those made by `change` are answered from here until the group is committed. Knows keys and bytes alone.
//
// Belongs to the frontier's thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/store/kv.h"

namespace caddis::frontier {

class RowCache {
 public:
  // Rows by key; without a value: erased.
  using Rows = std::map<std::string, std::optional<std::string>, std::less<>>;
  // Is called with a key and its value; false: stop.
  using See = std::function<Result<bool>(std::string_view key, std::string_view value)>;

  // `kv` must outlive it.
  explicit RowCache(store::Kv& kv) : kv_(kv) {}

  store::Kv& kv() { return kv_; }
  // Written, and not answered from here: for rows whose owner remembers them.
  void put(store::Family family, std::string_view key, std::string_view value) { pending_.put(family, key, value); }
  void erase(store::Family family, std::string_view key) { pending_.erase(family, key); }
  // Written, or erased without a value, and answered from here until it is committed. `is_new`: no row ever had that
  // key; one that comes and goes between two stages is never written.
  void change(store::Family family, std::string key, std::optional<std::string> value, bool is_new = false);
  // The row as it was changed last, or as the store has it.
  Result<std::optional<std::string>> get(store::Family family, const std::string& key) const;

  // The rows with that prefix whose changes are not committed.
  Rows uncommitted(store::Family family, std::string_view prefix) const;
  // Calls `see` for each row with that prefix from the key `from` on: those of `fresh` take the place of the store's.
  // `rows` may be given: a cursor that was made since the last commit.
  Result<void> merge(store::Family family, std::string_view prefix, std::string_view from, Rows fresh, const See& see,
                     store::Cursor* rows = nullptr) const;
  // The same with `uncommitted`.
  Result<void> each_from(store::Family family, std::string_view prefix, std::string_view from, const See& see,
                         store::Cursor* rows = nullptr) const {
    return merge(family, prefix, from, uncommitted(family, prefix), see, rows);
  }

  // The number of the stage that takes what is changed now.
  uint64_t present_stage() const { return stage_; }
  // Adds all changes since the last call to `batch`; returns the number of the stage.
  uint64_t stage(store::Batch& batch);
  void committed(uint64_t stage);

 private:
  // A row that was put, or erased, in a stage that may not be committed.
  struct Uncommitted {
    std::optional<std::string> value;
    uint64_t stage = 0;
    bool is_new = false;  // the store has no such row before this stage
  };
  using Overlay = std::map<std::string, Uncommitted, std::less<>>;

  store::Kv& kv_;
  store::Batch pending_;
  uint64_t stage_ = 1;
  std::unordered_map<store::Family, Overlay> overlay_;
  std::vector<std::pair<store::Family, Overlay::iterator>> changed_;                // since the last stage
  std::deque<std::tuple<uint64_t, store::Family, Overlay::iterator>> uncommitted_;  // of the stages before
};

}  // namespace caddis::frontier
