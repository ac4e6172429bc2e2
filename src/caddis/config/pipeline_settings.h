// The settings of the section `pipeline`: which steps the visit of a URL takes, in which order, and which of them pass
// some URLs by.
//
//   pipeline:
//     url: [preselect, precondition, fetch, decode, extract, documents, walls, dedup, records, links]
//     disable: [links]
//     guard: ["extract: mime ^text/", "records: not status 500..599", "body: not mime ^video/"]
#pragma once

#include <string>
#include <vector>

#include "caddis/archive/settings.h"
#include "caddis/base/error.h"
#include "caddis/settings/schema.h"

namespace caddis::config {

// The steps of Caddis's own, in their order (steps.h).
std::vector<std::string> default_steps();

struct PipelineSettings {
  std::vector<std::string> url = default_steps();
  std::vector<std::string> disable;  // steps that are passed by
  std::vector<std::string> guard;    // "STEP: CONDITION" (step_rules.h)
  std::string countries;             // a MaxMind file, for guards that ask for the country
};

// ErrorCode::config for what cannot work, with the way out: a step that is not known, needs another before it, or
// cannot be left out.
Result<void> validate(const PipelineSettings& settings);
// ErrorCode::config for a guard of a writer that there is not.
Result<void> validate_writers(const PipelineSettings& settings, const archive::ArchiveSettings& archive);

}  // namespace caddis::config

namespace caddis::settings {
template <>
const Schema& schema_of<config::PipelineSettings>();
}  // namespace caddis::settings
