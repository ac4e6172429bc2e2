#include "caddis/base/fetch_status.h"
#include "caddis/visit/asked_again.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

class PreselectStep final : public Step {
 public:
  explicit PreselectStep(LaneTools& tools) : context_(tools.context), clock_(tools.loop.clock()) {}
  std::string_view name() const override { return "preselect"; }

  Result<Next> run(Visit& visit) override {
    const frontier::Candidate& candidate = visit.lease().candidate;
    // The scope was asked when the URL was found; of seeds it is asked here. One that people have ended meanwhile is
    // asked about as any other URL.
    if ((!context_.scope.has_changed() && !candidate.is_seed) || was_given(candidate)) return Next::on();
    const scope::Decision decision =
        decide_again(context_.scope, candidate, *visit.url(), visit.site().scope.get(), clock_.wall());
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
