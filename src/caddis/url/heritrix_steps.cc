// Heritrix's canonicalization rules, which work on the text of a URL. Kept to the letter, also where they reach far:
// its already-seen keys are comparable only so.
#include "caddis/base/strings.h"
#include "caddis/url/session_ids.h"
#include "caddis/url/steps.h"

namespace caddis::url::steps {
namespace {

size_t behind_scheme(std::string_view text, bool with_ftp) {
  for (const std::string_view scheme : {"http://", "https://", "ftp://"}) {
    if (starts_with_ignore_case(text, scheme)) return with_ftp || scheme != "ftp://" ? scheme.size() : 0;
  }
  return 0;
}

Result<void> to_lowercase(Draft& draft) {
  for (char& c : draft.text) c = to_lower(c);
  return {};
}

// Everything from the scheme to the last '@' before the first slash.
Result<void> drop_userinfo(Draft& draft) {
  const size_t begin = behind_scheme(draft.text, true);
  if (begin == 0) return {};
  const std::string_view authority = std::string_view(draft.text).substr(begin, draft.text.find('/', begin) - begin);
  const size_t at = authority.rfind('@');
  if (at != std::string_view::npos && at > 0) draft.text.erase(begin, at + 1);
  return {};
}

// "www." (and "www12." where `numbered`), unless nothing but a slash follows the host.
void drop_www(Draft& draft, bool numbered) {
  const size_t begin = behind_scheme(draft.text, false);
  const std::string_view rest = std::string_view(draft.text).substr(begin);
  if (begin == 0 || !starts_with_ignore_case(rest, "www")) return;
  size_t dot = 3;
  while (numbered && dot < rest.size() && is_digit(rest[dot])) ++dot;
  if (dot >= rest.size() || rest[dot] != '.') return;
  const size_t slash = rest.find('/', dot);
  if (slash == std::string_view::npos || slash + 1 == rest.size()) return;
  draft.text.erase(begin, dot + 1);
}

Result<void> drop_wwwn(Draft& draft) {
  drop_www(draft, true);
  return {};
}

Result<void> drop_plain_www(Draft& draft) {
  drop_www(draft, false);
  return {};
}

Result<void> drop_session_ids(Draft& draft) {
  if (!may_hold_session_id(draft.text)) return {};
  cut_value32(draft.text, {"jsessionid", "phpsessid"}, 1);
  cut_value32(draft.text, {"sid"}, 1);
  cut_aspsessionid(draft.text, 1);
  return {};
}

Result<void> drop_cfids(Draft& draft) {
  if (may_hold_session_id(draft.text)) cut_cfid(draft.text, 1);
  return {};
}

// A '?' at the end, a '&' directly behind the last '?', or else one at the end.
Result<void> fixup(Draft& draft) {
  std::string& text = draft.text;
  const size_t mark = text.rfind('?');
  if (mark == std::string::npos || mark == 0) return {};
  if (mark + 1 == text.size()) {
    text.pop_back();
  } else if (text[mark + 1] == '&') {
    if (mark + 2 == text.size())
      text.resize(mark);
    else
      text.erase(mark + 1, 1);
  } else if (text.ends_with('&')) {
    text.pop_back();
  }
  return {};
}

}  // namespace

const Step lowercase{"lowercase", to_lowercase};
const Step heritrix_strip_userinfo{"heritrix-strip-userinfo", drop_userinfo};
const Step heritrix_strip_wwwn{"heritrix-strip-wwwn", drop_wwwn};
const Step heritrix_strip_www{"heritrix-strip-www", drop_plain_www};
const Step heritrix_session_ids{"heritrix-strip-session-ids", drop_session_ids};
const Step heritrix_cfids{"heritrix-strip-cfids", drop_cfids};
const Step fixup_query{"fixup-query", fixup};

}  // namespace caddis::url::steps
