// The reports of the frontier as documents of the control API: the same of a running crawl and of a stopped one.
// Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/control/api_types.h"
#include "caddis/frontier/inspection.h"

namespace caddis::control {

// Durations as documents have them.
double seconds(Duration duration);

std::vector<api::Queue> to_api(const std::vector<frontier::QueueReport>& queues);
api::QueuePage to_api(const frontier::QueuePage& page);
std::vector<api::QueueStateCount> to_api(const frontier::QueueStates& waits);
api::Host to_api(const frontier::HostReport& host);
api::WaitingPage to_api(const frontier::WaitingPage& page);
// `sheets`: the names of those that hold for the URL.
api::UrlReport to_api(std::string_view url, const frontier::UrlReport& report, std::vector<std::string> sheets);

}  // namespace caddis::control
