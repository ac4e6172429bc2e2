// The wayback machine: answers every request of `caddis serve`.
//
//   /                                       collections
//   /-/<asset>, /-/go?collection=&url=      its own files; where the search form leads
//   /-/language?to=&back=, /-/search?url=   another language; all collections together
//   /<collection>/                          a collection, or an aggregate of several (aggregate.h): search, pages
//   /<collection>/cdx?url=…                 CDX query API (cdx/query.h); /<collection>/cdx/search/cdx
//                                           and /<collection>?url=… in other dialects
//   /cdx/search/cdx, /wayback/available, /collinfo.json, /web/…   over all collections (archive_api.h)
//   /<collection>/timegate/<url>            Memento TimeGate; also /<collection>/<url>
//   /<collection>/timemap/link|cdxj|json/<url>
//   /<collection>/*/<url>                   calendar, and "<url>*" the URLs that begin so
//   /<collection>/search|export|info|compare|qa?…   own_routes.h
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

#include "caddis/cdxserver/query_answer.h"
#include "caddis/control/asked_crawl.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/pages/pages.h"
#include "caddis/replay/address.h"
#include "caddis/replay/collection.h"
#include "caddis/replay/fuzzy.h"
#include "caddis/replay/missed.h"
#include "caddis/replay/origins.h"
#include "caddis/replay/served_rules.h"
#include "caddis/replay/viewer_keys.h"

namespace caddis::replay {

struct RequestContext;

// The keys that people were given, and the resources that their pages missed: both stay when collections come and go, and
// another Wayback takes the place of this one.
struct WaybackMemory {
  // The arguments are those of ViewerKeys.
  WaybackMemory(std::string secret, const Clock& clock, Standing standing)
      : keys(std::move(secret), clock, std::move(standing)) {}
  ViewerKeys keys;
  MissedResources missed;
};

// How the archive is shown.
struct WaybackOptions {
  std::shared_ptr<const pages::Pages> pages = pages::Pages::plain();
  FuzzyRules fuzzy = FuzzyRules::standard();
  std::shared_ptr<ServedRules> rules;     // who may see what; null: everybody sees all
  std::shared_ptr<WaybackMemory> memory;  // its keys are of the secret of the Origins; null: one of its own
  Standing standing;                      // of those who are logged in, for a memory of its own; empty: it is not known
  // Windows show captures themselves, without the page around them, under the captures' host. Clients for which there is
  // none get frames all the same.
  bool is_frameless = false;
  // Captures are those of live_collection.h: they are no mementos, and a redirect to their own key is followed.
  bool is_live = false;
  cdxserver::AnswerLimits limits;  // of one answer about captures
};

// Whether a path is one of the files that pages are made with. They say nothing of the archive, so nobody has to log in
// for them.
bool is_page_file(std::string_view path);

class Wayback {
 public:
  // `ask_crawl` asks a crawl that runs why a URL is not there yet (control::ask); without it none is asked.
  Wayback(io::Files& files, std::vector<std::shared_ptr<Collection>> collections, Origins origins,
          decltype(control::AskingWorld::ask) ask_crawl = {}, WaybackOptions options = {});

  // `viewer` without an address has that of the request. Of the request the base path was taken off (base_path.h).
  http::ServerResponse handle(const http::ServerRequest& request, viewing::Viewer viewer = {});

  // For a request outside of the base path: 404, but for what captured pages ask for by root addresses.
  http::ServerResponse answer_outside(const http::ServerRequest& request) const;

  const std::vector<std::shared_ptr<Collection>>& collections() const { return collections_; }
  // The writer of pages for whoever sent the request. `user` is named, and can log out if there is a log-in: for the own pages
  // alone, since captured pages may read what stands in others.
  pages::Writer writer_for(const http::ServerRequest& request, const std::string& user = {}) const;

  // For a proxy (proxy_replay.h). A capture as it was, nothing rewritten; `collection` empty: the nearest of all; of
  // those equally near that of the first.
  http::ServerResponse answer_proxied(const http::ServerRequest& request, std::string_view collection,
                                      const Address& address) const;
  // The files that own pages load: "/-/<name>".
  http::ServerResponse answer_own_file(const http::ServerRequest& request, std::string_view name) const;

 private:
  http::ServerResponse answer(const Place& place, const http::ServerRequest& request) const;
  http::ServerResponse answer_own_place(const Place& place, std::string_view target,
                                        const http::ServerRequest& request) const;
  http::ServerResponse answer_web(const Place& place, std::string_view asked, const http::ServerRequest& request) const;
  http::ServerResponse answer_captures_place(const Place& place, std::string_view target,
                                             const http::ServerRequest& request) const;
  http::ServerResponse answer_keyed(const Place& place, std::string_view rest,
                                    const http::ServerRequest& request) const;
  Collection* find(std::string_view name) const;
  http::ServerResponse answer_start(const Place& place, const pages::Writer& writer) const;
  http::ServerResponse answer_asset(const Place& place, std::string_view rest,
                                    const http::ServerRequest& request) const;
  // The answer to a question about all collections at once (archive_api.h).
  std::optional<http::ServerResponse> answer_all_api(const Place& place, const http::ServerRequest& request) const;
  // Without aggregates, whose members they are.
  std::vector<SeenCollection> see_all(const Place& place) const;
  http::ServerResponse answer_search_in_all(const Place& place, const pages::Writer& writer,
                                            std::string_view query) const;
  http::ServerResponse answer_go(const http::ServerRequest& request) const;
  http::ServerResponse answer_collection(Collection& collection, const pages::Writer& writer) const;
  // A replayed page asked for what is not there.
  void note_missed(const Place& place, const http::ServerRequest& request, const http::ServerResponse& response) const;
  http::ServerResponse answer_in(const Place& place, Collection& collection, std::string_view rest,
                                 const http::ServerRequest& request) const;
  http::ServerResponse answer_about(const RequestContext& context, std::string_view rest) const;
  http::ServerResponse answer_replay(const RequestContext& context, const Address& address) const;
  // Nothing if the request does not come from a page of this place.
  std::optional<std::string> address_of_stray(std::string_view target, const http::ServerRequest& request) const;
  SeenCollection see_in(const Place& place, Collection& collection) const;
  RequestContext own_context(const Place& place, const SeenCollection& seen, const http::ServerRequest& request) const;
  RequestContext captures_context(const Place& place, const SeenCollection& seen,
                                  const http::ServerRequest& request) const;
  RequestContext keyed_context(const Place& place, const SeenCollection& seen,
                               const http::ServerRequest& request) const;

  io::Files& files_;
  std::vector<std::shared_ptr<Collection>> collections_;
  Origins origins_;
  const decltype(control::AskingWorld::ask) ask_crawl_;
  const WaybackOptions options_;
  const std::shared_ptr<WaybackMemory> memory_;  // never null
};

}  // namespace caddis::replay
