// The live web as it will replay: `caddis serve --live`. At each request below "/live/" a URL is fetched, rewritten as a
// capture is, and forgotten; nothing of it is stored.
//
//   /live/<url>, /live/<modifier>/<url>            leads to an address with the time of now
//   /live/<timestamp><modifier>/<url>              fetches it; the timestamp says nothing
//
// Addresses are those of a collection (replay/address.h), and captured pages are shown under a host of their own. A window
// fetches the page that its frame is to show, and keeps it for that: the request of the frame cannot be told from
// that of a stranger. Otherwise a stranger's page may have nothing fetched. A few are fetched at once, the others wait.
//
// One loop. No answer is a memento, nor kept by a browser.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "archive_door.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/http/exchange.h"
#include "caddis/http/server.h"
#include "caddis/url/url.h"
#include "fetch_turns.h"
#include "live_archive.h"

namespace caddis::cli {

class WebPreview {
 public:
  using Fetched = std::shared_ptr<const http::Exchange>;
  // `via`: the page that asks. All arguments live until it ends. ErrorCode::io, with words for people, if nothing came.
  using Fetch = std::function<aio::Task<Result<Fetched>>(const http::ServerRequest& asked, const url::Url& url,
                                                         const std::string& via)>;
  WebPreview(aio::Loop& loop, std::unique_ptr<LiveArchive> live, Fetch fetch);
  WebPreview(const WebPreview&) = delete;
  WebPreview& operator=(const WebPreview&) = delete;
  ~WebPreview();

  // Requests that are not below "/live/" are answered by the archive.
  aio::Task<http::ServerResponse> answer(const http::ServerRequest& request, const ArchiveDoor& archive);

 private:
  struct Held {
    std::string key;
    Fetched exchange;
    SteadyTime until;
  };
  aio::Task<http::ServerResponse> answer_live(const http::ServerRequest& request, const ArchiveDoor& archive,
                                              const replay::Place& place);
  // An answer in place of what was asked for, if there is to be one.
  aio::Task<std::optional<http::ServerResponse>> refuse(const http::ServerRequest& request, const ArchiveDoor& archive);
  aio::Task<Result<Fetched>> fetch(const http::ServerRequest& request, const url::Url& url, const std::string& via);
  Fetched take(const std::string& key);
  void hold(std::string key, Fetched exchange);
  void drop_old();

  aio::Loop& loop_;
  const std::unique_ptr<LiveArchive> live_;
  const std::shared_ptr<const ServedArchive> nothing_;
  const Fetch fetch_;
  FetchTurns turns_;
  std::deque<Held> held_;  // for frames, the oldest first
  std::optional<aio::Loop::TimerId> timer_;
};

}  // namespace caddis::cli
