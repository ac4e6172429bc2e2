// Tells what happens to a crawl: those who listen for it, among them progress-statistics.log, and at once, in the log of
// the process, the people who should know. What is told is on disk with the group that is open then.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/crawl/crawl_state_listener.h"

namespace caddis::commit {
class Committer;
}  // namespace caddis::commit

namespace caddis::crawl {

class EventLog {
 public:
  // Both must outlive it.
  EventLog(CrawlEvents& events, commit::Committer& committer) : events_(events), committer_(committer) {}

  // For those who listen alone.
  void tell(CrawlEvent::Source source, std::string_view text) { events_.tell(source, text); }
  // An event that befalls the crawl: a CRAWL line, and a warning.
  void report(std::string_view what) { report(CrawlEvent::Source::crawl, what); }
  void report(CrawlEvent::Source source, std::string_view what);
  // Names who asks for the changes that follow; empty: it is not known.
  void set_actor(std::string_view name) { actor_ = name; }
  // A change by an operator: an OPERATOR line, with who asked for it, committed soon.
  void log_operator_action(std::string_view change);
  // Changes by operators so far: each makes another checkpoint worth having.
  uint64_t operator_actions() const { return operator_actions_; }

 private:
  CrawlEvents& events_;
  commit::Committer& committer_;
  uint64_t operator_actions_ = 0;
  std::string actor_;
};

}  // namespace caddis::crawl
