// Questions over a transport of others: each is asked up to `tries` times, and what the message says of the name becomes
// what c-ares would say.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/aio/nursery.h"
#include "caddis/dns/channel.h"

namespace caddis::dns {
namespace {

constexpr int kNoError = 0, kNoSuchName = 3;  // RFC 1035, 4.1.1

Result<Message> read_reply(Transport::Reply reply, const std::string& name) {
  TRY(Message message, parse_message(reply.message));
  if (message.response_code == kNoSuchName) return fail(ErrorCode::not_found, "the name " + name + " does not exist");
  if (message.response_code != kNoError)
    return fail(ErrorCode::io, fmt::format("DNS failed for {}: the server says {}", name, message.response_code));
  for (Record& record : message.answers) record.ttl -= std::min(record.ttl, reply.age);
  return message;
}

class TransportChannel final : public Channel {
 public:
  TransportChannel(aio::Loop& loop, int tries, std::unique_ptr<Transport> transport, std::unique_ptr<Channel> system)
      : loop_(loop), tries_(tries), transport_(std::move(transport)), system_(std::move(system)) {}

  void query(const std::string& name, Type type, Done done) override {
    queries_.spawn(ask(name, type, std::move(done)));
  }

  aio::Task<void> end() override {
    transport_->abort();
    co_await queries_.join();
  }

  std::vector<Address> system_hosts(const std::string& name) override { return system_->system_hosts(name); }
  std::string server() const override { return transport_->server(); }

 private:
  aio::Task<void> ask(std::string name, Type type, Done done) {
    Result<Message> result = co_await answer_to(name, type);
    // Through the loop: the caller may still be in the middle of `query`.
    loop_.post([done = std::move(done), result = std::move(result)]() mutable { done(std::move(result)); });
  }

  aio::Task<Result<Message>> answer_to(std::string name, Type type) {
    CO_TRY(const std::string message, query_message(name, type));
    Result<Message> result;
    for (int i = 0; i < tries_; ++i) {
      Result<Transport::Reply> reply = co_await transport_->ask(message);
      if (reply)
        result = read_reply(*std::move(reply), name);
      else
        result = pass(std::move(reply).error(), "DNS failed for " + name);
      const bool may_pass =
          !result && (result.error().code == ErrorCode::io || result.error().code == ErrorCode::timeout);
      if (!may_pass) break;
    }
    co_return result;
  }

  aio::Loop& loop_;
  const int tries_;
  const std::unique_ptr<Transport> transport_;
  const std::unique_ptr<Channel> system_;  // for its hosts file
  aio::Nursery queries_;
};

}  // namespace

Result<std::unique_ptr<Channel>> Channel::create(aio::Loop& loop, const Settings& settings,
                                                 std::unique_ptr<Transport> transport) {
  TRY(auto system, create(loop, settings));
  return std::make_unique<TransportChannel>(loop, settings.tries, std::move(transport), std::move(system));
}

}  // namespace caddis::dns
