// The payloads that a crawl has stored, by their digests: a participant that keeps their rows in the state, and a
// source of originals for its visits. What it says is committed, or will be before any visit that asks: groups are
// committed in order, so a crash that costs an original costs its revisits, too.
//
// Rows are packed, some fifty in a value of the store. Where each stands is known in memory, by fingerprints; beyond a
// share of it places go into runs (digest_run.h).
//
// Gathers on the crawl's loop; `find` may be called from any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "caddis/commit/participant.h"
#include "caddis/crawl/digest_table.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/dedup/index_key.h"
#include "caddis/dedup/original.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

class DigestRun;

class DigestRows final : public commit::CommitParticipant, public DispositionListener, public dedup::Originals {
 public:
  // The store must outlive the rows. About `most` places stay in memory, or fewer: the filters of runs count in the same
  // memory until they fill three quarters of it. `key`: of the collection's indexes.
  DigestRows(store::Kv& kv, uint64_t most, dedup::IndexKey key = dedup::standard_index_key());
  ~DigestRows() override;

  // Reads what the store has.
  Result<void> open(store::StreamSet& streams) override;
  void on_final(visit::VisitResult& result) override;
  void stage(commit::CommitGroup& group) override;
  void committed(commit::GroupNumber group) override;
  Result<std::optional<dedup::Match>> find(dedup::Strategy strategy, const dedup::Question& question) const override;

  // Gives all rows of a store, in the order in which they were written: key and value as dedup/original_row.h has them.
  using Use = std::function<Result<void>(std::string_view key, std::string_view value)>;
  static Result<void> each(store::Kv& kv, const Use& use);

 private:
  class WriteRun;
  // Rows of a group that is not durable yet.
  struct Staged {
    commit::GroupNumber group;
    uint64_t first_pack;
    std::vector<DigestPlace> places;
    std::vector<std::string> keys;  // of `pending_`
  };
  // Places on their way into a run. They are asked until it is durable.
  struct Moving {
    commit::GroupNumber group;
    std::shared_ptr<const DigestTable> table;
    std::shared_ptr<std::shared_ptr<const DigestRun>> run;  // made by the worker
  };

  uint64_t most_places() const;
  void begin_run(commit::CommitGroup& group);
  Result<std::vector<DigestPlace>> places_of(uint64_t fingerprint) const;
  // The value of a row.
  Result<std::optional<std::string>> row(std::string_view key) const;

  store::Kv& kv_;
  const uint64_t most_;
  const dedup::IndexKey key_;
  std::vector<std::pair<std::string, std::string>> gathered_;
  uint64_t next_pack_ = 1;
  std::deque<Staged> staged_;

  mutable std::shared_mutex mutex_;                       // of what follows; nothing is read from the store under it
  std::unordered_map<std::string, std::string> pending_;  // rows that are not committed yet: the first of each key
  std::shared_ptr<DigestTable> table_;
  std::optional<Moving> moving_;
  std::vector<std::shared_ptr<const DigestRun>> runs_;  // the oldest first
};

}  // namespace caddis::crawl
