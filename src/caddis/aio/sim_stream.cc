#include "caddis/aio/sim_stream.h"

#include <algorithm>
#include <utility>

namespace caddis::aio::internal {
namespace {

struct Park {
  std::coroutine_handle<>& place;
  bool await_ready() const noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) { place = waiting; }
  void await_resume() const noexcept {}
};

}  // namespace

Duration SimConnection::latency() {
  const auto spread = static_cast<uint64_t>((settings_.max_latency - settings_.min_latency).count());
  return settings_.min_latency + Duration(static_cast<int64_t>(loop_.random().below(spread + 1)));
}

void SimConnection::send(Pipe& pipe, std::string bytes) {
  sent_ += bytes.size();
  pipe.size += bytes.size();
  if (fault_ == Fault::reset && sent_ >= fault_after_) return break_off();
  pipe.under_way.push_back(std::move(bytes));
  if (fault_ == Fault::stall && sent_ >= fault_after_) return;
  pipe.last_arrival = std::max(pipe.last_arrival, loop_.clock().steady() + latency());
  loop_.at(pipe.last_arrival, [self = shared_from_this(), &pipe] { self->arrive(pipe); });
}

void SimConnection::arrive(Pipe& pipe) {
  if (pipe.under_way.empty()) return;  // it broke off meanwhile
  const std::string bytes = std::move(pipe.under_way.front());
  pipe.under_way.pop_front();
  if (bytes.empty()) pipe.ended = true;
  pipe.arrived += bytes;
  wake(pipe.reader);
}

void SimConnection::break_off() {
  reset_ = true;
  for (Pipe& pipe : pipes_) {
    pipe.under_way.clear();
    wake(pipe.reader);
    wake(pipe.writer);
  }
}

void SimConnection::wake(std::coroutine_handle<>& waiting) {
  if (waiting) loop_.post([handle = std::exchange(waiting, nullptr)] { handle.resume(); });
}

SimStream::SimStream(std::shared_ptr<SimConnection> connection, size_t reads_from, Endpoint remote, const TlsInfo* tls)
    : connection_(std::move(connection)),
      input_(connection_->pipes_[reads_from]),
      output_(connection_->pipes_[1 - reads_from]),
      remote_(std::move(remote)) {
  if (tls != nullptr) tls_ = *tls;
}

SimStream::~SimStream() {
  // Whoever still waits here is being destroyed too.
  input_.reader = output_.writer = nullptr;
  close();
}

std::optional<Error> SimStream::broken() const {
  if (closed_) return Error(ErrorCode::cancelled, "the connection has been closed here");
  if (expired_) return Error(ErrorCode::timeout, "no answer from " + remote_.address + " in time");
  if (connection_->reset_) return Error(ErrorCode::closed, "connection to " + remote_.address + ": reset by peer");
  return std::nullopt;
}

Task<Result<size_t>> SimStream::read(char* buffer, size_t size) {
  for (;;) {
    if (auto error = broken()) co_return std::unexpected(*std::move(error));
    if (!input_.arrived.empty() || input_.ended) break;
    co_await Park(input_.reader);
  }
  size_t count = std::min(size, input_.arrived.size());
  Random& random = connection_->loop_.random();
  if (connection_->settings_.short_reads && count > 1 && random.below(4) == 0) count = 1 + random.below(count);
  std::copy_n(input_.arrived.begin(), count, buffer);
  input_.arrived.erase(0, count);
  input_.size -= count;
  connection_->wake(input_.writer);
  co_return count;
}

Task<Result<void>> SimStream::write(std::string_view bytes) {
  while (!bytes.empty()) {
    if (auto error = broken()) co_return std::unexpected(*std::move(error));
    const size_t capacity = connection_->settings_.buffer;
    if (output_.size >= capacity) {
      co_await Park(output_.writer);
      continue;
    }
    const std::string_view part = bytes.substr(0, capacity - output_.size);
    bytes.remove_prefix(part.size());
    connection_->send(output_, std::string(part));
  }
  co_return Result<void>();
}

void SimStream::set_deadline(SteadyTime when) {
  Loop& loop = connection_->loop_;
  if (timer_ != 0) loop.cancel(std::exchange(timer_, 0));
  expired_ = when <= loop.clock().steady();
  if (expired_) return wake_own();
  if (when == SteadyTime::max() || closed_) return;
  timer_ = loop.at(when, [this] {
    timer_ = 0;
    expired_ = true;
    wake_own();
  });
}

void SimStream::close() {
  if (std::exchange(closed_, true)) return;
  if (timer_ != 0) connection_->loop_.cancel(std::exchange(timer_, 0));
  wake_own();
  if (connection_->reset_) return;
  if (!input_.ended && !input_.arrived.empty()) {  // as TCP does: what was not read is a reason to reset
    connection_->break_off();
  } else {
    connection_->send(output_, std::string());
  }
}

void SimStream::wake_own() {
  connection_->wake(input_.reader);
  connection_->wake(output_.writer);
}

}  // namespace caddis::aio::internal
