// An item's way: the visit of a feed is told (on_final), its new items become links of that visit (add_links), the
// frontier answers (on_answered), and each visit that follows is told in its turn.

#include "caddis/crawl/feed_book.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "caddis/base/fetch_status.h"
#include "caddis/base/status_word.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/dedup/original_row.h"
#include "caddis/url/public_form.h"
#include "caddis/url/url.h"
#include "caddis/visit/feed_origin.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {
namespace {

using feeds::FeedSite;
using feeds::SiteStatus;
using visit::FeedOrigin;
using visit::FeedUrlKind;

bool is_redirected(const visit::VisitResult& result) {
  return std::ranges::any_of(result.links, [](const frontier::ScheduledUrl& link) {
    const auto origin = FeedOrigin::of(link.candidate);
    return origin && origin->kind == FeedUrlKind::feed;
  });
}

// The answer is a redirect, and none of its kind became a link: what it leads to is not fetched.
bool leads_nowhere(const visit::VisitResult& result, const FeedOrigin& origin) {
  if (!origin.is_given() || origin.kind == FeedUrlKind::feed) return false;
  if (!is_redirect(result.disposition.status)) return false;
  return std::ranges::none_of(result.links, [](const frontier::ScheduledUrl& link) {
    const auto next = FeedOrigin::of(link.candidate);
    return next && next->is_given();
  });
}

// The capture that later revisits refer to: always a response. If none was kept, the server is not asked about it: it
// might answer that it is unchanged.
feeds::FeedCapture capture_of(const visit::VisitResult& result, feeds::FeedCapture capture) {
  const auto& revisit = result.visited.back().entry.facts.revisit;
  if (revisit) {
    capture.date = revisit->date;
    // It is asked about by its own URL, and refers to that of the original only if they are the same.
    if (revisit->url != capture.url) capture.etag = capture.last_modified = "";
    return capture;
  }
  bool is_kept = false;
  for (const visit::Capture& one : result.captures) {
    if (one.url != capture.url) continue;
    is_kept = true;
    capture.date = std::chrono::floor<std::chrono::milliseconds>(one.date);  // as its record has it
    if (!one.original) continue;
    if (const auto original = dedup::read_row(one.original->second)) capture.record_id = original->record_id;
  }
  if (!is_kept) capture.etag = capture.last_modified = "";
  return capture;
}

}  // namespace

void FeedBook::follow(const feeds::FeedSettings& settings) {
  rules_ = {.min_wait = settings.min_wait,
            .max_wait = settings.max_wait,
            .max_back_off = settings.max_back_off,
            .longest_round = settings.longest_round,
            .updated_items = settings.updated_items,
            .adaptive = settings.adaptive};
}

void FeedBook::log(std::string_view text) const {
  if (hooks_.log) hooks_.log(text);
}

bool FeedBook::has_active() const {
  return std::ranges::any_of(sites_,
                             [](const auto& one) { return one.second.site.facts().status != SiteStatus::ended; });
}

FeedSite* FeedBook::find(std::string_view name) {
  const auto found = sites_.find(name);
  return found == sites_.end() ? nullptr : &found->second.site;
}

// --- which sites there are

Result<void> FeedBook::check_source(FeedSource source, std::string_view name) const {
  const auto known = sites_.find(name);
  if (known == sites_.end() || known->second.source == source) return {};
  if (known->second.site.facts().status == SiteStatus::ended) return {};
  return fail(ErrorCode::conflict, fmt::format("the site '{}' is named by the {} already; give it another name", name,
                                               to_string(known->second.source)));
}

Result<void> FeedBook::put(FeedSource source, const feeds::SitePlan& plan) {
  const auto known = sites_.find(plan.name);
  if (known == sites_.end()) {
    sites_.emplace(plan.name, KeptFeedSite{source, FeedSite(plan)});
    touch(plan.name);
    log(fmt::format("polls the feeds of {}: {}", plan.name, plan.feeds.size()));
    return {};
  }
  TRY_VOID(check_source(source, plan.name));
  known->second.source = source;
  if (known->second.site.replace_plan(plan)) {
    touch(plan.name);
    log(fmt::format("polls the feeds of {} otherwise from now on", plan.name));
  }
  return {};
}

Result<void> FeedBook::remove(FeedSource source, std::string_view name) {
  const auto known = sites_.find(name);
  if (known == sites_.end() || known->second.site.facts().status == SiteStatus::ended)
    return fail(ErrorCode::not_found, fmt::format("there is no site '{}'", name));
  if (known->second.source != source)
    return fail(ErrorCode::conflict, fmt::format("the site '{}' is named by the {}: take it away there", name,
                                                 to_string(known->second.source)));
  known->second.site.end();
  touch(known->first);
  log(fmt::format("polls the feeds of {} no more", name));
  return {};
}

