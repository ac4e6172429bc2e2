// What an operator asks of a running crawl, and changes in it.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/commit/committer.h"
#include "caddis/config/seeds.h"
#include "caddis/crawl/engine.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/outputs.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/crawl/visit_ledger.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {
namespace {

uint64_t left_out(const frontier::Stats& stats) {
  return stats.over_host_budget + stats.over_domain_hosts + stats.over_patterns;
}

}  // namespace

void Engine::note(std::string_view change) {
  operated_ = true;
  log_info("crawl", "operator: {}", change);
  events_.tell(CrawlEvent::Source::operated, change);
  committer_->commit_soon();
}

Result<void> Engine::keeps_orders() const {
  const std::string& trouble = committer_->trouble();
  if (trouble.empty()) return {};
  return fail(ErrorCode::io,
              fmt::format("the crawl cannot write at present, and would lose what it is asked for: {}; make room, then "
                          "ask again",
                          trouble));
}

std::unexpected<Error> Engine::broken(Error error) {
  committer_->fail(error);
  return std::unexpected(std::move(error));
}

Result<frontier::ScheduledUrl> Engine::make_scheduled_url(const url::Url& url) {
  TRY(frontier::ScheduledUrl scheduled, crawl::make_scheduled_url(url, identity_, context_->key_policy));
  scheduled.order = sites_->of(url).order;
  return scheduled;
}

Result<frontier::ScheduledUrl> Engine::scheduled_url_of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  return make_scheduled_url(url);
}

Result<std::vector<std::string>> Engine::sheets_of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  return sites_->of(url).sheets;
}

void Engine::take_seed(frontier::ScheduledUrl scheduled) {
  if (const auto seed = url::Url::parse(scheduled.candidate.url)) {
    scope_->add_seed(*seed);
    if (addresses_.take_seed(*seed)) frontier_->look_at_refused();
  }
  if (auto done = frontier_->look_up_again(scheduled.host); !done) return committer_->fail(done.error());
  outputs_->meta().put(std::string(kSeedRow) + scheduled.candidate.url, "operator");
  const std::string name = scheduled.candidate.seed;
  statistics_.seeds().add(name);
  const uint64_t before = frontier_->stats().queued;
  std::vector<frontier::ScheduledUrl> one;
  one.push_back(std::move(scheduled));
  ledger_->schedule(std::move(one));
  if (frontier_->stats().queued == before) statistics_.seeds().mark_known(name);
}

// A forced URL that waits already is taken out of its queue: it is visited once, where it is put now.
Result<void> Engine::take_out_forced(std::vector<frontier::ScheduledUrl>& scheduled_urls) {
  std::set<std::string> all;
  std::erase_if(scheduled_urls, [&](const frontier::ScheduledUrl& scheduled) {
    return scheduled.candidate.force && !all.insert(scheduled.candidate.url).second;
  });
  std::map<std::string, std::set<std::string>> known;
  for (const frontier::ScheduledUrl& scheduled : scheduled_urls) {
    if (!scheduled.candidate.force) continue;
    TRY(const bool seen, seen_.contains(scheduled.fingerprint));
    if (seen) known[scheduled.host].insert(scheduled.candidate.url);
  }
  for (const auto& [host, forced] : known) {
    frontier::WaitingQuery query{.host = host};
    query.match = [&](const frontier::Candidate& waits) { return forced.contains(waits.url); };
    TRY_VOID(frontier_->erase(query));
  }
  return {};
}

// Takes them as they are.
TakenUrls Engine::take(std::vector<frontier::ScheduledUrl> scheduled_urls) {
  if (auto done = take_out_forced(scheduled_urls); !done) {
    committer_->fail(done.error());
    return {};
  }
  // The frontier looks for links that belong together: a short list at a time.
  constexpr size_t kAtOnce = 100;
  const frontier::Stats before = frontier_->stats();
  std::vector<frontier::ScheduledUrl> some;
  for (frontier::ScheduledUrl& scheduled : scheduled_urls) {
    if (scheduled.candidate.is_seed) {
      take_seed(std::move(scheduled));
      continue;
    }
    some.push_back(std::move(scheduled));
    if (some.size() == kAtOnce) ledger_->schedule(std::exchange(some, {}));
  }
  if (!some.empty()) ledger_->schedule(std::move(some));
  const frontier::Stats after = frontier_->stats();
  return {after.queued - before.queued, left_out(after) - left_out(before)};
}

uint64_t Engine::remember(const std::vector<frontier::ScheduledUrl>& scheduled_urls) {
  std::vector<KnownUrl> known;
  for (const frontier::ScheduledUrl& one : scheduled_urls) {
    const frontier::Candidate& candidate = one.candidate;
    known.push_back({one.fingerprint, {RecoveryLine::Event::included, candidate.url, candidate.hops, candidate.via}});
  }
  return ledger_->remember(known);
}

