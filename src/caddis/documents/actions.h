// Links in the scripts of Flash. Internal to documents.
#pragma once

#include <string_view>

#include "caddis/documents/link_collector.h"

namespace caddis::documents {

// Actions of the first virtual machine (SWF File Format Specification 19, "Actions"), functions included.
void read_actions(std::string_view actions, LinkCollector& links);
// The strings of a block of the second one (AVM2 Overview 4.3), but for the names of namespaces.
void read_abc(std::string_view block, LinkCollector& links);

}  // namespace caddis::documents
