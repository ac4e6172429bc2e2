// What the control API says of queues, hosts and URLs, in words for people.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace caddis::cli {

void print_queue(const nlohmann::json& queue);
void print_host(const nlohmann::json& host);
void print_url(const nlohmann::json& report);

}  // namespace caddis::cli
