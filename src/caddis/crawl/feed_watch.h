// Polls the feeds of sites while the crawl runs: begins their rounds when they are due, takes sites from the settings,
// from operators and from a database, and tells of feeds that fail. What it knows is the FeedBook's.
//
// Belongs to the crawl's loop.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/aio/event.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/feeds/site_plan.h"

namespace caddis::aio {
class Blocking;
}  // namespace caddis::aio

namespace caddis::crawl {

class EventLog;
class FeedBook;
class FeedDatabase;
struct NamedFeedSites;
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

  // Reads the database as often as the settings say, and writes to it, until `close`.
  aio::Task<void> follow_database();
  void close();

  // Whether there is something to poll, for which the crawl waits when nothing else is left.
  bool keeps_crawl_open() const;
  // "the next poll of a feed is due in 5m"; empty if there is none.
  std::string waits_for() const;

  const FeedBook& book() const { return book_; }
  // --- of operators. Changes are in force at once, and kept with the next group.
  // Plans that are sound: all or none. `replaces`: sites that operators have named before, and that are not among them,
  // end. ErrorCode::conflict if another source names one of them.
  Result<void> put(std::vector<feeds::SitePlan> plans, bool replaces);
  Result<void> remove(std::string_view name);
  Result<void> poll_now(std::string_view name);

 private:
  void follow_settings();
  void allow(const std::vector<feeds::SitePlan>& plans);
  // Returns false if the database was given up.
  aio::Task<bool> ask_database();
  aio::Blocking& worker();
  void take(const NamedFeedSites& named);
  void tell_once(std::string trouble);
  aio::Task<void> rest(Duration how_long);

  const Parts parts_;
  FeedBook& book_;
  std::shared_ptr<const SettingsSnapshot> followed_;
  std::unique_ptr<FeedDatabase> database_;  // null if the settings name none
  std::unique_ptr<aio::Blocking> worker_;   // its own: nothing else waits for a database. Null: none was asked yet
  aio::Event changed_;
  std::string told_;                                          // the trouble with the database that was told last
  std::set<std::pair<std::string, std::string>> told_feeds_;  // sites and feeds that fail, of which that was told
  bool is_closed_ = false;
};

}  // namespace caddis::crawl
