#include "caddis/http/client.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/http/recorder.h"
#include "caddis/http/throttle.h"

namespace caddis::http {
namespace {

constexpr size_t kBufferSize = 64 * 1024;
constexpr size_t kSpareBuffers = 64;

Failure failure(Failure::At at, Error error) { return Failure{at, std::move(error)}; }

void append_endpoint(std::string& key, std::string_view host, uint16_t port) {
  key += ' ';
  key += host;
  key += ' ';
  key += std::to_string(port);
}

// "https trusted example.com 443 192.0.2.1 443": what an open connection is good for.
std::string key_of(const Origin& origin, const Proxy* proxy) {
  std::string key = proxy != nullptr ? "proxy" : "direct";
  if (origin.tls) key += origin.require_trusted ? " https trusted" : " https";
  // A proxy takes plain requests for every host on one connection.
  if (proxy == nullptr || origin.tls) append_endpoint(key, origin.host, origin.port);
  const aio::Endpoint& to = proxy != nullptr ? proxy->address : origin.address;
  append_endpoint(key, to.address, to.port);
  // A tunnel is paid for by the customer who opened it: it is not for another one of the same proxy.
  if (proxy != nullptr && !proxy->authorization.empty()) key += ' ' + proxy->authorization;
  return key;
}

// "example.com:443", "[2001:db8::1]:443"
std::string authority(const Origin& origin) { return fmt::format("{}:{}", origin.host, origin.port); }

std::string server_name(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::string(host);
}

// May be sent again when a kept connection turns out to be dead: it changes nothing on the server (RFC 9110
// section 9.2.2).
bool repeatable(std::string_view method) { return method == "GET" || method == "HEAD" || method == "OPTIONS"; }

}  // namespace

// Registers a stream while an exchange uses it, so that `abort` finds it.
class Client::Active {
 public:
  Active(Client& client, aio::Stream* stream, uint64_t ticket) : client_(client), stream_(stream) {
    client_.active_.emplace(stream_, ticket);
  }
  Active(const Active&) = delete;
  Active& operator=(const Active&) = delete;
  ~Active() { client_.active_.erase(stream_); }

