#include "caddis/protocols/wires.h"

#include <utility>

#include "caddis/base/check.h"
#include "caddis/protocols/proxy_way.h"

namespace caddis::protocols {

Wire::Wire(Wires& wires, std::unique_ptr<aio::Stream> stream, uint64_t ticket, Patience patience)
    : wires_(wires), stream_(std::move(stream)), ticket_(ticket), patience_(patience) {
  wires_.open_.emplace(stream_.get(), ticket_);
}

Wire::~Wire() { wires_.open_.erase(stream_.get()); }

aio::Task<Result<size_t>> Wire::read(char* buffer, size_t size) {
  stream_->set_deadline(patience_.next());
  wires_.on_turn_(0);
  Result<size_t> got = co_await stream_->read(buffer, size);
  wires_.on_turn_(ticket_);
  if (got) wires_.received_.fetch_add(*got, std::memory_order_relaxed);
  co_return got;
}

aio::Task<Result<void>> Wire::write(std::string_view bytes) {
  stream_->set_deadline(patience_.next());
  wires_.on_turn_(0);
  Result<void> written = co_await stream_->write(bytes);
  wires_.on_turn_(ticket_);
  co_return written;
}

Wires::~Wires() { CADDIS_CHECK(open_.empty() && waiting_.empty()); }

aio::Task<Result<std::unique_ptr<Wire>>> Wires::connect(aio::Endpoint to, std::string from, SteadyTime by,
                                                        Patience patience, uint64_t ticket) {
  if (is_aborted_) co_return fail(ErrorCode::cancelled, "fetching was stopped");
  on_turn_(0);
  auto stream = co_await network_.connect(std::move(to), nullptr, by, ticket, std::move(from));
  on_turn_(ticket);
  if (!stream) co_return std::unexpected(std::move(stream).error());
  if (is_aborted_) co_return fail(ErrorCode::cancelled, "fetching was stopped");
  co_return std::make_unique<Wire>(*this, *std::move(stream), ticket, patience);
}

aio::Task<Result<std::unique_ptr<Wire>>> Wires::open(Way way, SteadyTime connect_by, Patience patience,
                                                     uint64_t ticket) {
  constexpr int kMostTries = 3;  // a proxy asks for credentials, and for others when they are stale
  if (way.proxy == nullptr)
    co_return co_await connect(std::move(way.server), std::move(way.from), connect_by, patience, ticket);
  for (int tried = 0; tried < kMostTries; ++tried) {
    CO_TRY(auto wire, co_await connect(way.proxy->address, way.from, connect_by, patience, ticket));
    wire->stream().set_deadline(connect_by);
    on_turn_(0);
    const Result<WayStep> led = co_await lead_through(wire->stream(), *way.proxy, way.name, way.server.port);
    on_turn_(ticket);
    if (!led) co_return std::unexpected(led.error());
    if (*led == WayStep::there) co_return std::move(wire);
  }
  co_return fail(ErrorCode::denied, "the proxy asks for user and password again and again");
}

aio::Task<Result<std::unique_ptr<Wire>>> Wires::accept(aio::Listener& listener, std::string peer, SteadyTime by,
                                                       Patience patience, uint64_t ticket) {
  waiting_.emplace(&listener, ticket);
  bool is_late = false;
  const aio::Loop::TimerId timer = loop_.at(by, [&] {
    is_late = true;
    listener.close();
  });
  on_turn_(0);
  Result<std::unique_ptr<aio::Stream>> stream = co_await listener.accept();
  // Anybody may knock: it has to be the server that was asked.
  while (stream && (*stream)->remote().address != peer) stream = co_await listener.accept();
  on_turn_(ticket);
  loop_.cancel(timer);
  waiting_.erase(&listener);
  if (is_late) co_return fail(ErrorCode::timeout, "the server has not connected to us in time");
  if (!stream) co_return std::unexpected(std::move(stream).error());
  co_return std::make_unique<Wire>(*this, *std::move(stream), ticket, patience);
}

Result<std::unique_ptr<Wire>> Wires::carry(std::unique_ptr<aio::Stream> stream, Patience patience, uint64_t ticket) {
  if (is_aborted_) return fail(ErrorCode::cancelled, "fetching was stopped");
  return std::make_unique<Wire>(*this, std::move(stream), ticket, patience);
}

void Wires::end(uint64_t ticket) {
  network_.end_connect(ticket);
  for (const auto& [stream, owner] : open_)
    if (owner == ticket) stream->close();
  for (const auto& [listener, owner] : waiting_)
    if (owner == ticket) listener->close();
}

void Wires::abort() {
  is_aborted_ = true;
  network_.abort_connects();
  for (const auto& [stream, ticket] : open_) stream->close();
  for (const auto& [listener, ticket] : waiting_) listener->close();
}

}  // namespace caddis::protocols
