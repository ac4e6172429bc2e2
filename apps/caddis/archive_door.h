// An archive that is shown, and its door, for whoever answers in place of it. A plain record of one request: its functions
// live until that is answered, and belong to the loop of the site. The limits and the log of the site are outside of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/aio/task.h"
#include "caddis/http/server.h"

namespace caddis::cli {

struct ServedArchive;

struct ArchiveDoor {
  http::Handler replay;  // what anybody is answered
  // The same of another archive than that of the site, which is kept as long as the answer needs it.
  std::function<aio::Task<http::ServerResponse>(const http::ServerRequest& request,
                                                std::shared_ptr<const ServedArchive> other)>
      show;
  std::string base;  // the path below which the site stands; requests have it no more
  // Why whoever asks may not have the archive changed: if there are users, it takes an operator; otherwise, the request
  // has to be for one of this server's own names. Nothing for those who may.
  std::function<aio::Task<std::optional<http::ServerResponse>>(const http::ServerRequest& request)> refuse_change;
  std::function<bool(std::string_view collection)> serves;
};

}  // namespace caddis::cli
