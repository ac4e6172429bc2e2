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
#include "caddis/fetch/settings.h"
#include "caddis/http/client.h"
#include "caddis/io/digest.h"
#include "caddis/url/url.h"

namespace caddis::fetch {

// A request other than a GET of the URL, and what others may see of it.
struct FetchBody {
  std::string method = "POST";
  std::string content_type;  // empty: no such header
  std::string body;
  std::optional<url::Url> target;    // asked for in place of FetchRequest::url, which others see
  std::optional<std::string> shown;  // the body for others to see; none: as it is
  std::string masked;                // which parts of it are secret: "form field pwd"; empty: none
};

struct FetchRequest {
  url::Url url;
  std::optional<url::Url> via;         // where the link was found; becomes the Referer. Leave it out for prerequisites
  std::string address;                 // IPv4 or IPv6 literal of the URL's host; not used behind a proxy
  const http::Proxy* proxy = nullptr;  // null: there is none; lives until the fetch ends
  std::vector<http::Header> headers;   // replace those of the same name that would be sent anyway
  http::Header cookie;                 // without a value: none is sent. `fetch.headers` may have another one
  std::string authorization;           // empty: none. `fetch.headers` may have another one
  std::optional<FetchBody> body;       // none: a GET
  uint64_t ticket = 0;                 // for http::Client::end
  io::DigestAlgorithm digest = io::DigestAlgorithm::sha1;
  // What the settings of the URL's host allow beside public addresses; lives until the fetch ends.
  const std::vector<std::string>* allowed = nullptr;
  // http::Limits has it; it must live until the fetch ends.
  std::function<bool(const http::ResponseHead& head, int64_t length)> wants_body = nullptr;
};

struct FetchOutcome {
  FetchStatus status = status::kUnattempted;
  std::optional<http::Exchange> exchange;
  std::string error;            // why there is no exchange, or what was wrong with it
  bool no_room = false;         // with kSevereError: what was received is itself too large for our disk
  uint64_t cookie = 0;          // a hash of the field Cookie that was sent (cookie_hash)
  std::string withheld;         // header fields of the request that no record has: "Authorization, Cookie"
  WallTime started;             // the one date of all records of this capture
  Duration took{};              // from the start to the last byte
  std::string refused_address;  // with kAddressRefused: the one that nobody may connect to, if one is known
  bool is_timeout = false;      // there is no exchange, since something took too long
};

class HttpFetcher {
 public:
  // `client`, `clock` and `addresses` outlive it. Each request is held against `addresses`, where there are some: the
  // address that it would connect to, and what a proxy is asked for by address.
  HttpFetcher(http::Client& client, const Clock& clock, std::string user_agent,
              const AddressPolicy* addresses = nullptr);

  aio::Task<FetchOutcome> fetch(FetchRequest request, const FetchSettings& settings);

 private:
  http::Request make_request(const FetchRequest& request, const FetchSettings& settings) const;

  bool is_refused(const FetchRequest& request, FetchOutcome& outcome) const;

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
