// Fetches one http or https URL: what to send, whom to ask, and what the outcome is called. DNS, robots.txt, politeness
// and redirects are the crawl's business.
//
//   fetch::HttpFetcher fetcher(client, clock, fetch::user_agent(settings, contact));
//   const fetch::FetchOutcome outcome = co_await fetcher.fetch(std::move(request), settings);
//   if (outcome.exchange) ...                 // there is something to store; outcome.status is its HTTP status
//   else log(outcome.status, outcome.error);  // a negative status
//
// Belongs to the client's loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/fetch/settings.h"
#include "caddis/fetch/status.h"
#include "caddis/http/client.h"
#include "caddis/url/url.h"

namespace caddis::fetch {

struct FetchRequest {
  url::Url url;
  std::optional<url::Url> via;        // where the link was found; becomes the Referer. Leave it out for prerequisites
  std::string address;                // IPv4 or IPv6 literal of the URL's host; not used behind a proxy
  std::vector<http::Header> headers;  // replace those of the same name that would be sent anyway
  uint64_t ticket = 0;                // for http::Client::end
};

struct FetchOutcome {
  FetchStatus status = status::kUnattempted;
  std::optional<http::Exchange> exchange;
  std::string error;  // why there is no exchange, or what was wrong with it
  WallTime started;   // the one date of all records of this capture
  Duration took{};    // from the start to the last byte
  // For crawl.log: lenTrunc, timeTrunc, headerTrunc, disconnectTrunc; httpProblem where the response's bytes are not as
  // HTTP has them (in words: `error`, and http::Exchange::problem).
  std::vector<std::string> annotations;
};

class HttpFetcher {
 public:
  // `client` and `clock` outlive it.
  HttpFetcher(http::Client& client, const Clock& clock, std::string user_agent, std::optional<http::Proxy> proxy = {});

  aio::Task<FetchOutcome> fetch(FetchRequest request, const FetchSettings& settings);

 private:
  http::Request make_request(const FetchRequest& request, const FetchSettings& settings) const;

  http::Client& client_;
  const Clock& clock_;
  const std::string user_agent_;
  const std::optional<http::Proxy> proxy_;
};

// The status for a failed exchange.
FetchStatus status_of(const http::Failure& failure);

}  // namespace caddis::fetch
