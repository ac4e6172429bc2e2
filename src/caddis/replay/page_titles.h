// Titles of captures in lists: from the list of pages of their collection, of an aggregate from those of its members.
//
// One thread at a time.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "caddis/cdx/capture.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

class PageTitles {
 public:
  // The collection must outlive it. Lists are read once.
  explicit PageTitles(Collection& collection) : collection_(collection) {}
  // `capture`: one that the viewer may see. Returns nothing but text for people; empty if no list has a title.
  std::string of(const cdx::Capture& capture);

 private:
  Collection& collection_;
  std::map<const Collection*, std::shared_ptr<const PageList>> read_;  // by the holder of a capture
};

}  // namespace caddis::replay
