#include "caddis/fetch/http_fetcher.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/hash.h"
#include "caddis/base/strings.h"
#include "caddis/fetch/address_check.h"
#include "caddis/http/fields.h"
#include "caddis/http/proxy.h"
#include "caddis/url/percent.h"
#include "caddis/url/public_form.h"

namespace caddis::fetch {
namespace {

// "/path?query" as in the URL, an empty query's '?' included.
std::string_view path_and_query(const url::Url& url) {
  const std::string_view all = url.without_fragment();
  return all.substr(static_cast<size_t>(url.pathname().data() - all.data()));
}

// Sets a header in the place of one of that name, or behind all others.
void set(http::Request& request, std::string_view name, std::string_view value) {
  const auto found = std::ranges::find_if(
      request.headers, [&](const http::Header& header) { return equals_ignore_case(header.name, name); });
  if (found != request.headers.end())
    found->value = value;
  else
    request.add(name, value);
}

// One of the settings.
void set_own(http::Request& request, const http::Header& header) {
  if (!is_credential(header.name)) return set(request, header.name, header.value);
  std::erase_if(request.headers,
                [&](const http::Header& other) { return equals_ignore_case(other.name, header.name); });
  request.add_secret(header.name, header.value);
}

void add_unless_empty(http::Request& request, std::string_view name, std::string_view value) {
  if (!value.empty()) request.add(name, value);
}

// A part that was asked for (RFC 9110, section 15.3.7) is the document, cut where the rest of it begins.
void note_range(http::Exchange& exchange) {
  if (exchange.head.status() != 206 || exchange.truncated != http::Truncated::none) return;
  const std::string_view range = exchange.head.find("content-range").value_or("");
  const auto whole = parse_int(trim(range.substr(std::min(range.rfind('/'), range.size() - 1) + 1)));
  if (whole && *whole > static_cast<int64_t>(exchange.payload_size)) exchange.truncated = http::Truncated::length;
}

// What was wrong with a response, in words; empty where nothing was.
std::string trouble_of(const http::Exchange& exchange) {
  std::string text = exchange.problem;
  if (exchange.truncated == http::Truncated::none || exchange.truncated == http::Truncated::unwanted) return text;
  if (!text.empty()) text += "; ";
  text += fmt::format("{}: {} bytes of the body came", http::truncated_annotation(exchange.truncated),
                      exchange.body_size());
  if (exchange.framing.kind == http::Framing::Kind::length) text += fmt::format(" of {}", exchange.framing.length);
  return text;
}

// A proxy that does not let us through answers in the place of the site: that is no page of it. Within a tunnel it is.
bool is_refusal_of_proxy(const FetchRequest& request, const http::Exchange& exchange) {
  constexpr int kProxyAuthenticationRequired = 407;
  return request.proxy != nullptr && request.proxy->kind == http::Proxy::Kind::http && request.url.scheme() == "http" &&
         exchange.head.status() == kProxyAuthenticationRequired;
}

}  // namespace

HttpFetcher::HttpFetcher(http::Client& client, const Clock& clock, std::string user_agent,
                         const AddressPolicy* addresses)
    : client_(client), clock_(clock), user_agent_(std::move(user_agent)), addresses_(addresses) {}

http::Request HttpFetcher::make_request(const FetchRequest& request, const FetchSettings& settings) const {
  const url::Url& url = request.url;
  http::Request made;
  made.target = path_and_query(url);
  if (request.body) {
    const FetchBody& sent = *request.body;
    made.method = sent.method;
    made.body = sent.body;
    if (!sent.masked.empty())
      made.shown = http::Request::Shown{made.target, sent.shown.value_or(sent.body), sent.masked};
    if (sent.target) made.target = path_and_query(*sent.target);
  }
  made.headers.reserve(12);
  made.add("Host", url.host());
  add_unless_empty(made, "User-Agent", user_agent_);
  add_unless_empty(made, "From", settings.from);
  add_unless_empty(made, "Accept", settings.accept);
  add_unless_empty(made, "Accept-Encoding", settings.accept_encoding);
  const bool leaks = request.via && request.via->scheme() == "https" && url.scheme() == "http";
  if (settings.referer && request.via && request.via->is_http() && !leaks)
    made.add("Referer", url::public_form(*request.via));
  if (settings.range && settings.max_length > 0) made.add("Range", fmt::format("bytes=0-{}", settings.max_length - 1));
  if (request.body && request.body->method != "GET") {
    add_unless_empty(made, "Content-Type", request.body->content_type);
    made.add("Content-Length", std::to_string(request.body->body.size()));
  }
  if (!request.authorization.empty()) {
    made.add_secret("Authorization", request.authorization);
  } else if (url.has_userinfo()) {
    made.add_secret("Authorization",
                    http::basic_credentials(url::percent_decode(url.username()), url::percent_decode(url.password())));
  }
  if (settings.http_version == HttpVersion::http10) {
    made.version = {1, 0};
    if (settings.keep_alive) made.add("Connection", "keep-alive");
  } else if (!settings.keep_alive) {
    made.add("Connection", "close");
  }
  if (!request.cookie.value.empty()) made.headers.push_back(request.cookie);
  for (const std::string& line : settings.headers) {
    if (const auto header = parse_header(line)) set_own(made, *header);
  }
  for (const http::Header& header : request.headers) set(made, header.name, header.value);
  return made;
}

aio::Task<FetchOutcome> HttpFetcher::fetch(FetchRequest request, const FetchSettings& settings) {
  FetchOutcome outcome;
  outcome.started = clock_.wall();
  const url::Url& url = request.url;
  if (!url.is_http() || url.effective_port() == 0) {
    outcome.status = status::kUnfetchable;
    outcome.error = "only http and https URLs can be fetched";
    co_return outcome;
  }
  if (request.address.empty() && request.proxy == nullptr) {
    outcome.status = status::kDomainPrerequisiteFailed;
    outcome.error = "no address for the host";
    co_return outcome;
  }
  const aio::Endpoint server{request.address, url.effective_port()};
  if (addresses_ != nullptr && is_refused(*addresses_, request, server, outcome)) co_return outcome;
  const SteadyTime begun = clock_.steady();
  http::Origin origin{.tls = url.scheme() == "https",
                      .host = std::string(url.hostname()),
                      .port = url.effective_port(),
                      .address = server,
                      .trust = settings.trust,
                      .lowest_tls = settings.tls_lowest,
                      .offers_http2 = settings.http_version == HttpVersion::http2,
                      .local_address = settings.bind_address};
  http::Request made = make_request(request, settings);
  made.ticket = request.ticket;
  outcome.withheld = made.secret_names();
  for (const http::Header& header : made.headers)
    if (equals_ignore_case(header.name, "cookie")) outcome.cookie = cookie_hash(header.value);
  http::Limits bounds = limits(settings);
  bounds.digest = request.digest;
  bounds.wants_body = std::move(request.wants_body);
  http::FetchResult result = co_await client_.fetch(std::move(origin), std::move(made), bounds, request.proxy);
  outcome.took = clock_.steady() - begun;
  if (!result) {
    outcome.status = status_of(result.error());
    outcome.no_room = result.error().at == http::Failure::At::local && result.error().error.code == ErrorCode::limit;
    outcome.is_timeout = result.error().error.code == ErrorCode::timeout;
    outcome.error = std::move(result.error().error.message);
    co_return outcome;
  }
  if (is_refusal_of_proxy(request, *result)) {
    outcome.status = status::kConnectFailed;
    outcome.error = "the proxy wants a name and a password, or others (407): write them into fetch.proxy";
    co_return outcome;
  }
  if (bounds.max_body > 0 && settings.range) note_range(*result);
  outcome.status = result->head.status();
  outcome.error = trouble_of(*result);
  outcome.started = result->timings.started;
  outcome.took = result->timings.finished;
  outcome.exchange.emplace(*std::move(result));
  co_return outcome;
}

uint64_t cookie_hash(std::string_view cookie) { return cookie.empty() ? 0 : siphash(cookie, 0, 0); }

FetchStatus status_of(const http::Failure& failure) {
  using At = http::Failure::At;
  if (failure.error.code == ErrorCode::cancelled) return status::kInterrupted;
  switch (failure.at) {
    case At::connect:
    case At::proxy:
      return status::kConnectFailed;
    case At::tls:
      return status::kTlsFailed;
    case At::response:
      return failure.error.code == ErrorCode::timeout ? status::kTimeout : status::kConnectLost;
    case At::protocol:
      return status::kConnectLost;
    case At::local:
      return status::kSevereError;
  }
  return status::kRuntimeException;
}

}  // namespace caddis::fetch
