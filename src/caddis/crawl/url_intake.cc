#include "caddis/crawl/url_intake.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "caddis/config/seeds.h"
#include "caddis/crawl/action_file.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

void count(const std::vector<frontier::ScheduleAnswer>& answers, TakenUrls& taken) {
  for (const frontier::ScheduleAnswer answer : answers) {
    if (answer == frontier::ScheduleAnswer::accepted)
      ++taken.urls;
    else if (answer != frontier::ScheduleAnswer::duplicate)
      ++taken.over_budget;
  }
}

}  // namespace

UrlForms::UrlForms(std::shared_ptr<const SettingsSnapshot> settings, const scope::Scope& scope,
                   frontier::Identity identity)
    : settings_(std::move(settings)),
      effective_(settings_->resolver),
      scope_(scope),
      identity_(identity),
      policy_(settings_->settings.crawl.crawl_key) {}

Result<frontier::ScheduledUrl> UrlForms::of(const url::Url& url) {
  TRY(frontier::ScheduledUrl scheduled, make_scheduled_url(url, identity_, policy_));
  scheduled.order = effective_.of(url).order;
  return scheduled;
}

Result<frontier::ScheduledUrl> UrlForms::of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  return of(url);
}

Result<std::optional<frontier::ScheduledUrl>> UrlForms::of(const RecoveryLine& line, const ActionName& action) {
  TRY(const url::Url url, config::parse_seed(line.url));
  if (action.asks_scope && !is_in_scope(url, line.hops, line.via)) return std::optional<frontier::ScheduledUrl>();
  TRY(frontier::ScheduledUrl scheduled, of(url));
  if (!line.via.empty()) {
    TRY(const url::Url via, url::Url::parse(line.via));
    scheduled.candidate.via = via.href();
  }
  scheduled.candidate.hops = line.hops;
  scheduled.candidate.is_seed = action.kind == ActionKind::seeds;
  scheduled.candidate.force = action.kind == ActionKind::force;
  return std::optional(std::move(scheduled));
}

bool UrlForms::is_in_scope(const url::Url& url, std::string_view hops, std::string_view via) {
  return scope_.decide({url, hops, via, false, effective_.of(url).scope.get()}).accepted;
}

UrlForms UrlIntake::forms() const { return {state_.settings.snapshot(), *state_.scope, state_.identity}; }

Result<frontier::ScheduledUrl> UrlIntake::form_of(const url::Url& url) const {
  TRY(frontier::ScheduledUrl scheduled,
      make_scheduled_url(url, state_.identity, state_.settings.now().crawl.crawl_key));
  scheduled.order = state_.effective->of(url).order;
  return scheduled;
}

Result<frontier::ScheduledUrl> UrlIntake::form_of(std::string_view text) const {
  TRY(const url::Url url, config::parse_seed(text));
  return form_of(url);
}

// Its addresses are looked up anew: as a seed it may be connected to where it may not have been before.
UrlIntake::Answers UrlIntake::take_seed(frontier::ScheduledUrl scheduled) {
  if (const auto seed = url::Url::parse(scheduled.candidate.url)) {
    state_.scope->add_seed(*seed);
    if (state_.addresses.take_seed(*seed)) state_.frontier->admin().recheck_refused();
  }
  if (auto done = state_.frontier->admin().look_up_again(scheduled.host); !done) {
    path_.committer.fail(done.error());
    return {};
  }
  path_.outputs.meta().put(std::string(kSeedRow) + scheduled.candidate.url, "operator");
  return schedule_seed(std::move(scheduled));
}

UrlIntake::Answers UrlIntake::schedule_seed(frontier::ScheduledUrl seed) {
  const std::string name = seed.candidate.seed;
  state_.statistics.seeds().add(name);
  std::vector<frontier::ScheduledUrl> one;
  one.push_back(std::move(seed));
  Answers answers = path_.ledger.schedule(std::move(one));
  if (std::ranges::find(answers, frontier::ScheduleAnswer::accepted) == answers.end())
    state_.statistics.seeds().mark_known(name);
  return answers;
}

// A forced URL that waits already is taken out of its queue: it is visited once, where it is put now.
Result<void> UrlIntake::take_out_forced(std::vector<frontier::ScheduledUrl>& urls) {
  std::set<std::string> all;
  std::erase_if(urls, [&](const frontier::ScheduledUrl& url) {
    return url.candidate.force && !all.insert(url.candidate.url).second;
  });
  std::map<std::string, std::set<std::string>> known;
  for (const frontier::ScheduledUrl& url : urls) {
    if (!url.candidate.force) continue;
    TRY(const bool seen, state_.seen.contains(url.fingerprint));
    if (seen) known[url.host].insert(url.candidate.url);
  }
  for (const auto& [host, forced] : known) {
    frontier::WaitingQuery query{.host = host};
    query.match = [&](const frontier::Candidate& waits) { return forced.contains(waits.url); };
    TRY_VOID(state_.frontier->admin().erase(query));
  }
  return {};
}

TakenUrls UrlIntake::take(std::vector<frontier::ScheduledUrl> urls) {
  if (auto done = take_out_forced(urls); !done) {
    path_.committer.fail(done.error());
    return {};
  }
  // The frontier looks for links that belong together: a short list at a time.
  constexpr size_t kAtOnce = 100;
  TakenUrls taken;
  std::vector<frontier::ScheduledUrl> some;
  for (frontier::ScheduledUrl& url : urls) {
    if (url.candidate.is_seed) {
      count(take_seed(std::move(url)), taken);
      continue;
    }
    some.push_back(std::move(url));
    if (some.size() == kAtOnce) count(path_.ledger.schedule(std::exchange(some, {})), taken);
  }
  if (!some.empty()) count(path_.ledger.schedule(std::move(some)), taken);
  return taken;
}

uint64_t UrlIntake::remember(const std::vector<frontier::ScheduledUrl>& urls) {
  std::vector<KnownUrl> known;
  for (const frontier::ScheduledUrl& one : urls) {
    const frontier::Candidate& candidate = one.candidate;
    known.push_back({one.fingerprint, {RecoveryLine::Event::included, candidate.url, candidate.hops, candidate.via}});
  }
  return path_.ledger.remember(known);
}

Result<void> UrlIntake::inject_seeds() {
  for (const std::string& text : state_.settings.now().crawl.seeds) {
    const auto seed = config::parse_seed(text);
    if (!seed) {
      state_.statistics.seeds().add_unusable(text);
      continue;
    }
    const std::string row = std::string(kSeedRow) + std::string(seed->href());
    TRY(const auto known, state_.kv->get(kMeta, row));
    if (known) continue;
    TRY(frontier::ScheduledUrl scheduled, form_of(*seed));
    scheduled.candidate.is_seed = true;
    if (!is_new_) TRY_VOID(state_.frontier->admin().look_up_again(scheduled.host));
    path_.outputs.meta().put(row, "given");
    schedule_seed(std::move(scheduled));
  }
  return {};
}

}  // namespace caddis::crawl
