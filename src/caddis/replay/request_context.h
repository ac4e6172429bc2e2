// What the handlers of one request share. Lives on the stack of Wayback::handle.
#pragma once

#include <string>
#include <string_view>

#include "caddis/http/server.h"
#include "caddis/io/files.h"
#include "caddis/replay/address.h"
#include "caddis/replay/collection.h"
#include "caddis/replay/memento.h"

namespace caddis::replay {

struct RequestContext {
  io::Files& files;
  Collection& collection;
  const http::ServerRequest& request;
  MementoBase memento;

  // "/<collection>/"
  std::string prefix() const { return '/' + collection.name() + '/'; }
};

// A response of the archive itself, in HTML, confined.
http::ServerResponse own_page(int status, std::string html);
http::ServerResponse redirect_to(int status, std::string location);

// replay_page.cc: the capture nearest to an address.
http::ServerResponse replay(const RequestContext& context, const Address& address);
// lists.cc
http::ServerResponse answer_cdx(const RequestContext& context);
// `rest` is what stands behind "/<collection>/timemap/".
http::ServerResponse answer_timemap(const RequestContext& context, std::string_view rest);
http::ServerResponse answer_timegate(const RequestContext& context, std::string_view url, Modifier modifier);
http::ServerResponse answer_captures(const RequestContext& context, const Address& address);
http::ServerResponse answer_urls(const RequestContext& context, const Address& address);
// A person is told why, and what there is instead; the missing image of a page gets its 404 at no cost.
http::ServerResponse answer_missing(const RequestContext& context, std::string_view url, Modifier modifier,
                                    std::vector<std::string> problems);

}  // namespace caddis::replay
