// progress-statistics.log: Heritrix's columns every twenty seconds, and a line for each event of the crawl. What a line
// holds may come from anybody: it stays one line.
//
// Belongs to the crawl's loop.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/commit/participant.h"
#include "caddis/crawl/crawl_state_listener.h"

namespace caddis::crawl {

class ProgressLog final : public commit::CommitParticipant, public CrawlStateListener {
 public:
  ProgressLog(std::string path, const Clock& clock) : path_(std::move(path)), clock_(clock) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_event(const CrawlEvent& event) override;
  void on_progress(std::string_view columns) override;

 private:
  const std::string path_;
  const Clock& clock_;
  std::string lines_;
};

}  // namespace caddis::crawl
