#include "caddis/base/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>

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

spdlog::logger& backend() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = std::make_shared<spdlog::logger>("caddis", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l %v", spdlog::pattern_time_type::utc);
    made->set_level(spdlog::level::warn);
    return made;
  }();
  return *logger;
}

}  // namespace

void log_write(LogLevel level, std::string_view module, std::string_view message) {
  backend().log(backend_level(level), "{}: {}", module, message);
}

void set_log_level(LogLevel level) { backend().set_level(backend_level(level)); }

bool log_enabled(LogLevel level) { return backend().should_log(backend_level(level)); }

}  // namespace caddis
