#include "yardsticks/network.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <unordered_map>

#include "yardsticks/stopwatch.h"

namespace yardsticks {
namespace {

// A request is as long as a crawler's; its first bytes say how long the answer is to be.
constexpr size_t kRequest = 256;
using RequestBytes = std::array<char, kRequest>;

RequestBytes request_for(uint64_t answer_size) {
  RequestBytes request{};
  std::memcpy(request.data(), &answer_size, sizeof(answer_size));
  return request;
}

// The end that answers, in a process of its own. Sends from one buffer, over and over.
class AnsweringLoop {
 public:
  AnsweringLoop(int listener, double* cpu) : listener_(listener), cpu_(cpu), epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    watch(listener_, EPOLLIN);
  }

  [[noreturn]] void run() {
    for (;;) {
      std::array<epoll_event, 128> events;
      const int ready = ::epoll_wait(epoll_, events.data(), events.size(), -1);
      for (int i = 0; i < ready; ++i) {
        const int socket = events[static_cast<size_t>(i)].data.fd;
        if (socket == listener_)
          accept_all();
        else
          serve(socket);
      }
      *cpu_ = thread_seconds();
    }
  }

 private:
  struct Connection {
    size_t requested = 0;  // bytes of the next request that came
    RequestBytes request{};
    uint64_t left = 0;
  };

  void watch(int socket, uint32_t what) const {
    epoll_event event{};
    event.events = what;
    event.data.fd = socket;
    ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
  }

  void accept_all() {
    for (int socket; (socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0;) {
      const int on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
      connections_[socket] = {};
      watch(socket, EPOLLIN | EPOLLOUT | EPOLLET);
    }
  }

  void serve(int socket) {
    Connection& connection = connections_[socket];
    for (;;) {
      while (connection.left > 0) {
        const ssize_t sent =
            ::send(socket, answer_.data(), std::min<uint64_t>(connection.left, answer_.size()), MSG_NOSIGNAL);
        if (sent < 0) return;
        connection.left -= static_cast<uint64_t>(sent);
      }
      const ssize_t got =
          ::recv(socket, connection.request.data() + connection.requested, kRequest - connection.requested, 0);
      if (got == 0 || (got < 0 && errno != EAGAIN)) {
        connections_.erase(socket);
        ::close(socket);
        return;
      }
      if (got < 0) return;
      connection.requested += static_cast<size_t>(got);
      if (connection.requested < kRequest) continue;
      connection.requested = 0;
      std::memcpy(&connection.left, connection.request.data(), sizeof(connection.left));
    }
  }

  int listener_;
  double* cpu_;
  int epoll_;
  std::string answer_ = std::string(256 << 10, 'x');
  std::unordered_map<int, Connection> connections_;
};

class AnsweringProcess {
 public:
  explicit AnsweringProcess(int core) {
    cpu_ = static_cast<double*>(
        ::mmap(nullptr, sizeof(double), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address_);
    works_ = cpu_ != MAP_FAILED && ::bind(listener, reinterpret_cast<sockaddr*>(&address_), size) == 0 &&
             ::listen(listener, SOMAXCONN) == 0 &&
             ::getsockname(listener, reinterpret_cast<sockaddr*>(&address_), &size) == 0;
    if (works_ && (child_ = ::fork()) == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      pin_to(core);
      AnsweringLoop(listener, cpu_).run();
    }
    ::close(listener);
  }
  AnsweringProcess(const AnsweringProcess&) = delete;
  AnsweringProcess& operator=(const AnsweringProcess&) = delete;
  ~AnsweringProcess() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    if (cpu_ != MAP_FAILED) ::munmap(cpu_, sizeof(double));
  }

  bool works() const { return works_ && child_ > 0; }
  double cpu_seconds() const { return *static_cast<volatile double*>(cpu_); }
  // A connected socket; below 0 where that fails.
  int connect() const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&address_), sizeof(address_)) == 0) return socket;
    ::close(socket);
    return -1;
  }

 private:
  sockaddr_in address_{};
  double* cpu_ = nullptr;
  pid_t child_ = -1;
  bool works_ = false;
};

