#include "caddis/frontier/intake.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "caddis/frontier/chunk.h"

namespace caddis::frontier {

Result<ScheduleResult> Intake::schedule(std::vector<ScheduledUrl> urls) {
  ScheduleResult result;
  TRY(result.answers, parts_.policies.admission.judge(urls));
  std::vector<uint64_t> fingerprints;
  fingerprints.reserve(urls.size());
  for (size_t i = 0; i < urls.size(); ++i)
    if (result.answers[i] == ScheduleAnswer::accepted) fingerprints.push_back(urls[i].fingerprint);
  const auto is_new = std::make_unique<bool[]>(fingerprints.size());
  TRY_VOID(parts_.seen.insert_batch(fingerprints, std::span(is_new.get(), fingerprints.size())));

  std::vector<Bundle> bundles;
  for (size_t i = 0, admitted = 0; i < urls.size(); ++i) {
    if (result.answers[i] != ScheduleAnswer::accepted) continue;
    const bool was_new = is_new[admitted++];
    if (was_new) result.new_fingerprints.push_back(urls[i].fingerprint);
    if (!was_new && !urls[i].candidate.force) {
      result.answers[i] = ScheduleAnswer::duplicate;
      continue;
    }
    const PriorityClass priority = parts_.policies.priority.class_of(urls[i]);
    parts_.storage.origins.add(urls[i].candidate.seed, 1);
    if (parts_.held.takes())
      parts_.held.add({std::move(urls[i].host), std::move(urls[i].origin), priority, std::move(urls[i].candidate)});
    else
      add(std::move(urls[i]), i, priority, bundles);
  }
  for (Bundle& bundle : bundles) TRY_VOID(store(std::move(bundle), &result.answers));
  return result;
}

void Intake::add(ScheduledUrl url, size_t place, PriorityClass priority, std::vector<Bundle>& bundles) {
  constexpr size_t kMostInAChunk = 4096;
  const auto same = std::ranges::find_if(bundles, [&](const Bundle& bundle) {
    return bundle.priority == priority && bundle.origin == url.origin && bundle.items.size() < kMostInAChunk &&
           share_chunk(bundle.items.back(), url.candidate);
  });
  if (same != bundles.end()) {
    same->items.push_back(std::move(url.candidate));
    same->places.push_back(place);
    return;
  }
  bundles.push_back({std::move(url.origin), std::move(url.host), priority, {}, {place}});
  bundles.back().items.push_back(std::move(url.candidate));
}

Result<void> Intake::store(Bundle bundle, std::vector<ScheduleAnswer>* answers) {
  Storage& storage = parts_.storage;
  Host* host = storage.table.find(bundle.host);
  const bool was_resident = host != nullptr;
  if (!was_resident && !storage.table.has_room()) {
    const std::string chunk = encode_chunk(bundle.items);
    storage.deferred.put(bundle.host, {bundle.origin, bundle.priority, chunk}, bundle.items.size());
    return {};
  }
  if (!was_resident || host->residence.evicted != 0) {
    TRY(host, parts_.residency.resident(bundle.host));
  }
  if (was_resident) {
    parts_.policies.admission.count_referrer(*host, bundle.items.front().via);
  } else {
    const auto dropped = parts_.residency.keep_within_budget(*host, bundle.items, answers != nullptr);
    for (size_t i = 0; answers != nullptr && i < dropped.size(); ++i)
      if (dropped[i]) (*answers)[bundle.places[i]] = ScheduleAnswer::host_budget;
  }
  if (bundle.items.empty()) {
    if (!host->has_work()) parts_.residency.note_idle(*host);
    return {};
  }
  Queue& queue = storage.table.queue_of(*host, bundle.origin);
  storage.contents.append(queue, bundle.priority, encode_chunk(bundle.items), bundle.items.size());
  parts_.scheduler.plan(queue);
  return {};
}

uint64_t Intake::ready() const {
  const Totals& totals = parts_.storage.counters.totals();
  return totals.queued - totals.queued_retired - totals.queued_suspended;
}

bool Intake::wants_more() const {
  return parts_.held.size() > 0 && std::cmp_less(ready(), parts_.policies.rules.of_crawl().order.ahead);
}

Result<void> Intake::hand_over() {
  constexpr int kMostAtOnce = 100;
  for (int i = 0; i < kMostAtOnce && wants_more(); ++i) {
    TRY(auto url, parts_.held.next(ready() == 0 && parts_.leases.size() == 0));
    had_none_ = !url;
    if (!url) break;
    TRY_VOID(store_held(*std::move(url)));
  }
  return {};
}

// A URL that was within budgets when it was found may not be any more: others that were held did not count then.
Result<void> Intake::store_held(HeldUrl url) {
  TRY(const bool is_taken, parts_.policies.admission.takes_host(url.candidate, url.host));
  if (!is_taken) {
    parts_.storage.origins.add(url.candidate.seed, -1);
    return {};
  }
  Bundle bundle{std::move(url.origin), std::move(url.host), url.priority, {}, {0}};
  bundle.items.push_back(std::move(url.candidate));
  if (Host* const host = parts_.storage.table.find(bundle.host))
    if (!parts_.residency.keep_within_budget(*host, bundle.items, false).empty()) return {};
  return store(std::move(bundle), nullptr);
}

// A module may hand over by the clock.
std::optional<SteadyTime> Intake::next_hand_over() const {
  constexpr Duration kAskAgain = std::chrono::seconds(1), kSoon = std::chrono::milliseconds(10);
  if (!wants_more()) return {};
  return parts_.clock.steady() + (had_none_ ? kAskAgain : kSoon);
}

Result<std::vector<uint64_t>> Intake::remember(std::span<const uint64_t> fingerprints) {
  const auto is_new = std::make_unique<bool[]>(fingerprints.size());
  TRY_VOID(parts_.seen.insert_batch(fingerprints, std::span(is_new.get(), fingerprints.size())));
  std::vector<uint64_t> fresh;
  for (size_t i = 0; i < fingerprints.size(); ++i)
    if (is_new[i]) fresh.push_back(fingerprints[i]);
  return fresh;
}

}  // namespace caddis::frontier
