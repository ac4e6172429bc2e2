// A fetch of one URL, whatever its scheme: what to ask for, what came, and what the outcome is called. There is a fetcher
// for HTTP (http_fetcher.h), and one for other protocols (resource_fetcher.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/fetch_status.h"
#include "caddis/fetch/settings.h"
#include "caddis/http/exchange.h"
#include "caddis/http/proxy.h"
#include "caddis/http/request.h"
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
  // Blocks that the settings of the URL's host allow beside public addresses; lives until the fetch ends.
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
  bool is_transient = false;    // there is none, but the server says that there may be one later
};

// Belongs to its lane's loop.
class Fetcher {
 public:
  virtual ~Fetcher() = default;
  // `settings` outlive the fetch.
  virtual aio::Task<FetchOutcome> fetch(FetchRequest request, const FetchSettings& settings) = 0;
};

}  // namespace caddis::fetch
