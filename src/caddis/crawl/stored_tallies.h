// Tallies by name, however many names there are: rows of the statistics. In memory are those that changed lately; a row
// that stood there before is read when its tally is staged, and what was counted meanwhile is added to it.
//
// Part of SiteTallies: its thread. `Tally` needs add(Tally), to_row(Tally) and read_row(string_view, Tally&).
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/base/string_hash.h"
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
  struct Known;
  using Map = std::unordered_map<std::string, Known, StringHash, std::equal_to<>>;
  using Entry = std::pair<const std::string, Known>;
  using Entries = std::list<Entry*>;
  struct Known {
    Tally tally;
    bool is_whole = false;  // it holds the row
    bool is_changed = false;
    commit::GroupNumber group = 0;                         // it was staged last
    std::optional<typename Entries::iterator> place = {};  // in staged_
  };

 public:
  static constexpr size_t kMost = 20'000;  // in memory, but for those that are not on disk yet

  // `row`: the letter that begins its rows.
  explicit StoredTallies(char row, size_t most = kMost) : row_(row), most_(most) {}

  // The tally of a name, to be counted in at once. It may hold only what is new.
  Tally& of(std::string_view name) {
    auto found = known_.find(name);
    if (found == known_.end()) found = known_.emplace(std::string(name), Known()).first;
    if (!std::exchange(found->second.is_changed, true)) changed_.push_back(&*found);
    return found->second.tally;
  }

  // Adds the rows that changed since the last call. `kv`: where older rows stand; null if there are none. A row that
  // cannot be read goes to `late`, to be in the same group, and is forgotten here; if that is null, it is left for the
  // next call.
  void stage(store::Batch& batch, store::Family family, store::Kv* kv, commit::GroupNumber group,
             std::vector<LateRow>* late = nullptr) {
    for (Entry* entry : std::exchange(changed_, {})) {
      auto& [name, known] = *entry;
      if (known.is_whole || complete(known, name, family, kv)) {
        batch.put(family, row_ + name, to_row(known.tally));
        known.is_changed = false;
        known.group = group;
        put_last(*entry);
      } else if (late != nullptr) {
        late->push_back({row_ + name, [counted = known.tally](const std::optional<std::string>& row) {
                           return to_row(sum_of(row, counted));
                         }});
        forget(*entry);
      } else {
        changed_.push_back(entry);
      }
    }
  }

  // That group is on disk: of its tallies and older ones as many are dropped as are too many, those first that have not
  // changed for longest.
  void committed(commit::GroupNumber group) {
    for (auto at = staged_.begin(); known_.size() > most_ && at != staged_.end() && (*at)->second.group <= group;) {
      Entry& entry = **at++;
      if (!entry.second.is_changed) forget(entry);
    }
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

  void put_last(Entry& entry) {
    auto& place = entry.second.place;
    if (place)
      staged_.splice(staged_.end(), staged_, *place);
    else
      place = staged_.insert(staged_.end(), &entry);
  }

  void forget(const Entry& entry) {
    if (entry.second.place) staged_.erase(*entry.second.place);
    known_.erase(known_.find(entry.first));
  }

  const char row_;
  const size_t most_;
  Map known_;
  std::vector<Entry*> changed_;
  Entries staged_;  // those staged longest ago first
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
