#include "caddis/warc/finding.h"

namespace caddis::warc {

std::string_view to_string(Level level) {
  switch (level) {
    case Level::info:
      return "info";
    case Level::warning:
      return "warning";
    case Level::error:
      return "error";
  }
  return "error";
}

}  // namespace caddis::warc
