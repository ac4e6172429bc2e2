// Reading the frontier back from its rows.

#include <fmt/format.h>

#include <limits>

#include "caddis/base/strings.h"
#include "caddis/frontier/bytes.h"
#include "caddis/frontier/chunk.h"
#include "caddis/frontier/frontier.h"
#include "caddis/frontier/politeness.h"

namespace caddis::frontier {
namespace {

// The name before the zero byte of a chunk's or retry's key.
std::string_view owner_in_key(std::string_view key) {
  const std::string_view rest = name_in_key(key);
  return rest.substr(0, rest.find('\0'));
}

std::string host_of_origin(std::string_view origin) {
  std::string_view host = origin.substr(origin.find("//") + 2);
  const size_t bracket = host.find(']');
  const size_t colon = host.find(':', bracket == std::string_view::npos ? 0 : bracket);
  return std::string(host.substr(0, colon));
}

}  // namespace

Result<std::unique_ptr<Frontier>> Frontier::open(const Options& options, const Families& families, store::Kv& kv,
                                                 store::SeenSet& seen, const Clock& clock) {
  std::unique_ptr<Frontier> frontier(new Frontier(options, families, kv, seen, clock));
  TRY_VOID(frontier->load());
  return frontier;
}

Result<void> Frontier::load() {
  TRY_VOID(load_hosts());
  TRY_VOID(load_queues());
  const SteadyTime now = clock_.steady();
  for (const auto& [origin, queue] : queues_) {
    Host& host = *queue->host;
    host.next_allowed =
        std::max(host.next_allowed, now + politeness_delay(options_.politeness, Duration(0), queue->crawl_delay));
  }
  for (const auto& [origin, queue] : queues_) plan(*queue);
  stats_.seen = seen_.size();
  return {};
}

Result<void> Frontier::load_hosts() {
  const auto rows = kv_.cursor(families_.hosts);
  for (rows->seek(""); rows->valid(); rows->next()) {
    Host& host = host_named(std::string(name_in_key(rows->key())));
    host.addresses.clear();
    TRY_VOID(read_host_row(rows->value(), host));
    if (host.aside) ++stats_.hosts_aside;
    if (host.given_up != 0) ++stats_.hosts_given_up;
  }
  return rows->status();
}

Result<void> Frontier::load_queues() {
  const auto rows = kv_.cursor(families_.queues);
  for (rows->seek(""); rows->valid(); rows->next()) {
    const std::string origin(name_in_key(rows->key()));
    Queue& queue = queue_of(origin, host_of_origin(origin));
    TRY_VOID(read_queue_row(rows->value(), queue));
    stats_.queued += queue.queued;
  }
  TRY_VOID(rows->status());
  const auto retries = kv_.cursor(families_.retries);
  for (retries->seek(""); retries->valid(); retries->next()) {
    const std::string_view owner = owner_in_key(retries->key());
    const auto queue = queues_.find(std::string(owner));
    Reader numbers(retries->key().substr(2 + owner.size() + 1));
    const WallTime due{std::chrono::microseconds(static_cast<int64_t>(numbers.be64()))};
    const uint64_t number = numbers.be64();
    if (queue == queues_.end() || !numbers.ok())
      return fail(ErrorCode::corrupt, "the frontier holds a retry without a queue");
    TRY(Retry retry, read_retry_row(retries->value()));
    queue->second->retries.emplace(std::pair(due, number), std::move(retry));
  }
  TRY_VOID(retries->status());
  const auto robots = kv_.cursor(families_.robots);
  for (robots->seek(""); robots->valid(); robots->next()) {
    const auto queue = queues_.find(std::string(name_in_key(robots->key())));
    const std::string_view value = robots->value();
    const size_t line_end = value.find('\n');
    if (queue == queues_.end() || !value.starts_with("1 ") || line_end == std::string_view::npos)
      return fail(ErrorCode::corrupt, "the frontier holds a damaged robots row");
    Queue& found = *queue->second;
    found.robots_expire = WallTime(std::chrono::microseconds(parse_int(value.substr(2, line_end - 2)).value_or(0)));
    found.robots = std::make_shared<const robots::Robots>(robots::Robots::parse(value.substr(line_end + 1)));
    found.crawl_delay = found.robots->crawl_delay(options_.user_agent);
  }
  return robots->status();
}

Result<void> Frontier::each_waiting(const std::function<void(const Candidate&)>& see) {
  for (const auto& [origin, queue] : queues_) {
    for (const auto& [due, retry] : queue->retries) see(retry.what);
    for (size_t precedence = 0; precedence < kPrecedences; ++precedence) {
      const QueueLine& line = queue->lines[precedence];
      for (uint64_t number = line.head; number < line.tail; ++number) {
        if (number == line.head && line.is_loaded) {
          for (const Candidate& candidate : line.loaded) see(candidate);
          continue;
        }
        const std::string key = chunk_key(queue->host->partition, origin, precedence, number);
        std::string bytes;
        if (const auto found = recent_.find(key); found != recent_.end()) {
          bytes = found->second;
        } else {
          TRY(auto stored, kv_.get(families_.chunks, key));
          if (!stored) continue;
          bytes = *std::move(stored);
        }
        TRY(const auto items, decode_chunk(bytes));
        for (size_t i = number == line.head ? line.index : 0; i < items.size(); ++i) see(items[i]);
      }
    }
  }
  return {};
}

}  // namespace caddis::frontier
