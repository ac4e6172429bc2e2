#include "caddis/engine/shares.h"

#include <fmt/format.h>

#include <algorithm>

#include "caddis/config/settings.h"
#include "caddis/engine/job_config.h"

namespace caddis::engine {
namespace {

// 0 stands for no limit.
uint64_t smaller_limit(uint64_t a, uint64_t b) {
  if (a == 0 || b == 0) return std::max(a, b);
  return std::min(a, b);
}

uint64_t unsigned_of(int64_t value) { return value > 0 ? static_cast<uint64_t>(value) : 0; }

}  // namespace

Wishes wishes_of(io::Files& files, const JobFolder& folder) {
  const auto loaded = load_settings_of(files, folder);
  const config::Settings settings = loaded ? *loaded : config::Settings();
  return {.memory = unsigned_of(settings.memory.total),
          .lanes = unsigned_of(settings.crawl.lanes),
          .bandwidth = unsigned_of(settings.politeness.bandwidth),
          .warc_bytes = unsigned_of(settings.limits.max_warc_bytes)};
}

uint64_t memory_share(const Allowance& allowance, const Wishes& wishes, size_t places) {
  if (allowance.memory == 0) return wishes.memory;
  const uint64_t most = allowance.memory / std::max<size_t>(1, places);
  return std::max(kLeastMemory, smaller_limit(wishes.memory, most));
}

uint64_t lane_share(const Allowance& allowance, const Wishes& wishes, size_t places) {
  if (allowance.processors == 0) return wishes.lanes;
  return smaller_limit(wishes.lanes, std::max<uint64_t>(1, allowance.processors / std::max<size_t>(1, places)));
}

std::vector<std::string> divided_settings(const Allowance& allowance, const Wishes& wishes, const Division& division) {
  std::vector<std::string> settings;
  const uint64_t running = std::max<size_t>(1, division.running);
  if (allowance.bandwidth > 0) {
    const uint64_t share = std::max<uint64_t>(1, allowance.bandwidth / running);
    settings.push_back(fmt::format("politeness.bandwidth={}", smaller_limit(wishes.bandwidth, share)));
  }
  if (allowance.disk > 0) {
    const uint64_t share = std::max<uint64_t>(1, division.warc_bytes + division.disk_left / running);
    settings.push_back(fmt::format("limits.max-warc-bytes={}", smaller_limit(wishes.warc_bytes, share)));
  }
  return settings;
}

}  // namespace caddis::engine
