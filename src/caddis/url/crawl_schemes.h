// The schemes whose URLs a crawl may fetch. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/url/url.h"

namespace caddis::url {

// The server that is asked if a URL of WHOIS names none: it refers to all others.
inline constexpr std::string_view kFirstWhoisServer = "whois.iana.org";

// Whether somebody here knows how to fetch it: http, https, ftp, sftp, whois, with a host.
bool can_be_crawled(const Url& url);

// Returns "whois://server/query" for "whois:query" (Heritrix's form); every other text as it is.
std::string with_whois_server(std::string_view text);

}  // namespace caddis::url
