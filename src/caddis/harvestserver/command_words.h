// The words of the environment that are told of a job's command, for people who look later how it was run.
#pragma once

#include <string>

namespace caddis::harvestserver {

// Returns "; NAME=value" for each variable of `environment` (ends with nullptr) that changes how a crawl goes: LANG, LC_*,
// TZ, CADDIS_CONTACT. Others say nothing about the job, or may be secrets.
std::string environment_words(const char* const* environment);

}  // namespace caddis::harvestserver
