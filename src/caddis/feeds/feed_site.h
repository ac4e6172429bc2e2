// One site whose feeds are polled: its states, what is still to be done of the last poll, and which items are new.
//
//   waiting ── is_due, begin_round ──► crawling ── finish_round: all is done ──► waiting
//      ▲                                  │ replace_plan
//      └────────────────────────────── updating ── finish_round: the new plan holds
//   ended: from any of them, by `end`
//
// A round begins with the fetch of all feeds that do not back off. It is over when every URL that followed from it has
// been answered for good. Pure: no clock, no I/O; times are the wall clock's, so that they hold over restarts. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/feeds/feed.h"
#include "caddis/feeds/feed_state.h"
#include "caddis/feeds/site_plan.h"

namespace caddis::feeds {

enum class SiteStatus : uint8_t { waiting, crawling, updating, ended };
std::string_view to_string(SiteStatus status);

// The settings that hold for all sites (settings.h).
struct SiteRules {
  Duration min_wait{}, max_wait{}, max_back_off{}, longest_round{};
  bool updated_items = true, adaptive = false;
};

// The facts of a site that survive the process, beside its plan and its feeds.
struct SiteFacts {
  SiteStatus status = SiteStatus::waiting;
  uint64_t round = 0;        // number of the last poll; 0: there was none
  uint64_t in_progress = 0;  // URLs of it that are not answered
  WallTime round_began{}, round_ended{};
  WallTime next{};      // when the next may begin, as the last one ended; 0: at once
  Duration interval{};  // the present one, if adaptive; 0: the least
  uint64_t found_in_round = 0, found = 0, implied = 0, derived = 0, captured = 0, failed = 0, cut_rounds = 0;
  uint64_t lost_redirects = 0;  // items whose redirects lead to nothing that is fetched; of those that failed
  std::vector<std::string> implied_in_round;  // pages
};

// A URL that follows from the items of a feed.
struct NewLink {
  std::string url;
  bool is_implied = false;
  bool is_forced = true;  // captured though it was seen
};

class FeedSite {
 public:
  explicit FeedSite(SitePlan plan) : plan_(std::move(plan)) {}
  // As it was kept.
  FeedSite(SitePlan plan, SiteFacts facts, std::map<std::string, FeedState> feeds)
      : plan_(std::move(plan)), facts_(std::move(facts)), feeds_(std::move(feeds)) {}

  const SitePlan& plan() const { return plan_; }
  // The one that holds when the round under way is over.
  const SitePlan& latest_plan() const { return next_plan_ ? *next_plan_ : plan_; }
  const SiteFacts& facts() const { return facts_; }
  // Null for a feed that was never fetched.
  const FeedState* feed(std::string_view url) const;

  // From now on it is polled by that plan; if a round is under way, when that is over. Returns whether that changes
  // anything.
  bool replace_plan(const SitePlan& plan);
  void end();

  // The newest item of a feed that was never fetched here, but elsewhere: none that is older is captured when it is read
  // first. Returns whether that changes anything.
  bool adopt(const std::string& url, int64_t newest);

  // When the next round may begin; nothing while one is under way, or the site is not to be polled.
  std::optional<WallTime> next_round(const SiteRules& rules) const;
  // Begins a round that is due, or asked for; returns its feeds. One that an operator has asked for has those that back
  // off, too.
  std::vector<std::string> begin_round(WallTime now, bool is_asked = false);
  // Ends the round under way if all is done, or it has taken too long. Returns its feeds of which nothing came, which have
  // failed; nothing if no round is over.
  std::optional<std::vector<std::string>> finish_round(WallTime now, const SiteRules& rules);
  // The wall clock was set back: waits are counted from now. Returns whether that changes anything.
  bool note_clock(WallTime now, const SiteRules& rules);

  // So many URLs of that round wait, besides; one is answered for good.
  void add_in_progress(uint64_t round, uint64_t urls, bool is_derived);
  void answered(uint64_t round, bool is_captured);
  // An item, or an implied page, whose redirect was not followed.
  void lost(uint64_t round);

  // --- what a feed's fetch has come to; the URL is that of the plan
  void feed_unchanged(const std::string& url, WallTime now);
  // Returns the new items and, if there are any, the implied pages, in the order in which they should be captured.
  std::vector<NewLink> feed_read(const std::string& url, const Feed& feed, FeedCapture capture, WallTime now,
                                 const SiteRules& rules);
  // Returns how often in a row it has failed.
  uint64_t feed_failed(const std::string& url, std::string why, WallTime now, const SiteRules& rules);

 private:
  Duration least_wait(const SiteRules& rules) const { return plan_.wait.value_or(rules.min_wait); }
  bool is_under_way() const { return facts_.status == SiteStatus::crawling || facts_.status == SiteStatus::updating; }
  void adapt(const SiteRules& rules);
  FeedState& succeed(const std::string& url, WallTime now);
  std::vector<ItemIndex> links_of_others(const std::string& url) const;
  void add_implied(const std::string& url, std::vector<NewLink>& links);

  SitePlan plan_;
  std::optional<SitePlan> next_plan_;
  SiteFacts facts_;
  std::map<std::string, FeedState> feeds_;  // by URL
};

}  // namespace caddis::feeds
