// The line of crawl.log for what a fetch has brought.
#pragma once

#include "caddis/fetch/http_fetcher.h"
#include "caddis/visit/visit_facts.h"

namespace caddis::visit {

class Visit;

// Takes what is wrong with a response into the facts.
void note_flaws(VisitFacts& facts, const http::Exchange& exchange);

// Takes the outcome of a fetch of the URL at hand into the visit: its line, the reason of a failure, and the bytes.
void record_fetch(Visit& visit, fetch::FetchOutcome outcome);

}  // namespace caddis::visit
