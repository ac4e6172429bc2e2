#include "caddis/crawl/seed_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "caddis/aio/blocking.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/seed_rows.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {
namespace {

constexpr size_t kPiece = 20'000;  // seeds

}  // namespace

// First what is not on disk: it may be there when the rest is read. A seed that is added meanwhile is known to whoever
// asks for this (Scope::add_seed).
aio::Task<Result<void>> SeedScan::each(See see) {
  const SeedRows::Rows newer = path_.outputs.seeds().uncommitted();
  for (const auto& [href, origin] : newer)
    if (const auto seed = url::Url::parse(href); seed && origin != kRemovedSeed) see(*seed);
  const SeedCall call = [&](const url::Url& seed, std::string_view origin) {
    if (origin != kRemovedSeed && !newer.contains(seed.href())) see(seed);
  };
  std::optional<std::string> from("");
  while (from) {
    Result<std::optional<std::string>> next;
    std::function<void()> work = [&] { next = some_seeds(*state_.kv, *from, kPiece, call); };
    co_await blocking_.run_piece(loop_, std::move(work));
    if (!next) co_return std::unexpected(std::move(next).error());
    from = *std::move(next);
  }
  co_return Result<void>();
}

aio::Task<Result<void>> SeedScan::look_for(std::vector<scope::ScopeKind> kinds) {
  while (is_busy_) co_await free_.wait();
  std::erase_if(kinds, [this](scope::ScopeKind kind) { return state_.scope->looks_for(kind); });
  if (kinds.empty()) co_return Result<void>();
  is_busy_ = true;
  state_.scope->look_for(kinds);
  See see = [this](const url::Url& seed) { state_.scope->add_seed(seed); };
  auto done = co_await each(std::move(see));
  // Rules that see some of the seeds alone would turn away what the others let in.
  if (!done) path_.committer.fail(done.error());
  is_busy_ = false;
  free_.notify();
  co_return done;
}

Result<void> SeedScan::add_all_at_once() {
  const SeedRows::Rows newer = path_.outputs.seeds().uncommitted();
  const SeedCall add = [&](const url::Url& seed, std::string_view origin) {
    if (origin != kRemovedSeed) state_.scope->add_seed(seed);
  };
  for (const auto& [href, origin] : newer)
    if (const auto seed = url::Url::parse(href)) add(*seed, origin);
  return each_seed(*state_.kv, [&](const url::Url& seed, std::string_view origin) {
    if (!newer.contains(seed.href())) add(seed, origin);
  });
}

aio::Task<Result<uint64_t>> SeedScan::remove(std::vector<url::Url> seeds) {
  while (is_busy_) co_await free_.wait();
  CO_TRY_VOID(check_seeds(seeds));
  CO_TRY(auto leaving, with_targets(seeds));
  is_busy_ = true;
  uint64_t removed = 0;
  Result<void> done;
  // A seed may have led to another one while all were gone through.
  while (done && !leaving.empty()) {
    removed += leaving.size();
    done = co_await end(leaving);
    if (!done) break;
    auto found = with_targets(leaving);
    if (found)
      leaving = *std::move(found);
    else
      done = std::unexpected(std::move(found).error());
  }
  if (!done) path_.committer.fail(done.error());
  is_busy_ = false;
  free_.notify();
  if (!done) co_return std::unexpected(std::move(done).error());
  co_return removed;
}

aio::Task<Result<void>> SeedScan::end(const std::vector<url::Url>& leaving) {
  CO_TRY_VOID(put_on_record(leaving));
  for (const url::Url& seed : leaving) state_.scope->leave(seed);
  See see = [this](const url::Url& seed) { state_.scope->keep(seed); };
  auto done = co_await each(std::move(see));
  if (!done) co_return done;
  state_.scope->mark_changed();
  state_.scope->settle();
  co_return done;
}

Result<void> SeedScan::check_seeds(const std::vector<url::Url>& seeds) const {
  for (const url::Url& named : seeds) {
    TRY(const auto origin, path_.outputs.seeds().origin(named.href()));
    if (!origin || *origin == kRemovedSeed)
      return fail(ErrorCode::not_found,
                  fmt::format("{} is no seed of this crawl{}", url::public_form(named),
                              origin ? " any more"
                                     : ": reports/seeds-report.txt of an ended crawl lists them, and the "
                                       "setting crawl.seeds; give it as it stands there"));
  }
  return {};
}

// Targets of redirects are seeds by them alone, unless people have named them. Those that have ended are left out.
Result<std::vector<url::Url>> SeedScan::with_targets(const std::vector<url::Url>& seeds) const {
  std::vector<url::Url> all;
  std::unordered_set<std::string> known;
  for (const url::Url& named : seeds) {
    std::optional<url::Url> seed(named);
    while (seed && known.insert(std::string(seed->href())).second) {
      TRY(const auto origin, path_.outputs.seeds().origin(seed->href()));
      if (origin && *origin != kRemovedSeed) all.push_back(*seed);
      TRY(const auto fate, state_.statistics.seeds().of(*state_.kv, kStatistics, url::public_form(*seed)));
      seed.reset();
      auto target = url::Url::parse(fate.redirect);
      if (!target) break;
      TRY(const auto how, path_.outputs.seeds().origin(target->href()));
      if (how && *how == kFoundSeed) seed = *std::move(target);
    }
  }
  return all;
}

Result<void> SeedScan::put_on_record(const std::vector<url::Url>& seeds) {
  for (const url::Url& seed : seeds) {
    const std::string shown = url::public_form(seed);
    TRY(const auto fate, state_.statistics.seeds().of(*state_.kv, kStatistics, shown));
    state_.statistics.seeds().remove(shown, fate);
    path_.outputs.seeds().put(seed.href(), kRemovedSeed);
  }
  path_.outputs.meta().put(kScopeChangedRow, "");
  path_.committer.commit_soon();
  return {};
}

}  // namespace caddis::crawl
