// In which order the URLs of a queue are visited, and what each costs: pure functions of the settings and the URL.
//
// A queue's URLs stand in priority classes, served by number: three precedences (seeds and redirects, embeds, the
// rest), each with 64 levels. The order that is set decides the level; within a class URLs stand as they were found.
#pragma once

#include <cstdint>

#include "caddis/frontier/candidate.h"
#include "caddis/frontier/settings.h"

namespace caddis::frontier {

using PriorityClass = uint8_t;
inline constexpr unsigned kLevels = 64;
inline constexpr unsigned kClasses = kPrecedences * kLevels;

constexpr PriorityClass priority_class(Precedence precedence, unsigned level = 0) {
  return static_cast<PriorityClass>(static_cast<unsigned>(precedence) * kLevels +
                                    (level < kLevels ? level : kLevels - 1));
}
constexpr Precedence precedence_of(PriorityClass priority) { return static_cast<Precedence>(priority / kLevels); }
constexpr unsigned level_of(PriorityClass priority) { return priority % kLevels; }

// The cost of a visit of the URL, taken from its queue's session.
// Where a module decides (policy_choices.h) it is 1.
uint32_t cost_of(CostPolicy policy, const Candidate& candidate);

Precedence precedence_of(const OrderSettings& settings, const Candidate& candidate);
// `precedence`: as given by an operator, in place of what follows from the hop path.
PriorityClass class_by_order(const OrderSettings& settings, const Candidate& candidate, Precedence precedence);

// The precedence of a queue, after so many documents, whose first URL is of this class; lower ones are served first
// among those that are due.
uint32_t queue_precedence(const OrderSettings& settings, uint64_t finished, PriorityClass first);

}  // namespace caddis::frontier
