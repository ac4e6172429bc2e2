// Puts on record what the page asks of robots by X-Robots-Tag and meta elements, and leaves it out of the archive if the
// settings of its site do what it asks.

#include "caddis/base/strings.h"
#include "caddis/robots/page_directives.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/page_notes.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

class DirectivesStep final : public Step {
 public:
  explicit DirectivesStep(const Clock& clock) : clock_(clock) {}
  std::string_view name() const override { return "directives"; }

  Result<Next> run(Visit& visit) override {
    const http::Exchange* const exchange = visit.document.readable();
    if (exchange == nullptr) return Next::on();
    robots::PageDirectives said;
    // The field counts for any answer; links are not looked for in all of them.
    for (const http::Field field : exchange->head)
      if (equals_ignore_case(field.name, "x-robots-tag"))
        said.add(robots::parse_robots_tag(field.value, visit.host().robots.product_token));
    if (visit.document.extracted) said.add(visit.document.extracted->directives);
    if (said.empty()) return Next::on();
    visit.line->entry.facts.page.directives = said.text();
    if (robots::leaves_out(visit.site().pages, said, clock_.wall())) PageNotes::of(visit).is_left_out = true;
    return Next::on();
  }

 private:
  const Clock& clock_;
};

}  // namespace

std::unique_ptr<Step> make_directives_step(LaneTools& tools) {
  return std::make_unique<DirectivesStep>(tools.loop.clock());
}

}  // namespace caddis::visit
