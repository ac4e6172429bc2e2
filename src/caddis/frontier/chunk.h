// A chunk is one row of a queue: the links that one visit found for one queue and precedence, with what they share
// (via, seed, hop path of the page) written once and URLs prefix-compressed. Grammar: docs/formats/frontier.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/frontier/candidate.h"

namespace caddis::frontier {

// What one chunk may hold together.
bool share_chunk(const Candidate& a, const Candidate& b);

// All candidates share via, seed and the hop path but for its last hop; that is checked.
std::string encode_chunk(std::span<const Candidate> candidates);
// ErrorCode::corrupt where the bytes are no chunk.
Result<std::vector<Candidate>> decode_chunk(std::string_view bytes);

}  // namespace caddis::frontier
