// The outcome of a fetch as a short word, for logs whose lines are about what is no answer: "dns-failed",
// "robots-excluded". A word never changes its meaning.
//
// Pure functions; any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "caddis/base/fetch_status.h"

namespace caddis {

// Every status that is not a protocol's own, and its word.
std::span<const std::pair<FetchStatus, std::string_view>> all_status_words();

// Empty for HTTP's own, and for numbers that nobody uses. `is_timeout`: something took too long, which makes
// "connect-timeout" out of "connect-failed".
std::string_view status_word(FetchStatus status, bool is_timeout = false);

// Returns nothing for a word that is none.
std::optional<FetchStatus> status_of_word(std::string_view word);

}  // namespace caddis
