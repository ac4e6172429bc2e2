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
  MadeStep made;  // of a kind that is made of arguments
  std::vector<KeyGuard> guards;

  Result<void> apply(Draft& draft) const {
    return kind->plain != nullptr ? kind->plain->apply(draft) : made.apply(draft);
  }
  bool holds(const GuardFacts& facts) const;
  // As the notation has it.
  std::string write() const;
};

// The ways to the key of a parsed URL that leave steps out.
enum class ShortWay {
  none,
  exact,   // the href without its fragment is the key
  caddis,  // so it is if nothing in it looks like a session id
  text,    // the href without its fragment is what the fourth step begins with
};

struct KeyRules {
  std::string notation, steps, hash;
  std::vector<KeyStep> list;
  size_t parse_at = 0, write_at = 0;
  bool is_guarded = false;
  ShortWay short_way = ShortWay::none;
  std::vector<KeyPeriod> periods;
};

}  // namespace caddis::url
