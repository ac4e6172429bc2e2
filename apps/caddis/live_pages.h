// The pages of a recorder that fills its collection while it is shown: what the archive has not is fetched from the live
// web, recorded, and then shown as any capture.
//
//   /<collection>/record/<url>              fetches and records it, and leads to the capture
//   /<collection>/<timestamp><modifier>/<url>   the same if there is no capture of it
//
// Only for those who may change the archive (archive_door.h), and for its own pages and what people type: a stranger's
// page may not have things fetched. A few are fetched at once, the others wait. One loop.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "archive_door.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/server.h"
#include "caddis/url/url.h"
#include "fetch_turns.h"

namespace caddis::cli {

class LivePages {
 public:
  // Returns when it is in the archive.
  using Fetch = std::function<aio::Task<Result<void>>(const http::ServerRequest& asked, url::Url url, std::string via)>;
  LivePages(aio::Loop& loop, Fetch fetch) : loop_(loop), fetch_(std::move(fetch)), turns_(loop) {}

  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request, const ArchiveDoor& archive);

 private:
  aio::Task<http::ServerResponse> record(const http::ServerRequest& request, const ArchiveDoor& archive,
                                         std::string collection, std::string text);
  aio::Task<Result<void>> fetch(const http::ServerRequest& request, url::Url url, std::string via);
  aio::Task<http::ServerResponse> ask_until_there(const http::ServerRequest& request, const http::Handler& replay);

  aio::Loop& loop_;
  const Fetch fetch_;
  FetchTurns turns_;
};

}  // namespace caddis::cli
