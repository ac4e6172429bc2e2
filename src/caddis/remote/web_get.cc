#include "caddis/remote/web_get.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "caddis/aio/event.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/base/version.h"
#include "caddis/dns/resolver.h"
#include "caddis/http/client.h"
#include "caddis/io/chunked.h"
#include "caddis/url/url.h"

namespace caddis::remote {
namespace {

constexpr size_t kHeadRoom = 256 * 1024;
constexpr size_t kAddressesTried = 3;
constexpr Duration kLongestConnect = std::chrono::seconds(10);

// The body behind the head, without chunks.
Result<std::shared_ptr<const io::Spool>> body_of(http::Exchange& exchange, io::SpoolFolder& spools, size_t memory) {
  auto body = std::make_shared<io::Spool>(spools, memory);
  io::ChunkedDecoder decoder;
  TRY_VOID(exchange.response.for_each(
      [&](std::string_view piece) -> Result<void> {
        if (exchange.payload_is_body) return body->append(piece);
        for (std::string_view data; !(data = decoder.next(piece)).empty();) TRY_VOID(body->append(data));
        return {};
      },
      exchange.head_size));
  const bool is_whole = exchange.payload_is_body || exchange.truncated == http::Truncated::length || decoder.done();
  if (!is_whole || (!exchange.payload_is_body && decoder.broken()))
    return fail(ErrorCode::parse, "its answer is cut, or its chunks are broken");
  return body;
}

Result<WebAnswer> answer_of(http::Exchange exchange, const WebRequest& request, io::SpoolFolder& spools) {
  const bool is_cut = exchange.truncated == http::Truncated::length;
  if (is_cut && !request.may_be_cut)
    return fail(ErrorCode::limit, fmt::format("its answer is longer than {} bytes", request.max_body));
  if (exchange.truncated == http::Truncated::time) return fail(ErrorCode::timeout, "its answer did not come to an end");
  if (!is_cut && exchange.truncated != http::Truncated::none) return fail(ErrorCode::closed, "its answer is cut short");
  WebAnswer answer;
  TRY(answer.body, body_of(exchange, spools, request.memory));
  answer.status = exchange.head.status();
  answer.head = std::move(exchange.head);
  answer.is_cut = is_cut;
  return answer;
}

http::Limits limits_of(const WebRequest& request, Duration left) {
  http::Limits limits;
  limits.connect = std::min(left, kLongestConnect);
  limits.silence = left;
  limits.total = left;
  limits.max_body = request.max_body;
  limits.memory = request.memory + kHeadRoom;
  return limits;
}

// A question to the name servers. Whoever has no more time for it leaves it; its answer serves the next.
struct Lookup {
  explicit Lookup(aio::Loop& loop) : done(loop) {}
  std::optional<Result<dns::Answer>> answer;
  aio::Event done;
};

aio::Task<void> look_up(dns::Resolver& resolver, std::string host, std::shared_ptr<Lookup> lookup) {
  auto answer = co_await resolver.resolve(std::move(host));
  lookup->answer = std::move(answer);
  lookup->done.notify();
}

}  // namespace

dns::Settings patient_for_requests() {
  dns::Settings settings;
  settings.timeout = std::chrono::seconds(2);
  settings.tries = 2;
  return settings;
}

std::string shown_address(std::string_view address) {
  std::string shown(address.substr(0, address.find_first_of("?#")));
  const size_t begin = shown.find("://");
  if (begin == std::string::npos) return shown;
  const size_t host = begin + 3;
  const size_t at = shown.substr(host, shown.find('/', host) - host).rfind('@');
  if (at != std::string::npos) shown.erase(host, at + 1);
  return shown;
}

struct WebGet::State {
  State(aio::Loop& the_loop, io::SpoolFolder& the_spools, dns::Settings the_names)
      : loop(the_loop),
        spools(the_spools),
        names(std::move(the_names)),
        network(aio::make_network(loop)),
        client(loop, *network, spools) {}

  // ErrorCode::timeout if the name servers do not answer by then.
  aio::Task<Result<dns::Answer>> resolve(std::string host, SteadyTime until) {
    if (resolver == nullptr) {
      CO_TRY(resolver, dns::make_resolver(loop, names));
    }
    auto lookup = std::make_shared<Lookup>(loop);
    lookups.spawn(look_up(*resolver, host, lookup));
    if (!lookup->answer) {
      const auto timer = loop.at(until, [lookup] { lookup->done.notify(); });
      co_await lookup->done.wait();
      loop.cancel(timer);
    }
    if (!lookup->answer) co_return fail(ErrorCode::timeout, "the name servers do not answer in time about " + host);
    co_return *std::move(lookup->answer);
  }

  aio::Loop& loop;
  io::SpoolFolder& spools;
  const dns::Settings names;
  const std::unique_ptr<aio::Network> network;
  http::Client client;
  std::unique_ptr<dns::Resolver> resolver;
  aio::Nursery lookups;
};

WebGet::WebGet(aio::Loop& loop, io::SpoolFolder& spools, dns::Settings names)
    : state_(std::make_unique<State>(loop, spools, std::move(names))) {}
WebGet::~WebGet() = default;
void WebGet::abort() { state_->client.abort(); }

aio::Task<void> WebGet::end() {
  if (state_->resolver != nullptr) co_await state_->resolver->end();
  co_await state_->lookups.join();
  state_->resolver.reset();
}

aio::Task<Result<WebAnswer>> WebGet::get(WebRequest asked) {
  const SteadyTime until = state_->loop.clock().steady() + asked.timeout;
  const auto url = url::Url::parse(asked.address);
  const std::string shown = shown_address(asked.address);
  if (!url || !url->is_http()) co_return fail(ErrorCode::config, shown + ": an address of http or https is wanted");
  std::string host(url->hostname());
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  auto found = co_await state_->resolve(host, until);
  if (!found) co_return pass(std::move(found).error(), shown);
  http::Request request;
  request.target = std::string(url->pathname()) + std::string(url->search());
  request.add("Host", url->host());
  request.add("User-Agent", "caddis/" + std::string(kVersion));
  for (const http::Header& header : asked.headers) request.headers.push_back(header);
  for (size_t i = 0;; ++i) {
    http::Origin origin;
    origin.tls = url->scheme() == "https";
    origin.host = host;
    origin.port = url->effective_port();
    origin.address = aio::Endpoint{found->addresses[i].text, origin.port};
    origin.trust = aio::TlsTrust::normal;
    const Duration left = until - state_->loop.clock().steady();
    if (left <= Duration::zero()) co_return fail(ErrorCode::timeout, shown + ": it does not answer in time");
    http::Request sent = request;
    http::Limits limits = limits_of(asked, left);
    auto fetched = co_await state_->client.fetch(std::move(origin), std::move(sent), std::move(limits));
    const bool is_last = i + 1 >= std::min(found->addresses.size(), kAddressesTried);
    if (!fetched && fetched.error().at == http::Failure::At::connect && !is_last) continue;
    if (!fetched) co_return pass(std::move(fetched).error().error, shown);
    auto answer = answer_of(*std::move(fetched), asked, state_->spools);
    if (!answer) co_return pass(std::move(answer).error(), shown);
    co_return answer;
  }
}

}  // namespace caddis::remote