 private:
  Client& client_;
  aio::Stream* stream_;
};

Client::Client(aio::Loop& loop, aio::Network& network, io::SpoolFolder& spools, PoolLimits limits)
    : loop_(loop), network_(network), spools_(spools), pool_(limits) {}

Client::~Client() {
  CADDIS_CHECK(active_.empty());
  if (timer_) loop_.cancel(*timer_);
}

Client::Message Client::message_for(Request request, const Origin& origin, const Proxy* proxy) {
  Message message;
  message.method = request.method;
  message.ticket = request.ticket;
  message.is_last = std::ranges::any_of(request.headers, [](const Header& header) {
    return equals_ignore_case(header.name, "connection") && equals_ignore_case(trim(header.value), "close");
  });
  const bool forwarded = proxy != nullptr && !origin.tls;
  if (forwarded || request.has_secrets()) message.recorded = request.recorded_bytes();
  if (forwarded) {
    const std::string port = origin.port == 80 ? "" : fmt::format(":{}", origin.port);
    request.target = fmt::format("http://{}{}{}", origin.host, port, request.target);
    if (!proxy->authorization.empty()) request.add_secret("Proxy-Authorization", proxy->authorization);
  }
  message.bytes = request.bytes();
  return message;
}

aio::Task<FetchResult> Client::fetch(Origin origin, Request request, Limits limits, const Proxy* proxy) {
  Timings timings{.started = loop_.clock().wall()};
  const SteadyTime begun = loop_.clock().steady();
  std::string key = key_of(origin, proxy);
  const Message message = message_for(std::move(request), origin, proxy);
  if (auto kept = take_idle(key)) {
    ++stats_.reused;
    Connection connection = *std::move(kept);
    FetchResult result = co_await exchange(connection, message, limits, timings, begun, true);
    const bool stale = !result && result.error().at == Failure::At::response && result.error().nothing_came &&
                       result.error().error.code == ErrorCode::closed;
    const bool ended = ended_.erase(message.ticket) > 0;
    if (!stale || !repeatable(message.method) || aborted_ || ended) {
      keep(std::move(connection), message, result);
      co_return result;
    }
    ++stats_.stale;
  }
  const SteadyTime connect_by = begun + std::min(limits.connect, limits.total);
  auto opened = co_await establish(origin, std::move(key), connect_by, proxy, message.ticket);
  if (!opened) co_return std::unexpected(std::move(opened).error());
  Connection connection = *std::move(opened);
  timings.connected = loop_.clock().steady() - begun;
  FetchResult result = co_await exchange(connection, message, limits, timings, begun, false);
  ended_.erase(message.ticket);
  keep(std::move(connection), message, result);
  co_return result;
}

aio::Task<FetchResult> Client::exchange(Connection& connection, const Message& message, const Limits& limits,
                                        Timings timings, SteadyTime begun, bool reused) {
  aio::Stream& stream = *connection.stream;
  const Active active(*this, &stream, message.ticket);
  const Clock& clock = loop_.clock();
  const SteadyTime deadline = begun + limits.total;
  const auto await_progress = [&] { stream.set_deadline(std::min(clock.steady() + limits.silence, deadline)); };

  ResponseRecorder recorder(spools_, limits, message.method);
  auto end = ResponseRecorder::End::complete;
  std::string why;
  const auto interrupted = [&](const Error& error) {
    end = error.code == ErrorCode::timeout ? ResponseRecorder::End::timeout : ResponseRecorder::End::broken;
    why = error.message;
  };

  await_progress();
  // A server may answer (413, 403) and close before it has read all of a body: what it said counts, so a failed write
  // does not end the exchange.
  const auto written = co_await stream.write(message.bytes);
  if (!written && written.error().code == ErrorCode::timeout) interrupted(written.error());

  Throttle throttle(limits.bandwidth);
  bool is_drained = true;  // the last read took all that had come
  while (end == ResponseRecorder::End::complete && recorder.wants_more()) {
    on_turn_(0);
    if (const SteadyTime next = throttle.next(); next > clock.steady()) {
      co_await aio::sleep_until(loop_, std::min(next, deadline));
      if (next >= deadline) {
        interrupted(Error{ErrorCode::timeout, "it takes too long at the bandwidth that is set"});
        break;
      }
    }
    await_progress();
    if (is_drained) {
      // Without a buffer: a server that is silent costs none.
      if (const auto come = co_await stream.wait_readable(); !come) {
        interrupted(come.error());
        break;
      }
    }
    const std::span<char> place = recorder.place();
    std::unique_ptr<char[]> buffer = place.empty() ? take_buffer() : nullptr;
    char* const to = place.empty() ? buffer.get() : place.data();
    // Not more at once than is still in the caches when digests are taken of it.
    const size_t most = place.empty() ? kBufferSize : std::min(kBufferSize, place.size());
    const size_t wanted = throttle.at_once(most);
    const auto got = co_await stream.read(to, wanted);
    on_turn_(message.ticket);
    is_drained = !got || *got < wanted;
    if (!got) {
      interrupted(got.error());
    } else if (*got == 0) {
      end = ResponseRecorder::End::closed;
    } else {
      if (!recorder.has_bytes()) timings.first_byte = clock.steady() - begun;
      received_.fetch_add(*got, std::memory_order_relaxed);
      throttle.took(*got, clock.steady());
      if (!place.empty()) {
        recorder.fed_in_place(*got);
      } else if (auto stored = recorder.feed({buffer.get(), *got}); !stored) {
        co_return std::unexpected(failure(Failure::At::local, std::move(stored).error()));
      }
    }
    give_back(std::move(buffer));
  }

  FetchResult result = recorder.finish(end, why);
  if (aborted_)
    co_return std::unexpected(failure(Failure::At::response, Error{ErrorCode::cancelled, "fetching was stopped"}));
  if (!result) {
    result.error().nothing_came = !recorder.has_bytes();
    co_return result;
  }
  timings.finished = clock.steady() - begun;
  result->timings = timings;
  result->request_bytes = message.recorded.empty() ? message.bytes : message.recorded;
  result->remote = stream.remote();
  if (const aio::TlsInfo* tls = stream.tls()) result->tls = *tls;
  result->reused = reused;
  co_return result;
}

aio::Task<std::expected<Client::Connection, Failure>> Client::establish(const Origin& origin, std::string key,
                                                                        SteadyTime deadline, const Proxy* proxy,
                                                                        uint64_t ticket) {
  if (aborted_)
    co_return std::unexpected(failure(Failure::At::connect, Error{ErrorCode::cancelled, "fetching was stopped"}));
  const aio::TlsOptions tls{.server_name = server_name(origin.host), .require_trusted = origin.require_trusted};
  const aio::TlsOptions* direct_tls = origin.tls && proxy == nullptr ? &tls : nullptr;
  const aio::Endpoint& to = proxy != nullptr ? proxy->address : origin.address;
  auto connected = co_await network_.connect(to, direct_tls, deadline, ticket);
  if (!connected) {
    const auto at = connected.error().code == ErrorCode::denied ? Failure::At::tls : Failure::At::connect;
    co_return std::unexpected(failure(at, std::move(connected).error()));
  }
  ++stats_.opened;
  Connection connection{std::move(key), proxy != nullptr ? "" : to.address, *std::move(connected), {}};
  if (proxy != nullptr && origin.tls) {
    auto tunneled = co_await tunnel(std::move(connection.stream), origin, deadline, *proxy);
    if (!tunneled) co_return std::unexpected(std::move(tunneled).error());
    connection.stream = *std::move(tunneled);
  }
  co_return connection;
}

// Asks the proxy for a tunnel (RFC 9110 section 9.3.6) and starts TLS in it.
aio::Task<std::expected<std::unique_ptr<aio::Stream>, Failure>> Client::tunnel(std::unique_ptr<aio::Stream> stream,
                                                                               const Origin& origin,
                                                                               SteadyTime deadline,
                                                                               const Proxy& proxy) {
  Request request{.method = "CONNECT", .target = authority(origin)};
  request.add("Host", request.target);
  if (!proxy.authorization.empty()) request.add("Proxy-Authorization", proxy.authorization);
  Connection connection{"", "", std::move(stream), {}};
  const SteadyTime now = loop_.clock().steady();
  const Limits limits{.silence = deadline - now, .total = deadline - now, .max_body = 64 * 1024};
  const Timings timings;
  const Message message{request.method, request.bytes(), {}, request.ticket};
  auto answer = co_await exchange(connection, message, limits, timings, now, false);
  if (!answer) {
    answer.error().at = Failure::At::proxy;
    co_return std::unexpected(std::move(answer).error());
  }
  if (answer->head.status() / 100 != 2 || answer->surplus > 0) {
    Error error{ErrorCode::denied, fmt::format("the proxy gave no tunnel to {}: {} {}", request.target,
                                               answer->head.status(), answer->head.reason())};
    co_return std::unexpected(failure(Failure::At::proxy, std::move(error)));
  }
  aio::TlsOptions tls{.server_name = server_name(origin.host), .require_trusted = origin.require_trusted};
  auto secured = co_await network_.start_tls(std::move(connection.stream), std::move(tls), deadline);
  if (!secured) co_return std::unexpected(failure(Failure::At::tls, std::move(secured).error()));
  co_return *std::move(secured);
}

std::optional<Client::Connection> Client::take_idle(const std::string& key) {
  const SteadyTime oldest = loop_.clock().steady() - pool_.max_idle_age;
  for (;;) {
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return std::nullopt;
    Connection connection = take(found);
    // One that has something to say before it was asked (or has closed) is of no use.
    if (connection.idle_since >= oldest && connection.stream->is_quiet()) return connection;
  }
}

Client::Connection Client::take(ByKey::iterator idle) {
  Connection connection = std::move(*idle->second);
  idle_.erase(idle->second);
  by_key_.erase(idle);
  const auto there = idle_at_.find(connection.address);
  if (--there->second == 0) idle_at_.erase(there);
  return connection;
}

void Client::drop(Idle::iterator idle) {
  const auto [from, to] = by_key_.equal_range(idle->key);
  take(std::find_if(from, to, [&](const auto& each) { return each.second == idle; }));
}

void Client::keep(Connection connection, const Message& message, const FetchResult& result) {
  if (!result || !result->keep_alive || message.is_last || aborted_ || pool_.max_idle == 0) return;
  connection.stream->set_deadline(SteadyTime::max());
  connection.idle_since = loop_.clock().steady();
  if (!make_room(connection.address)) return;
  ++idle_at_[connection.address];
  idle_.push_back(std::move(connection));
  by_key_.emplace(idle_.back().key, std::prev(idle_.end()));
  drop_old();
}

// Whether a further connection to that address may wait.
bool Client::make_room(const std::string& address) {
  const SteadyTime too_long = loop_.clock().steady() - pool_.max_idle_age / 2;
  const auto there = address.empty() ? idle_at_.end() : idle_at_.find(address);
  const bool is_address_full = there != idle_at_.end() && there->second >= pool_.max_idle_per_address;
  if (!is_address_full && idle_.size() < pool_.max_idle) return true;
  const auto oldest = is_address_full ? std::ranges::find(idle_, address, &Connection::address) : idle_.begin();
  if (oldest->idle_since > too_long) return false;
  drop(oldest);
  return true;
}

// Closes those that have waited too long, and comes back for the next.
void Client::drop_old() {
  const SteadyTime now = loop_.clock().steady();
  while (!idle_.empty() && idle_.front().idle_since + pool_.max_idle_age <= now) drop(idle_.begin());
  if (timer_ || idle_.empty()) return;
  timer_ = loop_.at(idle_.front().idle_since + pool_.max_idle_age, [this] {
    timer_.reset();
    drop_old();
  });
}

void Client::end(uint64_t ticket) {
  for (const auto& [stream, its_ticket] : active_)
    if (its_ticket == ticket) {
      ended_.insert(ticket);
      return stream->close();
    }
  network_.end_connect(ticket);
}

void Client::abort() {
  aborted_ = true;
  for (const auto& [stream, ticket] : active_) stream->close();
  network_.abort_connects();
  close_idle();
}

void Client::close_idle() {
  by_key_.clear();
  idle_at_.clear();
  idle_.clear();
}

ClientStats Client::stats() const {
  ClientStats stats = stats_;
  stats.idle = idle_.size();
  return stats;
}

std::unique_ptr<char[]> Client::take_buffer() {
  if (buffers_.empty()) return std::make_unique_for_overwrite<char[]>(kBufferSize);
  std::unique_ptr<char[]> buffer = std::move(buffers_.back());
  buffers_.pop_back();
  return buffer;
}

void Client::give_back(std::unique_ptr<char[]> buffer) {
  if (buffer && buffers_.size() < kSpareBuffers) buffers_.push_back(std::move(buffer));
}

}  // namespace caddis::http
