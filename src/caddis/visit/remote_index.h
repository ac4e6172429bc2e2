// An index of captures on another machine that is asked for originals: a CDX server such as OutbackCDX or pywb.
//
//   GET <base>?url=<URL>&limit=1000     answered with lines of CDX or CDXJ, as the server writes them by itself
//
// It can be asked by URL alone: it finds what is of the same URL, or has the same key there. Few calls are in flight at
// once, each has a time limit. One that does not answer is left alone for a while, and the crawl goes on without it.
//
// Belongs to its lane's loop.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "caddis/aio/event.h"
#include "caddis/aio/task.h"
#include "caddis/dedup/original.h"
#include "caddis/url/url.h"

namespace caddis::visit {

struct LaneTools;

class RemoteIndex {
 public:
  // `tools` outlive it. `timeout`: of one call.
  RemoteIndex(LaneTools& tools, url::Url base, Duration timeout);

  // The earliest capture with that payload. Both texts are of the visit that waits.
  aio::Task<std::optional<dedup::Match>> find(std::string digest, std::string url);

 private:
  struct Known {
    std::string digest;  // as in an index
    dedup::Original original;
  };
  using Lines = std::vector<Known>;

  bool is_away() const;
  aio::Task<std::optional<Lines>> ask(std::string url);
  aio::Task<Result<std::string>> call(std::string url);
  static Lines read(std::string_view text);
  void note(const Result<std::string>& answer);

  LaneTools& tools_;
  const url::Url base_;
  const Duration timeout_;
  aio::Event free_;
  unsigned in_flight_ = 0, failures_ = 0;
  std::optional<SteadyTime> away_until_;
  std::unordered_map<std::string, Lines> cache_;  // by URL
};

}  // namespace caddis::visit
