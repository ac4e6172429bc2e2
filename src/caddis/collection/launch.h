// One launch of a crawl: its files in the collection, as far as others than the crawl read them, and the launches that a
// collection has.
//
//   <collection>/crawls/<crawl>-<timestamp14>/{crawl.yaml, action/, logs/, reports/, state/}
//
// A launch begins when its crawl.yaml is written; a folder without one died before.
#pragma once

#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/collection/layout.h"
#include "caddis/io/files.h"

namespace caddis::collection {

struct Launch {
  std::string collection;  // its folder
  std::string name;        // "<crawl>-<timestamp14>"

  Layout layout() const { return Layout(collection); }
  std::string index() const { return layout().index_of(name); }
  std::string folder() const { return layout().crawls() + "/" + name; }
  std::string crawl_log() const { return folder() + "/logs/crawl.log"; }

  // Readable for its owner only.
  std::string state() const { return folder() + "/state"; }
  // The key-value store.
  std::string store() const { return state() + "/db"; }
  std::string seen_log() const { return state() + "/seen"; }
  std::string cdx_journal() const { return state() + "/cdx-journal"; }
  // What was cut off streams by a recovery.
  std::string orphans() const { return state() + "/orphans"; }
};

// The folders in `crawls`, as launches, begun or not, oldest first; none if there is no such folder.
Result<std::vector<Launch>> launch_folders(io::Files& files, const Layout& layout);

}  // namespace caddis::collection
