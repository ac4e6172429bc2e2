// The logs by protocol and by fate (docs/formats/logs.md): each outcome is a line in one of them, as soon as a group is
// durable. Where the records of a capture begin is known only on the group's worker: lines that say so are completed
// there, behind the writers of the archive.
//
// Belongs to the crawl's loop. It must be staged behind the writers of the archive.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/commit/participant.h"
#include "caddis/config/log_settings.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/logs/json_log.h"

namespace caddis::visit {
struct LogEntry;
struct WrittenAt;
}  // namespace caddis::visit

namespace caddis::crawl {

class OutcomeLogs final : public commit::CommitParticipant, public DispositionListener {
 public:
  struct Options {
    std::string folder;  // of the logs
    std::string launch;  // its name
    config::LogSettings settings;
  };
  explicit OutcomeLogs(const Options& options);
  ~OutcomeLogs() override;

  Result<void> open(store::StreamSet& streams) override;
  void stage(commit::CommitGroup& group) override;
  void on_final(visit::VisitResult& result) override;
  void on_deleted(const visit::LoggedVisit& record) override;

 private:
  class Write;
  // The place of a line's records is to be inserted there.
  struct Gap {
    size_t at = 0;
    std::shared_ptr<const visit::WrittenAt> place;
  };
  struct Log {
    logs::JsonLog kind = logs::JsonLog::http;
    std::string path;  // empty: it is not written
    logs::JsonFields fields;
    std::string header;
    bool is_begun = false;       // it has a line
    bool is_header_due = false;  // before its next line
    std::string lines;
    std::vector<Gap> gaps;
  };

  Log& log(logs::JsonLog kind) { return logs_[static_cast<size_t>(kind)]; }
  void add(const visit::LogEntry& entry, std::string_view reason, const std::shared_ptr<visit::WrittenAt>& place);
  static std::string completed(const Log& log);

  std::array<Log, logs::kJsonLogs> logs_;
};

}  // namespace caddis::crawl
