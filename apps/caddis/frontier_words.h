// Queues, hosts and URLs for people, on standard output.
#pragma once

#include "caddis/control/api_types.h"

namespace caddis::cli {

void print_queue(const control::api::Queue& queue);
void print_host(const control::api::Host& host);
void print_url(const control::api::UrlReport& report);

}  // namespace caddis::cli
