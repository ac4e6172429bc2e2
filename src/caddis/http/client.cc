#include "caddis/http/client.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/base/check.h"
#include "caddis/base/strings.h"
#include "caddis/http/again.h"
#include "caddis/http/recorder.h"
#include "caddis/http/response_intake.h"
#include "caddis/http/socks.h"
#include "caddis/http/throttle.h"

namespace caddis::http {
namespace {

constexpr size_t kBufferSize = 64 * 1024;
constexpr size_t kSpareBuffers = 64;
constexpr int kMostTunnels = 3;  // of one connection: a proxy asks for credentials, and for others when they are stale

Failure failure(Failure::At at, Error error) { return Failure{at, std::move(error)}; }

void append_endpoint(std::string& key, std::string_view host, uint16_t port) {
  key += ' ';
  key += host;
  key += ' ';
  key += std::to_string(port);
}

std::string server_of(const Origin& origin) {
  return fmt::format("{} {} {}", origin.host, origin.port, origin.address.address);
}

// "direct https 0 0 h1 example.com 443 192.0.2.1 443": what an open connection is good for.
std::string key_of(const Origin& origin, const Proxy* proxy) {
  const bool is_socks = proxy != nullptr && proxy->kind == Proxy::Kind::socks5;
  std::string key = proxy == nullptr ? "direct" : is_socks ? "socks" : "proxy";
  if (origin.tls)
    key += fmt::format(" https {} {} {}", static_cast<int>(origin.trust), static_cast<int>(origin.lowest_tls),
                       origin.offers_http2 ? "h2" : "h1");
  // An HTTP proxy takes plain requests for every host on one connection.
  if (proxy == nullptr || is_socks || origin.tls) append_endpoint(key, origin.host, origin.port);
  const aio::Endpoint& to = proxy != nullptr ? proxy->address : origin.address;
  append_endpoint(key, to.address, to.port);
  if (!origin.local_address.empty()) key += " from " + origin.local_address;
  // A tunnel is paid for by the customer who opened it: it is not for another one of the same proxy.
  if (proxy != nullptr && !proxy->authorization.empty()) key += ' ' + proxy->authorization;
  if (proxy != nullptr && !proxy->user.empty()) key += ' ' + proxy->user + ' ' + proxy->password;
  return key;
}

// "example.com:443", "[2001:db8::1]:443"
std::string authority(const Origin& origin) { return fmt::format("{}:{}", origin.host, origin.port); }

std::string server_name(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return std::string(host);
}

aio::TlsOptions tls_options(const Origin& origin) {
  return {.server_name = server_name(origin.host),
          .trust = origin.trust,
          .lowest = origin.lowest_tls,
          .offers_http2 = origin.offers_http2};
}

std::string credentials_for(const Proxy& proxy, const Request& request) {
  return proxy.login ? proxy.login->credentials(request.method, request.target) : proxy.authorization;
}

// Whether the answer is the proxy's own, and it is worth to ask it again.
bool proxy_asks_again(const Proxy* proxy, const Origin& origin, const FetchResult& result, std::string_view sent) {
  if (proxy == nullptr || proxy->login == nullptr || origin.tls || !result) return false;
  return proxy->login->asks_again(result->head, sent);
}

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
    : loop_(loop), network_(network), spools_(spools), pool_(loop, limits) {}

Client::~Client() { CADDIS_CHECK(active_.empty()); }

Client::Message Client::message_for(Request request, const Origin& origin, const Proxy* proxy) {
  Message message;
  message.is_last = std::ranges::any_of(request.headers, [](const Header& header) {
    return equals_ignore_case(header.name, "connection") && equals_ignore_case(trim(header.value), "close");
  });
  const bool forwarded = proxy != nullptr && proxy->kind == Proxy::Kind::http && !origin.tls;
  if (forwarded || request.has_secrets()) message.recorded = request.recorded_bytes();
  if (forwarded) {
    const std::string port = origin.port == 80 ? "" : fmt::format(":{}", origin.port);
    request.target = fmt::format("http://{}{}{}", origin.host, port, request.target);
    message.to_proxy = credentials_for(*proxy, request);
    if (!message.to_proxy.empty()) request.add_secret("Proxy-Authorization", message.to_proxy);
  }
  message.bytes = request.bytes();
  message.request = std::move(request);
  return message;
}

aio::Task<FetchResult> Client::fetch(Origin origin, Request request, Limits limits, const Proxy* proxy) {
  Timings timings{.started = loop_.clock().wall()};
  const SteadyTime begun = loop_.clock().steady();
  const SteadyTime connect_by = begun + std::min(limits.connect, limits.total);
  std::optional<Request> original;
  if (proxy != nullptr && proxy->login != nullptr) original = request;
  Message message = message_for(std::move(request), origin, proxy);
  const uint64_t ticket = message.request.ticket;
  origin.offers_http2 = origin.offers_http2 && origin.tls && !http1_only_.has(server_of(origin));
  constexpr unsigned kMostTries = 3;
  bool wants_new = false;
  for (unsigned tried = 1;; ++tried) {
    std::string key = key_of(origin, proxy);
    auto kept = wants_new ? std::nullopt : pool_.take(key);
    const bool reused = kept.has_value();
    if (!kept) {
      auto opened = co_await establish(origin, std::move(key), connect_by, proxy, ticket);
      if (!opened) {
        ended_.erase(ticket);
        co_return std::unexpected(std::move(opened).error());
      }
      kept.emplace(*std::move(opened));
      timings.connected = loop_.clock().steady() - begun;
    }
    stats_.reused += reused ? 1 : 0;
    FetchResult result = co_await exchange(*kept, message, limits, timings, begun, reused);
    const Again again = why_again(*kept, message.request.method, result, reused);
    const bool ended = ended_.erase(ticket) > 0;
    const bool asks_again = proxy_asks_again(proxy, origin, result, message.to_proxy);
    if (asks_again && !ended && !aborted_ && tried < kMostTries) {
      keep(*std::move(kept), message, result);
      message = message_for(*original, origin, proxy);
      continue;
    }
    if (again == Again::http1 || again == Again::http1_next) http1_only_.add(server_of(origin));
    if (again == Again::no || again == Again::http1_next || ended || aborted_ || tried == kMostTries) {
      keep(*std::move(kept), message, result);
      co_return result;
    }
    if (again == Again::stale) ++stats_.stale;
    if (again == Again::http1) origin.offers_http2 = false;
    wants_new = true;
  }
}

// The facts of an exchange that only its connection knows. `may_go_on`: it can carry another over HTTP/2.
void Client::add_connection(Exchange& exchange, const Connection& connection, const Message& message, bool may_go_on) {
  exchange.remote = connection.stream->remote();
  if (const aio::TlsInfo* tls = connection.stream->tls()) exchange.tls = *tls;
  exchange.request_bytes = message.recorded.empty() ? message.bytes : message.recorded;
  if (!connection.http2) return;
  exchange.request_bytes = http1_rendition(message.request);
  add_http2_facts(exchange, *connection.http2, may_go_on);
}

aio::Task<FetchResult> Client::exchange(Connection& connection, const Message& message, const Limits& limits,
                                        Timings timings, SteadyTime begun, bool reused) {
  aio::Stream& stream = *connection.stream;
  const uint64_t ticket = message.request.ticket;
  const Active active(*this, &stream, ticket);
  const Clock& clock = loop_.clock();
  const SteadyTime deadline = begun + limits.total;
  const auto await_progress = [&] { stream.set_deadline(std::min(clock.steady() + limits.silence, deadline)); };

  ResponseRecorder recorder(spools_, limits, message.request.method);
  Http2Session* const http2 = connection.http2.get();
  ResponseIntake intake(recorder, http2);
  auto end = ResponseRecorder::End::complete;
  std::string why;
  bool is_closed = false;
  const auto interrupted = [&](const Error& error) {
    is_closed = true;
    if (http2 != nullptr && intake.is_whole()) return;
    end = error.code == ErrorCode::timeout ? ResponseRecorder::End::timeout : ResponseRecorder::End::broken;
    why = error.message;
  };

  await_progress();
  if (http2 != nullptr) http2->begin(message.request, recorder, limits.max_head);
  // A server may answer (413, 403) and close before it has read all of a body: what it said counts, so a failed write
  // does not end the exchange.
  const std::string first = http2 != nullptr ? http2->output() : std::string();
  const auto written = co_await stream.write(http2 != nullptr ? first : message.bytes);
  if (!written && written.error().code == ErrorCode::timeout) interrupted(written.error());

  Throttle throttle(limits.bandwidth);
  bool is_drained = true;  // the last read took all that had come
  bool is_lingering = false;
  uint64_t seen = 0;  // of the progress
  while (!is_closed && intake.wants_more()) {
    on_turn_(0);
    bool has_paused = false;
    if (const SteadyTime next = throttle.next(); next > clock.steady()) {
      has_paused = true;
      co_await aio::sleep_until(loop_, std::min(next, deadline));
      if (next >= deadline) {
        interrupted(Error{ErrorCode::timeout, "it takes too long at the bandwidth that is set"});
        break;
      }
    }
    if (http2 != nullptr && intake.is_whole()) {
      if (!std::exchange(is_lingering, true)) stream.set_deadline(std::min(clock.steady() + kLinger, deadline));
    } else if (has_paused || std::exchange(seen, intake.progress()) != intake.progress()) {
      await_progress();
    }
    if (is_drained) {
      // Without a buffer: a server that is silent costs none.
      if (const auto come = co_await stream.wait_readable(); !come) {
        interrupted(come.error());
        break;
      }
    }
    const std::span<char> place = intake.place();
    std::unique_ptr<char[]> buffer = place.empty() ? take_buffer() : nullptr;
    char* const to = place.empty() ? buffer.get() : place.data();
    // Not more at once than is still in the caches when digests are taken of it.
    const size_t most = place.empty() ? kBufferSize : std::min(kBufferSize, place.size());
    const size_t wanted = throttle.at_once(most);
    const auto got = co_await stream.read(to, wanted);
    on_turn_(ticket);
    is_drained = !got || *got < wanted;
    if (!got) {
      interrupted(got.error());
    } else if (*got == 0) {
      is_closed = true;
    } else {
      if (!recorder.has_bytes()) timings.first_byte = clock.steady() - begun;
      received_.fetch_add(*got, std::memory_order_relaxed);
      throttle.took(*got, clock.steady());
      intake.count(*got);
      if (!place.empty()) {
        intake.fed_in_place(*got);
      } else if (auto stored = intake.feed({buffer.get(), *got}); !stored) {
        co_return std::unexpected(failure(Failure::At::local, std::move(stored).error()));
      }
    }
    give_back(std::move(buffer));
    // Windows, and answers to settings and pings. If they cannot be sent, reading tells.
    if (const std::string answer = intake.output(); !answer.empty()) co_await stream.write(answer);
  }
  if (end == ResponseRecorder::End::complete) end = intake.end_of(is_closed, why);

  const bool may_go_on = http2 != nullptr && http2->finish();
  FetchResult result = recorder.finish(end, why);
  if (aborted_)
    co_return std::unexpected(failure(Failure::At::response, Error{ErrorCode::cancelled, "fetching was stopped"}));
  if (!result) {
    result.error().nothing_came = !recorder.has_bytes();
    co_return result;
  }
  timings.finished = clock.steady() - begun;
  result->timings = timings;
  result->reused = reused;
  add_connection(*result, connection, message, may_go_on);
  co_return result;
}

aio::Task<std::expected<Connection, Failure>> Client::establish(const Origin& origin, std::string key,
                                                                SteadyTime deadline, const Proxy* proxy,
                                                                uint64_t ticket) {
  if (aborted_)
    co_return std::unexpected(failure(Failure::At::connect, Error{ErrorCode::cancelled, "fetching was stopped"}));
  const aio::TlsOptions tls = tls_options(origin);
  const aio::TlsOptions* direct_tls = origin.tls && proxy == nullptr ? &tls : nullptr;
  const aio::Endpoint& to = proxy != nullptr ? proxy->address : origin.address;
  auto connected = co_await network_.connect(to, direct_tls, deadline, ticket, origin.local_address);
  if (!connected) {
    const auto at = connected.error().code == ErrorCode::denied ? Failure::At::tls : Failure::At::connect;
    co_return std::unexpected(failure(at, std::move(connected).error()));
  }
  ++stats_.opened;
  Connection connection{std::move(key), proxy != nullptr ? "" : to.address, *std::move(connected), nullptr, {}};
  if (proxy != nullptr) {
    bool asks_again = false;
    auto led = co_await through(std::move(connection.stream), origin, deadline, *proxy, ticket, asks_again);
    for (int tried = 1; !led && asks_again && !aborted_ && tried < kMostTunnels; ++tried) {
      auto anew = co_await network_.connect(to, nullptr, deadline, ticket, origin.local_address);
      if (!anew) co_return std::unexpected(failure(Failure::At::connect, std::move(anew).error()));
      ++stats_.opened;
      asks_again = false;
      led = co_await through(*std::move(anew), origin, deadline, *proxy, ticket, asks_again);
    }
    if (!led) co_return std::unexpected(std::move(led).error());
    connection.stream = *std::move(led);
  }
  const aio::TlsInfo* const agreed = connection.stream->tls();
  if (agreed != nullptr && agreed->application == "h2") connection.http2 = std::make_unique<Http2Session>();
  co_return connection;
}

// From the proxy on to the server, as far as it is not the proxy that forwards requests.
aio::Task<std::expected<std::unique_ptr<aio::Stream>, Failure>> Client::through(std::unique_ptr<aio::Stream> stream,
                                                                                const Origin& origin,
                                                                                SteadyTime deadline, const Proxy& proxy,
                                                                                uint64_t ticket, bool& asks_again) {
  if (proxy.kind == Proxy::Kind::socks5) {
    const Active active(*this, stream.get(), ticket);
    const SocksLogin login(proxy.user, proxy.password);
    stream->set_deadline(deadline);
    std::string host = server_name(origin.host);
    auto led = co_await socks_connect(*stream, login, std::move(host), origin.port);
    if (!led) co_return std::unexpected(failure(Failure::At::proxy, std::move(led).error()));
  } else if (origin.tls) {
    auto tunneled = co_await tunnel(std::move(stream), origin, deadline, proxy, asks_again);
    if (!tunneled) co_return std::unexpected(std::move(tunneled).error());
    stream = *std::move(tunneled);
  }
  if (!origin.tls) co_return stream;
  aio::TlsOptions tls = tls_options(origin);
  auto secured = co_await network_.start_tls(std::move(stream), std::move(tls), deadline);
  if (!secured) co_return std::unexpected(failure(Failure::At::tls, std::move(secured).error()));
  co_return *std::move(secured);
}

// Asks the proxy for a tunnel (RFC 9110 section 9.3.6). `asks_again`: it wants credentials that there are now.
aio::Task<std::expected<std::unique_ptr<aio::Stream>, Failure>> Client::tunnel(std::unique_ptr<aio::Stream> stream,
                                                                               const Origin& origin,
                                                                               SteadyTime deadline, const Proxy& proxy,
                                                                               bool& asks_again) {
  Request request{.method = "CONNECT", .target = authority(origin)};
  request.add("Host", request.target);
  const std::string sent = credentials_for(proxy, request);
  if (!sent.empty()) request.add("Proxy-Authorization", sent);
  Connection connection{"", "", std::move(stream), nullptr, {}};
  const SteadyTime now = loop_.clock().steady();
  const Limits limits{.silence = deadline - now, .total = deadline - now, .max_body = 64 * 1024};
  const Timings timings;
  const Message message{request, request.bytes(), {}};
  auto answer = co_await exchange(connection, message, limits, timings, now, false);
  if (!answer) {
    answer.error().at = Failure::At::proxy;
    co_return std::unexpected(std::move(answer).error());
  }
  asks_again = proxy.login != nullptr && proxy.login->asks_again(answer->head, sent);
  if (answer->head.status() / 100 != 2 || answer->surplus > 0) {
    Error error{ErrorCode::denied, fmt::format("the proxy gave no tunnel to {}: {} {}", request.target,
                                               answer->head.status(), answer->head.reason())};
    co_return std::unexpected(failure(Failure::At::proxy, std::move(error)));
  }
  co_return std::move(connection.stream);
}

void Client::keep(Connection connection, const Message& message, const FetchResult& result) {
  if (result && result->framing.keep_alive && !message.is_last && !aborted_) pool_.keep(std::move(connection));
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

void Client::close_idle() { pool_.clear(); }

ClientStats Client::stats() const {
  ClientStats stats = stats_;
  stats.idle = pool_.size();
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
