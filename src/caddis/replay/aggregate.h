// Aggregates: collections that an operator names as one. Under that name they have one calendar, one replay, one index;
// each member's access rules hold for its own captures. Where two members have a capture of one URL and time, that of the
// member which is named first is shown.
//
// Captured pages of an aggregate share one origin: scripts in one member's captures can read those of the others, as far
// as whoever looks may see them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/replay/collection.h"

namespace caddis::replay {

// How members are taken that are not there: a wrong name is refused when a server begins; later, a collection may have gone.
enum class AbsentMembers { are_refused, are_left_out };

// Title, description and further fields of aggregates, by name: each is read from its file when it is asked for.
using AggregateWords = std::map<std::string, Collection::Words, std::less<>>;

// The words for each "NAME=FILE" of `wanted`, of a file in the form of a collection's metadata.yaml. ErrorCode::config if one is
// written otherwise, names no aggregate of `aggregates`, or cannot be read; not_found if the file is not there.
Result<AggregateWords> aggregate_words(io::Files& files, const std::vector<std::string>& aggregates,
                                       const std::vector<std::string>& wanted);

// Adds an aggregate to the collections for each of `wanted`: "all=first,second", and "all=*" for every collection.
// ErrorCode::config if one is written otherwise, names what is not there, or has the name of another one. One without any
// members is left out.
Result<void> add_aggregates(std::vector<std::shared_ptr<Collection>>& collections,
                            const std::vector<std::string>& wanted, AbsentMembers absent = AbsentMembers::are_refused,
                            const AggregateWords& words = {});

}  // namespace caddis::replay
