#include "caddis/harvest/expectation.h"

#include <algorithm>

namespace caddis::harvest {
namespace {

constexpr int64_t kFewObjects = 50;  // less say nothing of how large objects are

bool is_limited(const Limits& limits) { return limits.objects != kNoLimit || limits.bytes != kNoLimit; }

// The objects that the limits let through, if one weighs so much.
int64_t let_through(const Limits& limits, int64_t weight, int64_t otherwise) {
  if (!is_limited(limits)) return otherwise;
  if (limits.bytes == kNoLimit) return limits.objects;
  return lower_limit(limits.objects, limits.bytes / weight);
}

int64_t by_program(const ExpectationSettings& settings, const std::optional<Brought>& best, const Limits& own,
                   const Limits& harvest) {
  int64_t weight = settings.bytes_an_object;
  if (best && best->objects > 0) {
    const int64_t average = std::max<int64_t>(1, best->bytes / best->objects);
    if (average >= settings.bytes_an_object || best->objects >= kFewObjects) weight = average;
  }
  int64_t maximum = is_limited(harvest) ? let_through(harvest, weight, settings.unlimited_objects)
                                        : let_through(own, weight, settings.unlimited_objects);
  int64_t expected = lower_limit(settings.unlimited_objects, own.objects);
  if (best) {
    const int64_t factor = best->is_complete ? settings.error_factor_after_complete : settings.error_factor_of_guess;
    expected = best->objects + (maximum - best->objects) / factor;
  }
  if ((own.objects > kNoLimit && maximum > own.objects) || (own.bytes > kNoLimit && maximum > own.bytes / weight))
    maximum = let_through(own, weight, settings.unlimited_objects);
  return std::min(expected, maximum);
}

int64_t by_description(const ExpectationSettings& settings, const std::optional<Brought>& best, const Limits& own,
                       const Limits& harvest) {
  int64_t weight = settings.bytes_an_object;
  if (best && best->objects >= kFewObjects) weight = std::max(weight, best->bytes / best->objects);
  const Limits both = {lower_limit(own.objects, harvest.objects), lower_limit(own.bytes, harvest.bytes)};
  const int64_t maximum = let_through(both, weight, settings.unlimited_objects);
  const int64_t minimum = best ? best->objects : 0;
  const int64_t factor =
      best && best->is_complete ? settings.error_factor_after_complete : settings.error_factor_of_guess;
  return std::min(minimum + (maximum - minimum) / factor, maximum);
}

}  // namespace

Precedent with_result(const Precedent& before, const Brought& result) {
  if (result.is_complete) return {result, result};
  Precedent after = before;
  if (!before.most || before.most->objects < result.objects) after.most = result;
  if (!before.described || (!before.described->is_complete && before.described->objects < result.objects))
    after.described = result;
  return after;
}

int64_t expected_objects(const ExpectationSettings& settings, const Precedent& precedent, const Limits& configuration,
                         const Limits& harvest) {
  return settings.formula == Formula::netarchivesuite
             ? by_program(settings, precedent.most, configuration, harvest)
             : by_description(settings, precedent.described, configuration, harvest);
}

}  // namespace caddis::harvest
