#include "caddis/crawl/scope_review.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/counted.h"
#include "caddis/base/fetch_status.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_parts.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/world.h"
#include "caddis/visit/asked_again.h"

namespace caddis::crawl {
namespace {

// The bound of a part: after so long no further row is read. A row has 4096 URLs at most.
constexpr Duration kPart = std::chrono::milliseconds(10);
constexpr size_t kRows = 1000;
// The crawl has the loop for so many times as long as a part took.
constexpr int kShare = 4;
constexpr Duration kShortestPause = std::chrono::milliseconds(10), kLongestPause = std::chrono::seconds(1);

}  // namespace

bool ScopeReview::is_due() {
  const bool wants = state_.settings.now().scope.waiting == scope::WaitingUrls::at_once;
  if (!wants || progress_.is_running || parts_.lifecycle.is_ending() || reviewed_ == state_.scope->changes())
    return false;
  return progress_.is_running = true;
}

aio::Task<void> ScopeReview::run() {
  std::string cursor;
  uint64_t number = 0;
  bool is_done = false;
  while (!is_done && !parts_.lifecycle.is_ending()) {
    if (number != state_.scope->changes()) {
      number = state_.scope->changes();
      cursor.clear();
      progress_ = {.is_running = true};
    }
    const SteadyTime begin = world_.clock.steady();
    const auto more = step(cursor);
    if (!more) {
      parts_.path->committer.fail(more.error());
      break;
    }
    is_done = !*more && number == state_.scope->changes();
    const Duration pause =
        std::clamp<Duration>(kShare * (world_.clock.steady() - begin), kShortestPause, kLongestPause);
    if (!is_done) co_await aio::sleep_for(world_.loop, pause);
  }
  progress_.is_running = false;
  if (!is_done) co_return;
  reviewed_ = number;
  parts_.log.tell(CrawlEvent::Source::crawl,
                  fmt::format("{} that waited {} asked again, since the scope has changed: {} out of it now",
                              counted(progress_.asked, "URL"), progress_.asked == 1 ? "was" : "were",
                              counted(progress_.left_out, "is", "are")));
  parts_.dispatcher.dispatch();
  parts_.lifecycle.changed().notify();
}

std::string_view ScopeReview::rule_against(const frontier::Candidate& candidate) const {
  if (visit::was_given(candidate)) return {};
  const auto url = url::Url::parse(candidate.url);
  if (!url) return {};
  const auto site = state_.effective->of(*url).scope;
  const scope::Decision decision = visit::decide_again(*state_.scope, candidate, *url, site.get(), world_.clock.wall());
  return decision.accepted ? std::string_view() : decision.rule;
}

Result<bool> ScopeReview::step(std::string& cursor) {
  frontier::WaitingQuery query;
  query.rows = kRows;
  query.cursor = cursor;
  query.match = [this](const frontier::Candidate& candidate) { return !rule_against(candidate).empty(); };
  query.gone = [this](const frontier::Candidate& candidate, const std::string& host) {
    parts_.path->ledger.record_removal(candidate, host, status::kOutOfScope, rule_against(candidate));
  };
  const SteadyTime end = world_.clock.steady() + kPart;
  const auto is_over = [this, end] { return world_.clock.steady() >= end; };
  TRY(frontier::Swept swept, state_.frontier->admin().sweep(query, is_over));
  progress_.asked += swept.asked;
  progress_.left_out += swept.erased;
  cursor = std::move(swept.cursor);
  return !cursor.empty();
}

}  // namespace caddis::crawl
