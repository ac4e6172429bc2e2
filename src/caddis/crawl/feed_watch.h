// Polls the feeds of sites while the crawl runs: begins their rounds when they are due, takes sites from the settings,
// from operators and from a database, and tells of feeds that fail. What it knows is the FeedBook's.
//
// Belongs to the crawl's loop.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/feeds/site_plan.h"

namespace caddis::crawl {

class EventLog;
class FeedBook;
class Lifecycle;
class LimitEnforcer;
class UrlIntake;
struct CommitPath;
struct CrawlState;
struct SettingsSnapshot;
struct World;

class FeedWatch {
 public:
  // All of it must outlive the watch.
  struct Parts {
    const World& world;
    CrawlState& state;
    Lifecycle& lifecycle;
    LimitEnforcer& limits;
    CommitPath& path;
    UrlIntake& intake;
    EventLog& log;
  };
  explicit FeedWatch(Parts parts);
  ~FeedWatch();

  // Takes the sites of the settings; before the crawl runs.
  Result<void> open();
  // Once a second. Returns whether URLs have come in.
  bool tick();

  // Whether there is something to poll, for which the crawl waits when nothing else is left.
  bool keeps_crawl_open() const;
  // "the next poll of a feed is due in 5m"; empty if there is none.
  std::string waits_for() const;

  const FeedBook& book() const { return book_; }
  // --- of operators. Changes are in force at once, and kept with the next group.
  Result<void> put(feeds::SitePlan plan);
  Result<void> remove(std::string_view name);
  Result<void> poll_now(std::string_view name);

 private:
  void follow_settings();
  void allow(const std::vector<feeds::SitePlan>& plans);

  const Parts parts_;
  FeedBook& book_;
  std::shared_ptr<const SettingsSnapshot> followed_;
};

}  // namespace caddis::crawl
