// The annotations of crawl.log (docs/formats/crawl-log.md): the facts of a visit in Heritrix's words.
#pragma once

#include <string>
#include <vector>

#include "caddis/visit/visit_facts.h"

namespace caddis::visit {

// In their order. The words are those of logs/annotation_words.h.
//   2t again:1 Q:host-bytes scope:exclude refused:10.0.0.7 lenTrunc httpProblem … dol:12 … noRecords noRoom
std::vector<std::string> annotations_of(const VisitFacts& facts);

}  // namespace caddis::visit
