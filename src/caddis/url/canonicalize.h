// Canonical forms of URLs: one pipeline of named steps, and named policies that choose among them.
//
//   caddis    the crawl key: WHATWG href without userinfo, fragment, session ids and empty query; scheme, www and case
//   kept exact     WHATWG href without fragment heritrix  Heritrix's default rules (a URL, lower case, without www);
//   its already-seen key ia-surt   the index key: byte for byte what Python's `surt` writes into CDX files, its quirks
//   included ssurt     sortable SURT after WHATWG parsing: "com,example,//443:https:/path"
//
// A policy's name and rules are written to warcinfo and index headers: a change of what a policy does is a new version
// of its rules. All functions are pure and may be called from any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/url/url.h"

namespace caddis::url {

enum class Policy { caddis, exact, heritrix, ia_surt, ssurt };

Result<Policy> policy_from_name(std::string_view name);
std::string_view to_string(Policy policy);
// "caddis/1: whatwg-parse strip-fragment …": name, version and steps in order.
std::string policy_rules(Policy policy);

// The canonical form of a URL as found. `ia_surt` takes any text and hardly ever fails; the others parse first.
Result<std::string> canonicalize(Policy policy, std::string_view url);

// The same for a URL already parsed: the key of the seen-set. A URL that is already canonical is detected and costs a
// copy.
Result<std::string> crawl_key(Policy policy, const Url& url);

}  // namespace caddis::url
