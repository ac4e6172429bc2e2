#include "caddis/frontier/order.h"

#include <algorithm>

#include "caddis/base/strings.h"

namespace caddis::frontier {
namespace {

bool is_embed(char hop) { return hop == 'E' || hop == 'I'; }

std::string_view query_of(std::string_view url) {
  const size_t begin = url.find('?');
  return begin == std::string_view::npos ? std::string_view() : url.substr(begin + 1);
}

// Four digits between others that are a year, as calendars have in their URLs.
bool names_a_year(std::string_view text) {
  for (size_t i = 0; i + 4 <= text.size(); ++i) {
    const bool alone = (i == 0 || !is_digit(text[i - 1])) && (i + 4 == text.size() || !is_digit(text[i + 4]));
    const std::string_view year = text.substr(i, 4);
    if (alone && std::ranges::all_of(year, is_digit) && (year.starts_with("19") || year.starts_with("20"))) return true;
  }
  return false;
}

// As Heritrix's AntiCalendarCostAssignmentPolicy sees it; a year may also stand at the end.
bool looks_like_a_calendar(std::string_view url) {
  const std::string lower = to_lower(url);
  constexpr std::string_view kWords[] = {
      "calendar", "calendrier", "viewcal", "year", "yr=", "month", "day", "date", "jour", "event"};
  const auto names = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  return std::ranges::any_of(kWords, names) || names_a_year(lower);
}

// A guess at what is worth less: what has a query, and what differs from its page in nothing else.
uint32_t wag_cost(const Candidate& candidate) {
  const auto path = [](std::string_view url) { return url.substr(0, url.find_first_of("?#")); };
  uint32_t cost = 1;
  if (!query_of(candidate.url).empty()) ++cost;
  if (path(candidate.url) == path(candidate.via)) ++cost;
  return cost;
}

// Hops that a reader takes; what belongs to a page is as far away as the page.
unsigned navigated(std::string_view hops) {
  return static_cast<unsigned>(
      std::ranges::count_if(hops, [](char hop) { return std::string_view("LSMNX").contains(hop); }));
}

}  // namespace

uint32_t cost_of(CostPolicy policy, const Candidate& candidate) {
  switch (policy) {
    case CostPolicy::zero:
      return 0;
    case CostPolicy::unit:
    case CostPolicy::module:
      return 1;
    case CostPolicy::wag:
      return wag_cost(candidate);
    case CostPolicy::anti_calendar:
      return looks_like_a_calendar(candidate.url) ? 2 : 1;
  }
  return 1;
}

Precedence precedence_of(const OrderSettings& settings, const Candidate& candidate) {
  const std::string_view hops = candidate.hops;
  if (candidate.is_seed || hops.empty() || hops.back() == 'R' || hops.back() == 'P') return Precedence::first;
  if (static_cast<int64_t>(hops.size()) <= settings.depth_preference) return Precedence::first;
  int64_t embeds = 0;
  while (embeds < static_cast<int64_t>(hops.size()) && is_embed(hops[hops.size() - 1 - static_cast<size_t>(embeds)]))
    ++embeds;
  return embeds > 0 && embeds <= settings.embed_preference ? Precedence::embed : Precedence::normal;
}

PriorityClass class_by_order(const OrderSettings& settings, const Candidate& candidate, Precedence precedence) {
  const unsigned hops = std::min(navigated(candidate.hops), kLevels - 1);
  switch (settings.order) {
    case UrlOrder::found:
    case UrlOrder::module:
      return priority_class(precedence);
    case UrlOrder::hops:
      return priority_class(precedence, hops);
    case UrlOrder::deep:
      return priority_class(precedence, kLevels - 1 - hops);
    case UrlOrder::cost:
      return priority_class(precedence, cost_of(settings.cost, candidate));
    case UrlOrder::opic:
      return priority_class(precedence, kLevels - 2);  // nothing is known of it: importance.h
  }
  return priority_class(precedence);
}

uint32_t queue_precedence(const OrderSettings& settings, uint64_t finished, PriorityClass first) {
  uint32_t precedence = 0;
  if (settings.queues == QueueOrderPolicy::successes)
    for (uint64_t mark = 100; finished >= mark; mark *= 10) ++precedence;
  if (settings.queues == QueueOrderPolicy::highest_url) precedence = first;
  return precedence;
}

}  // namespace caddis::frontier
