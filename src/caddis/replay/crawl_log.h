// Why a URL is not in the archive, from the crawl logs of its collection (Heritrix's format: 12 fields separated by
// blanks, the 2nd the fetch status, the 4th the URL).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/io/files.h"

namespace caddis::replay {

struct LoggedVisit {
  std::string launch;  // name of the crawl's folder
  std::string time;    // as logged
  int status = 0;      // HTTP status, or Heritrix's negative code
  std::string annotations;
};

struct LogSearch {
  std::vector<LoggedVisit> visits;  // latest last
  bool complete = true;  // the log was searched as far as needed; otherwise there was no time for its older part
};
// The last visits of exactly this URL in a launch's logs/crawl.log. Searches it from its end, until `until`.
LogSearch find_in_crawl_log(io::Files& files, const std::string& launch, std::string_view url, const Clock& clock,
                            SteadyTime until);

// "the site's robots.txt forbids it", for -9998.
std::string_view words_for_status(int status);

}  // namespace caddis::replay
