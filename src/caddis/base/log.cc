#include "caddis/base/log.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "caddis/base/log_tap.h"
#include "caddis/base/output.h"
#include "caddis/base/visible.h"

namespace caddis {
namespace {

spdlog::level::level_enum backend_level(LogLevel level) {
  switch (level) {
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::warn:
      return spdlog::level::warn;
    case LogLevel::error:
      return spdlog::level::err;
  }
  return spdlog::level::err;
}

// A message that nobody takes gets lost: the loops that log must go on.
class StderrSink : public spdlog::sinks::base_sink<std::mutex> {
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    say(std::string_view(line.data(), line.size()));
  }
  void flush_() override {}
};

spdlog::logger& backend() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = std::make_shared<spdlog::logger>("caddis", std::make_shared<StderrSink>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *logger;
}

struct Taps {
  std::mutex mutex;
  std::list<LogTap::Hear> hear;
  std::atomic<size_t> count = 0;
};

Taps& taps() {
  static Taps all;
  return all;
}

}  // namespace

LogTap::LogTap(Hear hear) {
  Taps& all = taps();
  const std::lock_guard lock(all.mutex);
  place_ = all.hear.insert(all.hear.end(), std::move(hear));
  ++all.count;
}

LogTap::~LogTap() {
  Taps& all = taps();
  const std::lock_guard lock(all.mutex);
  all.hear.erase(place_);
  --all.count;
}

// A message is a line, whatever it holds.
void log_write(LogLevel level, std::string_view module, std::string_view message) {
  backend().log(backend_level(level), "{}: {}", module, visible(message));
  Taps& all = taps();
  if (level < LogLevel::warn || all.count == 0) return;
  const std::lock_guard lock(all.mutex);
  for (const LogTap::Hear& hear : all.hear) hear(level, module, message);
}

void set_log_level(LogLevel level) { backend().set_level(backend_level(level)); }

bool log_enabled(LogLevel level) {
  return backend().should_log(backend_level(level)) || (level >= LogLevel::warn && taps().count > 0);
}

}  // namespace caddis
