// The places of documents in a mirror: a folder for each host, and below it the path of the URL.
//
//   http://example.org/            example.org/index.html
//   http://example.org:8080/a/b    example.org_8080/a/b
//   http://example.org/a?x=1       example.org/a@x=1
#pragma once

#include <string>

#include "caddis/url/url.h"

namespace caddis::archive {

// Relative to the mirror's folder. Characters that some file systems do not take become '_'; a part that is too long is
// cut, and ends in a hash of the whole URL then. Different URLs may have one path.
std::string mirror_path(const url::Url& url);

}  // namespace caddis::archive