std::vector<std::string> FeedBook::replace(FeedSource source, const std::vector<feeds::SitePlan>& plans) {
  std::vector<std::string> taken;
  std::set<std::string, std::less<>> named;
  for (const feeds::SitePlan& plan : plans) {
    named.insert(plan.name);
    if (!put(source, plan)) taken.push_back(plan.name);
  }
  std::vector<std::string> gone;
  for (const auto& [name, kept] : sites_)
    if (kept.source == source && kept.site.facts().status != SiteStatus::ended && !named.contains(name))
      gone.push_back(name);
  for (const std::string& name : gone) (void)remove(source, name);
  return taken;
}

void FeedBook::adopt(const std::string& site, const std::string& feed, int64_t newest) {
  FeedSite* const known = find(site);
  if (known == nullptr || !known->adopt(feed, newest)) return;
  changed_feeds_.emplace(site, feed);
}

// --- rounds

Result<void> FeedBook::ask_for_poll(std::string_view name) {
  const FeedSite* const site = find(name);
  if (site == nullptr || site->facts().status == SiteStatus::ended)
    return fail(ErrorCode::not_found, fmt::format("there is no site '{}'", name));
  asked_.insert(std::string(name));
  return {};
}

std::optional<WallTime> FeedBook::next_round() const {
  std::optional<WallTime> next;
  for (const auto& [name, kept] : sites_)
    if (const auto due = kept.site.next_round(rules_)) next = next ? std::min(*next, *due) : *due;
  return next;
}

std::vector<frontier::ScheduledUrl> FeedBook::poll() {
  const WallTime now = clock_.wall();
  std::vector<frontier::ScheduledUrl> urls;
  for (auto& [name, kept] : sites_) {
    FeedSite& site = kept.site;
    const SiteStatus before = site.facts().status;
    if (before == SiteStatus::ended) continue;
    if (site.note_clock(now, rules_)) touch(name);
    if (const auto failed = site.finish_round(now, rules_)) {
      touch(name);
      for (const std::string& feed : *failed) tell_failure(name, feed, site);
    }
    const bool is_asked = site.facts().status == SiteStatus::waiting && asked_.erase(name) > 0;
    const auto due = site.next_round(rules_);
    if (is_asked || (due && *due <= now)) begin_round(name, site, is_asked, urls);
  }
  return urls;
}

void FeedBook::begin_round(const std::string& name, FeedSite& site, bool is_asked,
                           std::vector<frontier::ScheduledUrl>& urls) {
  touch(name);
  for (const std::string& feed : site.begin_round(clock_.wall(), is_asked)) {
    changed_feeds_.emplace(name, feed);
    const auto url = url::Url::parse(feed);
    if (!url) continue;
    auto scheduled = hooks_.form(*url);
    if (!scheduled) {
      log(fmt::format("cannot poll {}: {}", feed, scheduled.error().message));
      continue;
    }
    FeedOrigin origin;
    origin.kind = FeedUrlKind::feed;
    origin.site = name;
    origin.round = site.facts().round;
    origin.feed = feed;
    if (const feeds::FeedState* const state = site.feed(feed)) origin.capture = state->capture;
    origin.put_into(scheduled->candidate);
    scheduled->candidate.force = true;
    scheduled->precedence = frontier::Precedence::first;
    urls.push_back(*std::move(scheduled));
  }
}

// --- what becomes of URLs

Result<void> FeedBook::open(store::StreamSet& /*streams*/) {
  TRY(sites_, read_feed_sites(kv_));
  return {};
}

void FeedBook::on_final(visit::VisitResult& result) {
  found_.clear();
  const frontier::Lease& lease = result.disposition.lease;
  if (sites_.empty() || lease.kind != frontier::LeaseKind::url) return;
  const auto origin = FeedOrigin::of(lease.candidate);
  FeedSite* const site = origin ? find(origin->site) : nullptr;
  if (site == nullptr) return;
  if (origin->kind == FeedUrlKind::feed) read_feed_visit(result, *origin, *site);
  constexpr int kFirstError = 400;
  const int status = result.disposition.status;
  if (leads_nowhere(result, *origin)) {
    site->lost(origin->round);
    log(fmt::format("an item of {} is lost: {} redirects to nothing that is fetched (feeds.hop-path)", origin->site,
                    lease.candidate.url));
  } else {
    site->answered(origin->round, status > 0 && status < kFirstError);
  }
  touch(origin->site);
}

