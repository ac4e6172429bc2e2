// A verdict as people read it.
#pragma once

#include <string_view>

#include "caddis/scope/condition.h"

namespace caddis::scope {

constexpr std::string_view word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::accept:
      return "accept";
    case Verdict::reject:
      return "reject";
    case Verdict::none:
      break;
  }
  return "-";
}

}  // namespace caddis::scope
