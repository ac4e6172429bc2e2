// Names of files for URLs.
#pragma once

#include <string>
#include <string_view>

namespace caddis::inspect {

// "https://example.org:8080/a/b.html?x=1" gives "example.org_8080/a/b.html@x=1"; a URL that ends with "/" gets
// "index.html". A relative path: no part is empty, "." or "..", none is longer than 200 bytes, and none has a character
// that a file system or a shell takes amiss (those become %XX). Different URLs may get one name.
std::string file_name_of(std::string_view url);

}  // namespace caddis::inspect
