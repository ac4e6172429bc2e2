// An amount of something in words, for people: "1 host", "2 hosts".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace caddis {

// `many` where it is not `one` and an "s".
std::string counted(uint64_t amount, std::string_view one, std::string_view many = {});

}  // namespace caddis
