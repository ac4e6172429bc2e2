// The settings of the section `logs`: which logs a crawl writes, and how.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "caddis/logs/json_log.h"
#include "caddis/settings/schema.h"

namespace caddis::config {

// When logs go on in another file, whatever their size.
enum class RollEvery : uint8_t { never, day };

struct LogSettings {
  bool crawl_log = true;
  std::vector<std::string> write = {"http", "dns", "failures", "not-crawled", "ftp", "sftp", "whois", "file"};
  std::vector<std::string> fields;  // "http: time url status"
  bool rejected_links = false;
  bool outlinks = false;
  bool extra_info = false;
  bool content_size = true;
  bool uri_errors = true;
  int64_t roll_size = 0;  // bytes; 0: no size
  RollEvery roll_every = RollEvery::never;
  bool roll_at_checkpoint = false;
  bool pack = true;
};

// The fields that a log has; nothing of one that is not written.
std::optional<logs::JsonFields> fields_of(logs::JsonLog log, const LogSettings& settings);

// The same of the logs that say what becomes of links.
struct LinkLogs {
  std::optional<logs::JsonFields> answers;     // scope.jsonl
  std::optional<logs::JsonFields> rejections;  // not-crawled.jsonl, if links stand there (logs.rejected-links)
};
LinkLogs link_logs(const LogSettings& settings);

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::LogSettings>();
}  // namespace caddis::settings
