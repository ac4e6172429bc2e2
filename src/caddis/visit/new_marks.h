// A slot: the marks of the links in a visit's result (frontier::Identity::url_hash), for the lane's RecentLinks: of those
// that are offered to the frontier, and of those on record as rejected. In the visit's memory.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

#include "caddis/visit/visit.h"

namespace caddis::visit {

struct NewMarks {
  std::pmr::vector<uint64_t> marks, rejected;

  static NewMarks& of(Visit& visit) {
    NewMarks* known = visit.slots.find<NewMarks>();
    return known != nullptr ? *known
                            : visit.slots.put(NewMarks{std::pmr::vector<uint64_t>(visit.memory()),
                                                       std::pmr::vector<uint64_t>(visit.memory())});
  }
};

}  // namespace caddis::visit
