#include "caddis/crawl/job_log.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "caddis/base/time_format.h"
#include "caddis/base/visible.h"
#include "caddis/commit/commit_group.h"
#include "caddis/crawl/alert_log.h"
#include "caddis/crawl/store_layout.h"

namespace caddis::crawl {
namespace {

// Heritrix's name of the state that "ENDED - Finished" tells of.
std::string_view state_of(std::string_view text) {
  const std::string_view word = text.substr(0, text.find(' '));
  if (word == "ENDING") return "STOPPING";
  return word == "ENDED" ? "FINISHED" : word;
}

}  // namespace

JobLog::JobLog(std::string path, std::string launch, const Clock& clock)
    : path_(std::move(path)),
      launch_(std::move(launch)),
      clock_(clock),
      tap_([this](LogLevel level, std::string_view module, std::string_view text) {
        add(java_level(level), fmt::format("{}: {}", module, text));
      }) {
  add("INFO", "Job launched");
}

Result<void> JobLog::open(store::StreamSet& streams) { return streams.open_stream(kJobStream, path_); }

void JobLog::stage(commit::CommitGroup& group) {
  std::string lines;
  {
    const std::lock_guard lock(mutex_);
    lines.swap(lines_);
  }
  group.append(kJobStream, std::move(lines));
}

void JobLog::add(std::string_view level, std::string_view text) {
  const std::lock_guard lock(mutex_);
  fmt::format_to(std::back_inserter(lines_), "{} {} {}\n", rfc3339_millis(clock_.wall()), level, visible(text));
}

void JobLog::on_event(const CrawlEvent& event) {
  switch (event.source) {
    case CrawlEvent::Source::state:
      return add("INFO", fmt::format("{} {}", state_of(event.text), launch_));
    case CrawlEvent::Source::checkpoint:
      return add("INFO", fmt::format("CHECKPOINTED {}", event.text));
    case CrawlEvent::Source::operated:
      return add("INFO", fmt::format("OPERATOR {}", event.text));
    case CrawlEvent::Source::crawl:
    case CrawlEvent::Source::module:
    case CrawlEvent::Source::pattern:
      return;  // what matters of them comes as a warning
  }
}

}  // namespace caddis::crawl
