// The order by importance: the line of a URL is chosen when it is found, and again as its cash grows. Where a URL
// stands is on disk only: so with each visit some chunks are looked at, in turn, and whoever has got more moves to a
// better line. A URL moves within its queue, forwards, in one piece with the visit's other changes: it is in exactly
// one place.

#include <algorithm>
#include <map>

#include "caddis/frontier/chunk.h"
#include "caddis/frontier/frontier.h"

namespace caddis::frontier {
namespace {

// Read at each visit, of its queue and, where importance counts between queues, of others: so many chunks, fewer where
// they hold more URLs than this.
constexpr int kChunksPerVisit = 4;
constexpr size_t kUrlsPerChunk = 64;
// A line is believed so much cash: other orders and lists of precedences make lines, too.
constexpr double kMostBelieved = 16;

// Patterns that say nothing new stay behind, whatever links to them.
bool may_rise(LineNumber line) { return level_of(line) > 0 && level_of(line) != kLevels - 1; }

}  // namespace

void Frontier::note_importance(const Visiting& visiting, const Disposition& disposition) {
  if (visiting.kind != LeaseKind::url || disposition.lease.given_up != 0) return;
  const uint64_t mark = options_.identity.mark(disposition.lease.candidate.url);
  const bool says_cash = visiting.line >= 0 && !(options_.precedences && options_.precedences->of(mark));
  const double least = says_cash ? cash_of_level(level_of(static_cast<LineNumber>(visiting.line))) : 0;
  importance_->visited(mark, disposition.links, std::min(least, kMostBelieved));
}

LineNumber Frontier::line_by_importance(LineNumber line, const std::string& url) const {
  const uint64_t mark = options_.identity.mark(url);
  if (options_.precedences && options_.precedences->of(mark)) return line;
  return line_number(precedence_of(line), level_of_cash(importance_->of(mark)));
}

// What an operator has said of the URL beforehand, then its importance, then the order that is set.
LineNumber Frontier::line_as_found(const ScheduledUrl& scheduled) const {
  const Candidate& what = scheduled.candidate;
  const OrderSettings& order = scheduled.order ? *scheduled.order : options_.order;
  const Precedence precedence = scheduled.precedence.value_or(precedence_of(order, what));
  LineNumber line = line_of(order, what, precedence);
  if (!scheduled.precedence && !yield_.all_fresh() && yield_.state_of(what.url) != PathYield::State::fresh)
    return line_number(precedence, kLevels - 1);
  if (options_.precedences) {
    if (const auto listed = options_.precedences->of(options_.identity.mark(what.url)))
      return line_number(precedence, *listed);
    if (order.order == UrlOrder::found)
      line = line_number(precedence, std::min<unsigned>(static_cast<unsigned>(order.base_precedence), kLevels - 2));
  }
  return importance_ ? line_by_importance(line, what.url) : line;
}

// Looks at the next chunks, at most so many; gives how many it was, a large one counted as several.
Result<int> Frontier::look_at_importance(Queue& queue, int chunks) {
  int looks = 0;
  while (looks < chunks) {
    const auto may_look = [&](const QueueLine& line) {
      const bool is_behind =
          line.number > queue.looked_line || (line.number == queue.looked_line && queue.looked_chunk < line.tail);
      return is_behind && !line.empty() && may_rise(line.number);
    };
    const auto line = std::ranges::find_if(queue.lines, may_look);
    if (line == queue.lines.end()) {
      queue.looked_line = 0;
      queue.looked_chunk = 0;
      return looks;
    }
    if (line->number != queue.looked_line) queue.looked_chunk = 0;
    queue.looked_line = line->number;
    const uint64_t number = std::max(queue.looked_chunk, line->head);
    TRY(const Looked looked, look_at_chunk(queue, *line, number));
    queue.looked_chunk = looked.is_gone ? number : number + 1;
    looks += 1 + static_cast<int>(looked.urls / kUrlsPerChunk);
  }
  return looks;
}

Result<void> Frontier::look_before(Queue& visit) {
  TRY([[maybe_unused]] const int looks, look_at_importance(visit, kChunksPerVisit));
  return {};
}

// Of queues that are due, where importance counts between them: cash comes from other hosts, too, and a queue that is
// not visited would never hear of it.
Result<void> Frontier::look_at_others() {
  constexpr int kMostQueues = 4;
  int chunks = kChunksPerVisit;
  for (int queues = 0; queues < kMostQueues && chunks > 0 && !ready_.empty(); ++queues) {
    auto next = ready_.upper_bound(looked_at_);
    if (next == ready_.end()) next = ready_.begin();
    looked_at_ = next->first;
    Queue& queue = *next->second;
    TRY(const int looks, look_at_importance(queue, chunks));
    chunks -= looks;
    if (rank_of(queue) != queue.rank) plan(queue);
  }
  return {};
}

// Moves those that have risen.
Result<Frontier::Looked> Frontier::look_at_chunk(Queue& queue, QueueLine& line, uint64_t number) {
  TRY(const ChunkBytes bytes, store_.chunk(queue, line, number));
  TRY(auto items, decode_chunk(*bytes));
  const bool is_head = number == line.head;
  if (is_head && line.index > items.size())
    return fail(ErrorCode::corrupt, "the cursor of " + queue.origin + " is past its chunk");
  if (is_head) items.erase(items.begin(), items.begin() + static_cast<ptrdiff_t>(line.index));
  const size_t urls = items.size();
  std::map<LineNumber, std::vector<Candidate>> risen;
  std::vector<Candidate> left;
  const LineNumber from = line.number;
  for (Candidate& item : items) {
    const LineNumber to = line_by_importance(from, item.url);
    (to < from ? risen[to] : left).push_back(std::move(item));
  }
  if (risen.empty()) return Looked{urls, false};
  const bool is_gone = left.empty();
  if (is_gone) {
    const uint64_t last = line.tail - 1;
    ChunkBytes bytes_of_last;
    if (!is_head && number != last) {
      TRY(bytes_of_last, store_.chunk(queue, line, last));
    }
    drop_chunk(line, number, std::move(bytes_of_last));
  } else {
    line.recent.put(number, std::make_shared<const std::string>(encode_chunk(left)));
    if (is_head) line.begin_again();
  }
  store_.mark(*queue.host);
  for (auto& [to, moved] : risen) {
    // Makes lines: `line` is not good any more.
    QueueLine& better = queue.line(to);
    const bool was_empty = better.empty();
    store_.put_chunk(queue, to, encode_chunk(moved));
    if (was_empty) better.begin_again();
  }
  return Looked{urls, is_gone};
}

// A chunk of which nothing is left: numbers have no gaps, so the last one (`last`, its bytes) takes its place.
void Frontier::drop_chunk(QueueLine& line, uint64_t number, ChunkBytes last) {
  if (number == line.head) {
    ++line.head;
    line.begin_again();
  } else {
    --line.tail;
    if (number != line.tail) line.recent.put(number, std::move(last));
  }
  line.recent.keep(line.head, line.tail);
}

}  // namespace caddis::frontier
