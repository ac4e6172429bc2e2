// The parts of a document that is a zip archive, within the limits of a document. Internal to documents.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "caddis/documents/link_collector.h"

namespace caddis::documents {

// Calls `read` with each part whose name `wants`, in the order of the archive. A part that is damaged, encrypted or
// larger than what the collector has left is noted as the document's problem.
void each_part(std::string_view archive, const Limits& limits, LinkCollector& links,
               const std::function<bool(std::string_view name)>& wants,
               const std::function<void(std::string_view name, std::string_view part)>& read);

}  // namespace caddis::documents
