// Domains as people read them: "bücher.example" of "xn--bcher-kva.example" (UTS #46, ToUnicode).
//
// Pure, any thread.
#pragma once

#include <string>
#include <string_view>

namespace caddis::url {

// A domain that has no such form stays as it is.
std::string domain_to_unicode(std::string_view ascii);

}  // namespace caddis::url
