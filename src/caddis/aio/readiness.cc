#include "caddis/aio/readiness.h"

#include <boost/asio/posix/stream_descriptor.hpp>

#include "caddis/aio/asio_loop.h"

namespace caddis::aio {
namespace {

using boost::asio::posix::descriptor_base;

// Shared with the handlers under way: they may come after the Readiness has gone.
struct Watch : std::enable_shared_from_this<Watch> {
  Watch(AsioLoop& loop, int fd, std::function<void(bool, bool)> callback)
      : descriptor(loop.context(), fd), ready(std::move(callback)) {}

  struct Side {
    bool wanted = false;
    bool waiting = false;
  };

  void wait(Side& side, descriptor_base::wait_type type) {
    if (side.waiting || !side.wanted) return;
    side.waiting = true;
    descriptor.async_wait(type, [self = shared_from_this(), &side, type](const boost::system::error_code& error) {
      side.waiting = false;
      if (self->released) return;
      if (!error && side.wanted) self->ready(type == descriptor_base::wait_read, type == descriptor_base::wait_write);
      if (!self->released) self->wait(side, type);
    });
  }

  boost::asio::posix::stream_descriptor descriptor;
  std::function<void(bool, bool)> ready;
  Side reading;
  Side writing;
  bool released = false;
};

class AsioReadiness final : public Readiness {
 public:
  explicit AsioReadiness(std::shared_ptr<Watch> watch) : watch_(std::move(watch)) {}
  AsioReadiness(const AsioReadiness&) = delete;
  AsioReadiness& operator=(const AsioReadiness&) = delete;
  ~AsioReadiness() override {
    watch_->released = true;
    watch_->descriptor.release();
  }

  void want(bool readable, bool writable) override {
    watch_->reading.wanted = readable;
    watch_->writing.wanted = writable;
    watch_->wait(watch_->reading, descriptor_base::wait_read);
    watch_->wait(watch_->writing, descriptor_base::wait_write);
  }

 private:
  std::shared_ptr<Watch> watch_;
};

}  // namespace

std::unique_ptr<Readiness> watch(Loop& loop, int descriptor, std::function<void(bool, bool)> ready) {
  return std::make_unique<AsioReadiness>(std::make_shared<Watch>(AsioLoop::of(loop), descriptor, std::move(ready)));
}

}  // namespace caddis::aio
