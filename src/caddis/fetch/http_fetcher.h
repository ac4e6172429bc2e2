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

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/fetch_status.h"
#include "caddis/fetch/address_policy.h"
#include "caddis/fetch/fetcher.h"
#include "caddis/http/client.h"
#include "caddis/io/digest.h"
#include "caddis/url/url.h"

namespace caddis::fetch {

class HttpFetcher final : public Fetcher {
 public:
  // `client`, `clock` and `addresses` outlive it. Each request is held against `addresses`, where there are some: the
  // address that it would connect to, and what a proxy is asked for by address.
  HttpFetcher(http::Client& client, const Clock& clock, std::string user_agent,
              const AddressPolicy* addresses = nullptr);

  aio::Task<FetchOutcome> fetch(FetchRequest request, const FetchSettings& settings) override;

 private:
  http::Request make_request(const FetchRequest& request, const FetchSettings& settings) const;

  http::Client& client_;
  const Clock& clock_;
  const std::string user_agent_;
  const AddressPolicy* const addresses_;
};

// Another number for another field Cookie; 0 if none is sent.
uint64_t cookie_hash(std::string_view cookie);

// The status for a failed exchange.
FetchStatus status_of(const http::Failure& failure);

}  // namespace caddis::fetch
