// Puts on record what the page asks of robots by X-Robots-Tag and meta elements, and leaves it out of the archive if the
// settings of its site do what it asks.

#include "caddis/robots/page_directives.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/page_notes.h"
#include "caddis/visit/said_directives.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"

namespace caddis::visit {
namespace {

class DirectivesStep final : public Step {
 public:
  explicit DirectivesStep(const Clock& clock) : clock_(clock) {}
  std::string_view name() const override { return "directives"; }

  Result<Next> run(Visit& visit) override {
    const robots::PageDirectives said = said_directives(visit);
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
