// The sites whose feeds a crawl polls, and all that it knows of them: a listener that learns what becomes of their URLs,
// and a participant that keeps that in the same group. So after a death no item is lost, and none is captured again.
//
// Every URL that follows from a poll is counted when the frontier accepts it, and again when its visit is over for good,
// or it is deleted or dropped. Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/commit/participant.h"
#include "caddis/crawl/feed_rows.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/feeds/feed_site.h"
#include "caddis/feeds/settings.h"
#include "caddis/frontier/scheduled_url.h"
#include "caddis/store/kv.h"

namespace caddis::url {
class Url;
}
namespace caddis::visit {
struct FeedOrigin;
}

namespace caddis::crawl {

class FeedBook final : public commit::CommitParticipant, public DispositionListener, public ScheduleListener {
 public:
  using Sites = std::map<std::string, KeptFeedSite, std::less<>>;
  // How a URL is scheduled; and who hears of failures: how often in a row.
  struct Hooks {
    std::function<Result<frontier::ScheduledUrl>(const url::Url& url)> form;
    std::function<void(std::string_view site, std::string_view feed, const feeds::FeedState& state)> on_failure;
    std::function<void(std::string_view text)> log;
  };

  // Both must outlive the book.
  FeedBook(store::Kv& kv, const Clock& clock) : kv_(kv), clock_(clock) {}
  void set_hooks(Hooks hooks) { hooks_ = std::move(hooks); }
  void follow(const feeds::FeedSettings& settings);

  const Sites& sites() const { return sites_; }
  // A site that has not ended.
  bool has_active() const;
  const feeds::SiteRules& rules() const { return rules_; }

  // All sites of that source: others of it end. Returns the names that another source has, which stay as they are.
  std::vector<std::string> replace(FeedSource source, const std::vector<feeds::SitePlan>& plans);
  // ErrorCode::conflict if another source has the name.
  Result<void> check_source(FeedSource source, std::string_view name) const;
  // One site of it; the same error.
  Result<void> put(FeedSource source, const feeds::SitePlan& plan);
  // ErrorCode::not_found if that source has no such site.
  Result<void> remove(FeedSource source, std::string_view name);

  // The site is new here, but was polled before, by another crawl: that was its newest item. Nothing if it is known.
  void adopt(const std::string& site, const std::string& feed, int64_t newest);

  // Rounds that are over end, and the feeds of those that are due are to be scheduled.
  std::vector<frontier::ScheduledUrl> poll();
  // The next round of the site begins as soon as the present one is over. ErrorCode::not_found.
  Result<void> ask_for_poll(std::string_view name);
  // When the next round may begin; nothing if all sites wait for visits.
  std::optional<WallTime> next_round() const;

  Result<void> open(store::StreamSet& streams) override;
  void on_final(visit::VisitResult& result) override;
  void add_links(const visit::VisitResult& result, std::vector<frontier::ScheduledUrl>& links) override;
  void on_removed(const frontier::Candidate& candidate) override;
  void on_offered(std::span<const frontier::ScheduledUrl> urls) override;
  void on_new(std::span<const uint64_t> fingerprints) override { (void)fingerprints; }
  void on_answered(std::span<const frontier::ScheduleAnswer> answers) override;
  void stage(commit::CommitGroup& group) override;

 private:
  // A URL that was offered to the frontier, and follows from a feed.
  struct Offered {
    size_t place = 0;
    std::string site;
    uint64_t round = 0;
    bool is_derived = false;
  };
  feeds::FeedSite* find(std::string_view name);
  void touch(const std::string& name) { changed_sites_.insert(name); }
  void read_feed_visit(const visit::VisitResult& result, const visit::FeedOrigin& origin, feeds::FeedSite& site);
  void feed_failed(const visit::FeedOrigin& origin, feeds::FeedSite& site, std::string why);
  void tell_failure(const std::string& name, const std::string& feed, const feeds::FeedSite& site);
  void keep(std::string_view site, std::string_view feed, uint64_t round, const std::vector<feeds::NewLink>& links);
  void begin_round(const std::string& name, feeds::FeedSite& site, bool is_asked,
                   std::vector<frontier::ScheduledUrl>& urls);
  void log(std::string_view text) const;

  store::Kv& kv_;
  const Clock& clock_;
  Hooks hooks_;
  feeds::SiteRules rules_;
  Sites sites_;
  std::vector<frontier::ScheduledUrl> found_;  // by the visit that is being told
  std::vector<Offered> offered_;
  std::set<std::string> changed_sites_, asked_;
  std::set<std::pair<std::string, std::string>> changed_feeds_;
};

}  // namespace caddis::crawl
