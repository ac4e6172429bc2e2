#include "caddis/crawl/log_rotation.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/base/time_format.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/store_layout.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

class LogRotation::Write final : public commit::StagedWrite {
 public:
  struct Facts {
    uint64_t most_bytes = 0;  // 0: any
    bool all = false;         // whatever their size
    bool packs = false;
    uint64_t commits_kept = 0;
  };
  explicit Write(Facts facts) : facts_(facts) {}

  Result<void> append(commit::GroupOutput& out) override {
    store::StreamSet& streams = out.streams();
    const std::vector<std::string> logs = rolling_logs();
    store::Packing::Logs packed;
    if (facts_.packs) packed.insert(logs.begin(), logs.end());
    streams.packing().follow(std::move(packed), facts_.commits_kept);
    for (const std::string& log : logs) {
      const uint64_t length = streams.committed_length(log);
      const bool is_large = facts_.most_bytes > 0 && length >= facts_.most_bytes;
      if (length > 0 && (facts_.all || is_large)) TRY_VOID(streams.roll_log(log));
    }
    return {};
  }

 private:
  const Facts facts_;
};

Result<void> LogRotation::load(store::Kv& kv) {
  TRY(auto day, kv.get(kMeta, kLogDayRow));
  day_ = std::move(day).value_or("");
  return {};
}

void LogRotation::stage(commit::CommitGroup& group) {
  constexpr size_t kDigitsOfDay = 8;
  std::string day = timestamp14(clock_.wall()).substr(0, kDigitsOfDay);
  bool all = std::exchange(is_due_, settings_.roll_at_checkpoint && group.closes_files());
  if (day != day_) {
    all = all || (settings_.roll_every == config::RollEvery::day && !day_.empty());
    group.batch().put(kMeta, kLogDayRow, day);
    day_ = std::move(day);
  }
  group.add(std::make_unique<Write>(
      Write::Facts{static_cast<uint64_t>(settings_.roll_size), all, settings_.pack, commits_kept_}));
}

}  // namespace caddis::crawl
