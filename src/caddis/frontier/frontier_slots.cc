// Politeness at work: which slots a visit takes, who waits for them, and the pauses between two visits.

#include <algorithm>

#include "caddis/frontier/frontier.h"
#include "caddis/frontier/politeness.h"

namespace caddis::frontier {
namespace {

// Where the next visit goes; empty where no address is known.
std::string next_address(const Host& host) {
  return host.addresses.empty() ? std::string() : host.addresses[host.address_index % host.addresses.size()];
}

}  // namespace

std::string Frontier::group_slot(const Host& host, std::string_view address) const {
  std::string group = groups_.of(host.name, address, rules(host).politeness);
  return group.empty() ? group : "group " + group;
}

// Whether the queue may take one of `most` visits of a slot now. Otherwise it waits, in the slot's line or until its
// pause is over.
bool Frontier::is_free(Slot& slot, int64_t most, Queue& queue, Queue::State busy) {
  if (slot.used >= most) {
    queue.state = busy;
    slot.line.push_back(&queue);
    return false;
  }
  if (slot.next_allowed <= clock_.steady()) return true;
  wait_until(queue, slot.next_allowed, queue.due.second);
  return false;
}

bool Frontier::take_slots(Queue& queue, LeaseKind kind, Taken& taken) {
  Host& host = *queue.host;
  const PolitenessSettings& settings = rules(host).politeness;
  const bool is_prerequisite = kind != LeaseKind::url;
  const auto most = is_prerequisite ? 1 : static_cast<uint32_t>(settings.visits_per_host);
  if (host.prerequisite || host.visits >= most) {
    queue.state = Queue::State::host_busy;
    host.line.push_back(&queue);
    return false;
  }
  const bool connects = kind != LeaseKind::dns && given_up(queue) == 0;
  if (connects && host.next_allowed > clock_.steady()) {
    wait_until(queue, host.next_allowed);
    return false;
  }
  if (connects) {
    if (options_.resolve_names) taken.address = next_address(host);
    taken.group = group_slot(host, taken.address);
    if (!taken.group.empty() &&
        !is_free(slots_.at(taken.group), settings.visits_per_host, queue, Queue::State::group_busy))
      return false;
    if (!taken.address.empty()) {
      taken.slot = address_slot(taken.address);
      if (!is_free(slots_.at(taken.slot), options_.politeness.max_per_address, queue, Queue::State::address_busy))
        return false;
      ++slots_.at(taken.slot).used;
    }
    if (!taken.group.empty()) ++slots_.at(taken.group).used;
  }
  ++host.visits;
  ++queue.visits;
  host.prerequisite = is_prerequisite;
  queue.state = Queue::State::visiting;
  return true;
}

// The first in line that has something to visit there gets its turn.
void Frontier::call_next(QueuesInLine& line) {
  if (std::exchange(calling_, true)) return;
  while (!line.empty()) {
    Queue& first = *line.front();
    line.pop_front();
    first.state = Queue::State::idle;
    plan(first);
    if (first.state == Queue::State::waiting && given_up(first) == 0) break;
  }
  calling_ = false;
}

void Frontier::release_slots(Queue& queue, const Taken& taken) {
  Host& host = *queue.host;
  --host.visits;
  --queue.visits;
  host.prerequisite = false;
  for (const std::string* name : {&taken.slot, &taken.group}) {
    if (name->empty()) continue;
    Slot& slot = slots_.at(*name);
    --slot.used;
    call_next(slot.line);
  }
  slots_.sweep(clock_.steady());
  call_next(host.line);
}

// Who was called and does not come lets the next go first.
void Frontier::pass_on(Host& host) {
  if (calling_) return;
  if (host.visits == 0) call_next(host.line);
  const std::string address = next_address(host);
  const std::string group = group_slot(host, address);
  Slot* const shared = group.empty() ? nullptr : slots_.find(group);
  if (shared != nullptr && shared->used < rules(host).politeness.visits_per_host) call_next(shared->line);
  Slot* const at_address = address.empty() ? nullptr : slots_.find(address_slot(address));
  if (at_address != nullptr && at_address->used < options_.politeness.max_per_address) call_next(at_address->line);
}

// The host itself may be visited: what it shares with others has its pause.
std::string_view Frontier::shared_pause(const Queue& queue) const {
  const std::string group = group_slot(*queue.host, next_address(*queue.host));
  const Slot* const slot = group.empty() ? nullptr : slots_.find(group);
  return slot != nullptr && slot->next_allowed > clock_.steady() ? "group busy" : "address busy";
}

Duration Frontier::delay_after(const Queue& queue, Duration fetch_time) const {
  const auto& ordered = queue.host->orders.delay;
  const PolitenessSettings& of_host = rules(*queue.host).politeness;
  if (!ordered) return politeness_delay(of_host, fetch_time, queue.crawl_delay);
  PolitenessSettings settings = of_host;
  settings.delay = ordered;
  return politeness_delay(settings, fetch_time, queue.crawl_delay);
}

// The host has been asked something: how long it is left alone, and what it shares with others.
void Frontier::pause(Queue& queue, const Taken& taken, const Disposition& disposition) {
  const PolitenessSettings& of_all = options_.politeness;
  const SteadyTime now = clock_.steady();
  Host& host = *queue.host;
  const PolitenessSettings& settings = rules(host).politeness;
  const Duration delay = delay_after(queue, disposition.fetch_time);
  const Duration for_bytes =
      settings.host_bandwidth > 0 ? time_for(disposition.bytes, settings.host_bandwidth) : Duration(0);
  host.owed_politely += delay / settings.visits_per_host;
  host.owed += std::max(delay, for_bytes) / settings.visits_per_host;
  ++host.batch;
  const bool goes_on = disposition.lease.kind == LeaseKind::url && disposition.verdict == Verdict::settled &&
                       host.batch < static_cast<uint64_t>(settings.batch);
  if (!goes_on) {
    host.next_allowed = now + host.owed;
    host.polite_until = now + host.owed_politely;
    host.for_bandwidth = host.owed > host.owed_politely ? settings.host_bandwidth : 0;
    host.owed = host.owed_politely = Duration(0);
    host.batch = 0;
  }
  if (disposition.retry_after) {
    host.asked_until = now + *disposition.retry_after;
    host.wait_at_least(host.asked_until);
  }
  if (!taken.group.empty()) {
    Slot& group = slots_.at(taken.group);
    group.next_allowed = host.next_allowed;
    group.polite_until = host.polite_until;
    group.for_bandwidth = host.for_bandwidth;
    group.of_crawl = settings.host_bandwidth == of_all.host_bandwidth;
  }
  if (!taken.slot.empty()) slots_.at(taken.slot).next_allowed = now + of_all.address_delay;
}

}  // namespace caddis::frontier
