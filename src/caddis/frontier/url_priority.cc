#include "caddis/frontier/url_priority.h"

#include <algorithm>
#include <utility>

#include "caddis/frontier/queue_scheduler.h"

namespace caddis::frontier {
namespace {

// Read at each visit, of its queue and, if importance counts between queues, of others: so many chunks, fewer if they
// hold more URLs than this.
constexpr int kChunksPerVisit = 4;
constexpr size_t kUrlsPerChunk = 64;
// A class is believed so much cash: other orders and lists of precedences make classes, too.
constexpr double kMostBelieved = 16;

// Patterns that say nothing new stay behind, whatever links to them.
bool may_rise(PriorityClass priority) { return level_of(priority) > 0 && level_of(priority) != kLevels - 1; }

}  // namespace

UrlPriority::UrlPriority(const RulesBook& rules, const Identity& identity,
                         std::shared_ptr<const Precedences> precedences, uint64_t importance_memory,
                         const TrapDetector& traps, QueueContents& contents)
    : rules_(rules), identity_(identity), precedences_(std::move(precedences)), traps_(traps), contents_(contents) {
  if (rules.of_crawl().order.order == UrlOrder::opic) importance_ = std::make_unique<Importance>(importance_memory);
}

std::optional<unsigned> UrlPriority::listed(const std::string& url) const {
  return precedences_ ? precedences_->of(identity_.url_hash(url)) : std::nullopt;
}

PriorityClass UrlPriority::by_importance(PriorityClass found, const std::string& url) const {
  if (listed(url)) return found;
  return priority_class(precedence_of(found), level_of_cash(importance_->of(identity_.url_hash(url))));
}

PriorityClass UrlPriority::class_of(const ScheduledUrl& scheduled) const {
  const Candidate& candidate = scheduled.candidate;
  const OrderSettings& order = scheduled.order ? *scheduled.order : rules_.of_crawl().order;
  const Precedence precedence = scheduled.precedence.value_or(precedence_of(order, candidate));
  if (!scheduled.precedence && !traps_.all_novel() && traps_.state_of(candidate.url) != TrapDetector::State::novel)
    return priority_class(precedence, kLevels - 1);
  PriorityClass found = rules_.choices().class_of(order, candidate, precedence);
  if (precedences_) {
    if (const auto level = listed(candidate.url)) return priority_class(precedence, *level);
    if (order.order == UrlOrder::found)
      found = priority_class(precedence, std::min<unsigned>(static_cast<unsigned>(order.base_precedence), kLevels - 2));
  }
  return importance_ ? by_importance(found, candidate.url) : found;
}

void UrlPriority::visited(const UrlPlace& place, const Disposition& disposition) {
  if (!importance_ || disposition.lease.kind != LeaseKind::url || disposition.lease.given_up != 0) return;
  const std::string& url = disposition.lease.candidate.url;
  const bool tells_cash = place.priority && !listed(url);
  const double least = tells_cash ? cash_of_level(level_of(*place.priority)) : 0;
  importance_->visited(identity_.url_hash(url), disposition.links, std::min(least, kMostBelieved));
}

// Inspects the next chunks, at most so many; returns how many it was, a large one counted as several.
Result<int> UrlPriority::inspect(Queue& queue, int chunks) {
  auto& [priority, next_chunk] = queue.reprioritized;
  int inspected = 0;
  while (inspected < chunks) {
    const auto is_next = [&](const ClassChunks& one) {
      const bool is_behind = one.priority > priority || (one.priority == priority && next_chunk < one.tail);
      return is_behind && !one.empty() && may_rise(one.priority);
    };
    const auto found = std::ranges::find_if(queue.classes, is_next);
    if (found == queue.classes.end()) {
      queue.reprioritized = {};
      return inspected;
    }
    if (found->priority != priority) next_chunk = 0;
    priority = found->priority;
    const uint64_t number = std::max(next_chunk, found->head);
    const PriorityClass from = priority;
    TRY(const auto done,
        contents_.reclassify(queue, *found, number, [&](const std::string& url) { return by_importance(from, url); }));
    next_chunk = done.is_gone ? number : number + 1;
    inspected += 1 + static_cast<int>(done.urls / kUrlsPerChunk);
  }
  return inspected;
}

Result<void> UrlPriority::reprioritize(Queue& queue) {
  if (!importance_) return {};
  TRY([[maybe_unused]] const int inspected, inspect(queue, kChunksPerVisit));
  return {};
}

Result<void> UrlPriority::reprioritize_due(QueueScheduler& scheduler) {
  if (!importance_) return {};
  constexpr int kMostQueues = 4;
  int chunks = kChunksPerVisit;
  for (int queues = 0; queues < kMostQueues && chunks > 0; ++queues) {
    Queue* const queue = scheduler.rotate_ready();
    if (queue == nullptr) break;
    TRY(const int inspected, inspect(*queue, chunks));
    chunks -= inspected;
    if (rules_.rank_of(*queue) != queue->schedule.rank) scheduler.plan(*queue);
  }
  return {};
}

}  // namespace caddis::frontier
