// The facts of a visit as words of the logs (docs/formats/logs.md).
//
// Pure functions; any thread.
#pragma once

#include <string_view>

#include "caddis/visit/visit_facts.h"

namespace caddis::visit {

// "length"; empty if the answer is whole.
// The form of a folder's listing: "mlsd"; empty for none.
std::string_view listing_word(http::Resource::Listing listing);
std::string_view truncated_word(http::Truncated reason);
// "read-in-part"; empty if its readers could have the body.
std::string_view flaw_word(fetch::BodyFlaw flaw);
// "url": how the capture was found that has the payload.
std::string_view likeness_word(dedup::Likeness likeness);

}  // namespace caddis::visit
