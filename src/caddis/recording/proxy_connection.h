// One connection of a browser to the proxy: its requests one after another, each answered from the live web.
//
// Belongs to the proxy's loop; the stream outlives it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/http/server.h"
#include "caddis/http/server_request.h"
#include "caddis/io/spool.h"
#include "caddis/recording/outgoing_request.h"
#include "caddis/recording/upstream.h"
#include "caddis/url/url.h"

namespace caddis::recording {

class RecordProxy;

class ProxyConnection {
 public:
  ProxyConnection(RecordProxy& proxy, aio::Stream& stream);
  ProxyConnection(const ProxyConnection&) = delete;
  ProxyConnection& operator=(const ProxyConnection&) = delete;

  aio::Task<void> run();
  // Ends it now if it waits for a request, otherwise behind the one that it is at.
  void end_when_idle();
  void cut() { stream_.close(); }

 private:
  // One request and its answer. False: the connection is to end.
  aio::Task<bool> exchange();
  aio::Task<Result<void>> receive_head(http::RequestParser& parser);
  aio::Task<Result<void>> receive_body(http::RequestParser& parser, io::Spool& body);
  aio::Task<Result<void>> read_more();
  // The URL that is asked for; nothing for the proxy's own pages. An error in words for people.
  Result<std::optional<url::Url>> asked_url(const http::ServerRequest& request) const;
  aio::Task<bool> may_ask(const http::ServerRequest& request);
  aio::Task<bool> pass_on(http::RequestParser& parser, const url::Url& url);
  aio::Task<bool> finish(const http::ServerRequest& request, const url::Url& url, const OutgoingRequest& outgoing,
                         UpstreamResult result, std::optional<io::Spool> body, bool goes_on);
  aio::Task<void> relay(const url::Url& url, std::string via, Upgraded upgraded);
  aio::Task<void> copy(aio::Stream& from, aio::Stream& to);
  // Returns whether the connection may go on.
  aio::Task<bool> answer(const http::ServerResponse& response, const http::ServerRequest& request, bool may_go_on);
  void allow(Duration time);

  RecordProxy& proxy_;
  aio::Stream& stream_;
  const http::ServerSettings settings_;
  bool is_idle_ = true, is_first_ = true;
  std::unique_ptr<char[]> buffer_;
  size_t begin_ = 0, end_ = 0;  // received, not yet taken
};

}  // namespace caddis::recording
