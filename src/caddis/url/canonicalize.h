// Keys of URLs: the canonical forms by which a crawl and an index know them again, made by a key policy (key_policy.h).
// All functions are pure and may be called from any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/url/key_policy.h"
#include "caddis/url/url.h"

namespace caddis::url {

// The key of a URL as found. Policies that begin with `lenient-parse` take any text and hardly ever fail; the others
// parse first. `timestamp`: when it was captured, digits; steps guarded by dates take an empty one for the end of time.
Result<std::string> canonicalize(const KeyPolicy& policy, std::string_view url, std::string_view timestamp = {});

// The same for a URL already parsed: the key of the seen-set. A URL that is already canonical is detected and costs a
// copy.
Result<std::string> crawl_key(const KeyPolicy& policy, const Url& url);

// A step that changed the URL. The texts are the URL as the step met and left it.
struct KeyChange {
  std::string step;
  std::string before, after;
};
struct KeyExplanation {
  std::vector<KeyChange> changes;
  std::string key;
};
Result<KeyExplanation> explain_key(const KeyPolicy& policy, std::string_view url, std::string_view timestamp = {});

}  // namespace caddis::url
