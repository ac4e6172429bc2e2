// The captures that one viewer may see at one moment by several sets of rules (of the server, and of a collection): the strictest
// verdict counts. As a filter it stands before an index; each answer is counted.
//
// Immutable but for the counts, any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/cdx/capture_filter.h"
#include "caddis/viewing/rule_set.h"

namespace caddis::viewing {

// Counts of captures that were asked about, by verdict; and of answers that told that something is blocked.
struct DecisionCounts {
  std::atomic<uint64_t> allowed = 0, blocked = 0, excluded = 0, refusals = 0;

  void count(Verdict verdict);
};

class ViewerRules final : public cdx::CaptureFilter {
 public:
  using Sets = std::vector<std::shared_ptr<const RuleSet>>;
  ViewerRules(Sets sets, Viewer viewer, WallTime now, std::shared_ptr<DecisionCounts> counts);

  std::unique_ptr<Asker> ask() const override;
  // The decision about a capture; not counted.
  Decision decide(std::string_view url, std::string_view timestamp) const;
  bool hides_anything_of(std::string_view url) const override;
  DecisionCounts& counts() const { return *counts_; }

 private:
  class UrlAsker;
  std::vector<UrlDecision> about(const CapturedUrl& url) const;

  const Sets sets_;
  const Viewer viewer_;
  const WallTime now_;
  const std::shared_ptr<DecisionCounts> counts_;
};

}  // namespace caddis::viewing
