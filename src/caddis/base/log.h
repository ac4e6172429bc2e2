// The operator log: level, module, message. One backend (log.cc); nothing is tested by matching its text.
//
//   log_info("crawl", "resumed {} with {} URLs queued", name, queued);
#pragma once

#include <fmt/core.h>

#include <string_view>

namespace caddis {

enum class LogLevel { debug, info, warn, error };

// Any thread. Goes to standard error; `set_log_level` decides what is shown (default: warn).
void log_write(LogLevel level, std::string_view module, std::string_view message);
void set_log_level(LogLevel level);
bool log_enabled(LogLevel level);

template <class... Args>
void log_debug(std::string_view module, fmt::format_string<Args...> text, Args&&... args) {
  if (log_enabled(LogLevel::debug)) log_write(LogLevel::debug, module, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_info(std::string_view module, fmt::format_string<Args...> text, Args&&... args) {
  if (log_enabled(LogLevel::info)) log_write(LogLevel::info, module, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_warn(std::string_view module, fmt::format_string<Args...> text, Args&&... args) {
  if (log_enabled(LogLevel::warn)) log_write(LogLevel::warn, module, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
void log_error(std::string_view module, fmt::format_string<Args...> text, Args&&... args) {
  if (log_enabled(LogLevel::error)) log_write(LogLevel::error, module, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace caddis
