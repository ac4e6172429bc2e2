// JSON with padding: a script that hands its data to a function of the page, whose name the page chose in the query
// ("?callback=jQuery1234"). A page that makes a new name each time is given a capture with another one (fuzzy.h); its
// script is made to call the function that the page waits for. Pure, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/url/url.h"

namespace caddis::replay {

// The names of the function where the script at the URL `captured` begins with the call of one that its query names,
// and the query of `asked` names another one in the same parameter.
struct CallbackChange {
  std::string from, to;
};
std::optional<CallbackChange> changed_callback(std::string_view script, const url::Url& captured,
                                               const url::Url& asked);

// The script with the name in front of its data replaced. `script` may end anywhere behind the call's parenthesis.
std::string with_callback(std::string_view script, const CallbackChange& change);

}  // namespace caddis::replay
