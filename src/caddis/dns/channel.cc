#include "caddis/dns/channel.h"

#include <ares.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/time.h>

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "caddis/aio/readiness.h"
#include "caddis/base/strings.h"
#include "caddis/dns/hosts_file.h"

namespace caddis::dns {
namespace {

Error error_of(int status, const std::string& name) {
  switch (status) {
    case ARES_ENOTFOUND:
      return Error{ErrorCode::not_found, "the name " + name + " does not exist"};
    case ARES_EBADNAME:
    case ARES_EBADQUERY:
      return Error{ErrorCode::not_found, name + " is no name that DNS can ask for"};
    case ARES_ETIMEOUT:
      return Error{ErrorCode::timeout, "no name server answered about " + name + " in time"};
    default:
      return Error{ErrorCode::io, "DNS failed for " + name + ": " + ares_strerror(status)};
  }
}

// "2001:db8::53" as c-ares wants it: "[2001:db8::53]".
std::string with_brackets(const std::string& server) {
  return std::ranges::count(server, ':') > 1 && !server.starts_with('[') ? "[" + server + "]" : server;
}

class CaresChannel final : public Channel {
 public:
  explicit CaresChannel(aio::Loop& loop) : loop_(loop) {}
  CaresChannel(const CaresChannel&) = delete;
  CaresChannel& operator=(const CaresChannel&) = delete;

  ~CaresChannel() override {
    ending_ = true;
    if (timer_ != 0) loop_.cancel(timer_);
    if (channel_) ares_destroy(channel_);
  }

  Result<void> start(const Settings& settings) {
    static const int library = ares_library_init(ARES_LIB_INIT_ALL);
    ares_options options = {};
    options.flags = ARES_FLAG_NOSEARCH | ARES_FLAG_NOALIASES;
    options.timeout = static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(settings.timeout).count());
    options.tries = settings.tries;
    options.socket_receive_buffer_size = 4 << 20;  // a thousand answers may come at once; less where the system says so
    options.sock_state_cb = [](void* self, ares_socket_t socket, int readable, int writable) {
      static_cast<CaresChannel*>(self)->socket_changed(socket, readable != 0, writable != 0);
    };
    options.sock_state_cb_data = this;
    int status = library;
    if (status == ARES_SUCCESS) {
      status = ares_init_options(
          &channel_, &options,
          ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_SOCK_STATE_CB | ARES_OPT_SOCK_RCVBUF);
    }
    if (status != ARES_SUCCESS) return fail(ErrorCode::io, std::string("cannot start DNS: ") + ares_strerror(status));
    if (settings.servers.empty()) return {};
    std::string list;
    for (const std::string& server : settings.servers) TRY_VOID(check_server(server));
    for (const std::string& server : settings.servers) list += (list.empty() ? "" : ",") + with_brackets(server);
    if (ares_set_servers_ports_csv(channel_, list.c_str()) != ARES_SUCCESS) {
      return fail(ErrorCode::config, "the name servers \"" + list + "\" are not of the form address[:port]");
    }
    return {};
  }

  void query(const std::string& name, Type type, Done done) override {
    auto* query = new Query(*this, name, std::move(done));
    ++running_;
    ares_query(channel_, name.c_str(), 1, static_cast<int>(type), answered, query);
    if (timer_ == 0 && running_ > 0) arm();
  }

  std::vector<Address> system_hosts(const std::string& name) override {
    std::vector<Address> addresses;
    if (!hosts_file_.names(name, loop_.clock().steady())) return addresses;
    for (const int family : {AF_INET, AF_INET6}) {
      hostent* host = nullptr;
      if (ares_gethostbyname_file(channel_, name.c_str(), family, &host) != ARES_SUCCESS) continue;
      for (char** address = host->h_addr_list; *address; ++address) {
        std::array<char, INET6_ADDRSTRLEN> text{};
        inet_ntop(host->h_addrtype, *address, text.data(), text.size());
        Address found(text.data(), host->h_addrtype == AF_INET6);
        if (std::ranges::find(addresses, found) == addresses.end()) addresses.push_back(std::move(found));
      }
      ares_free_hostent(host);
    }
    return addresses;
  }

  std::string server() const override {
    ares_addr_port_node* servers = nullptr;
    if (ares_get_servers_ports(channel_, &servers) != ARES_SUCCESS || !servers) return {};
    std::array<char, INET6_ADDRSTRLEN> text{};
    inet_ntop(servers->family, &servers->addr, text.data(), text.size());
    ares_free_data(servers);
    return text.data();
  }

 private:
  struct Query {
    Query(CaresChannel& owner, std::string asked, Done callback)
        : channel(owner), name(std::move(asked)), done(std::move(callback)) {}
    CaresChannel& channel;
    std::string name;
    Done done;
  };

  static void answered(void* query, int status, int, unsigned char* bytes, int size) {
    const std::unique_ptr<Query> own(static_cast<Query*>(query));
    CaresChannel& channel = own->channel;
    --channel.running_;
    if (channel.ending_) return;
    Result<Message> result;
    if (status == ARES_SUCCESS || status == ARES_ENODATA) {
      if (bytes)
        result = parse_message(std::string_view(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)));
    } else {
      result = std::unexpected(error_of(status, own->name));
    }
    // Through the loop: c-ares is in the middle of its lists, or of `query`.
    channel.loop_.post(
        [done = std::move(own->done), result = std::move(result)]() mutable { done(std::move(result)); });
  }

  void socket_changed(int socket, bool readable, bool writable) {
    if (!readable && !writable) {
      sockets_.erase(socket);
      return;
    }
    auto& watched = sockets_[socket];
    if (!watched) {
      watched = aio::watch(loop_, socket, [this, socket](bool can_read, bool can_write) {
        ares_process_fd(channel_, can_read ? socket : ARES_SOCKET_BAD, can_write ? socket : ARES_SOCKET_BAD);
      });
    }
    watched->want(readable, writable);
  }

  // One timer stands while queries run; it is not moved when they are answered, which they mostly are before.
  void arm() {
    timeval time{};
    if (!ares_timeout(channel_, nullptr, &time)) return;
    const Duration wait = std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
    timer_ = loop_.at(loop_.clock().steady() + std::max<Duration>(wait, std::chrono::milliseconds(1)), [this] {
      timer_ = 0;
      ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
      if (timer_ == 0 && running_ > 0) arm();
    });
  }

  aio::Loop& loop_;
  HostsFile hosts_file_{io::real_files(), "/etc/hosts"};  // which c-ares reads, too
  ares_channel channel_ = nullptr;
  std::unordered_map<int, std::unique_ptr<aio::Readiness>> sockets_;
  aio::Loop::TimerId timer_ = 0;
  size_t running_ = 0;
  bool ending_ = false;
};

}  // namespace

Result<std::unique_ptr<Channel>> Channel::create(aio::Loop& loop, const Settings& settings) {
  auto channel = std::make_unique<CaresChannel>(loop);
  TRY_VOID(channel->start(settings));
  return channel;
}

}  // namespace caddis::dns
