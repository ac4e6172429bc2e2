// Puts on record what visits of seeds lead to: the targets of their redirects, which are seeds from then on, and the
// ranges of addresses that may be connected to for them (fetch/address_policy.h).
//
// Belongs to the crawl's loop.
#pragma once

#include "caddis/crawl/visit_listeners.h"

namespace caddis::crawl {

class MetaRows;
class SeedRows;
class Statistics;

class FoundSeeds final : public DispositionListener {
 public:
  FoundSeeds(MetaRows& rows, SeedRows& seeds, Statistics& statistics)
      : rows_(rows), seeds_(seeds), statistics_(statistics) {}
  void on_final(visit::VisitResult& result) override;

 private:
  MetaRows& rows_;
  SeedRows& seeds_;
  Statistics& statistics_;
};

}  // namespace caddis::crawl
