#include "live_archive.h"

#include <vector>

#include "caddis/base/clock.h"
#include "caddis/io/files.h"

namespace caddis::cli {

std::shared_ptr<const ServedArchive> LiveArchive::with(const replay::FetchedCapture* fetched) const {
  std::vector<std::shared_ptr<replay::Collection>> collections;
  collections.push_back(replay::live_collection(io::real_files(), system_clock(), "The live web", fetched));
  auto archive = std::make_shared<ServedArchive>();
  archive->base = origins_.base();
  archive->wayback = std::make_unique<replay::Wayback>(io::real_files(), std::move(collections), origins_,
                                                       decltype(control::AskingWorld::ask)(), options_);
  return archive;
}

}  // namespace caddis::cli
