// The settings of the section `logs`: which logs a crawl writes, and how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "caddis/settings/schema.h"

namespace caddis::config {

// When logs go on in another file, whatever their size.
enum class RollEvery : uint8_t { never, day };

struct LogSettings {
  bool crawl_log = true;
  std::vector<std::string> write = {"http", "dns", "failures", "not-crawled"};
  std::vector<std::string> fields;  // "http: time url status"
  bool outlinks = false;
  bool extra_info = false;
  bool content_size = true;
  bool uri_errors = true;
  int64_t roll_size = 0;  // bytes; 0: no size
  RollEvery roll_every = RollEvery::never;
  bool roll_at_checkpoint = false;
  bool pack = true;
};

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::LogSettings>();
}  // namespace caddis::settings
