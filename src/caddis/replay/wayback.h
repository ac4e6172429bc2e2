// The wayback machine: answers every request of `caddis serve`.
//
//   /                                       collections
//   /-/<asset>, /-/go?collection=&url=      its own files; where the search form leads
//   /<collection>/                          a collection: search, pages
//   /<collection>/cdx?url=…                 CDX query API (cdx/query.h); /<collection>/cdx/search/cdx
//                                           and /<collection>?url=… in other dialects
//   /cdx/search/cdx, /wayback/available, /web/…   over all collections (archive_api.h)
//   /<collection>/timegate/<url>            Memento TimeGate; also /<collection>/<url>
//   /<collection>/timemap/link|cdxj|json/<url>
//   /<collection>/*/<url>                   calendar, and "<url>*" the URLs that begin so
//   /<collection>/<timestamp><modifier>/<url>   replay (address.h)
//
// A captured page is shown inside a page of ours (frame_page.h), under a host of its collection's own (origins.h).
// There only replay is answered, so that no captured script reads the archive's own pages or another collection. A
// request for anything else that comes from a replayed page (its Referer) is led back into the archive: pages build
// root addresses in scripts. Answers carry a content security policy under which nothing leaves the archive.
//
// handle() may be called from several threads. It reads files and blocks meanwhile.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/control/asked_crawl.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/replay/address.h"
#include "caddis/replay/collection.h"
#include "caddis/replay/origins.h"

namespace caddis::replay {

struct RequestContext;

class Wayback {
 public:
  // `ask_crawl` asks a crawl that runs why a URL is not there yet (control::ask); without it none is asked.
  Wayback(io::Files& files, std::vector<std::unique_ptr<Collection>> collections, Origins origins,
          decltype(control::AskingWorld::ask) ask_crawl = {});

  http::ServerResponse handle(const http::ServerRequest& request);

  const std::vector<std::unique_ptr<Collection>>& collections() const { return collections_; }

 private:
  http::ServerResponse answer(const Place& place, const http::ServerRequest& request) const;
  http::ServerResponse answer_own_place(const Place& place, std::string_view target,
                                        const http::ServerRequest& request) const;
  http::ServerResponse answer_captures_place(const Place& place, std::string_view target,
                                             const http::ServerRequest& request) const;
  http::ServerResponse answer_keyed(const Place& place, std::string_view rest,
                                    const http::ServerRequest& request) const;
  Collection* find(std::string_view name) const;
  http::ServerResponse answer_start() const;
  http::ServerResponse answer_asset(std::string_view rest, const http::ServerRequest& request) const;
  http::ServerResponse answer_go(const http::ServerRequest& request) const;
  http::ServerResponse answer_collection(Collection& collection) const;
  http::ServerResponse answer_in(const Place& place, Collection& collection, std::string_view rest,
                                 const http::ServerRequest& request) const;
  http::ServerResponse answer_replay(const RequestContext& context, const Address& address) const;
  // A capture that is opened in a window under an IPv6 address.
  http::ServerResponse answer_ipv6_window(const Place& place, const http::ServerRequest& request) const;
  // Nothing if the request does not come from a page of this place.
  std::optional<std::string> address_of_stray(std::string_view target, const http::ServerRequest& request) const;
  RequestContext own_context(const Place& place, Collection& collection, const http::ServerRequest& request) const;
  RequestContext captures_context(const Place& place, Collection& collection, const http::ServerRequest& request) const;
  RequestContext keyed_context(const Place& place, Collection& collection, const http::ServerRequest& request) const;

  io::Files& files_;
  std::vector<std::unique_ptr<Collection>> collections_;
  Origins origins_;
  const decltype(control::AskingWorld::ask) ask_crawl_;
};

}  // namespace caddis::replay
