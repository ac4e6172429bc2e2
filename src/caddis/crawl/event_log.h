// Lines of progress-statistics.log that tell what happens to the crawl. Those that people should see at once stand in
// the log of the process, too. Every line is on disk with the group that is open when it is written.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <string_view>

#include "caddis/base/clock.h"

namespace caddis::crawl {

class Committer;

class EventLog {
 public:
  // Both must outlive it.
  EventLog(const Clock& clock, Committer& committer) : clock_(clock), committer_(committer) {}

  // "2026-01-02T03:04:05Z KIND text"
  void add(std::string_view kind, std::string_view text);
  // A line of numbers, as it is.
  void add_statistics(std::string_view line);
  // An event that befalls the crawl: a CRAWL line, and a warning.
  void report(std::string_view what);
  // A change by an operator: an OPERATOR line, committed soon.
  void log_operator_action(std::string_view change);
  // Changes by operators so far: each makes another checkpoint worth having.
  uint64_t operator_actions() const { return operator_actions_; }

 private:
  const Clock& clock_;
  Committer& committer_;
  uint64_t operator_actions_ = 0;
};

}  // namespace caddis::crawl
