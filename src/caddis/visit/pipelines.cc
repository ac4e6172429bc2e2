#include "caddis/visit/pipelines.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/check.h"
#include "caddis/config/steps.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/steps.h"

namespace caddis::visit {
namespace {

using Maker = std::unique_ptr<Step> (*)(LaneTools&);

struct NamedMaker {
  std::string_view name;
  Maker make;
};
constexpr auto kUrlSteps = std::to_array<NamedMaker>({
    {"preselect", make_preselect_step},
    {"precondition", make_precondition_step},
    {"fetch", make_fetch_step},
    {"decode", make_decode_step},
    {"session", make_session_step},
    {"extract", make_extract_step},
    {"documents", make_documents_step},
    {"program", make_program_step},
    {"feed", make_feed_step},
    {"walls", make_walls_step},
    {"directives", make_directives_step},
    {"dedup", make_dedup_step},
    {"records", make_records_step},
    {"links", make_links_step},
});
static_assert(std::ranges::equal(kUrlSteps, config::kOwnSteps, {}, &NamedMaker::name, &config::StepTraits::name),
              "each step of config/steps.h has its maker here, in the same order");

// Validated settings name steps that there are.
std::unique_ptr<Step> make_url_step(LaneTools& tools, std::string_view name) {
  const auto step = config::find_step(name);
  CADDIS_CHECK(step.has_value());
  if (step->own) return kUrlSteps[*step->own].make(tools);
  return make_module_step(*step->module, tools.context.settings->pipeline.url);
}

Pipeline::Steps make_steps(LaneTools& tools, const std::vector<Maker>& makers) {
  Pipeline::Steps steps;
  for (const Maker make : makers) steps.push_back(make(tools));
  return steps;
}

std::unique_ptr<Pipeline> build(LaneTools& tools, std::string_view name, Pipeline::Steps steps) {
  Pipeline::Steps closing;
  closing.push_back(make_disposition_step(tools));
  closing.push_back(make_log_step(tools));
  return std::make_unique<Pipeline>(name, tools.loop, tools.pulse, std::move(steps), std::move(closing));
}

}  // namespace

Pipelines::Pipelines(LaneTools& tools) {
  const std::vector<Maker> robots = {make_robots_fetch_step,  make_decode_step,      make_extract_step,
                                     make_dedup_step,         make_records_step,     make_links_step,
                                     make_robots_follow_step, make_robots_judge_step};
  const std::vector<Maker> dns = {make_resolve_step, make_dns_records_step};
  const std::vector<Maker> login = {make_login_fetch_step, make_decode_step, make_dedup_step, make_records_step,
                                    make_login_submit_step};
  Pipeline::Steps url;
  for (const std::string& name : tools.context.settings->pipeline.url) url.push_back(make_url_step(tools, name));
  all_[static_cast<size_t>(frontier::LeaseKind::dns)] = build(tools, "dns", make_steps(tools, dns));
  all_[static_cast<size_t>(frontier::LeaseKind::robots)] = build(tools, "robots", make_steps(tools, robots));
  all_[static_cast<size_t>(frontier::LeaseKind::login)] = build(tools, "login", make_steps(tools, login));
  all_[static_cast<size_t>(frontier::LeaseKind::url)] = build(tools, "url", std::move(url));
}

void Pipelines::end() {
  for (const auto& pipeline : all_) pipeline->end();
}

std::vector<StepReport> Pipelines::report() const {
  std::vector<StepReport> all;
  for (const auto& pipeline : all_)
    for (const StepReport& step : pipeline->report()) all.push_back(step);
  return all;
}

}  // namespace caddis::visit
