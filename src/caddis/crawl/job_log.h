// job.log: what happened to the launch as a whole, in Heritrix's form: "2026-01-02T03:04:05.006Z INFO RUNNING
// 20260102030405". Warnings and errors of the process stand there, too.
//
// Belongs to the crawl's loop; warnings come from any thread.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/log_tap.h"
#include "caddis/commit/participant.h"
#include "caddis/crawl/crawl_state_listener.h"

namespace caddis::crawl {

class JobLog final : public commit::CommitParticipant, public CrawlStateListener {
 public:
  // `launch`: its timestamp. The clock outlives it.
  JobLog(std::string path, std::string launch, const Clock& clock);

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_event(const CrawlEvent& event) override;

 private:
  void add(std::string_view level, std::string_view text);

  const std::string path_, launch_;
  const Clock& clock_;
  std::mutex mutex_;
  std::string lines_;
  LogTap tap_;  // last: it ends first
};

}  // namespace caddis::crawl
