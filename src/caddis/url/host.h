// The host parser (URL Standard, section 3.5): domains to ASCII, IPv4, IPv6, opaque hosts.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace caddis::url {

// Appends the serialized host for `text` (valid UTF-8) to `out`; false where the standard says failure, with `out` as
// it was. `is_special`: the scheme is a special one, whose hosts are domains or addresses.
bool append_host(std::string& out, std::string_view text, bool is_special);

// "Domain to ASCII" with beStrict=false: lower case for a domain that is ASCII, else UTS #46, non-transitional, with
// CheckBidi and CheckJoiners. Appends to `out`; false where the domain is invalid or its ASCII form empty.
bool append_domain_to_ascii(std::string& out, std::string_view domain);

// The ASCII form of a host by IDNA 2003 (RFC 3490), made from what of it is UTF-8; nothing where it has none. Only for
// index keys, which have always been written so. `unassigned`: characters that Unicode 3.2 lacks.
enum class Unassigned { allowed, refused };
std::optional<std::string> idna2003_to_ascii(std::string_view host, Unassigned unassigned = Unassigned::allowed);

}  // namespace caddis::url
