// Heads, recording, and whole exchanges of 20 KB against a server in a thread of its own.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ctime>
#include <thread>

#include "caddis/aio/nursery.h"
#include "caddis/http/client.h"
#include "caddis/http/recorder.h"
#include "caddis/io/memory_files.h"

namespace caddis::http {
namespace {

const std::string kHead =
    "HTTP/1.1 200 OK\r\nDate: Sat, 21 Nov 2026 00:47:05 GMT\r\nServer: nginx/1.22.1\r\nContent-Type: text/html; "
    "charset=utf-8\r\nContent-Length: 20480\r\nLast-Modified: Wed, 11 Nov 2026 10:00:00 GMT\r\nConnection: "
    "keep-alive\r\n"
    "ETag: \"65a1b2c3-5000\"\r\nAccept-Ranges: bytes\r\nVary: Accept-Encoding\r\n\r\n";
const std::string kPage = kHead + std::string(20480, 'x');

void parse_head(benchmark::State& state) {
  for (auto _ : state) {
    const auto head = parse_response_head(kHead, Mode::lenient);
    benchmark::DoNotOptimize(head->status());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kHead.size()));
}
BENCHMARK(parse_head);

void frame_head(benchmark::State& state) {
  const auto head = parse_response_head(kHead, Mode::lenient);
  for (auto _ : state) benchmark::DoNotOptimize(response_framing(*head, "GET").length);
}
BENCHMARK(frame_head);

void record_page(benchmark::State& state) {
  io::MemoryFiles files;
  io::SpoolFolder folder(files, "spool");
  for (auto _ : state) {
    ResponseRecorder recorder(folder, Limits(), "GET");
    benchmark::DoNotOptimize(recorder.feed(kPage).has_value());
    benchmark::DoNotOptimize(recorder.finish(ResponseRecorder::End::complete).has_value());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(kPage.size()));
}
BENCHMARK(record_page);

// What of it is the two digests.
void sha1_twice(benchmark::State& state) {
  for (auto _ : state) {
    io::Sha1 block, payload;
    block.update(kPage);
    payload.update(std::string_view(kPage).substr(kHead.size()));
    benchmark::DoNotOptimize(block.finish().size() + payload.finish().size());
  }
}
BENCHMARK(sha1_twice);

// Answers every request of one connection with the page.
aio::Task<void> serve_pages(aio::Listener& listener) {
  auto stream = co_await listener.accept();
  char buffer[4096];
  for (;;) {
    const auto got = co_await (*stream)->read(buffer, sizeof(buffer));
    if (!got || *got == 0) co_return;
    const auto sent = co_await (*stream)->write(kPage);
    if (!sent) co_return;
  }
}

aio::Task<void> fetch_pages(benchmark::State& state, Client& client, aio::Endpoint server) {
  const Origin origin{.host = "caddis.test", .port = server.port, .address = server};
  const Request request{.headers = {{"Host", "caddis.test"}, {"User-Agent", "caddis"}, {"Accept", "*/*"}}};
  for (auto _ : state) {
    const FetchResult result = co_await client.fetch(origin, request, Limits());
    if (!result) state.SkipWithError("the fetch failed");
  }
}

double thread_cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// `cpu_us` is what the client's thread spends on an exchange, system calls included.
void exchange_page(benchmark::State& state) {
  const auto server_loop = aio::make_loop(system_clock());
  const auto server_network = aio::make_network(*server_loop);
  const auto listener = server_network->listen(aio::Endpoint{"127.0.0.1", 0});
  const aio::Endpoint endpoint = (*listener)->local();
  std::thread thread([&] { aio::run_to_end(*server_loop, serve_pages(**listener)); });
  {
    const auto loop = aio::make_loop(system_clock());
    const auto network = aio::make_network(*loop);
    io::MemoryFiles files;
    io::SpoolFolder folder(files, "spool");
    Client client(*loop, *network, folder);
    const double before = thread_cpu_seconds();
    aio::run_to_end(*loop, fetch_pages(state, client, endpoint));
    const double spent = thread_cpu_seconds() - before;
    state.counters["cpu_us"] = spent * 1e6 / static_cast<double>(state.iterations());
    client.close_idle();
  }
  thread.join();
}
BENCHMARK(exchange_page)->UseRealTime();

// The yardstick: the same bytes over bare blocking sockets, one send and as many receives as it takes.
void bare_sockets(benchmark::State& state) {
  int pair[2];
  const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t length = sizeof(address);
  ::bind(listener, reinterpret_cast<sockaddr*>(&address), length);
  ::listen(listener, 1);
  ::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  pair[0] = ::socket(AF_INET, SOCK_STREAM, 0);
  ::connect(pair[0], reinterpret_cast<sockaddr*>(&address), length);
  pair[1] = ::accept(listener, nullptr, nullptr);
  std::thread thread([&] {
    char buffer[4096];
    while (::recv(pair[1], buffer, sizeof(buffer), 0) > 0) {
      if (::send(pair[1], kPage.data(), kPage.size(), MSG_NOSIGNAL) < 0) break;
    }
  });
  std::vector<char> buffer(64 * 1024);
  const std::string_view request = "GET / HTTP/1.1\r\nHost: caddis.test\r\nUser-Agent: caddis\r\nAccept: */*\r\n\r\n";
  const double before = thread_cpu_seconds();
  for (auto _ : state) {
    if (::send(pair[0], request.data(), request.size(), 0) < 0) state.SkipWithError("cannot send");
    for (size_t got = 0; got < kPage.size();) {
      const ssize_t n = ::recv(pair[0], buffer.data(), buffer.size(), 0);
      if (n <= 0) break;
      got += static_cast<size_t>(n);
    }
  }
  state.counters["cpu_us"] = (thread_cpu_seconds() - before) * 1e6 / static_cast<double>(state.iterations());
  ::shutdown(pair[0], SHUT_RDWR);
  thread.join();
  for (const int each : {pair[0], pair[1], listener}) ::close(each);
}
BENCHMARK(bare_sockets)->UseRealTime();

}  // namespace
}  // namespace caddis::http
