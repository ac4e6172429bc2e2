#include "caddis/base/fetch_status.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

// URLs without a path from a seed were given by somebody who was not asked for a scope either.
bool was_given(const frontier::Candidate& candidate) {
  return candidate.force || (!candidate.is_seed && candidate.hops.empty() && candidate.via.empty());
}

class PreselectStep final : public Step {
 public:
  explicit PreselectStep(LaneTools& tools) : context_(tools.context), clock_(tools.loop.clock()) {}
  std::string_view name() const override { return "preselect"; }

  Result<Next> run(Visit& visit) override {
    const frontier::Candidate& candidate = visit.lease().candidate;
    // The scope was asked when the URL was found; of seeds it is asked here.
    if ((!context_.scope.has_changed() && !candidate.is_seed) || was_given(candidate)) return Next::on();
    const scope::Candidate asked{.url = *visit.url(),
                                 .hop_path = candidate.hops,
                                 .via = candidate.via,
                                 .is_seed = candidate.is_seed,
                                 .rules = visit.site().scope.get(),
                                 .source_seed = candidate.seed,
                                 .at = clock_.wall()};
    const scope::Decision decision = context_.scope.decide(asked);
    if (decision.accepted) return Next::on();
    visit.conclude(status::kOutOfScope);
    visit.line->entry.annotations.push_back("scope:" + std::string(decision.rule));
    return Next::finish();
  }

 private:
  const VisitContext& context_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<Step> make_preselect_step(LaneTools& tools) { return std::make_unique<PreselectStep>(tools); }

}  // namespace caddis::visit
