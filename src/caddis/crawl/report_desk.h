// The reports of a crawl that runs, when somebody asks for them: by the control API, an action file, a signal. What is
// not committed yet is committed first; then a worker makes them, not that of the groups: the crawl goes on, and
// commits. What they read of the store is there for any thread; of the crawl's own figures they have a copy.
//
// Belongs to the crawl's loop.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "caddis/aio/event.h"
#include "caddis/aio/task.h"
#include "caddis/base/error.h"
#include "caddis/crawl/report_facts.h"
#include "caddis/crawl/report_names.h"
#include "caddis/reports/report_writer.h"

namespace caddis::crawl {

struct CrawlParts;
struct CrawlState;
struct World;
class StatusReporter;

class ReportDesk {
 public:
  // All of it must outlive the desk.
  ReportDesk(const World& world, CrawlState& state, CrawlParts& parts, const StatusReporter& reporter);

  struct Question {
    std::string name;
    reports::Format format = reports::Format::json;
    size_t most = 0;  // rows
  };
  struct Answer {
    std::string text;
    bool is_cut = false;  // there are more rows
  };
  // ErrorCode::not_found if there is no such report, ErrorCode::conflict if the crawl is ending.
  aio::Task<Result<Answer>> make(Question question);
  // Writes all of them into the launch's folder. ErrorCode::conflict if the crawl is ending.
  aio::Task<Result<void>> write_all();
  // The same, for an operator who gets no answer; returns a sentence for the log.
  aio::Task<std::string> write_and_tell();

  // They are wanted, as soon as the loop comes to it.
  void ask() { asked_ = true; }
  bool take_asked() { return std::exchange(asked_, false); }
  // From now on nothing is made; returns when nothing is being made any more.
  aio::Task<void> close();

 private:
  aio::Task<ReportFacts> gather(ReportNeeds needs);
  Result<Answer> answer(const Question& question, ReportFacts facts) const;
  aio::Task<void> work(std::function<void()> work);
  aio::Task<void> walk(std::function<Result<bool>()> step);
  aio::Task<Result<void>> begin();
  void end();

  const World& world_;
  CrawlState& state_;
  CrawlParts& parts_;
  const StatusReporter& reporter_;
  aio::Event changed_;
  bool asked_ = false, is_busy_ = false, is_closed_ = false;
};

}  // namespace caddis::crawl
