// What the handlers of one request share. Lives on the stack of Wayback::handle.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/cdx/query.h"
#include "caddis/control/asked_crawl.h"
#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/pages/pages.h"
#include "caddis/replay/address.h"
#include "caddis/replay/collection.h"
#include "caddis/replay/destination.h"
#include "caddis/replay/headers.h"
#include "caddis/replay/memento.h"
#include "caddis/replay/origins.h"
#include "caddis/replay/served_rules.h"

namespace caddis::replay {

class MissedResources;
struct WaybackOptions;

using AskCrawl = decltype(control::AskingWorld::ask);

struct RequestContext {
  io::Files& files;
  // How a crawl of the collection that runs is asked; empty: it is not.
  const AskCrawl& ask_crawl;
  // As the viewer sees it: what access rules hide is not in it.
  Collection& collection;
  const http::ServerRequest& request;
  MementoBase memento;
  Place place;
  // Where addresses of captures begin, in links of this response: "/<collection>/", or "/~<key>/<collection>/", below the
  // server's base path.
  std::string prefix;
  // Where they begin for the frame in a page of ours: "//<host>/<collection>/", or "/~<key>/<collection>/",
  // with the base path.
  std::string captures;
  Confinement confinement;     // of captured pages in this response
  const SeenCollection& seen;  // `collection`, with the rules by which it is seen
  pages::Writer writer;        // of the archive's own pages, for this reader
  MissedResources& missed;
  const WaybackOptions& options;  // how the archive is shown
  // The other collections as the viewer sees them.
  std::function<std::vector<std::shared_ptr<Collection>>()> see_others;
  // All collections, whole, whatever of them is hidden: for payloads alone (stored.h).
  const std::vector<std::shared_ptr<Collection>>& whole;

  // "/<collection>/", below the base path.
  std::string own_prefix() const { return place.base + '/' + collection.name() + '/'; }
  // `prefix` as requests have it, of which the base path was taken off.
  std::string_view asked_prefix() const { return std::string_view(prefix).substr(place.base.size()); }
  // Whether captures of this collection have a host, for this client.
  bool captures_have_host() const { return captures.starts_with("//"); }
};

// A response of the archive itself, in HTML, confined.
http::ServerResponse own_page(int status, std::string html);
http::ServerResponse redirect_to(int status, std::string location);
// A page that tells why an answer failed before anything of it was sent (cdxserver::refusal_of_body).
http::ServerResponse failed_body_page(const pages::Writer& writer, const Error& error);

// replay_page.cc: the capture nearest to an address.
http::ServerResponse replay(const RequestContext& context, const Address& address);
// The same for a proxy: as it was captured, under its own address.
http::ServerResponse replay_as_captured(const RequestContext& context, const Address& address);
// Memento-Datetime and Link, with all its neighbours.
void add_memento(const RequestContext& context, const cdx::Capture& capture, http::ServerResponse& response);
// memento_answers.cc; `rest` is what stands behind "/<collection>/timemap/".
http::ServerResponse answer_timemap(const RequestContext& context, std::string_view rest);
http::ServerResponse answer_timegate(const RequestContext& context, std::string_view url, Modifier modifier);
// lists.cc
http::ServerResponse answer_cdx(const RequestContext& context, cdx::Dialect dialect);
// As OpenWayback asks an index (cdxserver/xml_query.h).
http::ServerResponse answer_xml(const RequestContext& context);
http::ServerResponse answer_captures(const RequestContext& context, const Address& address);
http::ServerResponse answer_urls(const RequestContext& context, const Address& address);
// Says in a field of the answer which other servers did not answer, so that their captures are missing in it.
void tell_incomplete(const RequestContext& context, http::ServerResponse& response);
// Why captures that there are cannot be shown, in words, each once.
struct Unshown {
  std::vector<std::string> problems;
  bool is_for_now = false;  // one of them may be read at another time

  int status() const { return is_for_now ? 503 : 404; }
  std::string_view title() const { return is_for_now ? "title-not-now" : "title-missing"; }
};
// A person is told why, and what there is instead; the missing image of a page gets its 404 at no cost.
http::ServerResponse answer_missing(const RequestContext& context, std::string_view url, Modifier modifier,
                                    Unshown unshown);

}  // namespace caddis::replay
