#include "caddis/frontier/politeness.h"

#include <algorithm>

#include "caddis/frontier/delays.h"

namespace caddis::frontier {
namespace {

PermitAnswer busy(WaitList& list, QueueSchedule::State state) {
  PermitAnswer answer;
  answer.kind = PermitAnswer::Kind::busy;
  answer.wait_list = &list;
  answer.state = state;
  return answer;
}

PermitAnswer paused(SteadyTime until, bool is_shared) {
  PermitAnswer answer;
  answer.kind = PermitAnswer::Kind::paused;
  answer.until = until;
  answer.is_shared = is_shared;
  return answer;
}

}  // namespace

std::string Politeness::group_slot(const Host& host, std::string_view address) const {
  std::string group = group_of(host);
  if (group.empty()) group = groups_.of(host.name, address, rules_.of(host).politeness);
  return group.empty() ? group : "group " + group;
}

// Nothing if one of `most` visits of the slot is free, and its pause is over.
std::optional<PermitAnswer> Politeness::obstacle(Slot& slot, int64_t most, QueueSchedule::State state) const {
  if (slot.used >= most) return busy(slot.waiting, state);
  if (slot.next_allowed > clock_.steady()) return paused(slot.next_allowed, true);
  return std::nullopt;
}

bool Politeness::is_of_another_crawl(Host& host) const {
  host.pacing.is_elsewhere = claims_ != nullptr && !rules_.of(host).order.jobs_at_once && !claims_->take(host.name);
  return host.pacing.is_elsewhere;
}

PermitAnswer Politeness::acquire(Host& host, const FetchNeeds& needs) {
  using State = QueueSchedule::State;
  const PolitenessSettings& settings = rules_.of(host).politeness;
  HostPacing& pacing = host.pacing;
  const auto most = needs.exclusive ? 1 : static_cast<uint32_t>(settings.visits_per_host);
  if (pacing.exclusive || pacing.visits >= most) return busy(pacing.waiting, State::host_busy);
  if (needs.connects && pacing.next_allowed > clock_.steady()) return paused(pacing.next_allowed, false);
  if (needs.connects && !needs.is_promised && pacing.promised_until > clock_.steady())
    return paused(pacing.promised_until, false);
  constexpr Duration kTurn = std::chrono::seconds(1);  // of another crawl: nobody says when it ends
  PermitAnswer answer;
  Permit& permit = answer.permit;
  if (needs.connects) {
    if (rules_.of(host).resolves_names) permit.address = needs.address.empty() ? host.addresses.next() : needs.address;
    permit.group_slot = group_slot(host, permit.address);
    if (needs.held != nullptr && permit.group_slot == needs.held->group_slot) permit.group_slot.clear();
    Slot* const group = permit.group_slot.empty() ? nullptr : &slots_.at(permit.group_slot);
    if (group != nullptr)
      if (auto other = obstacle(*group, settings.visits_per_host, State::group_busy)) return *std::move(other);
    Slot* address = nullptr;
    const std::string at_address = permit.address.empty() ? std::string() : address_slot(permit.address);
    if (!at_address.empty() && (needs.held == nullptr || at_address != needs.held->address_slot)) {
      permit.address_slot = at_address;
      address = &slots_.at(permit.address_slot);
      const int64_t most_there = rules_.of_crawl().politeness.max_per_address;
      if (auto other = obstacle(*address, most_there, State::address_busy)) return *std::move(other);
    }
    if (is_of_another_crawl(host)) return paused(clock_.steady() + kTurn, false);
    if (address != nullptr) ++address->used;
    if (group != nullptr) ++group->used;
  }
  ++pacing.visits;
  pacing.exclusive = needs.exclusive;
  return answer;
}

Politeness::FreeLists Politeness::release(Host& host, const Permit& permit) {
  slots_.sweep(clock_.steady());
  --host.pacing.visits;
  host.pacing.exclusive = false;
  if (claims_ != nullptr && host.pacing.visits == 0) claims_->leave(host.name, host.pacing.next_allowed);
  FreeLists lists{};
  size_t next = 0;
  for (const std::string* name : {&permit.address_slot, &permit.group_slot}) {
    if (name->empty()) continue;
    Slot& slot = slots_.at(*name);
    --slot.used;
    lists[next++] = &slot.waiting;
  }
  lists[next] = &host.pacing.waiting;
  return lists;
}

Politeness::FreeLists Politeness::free_lists(Host& host) {
  FreeLists lists{};
  if (host.pacing.visits == 0) lists[0] = &host.pacing.waiting;
  const std::string address = host.addresses.next();
  const std::string group = group_slot(host, address);
  Slot* const shared = group.empty() ? nullptr : slots_.find(group);
  if (shared != nullptr && shared->used < rules_.of(host).politeness.visits_per_host) lists[1] = &shared->waiting;
  Slot* const at_address = address.empty() ? nullptr : slots_.find(address_slot(address));
  if (at_address != nullptr && at_address->used < rules_.of_crawl().politeness.max_per_address)
    lists[2] = &at_address->waiting;
  return lists;
}

Duration Politeness::delay_after(const Host& host, std::optional<Duration> crawl_delay, Duration fetch_time) const {
  const PolitenessSettings& of_host = rules_.of(host).politeness;
  if (!host.overrides.delay) return politeness_delay(of_host, fetch_time, crawl_delay);
  PolitenessSettings settings = of_host;
  settings.delay = host.overrides.delay;
  return politeness_delay(settings, fetch_time, crawl_delay);
}

Duration Politeness::shortest_delay(const Host& host, Duration fetch_time) const {
  Duration shortest = Duration::max();
  for (const auto& queue : host.queues)
    shortest = std::min(shortest, delay_after(host, queue->robots.crawl_delay, fetch_time));
  return shortest;
}

Duration Politeness::longest_delay(const Host& host, Duration fetch_time) const {
  Duration longest{};
  for (const auto& queue : host.queues)
    longest = std::max(longest, delay_after(host, queue->robots.crawl_delay, fetch_time));
  return longest;
}

void Politeness::pause_after_restart(Host& host) const {
  if (!host.queues.empty()) host.pacing.wait_at_least(clock_.opened() + longest_delay(host, Duration(0)));
}

void Politeness::pause(Host& host, const Permit& permit, const FetchCost& cost) {
  const SteadyTime now = clock_.steady();
  const PolitenessSettings& settings = rules_.of(host).politeness;
  HostPacing& pacing = host.pacing;
  const Duration delay = delay_after(host, cost.crawl_delay, cost.fetch_time);
  const Duration for_bytes = settings.host_bandwidth > 0 ? time_for(cost.bytes, settings.host_bandwidth) : Duration(0);
  pacing.owed += std::max(delay, for_bytes) / settings.visits_per_host;
  pacing.owed_for_bandwidth |= for_bytes > delay;
  ++pacing.batch;
  if (!cost.may_batch || pacing.batch >= static_cast<uint64_t>(settings.batch)) {
    pacing.next_allowed = now + std::exchange(pacing.owed, Duration(0));
    pacing.for_bandwidth = std::exchange(pacing.owed_for_bandwidth, false);
    pacing.batch = 0;
  }
  if (cost.retry_after) {
    pacing.asked_until = now + *cost.retry_after;
    pacing.wait_at_least(pacing.asked_until);
  }
  // Another visit of the host may have been asked to wait for longer.
  if (pacing.asked_until > now) pacing.wait_at_least(pacing.asked_until);
  if (!permit.group_slot.empty()) slots_.at(permit.group_slot).next_allowed = pacing.next_allowed;
  if (!permit.address_slot.empty())
    slots_.at(permit.address_slot).next_allowed = now + rules_.of_crawl().politeness.address_delay;
}

QueueState Politeness::shared_pause(const Host& host) const {
  const std::string group = group_slot(host, host.addresses.next());
  const Slot* const slot = group.empty() ? nullptr : slots_.find(group);
  return slot != nullptr && slot->next_allowed > clock_.steady() ? QueueState::group_busy : QueueState::address_busy;
}

}  // namespace caddis::frontier
