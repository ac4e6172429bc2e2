// The fate of a URL in words for people, from all that is known of it. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/why/url_evidence.h"

namespace caddis::why {

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
// Whether an index, a log or the state has the URL, or a page of the archive that was searched.
bool is_known(const UrlEvidence& evidence);

enum class Audience : uint8_t {
  operators,  // who can give commands, and may know paths of this machine
  readers,    // who read a page of the archive
};

// The answer, the most important sentence first. Text of strangers stands in it as it is: whoever shows it escapes it.
std::vector<std::string> fate_sentences(const UrlEvidence& evidence, Audience audience = Audience::operators);

}  // namespace caddis::why
