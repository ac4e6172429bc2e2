// Says whether the page is a wall: a check for bots, or a request for consent, in place of what was asked for.

#include <fmt/format.h>

#include <cstdint>
#include <optional>

#include "caddis/base/check.h"
#include "caddis/fetch/decoded_body.h"
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
    if (exchange == nullptr) return Next::on();
    // Nobody else reads the pages of most errors: they are not decoded yet. The front of what is put away will do.
    const std::optional<fetch::DecodedBody>& decoded = visit.document.body;
    const bool is_there = decoded && !decoded->is_away();
    fetch::DecodedBody own;
    if (!is_there) {
      TRY(own, fetch::decode_body(*visit.document.readable(), kMostRead));
    }
    const std::string_view front = is_there ? decoded->bytes() : own.bytes();
    const size_t size = decoded ? decoded->size() : own.is_cut() ? SIZE_MAX : own.size();
    const walls::Answer answer(visit.url()->href(), exchange->head, front, size);
    const walls::WallSign* const sign = signs_.find(answer);
    if (sign == nullptr) return Next::on();
    visit.line->entry.facts.page.wall = fmt::format("{}:{}", to_string(sign->kind()), sign->name());
    if (!visit.site().stores_walls) PageNotes::of(visit).is_left_out = true;
    return Next::on();
  }

 private:
  static constexpr size_t kMostRead = 256 << 10;

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
