// The plan of a repair: the damage to the files of a crawl, and what is done about it. A plain record: it may be printed
// and compared.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/store/seen.h"
#include "caddis/store/streams.h"

namespace caddis::repair {

// The operator's word about files of a crawl that are not there any more.
enum class MissingFiles {
  refused,  // none: whoever knows where they are has to say it
  moved,    // finished WARC files are kept elsewhere: their captures stand
  lost,     // what was in them is fetched again
};

// The price of going on, the least first.
enum class Remedy {
  none,
  told,      // what the operator has said of missing files
  lossless,  // what is gone is known, and done again
  losing,    // something is gone for good: captures of their time, lines of logs, known URLs
  unknown,   // nobody but the operator can say how to go on
};

struct RepairPlan {
  struct Back {
    uint64_t group = 0;  // the first that is taken back
    uint64_t groups = 0, visits = 0;
    store::StreamEnds place;
    bool operator==(const Back&) const = default;
  };
  struct Cut {
    store::ShortFile file;
    uint64_t length = 0;  // 0: nothing of it is whole
    bool operator==(const Cut&) const = default;
  };

  std::vector<store::ShortFile> damaged;  // all that hold less than is committed
  MissingFiles missing = MissingFiles::refused;
  std::vector<store::ShortFile> given_up;         // WARC files that are missing
  std::optional<Back> back;                       // all streams go back
  std::vector<Cut> cuts;                          // what is further back than that
  std::vector<std::string> urls;                  // of captures that are made again
  std::vector<std::string> requests;              // of captures that answered a POST, and are not made again
  std::map<std::string, uint64_t> lost_captures;  // up to where WARC files are whole, by their base names
  store::SeenDamage seen;

  // Missing files about which the operator has to say a word.
  std::vector<store::ShortFile> unanswered() const;
  // The log of the seen-set has lost rows in its midst.
  bool is_seen_torn() const;
  Remedy remedy() const;
  // Losses of the streams, and what is done about them, in sentences; for the report of the crawl, too.
  std::vector<std::string> losses() const;
  // Everything else that is done, in sentences.
  std::vector<std::string> remarks() const;
  // All that is found, and what is done about it. Empty if nothing is to be repaired.
  std::vector<std::string> sentences() const;
  bool operator==(const RepairPlan&) const = default;
};

// Why a crawl with these damages does not go on by itself, with the way out.
Error refusal(const RepairPlan& plan, const std::string& collection);

}  // namespace caddis::repair
