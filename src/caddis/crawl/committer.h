// The committer: takes finished visits in one order, lets frontier and statistics act on each, and commits them in
// groups, of one second or four megabytes, whichever is first. A group is never dropped: what cannot be written waits,
// and the crawl with it.
//
// Belongs to the engine's loop; only the writing of a group runs elsewhere (aio::Blocking).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "caddis/aio/blocking.h"
#include "caddis/aio/event.h"
#include "caddis/aio/loop.h"
#include "caddis/aio/task.h"
#include "caddis/base/visible.h"
#include "caddis/crawl/group.h"
#include "caddis/crawl/statistics.h"
#include "caddis/frontier/frontier.h"
#include "caddis/store/seen.h"
#include "caddis/visit/visit_result.h"

namespace caddis::crawl {

// Who waits for a group to be committed, to do something before the next.
struct AskedAtCommit {
  std::function<std::function<Result<void>()>()> prepare;
  std::function<Result<void>()> work;
  Result<void> outcome;
  bool done = false;
};

class Committer {
 public:
  Committer(aio::Loop& loop, aio::Blocking& blocking, frontier::Frontier& frontier, Statistics& statistics,
            store::SeenSet& seen, std::unique_ptr<GroupWriter> writer)
      : loop_(loop),
        blocking_(blocking),
        frontier_(frontier),
        statistics_(statistics),
        seen_(seen),
        writer_(std::move(writer)),
        wake_(loop),
        answered_(loop) {}

  // Lets frontier and statistics act on the visit, and puts what is to be kept into the current group.
  void add(visit::VisitResult finished);
  // The same for seeds and operator's URLs.
  void add_links(std::vector<frontier::ScheduledUrl> links);
  // The same for URLs that are not to be visited: they count as seen from now on. How many were not. `lines` are for
  // the recovery log, where it is written.
  uint64_t add_seen(const std::vector<uint64_t>& fingerprints, const std::string& lines);
  // A URL that waited and was deleted by the operator: it is on record.
  void add_deleted(const frontier::Candidate& what, const std::string& host);
  // From now on the recovery log is written, too.
  void write_recovery_log() { writes_recovery_ = true; }
  bool writes_recovery_log() const { return writes_recovery_; }
  // Begins a group, though nothing but the frontier's own rows may be in it.
  void commit_soon() { begin_timer(); }
  // A line of progress-statistics.log, without its end. What it holds may come from anybody: it stays one line.
  void add_progress_line(std::string_view line) { group_.progress += visible(line) += '\n'; }
  void add_meta_row(std::string key, std::string value) { group_.batch.put(0, std::move(key), std::move(value)); }
  void erase_meta_row(std::string key) { group_.batch.erase(0, std::move(key)); }
  // Puts fingerprints, in rows of their log, back into the seen-set; those that it knows stay out of the log.
  Result<void> add_seen(std::string_view rows);

  // Calls `prepare` on the loop when a group is put together that closes the WARC file, and then, when that group is on
  // disk and before anything else is written, the work it gave, where blocking is allowed. One after the other.
  using Work = std::function<Result<void>()>;
  aio::Task<Result<void>> at_commit(std::function<Work()> prepare);

  // Writes groups until `close` has been called and all is on disk (or cannot be).
  aio::Task<void> run();
  // Ends `run` after a last group, in which the WARC file is closed.
  void close();

  // Bytes of finished visits that are not on disk yet.
  uint64_t backlog() const { return group_.memory + writing_memory_; }
  // Why groups cannot be written at present; empty while they can.
  const std::string& trouble() const { return trouble_; }
  // Nothing more can be added rightly: the crawl has to end at once, and to be resumed from what is committed.
  void give_up(const Error& error);
  // The state on disk or in memory is in doubt: the crawl has to end at once, and to be resumed.
  bool is_fatal() const { return fatal_; }
  bool committed_everything() const { return closed_ && !fatal_ && !gave_up_; }
  uint64_t groups() const { return groups_; }
  // What is added now is committed when `groups` has come to this number.
  uint64_t present_group() const { return present_group_; }
  // Called on the loop after every commit and every trouble.
  void on_change(std::function<void()> call) { on_change_ = std::move(call); }

 private:
  static constexpr Duration kLongest = std::chrono::seconds(1);
  static constexpr uint64_t kLargest = 4 << 20;
  static constexpr Duration kRetry = std::chrono::seconds(2);

  void begin_timer();
  void keep(visit::VisitResult& finished);
  void journal_finished(const visit::VisitResult& finished, frontier::Outcome outcome);
  void schedule(std::vector<frontier::ScheduledUrl> links);
  bool is_due() const;
  aio::Task<void> write_group();
  aio::Task<void> answer();

  aio::Loop& loop_;
  aio::Blocking& blocking_;
  frontier::Frontier& frontier_;
  Statistics& statistics_;
  store::SeenSet& seen_;
  std::unique_ptr<GroupWriter> writer_;
  aio::Event wake_, answered_;
  std::optional<AskedAtCommit> asked_;
  Group group_;
  std::optional<SteadyTime> group_began_;
  uint64_t writing_memory_ = 0;
  uint64_t groups_ = 0, present_group_ = 1;
  std::string trouble_;
  bool fatal_ = false, closing_ = false, closed_ = false, gave_up_ = false;
  bool writes_recovery_ = false;
  std::function<void()> on_change_;
};

}  // namespace caddis::crawl
