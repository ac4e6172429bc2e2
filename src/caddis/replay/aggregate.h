// Aggregates: collections that an operator names as one. Under that name they have one calendar, one replay, one index;
// each member's access rules hold for its own captures. Where two members have a capture of one URL and time, that of the
// member which is named first is shown.
//
// Captured pages of an aggregate share one origin: scripts in one member's captures can read those of the others, as far
// as whoever looks may see them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

// How members are taken that are not there: a wrong name is refused when a server begins; later, a collection may have gone.
enum class AbsentMembers { are_refused, are_left_out };

// Adds an aggregate to the collections for each of `wanted`: "all=first,second", and "all=*" for every collection.
// ErrorCode::config if one is written otherwise, names what is not there, or has the name of another one. One without any
// members is left out.
Result<void> add_aggregates(std::vector<std::shared_ptr<Collection>>& collections,
                            const std::vector<std::string>& wanted, AbsentMembers absent = AbsentMembers::are_refused);

}  // namespace caddis::replay
