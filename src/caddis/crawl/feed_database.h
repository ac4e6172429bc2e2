// A database of people in which sites of feeds are named, and in which a crawl writes what it knows of them
// (docs/formats/feeds-db.md; the tables of CrawlRSS under names of our own). Tables that are missing are made.
//
// Calls block, but not for ever: no statement takes longer than it may, and whoever has lost patience interrupts. One thread
// at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/crawl/feed_rows.h"
#include "caddis/feeds/site_plan.h"

namespace caddis::sql {
class Database;
}

namespace caddis::crawl {

// The figures of a site that the crawl writes: the values of columns, as text.
struct FeedSiteFigures {
  struct Feed {
    std::string uri, most_recently_seen, last_digest, last_fetch, trouble;
    uint64_t items = 0, failures = 0;
  };
  std::string name, state, last_feed_update, next_poll;
  uint64_t in_progress = 0, items = 0;
  std::vector<Feed> feeds;
  static FeedSiteFigures of(const feeds::FeedSite& site);
};

// The sites that it reads.
struct NamedFeedSites {
  std::vector<feeds::SitePlan> plans;
  // By site and feed: the date of the newest item that was seen, seconds since 1970; of those that have one.
  std::map<std::string, std::map<std::string, int64_t>> newest;
  std::vector<std::string> wrong;  // rows that are no sites: why
};

class FeedDatabase {
 public:
  static constexpr std::chrono::seconds kLongestStatement{10};

  // `address`: sql/connection.h. Opens nothing yet.
  explicit FeedDatabase(std::string address, std::chrono::milliseconds longest_statement = kLongestStatement);
  ~FeedDatabase();

  const std::string& address() const { return address_; }
  // In one transaction each. An error says what the database says.
  Result<void> write(const std::vector<FeedSiteFigures>& figures);
  Result<NamedFeedSites> read();
  // Any thread: a call that waits for a server fails. One that connects waits as long as the address says (connect_timeout).
  void interrupt();
  // Any thread: how many statements were answered so far, by which a long call is told from one that hangs.
  uint64_t answered() const { return answered_; }

 private:
  Result<void> open();

  const std::string address_;
  const std::chrono::milliseconds longest_statement_;
  std::mutex mutex_;                         // of the pointer: `interrupt` comes from elsewhere
  std::unique_ptr<sql::Database> database_;  // null until it is opened
  bool has_tables_ = false;
  std::atomic<uint64_t> answered_ = 0;
};

}  // namespace caddis::crawl
