// A URL as others may see it: without userinfo, which may be a password, and without fragment. So it stands in records,
// logs and reports; the fetcher alone needs more.
#pragma once

#include <string>
#include <string_view>

#include "caddis/url/url.h"

namespace caddis::url {

std::string public_form(const Url& url);
// The same for text that is a URL already; what is none stays as it is.
std::string public_form(std::string_view href);

}  // namespace caddis::url
