// The import of a recovery log of Heritrix's kind (recover.h) into a crawl, before anything is visited. What is being
// imported stands in a note below state/ from before the launch is one until all of it is committed: after a death it
// is done again from its beginning.
//
// Belongs to the crawl's loop; the log is read where blocking is allowed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/collection/launch.h"
#include "caddis/crawl/recover.h"
#include "caddis/frontier/frontier.h"

namespace caddis::aio {
class Blocking;
class Loop;
}  // namespace caddis::aio
namespace caddis::url {
class Url;
}  // namespace caddis::url

namespace caddis::crawl {

class Lifecycle;
class EventLog;
class SeenTasks;
class UrlForms;
class UrlIntake;
struct CommitPath;
struct CrawlState;
struct RecoveryLine;

// Writes the note. A note about another log, which was not imported whole, is replaced, and `notices` say so.
Result<void> note_import(io::Files& files, const collection::Launch& launch, const RecoverOptions& wanted,
                         std::vector<std::string>& notices);
// Returns what the note says: asked for now, or begun by a process that died; nothing if there is none. An error if the
// log is not there any more.
Result<std::optional<RecoverOptions>> pending_import(io::Files& files, const collection::Launch& launch);

class FrontierLogImport {
 public:
  struct Parts {
    aio::Loop& loop;
    aio::Blocking& blocking;
    CrawlState& state;
    Lifecycle& lifecycle;
    CommitPath& path;
    UrlIntake& intake;
    SeenTasks& seen_tasks;
    EventLog& log;
  };
  // All parts must outlive the import.
  FrontierLogImport(Parts parts, RecoverOptions options);
  ~FrontierLogImport();

  // Imports the log; `tell` gets what people should know. Returns false if the crawl ends before it is done.
  aio::Task<bool> run(std::function<void(const std::string&)> tell);

 private:
  aio::Task<Result<void>> read(RecoverCounts& counts, bool finished);
  Result<void> finish(const std::string& report);
  bool is_given_up() const;
  Result<std::optional<frontier::ScheduledUrl>> form_of(const RecoveryLine& line, bool finished, RecoverCounts& counts);
  void take_lines(std::string_view text, bool finished, uint64_t& line, RecoverCounts& counts);

  const Parts parts_;
  const RecoverOptions options_;
  std::unique_ptr<UrlForms> forms_;
};

}  // namespace caddis::crawl
