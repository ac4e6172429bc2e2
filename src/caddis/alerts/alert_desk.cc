#include "caddis/alerts/alert_desk.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "caddis/base/counted.h"
#include "caddis/base/log.h"
#include "caddis/base/strings.h"
#include "caddis/process/programs.h"

namespace caddis::alerts {
namespace {

// By which the tap knows what the desk itself says: telling of that would have no end.
constexpr std::string_view kModule = "alerts";
constexpr Duration kLongestPause = std::chrono::hours(1);
constexpr unsigned kMostDoublings = 12;

std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  for (const std::string_view word : split(command, ' '))
    if (!word.empty()) words.emplace_back(word);
  return words;
}

}  // namespace

AlertDesk::AlertDesk(aio::Loop& loop, Webhook& webhook, process::Programs& programs, Subject subject, Hears hears)
    : loop_(loop),
      webhook_(webhook),
      programs_(programs),
      subject_(std::move(subject)),
      hears_(std::move(hears)),
      tap_([this](LogLevel, std::string_view module, std::string_view text) {
        if (module != kModule && (hears_ == nullptr || hears_(module, text)))
          tell(Kind::alert, fmt::format("{}: {}", module, text));
      }) {}

AlertDesk::~AlertDesk() = default;

void AlertDesk::tell(Kind kind, std::string text) {
  const std::lock_guard lock(mutex_);
  waiting_.events.push_back({kind, loop_.clock().wall(), std::move(text)});
  shorten(waiting_);
}

void AlertDesk::shorten(Message& message) {
  std::vector<Event>& events = message.events;
  while (events.size() > kMost) {
    const auto warning = std::ranges::find(events, Kind::alert, &Event::kind);
    events.erase(warning != events.end() ? warning : events.begin());
    ++message.left_out;
  }
}

std::optional<Message> AlertDesk::take(const AlertSettings& settings) {
  Message message = std::exchange(kept_, {});
  std::vector<Event>& events = message.events;
  {
    const std::lock_guard lock(mutex_);
    std::ranges::move(waiting_.events, std::back_inserter(events));
    message.left_out += waiting_.left_out;
    waiting_ = {};
  }
  std::erase_if(events, [&](const Event& event) {
    return std::ranges::find(settings.about, name_of(event.kind)) == settings.about.end();
  });
  shorten(message);
  if (message.events.empty() || !settings.tells_anybody()) return std::nullopt;
  return message;
}

Duration AlertDesk::pause(const AlertSettings& settings) const {
  const Duration longest = std::max(kLongestPause, settings.interval);
  return std::min(settings.interval * (1 << std::min(failures_, kMostDoublings)), longest);
}

void AlertDesk::tick(const AlertSettings& settings) {
  const SteadyTime now = loop_.clock().steady();
  if (nursery_.running() > 0) return;
  if (settings != settings_ && std::exchange(failures_, 0) > 0) sent_.reset();
  if (sent_ && now - *sent_ < pause(settings)) return;
  auto message = take(settings);
  if (!message) return;
  sent_ = now;
  settings_ = settings;
  nursery_.spawn(send_or_keep(*std::move(message), settings));
}

aio::Task<void> AlertDesk::close(AlertSettings settings) {
  co_await nursery_.join();
  auto message = take(settings);
  if (message) co_await send(*message, settings);
}

aio::Task<void> AlertDesk::send_or_keep(Message message, AlertSettings settings) {
  if (co_await send(message, settings)) {
    failures_ = 0;
    co_return;
  }
  ++failures_;
  kept_ = std::move(message);
}

aio::Task<bool> AlertDesk::send(const Message& message, const AlertSettings& settings) {
  bool is_told = false;
  if (!settings.webhook.empty()) {
    const auto posted = co_await webhook_.post(settings.webhook, to_json(subject_, message));
    is_told = posted.has_value();
    if (posted)
      log_info(kModule, "{} told to the webhook", counted(message.events.size(), "event"));
    else
      log_warn(kModule, "the webhook was not told of {}: {}", counted(message.events.size(), "event"),
               posted.error().message);
  }
  if (!settings.mail_to.empty() && co_await send_mail(message, settings)) is_told = true;
  co_return is_told;
}

aio::Task<bool> AlertDesk::send_mail(const Message& message, const AlertSettings& settings) {
  process::ProgramCall call;
  call.command = words_of(settings.mail_command);
  call.question = to_mail(subject_, message, settings);
  if (call.command.empty()) {
    log_warn(kModule, "no mail is sent: alerts.mail-command is empty");
    co_return false;
  }
  const process::ProgramOutcome outcome = co_await programs_.run(loop_, std::move(call), process::Sandbox::none);
  if (outcome.problem.empty())
    log_info(kModule, "{} told by mail", counted(message.events.size(), "event"));
  else
    log_warn(kModule, "a mail of {} was not sent by {}: {}", counted(message.events.size(), "event"),
             settings.mail_command, outcome.problem);
  co_return outcome.problem.empty();
}

}  // namespace caddis::alerts
