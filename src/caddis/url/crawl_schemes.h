// The schemes whose URLs a crawl may fetch. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/url/url.h"

namespace caddis::url {

// The server that is asked if a URL of WHOIS names none: it refers to all others.
inline constexpr std::string_view kFirstWhoisServer = "whois.iana.org";

// The name of this machine as a host whose files are crawled: their URLs ("file:///a") have none. No server has it.
inline constexpr std::string_view kFilesHost = "file:";

// Whether somebody here knows how to fetch it: http, https, ftp, sftp, whois, with a host; file, without one.
bool can_be_crawled(const Url& url);

// Whether a document may lead there: to files of this machine only their like does, as in browsers.
bool may_lead_to(const Url& document, const Url& target);

// Returns the host by which a crawl queues, counts and sets: that of the URL, or `kFilesHost`. A view into the URL.
std::string_view crawl_host(const Url& url);

// Returns "whois://server/query" for "whois:query" (Heritrix's form); every other text as it is.
std::string with_whois_server(std::string_view text);

}  // namespace caddis::url
