#include "caddis/frontier/queue_scheduler.h"

#include <algorithm>

#include "caddis/frontier/order.h"

namespace caddis::frontier {
namespace {

using State = QueueSchedule::State;

}  // namespace

void QueueScheduler::unplan(Queue& queue) {
  QueueSchedule& schedule = queue.schedule;
  if (schedule.state == State::waiting)
    due_.erase(schedule.due_at);
  else if (schedule.state == State::ready)
    ready_.erase({schedule.rank, schedule.due});
  else
    return;
  schedule.state = State::idle;
}

void QueueScheduler::wait_until(Queue& queue, SteadyTime when, std::optional<uint64_t> since) {
  unplan(queue);
  QueueSchedule& schedule = queue.schedule;
  schedule.state = State::waiting;
  schedule.due = {when, since ? *since : next_stamp_++};
  // Most often last of all: then its place is not searched for.
  schedule.due_at = due_.emplace_hint(due_.end(), schedule.due, &queue);
}

std::optional<SteadyTime> QueueScheduler::due_time(const Queue& queue) const {
  if (!queue.has_work()) return std::nullopt;
  const Host& host = *queue.host;
  const SteadyTime now = clock_.steady();
  if (health_.status_of(queue) != 0) return now;
  SteadyTime due = std::max(now, host.pacing.next_allowed);
  for (const FailureState* state : {&host.failures, &queue.failures})
    if (state->failures > 0) due = std::max(due, clock_.steady_at(state->retry_at));
  if (!queue.has_chunks()) due = std::max(due, clock_.steady_at(queue.retries.waiting.begin()->due));
  return due;
}

void QueueScheduler::plan(Queue& queue) {
  const State state = queue.schedule.state;
  if (state != State::idle && state != State::waiting && state != State::ready) return;
  if (const auto due = due_time(queue)) {
    wait_until(queue, *due);
    return;
  }
  unplan(queue);
  if (state != State::idle) pass_on(*queue.host);
}

void QueueScheduler::replan(Host& host) {
  for (const auto& queue : host.queues) plan(*queue);
}

std::optional<SteadyTime> QueueScheduler::withdraw(Host& host) {
  std::optional<SteadyTime> first;
  for (const auto& queue : host.queues) {
    const auto due = due_time(*queue);
    if (due && (!first || *due < *first)) first = due;
    unplan(*queue);
  }
  return first;
}

Queue* QueueScheduler::next() {
  const SteadyTime now = clock_.steady();
  const bool by_rank = rules_.of_crawl().order.queues != QueueOrderPolicy::due;
  while (!due_.empty() && due_.begin()->first.first <= now) {
    Queue& queue = *due_.begin()->second;
    if (!by_rank) return &queue;
    due_.erase(due_.begin());
    queue.schedule.state = State::ready;
    queue.schedule.rank = rules_.rank_of(queue);
    ready_.emplace(std::pair(queue.schedule.rank, queue.schedule.due), &queue);
  }
  return ready_.empty() ? nullptr : ready_.begin()->second;
}

std::optional<SteadyTime> QueueScheduler::next_due() const {
  if (!ready_.empty()) return clock_.steady();
  return due_.empty() ? std::nullopt : std::optional(due_.begin()->first.first);
}

Queue* QueueScheduler::last(Duration wait) const {
  if (due_.empty() || due_.rbegin()->first.first <= clock_.steady() + wait) return nullptr;
  return due_.rbegin()->second;
}

Queue* QueueScheduler::rotate_ready() {
  if (ready_.empty()) return nullptr;
  auto next = ready_.upper_bound(rotated_);
  if (next == ready_.end()) next = ready_.begin();
  rotated_ = next->first;
  return next->second;
}

// --- turns

void QueueScheduler::wait_for(Queue& queue, const PermitAnswer& answer) {
  if (answer.kind == PermitAnswer::Kind::paused) {
    wait_until(queue, answer.until, answer.is_shared ? std::optional(queue.schedule.due.second) : std::nullopt);
    return;
  }
  queue.schedule.state = answer.state;
  answer.wait_list->push_back(&queue);
}

void QueueScheduler::call(const Politeness::FreeLists& lists) {
  for (WaitList* const list : lists)
    if (list != nullptr) call_next(*list);
}

// The first in the list that has something to visit gets its turn. Planning may pass a turn on: not while one is given.
void QueueScheduler::call_next(WaitList& list) {
  if (std::exchange(calling_, true)) return;
  while (!list.empty()) {
    Queue& first = *list.front();
    list.pop_front();
    first.schedule.state = State::idle;
    plan(first);
    if (first.schedule.state == State::waiting && health_.status_of(first) == 0) break;
  }
  calling_ = false;
}

void QueueScheduler::dismiss_waiting(Host& host) {
  if (host.pacing.visits != 0) return;
  for (Queue* const waiting : std::exchange(host.pacing.waiting, {})) waiting->schedule.state = State::idle;
}

}  // namespace caddis::frontier
