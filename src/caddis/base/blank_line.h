// Where readers of archives end the head of a message: behind the first line on which nothing is to be seen.
//
// That is not always where its body begins: servers send blank lines before the status line, and lines of blanks within
// the head, which are folds (RFC 9112 sections 2.2 and 5.2). warcio, and all that is built on it, ends a head there all
// the same; what it takes for the body is what the payload digest of a record is held against.
#pragma once

#include <cstddef>
#include <string_view>

namespace caddis {

// The offset behind the first blank line of `text`, its line end included; npos where no blank line is whole.
size_t after_blank_line(std::string_view text);

}  // namespace caddis
