// Tallies by name, however many names there are: rows of the statistics. In memory are those that changed lately; a row
// that stood there before is read when its tally is staged, and what was counted meanwhile is added to it.
//
// Part of SiteTallies: its thread. `Tally` needs add(Tally), to_row(Tally) and read_row(string_view, Tally&).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/commit/participant.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

// A row that could not be read when its tally was staged.
struct LateRow {
  std::string key;
  std::function<std::string(const std::optional<std::string>& row)> completed;  // from what stood there
};

template <class Tally>
class StoredTallies {
  struct Known {
    Tally tally;
    bool is_whole = false;  // it holds the row
    bool is_changed = false;
    commit::GroupNumber group = 0;  // it was staged last
  };
  using Map = std::map<std::string, Known, std::less<>>;

 public:
  static constexpr size_t kMost = 20'000;  // in memory, but for those that are not on disk yet

  // `row`: the letter that begins its rows.
  explicit StoredTallies(char row, size_t most = kMost) : row_(row), most_(most) {}

  // The tally of a name, to be counted in at once. It may hold only what is new.
  Tally& of(std::string_view name) {
    auto found = known_.find(name);
    if (found == known_.end()) found = known_.emplace(std::string(name), Known()).first;
    found->second.is_changed = true;
    return found->second.tally;
  }

  // Adds the rows that changed since the last call. `kv`: where older rows stand; null if there are none. A row that
  // cannot be read goes to `late`, to be in the same group, and is forgotten here; if that is null, it is left for the
  // next call.
  void stage(store::Batch& batch, store::Family family, store::Kv* kv, commit::GroupNumber group,
             std::vector<LateRow>* late = nullptr) {
    for (auto at = known_.begin(); at != known_.end();) {
      auto& [name, known] = *at;
      if (known.is_changed && (known.is_whole || complete(known, name, family, kv))) {
        batch.put(family, row_ + name, to_row(known.tally));
        known.is_changed = false;
        known.group = group;
      } else if (known.is_changed && late != nullptr) {
        late->push_back({row_ + name, [counted = known.tally](const std::optional<std::string>& row) {
                           return to_row(sum_of(row, counted));
                         }});
        at = known_.erase(at);
        continue;
      }
      ++at;
    }
  }

  // That group is on disk: of its tallies and older ones as many are dropped as are too many, those first that have not
  // changed for longest.
  void committed(commit::GroupNumber group) {
    if (known_.size() <= most_) return;
    std::vector<typename Map::iterator> may_go;
    for (auto at = known_.begin(); at != known_.end(); ++at)
      if (!at->second.is_changed && at->second.group <= group) may_go.push_back(at);
    const size_t excess = std::min(known_.size() - most_, may_go.size());
    const auto end_of_excess = may_go.begin() + static_cast<std::ptrdiff_t>(excess);
    if (end_of_excess != may_go.end())
      std::ranges::nth_element(may_go, end_of_excess, {}, [](const auto& at) { return at->second.group; });
    for (auto gone = may_go.begin(); gone != end_of_excess; ++gone) known_.erase(*gone);
  }

  size_t in_memory() const { return known_.size(); }

 private:
  static Tally sum_of(const std::optional<std::string>& row, const Tally& counted) {
    if (!row) return counted;
    Tally sum;
    read_row(*row, sum);
    sum.add(counted);
    return sum;
  }

  bool complete(Known& known, const std::string& name, store::Family family, store::Kv* kv) {
    if (kv != nullptr) {
      const auto row = kv->get(family, row_ + name);
      if (!row) return false;
      known.tally = sum_of(*row, known.tally);
    }
    known.is_whole = true;
    return true;
  }

  const char row_;
  const size_t most_;
  Map known_;
};

// Calls for the committed rows of a letter whose names begin with `prefix`, sorted by name.
template <class Tally, class Call>
Result<void> each_tally(store::Kv& kv, store::Family family, char row, std::string_view prefix, const Call& call) {
  const auto rows = kv.cursor(family);
  const std::string begin = row + std::string(prefix);
  for (rows->seek(begin); rows->valid() && rows->key().starts_with(begin); rows->next()) {
    Tally tally;
    read_row(rows->value(), tally);
    TRY_VOID(call(rows->key().substr(1), tally));
  }
  return rows->status();
}

}  // namespace caddis::crawl
