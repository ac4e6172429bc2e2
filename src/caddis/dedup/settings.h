// The settings of the section `dedup`: which payloads are stored once only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/dedup/original.h"
#include "caddis/settings/schema.h"
#include "caddis/url/url.h"

namespace caddis::dedup {

struct DedupSettings {
  Strategy strategy = Strategy::url_preferred;
  int64_t min_size = 1;                // of payloads, in bytes
  std::vector<std::string> leave_out;  // MIME types, or "image/*"
  bool conditional = false;
  std::vector<std::string> against;  // folders of other collections, digest indexes, CDXJ files, CDX servers
  Duration remote_timeout = std::chrono::seconds(5);
};

// Whether payloads of that type and size are looked up at all.
bool is_wanted(const DedupSettings& settings, std::string_view mime, uint64_t size);

// The address of the CDX server that an entry of `against` is; nothing if it is a file or a folder.
std::optional<url::Url> remote_index(std::string_view place);

}  // namespace caddis::dedup

namespace caddis::settings {
template <>
const Schema& schema_of<dedup::DedupSettings>();
}  // namespace caddis::settings
