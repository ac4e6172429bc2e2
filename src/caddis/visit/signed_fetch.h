// Fetches with the credentials of the site: those of a realm that is known are sent ahead, and a server that asks for
// them (401) is asked once more at once. Its first answer is not kept.
#pragma once

#include "caddis/aio/task.h"
#include "caddis/fetch/http_fetcher.h"

namespace caddis::visit {

struct LaneTools;
class Visit;

// Says in the document of the visit how it went (FetchedDocument::login). `settings` and what the request borrows
// outlive the fetch.
aio::Task<fetch::FetchOutcome> fetch_signed(LaneTools& tools, Visit& visit, fetch::FetchRequest request,
                                            const fetch::FetchSettings& settings);

}  // namespace caddis::visit
