// The wayback machine: answers every request of `caddis serve`.
//
//   /                                       collections
//   /-/<asset>, /-/go?collection=&url=      its own files; where the search form leads
//   /<collection>/                          a collection: search, pages
//   /<collection>/cdx?url=…                 CDX query API (cdx/query.h)
//   /<collection>/timegate/<url>            Memento TimeGate; also /<collection>/<url>
//   /<collection>/timemap/link|cdxj|json/<url>
//   /<collection>/*/<url>                   calendar, and "<url>*" the URLs that begin so
//   /<collection>/<timestamp><modifier>/<url>   replay (address.h)
//
// A request for anything else that comes from a replayed page (its Referer) is led back into the archive: pages build
// root addresses in scripts. Answers carry a content security policy under which nothing leaves the archive.
//
// handle() may be called from several threads. It reads files and blocks meanwhile.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

class Wayback {
 public:
  Wayback(io::Files& files, std::vector<std::unique_ptr<Collection>> collections);

  http::ServerResponse handle(const http::ServerRequest& request);

  const std::vector<std::unique_ptr<Collection>>& collections() const { return collections_; }

 private:
  http::ServerResponse answer(const http::ServerRequest& request) const;
  Collection* find(std::string_view name) const;
  http::ServerResponse answer_start() const;
  http::ServerResponse answer_own(std::string_view rest, const http::ServerRequest& request) const;
  http::ServerResponse answer_go(const http::ServerRequest& request) const;
  http::ServerResponse answer_collection(Collection& collection) const;
  http::ServerResponse answer_in(Collection& collection, std::string_view rest,
                                 const http::ServerRequest& request) const;
  http::ServerResponse answer_stray(std::string_view target, const http::ServerRequest& request) const;

  io::Files& files_;
  std::vector<std::unique_ptr<Collection>> collections_;
};

}  // namespace caddis::replay
