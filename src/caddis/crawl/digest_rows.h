// The payloads that a crawl has stored, by their digests: a participant that keeps their rows in the state, and a
// source of originals for its visits. What it says is committed: a crash can cost a saving, never an original.
//
// Gathers on the crawl's loop; `find` may be called from any thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "caddis/commit/participant.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/dedup/original.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

class DigestRows final : public commit::CommitParticipant, public DispositionListener, public dedup::Originals {
 public:
  // The store must outlive the rows.
  explicit DigestRows(store::Kv& kv) : kv_(kv) {}

  void on_final(visit::VisitResult& result) override;
  void stage(commit::CommitGroup& group) override;
  Result<std::optional<dedup::Match>> find(dedup::Strategy strategy, const dedup::Question& question) const override;

 private:
  store::Kv& kv_;
  std::vector<std::pair<std::string, std::string>> gathered_;
};

}  // namespace caddis::crawl
