// Why a URL is not in the archive, from the crawl logs of its collection (Heritrix's format: 12 fields separated by
// blanks, the 2nd the fetch status, the 4th the URL).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"

namespace caddis::replay {

struct LoggedVisit {
  std::string launch;  // name of the crawl's folder
  std::string time;    // as logged
  int status = 0;      // HTTP status, or Heritrix's negative code
  std::string annotations;
};

// Of one search.
struct LogSearch {
  std::vector<LoggedVisit> visits;  // latest last
  bool complete = true;  // the log was searched as far as needed; otherwise there was no time for its older part
};
// Looks for the last visits of exactly this URL in a launch's logs/crawl.log, from its end, a piece at a time.
class CrawlLogSearch {
 public:
  CrawlLogSearch(io::Files& files, const collection::Launch& launch, std::string_view url);
  // Searches one piece; true: the search has ended.
  bool step();
  // `complete` is false where the log could not be read, or the search has not ended.
  LogSearch& found() { return found_; }

 private:
  bool finish(bool complete);
  std::string launch_;  // the name of its folder
  std::string url_;
  std::unique_ptr<io::File> file_;
  uint64_t end_ = 0;  // what lies before it has not been searched
  std::string rest_;  // the end of a line whose beginning lies before
  LogSearch found_;
};

// All of it, until `until`.
LogSearch find_in_crawl_log(io::Files& files, const collection::Launch& launch, std::string_view url,
                            const Clock& clock, SteadyTime until);

// "the site's robots.txt forbids it", for -9998.
std::string_view words_for_status(int status);

}  // namespace caddis::replay
