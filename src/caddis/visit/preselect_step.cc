#include <optional>

#include "caddis/base/fetch_status.h"
#include "caddis/url/public_form.h"
#include "caddis/visit/asked_again.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/scope_line.h"
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
    // The scope was asked when the URL was found; of seeds it is asked here, and of others if it asks for the address.
    const scope::SiteRules* const rules = visit.site().scope.get();
    const bool is_asked = context_.scope.has_changed() || candidate.is_seed || rules->list->needs_address();
    if (!is_asked || was_given(candidate)) return Next::on();
    const scope::Answer server{
        .address = visit.lease().address, .countries = visit.site().countries.get(), .has_come = false};
    const scope::Decision decision =
        decide_again(context_.scope, candidate, *visit.url(), rules, clock_.wall(), &server);
    if (visit.result.link_logs.answers) log_answer(visit, decision);
    if (decision.accepted) return Next::on();
    visit.conclude(status::kOutOfScope);
    visit.line->entry.facts.scope_rule = decision.rule;
    return Next::finish();
  }

 private:
  void log_answer(Visit& visit, const scope::Decision& decision) const {
    const frontier::Candidate& candidate = visit.lease().candidate;
    append_link_line(visit.result.scope_lines, *visit.result.link_logs.answers,
                     {.at = clock_.wall(),
                      .url = url::public_form(*visit.url()),
                      .word = decision.accepted ? kAcceptedLink : kRejectedLink,
                      .hops = candidate.hops,
                      .via = url::public_form(candidate.via),
                      .seed = candidate.seed,
                      .rule = decision.rule});
  }

  const VisitContext& context_;
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<Step> make_preselect_step(LaneTools& tools) { return std::make_unique<PreselectStep>(tools); }

}  // namespace caddis::visit
