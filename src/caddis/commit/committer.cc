#include "caddis/commit/committer.h"

#include <utility>

#include "caddis/base/log.h"

namespace caddis::commit {

Result<void> Committer::add(CommitParticipant& participant) {
  TRY_VOID(participant.open(streams_));
  participants_.push_back(&participant);
  return {};
}

void Committer::commit_soon(uint64_t memory) {
  gathered_memory_ += memory;
  if (group_began_) {
    if (gathered_memory_ >= kLargest) wake_.notify();
    return;
  }
  group_began_ = loop_.clock().steady();
  wake_.notify();
}

void Committer::fail(const Error& error) {
  if (fatal_) return;
  fatal_ = true;
  trouble_ = error.message;
  log_error("commit", "{}", trouble_);
  wake_.notify();
  if (on_change_) on_change_();
}

bool Committer::is_due() const {
  if (closing_ || fatal_ || is_asked()) return true;
  return group_began_ && (gathered_memory_ >= kLargest || loop_.clock().steady() - *group_began_ >= kLongest);
}

aio::Task<void> Committer::run() {
  while (!fatal_ && !gave_up_) {
    while (!is_due()) {
      // One timer for the group that has begun; a group that grows too large wakes us before.
      std::optional<aio::Loop::TimerId> timer;
      if (group_began_) timer = loop_.at(*group_began_ + kLongest, [this] { wake_.notify(); });
      co_await wake_.wait();
      if (timer) loop_.cancel(*timer);
    }
    if (fatal_) break;
    const bool is_last = closing_;
    co_await commit(put_together());
    co_await answer();
    if (is_last) break;
  }
  closed_ = true;
  answered_.notify();
  if (on_change_) on_change_();
}

CommitGroup Committer::put_together() {
  CommitGroup group({.number = present_group_++,
                     .memory = std::exchange(gathered_memory_, 0),
                     .closes_files = closing_ || is_asked()});
  group_began_.reset();
  for (CommitParticipant* const participant : participants_) participant->stage(group);
  if (is_asked()) request_->work = request_->prepare();
  return group;
}

aio::Task<void> Committer::commit(CommitGroup group) {
  writing_memory_ = group.memory();
  for (;;) {
    GroupWriter::Outcome outcome;
    std::function<void()> work = [&] { outcome = writer_.write(group); };
    co_await blocking_.run(loop_, std::move(work));
    if (fatal_) co_return;
    if (outcome.fate == GroupWriter::Fate::committed) break;
    report_trouble(outcome);
    if (fatal_ || gave_up_) co_return;
    co_await aio::sleep_for(loop_, kRetry);
  }
  if (!trouble_.empty()) log_warn("commit", "the disk takes what is written again: the crawl goes on");
  trouble_.clear();
  writing_memory_ = 0;
  groups_ = group.number();
  for (CommitParticipant* const participant : participants_) participant->committed(group.number());
  if (on_change_) on_change_();
}

void Committer::report_trouble(const GroupWriter::Outcome& outcome) {
  // A limit of the process stays what it is while the process lives.
  fatal_ = outcome.fate == GroupWriter::Fate::unknown || outcome.error.code == ErrorCode::limit;
  // Logged once, however long it lasts; the status always has the latest.
  if (trouble_.empty() || fatal_) log_error("commit", "{}", outcome.error.message);
  trouble_ = outcome.error.message;
  if (on_change_) on_change_();
  // What is not committed is fetched again when the crawl is resumed.
  gave_up_ = closing_;
}

aio::Task<void> Committer::answer() {
  if (!is_asked() || !request_->work || fatal_ || gave_up_) co_return;
  std::function<void()> work = [this] { request_->outcome = request_->work(); };
  co_await blocking_.run(loop_, std::move(work));
  request_->done = true;
  answered_.notify();
}

aio::Task<Result<void>> Committer::at_commit(std::function<Work()> prepare) {
  while (request_ && !closed_) co_await answered_.wait();
  if (closing_ || fatal_) co_return caddis::fail(ErrorCode::conflict, "the crawl is ending");
  request_.emplace(Request{.prepare = std::move(prepare)});
  commit_soon();
  wake_.notify();
  while (!request_->done && !closed_) co_await answered_.wait();
  Result<void> outcome = request_->outcome;
  if (!request_->done) outcome = caddis::fail(ErrorCode::io, trouble_.empty() ? "the crawl ended before" : trouble_);
  request_.reset();
  answered_.notify();
  co_return outcome;
}

void Committer::close() {
  closing_ = true;
  wake_.notify();
}

}  // namespace caddis::commit
