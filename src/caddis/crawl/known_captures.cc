#include "caddis/crawl/known_captures.h"

namespace caddis::crawl {

Result<std::unique_ptr<KnownCaptures>> KnownCaptures::open(io::Files& files, const collection::Launch& launch,
                                                           const dedup::EarlierCaptures& earlier,
                                                           const dedup::Originals& own,
                                                           std::vector<std::string>& notices) {
  auto known = std::make_unique<KnownCaptures>();
  known->originals.add(own);
  TRY_VOID(dedup::add_earlier_digests(files, launch, earlier, known->originals, notices));
  TRY(known->history, ArchiveHistory::open(files, launch, notices));
  return known;
}

}  // namespace caddis::crawl