void FeedBook::read_feed_visit(const visit::VisitResult& result, const FeedOrigin& origin, FeedSite& site) {
  const visit::FeedRead* const read = result.visited.back().feed.get();
  if (read == nullptr || !read->trouble.empty()) {
    if (is_redirected(result)) return;
    if (read != nullptr) return feed_failed(origin, site, read->trouble);
    const int status = result.disposition.status;
    return feed_failed(origin, site,
                       result.reason.empty() ? fmt::format("it was not fetched: {}", status_word(status))
                                             : fmt::format("it was not fetched: {}", result.reason));
  }
  changed_feeds_.emplace(origin.site, origin.feed);
  const WallTime now = clock_.wall();
  if (read->is_unchanged) return site.feed_unchanged(origin.feed, now);
  if (!read->feed) return feed_failed(origin, site, "it was not read");
  const auto links = site.feed_read(origin.feed, *read->feed, capture_of(result, read->capture), now, rules_);
  keep(origin.site, origin.feed, site.facts().round, links);
}

void FeedBook::feed_failed(const FeedOrigin& origin, FeedSite& site, std::string why) {
  site.feed_failed(origin.feed, std::move(why), clock_.wall(), rules_);
  tell_failure(origin.site, origin.feed, site);
}

void FeedBook::tell_failure(const std::string& name, const std::string& feed, const FeedSite& site) {
  changed_feeds_.emplace(name, feed);
  if (hooks_.on_failure) hooks_.on_failure(name, feed, *site.feed(feed));
}

// The URLs of items as links of the feed's visit.
void FeedBook::keep(std::string_view site, std::string_view feed, uint64_t round,
                    const std::vector<feeds::NewLink>& links) {
  for (const feeds::NewLink& link : links) {
    const auto url = url::Url::parse(link.url);
    if (!url) continue;
    auto scheduled = hooks_.form(*url);
    if (!scheduled) continue;
    frontier::Candidate& candidate = scheduled->candidate;
    candidate.via = feed;
    candidate.seed = feed;
    candidate.hops = "L";
    candidate.force = link.is_forced;
    FeedOrigin origin;
    origin.kind = link.is_implied ? FeedUrlKind::implied : FeedUrlKind::item;
    origin.site = site;
    origin.round = round;
    origin.put_into(candidate);
    scheduled->precedence = frontier::Precedence::first;
    found_.push_back(*std::move(scheduled));
  }
}

void FeedBook::add_links(const visit::VisitResult& /*result*/, std::vector<frontier::ScheduledUrl>& links) {
  for (frontier::ScheduledUrl& link : found_) links.push_back(std::move(link));
  found_.clear();
}

void FeedBook::on_removed(const frontier::Candidate& candidate) {
  if (sites_.empty()) return;
  const auto origin = FeedOrigin::of(candidate);
  FeedSite* const site = origin ? find(origin->site) : nullptr;
  if (site == nullptr) return;
  site->answered(origin->round, false);
  touch(origin->site);
}

void FeedBook::on_offered(std::span<const frontier::ScheduledUrl> urls) {
  offered_.clear();
  if (sites_.empty()) return;
  for (size_t i = 0; i < urls.size(); ++i) {
    auto origin = FeedOrigin::of(urls[i].candidate);
    if (origin) offered_.push_back({i, std::move(origin->site), origin->round, origin->kind == FeedUrlKind::derived});
  }
}

void FeedBook::on_answered(std::span<const frontier::ScheduleAnswer> answers) {
  for (const Offered& one : offered_) {
    if (answers[one.place] != frontier::ScheduleAnswer::accepted) continue;
    FeedSite* const site = find(one.site);
    if (site == nullptr) continue;
    site->add_in_progress(one.round, 1, one.is_derived);
    touch(one.site);
  }
  offered_.clear();
}

void FeedBook::stage(commit::CommitGroup& group) {
  for (const std::string& name : std::exchange(changed_sites_, {})) {
    const KeptFeedSite& kept = sites_.find(name)->second;
    group.batch().put(kMeta, feed_site_key(name), write_feed_site(kept.source, kept.site));
  }
  for (const auto& [name, feed] : std::exchange(changed_feeds_, {})) {
    const auto site = sites_.find(name);
    const feeds::FeedState* const state = site == sites_.end() ? nullptr : site->second.site.feed(feed);
    if (state != nullptr) group.batch().put(kMeta, feed_key(name, feed), write_feed(*state));
  }
}

}  // namespace caddis::crawl
