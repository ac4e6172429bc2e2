// A slot: what steps of modules want to have in the records of a page.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "caddis/visit/visit.h"

namespace caddis::visit {

struct PageNotes {
  std::vector<std::pair<std::string, std::string>> metadata;  // fields of the metadata record
  bool is_left_out = false;                                   // no records are written
  bool is_against_robots = false;                             // visit_facts.h

  static PageNotes& of(Visit& visit) {
    PageNotes* known = visit.slots.find<PageNotes>();
    return known != nullptr ? *known : visit.slots.put(PageNotes());
  }
};

}  // namespace caddis::visit
