// Secrets: made by the chance of the operating system, compared without telling how much of them was right. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace caddis::access {

// 256 random bits, as 64 hexadecimal digits.
std::string new_secret();
// About 100 random bits that a person can type: "k7mw-q2tx-9dfh-4nrv-c8pz".
std::string new_password();
// Takes the same time wherever they differ; their lengths may show.
bool are_same(std::string_view a, std::string_view b);

}  // namespace caddis::access
