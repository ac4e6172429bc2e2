// What the frontier says of itself, as JSON: docs/formats/control.md. The same for a running crawl and a stopped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/frontier/inspection.h"

namespace caddis::control {

std::string waits_json(const frontier::QueueStates& waits);
std::string queue_page_json(const frontier::QueuePage& page);
std::string queues_json(const std::vector<frontier::QueueReport>& queues);
std::string host_json(const frontier::HostReport& host);
// With the sheets that hold for the URL.
std::string url_json(std::string_view url, const frontier::UrlReport& report, const std::vector<std::string>& sheets);
std::string page_json(const frontier::WaitingPage& page);
// What was wrong: {"error": text}.
std::string error_json(std::string_view message);
std::string count_json(std::string_view verb, uint64_t urls, std::string_view marker);

}  // namespace caddis::control
