// The steps of the canonicalization pipeline, internal to the module. A step is a name and a function on a Draft; a
// policy is a list of steps in order (key_policy.h). Steps share nothing but the Draft. step_kinds.h lists all of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/url/url.h"

namespace caddis::url {

// A URL under the hands of the steps: as text before the parts are read and after they are written, as parts between.
struct Draft {
  std::string text;
  bool final = false;  // the text is the answer; the steps that are left are not taken

  std::string prefix;  // what a URL of the web is wrapped in: "screenshot:" of screenshot:http://…
  std::string scheme;
  std::string userinfo;
  std::optional<std::string> host;  // without brackets in the index key's parse, with them in WHATWG's
  std::string port;                 // empty: none
  std::string path;
  std::optional<std::string> query;
  std::optional<std::string> fragment;
};

struct Step {
  std::string_view name;
  Result<void> (*apply)(Draft& draft);
};

// A step that was made of arguments: as they are written, and what it does.
struct MadeStep {
  std::string arguments;
  std::function<Result<void>(Draft& draft)> apply;
};

// The parts of a parsed URL.
void read_parts(Draft& draft, const Url& url);

namespace steps {

// Parts, WHATWG (steps.cc).
extern const Step whatwg_parse;
extern const Step strip_fragment;
extern const Step strip_userinfo;
extern const Step strip_session_ids;
extern const Step strip_empty_query;
extern const Step write_url;
extern const Step write_ssurt;

// Text, Heritrix's rules (heritrix_steps.cc).
extern const Step lowercase;
extern const Step heritrix_strip_userinfo;
extern const Step heritrix_strip_wwwn;
extern const Step heritrix_strip_www;
extern const Step heritrix_session_ids;
extern const Step heritrix_cfids;
extern const Step fixup_query;

// Parts, the index key (ia_steps.cc).
extern const Step lenient_parse;
extern const Step unescape;
extern const Step normalize_host;
extern const Step normalize_path;
extern const Step escape;
extern const Step strip_default_port;
extern const Step strip_www_n;
extern const Step lowercase_parts;
extern const Step strip_path_session_ids;
extern const Step strip_trailing_slash;
extern const Step strip_query_session_ids;
extern const Step sort_query;
extern const Step write_surt_key;

// Parts, switched on where they are wanted (optional_steps.cc).
extern const Step strip_www;
extern const Step https_as_http;
extern const Step strip_extra_slashes;
extern const Step normalize_escapes;
extern const Step blank_to_plus;
extern const Step write_host_path;
Result<MadeStep> make_host_alias(std::string_view arguments);
Result<MadeStep> make_index_document(std::string_view arguments);
Result<MadeStep> make_strip_parameters(std::string_view arguments);

// Parts, the key of OutbackCDX (outback_steps.cc).
extern const Step outback_parse;
extern const Step lowercase_unicode;
extern const Step outback_host;
extern const Step outback_query;
extern const Step outback_escapes;
extern const Step outback_path;
extern const Step outback_session_ids;
extern const Step write_outback_key;

// Text: a regular expression and what it is replaced by (regex_step.cc).
Result<MadeStep> make_regex(std::string_view arguments);

}  // namespace steps
}  // namespace caddis::url
