// Listings of folders, as FTP servers send them: MLSD (RFC 3659, section 7), LIST in the forms of Unix and DOS, which no
// specification has, and NLST. Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/http/exchange.h"

namespace caddis::protocols {

struct ListedName {
  std::string name;  // as the server writes it: bytes, without a slash
  bool is_folder = false;
};

// Returns the names in a listing of that form, in its order, without "." and "..". Lines that are not understood are left
// out. At most `limit`.
std::vector<ListedName> read_listing(std::string_view text, http::Resource::Listing form, size_t limit = 1'000'000);

// Returns the URLs of the names in the listing of a folder, whose URL `folder` is: serialized, without query and fragment.
std::vector<std::string> listed_urls(std::string_view folder, const std::vector<ListedName>& names);

// Returns the URL of the folder that holds what `url` names; empty for the root.
std::string parent_url(std::string_view url);

}  // namespace caddis::protocols
