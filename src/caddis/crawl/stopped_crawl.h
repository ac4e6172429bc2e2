// The frontier of a crawl that does not run: to look at, nothing of it is changed.
//
// Holds the lock of the collection: meanwhile no crawl begins or goes on there.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/crawl/crawl_state.h"
#include "caddis/frontier/frontier.h"
#include "caddis/reports/report_writer.h"
#include "caddis/store/kv.h"

namespace caddis::crawl {

struct ReportForm {
  std::string name;  // "hosts-report"
  reports::Format format = reports::Format::text;
};

// Takes the lock of the collection into `state`, whose launch is known, and opens its store. `who`: for others that
// want the lock. ErrorCode::conflict if it runs after all, or was interrupted on its way back to a checkpoint;
// ErrorCode::not_found if it died before it began; ErrorCode::unsupported if its state is of another format.
Result<void> open_stopped_state(CrawlState& state, const store::KvOpener& open_kv, std::string_view who);

// The end of a launch, as its crawl-report has it, or else its end note: "Finished - …", "Failed - …". Nothing if
// none is on record: it runs, or it died.
std::optional<std::string> recorded_end(io::Files& files, const collection::Launch& launch);
// Writes the reports of a crawl that does not run, from its state: those that are missing if its end is on record, all
// of them if it died. Errors as of `open_stopped_state`.
Result<void> write_reports_of_stopped(io::Files& files, const Clock& clock, const store::KvOpener& open_kv,
                                      const collection::Launch& launch);
// Makes one of them, whose name is known, from its state for `out`; no file is written. Errors as of
// `open_stopped_state`.
Result<void> make_report_of_stopped(io::Files& files, const Clock& clock, const store::KvOpener& open_kv,
                                    const collection::Launch& launch, const ReportForm& form, const reports::Out& out);

class StoppedCrawl {
 public:
  // Errors as of `open_stopped_state`.
  static Result<std::unique_ptr<StoppedCrawl>> open(io::Files& files, const Clock& clock,
                                                    const store::KvOpener& open_kv, const collection::Launch& launch);

  frontier::CrawlFrontier& frontier() { return *state_.frontier; }
  CrawlState& state() { return state_; }
  // A URL as it would be scheduled. Reads the log of all known URLs, 8 bytes each, to tell whether it is one of them.
  Result<frontier::ScheduledUrl> scheduled_url_of(std::string_view url);
  // The names of the sheets that hold for a URL, the later counts.
  Result<std::vector<std::string>> sheets_of(std::string_view url);

 private:
  explicit StoppedCrawl(io::Files& files) : state_(files) {}

  CrawlState state_;  // as far as the frontier needs it: of the known URLs those that were asked for
};

}  // namespace caddis::crawl
