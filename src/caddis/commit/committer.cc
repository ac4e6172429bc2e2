#include "caddis/commit/committer.h"

#include <utility>

#include "caddis/base/log.h"

namespace caddis::commit {

Result<void> Committer::add(CommitParticipant& participant) {
  TRY_VOID(participant.open(writer_.streams()));
  participants_.push_back(&participant);
  return {};
}

void Committer::commit_soon(uint64_t memory) {
  gathered_.memory += memory;
  if (gathered_.since) {
    if (gathered_.memory >= kLargest) wake_.notify();
    return;
  }
  gathered_.since = loop_.clock().steady();
  wake_.notify();
}

void Committer::fail(const Error& error) {
  if (is_fatal()) return;
  phase_ = Phase::failed;
  trouble_ = error.message;
  log_error("commit", "{}", trouble_);
  wake_.notify();
  if (on_change_) on_change_();
}

bool Committer::is_due() const {
  if (phase_ != Phase::running || is_asked() || gathered_.is_awaited) return true;
  return gathered_.since && (gathered_.memory >= kLargest || loop_.clock().steady() - *gathered_.since >= kLongest);
}

aio::Task<void> Committer::run() {
  while (phase_ == Phase::running || phase_ == Phase::closing) {
    while (!is_due()) {
      // One timer for the group that has begun; a group that grows too large wakes us before.
      std::optional<aio::Loop::TimerId> timer;
      if (gathered_.since) timer = loop_.at(*gathered_.since + kLongest, [this] { wake_.notify(); });
      co_await wake_.wait();
      if (timer) loop_.cancel(*timer);
    }
    if (is_fatal()) break;
    const bool is_last = phase_ == Phase::closing;
    co_await commit(put_together());
    co_await answer();
    if (is_last) break;
  }
  ended_ = true;
  answered_.notify();
  if (on_change_) on_change_();
}

CommitGroup Committer::put_together() {
  CommitGroup group(
      {.number = present_group_++, .memory = gathered_.memory, .closes_files = phase_ == Phase::closing || is_asked()});
  gathered_ = {};
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
    if (is_fatal()) co_return;
    if (outcome.fate == GroupWriter::Fate::committed) break;
    report_trouble(outcome);
    if (is_fatal() || phase_ == Phase::gave_up) co_return;
    co_await aio::sleep_for(loop_, kRetry);
  }
  if (!trouble_.empty()) log_warn("commit", "the disk takes what is written again: the crawl goes on");
  trouble_.clear();
  writing_memory_ = 0;
  groups_ = group.number();
  for (CommitParticipant* const participant : participants_) participant->committed(group.number());
  answered_.notify();
  if (on_change_) on_change_();
}

void Committer::report_trouble(const GroupWriter::Outcome& outcome) {
  // A limit of the process stays what it is while the process lives.
  const bool is_over = outcome.fate == GroupWriter::Fate::unknown || outcome.fate == GroupWriter::Fate::stop;
  if (is_over || outcome.error.code == ErrorCode::limit) phase_ = Phase::failed;
  // Logged once, however long it lasts; the status always has the latest.
  if (trouble_.empty() || is_fatal()) log_error("commit", "{}", outcome.error.message);
  trouble_ = outcome.error.message;
  answered_.notify();
  if (on_change_) on_change_();
  // A resumed crawl fetches again what is not committed.
  if (phase_ == Phase::closing) phase_ = Phase::gave_up;
}

aio::Task<void> Committer::answer() {
  if (!is_asked() || !request_->work || is_fatal() || phase_ == Phase::gave_up) co_return;
  std::function<void()> work = [this] { request_->outcome = request_->work(); };
  co_await blocking_.run(loop_, std::move(work));
  request_->done = true;
  answered_.notify();
}

aio::Task<Result<void>> Committer::write_now() {
  const GroupNumber group = present_group_;
  commit_soon();
  gathered_.is_awaited = true;
  wake_.notify();
  while (groups_ < group && trouble_.empty() && !ended_) co_await answered_.wait();
  if (groups_ >= group) co_return Result<void>();
  co_return caddis::fail(ErrorCode::io, trouble_.empty() ? "the crawl ended before" : trouble_);
}

aio::Task<Result<void>> Committer::at_commit(std::function<Work()> prepare) {
  while (request_ && !ended_) co_await answered_.wait();
  if (phase_ != Phase::running) co_return caddis::fail(ErrorCode::conflict, "the crawl is ending");
  request_.emplace(Request{.prepare = std::move(prepare)});
  commit_soon();
  wake_.notify();
  while (!request_->done && !ended_) co_await answered_.wait();
  Result<void> outcome = request_->outcome;
  if (!request_->done) outcome = caddis::fail(ErrorCode::io, trouble_.empty() ? "the crawl ended before" : trouble_);
  request_.reset();
  answered_.notify();
  co_return outcome;
}

void Committer::close() {
  if (phase_ == Phase::running) phase_ = Phase::closing;
  wake_.notify();
}

}  // namespace caddis::commit
