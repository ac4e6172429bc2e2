// What a request costs: a server in another process (fork) answers 20 KB a request, so that the CPU time counted here
// is the client's alone. `raw_epoll` is the yardstick of the same run (8 us a kept-alive request where Asio's own
// coroutines took 10).
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "caddis/aio/network.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/test_certificate.h"
#include "caddis/base/check.h"

namespace caddis::aio {
namespace {

using namespace std::chrono_literals;

constexpr size_t page_size = 20'500;
constexpr std::string_view request = "GET /page HTTP/1.1\r\nHost: bench.test\r\nUser-Agent: bench\r\n\r\n";

Task<void> answer_requests(std::unique_ptr<Stream> stream) {
  const std::string page(page_size, 'x');
  char buffer[4096];
  for (;;) {
    const auto count = co_await stream->read(buffer, sizeof(buffer));
    if (!count || *count == 0) co_return;
    const auto sent = co_await stream->write(page);
    if (!sent) co_return;
  }
}

Task<void> serve(Listener& listener, Nursery& nursery) {
  for (;;) {
    auto stream = co_await listener.accept();
    if (stream) nursery.spawn(answer_requests(*std::move(stream)));
  }
}

// A server process, for as long as this lives.
class ServerProcess {
 public:
  explicit ServerProcess(bool tls) {
    int ends[2];
    CADDIS_CHECK(pipe(ends) == 0);
    child_ = fork();
    if (child_ == 0) {
      const auto loop = make_loop(system_clock());
      const auto network = make_network(*loop);
      const TestCertificate identity = make_test_certificate();
      const Endpoint any("127.0.0.1", 0);
      auto listener = tls ? network->listen_tls(any, identity.certificate_pem, identity.key_pem) : network->listen(any);
      CADDIS_CHECK(listener.has_value());
      const uint16_t port = (*listener)->local().port;
      CADDIS_CHECK(write(ends[1], &port, sizeof(port)) == sizeof(port));
      Nursery nursery;
      nursery.spawn(serve(**listener, nursery));
      loop->run();
    }
    CADDIS_CHECK(read(ends[0], &at.port, sizeof(at.port)) == sizeof(at.port));
    close(ends[0]);
    close(ends[1]);
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

  Endpoint at{"127.0.0.1", 0};

 private:
  pid_t child_;
};

double cpu_seconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Load {
  Loop& loop;
  Network& network;
  Endpoint to;
  const TlsOptions* tls;
  bool keep_alive;
  int64_t left;
  int64_t handshakes = 0;
  int64_t resumed = 0;
};

Task<void> fetch_page(Load& load, Stream& stream, std::string& buffer) {
  stream.set_deadline(load.loop.clock().steady() + 20s);
  const auto sent = co_await stream.write(request);
  CADDIS_CHECK(sent.has_value());
  for (size_t left = page_size; left > 0;) {
    const auto count = co_await stream.read(buffer.data(), buffer.size());
    CADDIS_CHECK(count.has_value() && *count > 0);
    left -= *count;
  }
}

Task<void> client(Load& load) {
  std::unique_ptr<Stream> stream;
  std::string buffer(32 * 1024, '\0');
  while (load.left-- > 0) {
    if (!stream || !load.keep_alive) {
      auto connected = co_await load.network.connect(load.to, load.tls, load.loop.clock().steady() + 20s);
      CADDIS_CHECK(connected.has_value());
      stream = *std::move(connected);
      ++load.handshakes;
      if (stream->tls() && stream->tls()->resumed) ++load.resumed;
    }
    co_await fetch_page(load, *stream, buffer);
  }
}

Task<void> clients(Load& load, int number) {
  Nursery nursery;
  for (int i = 0; i < number; ++i) nursery.spawn(client(load));
  co_await nursery.join();
}

struct Connected {
  int socket = -1;
  size_t left = 0;
  std::array<char, 32 * 1024> buffer;
};

int connect_raw(const Endpoint& to) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(to.port);
  inet_pton(AF_INET, to.address.c_str(), &address.sin_addr);
  CADDIS_CHECK(connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0);
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return socket;
}

// True when the page has come whole.
bool receive_raw(Connected& connected) {
  while (connected.left > 0) {
    const ssize_t count = recv(connected.socket, connected.buffer.data(), connected.buffer.size(), MSG_DONTWAIT);
    if (count < 0) return false;
    CADDIS_CHECK(count > 0);
    connected.left -= static_cast<size_t>(count);
  }
  return true;
}

// Arguments: connections at once, keep-alive, TLS.
void requests(benchmark::State& state) {
  const ServerProcess server(state.range(2) != 0);
  const auto loop = make_loop(system_clock());
  const auto network = make_network(*loop);
  TlsOptions options;
  options.server_name = "caddis.test";
  Load load{*loop, *network, server.at, state.range(2) ? &options : nullptr, state.range(1) != 0, 0};
  const double before = cpu_seconds();
  for (auto _ : state) {
    load.left = state.range(2) && !load.keep_alive ? 500 : 50'000;
    state.counters["requests"] += static_cast<double>(load.left);
    run_to_end(*loop, clients(load, static_cast<int>(state.range(0))));
  }
  state.counters["cpu_us"] = (cpu_seconds() - before) * 1e6 / state.counters["requests"];
  state.counters["connects"] = static_cast<double>(load.handshakes);
  state.counters["resumed"] = static_cast<double>(load.resumed);
}
BENCHMARK(requests)
    ->ArgNames({"connections", "keep", "tls"})
    ->Args({256, 1, 0})
    ->Args({2000, 1, 0})
    ->Args({64, 0, 0})
    ->Args({256, 1, 1})
    ->Args({8, 0, 1})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// The yardstick: the same requests with epoll and nothing else.
void raw_epoll(benchmark::State& state) {
  const ServerProcess server(false);
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  std::vector<Connected> sockets(static_cast<size_t>(state.range(0)));
  for (Connected& connected : sockets) {
    connected.socket = connect_raw(server.at);
    epoll_event event = {};
    event.events = EPOLLIN | EPOLLET;
    event.data.ptr = &connected;
    epoll_ctl(epoll, EPOLL_CTL_ADD, connected.socket, &event);
  }
  const double before = cpu_seconds();
  for (auto _ : state) {
    int64_t left = 50'000, running = 0;
    state.counters["requests"] += static_cast<double>(left);
    const auto ask = [&](Connected& connected) {
      if (left-- <= 0) return;
      ++running;
      connected.left = page_size;
      CADDIS_CHECK(send(connected.socket, request.data(), request.size(), 0) == ssize_t{request.size()});
    };
    for (Connected& connected : sockets) ask(connected);
    while (running > 0) {
      std::array<epoll_event, 128> events;
      const int ready = epoll_wait(epoll, events.data(), events.size(), -1);
      for (int i = 0; i < ready; ++i) {
        auto& connected = *static_cast<Connected*>(events[static_cast<size_t>(i)].data.ptr);
        if (!receive_raw(connected)) continue;
        --running;
        ask(connected);
      }
    }
  }
  state.counters["cpu_us"] = (cpu_seconds() - before) * 1e6 / state.counters["requests"];
  for (const Connected& connected : sockets) close(connected.socket);
  close(epoll);
}
BENCHMARK(raw_epoll)->ArgName("connections")->Arg(256)->Arg(2000)->Unit(benchmark::kMillisecond)->UseRealTime();

void posts(benchmark::State& state) {
  const auto loop = make_loop(system_clock());
  int64_t left = 0;
  std::function<void()> again = [&] {
    if (--left > 0) {
      loop->post([&] { again(); });
    } else {
      loop->stop();
    }
  };
  for (auto _ : state) {
    left = 1000;
    loop->post([&] { again(); });
    loop->run();
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(posts);

void deadlines(benchmark::State& state) {
  const auto loop = make_loop(system_clock());
  for (auto _ : state) loop->cancel(loop->at(system_clock().steady() + 20s, [] {}));
}
BENCHMARK(deadlines);

Task<int> leaf(int number) { co_return number + 1; }

Task<void> await_leaves(int64_t count) {
  int number = 0;
  for (int64_t i = 0; i < count; ++i) number = co_await leaf(number);
  benchmark::DoNotOptimize(number);
}

void tasks(benchmark::State& state) {
  Nursery nursery;
  for (auto _ : state) nursery.spawn(await_leaves(1000));
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(tasks);

}  // namespace
}  // namespace caddis::aio
