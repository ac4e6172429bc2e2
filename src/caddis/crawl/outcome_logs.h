// The logs by protocol and by fate (docs/formats/logs.md): each outcome is a line in one of them, as soon as a group is
// durable. Where the records of a capture begin is known only on the group's worker: lines that say so are completed
// there, behind the writers of the archive. A header stands before the first line of a process, before lines with other
// fields than those before them (a live change; visits that began before it keep theirs), and at the head of each file.
//
// Belongs to the crawl's loop. It must be staged behind the writers of the archive.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/commit/participant.h"
#include "caddis/config/log_settings.h"
#include "caddis/crawl/visit_listeners.h"
#include "caddis/logs/json_log.h"

namespace caddis::visit {
struct LinkLine;
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
  // These count from now on: which logs are written, and their fields.
  void follow(const config::LogSettings& settings);
  // Links that were not queued, for not-crawled.jsonl: a line of a lane, and the facts of another.
  void add_rejected(std::string_view line, const logs::JsonFields& fields);
  void add_unqueued(const visit::LinkLine& link);

 private:
  class Write;
  // The place of a line's records is to be inserted there.
  struct Gap {
    size_t at = 0;
    std::shared_ptr<const visit::WrittenAt> place;
    logs::JsonFields fields;  // of the line
  };
  struct Log {
    logs::JsonLog kind = logs::JsonLog::http;
    std::string path;
    std::optional<logs::JsonFields> fields;       // nothing: it is not written
    std::optional<logs::JsonFields> last_fields;  // those of the last header of this process
    bool has_header = false;                      // it has a header at least
    std::string lines;
    std::vector<Gap> gaps;
    std::string header;  // for a file that begins with `lines`
  };

  Log& log(logs::JsonLog kind) { return logs_[static_cast<size_t>(kind)]; }
  // The lines of a log, for one more with these fields: behind a header if those before have others.
  std::string& lines_of(Log& log, const logs::JsonFields& fields) const;
  void add(const visit::LogEntry& entry, std::string_view reason, const std::shared_ptr<visit::WrittenAt>& place);
  static std::string completed(const Log& log);

  const std::string launch_;
  std::array<Log, logs::kJsonLogs> logs_;
};

}  // namespace caddis::crawl
