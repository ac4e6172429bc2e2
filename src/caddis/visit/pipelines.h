// The pipelines of a lane: one for each kind of lease. The path of a URL is what the section `pipeline` of crawl.yaml
// says; those of the prerequisites are fixed.
//
//   url     preselect → precondition → fetch → decode → session → extract → documents → walls → dedup → records → links
//   robots  fetch → decode → extract → records → links → follow (back to fetch) → robots
//   login   fetch → decode → dedup → records → submit (back to fetch)
//   dns     look-up → records
//   each    → disposition → log
//
// Belongs to its lane's loop; `report` may be called from any thread.
#pragma once

#include <array>
#include <memory>

#include "caddis/frontier/lease.h"
#include "caddis/visit/pipeline.h"

namespace caddis::visit {

struct LaneTools;

class Pipelines {
 public:
  // `tools` outlive it.
  explicit Pipelines(LaneTools& tools);
  Pipeline& of(frontier::LeaseKind kind) { return *all_[static_cast<size_t>(kind)]; }
  void end();
  // Each step of each pipeline; the same ones in the same order for all lanes of a crawl.
  std::vector<StepReport> report() const;

 private:
  std::array<std::unique_ptr<Pipeline>, 4> all_;  // by LeaseKind
};

}  // namespace caddis::visit
