// The changes of the frontier in each group, and what it has left out, which statistics count among rejected links.
//
// Belongs to the crawl's loop, as the frontier does.
#pragma once

#include <cstdint>

#include "caddis/commit/participant.h"

namespace caddis::frontier {
class Frontier;
}  // namespace caddis::frontier

namespace caddis::crawl {

class Statistics;

class FrontierRows final : public commit::CommitParticipant {
 public:
  FrontierRows(frontier::Frontier& frontier, Statistics& statistics) : frontier_(frontier), statistics_(statistics) {}

  void stage(commit::CommitGroup& group) override;
  void committed(commit::GroupNumber group) override;

 private:
  frontier::Frontier& frontier_;
  Statistics& statistics_;
  uint64_t stage_ = 0;  // of the group that is being written
};

}  // namespace caddis::crawl
