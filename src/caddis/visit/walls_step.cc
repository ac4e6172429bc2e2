// Says whether the page is a wall: a check for bots, or a request for consent, in place of what was asked for.

#include <fmt/format.h>

#include "caddis/base/check.h"
#include "caddis/visit/lane_tools.h"
#include "caddis/visit/page_notes.h"
#include "caddis/visit/steps.h"
#include "caddis/visit/visit.h"
#include "caddis/walls/wall_sign.h"

namespace caddis::visit {
namespace {

class WallsStep final : public Step {
 public:
  explicit WallsStep(const walls::WallSettings& settings) : signs_(checked(walls::signs_of(settings))) {}
  std::string_view name() const override { return "walls"; }

  Result<Next> run(Visit& visit) override {
    const http::Exchange* const exchange = visit.document.exchange();
    if (exchange == nullptr || !visit.document.body) return Next::on();
    const walls::Answer answer(visit.url()->href(), exchange->head, visit.document.body->bytes());
    const walls::WallSign* const sign = signs_.find(answer);
    if (sign == nullptr) return Next::on();
    visit.line->entry.facts.page.wall = fmt::format("{}:{}", to_string(sign->kind()), sign->name());
    if (visit.site().stores_walls) return Next::on();
    PageNotes::of(visit).is_left_out = true;
    // Its redirects alone go on.
    if (visit.document.extracted)
      std::erase_if(visit.document.extracted->links,
                    [](const extract::Link& link) { return link.hop != extract::Hop::redirect; });
    return Next::on();
  }

 private:
  // Settings that hold have been validated.
  static walls::WallSigns checked(Result<walls::WallSigns> signs) {
    CADDIS_CHECK(signs.has_value());
    return *std::move(signs);
  }

  const walls::WallSigns signs_;
};

}  // namespace

std::unique_ptr<Step> make_walls_step(LaneTools& tools) {
  return std::make_unique<WallsStep>(tools.context.settings->walls);
}

}  // namespace caddis::visit
