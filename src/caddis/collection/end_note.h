// The note of a crawl that ended by itself, but could not commit what it had, or write its report: most often since the
// disk is full.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/collection/launch.h"
#include "caddis/io/files.h"

namespace caddis::collection {

void note_end(io::Files& files, const Launch& launch, std::string_view why);
// The reason, empty if not even that could be written; nothing if the launch ended in another way.
std::optional<std::string> noted_end(io::Files& files, const Launch& launch);

}  // namespace caddis::collection
