// Tells people of events: gathers them, and sends messages to a webhook and by mail, no more often than the settings
// say. A message that cannot be sent is tried three times; then the log of the process tells so, and its events go with a
// later message, after a pause that doubles up to an hour. Nobody waits for it but the end of the crawl.
//
// Belongs to one loop, but for `tell`.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/loop.h"
#include "caddis/aio/nursery.h"
#include "caddis/aio/task.h"
#include "caddis/alerts/alert.h"
#include "caddis/alerts/alert_settings.h"
#include "caddis/base/clock.h"
#include "caddis/base/log_tap.h"

namespace caddis::process {
class Programs;
}  // namespace caddis::process

namespace caddis::alerts {

// Sends a document to an address: by POST, in so many tries. An error is that of the last one.
class Webhook {
 public:
  virtual ~Webhook() = default;
  virtual aio::Task<Result<void>> post(std::string url, std::string json) = 0;
};

// The loop has to be a real one.
std::unique_ptr<Webhook> make_webhook(aio::Loop& loop);

class AlertDesk {
 public:
  // Whether a warning or an error of the process is told; asked by the thread that logs it.
  using Hears = std::function<bool(std::string_view module, std::string_view text)>;
  // Loop, webhook and programs outlive it. It hears warnings and errors of the process from now on: all, if `hears` is null.
  AlertDesk(aio::Loop& loop, Webhook& webhook, process::Programs& programs, Subject subject, Hears hears = nullptr);
  ~AlertDesk();

  // An event. Any thread.
  void tell(Kind kind, std::string text);
  // To be called once a second, with the settings as they are now.
  void tick(const AlertSettings& settings);
  // Sends what is left, and waits until all is sent or given up.
  aio::Task<void> close(AlertSettings settings);

 private:
  static constexpr size_t kMost = 100;  // events in a message

  // Leaves out what is too much, the oldest warnings first.
  static void shorten(Message& message);
  // All that is to be told.
  std::optional<Message> take(const AlertSettings& settings);
  Duration pause(const AlertSettings& settings) const;
  aio::Task<void> send_or_keep(Message message, AlertSettings settings);
  // Whether anybody was told.
  aio::Task<bool> send(const Message& message, const AlertSettings& settings);
  aio::Task<bool> send_mail(const Message& message, const AlertSettings& settings);

  aio::Loop& loop_;
  Webhook& webhook_;
  process::Programs& programs_;
  const Subject subject_;
  const Hears hears_;
  std::mutex mutex_;  // guards the next one
  Message waiting_;
  std::optional<SteadyTime> sent_;
  Message kept_;            // of which nobody could be told
  AlertSettings settings_;  // of the last message
  unsigned failures_ = 0;   // messages in a row that nobody was told, with these settings
  aio::Nursery nursery_;
  LogTap tap_;  // last: it ends first
};

}  // namespace caddis::alerts
