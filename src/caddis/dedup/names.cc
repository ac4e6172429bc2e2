#include "caddis/dedup/names.h"

namespace caddis::dedup {
namespace {

constexpr std::string_view kStrategies[] = {"off", "url", "canonical", "url-preferred", "any"};
constexpr std::string_view kLikenesses[] = {"url", "canonical", "digest"};

}  // namespace

std::string_view to_string(Strategy strategy) { return kStrategies[static_cast<size_t>(strategy)]; }

std::string_view to_string(Likeness likeness) { return kLikenesses[static_cast<size_t>(likeness)]; }

Result<Strategy> strategy_from_name(std::string_view name) {
  for (size_t i = 0; i < std::size(kStrategies); ++i)
    if (kStrategies[i] == name) return static_cast<Strategy>(i);
  return fail(ErrorCode::config, "'" + std::string(name) +
                                     "' is no strategy of deduplication; there are off, url, canonical, url-preferred "
                                     "and any");
}

}  // namespace caddis::dedup
