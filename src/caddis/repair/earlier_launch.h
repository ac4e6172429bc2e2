// Files of a launch that no crawl goes on with, since a later one has begun in its collection: they are looked after on their
// own. It is told what is gone; a word of the operator settles it, so that it is asked for no more.
//
// Nothing is fetched again by itself: the captures that were lost are named, as seeds for whoever crawls next. The state of
// such a launch is opened by nobody else, so the files of its frontier and of its known URLs do not count.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/repair/repair.h"
#include "caddis/repair/repair_plan.h"
#include "caddis/store/streams.h"

namespace caddis::repair {

struct EarlierDamage {
  std::string launch;                     // its name
  std::vector<store::ShortFile> damaged;  // archive files and logs that hold less than was committed
  std::vector<std::string> urls;          // of captures that stood in what is gone, sorted
  std::vector<std::string> requests;      // the same, of those that answered a POST and the like
  std::string why_unknown;                // why not all of these captures are known; empty: they are
};

// Reads only.
Result<EarlierDamage> inspect_earlier(const Subject& subject);
// True if it can be settled with this word of the operator.
bool can_settle(const EarlierDamage& damage, MissingFiles word);
// Sentences on what is gone, and the way out. Empty if nothing is.
std::vector<std::string> sentences(const EarlierDamage& damage, MissingFiles word);
// The list of captures that are lost: a URL a line.
std::string lost_urls_file(const collection::Launch& launch);
// Files are asked for no more; what was lost is written into the list, behind what earlier losses have put there. Returns what
// was done. ErrorCode::config if the word does not settle it. It may be done again after a death.
Result<std::vector<std::string>> settle(const Subject& subject, const EarlierDamage& damage, MissingFiles word);

}  // namespace caddis::repair
