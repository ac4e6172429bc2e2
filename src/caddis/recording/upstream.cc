// A connection that was kept may turn out to be closed: a request that changes nothing is then sent again over a new
// one, other requests are never sent over a kept one.

#include "caddis/recording/upstream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/http/head.h"
#include "caddis/http/recorder.h"

namespace caddis::recording {
namespace {

constexpr size_t kBufferSize = 64 * 1024;
constexpr size_t kMostAddresses = 4;

bool is_repeatable(std::string_view method) { return method == "GET" || method == "HEAD" || method == "OPTIONS"; }

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

UpstreamFailure failure_of(const http::Failure& why) {
  UpstreamFailure failure{.status = status::kConnectLost, .error = why.error.message};
  failure.is_timeout = why.error.code == ErrorCode::timeout;
  if (failure.is_timeout) failure.status = status::kTimeout;
  if (why.at == http::Failure::At::local) failure.status = status::kSevereError;
  return failure;
}

UpstreamResult failed(UpstreamFailure failure) {
  UpstreamResult result;
  result.failure = std::move(failure);
  return result;
}

http::Limits limits_of(const fetch::FetchSettings& settings) {
  http::Limits limits = fetch::limits(settings);
  limits.max_body = 0;
  return limits;
}

}  // namespace

Upstream::Upstream(World world, const fetch::FetchSettings& settings)
    : world_(world), settings_(settings), pool_(world.loop, http::PoolLimits()) {}

void Upstream::await_progress(aio::Stream& stream) const {
  stream.set_deadline(world_.loop.clock().steady() + settings_.silence_timeout);
}

// A kept connection, or a new one to the first address that takes it.
aio::Task<Upstream::OpenResult> Upstream::open(const UpstreamTarget& target, bool may_reuse) {
  std::string key = fmt::format("{} {} {}", target.tls ? "https" : "http", target.host, target.port);
  if (may_reuse) {
    if (auto kept = pool_.take(key)) co_return Opened{*std::move(kept), true, Duration()};
  }
  co_return co_await connect(target, std::move(key));
}

aio::Task<Upstream::OpenResult> Upstream::connect(const UpstreamTarget& target, std::string key) {
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
                            .offers_http2 = false};
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
      Opened opened{http::Connection{std::move(key), to.address, *std::move(connected), nullptr, {}}, false, {}};
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

// A server may answer and close before it has read all: what it says counts, so nothing is told here.
aio::Task<void> Upstream::send(aio::Stream& stream, const OutgoingRequest& request, const io::Spool* body) {
  await_progress(stream);
  auto written = co_await stream.write(request.head);
  if (body == nullptr) co_return;
  const auto buffer = std::make_unique_for_overwrite<char[]>(kBufferSize);
  for (uint64_t at = 0; written && at < body->size();) {
    const auto got = body->read_at(at, buffer.get(), kBufferSize);
    if (!got || *got == 0) {
      stream.close();
      co_return;
    }
    at += *got;
    await_progress(stream);
    written = co_await stream.write(std::string_view(buffer.get(), *got));
  }
}

aio::Task<UpstreamResult> Upstream::fetch(UpstreamTarget target, const OutgoingRequest& request, const io::Spool* body,
                                          ResponseFollower& follower) {
  bool may_reuse = is_repeatable(request.method) && !request.is_websocket;
  for (;;) {
    if (aborted_) co_return failed({.status = status::kInterrupted, .error = "the recorder is being stopped"});
    OpenResult opened = co_await open(target, may_reuse);
    if (!opened) co_return failed(std::move(opened).error());
    bool is_stale = false;
    UpstreamResult result = co_await exchange(*opened, request, body, follower, is_stale);
    if (is_stale && !aborted_) {
      may_reuse = false;
      continue;
    }
    const bool goes_on = result.exchange && result.exchange->framing.keep_alive && !aborted_;
    if (goes_on && opened->connection.stream != nullptr) pool_.keep(std::move(opened->connection));
    co_return result;
  }
}

// `is_stale`: the connection had been closed before the request came.
aio::Task<UpstreamResult> Upstream::exchange(Opened& opened, const OutgoingRequest& request, const io::Spool* body,
                                             ResponseFollower& follower, bool& is_stale) {
  aio::Stream& stream = *opened.connection.stream;
  const Clock& clock = world_.loop.clock();
  http::Timings timings{.started = clock.wall()};
  const SteadyTime begun = clock.steady();
  timings.connected = opened.took;
  const Active active(*this, stream);
  http::ResponseRecorder recorder(world_.spools, limits_of(settings_), request.method);
  auto end = http::ResponseRecorder::End::complete;
  std::string why, cut;
  co_await send(stream, request, body);
  const auto buffer = std::make_unique_for_overwrite<char[]>(kBufferSize);
  http::HeadScanner scanner;
  std::string first;  // of a response that may change the protocol
  bool may_upgrade = request.is_websocket;
  while (recorder.wants_more()) {
    await_progress(stream);
    const auto got = co_await stream.read(buffer.get(), kBufferSize);
    if (!got) {
      end = got.error().code == ErrorCode::timeout ? http::ResponseRecorder::End::timeout
                                                   : http::ResponseRecorder::End::broken;
      why = got.error().message;
      break;
    }
    if (*got == 0) {
      end = http::ResponseRecorder::End::closed;
      break;
    }
    if (timings.first_byte == Duration()) timings.first_byte = clock.steady() - begun;
    std::string_view bytes(buffer.get(), *got);
    if (may_upgrade) {
      first += bytes;
      const auto size = scanner.scan(first);
      if (!size && first.size() < http::Limits().max_head) continue;
      const auto head = size ? http::parse_response_head(first.substr(0, *size), http::Mode::lenient)
                             : Result<http::ResponseHead>(fail(ErrorCode::limit, "the head is too long"));
      if (head && head->status() == 101) {
        UpstreamResult result;
        result.upgraded = Upgraded{std::move(opened.connection.stream), first.substr(0, *size), first.substr(*size)};
        co_return result;
      }
      may_upgrade = false;
      bytes = first;
    }
    if (auto stored = recorder.feed(bytes); !stored)
      co_return failed({.status = status::kSevereError, .error = stored.error().message});
    co_await follower.follow(recorder.so_far());
    if (cut = follower.gives_up(); !cut.empty()) {
      end = http::ResponseRecorder::End::broken;
      why = cut;
      break;
    }
  }
  const bool came = recorder.has_bytes();
  http::FetchResult result = recorder.finish(end, why);
  if (!result) {
    is_stale = opened.is_reused && !came && result.error().error.code == ErrorCode::closed;
    co_return failed(failure_of(result.error()));
  }
  if (aborted_ && result->truncated != http::Truncated::none) cut = "the recorder was stopped";
  if (!cut.empty()) result->truncated = http::Truncated::unwanted;
  timings.finished = clock.steady() - begun;
  result->timings = timings;
  result->reused = opened.is_reused;
  result->remote = stream.remote();
  if (const aio::TlsInfo* const info = stream.tls()) result->tls = *info;
  result->request_bytes = request.recorded;
  UpstreamResult done;
  done.exchange.emplace(*std::move(result));
  done.cut = std::move(cut);
  co_await follower.follow(*done.exchange);
  co_return done;
}

void Upstream::abort() {
  aborted_ = true;
  for (aio::Stream* const stream : active_) stream->close();
  world_.network.abort_connects();
  pool_.clear();
}

}  // namespace caddis::recording
