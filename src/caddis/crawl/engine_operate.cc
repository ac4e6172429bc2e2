// What an operator asks of a running crawl, and changes in it.

#include <fmt/format.h>

#include "caddis/base/log.h"
#include "caddis/base/time_format.h"
#include "caddis/crawl/arrival.h"
#include "caddis/crawl/engine.h"
#include "caddis/crawl/seeds.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/url/public_form.h"

namespace caddis::crawl {

void Engine::note(std::string_view change) {
  log_info("crawl", "operator: {}", change);
  committer_->add_progress_line(fmt::format("{} OPERATOR {}\n", rfc3339(world_.clock.wall()), change));
  committer_->commit_soon();
}

std::unexpected<Error> Engine::broken(Error error) {
  committer_->give_up(error);
  return std::unexpected(std::move(error));
}

Result<frontier::Arrival> Engine::arrival_of(std::string_view text) const {
  TRY(const url::Url url, parse_seed(text));
  return make_arrival(url, identity_, context_->key_policy);
}

Result<uint64_t> Engine::add_urls(const std::vector<AddedUrl>& urls) {
  if (state_ == State::stopping || state_ == State::ended)
    return fail(ErrorCode::conflict, "the crawl is ending: resume it, then add URLs");
  std::vector<frontier::Arrival> arrivals;
  for (const AddedUrl& added : urls) {
    TRY(frontier::Arrival arrival, arrival_of(added.url));
    arrival.what.via = added.via;
    arrival.what.hops = added.hops;
    arrival.what.is_seed = added.is_seed;
    arrival.what.force = added.force;
    arrival.precedence = added.precedence;
    arrivals.push_back(std::move(arrival));
  }
  for (const frontier::Arrival& arrival : arrivals) {
    if (!arrival.what.is_seed) continue;
    if (const auto seed = url::Url::parse(arrival.what.url)) scope_->add_seed(*seed);
    statistics_.add_seed(arrival.what.seed);
    committer_->add_meta_row(std::string(kSeedRow) + arrival.what.url, "operator");
  }
  const uint64_t before = frontier_->stats().queued;
  for (frontier::Arrival& arrival : arrivals) {
    note(fmt::format("adds {}{}{}", arrival.what.seed, arrival.what.is_seed ? " seed" : "",
                     arrival.what.force ? " forced" : ""));
    std::vector<frontier::Arrival> one;
    one.push_back(std::move(arrival));
    committer_->add_links(std::move(one));
  }
  const uint64_t taken = frontier_->stats().queued - before;
  dispatch();
  return taken;
}

Result<frontier::Erased> Engine::erase(const frontier::WaitingQuery& query, std::string_view what) {
  auto erased = frontier_->erase(query);
  if (!erased) {
    const ErrorCode code = erased.error().code;
    if (code == ErrorCode::not_found || code == ErrorCode::parse) return erased;  // the marker: nothing was done
    return broken(std::move(erased).error());
  }
  note(fmt::format("deletes {} URLs of {} hosts: {}", erased->urls, erased->hosts, what));
  dispatch();
  changed_.notify();
  return erased;
}

Result<void> Engine::order(const std::string& host, const frontier::Orders& orders) {
  if (auto done = frontier_->order(host, orders); !done) return broken(std::move(done).error());
  note(fmt::format("host {}: {}, {}, delay {}", host, orders.blocked ? "blocked" : "not blocked",
                   orders.retired ? "retired" : "not retired",
                   orders.delay ? format_duration(*orders.delay) : "as in the settings"));
  dispatch();
  changed_.notify();
  return {};
}

Result<uint64_t> Engine::wake(const std::string& host) {
  auto woken = frontier_->wake(host);
  if (!woken) return broken(std::move(woken).error());
  note(fmt::format("wakes {}: {} hosts", host.empty() ? "all" : host, *woken));
  dispatch();
  return woken;
}

Result<void> Engine::end_visit(const std::string& url) {
  const auto lease = frontier_->visit_of(url);
  if (!lease) return fail(ErrorCode::not_found, fmt::format("{} is not being visited", url));
  if (lease->kind != frontier::LeaseKind::url)
    return fail(ErrorCode::conflict, fmt::format("{} is a prerequisite: it ends by its own time-outs", url));
  lanes_[lease->partition % lanes_.size()]->end(lease->id);
  note(fmt::format("ends the visit of {} after {}", url::public_form(url), format_duration(lease->since)));
  return {};
}

}  // namespace caddis::crawl
