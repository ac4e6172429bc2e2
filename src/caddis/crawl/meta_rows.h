// Rows of the family `meta` that whoever runs the crawl changes with the next group: seeds, settings, losses, hung
// URLs.
//
// Belongs to the crawl's loop.
#pragma once

#include <string_view>
#include <utility>

#include "caddis/commit/commit_group.h"
#include "caddis/commit/participant.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

class MetaRows final : public commit::CommitParticipant {
 public:
  void put(std::string_view key, std::string_view value) { rows_.put(kMeta, key, value); }
  void erase(std::string_view key) { rows_.erase(kMeta, key); }

  void stage(commit::CommitGroup& group) override { group.batch().append(std::exchange(rows_, {})); }

 private:
  store::Batch rows_;
};

}  // namespace caddis::crawl
