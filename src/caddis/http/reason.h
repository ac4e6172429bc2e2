// The reason phrases of HTTP statuses (RFC 9110 section 15, and those registered since).
#pragma once

#include <string_view>

#include "caddis/base/fetch_status.h"

namespace caddis::http {

// Empty for an unknown status.
std::string_view reason_of(int status);
// A status of a fetch in words for people: of HTTP's own the reason phrase ("Not Found"), of others the word of the
// table ("connection lost"). 226 and 550 are those of FTP, SFTP and files (RFC 959). Empty if there is none.
std::string_view describe_status(FetchStatus status);

}  // namespace caddis::http
