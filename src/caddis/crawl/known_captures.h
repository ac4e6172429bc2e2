// The captures that visits may refer to instead of storing a payload again, and ask servers about.
//
// Opened on the crawl's loop; any thread may ask.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/crawl/archive_history.h"
#include "caddis/dedup/earlier_digests.h"
#include "caddis/dedup/known_originals.h"

namespace caddis::crawl {

struct KnownCaptures {
  // Captures of the crawl itself (`own`, which must outlive this), of its collection, and of what `earlier` says.
  // ErrorCode::config if something of that cannot be read. `notices`: what people should know.
  static Result<std::unique_ptr<KnownCaptures>> open(io::Files& files, const collection::Launch& launch,
                                                     const dedup::EarlierCaptures& earlier, const dedup::Originals& own,
                                                     std::vector<std::string>& notices);

  dedup::KnownOriginals originals;
  std::unique_ptr<ArchiveHistory> history;
};

}  // namespace caddis::crawl
