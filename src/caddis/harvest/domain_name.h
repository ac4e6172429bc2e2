// The names of domains as a harvest knows them: registrable domains by the Public Suffix List, in their ASCII form, also those
// of other scripts; and single addresses, for machines that have no name.
//
// Pure, any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::harvest {

// "xn--bcher-kva.example" of "Bücher.example". ErrorCode::parse if it is none, or one below another: the message says which.
Result<std::string> domain_name_of(std::string_view text);
// "bücher.example": for people.
std::string shown_domain(std::string_view name);
// The same for a column that is searched: empty if the name has no other form than its own.
std::string searched_name(std::string_view name);
// A part of a name as people type it, in the form that names for people have: "RØD" becomes "rød".
std::string folded_name(std::string_view part);
// The domain of a URL; also of one without a scheme, which is http.
Result<std::string> domain_of_url(std::string_view url);

// The lines of a list of seeds that are seeds: without blank ones and those that begin with '#'.
std::vector<std::string_view> live_seeds(std::string_view list);
// ErrorCode::parse unless it is one URL of http, https, ftp or sftp: two in a line would be one that nobody means.
Result<void> check_seed(std::string_view seed);
// ErrorCode::parse tells the first line that is none. Seeds that the list `before` has as well may stay as they are.
Result<void> check_seeds(std::string_view list, std::string_view before = {});
// Seeds as the crawler takes them: with a scheme, hosts in ASCII.
std::vector<std::string> crawlable_seeds(std::string_view list);
// "http://www.a.example"
std::string first_seed_of(std::string_view domain);

// The expressions of crawler traps, one a line. Those of Java are converted if they can be; they have to match a whole URL.
// ErrorCode::parse tells the first line that is none.
Result<std::vector<std::string>> trap_patterns(std::string_view traps);

}  // namespace caddis::harvest
