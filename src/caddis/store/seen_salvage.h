// What is left of a run of the seen-set some of whose blocks are damaged, written to a new run.
//
// A fingerprint that is lost is no URL that is lost: a URL whose fingerprint the set has no more is taken for new when
// a page links to it again, and fetched again. Where the log does not have it either, that is better than a crawl that
// can never go on.
#pragma once

#include <cstdint>
#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/store/seen_state.h"

namespace caddis::store {

struct SalvagedRun {
  SeenState::Run run;
  uint64_t damaged_blocks = 0;
  uint64_t damaged_values = 0;  // that these held: at most so many are lost
};

// Copies what can be read of run `damaged` to run `number`. ErrorCode::corrupt where its file is missing, cut or
// without its index: then nobody can say which bytes are values.
Result<SalvagedRun> salvage_run(io::Files& files, const std::string& folder, SeenState::Run damaged, uint64_t number);

}  // namespace caddis::store
