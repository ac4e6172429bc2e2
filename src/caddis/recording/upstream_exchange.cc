// Bytes that are read go through an intake (http/response_intake.h) to the recorder, and whoever follows is told: nothing more
// is read meanwhile, so that the server goes at the pace of the browser. Over HTTP/2 its windows hold it back.
#include "caddis/recording/upstream_exchange.h"

#include <memory>
#include <utility>

namespace caddis::recording {
namespace {

constexpr size_t kBufferSize = 64 * 1024;

http::Limits limits_of(const fetch::FetchSettings& settings) {
  http::Limits limits = fetch::limits(settings);
  limits.max_body = 0;
  return limits;
}

UpstreamFailure failure_of(const http::Failure& why) {
  UpstreamFailure failure{.status = status::kConnectLost, .error = why.error.message};
  failure.is_timeout = why.error.code == ErrorCode::timeout;
  if (failure.is_timeout) failure.status = status::kTimeout;
  if (why.at == http::Failure::At::local) failure.status = status::kSevereError;
  return failure;
}

Result<std::string> read_all(const io::Spool& body) {
  std::string text(body.size(), '\0');
  for (size_t at = 0; at < text.size();) {
    TRY(const size_t got, body.read_at(at, text.data() + at, text.size() - at));
    if (got == 0) return fail(ErrorCode::io, "the body of the request has become shorter");
    at += got;
  }
  return text;
}

}  // namespace

UpstreamExchange::UpstreamExchange(World world, OpenConnection& opened, const OutgoingRequest& request,
                                   const io::Spool* body, ResponseFollower& follower)
    : world_(world),
      opened_(opened),
      request_(request),
      body_(body),
      follower_(follower),
      begun_(world.loop.clock().steady()),
      recorder_(world.spools, limits_of(world.settings), request.message.method),
      intake_(recorder_, opened.connection.http2.get()) {
  if (request.is_websocket) upgrade_.emplace();
}

void UpstreamExchange::await_progress() const {
  stream().set_deadline(world_.loop.clock().steady() + world_.settings.silence_timeout);
}

// A server may answer and close before it has read all: what it says counts, so nothing is told here.
aio::Task<void> UpstreamExchange::send() {
  await_progress();
  auto written = co_await stream().write(request_.head);
  if (body_ == nullptr) co_return;
  const auto buffer = std::make_unique_for_overwrite<char[]>(kBufferSize);
  for (uint64_t at = 0; written && at < body_->size();) {
    const auto got = body_->read_at(at, buffer.get(), kBufferSize);
    if (!got || *got == 0) {
      stream().close();
      co_return;
    }
    at += *got;
    await_progress();
    written = co_await stream().write(std::string_view(buffer.get(), *got));
  }
}

// Further parts of the body are sent while the response is waited for: as the server's window takes them.
aio::Task<void> UpstreamExchange::send_over_http2() {
  await_progress();
  http::Request message = request_.message;
  if (body_ != nullptr) {
    auto body = read_all(*body_);
    if (!body) {
      ending_.local = std::move(body).error();
      co_return;
    }
    message.body = *std::move(body);
  }
  opened_.connection.http2->begin(message, recorder_, static_cast<size_t>(world_.settings.max_head));
  const std::string first = opened_.connection.http2->output();
  co_await stream().write(first);
}

bool UpstreamExchange::is_response(std::string_view& bytes) {
  Upgrade& upgrade = *upgrade_;
  upgrade.first += bytes;
  const auto size = upgrade.scanner.scan(upgrade.first);
  if (!size && upgrade.first.size() < http::Limits().max_head) return false;
  const auto head = size ? http::parse_response_head(upgrade.first.substr(0, *size), http::Mode::lenient)
                         : Result<http::ResponseHead>(fail(ErrorCode::limit, "the head is too long"));
  if (head && head->status() == 101) {
    upgrade.done =
        Upgraded{std::move(opened_.connection.stream), upgrade.first.substr(0, *size), upgrade.first.substr(*size)};
    return false;
  }
  bytes = upgrade.first;
  return true;
}

void UpstreamExchange::interrupted(const Error& error) {
  ending_.is_closed = true;
  if (opened_.connection.http2 != nullptr && intake_.is_whole()) return;
  ending_.how = error.code == ErrorCode::timeout ? End::timeout : End::broken;
  ending_.why = error.message;
}

aio::Task<void> UpstreamExchange::receive() {
  const Clock& clock = world_.loop.clock();
  const auto buffer = std::make_unique_for_overwrite<char[]>(kBufferSize);
  bool is_lingering = false;
  uint64_t seen = 0;  // of the progress
  bool may_upgrade = upgrade_.has_value();
  while (!ending_.is_closed && intake_.wants_more()) {
    if (opened_.connection.http2 != nullptr && intake_.is_whole()) {
      if (!std::exchange(is_lingering, true)) stream().set_deadline(clock.steady() + http::kLinger);
    } else if (std::exchange(seen, intake_.progress()) != intake_.progress()) {
      await_progress();
    }
    const auto got = co_await stream().read(buffer.get(), kBufferSize);
    if (!got) {
      interrupted(got.error());
      break;
    }
    ending_.is_closed = *got == 0;
    if (ending_.is_closed) break;
    if (!recorder_.has_bytes()) first_byte_ = clock.steady() - begun_;
    intake_.count(*got);
    std::string_view bytes(buffer.get(), *got);
    if (may_upgrade) {
      may_upgrade = !is_response(bytes);
      if (upgrade_->done) co_return;
      if (may_upgrade) continue;
    }
    if (auto stored = intake_.feed(bytes); !stored) {
      ending_.local = std::move(stored).error();
      co_return;
    }
    co_await follower_.follow(recorder_.so_far());
    if (ending_.cut = follower_.gives_up(); !ending_.cut.empty()) {
      ending_.how = End::broken;
      ending_.why = ending_.cut;
      co_return;
    }
    // A client may have been waited for.
    if (std::exchange(seen, intake_.progress()) != intake_.progress()) await_progress();
    // Windows, parts of the body, and answers to settings and pings. If they cannot be sent, reading tells.
    if (const std::string answer = intake_.output(); !answer.empty()) co_await stream().write(answer);
  }
  if (ending_.how == End::complete) ending_.how = intake_.end_of(ending_.is_closed, ending_.why);
}

aio::Task<UpstreamResult> UpstreamExchange::run() {
  http::Timings timings{.started = world_.loop.clock().wall()};
  timings.connected = opened_.took;
  if (opened_.connection.http2 != nullptr)
    co_await send_over_http2();
  else
    co_await send();
  if (!ending_.local) co_await receive();
  if (upgrade_ && upgrade_->done) {
    UpstreamResult result;
    result.upgraded = std::move(upgrade_->done);
    co_return result;
  }
  if (ending_.local) co_return failed({.status = status::kSevereError, .error = ending_.local->message});
  co_return co_await finish(timings);
}

aio::Task<UpstreamResult> UpstreamExchange::finish(http::Timings timings) {
  http::Http2Session* const http2 = opened_.connection.http2.get();
  const bool may_go_on = http2 != nullptr && http2->finish();
  http::FetchResult result = recorder_.finish(ending_.how, ending_.why);
  if (!result) {
    result.error().nothing_came = !recorder_.has_bytes();
    again_ = http::why_again(opened_.connection, request_.message.method, result, opened_.is_reused);
    co_return failed(failure_of(result.error()));
  }
  if (!ending_.cut.empty()) result->truncated = http::Truncated::unwanted;
  timings.first_byte = first_byte_;
  timings.finished = world_.loop.clock().steady() - begun_;
  result->timings = timings;
  result->reused = opened_.is_reused;
  result->remote = stream().remote();
  if (const aio::TlsInfo* const info = stream().tls()) result->tls = *info;
  result->request_bytes = request_.recorded;
  if (http2 != nullptr) {
    result->request_bytes = http::http1_rendition(request_.message);
    http::add_http2_facts(*result, *http2, may_go_on);
  }
  UpstreamResult done;
  done.exchange.emplace(*std::move(result));
  done.cut = std::move(ending_.cut);
  co_await follower_.follow(*done.exchange);
  co_return done;
}

}  // namespace caddis::recording
