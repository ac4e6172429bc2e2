// The digest indexes of what was captured before a crawl: of the other indexes of its collection, and of what
// dedup.against names. One that is missing, or older than the index it was made of, is made anew.
//
//   <collection>/indexes/<launch>.digests   beside the index, when a crawl ends (crawl/results.h) or here
//   <launch>/state/known/                   of indexes that lie elsewhere
//
// Belongs to the crawl's loop; it blocks.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/dedup/index_key.h"

namespace caddis::io {
class Files;
}  // namespace caddis::io
namespace caddis::collection {
struct Launch;
}  // namespace caddis::collection

namespace caddis::dedup {

class KnownOriginals;

struct EarlierCaptures {
  const std::vector<std::string>& against;  // what dedup.against names
  IndexKey key;                             // of the collection's indexes; digest indexes of others are refused
};

// Adds them in order: those of the collection first. ErrorCode::config if something that `against` names cannot be
// used; what is wrong with indexes of the collection is put into `notices`, and the crawl goes without them.
Result<void> add_earlier_digests(io::Files& files, const collection::Launch& launch, const EarlierCaptures& earlier,
                                 KnownOriginals& known, std::vector<std::string>& notices);

}  // namespace caddis::dedup
