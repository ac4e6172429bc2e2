// The collections that a server has open. Whoever opens a set of them is given those of the last set that are still the
// same, as they are, with what they keep in memory; only the others are opened. One that nobody holds any longer is closed.
//
//   CollectionPool pool(files, clock, "", "");
//   TRY(auto first, pool.open(collection_identities(files, {"all/a", "all/b"}), {}));
//   TRY(auto then, pool.open(collection_identities(files, {"all/a", "all/c"}), {}));   // a is that of `first`
//
// One thread at a time; it blocks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"
#include "caddis/sources/source_file.h"

namespace caddis::replay {

// The identity of what lies at the path of a collection: that of a folder, which shows by itself what changes in it; of a
// package or another file also its size.
std::string collection_identity(io::Files& files, const std::string& path);

using CollectionIdentities = std::map<std::string, std::string>;  // by path
CollectionIdentities collection_identities(io::Files& files, const std::vector<std::string>& paths);

class CollectionPool {
 public:
  // Called for each collection that is opened, before anybody else has it.
  using Prepare = std::function<Result<void>(Collection&)>;

  // `launch` and `sources` are those of open_collections. `files` and `clock` outlive the collections.
  CollectionPool(io::Files& files, const Clock& clock, std::string launch, std::string sources)
      : files_(files), clock_(clock), launch_(std::move(launch)), sources_(std::move(sources)) {}

  // The collections at these paths, in the order of paths. One that is open with the wanted identity is given as it is,
  // whatever lies at its path by now: a folder may just be put in its place. ErrorCode::config if two of them would have one
  // name, and whatever opening them or `prepare`, which may be empty, says.
  Result<std::vector<std::shared_ptr<Collection>>> open(const CollectionIdentities& wanted, const Prepare& prepare);

 private:
  struct Open {
    std::string identity;
    std::weak_ptr<Collection> collection;  // gone when the last one who holds it lets it go
  };

  Result<std::shared_ptr<Collection>> open_anew(const std::string& path, sources::SourceOpener& opener) const;

  io::Files& files_;
  const Clock& clock_;
  const std::string launch_, sources_;
  std::map<std::string, Open> open_;  // by path
};

}  // namespace caddis::replay
