// The calendar of a URL: how many captures each day has, over all years, and the captures of a period as a table.
//
// Captures are counted as they come, however many there are; what is kept grows with the days on which there are any,
// and with the rows of the table.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/cdx/capture.h"
#include "caddis/cdx/query_run.h"
#include "caddis/http/server.h"
#include "caddis/pages/pages.h"

namespace caddis::replay {

inline constexpr size_t kCalendarRows = 500;  // captures in one page of the table

// `from` and `to` limit the period of the table, as prefixes of timestamps, and may be empty.
struct CalendarQuestion {
  std::string collection, url, from, to;
  bool is_exact = false;                                          // none of other URLs that share the key
  std::string posted_address = {};                                // of the answers to what was posted; empty: none
  std::string heading = {};                                       // of the collection, for people
  std::function<std::string(const cdx::Capture&)> title_of = {};  // as in RowOptions
};

class Calendar {
 public:
  explicit Calendar(CalendarQuestion question);

  // In order of time.
  void add(cdx::Capture capture);
  uint64_t count() const { return count_; }
  std::string write(const pages::Writer& writer) const;

 private:
  struct Day {
    uint64_t captures = 0;
    std::string timestamp, url;  // of the first; the URL only if it has another spelling than the one asked for
  };
  using Days = std::map<std::string, Day, std::less<>>;  // by 8 digits
  // A page of the table.
  struct Rows {
    std::vector<cdx::Capture> captures;
    size_t bytes = 0;
    std::string next;  // timestamp of the first capture that has no row in it
    void add(const cdx::Capture& capture);
  };

  // The captures in the table: as prefixes of timestamps, both empty for all.
  struct Period {
    std::string from, to;
  };
  bool is_last_year_listed() const;
  Period listed_period() const;
  std::string whole_period(const std::map<int, uint64_t>& years) const;
  bool is_in_period(std::string_view timestamp) const;
  bool has_period() const { return !question_.from.empty() || !question_.to.empty(); }
  std::string period_address(std::string_view period) const;
  std::string day_address(const std::string& date, const Day& day) const;
  std::vector<int> shown_years(const std::map<int, uint64_t>& years) const;
  pages::Data timeline(const std::map<int, uint64_t>& years, const std::vector<int>& shown) const;
  pages::Data month_grid(const pages::Writer& writer, int year, int month, const std::string& name,
                         const pages::Data& weekdays) const;

  CalendarQuestion question_;
  std::string normal_url_;
  uint64_t count_ = 0;
  Days days_;
  bool is_mixed_ = false;
  Rows rows_;
  // If no period is asked for: those of the last year, which stand in the table if it cannot hold all.
  std::string last_year_;
  Rows last_rows_;
};

// A page that is written when the query has ended. The query has to give all captures, those outside of the period too.
std::unique_ptr<http::BodySource> calendar_body(CalendarQuestion question, cdx::QueryRun run, pages::Writer writer);

}  // namespace caddis::replay
