// A connection of the simulated network: two streams with a bounded pipe for each direction. Internal.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "caddis/aio/sim.h"

namespace caddis::aio::internal {

// Both ends share it; it lives until both have gone and nothing is on the way.
class SimConnection : public std::enable_shared_from_this<SimConnection> {
 public:
  // What becomes of it after so many bytes of both directions.
  enum class Fault { none, reset, stall };
  SimConnection(SimLoop& loop, const SimNetworkSettings& settings, Fault fault, uint64_t fault_after)
      : loop_(loop), settings_(settings), fault_(fault), fault_after_(fault_after) {}

  Duration latency();

 private:
  friend class SimStream;
  struct Pipe {
    std::deque<std::string> under_way;  // an empty one: the end
    size_t size = 0;                    // of all under way and arrived
    SteadyTime last_arrival{};          // TCP keeps the order
    std::string arrived;
    bool ended = false;
    std::coroutine_handle<> reader;
    std::coroutine_handle<> writer;
  };
  void send(Pipe& pipe, std::string bytes);
  void arrive(Pipe& pipe);
  void break_off();
  void wake(std::coroutine_handle<>& waiting);

  SimLoop& loop_;
  const SimNetworkSettings settings_;
  const Fault fault_;
  const uint64_t fault_after_;
  uint64_t sent_ = 0;
  bool reset_ = false;
  std::array<Pipe, 2> pipes_;
};

class SimStream final : public Stream {
 public:
  // Reads from pipe 0 and writes to pipe 1, or the other way round.
  SimStream(std::shared_ptr<SimConnection> connection, size_t reads_from, Endpoint remote, const TlsInfo* tls);
  SimStream(const SimStream&) = delete;
  SimStream& operator=(const SimStream&) = delete;
  ~SimStream() override;

  Task<Result<size_t>> read(char* buffer, size_t size) override;
  Task<Result<void>> write(std::string_view bytes) override;
  void set_deadline(SteadyTime when) override;
  void close() override;
  Endpoint remote() const override { return remote_; }
  // All of the simulated world stands on one machine.
  Endpoint local() const override { return {"127.0.0.1", 0}; }
  const TlsInfo* tls() const override { return tls_ ? &*tls_ : nullptr; }
  bool peer_left() override { return closed_ || input_.ended || connection_->reset_; }
  bool is_quiet() override { return input_.arrived.empty() && !input_.ended && !connection_->reset_; }

 private:
  std::optional<Error> broken() const;
  void wake_own();

  std::shared_ptr<SimConnection> connection_;
  SimConnection::Pipe& input_;
  SimConnection::Pipe& output_;
  Endpoint remote_;
  std::optional<TlsInfo> tls_;
  Loop::TimerId timer_ = 0;
  bool expired_ = false;
  bool closed_ = false;
};

}  // namespace caddis::aio::internal
