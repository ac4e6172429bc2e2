// A connection that was kept may turn out to be closed: a request that changes nothing is then sent again over a new
// one, other requests are never sent over a kept one. A server whose HTTP/2 cannot be used is asked by HTTP/1.1.

#include "caddis/recording/upstream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/http/again.h"

namespace caddis::recording {
namespace {

constexpr size_t kMostAddresses = 4;
constexpr unsigned kMostTries = 3;

std::string name_of(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::string(host);
}

UpstreamFailure connect_failure(const Error& error) {
  UpstreamFailure failure{.status = status::kConnectFailed, .error = error.message};
  failure.is_timeout = error.code == ErrorCode::timeout;
  if (error.code == ErrorCode::cancelled) failure.status = status::kInterrupted;
  if (error.code == ErrorCode::denied) {
    failure.status = status::kTlsFailed;
    failure.is_tls = true;
  }
  return failure;
}

// "example.org 443"
std::string server_of(const UpstreamTarget& target) { return fmt::format("{} {}", target.host, target.port); }

}  // namespace

Upstream::Upstream(World world, const fetch::FetchSettings& settings)
    : world_(world), settings_(settings), pool_(world.loop, http::PoolLimits()) {}

// A request that changes something is never sent over a kept connection, which may turn out to be closed.
Upstream::Way Upstream::way_for(const UpstreamTarget& target, const OutgoingRequest& request,
                                const io::Spool* body) const {
  const bool is_asked = settings_.http_version == fetch::HttpVersion::http2 && target.tls;
  const bool fits = !request.is_websocket && (body == nullptr || body->size() <= kMostOverHttp2);
  return {.offers_http2 = is_asked && fits && !http1_only_.has(server_of(target)),
          .may_reuse = http::is_repeatable(request.message.method) && !request.is_websocket};
}

// A kept connection, or a new one to the first address that takes it.
aio::Task<Upstream::OpenResult> Upstream::open(const UpstreamTarget& target, Way way) {
  std::string key =
      fmt::format("{} {} {}", target.tls ? "https" : "http", way.offers_http2 ? "h2" : "h1", server_of(target));
  if (way.may_reuse) {
    if (auto kept = pool_.take(key)) co_return OpenConnection{*std::move(kept), true, Duration()};
  }
  co_return co_await connect(target, std::move(key), way.offers_http2);
}

aio::Task<Upstream::OpenResult> Upstream::connect(const UpstreamTarget& target, std::string key, bool offers_http2) {
  const Clock& clock = world_.loop.clock();
  const SteadyTime begun = clock.steady();
  const SteadyTime deadline = begun + settings_.connect_timeout;
  std::string host = name_of(target.host);
  const auto answer = co_await world_.resolver.resolve(std::move(host));
  if (!answer) {
    const bool is_unknown = answer.error().code == ErrorCode::not_found;
    co_return std::unexpected(
        UpstreamFailure{.status = is_unknown ? status::kDnsFailed : status::kDomainPrerequisiteFailed,
                        .error = answer.error().message,
                        .is_tls = false,
                        .is_timeout = answer.error().code == ErrorCode::timeout});
  }
  const aio::TlsOptions tls{.server_name = name_of(target.host),
                            .trust = settings_.trust,
                            .lowest = settings_.tls_lowest,
                            .offers_http2 = offers_http2};
  UpstreamFailure why;
  for (size_t i = 0; i < std::min(answer->addresses.size(), kMostAddresses) && !aborted_; ++i) {
    const aio::Endpoint to{answer->addresses[i].text, target.port};
    if (auto refused = world_.addresses.refusal(to, settings_.allow_addresses)) {
      why = {.status = status::kAddressRefused, .error = *std::move(refused)};
      continue;
    }
    // A refusal tells what can be done about it, which is more than that another address does not answer.
    const bool was_refused = why.status == status::kAddressRefused;
    auto connected =
        co_await world_.network.connect(to, target.tls ? &tls : nullptr, deadline, 0, settings_.bind_address);
    if (connected) {
      OpenConnection opened{
          http::Connection{std::move(key), to.address, *std::move(connected), nullptr, {}}, false, {}};
      const aio::TlsInfo* const agreed = opened.connection.stream->tls();
      if (agreed != nullptr && agreed->application == "h2")
        opened.connection.http2 = std::make_unique<http::Http2Session>();
      opened.took = clock.steady() - begun;
      co_return opened;
    }
    UpstreamFailure failure = connect_failure(connected.error());
    if (failure.is_tls) co_return std::unexpected(std::move(failure));
    if (!was_refused) why = std::move(failure);
  }
  if (aborted_) why = {.status = status::kInterrupted, .error = "the recorder is being stopped"};
  co_return std::unexpected(std::move(why));
}

aio::Task<UpstreamResult> Upstream::fetch(UpstreamTarget target, const OutgoingRequest& request, const io::Spool* body,
                                          ResponseFollower& follower) {
  Way way = way_for(target, request, body);
  for (unsigned tried = 1;; ++tried) {
    if (aborted_) co_return failed({.status = status::kInterrupted, .error = "the recorder is being stopped"});
    OpenResult opened = co_await open(target, way);
    if (!opened) co_return failed(std::move(opened).error());
    const Active active(*this, *opened->connection.stream);
    UpstreamExchange exchange({world_.loop, world_.spools, settings_}, *opened, request, body, follower);
    UpstreamResult result = co_await exchange.run();
    using enum http::Again;
    const http::Again again = exchange.again();
    if (again == http1 || again == http1_next) http1_only_.add(server_of(target));
    if (again != no && again != http1_next && !aborted_ && tried < kMostTries) {
      if (again == http1) way.offers_http2 = false;
      way.may_reuse = false;
      continue;
    }
    if (result.exchange && result.exchange->truncated != http::Truncated::none && aborted_ && result.cut.empty()) {
      result.cut = "the recorder was stopped";
      result.exchange->truncated = http::Truncated::unwanted;
    }
    const bool goes_on = result.exchange && result.exchange->framing.keep_alive && !aborted_;
    if (goes_on && opened->connection.stream != nullptr) pool_.keep(std::move(opened->connection));
    co_return result;
  }
}

void Upstream::abort() {
  aborted_ = true;
  for (aio::Stream* const stream : active_) stream->close();
  world_.network.abort_connects();
  pool_.clear();
}

}  // namespace caddis::recording
