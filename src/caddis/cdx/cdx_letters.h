// The letters of CDX (" CDX N b a m s k r M S V g"): which field of a capture each stands for, by the table of the CDX
// specification of 2015. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "caddis/cdx/capture.h"

namespace caddis::cdx {

// The letters of the forms in use, by their number of fields: 9, 10, 11 and 14; none for other numbers.
std::string_view cdx_letters(size_t fields);

// Null for a letter that has no place in a capture.
std::string Capture::* member_for_letter(char letter);

// The fields separated by blanks, "-" for what is not known.
std::string cdx_line(const Capture& capture, std::string_view letters);

}  // namespace caddis::cdx
