// The query API of pywb's CDX server, as it stands at /<collection>/cdx:
//
//   url=           the URL asked for; "…*" at the end means matchType=prefix, "*." in front matchType=domain
//   matchType=     exact (default), prefix, host, domain
//   from= to=      timestamps of 1 to 17 digits, inclusive
//   closest=       nearest to this timestamp first (also sort=closest); sort=reverse, reverse=true: latest first
//   limit=         default 100000; page= and pageSize= count in captures. Where captures have to be held to be ordered
//                  (closest= over several URLs or with collapse=; closest= or latest first with resolveRevisits=), a
//                  server gives 2000 at most (query_run.h)
//   filter=        [!][=|~]field:text, repeated: contains, equals, matches (RE2, at its start);
//                  without field: in the whole line
//   collapse=      field[:n], collapseTime=n: of neighbours that agree (in their first n characters) the first only
//   resolveRevisits=   true: revisits get mime, status and place of the capture they stand for, where it is among
//                  the results
//   exact=         true: of the captures that share the key of url=, those of exactly that URL
//   fl=, fields=   names, in order
//   output=        cdxj (default), json (an object a line), text (11 fields, or those of fl), link (a TimeMap)
//
// Parsing and formatting are pure; query_run.h runs a query.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

enum class MatchType { exact, prefix, host, domain };
enum class Output { cdxj, json, text, link };

// One filter expression. Copies share the compiled pattern.
class Filter {
 public:
  static Result<Filter> parse(std::string_view expression);
  bool accepts(std::string_view line, const Capture& capture) const;

 private:
  enum class Kind { contains, equals, matches };
  Kind kind_ = Kind::contains;
  bool negated_ = false;
  bool whole_line_ = false;
  std::string field_, text_;
  std::shared_ptr<const void> pattern_;  // RE2
};

struct Collapse {
  std::string field;
  size_t length = SIZE_MAX;
};

struct Query {
  std::string url;
  MatchType match = MatchType::exact;
  std::string from, to;
  std::string behind_key;  // not for one URL: only captures whose key is behind it
  std::string closest;
  bool reverse = false;
  bool resolve_revisits = false;
  std::string exact_url;  // of captures that share a key, those of this URL (normal_url in url_captures.h)
  uint64_t limit = 100'000;
  bool has_limit = false;  // it was asked for; otherwise less may be given
  uint64_t skip = 0;
  std::vector<Filter> filters;
  std::vector<Collapse> collapse;
  std::vector<std::string> fields;
  Output output = Output::cdxj;
};

// From the query string of a request, without its '?'. Unknown parameters are passed over, as pywb does; but those of
// other CDX servers that ask for another answer (offset=, resumeKey=, showNumPages= …) are refused, ErrorCode::parse.
Result<Query> parse_query(std::string_view query_string);

// Lines of a search are those at or after `from` and before `to`.
struct KeyRange {
  std::string from, to;
};
// The range of keys that `policy` makes of captures of `timestamp`. ErrorCode::unsupported where its keys stand in no order
// that has what is asked for in one range.
Result<KeyRange> key_range(std::string_view url, MatchType match,
                           const url::KeyPolicy& policy = url::KeyPolicy::ia_surt(), std::string_view timestamp = {});

// One capture as a line without line end; Output::link is not a line format (replay/memento.h writes it).
std::string format_capture(const Capture& capture, const Query& query);
std::string_view content_type_of(Output output);

// The parts of an application/x-www-form-urlencoded text, decoded.
std::vector<std::pair<std::string, std::string>> parse_form(std::string_view text);

}  // namespace caddis::cdx
