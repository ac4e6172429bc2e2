#include "caddis/base/fetch_status.h"
#include "caddis/robots/policy.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/page_notes.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

// Whether the last hop that is no redirect embeds it: "LLE", "LERR".
bool is_requisite(std::string_view hops) {
  const size_t last = hops.find_last_not_of('R');
  return last != std::string_view::npos && hops[last] == 'E';
}

class PreconditionStep final : public Step {
 public:
  std::string_view name() const override { return "precondition"; }

  Result<Next> run(Visit& visit) override {
    const auto& robots = visit.lease().robots;
    if (!robots) return Next::on();
    const config::EffectiveSettings& host = visit.host();
    const robots::PolicyContext policy{.policy = host.robots.policy,
                                       .user_agent = host.robots.product_token,
                                       .candidates = host.robots.agents.get(),
                                       .custom = host.robots.custom.get()};
    std::pmr::string path(visit.url()->pathname(), visit.memory());
    path += visit.url()->search();
    if (robots::judge(policy, *robots, path).verdict.allowed) return Next::on();
    if (host.robots.spares_requisites && is_requisite(visit.lease().candidate.hops)) {
      PageNotes::of(visit).is_against_robots = true;
      return Next::on();
    }
    visit.conclude(status::kRobotsPrecluded);
    return Next::finish();
  }
};

}  // namespace

std::unique_ptr<Step> make_precondition_step(LaneTools&) { return std::make_unique<PreconditionStep>(); }

}  // namespace caddis::visit
