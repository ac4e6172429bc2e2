// The documents of the engine's API (api/engine.yaml) as JSON. Pure functions, any thread.
#pragma once

#include <string>
#include <vector>

#include "caddis/engine/job_config.h"
#include "caddis/engine/job_summary.h"

namespace caddis::engine {

std::string to_json(const JobSummary& summary);
std::string to_json(const JobDetail& detail);
std::string to_json(const ConfigFindings& findings);
std::string to_json(const ConfigDifference& difference);
// Every setting of a crawl: {"settings": […]}.
std::string schema_json();

std::string json_list(const std::vector<std::string>& texts);
// The items are JSON already.
std::string json_array(const std::vector<std::string>& items);

}  // namespace caddis::engine
