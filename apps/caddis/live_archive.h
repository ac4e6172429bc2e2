// Archives that are shown beside the one of the server, in its words and under a host of their own: each has one capture,
// just fetched from the live web, or none.
//
// Immutable, any thread.
#pragma once

#include <memory>
#include <utility>

#include "caddis/replay/live_collection.h"
#include "caddis/replay/origins.h"
#include "caddis/replay/wayback.h"
#include "served_archive.h"

namespace caddis::cli {

class LiveArchive {
 public:
  // `options` and `origins` are those of the server, for the live web alone.
  LiveArchive(replay::WaybackOptions options, replay::Origins origins)
      : options_(std::move(options)), origins_(std::move(origins)) {}

  // `fetched` may be null.
  std::shared_ptr<const ServedArchive> with(const replay::FetchedCapture* fetched) const;
  const replay::Origins& origins() const { return origins_; }
  bool is_frameless() const { return options_.is_frameless; }

 private:
  const replay::WaybackOptions options_;
  const replay::Origins origins_;
};

}  // namespace caddis::cli
