#include "caddis/cdxserver/remote_get.h"

#include <utility>

#include "caddis/aio/network.h"
#include "caddis/base/version.h"
#include "caddis/dns/resolver.h"
#include "caddis/http/client.h"
#include "caddis/io/chunked.h"
#include "caddis/io/memory_files.h"
#include "caddis/io/spool.h"
#include "caddis/url/url.h"

namespace caddis::cdxserver {
namespace {

constexpr size_t kHeadRoom = 256 * 1024;

Result<std::string> without_chunks(std::string_view body) {
  io::ChunkedDecoder decoder;
  std::string plain;
  for (std::string_view piece; !(piece = decoder.next(body)).empty();) plain += piece;
  if (decoder.broken() || !decoder.done()) return fail(ErrorCode::parse, "its answer is cut, or its chunks are broken");
  return plain;
}

Result<RemoteGet::Answer> answer_of(const http::Exchange& exchange, uint64_t max_body) {
  if (exchange.truncated == http::Truncated::length)
    return fail(ErrorCode::limit, "its answer is longer than " + std::to_string(max_body) + " bytes");
  if (exchange.truncated != http::Truncated::none) return fail(ErrorCode::closed, "its answer is cut short");
  TRY(std::string all, exchange.response.to_string(max_body + kHeadRoom));
  RemoteGet::Answer answer{exchange.head.status(), all.substr(std::min<size_t>(exchange.head_size, all.size()))};
  if (!exchange.payload_is_body) {
    TRY(answer.body, without_chunks(answer.body));
  }
  return answer;
}

}  // namespace

struct RemoteGet::State {
  explicit State(aio::Loop& the_loop)
      : loop(the_loop), network(aio::make_network(loop)), client(loop, *network, spools) {}
  aio::Loop& loop;
  const std::unique_ptr<aio::Network> network;
  io::MemoryFiles files;  // never used: answers are shorter than what a spool holds in memory
  io::SpoolFolder spools{files, "spool"};
  http::Client client;
};

RemoteGet::RemoteGet(aio::Loop& loop) : state_(std::make_unique<State>(loop)) {}
RemoteGet::~RemoteGet() = default;
void RemoteGet::abort() { state_->client.abort(); }

aio::Task<Result<RemoteGet::Answer>> RemoteGet::get(std::string address, uint64_t max_body) {
  const auto url = url::Url::parse(address);
  if (!url || !url->is_http()) co_return fail(ErrorCode::config, address + ": an address of http or https is wanted");
  std::string host(url->hostname());
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  const dns::Settings settings;
  CO_TRY(const auto resolver, dns::make_resolver(state_->loop, settings));
  auto found = co_await resolver->resolve(host);
  co_await resolver->end();
  if (!found) co_return pass(std::move(found).error(), address);
  http::Origin origin;
  origin.tls = url->scheme() == "https";
  origin.host = host;
  origin.port = url->effective_port();
  origin.address = aio::Endpoint{found->addresses.front().text, origin.port};
  origin.trust = aio::TlsTrust::normal;
  http::Request request;
  request.target = std::string(url->pathname()) + std::string(url->search());
  request.add("Host", url->host());
  request.add("User-Agent", "caddis/" + std::string(kVersion));
  http::Limits limits;
  limits.max_body = max_body;
  limits.memory = max_body + kHeadRoom;
  auto fetched = co_await state_->client.fetch(std::move(origin), std::move(request), limits);
  if (!fetched) co_return pass(std::move(fetched).error().error, address);
  auto answer = answer_of(*fetched, max_body);
  if (!answer) co_return pass(std::move(answer).error(), address);
  co_return answer;
}

}  // namespace caddis::cdxserver
