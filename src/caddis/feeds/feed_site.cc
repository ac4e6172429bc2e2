// Which items are new: those of a date beyond the newest that the feed has had; those without a date, or with an earlier
// one, if nothing of the site is known by their identity; and known ones whose date is newer than it was. An item that two
// feeds of a site name is new once.

#include "caddis/feeds/feed_site.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace caddis::feeds {
namespace {

constexpr unsigned kMostDoublings = 20;

int64_t seconds_of(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

WallTime after(WallTime time, Duration wait) { return std::chrono::time_point_cast<WallTime::duration>(time + wait); }

// Items that differ in their fragments are told apart, but are of one page.
uint64_t page_hash(std::string_view link) { return item_hash(link.substr(0, link.find('#'))); }

KnownItem known(const FeedItem& item) {
  const auto date = item.date();
  return {.identity = item_hash(item.id.empty() ? item.link : item.id),
          .link = item_hash(item.link),
          .date = date ? seconds_of(*date) : 0};
}

// Feeds that write the moment of the fetch as the date of every item: all that were known have another one.
bool dates_are_of_the_fetch(const ItemIndex& identities, const std::vector<KnownItem>& items) {
  constexpr int kEnough = 3;
  int same = 0, other = 0;
  for (const KnownItem& item : items) {
    const KnownItem* const before = find(identities, item.identity);
    if (before == nullptr || before->date == 0 || item.date == 0) continue;
    ++(before->date == item.date ? same : other);
  }
  return same == 0 && other >= kEnough;
}

// Another feed has it by a link that is the same, under a date that is as new. A feed without dates does not know of
// updates.
bool is_in_any(const std::vector<ItemIndex>& links, const KnownItem& item, bool is_update) {
  return std::ranges::any_of(links, [&](const ItemIndex& of_feed) {
    const KnownItem* const same = find(of_feed, item.link);
    if (same == nullptr) return false;
    return item.date == 0 || (same->date == 0 ? !is_update : item.date <= same->date);
  });
}

}  // namespace

std::string_view to_string(SiteStatus status) {
  switch (status) {
    case SiteStatus::waiting:
      return "waiting";
    case SiteStatus::crawling:
      return "crawling";
    case SiteStatus::updating:
      return "updating";
    case SiteStatus::ended:
      return "ended";
  }
  return "";
}

const FeedState* FeedSite::feed(std::string_view url) const {
  const auto found = feeds_.find(std::string(url));
  return found == feeds_.end() ? nullptr : &found->second;
}

bool FeedSite::replace_plan(const SitePlan& plan) {
  const bool was_ended = facts_.status == SiteStatus::ended;
  if (!was_ended && plan == latest_plan()) return false;
  if (is_under_way()) {
    next_plan_ = plan;
    facts_.status = SiteStatus::updating;
    return true;
  }
  plan_ = plan;
  next_plan_.reset();  // of the time before its end
  if (was_ended) facts_.status = facts_.in_progress == 0 ? SiteStatus::waiting : SiteStatus::crawling;
  return true;
}

std::optional<WallTime> FeedSite::next_round(const SiteRules& rules) const {
  if (facts_.status != SiteStatus::waiting || !plan_.active) return {};
  std::optional<WallTime> first;
  for (const FeedPlan& one : plan_.feeds) {
    const FeedState* const state = feed(one.url);
    const WallTime ready = state == nullptr ? WallTime() : state->not_before;
    first = first ? std::min(*first, ready) : ready;
  }
  if (!first) return {};
  if (facts_.round == 0) return *first;
  const Duration wait = rules.adaptive ? std::max(facts_.interval, least_wait(rules)) : least_wait(rules);
  return std::max(*first, after(facts_.round_began, wait));
}

std::vector<std::string> FeedSite::begin_round(WallTime now, bool is_asked) {
  ++facts_.round;
  facts_.status = SiteStatus::crawling;
  facts_.round_began = now;
  facts_.found_in_round = facts_.in_progress = 0;
  facts_.implied_in_round.clear();
  std::vector<std::string> urls;
  for (const FeedPlan& one : plan_.feeds) {
    const FeedState* const state = feed(one.url);
    if (!is_asked && state != nullptr && state->not_before > now) continue;
    feeds_[one.url].asked = facts_.round;
    urls.push_back(one.url);
  }
  return urls;
}

// Twice as often after new items; else half as often again.
void FeedSite::adapt(const SiteRules& rules) {
  const Duration least = least_wait(rules);
  const Duration before = std::max(facts_.interval, least);
  const Duration next = facts_.found_in_round > 0 ? before / 2 : before + before / 2;
  facts_.interval = std::clamp(next, least, std::max(least, rules.max_wait));
}

void FeedSite::end() {
  facts_.status = SiteStatus::ended;
  next_plan_.reset();
}

std::optional<std::vector<std::string>> FeedSite::finish_round(WallTime now, const SiteRules& rules) {
  if (!is_under_way()) return {};
  const bool is_late = rules.longest_round > Duration(0) && now - facts_.round_began >= rules.longest_round;
  if (facts_.in_progress > 0 && !is_late) return {};
  const bool is_cut = facts_.in_progress > 0;
  facts_.cut_rounds += is_cut ? 1 : 0;
  facts_.in_progress = 0;
  std::vector<std::string> failed;
  for (const FeedPlan& one : plan_.feeds) {
    const FeedState& state = feeds_[one.url];
    if (state.asked != facts_.round || state.answered == facts_.round) continue;
    feed_failed(one.url, is_cut ? "no answer came in time" : "its redirects lead to nothing that is fetched", now,
                rules);
    failed.push_back(one.url);
  }
  facts_.round_ended = now;
  facts_.status = SiteStatus::waiting;
  adapt(rules);
  if (next_plan_) plan_ = *std::exchange(next_plan_, std::nullopt);
  facts_.next = next_round(rules).value_or(WallTime());
  return failed;
}

bool FeedSite::adopt(const std::string& url, int64_t newest) {
  FeedState& state = feeds_[url];
  if (state.fetches > 0 || state.asked > 0 || state.newest >= newest) return false;
  state.newest = newest;
  return true;
}

bool FeedSite::note_clock(WallTime now, const SiteRules& rules) {
  bool is_changed = false;
  if (facts_.round_began > now) facts_.round_began = now, is_changed = true;
  const WallTime latest = after(now, std::max(least_wait(rules), rules.max_back_off));
  for (auto& [url, state] : feeds_)
    if (state.not_before > latest) state.not_before = latest, is_changed = true;
  return is_changed;
}

void FeedSite::add_in_progress(uint64_t round, uint64_t urls, bool is_derived) {
  if (is_derived) facts_.derived += urls;
  if (round == facts_.round && is_under_way()) facts_.in_progress += urls;
}

void FeedSite::lost(uint64_t round) {
  ++facts_.lost_redirects;
  answered(round, false);
}

void FeedSite::answered(uint64_t round, bool is_captured) {
  ++(is_captured ? facts_.captured : facts_.failed);
  if (round == facts_.round && facts_.in_progress > 0) --facts_.in_progress;
}

FeedState& FeedSite::succeed(const std::string& url, WallTime now) {
  FeedState& state = feeds_[url];
  ++state.fetches;
  state.answered = facts_.round;
  state.last_fetch = now;
  state.failures_in_row = 0;
  state.trouble.clear();
  state.not_before = WallTime();
  return state;
}

void FeedSite::feed_unchanged(const std::string& url, WallTime now) { ++succeed(url, now).unchanged; }

std::vector<ItemIndex> FeedSite::links_of_others(const std::string& url) const {
  std::vector<ItemIndex> links;
  for (const auto& [other, state] : feeds_)
    if (other != url) links.push_back(by_link(state.items));
  return links;
}

std::vector<NewLink> FeedSite::feed_read(const std::string& url, const Feed& feed, FeedCapture capture, WallTime now,
                                         const SiteRules& rules) {
  FeedState& state = succeed(url, now);
  state.capture = std::move(capture);
  state.title = feed.title;
  state.form = std::string(to_string(feed.kind)) + (feed.version.empty() ? "" : " " + feed.version);
  std::vector<KnownItem> items;
  std::vector<NewLink> links;
  items.reserve(feed.items.size());
  for (const FeedItem& item : feed.items) items.push_back(known(item));
  const ItemIndex identities = by_identity(state.items), own_links = by_link(state.items);
  std::optional<std::vector<ItemIndex>> other_links;  // only if there are new items
  const bool is_undated = dates_are_of_the_fetch(identities, items);
  const int64_t newest_before = state.newest, present = seconds_of(now);
  const bool is_adopted = state.items.empty() && newest_before > 0;
  std::map<uint64_t, size_t> pages;  // of this document, which are captured once, with their places among the links
  for (size_t i = 0; i < items.size(); ++i) {
    KnownItem& item = items[i];
    if (feed.items[i].link.empty()) continue;
    const KnownItem* const before = find(identities, item.identity);
    const KnownItem* const same_link = find(own_links, item.link);
    bool is_new = false, is_update = false, is_forced = true;
    if (before == nullptr && same_link != nullptr && (item.date == 0 || is_undated || item.date <= same_link->date)) {
      // another identity for what was captured
    } else if (is_adopted && item.date > 0 && item.date <= newest_before) {
      // captured by whoever has read it before
    } else if (before == nullptr) {
      is_new = true;
      is_forced = item.date == 0 || item.date > newest_before;
    } else if (before->link != item.link && same_link == nullptr) {
      is_new = true;
      is_forced = false;
    } else if (!is_undated && rules.updated_items) {
      is_new = is_update = before->date != 0 && item.date > before->date;
    }
    // A date in the future does not keep later items from being new.
    if (item.date > 0) state.newest = std::max(state.newest, std::min(item.date, present));
    if (!is_new) continue;
    const uint64_t page = page_hash(feed.items[i].link);
    if (const auto known = pages.find(page); known != pages.end()) {
      links[known->second].is_forced |= is_forced;
      continue;
    }
    if (!other_links) other_links = links_of_others(url);
    if (is_in_any(*other_links, item, is_update)) continue;
    pages.emplace(page, links.size());
    links.push_back({feed.items[i].link, false, is_forced});
  }
  if (!items.empty()) remember(state, std::move(items));
  if (links.empty()) return links;
  state.found += links.size();
  state.last_found = now;
  facts_.found += links.size();
  facts_.found_in_round += links.size();
  add_implied(url, links);
  return links;
}

// Before the items: they change soonest.
void FeedSite::add_implied(const std::string& url, std::vector<NewLink>& links) {
  const auto plan = std::ranges::find(plan_.feeds, url, &FeedPlan::url);
  if (plan == plan_.feeds.end()) return;
  std::vector<NewLink> pages;
  for (const std::string& page : plan->implied_pages) {
    if (std::ranges::find(facts_.implied_in_round, page) != facts_.implied_in_round.end()) continue;
    facts_.implied_in_round.push_back(page);
    pages.push_back({page, true, true});
  }
  facts_.implied += pages.size();
  links.insert(links.begin(), pages.begin(), pages.end());
}

uint64_t FeedSite::feed_failed(const std::string& url, std::string why, WallTime now, const SiteRules& rules) {
  FeedState& state = feeds_[url];
  ++state.fetches;
  state.answered = facts_.round;
  ++state.failures;
  ++state.failures_in_row;
  state.trouble = std::move(why);
  state.last_failure = now;
  const uint64_t doublings = std::min<uint64_t>(state.failures_in_row - 1, kMostDoublings);
  const Duration least = least_wait(rules);
  const Duration most = std::max(least, rules.max_back_off);
  Duration wait = least;
  for (uint64_t i = 0; i < doublings && wait < most; ++i) wait *= 2;
  // The first failure costs no poll: the next one is due then anyway.
  state.not_before = after(facts_.round_began, std::min(wait, most));
  return state.failures_in_row;
}

}  // namespace caddis::feeds
