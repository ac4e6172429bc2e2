// The connections of all transfers of a lane, whatever protocol they speak: they can be ended from outside.
//
//   Wires wires(loop, network);
//   auto wire = co_await wires.open(way, connect_by, patience, ticket);
//   wires.end(ticket);   // every connection of that ticket
//
// Belongs to its loop's thread, as do loop and network, which outlive it. Wires outlives its connections.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/task.h"
#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/http/proxy.h"

namespace caddis::protocols {

class Wires;

// Whom to connect to.
struct Way {
  aio::Endpoint server;                // behind a proxy its port alone is used
  std::string name;                    // of the server, for a proxy; an address has no brackets
  const http::Proxy* proxy = nullptr;  // null: there is none; lives until the transfer ends
  std::string from;                    // as in aio::Network::connect
};

// How long a peer may be silent, and when all must be done.
struct Patience {
  const Clock& clock;
  Duration silence{};
  SteadyTime deadline;

  SteadyTime next() const { return std::min(clock.steady() + silence, deadline); }
};

// One connection. Errors are those of aio::Stream.
class Wire {
 public:
  Wire(Wires& wires, std::unique_ptr<aio::Stream> stream, uint64_t ticket, Patience patience);
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;
  ~Wire();

  // At least one byte, or 0 at the end.
  aio::Task<Result<size_t>> read(char* buffer, size_t size);
  // All of `bytes`, which stay valid until it returns.
  aio::Task<Result<void>> write(std::string_view bytes);
  void close() { stream_->close(); }
  aio::Stream& stream() { return *stream_; }
  aio::Endpoint remote() const { return stream_->remote(); }
  aio::Endpoint local() const { return stream_->local(); }

 private:
  Wires& wires_;
  const std::unique_ptr<aio::Stream> stream_;
  const uint64_t ticket_;
  const Patience patience_;
};

class Wires {
 public:
  Wires(aio::Loop& loop, aio::Network& network) : loop_(loop), network_(network) {}
  Wires(const Wires&) = delete;
  Wires& operator=(const Wires&) = delete;
  ~Wires();

  // ErrorCode::io: refused or unreachable; timeout; cancelled; denied: the proxy leads nowhere.
  aio::Task<Result<std::unique_ptr<Wire>>> open(Way way, SteadyTime connect_by, Patience patience, uint64_t ticket);
  // Waits for a peer that connects to us, from `peer` alone.
  aio::Task<Result<std::unique_ptr<Wire>>> accept(aio::Listener& listener, std::string peer, SteadyTime by,
                                                  Patience patience, uint64_t ticket);
  // A stream that is no connection, under the same rules. ErrorCode::cancelled.
  Result<std::unique_ptr<Wire>> carry(std::unique_ptr<aio::Stream> stream, Patience patience, uint64_t ticket);
  Result<std::unique_ptr<aio::Listener>> listen(const aio::Endpoint& at) { return network_.listen(at); }
  // Ends what runs under that ticket (ErrorCode::cancelled), also while it connects.
  void end(uint64_t ticket);
  // Ends all, and refuses more.
  void abort();
  bool is_aborted() const { return is_aborted_; }
  // Called, with the ticket, whenever a transfer goes on with what it has read; with 0 when it waits again.
  void on_turn(std::function<void(uint64_t ticket)> call) { on_turn_ = std::move(call); }
  // Bytes so far. Any thread.
  uint64_t received() const { return received_.load(std::memory_order_relaxed); }
  aio::Loop& loop() { return loop_; }

 private:
  friend class Wire;
  aio::Task<Result<std::unique_ptr<Wire>>> connect(aio::Endpoint to, std::string from, SteadyTime by, Patience patience,
                                                   uint64_t ticket);

  aio::Loop& loop_;
  aio::Network& network_;
  std::unordered_map<aio::Stream*, uint64_t> open_;       // with their tickets
  std::unordered_map<aio::Listener*, uint64_t> waiting_;  // for a peer, with their tickets
  std::function<void(uint64_t)> on_turn_ = [](uint64_t) {};
  std::atomic<uint64_t> received_ = 0;
  bool is_aborted_ = false;
};

}  // namespace caddis::protocols
