// Bringing rule paths and request paths into one form before they are compared (RFC 9309, 2.2.2).
//
// Two forms, because crawlers in the field do not agree: the RFC's normal form decodes %7E to "~", the literal form
// does not. Where they differ the stricter answer wins: a disallow matches in normal form, an allow has to match in
// both. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace caddis::robots {

// Bytes outside ASCII as %XX, hexadecimal digits in upper case, all else as it is.
std::string literal_form(std::string_view path);

// The literal form with %XX decoded where it stands for an unreserved character (RFC 3986, 2.3). In a request path `*`
// and `$` become %2A and %24, in which form a rule can name them (RFC 9309, 2.2.3); in a rule they are operators and
// stay.
std::string normal_form_of_rule(std::string_view path);
std::string normal_form_of_request(std::string_view path);

// Whether normal_form_of_request(path) and `path` are the same: true for nearly all.
bool is_normal_request(std::string_view path);

// Path and query of a URL as a person may have written it ("example.com/a?b#c" is "/a?b"), never empty. No parsing as
// in browsers: what stands there is taken as it is.
std::string path_and_query(std::string_view url);

}  // namespace caddis::robots
