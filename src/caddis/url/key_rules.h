// A key policy as it was compiled: its steps with their functions and guards. Internal to the module; immutable.
#pragma once

#include <string>
#include <vector>

#include "caddis/url/key_guard.h"
#include "caddis/url/key_policy.h"
#include "caddis/url/step_kinds.h"

namespace caddis::url {

struct KeyStep {
  const StepKind* kind = nullptr;
  Result<void> (*plain)(Draft& draft) = nullptr;  // of a kind without arguments
  MadeStep made;                                  // of a kind that is made of arguments
  std::vector<KeyGuard> guards;

  Result<void> apply(Draft& draft) const { return plain != nullptr ? plain(draft) : made.apply(draft); }
  bool holds(const GuardFacts& facts) const;
  // As the notation has it.
  std::string write() const;
};

// The ways to the key of a parsed URL that leave steps out.
enum class ShortWay : uint8_t {
  none,
  exact,   // the href without its fragment is the key
  caddis,  // so it is if nothing in it looks like a session id
  text,    // the href without its fragment is what the fourth step begins with
};

struct KeyRules {
  ShortWay short_way = ShortWay::none;
  bool is_guarded = false;
  size_t parse_at = 0, write_at = 0;
  std::vector<KeyStep> list;
  std::string notation, steps, hash;
  std::vector<KeyPeriod> periods;
};

}  // namespace caddis::url
