#include "caddis/crawl/url_intake.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "caddis/config/scope_line.h"
#include "caddis/config/seeds.h"
#include "caddis/crawl/action_file.h"
#include "caddis/crawl/commit_path.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/crawl/meta_rows.h"
#include "caddis/crawl/recovery_line.h"
#include "caddis/crawl/request_line.h"
#include "caddis/crawl/scheduled_url.h"
#include "caddis/crawl/seed_rows.h"
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
      policy_(settings_->keys.crawl) {}

Result<frontier::ScheduledUrl> UrlForms::of(const url::Url& url) {
  TRY(frontier::ScheduledUrl scheduled, make_scheduled_url(url, identity_, policy_));
  scheduled.order = effective_.of(url).order;
  return scheduled;
}

Result<frontier::ScheduledUrl> UrlForms::of(std::string_view text) {
  TRY(const url::Url url, config::parse_seed(text));
  return of(url);
}

// A GET with headers has the key of its URL, and is made all the same.
Result<std::optional<frontier::ScheduledUrl>> UrlForms::of_request(std::string_view line, bool asks_scope) {
  TRY(const RequestLine parsed, parse_request_line(line));
  TRY(const url::Url url, config::parse_seed(parsed.url));
  if (!url.is_http()) return fail(ErrorCode::parse, "requests are of http and https alone");
  if (asks_scope && !is_in_scope(url, "", "")) return std::optional<frontier::ScheduledUrl>();
  TRY(frontier::ScheduledUrl scheduled, of(url));
  TRY_VOID(ask_by(parsed.request, url, identity_, policy_, scheduled));
  scheduled.candidate.force = parsed.request.method == "GET";
  return std::optional(std::move(scheduled));
}

Result<std::optional<frontier::ScheduledUrl>> UrlForms::of(const RecoveryLine& line, const ActionName& action) {
  if (action.kind == ActionKind::requests) return of_request(line.url, action.asks_scope);
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
  TRY(frontier::ScheduledUrl scheduled, make_scheduled_url(url, state_.identity, state_.settings.keys().crawl));
  scheduled.order = state_.effective->of(url).order;
  return scheduled;
}

Result<frontier::ScheduledUrl> UrlIntake::form_of(const url::Url& url, const frontier::Attributes& attributes) const {
  TRY(frontier::ScheduledUrl scheduled, form_of(url));
  scheduled.candidate.attributes = attributes;
  if (const auto request = visit::UrlRequest::of(scheduled.candidate))
    TRY_VOID(ask_by(*request, url, state_.identity, state_.settings.keys().crawl, scheduled));
  return scheduled;
}

Result<frontier::ScheduledUrl> UrlIntake::form_of(std::string_view text) const {
  TRY(const url::Url url, config::parse_seed(text));
  return form_of(url);
}

// A part of them at a time, since the frontier looks for links that belong together.
TakenUrls UrlIntake::take_seeds(std::vector<frontier::ScheduledUrl> seeds, std::string_view origin) {
  constexpr size_t kAtOnce = 100;
  TakenUrls taken;
  for (size_t begin = 0; begin < seeds.size(); begin += kAtOnce) {
    const size_t end = std::min(begin + kAtOnce, seeds.size());
    std::vector<frontier::ScheduledUrl> some(std::make_move_iterator(seeds.begin() + static_cast<ptrdiff_t>(begin)),
                                             std::make_move_iterator(seeds.begin() + static_cast<ptrdiff_t>(end)));
    if (auto done = take_some_seeds(std::move(some), origin, taken); !done) {
      path_.committer.fail(done.error());
      break;
    }
  }
  return taken;
}

void UrlIntake::take_scope_lines(const std::vector<config::ScopeLine>& lines) {
  for (const config::ScopeLine& line : lines) {
    if (line.narrows)
      state_.scope->narrow(line.prefix);
    else
      state_.scope->widen(line.prefix);
    path_.outputs.meta().put(std::string(line.narrows ? kNarrowingRow : kSurtRow) + line.prefix, "");
  }
}

// Their addresses are looked up anew: as seeds they may be connected to where they may not have been before.
Result<void> UrlIntake::take_some_seeds(std::vector<frontier::ScheduledUrl> seeds, std::string_view origin,
                                        TakenUrls& taken) {
  struct Name {
    std::string url, shown;
    bool is_forced;
  };
  std::vector<Name> names;
  bool allows_addresses = false;
  for (const frontier::ScheduledUrl& seed : seeds) {
    names.push_back({seed.candidate.url, seed.candidate.seed, seed.candidate.force});
    const auto url = url::Url::parse(seed.candidate.url);
    if (!url) continue;
    state_.scope->add_seed(*url);
    allows_addresses |= state_.addresses.take_seed(*url);
    TRY_VOID(state_.frontier->admin().look_up_again(seed.host));
  }
  if (allows_addresses) state_.frontier->admin().recheck_refused();
  const Answers answers = path_.ledger.schedule(std::move(seeds));
  count(answers, taken);
  for (size_t i = 0; i < answers.size(); ++i) {
    const bool is_taken = answers[i] == frontier::ScheduleAnswer::accepted;
    std::optional<std::string> before;
    // One that is visited for it was never heard of: nobody has to look, millions of times.
    if (!is_taken || names[i].is_forced) {
      TRY(before, path_.outputs.seeds().origin(names[i].url));
    }
    const bool was_removed = before && *before == kRemovedSeed;
    if (!before || *before == kFoundSeed || was_removed) path_.outputs.seeds().put(names[i].url, origin);
    if (!before) state_.statistics.seeds().add(names[i].shown, !is_taken);
    if (was_removed) {
      TRY(const SeedFate fate, state_.statistics.seeds().of(*state_.kv, kStatistics, names[i].shown));
      state_.statistics.seeds().name_again(names[i].shown, fate);
    }
  }
  return {};
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
  std::vector<frontier::ScheduledUrl> seeds;
  for (frontier::ScheduledUrl& url : urls) {
    if (url.candidate.is_seed) {
      seeds.push_back(std::move(url));
      continue;
    }
    some.push_back(std::move(url));
    if (some.size() == kAtOnce) count(path_.ledger.schedule(std::exchange(some, {})), taken);
  }
  if (!some.empty()) count(path_.ledger.schedule(std::move(some)), taken);
  const TakenUrls as_seeds = take_seeds(std::move(seeds), kOperatorSeed);
  taken.urls += as_seeds.urls;
  taken.over_budget += as_seeds.over_budget;
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
  std::vector<frontier::ScheduledUrl> seeds;
  for (const std::string& text : state_.settings.now().crawl.seeds) {
    const auto seed = config::parse_seed(text);
    if (!seed) {
      state_.statistics.seeds().add_unusable(text);
      continue;
    }
    TRY(const auto known, path_.outputs.seeds().origin(seed->href()));
    if (known) continue;
    TRY(frontier::ScheduledUrl scheduled, form_of(*seed));
    scheduled.candidate.is_seed = true;
    seeds.push_back(std::move(scheduled));
  }
  take_seeds(std::move(seeds), kGivenSeed);
  return {};
}

}  // namespace caddis::crawl