// Our end: all answers of the sample, once, over connections that exist.
class Asker {
 public:
  ~Asker() {
    for (const Connection& connection : connections_) ::close(connection.socket);
    if (epoll_ >= 0) ::close(epoll_);
  }

  bool open(const AnsweringProcess& server, size_t connections) {
    epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
    connections_.resize(connections);
    for (size_t i = 0; i < connections; ++i) {
      const int socket = connections_[i].socket = server.connect();
      if (socket < 0) return false;
      const int on = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
      epoll_event event{};
      event.events = EPOLLIN | EPOLLET;
      event.data.u64 = i;
      ::epoll_ctl(epoll_, EPOLL_CTL_ADD, socket, &event);
    }
    return true;
  }

  bool ask_all(const std::vector<uint64_t>& sizes) {
    sizes_ = sizes;
    next_ = 0;
    size_t running = 0;
    for (Connection& connection : connections_) running += ask(connection) ? 1 : 0;
    while (running > 0) {
      std::array<epoll_event, 128> events;
      const int ready = ::epoll_wait(epoll_, events.data(), events.size(), 10'000);
      if (ready <= 0) return false;
      for (int i = 0; i < ready; ++i) {
        Connection& connection = connections_[events[static_cast<size_t>(i)].data.u64];
        const bool was_running = connection.left > 0;
        if (!receive(connection)) return false;
        if (was_running && connection.left == 0 && !ask(connection)) --running;
      }
    }
    return true;
  }

 private:
  struct Connection {
    int socket = -1;
    uint64_t left = 0;
  };

  bool ask(Connection& connection) {
    if (next_ == sizes_.size()) return false;
    connection.left = sizes_[next_++];
    const RequestBytes request = request_for(connection.left);
    return ::send(connection.socket, request.data(), request.size(), MSG_NOSIGNAL) == ssize_t{kRequest};
  }

  bool receive(Connection& connection) {
    while (connection.left > 0) {
      const ssize_t got = ::recv(connection.socket, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (got < 0) return errno == EAGAIN;
      if (got == 0) return false;
      connection.left -= static_cast<uint64_t>(got);
    }
    return true;
  }

  int epoll_ = -1;
  std::vector<Connection> connections_;
  std::vector<uint64_t> sizes_;
  size_t next_ = 0;
  std::string buffer_ = std::string(64 << 10, '\0');
};

double measure_connect(const AnsweringProcess& server, double seconds) {
  constexpr int kAtOnce = 50;
  const double taken = measure(seconds, [&] {
    for (int i = 0; i < kAtOnce; ++i) {
      const int socket = server.connect();
      // Closed by a reset: half a minute of waiting for late packets would use up all ports.
      const linger reset{1, 0};
      ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
      ::close(socket);
    }
  });
  return taken / kAtOnce;
}

}  // namespace

caddis::Result<NetworkTimes> measure_network(const Sample& sample, const NetworkOptions& options) {
  std::vector<uint64_t> sizes;
  for (const Record& record : sample.records)
    if (record.is_response) sizes.push_back(record.block.size());
  const AnsweringProcess server(options.server_core);
  Asker asker;
  if (!server.works() || !asker.open(server, options.connections))
    return caddis::fail_errno("cannot serve on loopback", errno);
  bool whole = true;
  size_t rounds = 0;
  const double server_before = server.cpu_seconds();
  NetworkTimes times;
  times.receive = measure(options.seconds, [&] {
    whole = whole && asker.ask_all(sizes);
    ++rounds;
  });
  if (!whole) return caddis::fail(caddis::ErrorCode::io, "loopback: an answer did not come");
  times.send = (server.cpu_seconds() - server_before) / static_cast<double>(rounds);
  times.connect = measure_connect(server, options.seconds);
  return times;
}

}  // namespace yardsticks
