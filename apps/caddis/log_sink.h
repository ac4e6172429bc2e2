// Lines of logs on their way to the reader of `caddis log`: filtered, counted or shown. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace caddis::cli {

class LogSink {
 public:
  virtual ~LogSink() = default;
  // Only the end of a log is needed, so many lines of it.
  virtual std::optional<uint64_t> lines_from_end() const = 0;
  virtual void add(std::string_view text) = 0;
  // Shows those that were kept as the last ones; what comes from now on is shown at once.
  virtual void release() = 0;
  // At the end of all: groups, the largest `top` of them.
  virtual void finish(size_t top) = 0;
  // Whether a line was shown or counted.
  virtual bool has_any() const = 0;
};

}  // namespace caddis::cli
