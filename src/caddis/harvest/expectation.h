// How many objects a configuration is expected to bring, from what it brought before and from its limits: by that, domains
// of a size come together in jobs. Two formulas: that of NetarchiveSuite's program, to the digit, and that of its
// description (they differ in which earlier harvest counts, in what its objects weigh, and in which limits bound it).
//
// Whole numbers, rounded down; -1 is no limit. Pure, any thread.
#pragma once

#include <cstdint>
#include <optional>

namespace caddis::harvest {

inline constexpr int64_t kNoLimit = -1;
// True if the first allows less.
constexpr bool is_less(int64_t limit, int64_t other) {
  return limit != kNoLimit && (other == kNoLimit || limit < other);
}
constexpr int64_t lower_limit(int64_t a, int64_t b) { return is_less(a, b) ? a : b; }

struct Limits {
  int64_t objects = kNoLimit, bytes = kNoLimit;
  bool operator==(const Limits&) const = default;
};

// The yield of one harvest of a configuration.
struct Brought {
  int64_t objects = 0, bytes = 0;
  bool is_complete = false;
  bool operator==(const Brought&) const = default;
};

// The harvest from which others are expected, by either formula. They are kept up with each result, so that nobody has to
// read the history again.
struct Precedent {
  // The most objects since the last complete harvest, which is among them.
  std::optional<Brought> most;
  // The last complete harvest, else the one with most objects.
  std::optional<Brought> described;
};
Precedent with_result(const Precedent& before, const Brought& result);

enum class Formula : uint8_t { netarchivesuite, description };

struct ExpectationSettings {
  Formula formula = Formula::netarchivesuite;
  int64_t error_factor_after_complete = 10;  // errorFactorPrevResult
  int64_t error_factor_of_guess = 2;         // errorFactorBestGuess
  int64_t bytes_an_object = 38'000;          // expectedAverageBytesPerObject
  int64_t unlimited_objects = 5'000;         // maxDomainSize: of a domain that nothing limits
};

int64_t expected_objects(const ExpectationSettings& settings, const Precedent& precedent, const Limits& configuration,
                         const Limits& harvest);

}  // namespace caddis::harvest