// Before a crawl ends because nothing is left, it looks whether an operator has more for it.
bool Engine::looks_once_more() {
  if (state_ != State::running || !actions_ || committer_->is_fatal() || last_look_ == actions_->files_taken())
    return false;
  last_look_ = actions_->files_taken();
  actions_->look_now();
  return true;
}

Result<TakenUrls> Engine::add_urls(const std::vector<AddedUrl>& urls) {
  if (state_ == State::stopping || state_ == State::ended)
    return fail(ErrorCode::conflict, "the crawl is ending: resume it, then add URLs");
  std::vector<frontier::ScheduledUrl> scheduled_urls;
  for (const AddedUrl& added : urls) {
    TRY(frontier::ScheduledUrl scheduled, scheduled_url_of(added.url));
    scheduled.candidate.via = added.via;
    scheduled.candidate.hops = added.hops;
    scheduled.candidate.is_seed = added.is_seed;
    scheduled.candidate.force = added.force;
    scheduled.precedence = added.precedence;
    scheduled_urls.push_back(std::move(scheduled));
  }
  constexpr size_t kNoted = 10;
  for (size_t i = 0; i < std::min(scheduled_urls.size(), kNoted); ++i)
    note(fmt::format("adds {}{}{}", scheduled_urls[i].candidate.seed,
                     scheduled_urls[i].candidate.is_seed ? " seed" : "",
                     scheduled_urls[i].candidate.force ? " forced" : ""));
  if (scheduled_urls.size() > kNoted)
    note(fmt::format("adds {} more with them", counted(scheduled_urls.size() - kNoted, "URL")));
  const TakenUrls taken = take(std::move(scheduled_urls));
  dispatch();
  return taken;
}

Result<frontier::Erased> Engine::erase(frontier::WaitingQuery query, std::string_view what) {
  query.gone = [this](const frontier::Candidate& url, const std::string& host) { ledger_->record_deletion(url, host); };
  auto erased = frontier_->erase(query);
  if (!erased) {
    const ErrorCode code = erased.error().code;
    if (code == ErrorCode::not_found || code == ErrorCode::parse) return erased;  // the marker: nothing was done
    return broken(std::move(erased).error());
  }
  note(fmt::format("deletes {} of {}: {}", counted(erased->urls, "URL"), counted(erased->hosts, "host"), what));
  dispatch();
  changed_.notify();
  return erased;
}

Result<void> Engine::order(const std::string& host, const frontier::Orders& orders) {
  if (auto done = frontier_->order(host, orders); !done) return broken(std::move(done).error());
  const std::string budget = orders.budget ? fmt::format(", budget {}", *orders.budget) : "";
  note(fmt::format("host {}: {}, {}, delay {}{}", host, orders.blocked ? "blocked" : "not blocked",
                   orders.retired ? "retired" : "not retired",
                   orders.delay ? format_duration(*orders.delay) : "as in the settings", budget));
  dispatch();
  changed_.notify();
  return {};
}

Result<void> Engine::retire_queue(const std::string& origin, bool retired) {
  TRY(const frontier::ScheduledUrl of, scheduled_url_of(origin + "/"));
  auto done = frontier_->retire_queue(of.host, of.origin, retired);
  if (!done && done.error().code == ErrorCode::not_found) return done;
  if (!done) return broken(std::move(done).error());
  note(fmt::format("queue {}: {}", of.origin, retired ? "retired" : "not retired"));
  dispatch();
  changed_.notify();
  return {};
}

Result<frontier::Woken> Engine::wake(const std::string& host, const std::string& marker) {
  auto woken = frontier_->wake(host, marker);
  if (!woken && woken.error().code == ErrorCode::parse) return woken;  // the marker: nothing was done
  if (!woken) return broken(std::move(woken).error());
  note(fmt::format("wakes {}: {}", host.empty() ? "all" : host, counted(woken->hosts, "host")));
  dispatch();
  return woken;
}

Result<void> Engine::end_visit(const std::string& url) {
  const auto lease = frontier_->visit_of(url);
  if (!lease) return fail(ErrorCode::not_found, fmt::format("{} is not being visited", url));
  if (lease->kind != frontier::LeaseKind::url)
    return fail(ErrorCode::conflict, fmt::format("{} is a prerequisite: it ends by its own time-outs", url));
  const size_t lane = lane_watch_->lane_of(lease->id).value_or(0);
  if (lane_watch_->stands(lane))
    return fail(
        ErrorCode::conflict,
        fmt::format("lane {} stands still, and the visit of {} with it: stop the crawl, and resume it", lane, url));
  lanes_[lane]->end(lease->id);
  note(fmt::format("ends the visit of {} after {}", url::public_form(url), format_duration(lease->since)));
  return {};
}

}  // namespace caddis::crawl
