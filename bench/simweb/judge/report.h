// The judge's report: what the recorder saw against what the oracle knows.
#pragma once

#include <cstdint>
#include <string>

#include "simweb/judge/recorder.h"

namespace simweb {

struct Coverage {
  bool known = false;  // false where the web is too large to be gone through
  uint64_t must = 0;   // pages that have to be asked for, on hosts that answer
  uint64_t asked = 0;  // of them
  uint64_t pages = 0;  // of `must`, the numbered ones: what has a mass
  double must_mass = 0, asked_mass = 0;
  std::vector<std::string> missing;  // the first few
};
// Goes through all pages of webs of at most `max_pages`.
Coverage coverage(const Recorder& recorder, uint64_t max_pages = 20'000'000);

// One JSON object; the summary is a dozen lines for people.
std::string report_json(const Recorder& recorder, const Coverage& coverage);
std::string report_text(const Recorder& recorder, const Coverage& coverage);

}  // namespace simweb
