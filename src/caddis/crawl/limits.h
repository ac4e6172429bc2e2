// The limits of a whole crawl: how much of each is used, and whether one is reached. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/config/settings.h"

namespace caddis::crawl {

struct LimitCounts {
  uint64_t documents = 0, bytes = 0, novel_bytes = 0, warc_bytes = 0;
  Duration time{};     // that the crawl has run
  Duration silence{};  // since the last byte was received
  Duration idle{};     // since the last visit was active
};

// A limit that is set. Bytes, documents or seconds.
struct LimitUse {
  std::string_view name;  // of its setting
  double used = 0, limit = 0;
  std::string text;  // "max-bytes: 1.2 MB of 4 MB"
};
std::vector<LimitUse> limits_in_use(const config::LimitSettings& settings, const LimitCounts& counts);

struct ReachedLimit {
  std::string_view name;
  std::string text;  // "reached max-documents (200)"
};
std::optional<ReachedLimit> limit_reached(const config::LimitSettings& settings, const LimitCounts& counts);

// For how long nothing has come from the web, and for how long nobody was visited. Time in which the crawl may do
// neither (paused, a full disk) does not count.
class Activity {
 public:
  // To be told now and then: what was received and how many visits had begun since the start, and how many are active.
  void look(SteadyTime now, bool may_visit, uint64_t received, uint64_t begun, uint64_t visiting);
  // Both are counted anew.
  void restart() { silence_ = idle_ = Duration(0); }
  Duration silence() const { return silence_; }
  Duration idle() const { return idle_; }

 private:
  std::optional<SteadyTime> looked_;
  uint64_t received_ = 0, begun_ = 0;
  Duration silence_{}, idle_{};
};

}  // namespace caddis::crawl
