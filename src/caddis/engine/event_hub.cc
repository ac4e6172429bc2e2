#include "caddis/engine/event_hub.h"

#include <fmt/format.h>

#include "caddis/base/json_text.h"
#include "caddis/control/router.h"

namespace caddis::engine {
namespace {

constexpr Duration kBeat = std::chrono::seconds(15);
constexpr Duration kStep = std::chrono::milliseconds(200);  // in which a beat notices the end

}  // namespace

void EventHub::post(std::string job, std::string summary) {
  loop_.post([this, job = std::move(job), summary = std::move(summary)]() mutable {
    latest_[job] = {++number_, std::move(summary)};
    changed_.notify();
  });
}

std::string EventHub::events_since(uint64_t& number) const {
  std::string text;
  for (const auto& [job, latest] : latest_) {
    if (latest.number <= number) continue;
    if (!latest.summary.empty())
      text += fmt::format("event: job\ndata: {}\n\n", latest.summary);
    else if (number > 0)
      text += fmt::format("event: gone\ndata: {}\n\n", JsonObject().add("name", job).finish());
  }
  number = number_;
  return text;
}

aio::Task<Result<void>> EventHub::write_all(http::BodySink& sink) {
  uint64_t told = 0, beats = beats_;
  std::string text = events_since(told);
  if (text.empty()) text = ": no job\n\n";
  while (!is_closed_) {
    if (!text.empty()) CO_TRY_VOID(co_await sink.write(text));
    if (is_closed_) break;
    if (told == number_ && beats == beats_) co_await changed_.wait();
    text = events_since(told);
    if (text.empty() && beats != beats_) text = ":\n\n";
    beats = beats_;
  }
  co_return Result<void>();
}

http::ServerResponse EventHub::follow() {
  if (followers_ >= kMostFollowers || is_closed_) return control::error_response(503, "too many follow already");
  http::ServerResponse response(200);
  response.headers.emplace_back("Content-Type", "text/event-stream");
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("X-Accel-Buffering", "no");
  response.stream = [this](http::BodySink& sink) -> aio::Task<Result<void>> {
    ++followers_;
    auto done = co_await write_all(sink);
    --followers_;
    co_return done;
  };
  return response;
}

aio::Task<void> EventHub::beat() {
  SteadyTime next = loop_.clock().steady() + kBeat;
  while (!is_closed_) {
    co_await aio::sleep_for(loop_, kStep);
    if (loop_.clock().steady() < next) continue;
    next += kBeat;
    ++beats_;
    changed_.notify();
  }
}

void EventHub::close() {
  is_closed_ = true;
  changed_.notify();
}

}  // namespace caddis::engine
