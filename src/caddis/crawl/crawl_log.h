// crawl.log: a line for each URL whose visits are over, or that was deleted while it waited
// (docs/formats/crawl-log.md).
//
// Belongs to the crawl's loop. Where captures lie is known on the group's worker alone: lines that tell it are finished
// there, so it stages behind the writers of the archive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "caddis/commit/participant.h"
#include "caddis/config/log_settings.h"
#include "caddis/crawl/visit_listeners.h"

namespace caddis::visit {
struct LoggedVisit;
struct WrittenAt;
}  // namespace caddis::visit

namespace caddis::crawl {

class CrawlLog final : public commit::CommitParticipant, public DispositionListener {
 public:
  // `settings`, those of the moment, outlive it.
  CrawlLog(std::string path, const config::LogSettings& settings) : path_(std::move(path)), settings_(settings) {}

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override;
  void on_deleted(const visit::LoggedVisit& record) override;

 private:
  // A line that is to end with an object of JSON.
  struct Unfinished {
    size_t end = 0;                                 // in `lines_`, behind its line end
    uint64_t size = 0;                              // of an HTTP answer; 0: none
    std::shared_ptr<const visit::WrittenAt> place;  // null: nothing was captured
  };
  class Write;
  void add(const visit::LoggedVisit& visited);

  const std::string path_;
  const config::LogSettings& settings_;
  std::string lines_;
  std::vector<Unfinished> unfinished_;
};

}  // namespace caddis::crawl
