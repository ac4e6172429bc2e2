// The simulated world's loop, blocking calls and network: one thread, virtual time, and every order, latency and fault
// drawn from one seed. The same seed and program give the same run.
//
//   SimLoop loop(seed);
//   SimNetwork network(loop, SimNetworkSettings());
//   network.serve(Endpoint("192.0.2.1", 80), [](std::unique_ptr<Stream> stream) -> Task<void> { … });
//   …spawn what is to run…
//   loop.run();                       // to the end, or:
//   loop.run_events(crash_at);        // up to an arbitrary moment; then the world ends there:
//   loop.abandon();
//
// A crash drops the whole world. `abandon` destroys every coroutine that a nursery of this thread owns, where it
// stands, and all that waits in the loop; afterwards nothing runs any more, and engine, network and loop can be
// destroyed in any order that plain objects allow (the loop last). Nothing leaks, so campaigns of crashes run under
// leak checking. What a crash leaves on disk is the simulated files' business.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "caddis/aio/blocking.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/timer_heap.h"
#include "caddis/base/even_time.h"
#include "caddis/base/random.h"

namespace caddis::aio {

// Virtual time, as the system's clock gives it where its monotonic clock jumps: through EvenTime.
class SimClock final : public ManualClock {
 public:
  SteadyTime steady() const override {
    return even_.now([this] { return ManualClock::steady().time_since_epoch() + jumped_; });
  }
  void jump_steady(Duration by) { jumped_ += by; }

 private:
  Duration jumped_{};
  mutable EvenTime even_;
};

// One a thread at a time.
class SimLoop final : public Loop {
 public:
  explicit SimLoop(uint64_t seed);
  ~SimLoop() override;

  // Work of the same moment runs in an order drawn from the seed.
  void post(std::function<void()> work) override { at(clock_.steady(), std::move(work)); }
  TimerId at(SteadyTime when, std::function<void()> work) override;
  void cancel(TimerId timer) override { timers_.cancel(timer); }
  // Returns when nothing is left to run, too. Time jumps to the next timer.
  void run() override;
  // Runs at most that many pieces of work; returns how many there were. Not after `stop`.
  size_t run_events(size_t at_most);
  void stop() override { stopped_ = true; }
  const Clock& clock() const override { return clock_; }

  // For jumps of the wall clock, and of the monotonic one.
  SimClock& manual_clock() { return clock_; }
  // The world's chance: its network draws from it, and so may others.
  Random& random() { return random_; }
  // Work run since the beginning: a moment for a crash is a number below that of a whole run.
  size_t events() const { return events_; }
  // The end of the world; not from within its coroutines.
  void abandon();

 private:
  bool run_one();

  World world_;
  SimClock clock_;
  SeededRandom random_;
  TimerHeap timers_;
  size_t events_ = 0;
  bool stopped_ = false;
  bool abandoned_ = false;
};

// Work runs on the loop, later; its caller goes on later still, so that a crash may fall in between.
std::unique_ptr<Blocking> make_sim_blocking(SimLoop& loop, Duration longest);

struct SimNetworkSettings {
  Duration min_latency = std::chrono::microseconds(200);
  Duration max_latency = std::chrono::milliseconds(40);
  size_t buffer = 64 * 1024;  // bytes a direction holds, on the way and unread; then its writer waits
  bool short_reads = true;    // some reads give less than has come
  bool takes_http2 = false;   // servers of TLS take an offer of HTTP/2
  // Faults, each of so many in a thousand connections:
  unsigned refused = 0;  // the connection is refused
  unsigned hanging = 0;  // it is never answered
  unsigned reset = 0;    // it breaks off, after at most `fault_within` bytes of both directions
  unsigned stalled = 0;  // nothing arrives any more, likewise
  uint64_t fault_within = 100'000;
};

// Serves one connection; it ends when the function does.
using SimServer = std::function<Task<void>(std::unique_ptr<Stream>)>;

namespace internal {
class SimListener;
}

class SimNetwork final : public Network {
 public:
  SimNetwork(SimLoop& loop, const SimNetworkSettings& settings);
  SimNetwork(const SimNetwork&) = delete;
  SimNetwork& operator=(const SimNetwork&) = delete;
  ~SimNetwork() override;  // its servers' coroutines end where they stand

  void serve(const Endpoint& at, SimServer server);
  // Asked where nobody else listens; an empty function refuses.
  void serve_rest(std::function<SimServer(const Endpoint&)> find) { find_server_ = std::move(find); }
  // May be changed at any time; for the connections made from then on.
  SimNetworkSettings& settings() { return settings_; }
  size_t connections() const { return connections_; }

  // TLS is only claimed: tls() tells of it, nothing is encrypted, every certificate is trusted.
  Task<Result<std::unique_ptr<Stream>>> connect(Endpoint to, const TlsOptions* tls, SteadyTime deadline,
                                                uint64_t ticket = 0, std::string from = {}) override;

  Result<std::unique_ptr<Listener>> listen(const Endpoint& at) override;
  Result<std::unique_ptr<Listener>> listen_tls(const Endpoint& at, std::string_view certificate_pem,
                                               std::string_view key_pem) override;
  Result<std::unique_ptr<Listener>> listen_unix(const std::string& path) override;
  Task<Result<std::unique_ptr<Stream>>> connect_unix(std::string path, SteadyTime deadline) override;

 private:
  friend class internal::SimListener;
  // Endpoints and paths as text.
  Task<Result<std::unique_ptr<Stream>>> connect_to(std::string name, Endpoint to, const TlsInfo* tls,
                                                   SteadyTime deadline);
  Result<std::unique_ptr<Listener>> listen_at(std::string name, Endpoint at);
  // Hands the far end of a new connection to whoever serves there. False: nobody does.
  bool deliver(const std::string& name, const Endpoint& to, std::unique_ptr<Stream> far_end);
  bool drawn(unsigned in_a_thousand) { return loop_.random().below(1000) < in_a_thousand; }

  SimLoop& loop_;
  SimNetworkSettings settings_;
  std::map<std::string, SimServer> servers_;
  std::map<std::string, internal::SimListener*> listeners_;
  std::function<SimServer(const Endpoint&)> find_server_;
  uint16_t next_port_ = 49152;
  size_t connections_ = 0;
  Nursery nursery_;
};

}  // namespace caddis::aio
