// uri-errors.log: a line for each link that is no URL, or that nothing here can fetch, in Heritrix's form:
//
//   2026-01-02T03:04:05.006Z http://a.example/page "the port is no number" http://b.example:x/
//
// Belongs to the crawl's loop.
#pragma once

#include <string>

#include "caddis/base/clock.h"
#include "caddis/commit/participant.h"
#include "caddis/config/log_settings.h"
#include "caddis/crawl/visit_listeners.h"

namespace caddis::crawl {

class UriErrorLog final : public commit::CommitParticipant, public DispositionListener {
 public:
  // Clock and settings, those of the moment, outlive it.
  UriErrorLog(std::string path, const Clock& clock, const config::LogSettings& settings)
      : path_(std::move(path)), clock_(clock), settings_(settings) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override;

 private:
  const std::string path_;
  const Clock& clock_;
  const config::LogSettings& settings_;
  std::string lines_;
};

}  // namespace caddis::crawl
