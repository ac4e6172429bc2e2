// The fate of a URL in words for people, from all that is known of it. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "url_evidence.h"

namespace caddis::cli {

enum class Fate : uint8_t {
  captured,
  captured_as,  // under another spelling
  visiting,
  waiting,
  left_out,   // of the archive, by a guard
  unindexed,  // captured, says the log; no index has it
  robots,
  excluded,
  failed,
  ended,     // known once, and nobody knows how it ended
  rejected,  // the scope would not have it
  unknown,
};
// "captured-as".
std::string_view name_of(Fate fate);

Fate fate_of(const UrlEvidence& evidence);

// The answer, the most important sentence first.
std::vector<std::string> fate_sentences(const UrlEvidence& evidence);

}  // namespace caddis::cli
