// The folders of a new launch: made, kept private, and taken back if the crawl is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/io/files.h"

namespace caddis::collection {

// Who may read the files of a launch. Its state only its owner may read: it may hold secrets.
enum class Privacy {
  state,   // all but the state may be read by other users
  launch,  // all of the launch is its owner's: settings, logs, reports
};

// Makes the folders of a new launch. The name is made unique if two launches fall into one second.
Result<Launch> create_launch(io::Files& files, const std::string& collection, std::string_view crawl_name, WallTime now,
                             Privacy privacy = Privacy::state);
// For a launch that goes on: also what is made in it from now on by this process.
Result<void> keep_private(io::Files& files, const Launch& launch, Privacy privacy);
// For a launch that goes on: makes those of its folders that somebody has removed and that hold nothing it needs.
Result<void> make_missing_folders(io::Files& files, const Launch& launch);

// The folders of the collection that are not there yet, outermost first. To be asked before anything is made.
std::vector<std::string> missing_folders(io::Files& files, const std::string& collection);
// Undoes the beginning of a crawl that is refused: removes the launch (which may not have come to exist), those of the
// folders `made` that are empty, and the lock file if the caller holds the lock.
void take_back(io::Files& files, const Launch& launch, const std::vector<std::string>& made, bool holds_lock);

}  // namespace caddis::collection
