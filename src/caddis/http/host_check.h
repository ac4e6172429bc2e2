// Whether a request was meant for this server, by the host that it names. Pure, any thread.
//
// A browser sends the name that stands in its address bar. Whoever owns a name may let it point to this machine for a
// moment (DNS rebinding): a page of theirs then reads what a server answers here as if it were its own. So a server
// that speaks to browsers answers only where it is asked under an address, or under a name that is known to be its own.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace caddis::http {

// The host of a Host field (RFC 9110 section 7.2): "example.org" of "Example.org.:8080", "::1" of "[::1]:8080"; in
// lower case, without a dot at its end. Empty where it is malformed.
std::string host_of(std::string_view field);

// `field` is the value of the request's Host field; its port does not count. Own are IP addresses, "localhost" and
// names below it (browsers never ask DNS for these, RFC 6761 section 6.3), and `names`, without regard to case. An
// empty field is own, too: browsers always send one.
bool is_own_host(std::string_view field, std::span<const std::string> names = {});

// What somebody is told who asked under another name: for a response 421 (RFC 9110 section 15.5.20).
std::string other_host_message(std::string_view field);

}  // namespace caddis::http
