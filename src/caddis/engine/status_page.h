// The live statistics page of a crawl: one HTML document that asks /status every second and loads nothing else.
#pragma once

#include <string_view>

namespace caddis::engine {
extern const std::string_view kStatusPage;
}
