#include "caddis/recording/record_proxy.h"

#include <utility>

#include "caddis/base/log.h"
#include "caddis/recording/proxy_connection.h"
#include "caddis/recording/recorded_exchange.h"

namespace caddis::recording {
namespace {

constexpr Duration kGrace = std::chrono::seconds(3);

}  // namespace

RecordProxy::RecordProxy(Upstream::World world, RecordProxyOptions options, Recording& recording)
    : world_(world), options_(std::move(options)), recording_(recording), upstream_(world, options_.fetch) {}

RecordProxy::~RecordProxy() = default;

aio::Task<void> RecordProxy::run(std::unique_ptr<aio::Listener> listener) {
  listener_ = listener.get();
  while (!stopping_) {
    auto stream = co_await listener->accept();
    if (stopping_) break;
    if (!stream) {
      // Too many open files, as a rule: it gets better when connections end.
      log_warn("recording", "{}", stream.error().message);
      co_await aio::sleep_for(world_.loop, std::chrono::milliseconds(100));
      continue;
    }
    if (connections_.size() < options_.max_connections) nursery_.spawn(serve(*std::move(stream)));
  }
  listener_ = nullptr;
}

aio::Task<void> RecordProxy::serve(std::unique_ptr<aio::Stream> stream) {
  ProxyConnection connection(*this, *stream);
  connections_.insert(&connection);
  co_await connection.run();
  connections_.erase(&connection);
}

void RecordProxy::keep(RecordedExchange exchange) {
  keeping_.spawn(keep_it(std::make_unique<RecordedExchange>(std::move(exchange))));
}

aio::Task<void> RecordProxy::keep_it(std::unique_ptr<RecordedExchange> exchange) {
  co_await recording_.keep(std::move(*exchange));
}

OwnPagesFacts RecordProxy::facts() const {
  return {.certificate = options_.certificate,
          .totals = recording_.totals(),
          .collection = options_.collection,
          .recording = recording_.name(),
          .trouble = recording_.trouble()};
}

aio::Task<void> RecordProxy::stop() {
  stopping_ = true;
  recording_.end_waiting();
  if (listener_ != nullptr) listener_->close();
  for (ProxyConnection* const connection : connections_) connection->end_when_idle();
  const auto timer = world_.loop.at(world_.loop.clock().steady() + kGrace, [this] {
    upstream_.abort();
    for (ProxyConnection* const connection : connections_) connection->cut();
  });
  co_await nursery_.join();
  world_.loop.cancel(timer);
  upstream_.abort();
  co_await keeping_.join();
}

}  // namespace caddis::recording
