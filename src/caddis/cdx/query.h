// Queries of captures, in the three dialects that tools of the field speak: those of pywb's CDX server, of the
// Internet Archive's and of OutbackCDX. docs/cdx-api.md has all parameters; where they differ:
//
//                    pywb                        Internet Archive           OutbackCDX
//   filter=          [!][=|~]field:text:         [!]field:pattern           [!][~]field:pattern
//                    contains, equals, matches   the whole field matches    the whole field matches, or a part
//   output= without  cdxj                        text, 7 fields             text, 11 fields
//   output=json      an object a line            array of arrays, names     array of arrays
//                                                first
//   limit= without   100000                      100000                     10000
//
// Each dialect knows the parameters of the others; one that nobody knows is refused by its name. Patterns are RE2's.
// Parsing and formatting are pure; query_run.h runs a query.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/cdx/line_question.h"
#include "caddis/url/key_policy.h"

namespace caddis::cdx {

enum class Dialect { pywb, internet_archive, outback };
enum class Output {
  cdxj,
  json,   // an object a line
  rows,   // an array of arrays
  dicts,  // an array of objects
  text,
  link,
};

// One filter expression. Copies share the compiled pattern.
class Filter {
 public:
  static Result<Filter> parse(std::string_view expression, Dialect dialect = Dialect::pywb);
  bool accepts(std::string_view line, const Capture& capture) const;
  const std::string& field_name() const { return field_; }  // empty: it is about the whole line

 private:
  enum class Kind { contains, equals, begins, matches, finds };
  Result<void> compile(std::string_view expression);
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

// Where an answer in parts goes on: with the captures at or behind `place`, but for the first `skip`.
struct ResumePoint {
  std::string place;  // as a line begins: "org,example)/ 20140101000000"
  uint64_t skip = 0;
};

// How an answer is given in parts.
struct AnswerParts {
  bool last = false;  // the last `limit` captures, in their order
  ResumePoint resume;
  bool show_resume_key = false;
  bool count_pages = false;  // how many there are, instead of captures
  bool has_page = false;
  uint64_t page_size = 0;
  std::optional<bool> gzip;  // asked for, or refused
};

// Captures that are not shown, whatever is asked for.
struct LeftOut {
  // Counters shown beside each capture, of those that are not shown.
  struct Counters {
    bool duplicates = false;  // dupecount: how many shown before it have its digest
    bool groups = false;      // groupcount: how many it stands for, itself included
    bool skipped = false;     // skipcount: how many filters and collapse= left out behind it
    bool end = false;         // endtimestamp: of the last of these
    bool unique = false;      // uniqcount: how many different digests it stands for
    bool counts_skipped() const { return groups || skipped || end || unique; }
  };
  Counters counters;
  bool self_redirects = false;
  bool all_but_last = false;  // of captures that `collapse` says repeat one another
  // Returns which may be shown; all if empty. For rules of access.
  std::function<bool(const Capture&)> allowed;
};

// The fields that the counters are shown in.
inline constexpr std::string_view kDupeCount = "dupecount", kGroupCount = "groupcount", kSkipCount = "skipcount",
                                  kEndTimestamp = "endtimestamp", kUniqCount = "uniqcount";

struct Query {
  Dialect dialect = Dialect::pywb;
  std::string url;
  std::string key;  // in place of the URL
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
  AnswerParts parts;
  LeftOut left_out;
  std::vector<Filter> filters;
  std::vector<Collapse> collapse;
  std::vector<std::string> fields;
  Output output = Output::cdxj;
};

// From the query string of a request, without its '?'. ErrorCode::parse for a parameter that is not known, and for what
// a parameter cannot be.
Result<Query> parse_query(std::string_view query_string, Dialect dialect = Dialect::pywb);

// As a server writes and reads it: "org,example)/ 20140101000000!" for what is behind that time, "… 20140101000000 2" for
// what follows the second capture of it.
std::string resume_key(const ResumePoint& point);
Result<ResumePoint> parse_resume_key(std::string_view text);

// Lines of a search are those at or after `from` and before `to`.
struct KeyRange {
  std::string from, to;
};
// The range of keys that `policy` makes of captures of `timestamp`. ErrorCode::unsupported where its keys stand in no order
// that has what is asked for in one range.
Result<KeyRange> key_range(std::string_view url, MatchType match,
                           const url::KeyPolicy& policy = url::KeyPolicy::ia_surt(), std::string_view timestamp = {});
// The same of a key.
Result<KeyRange> key_range_of(std::string key, MatchType match, const url::KeyPolicy& policy);

// The key of a URL as somebody asks for it.
std::string url_key(std::string_view url, const url::KeyPolicy& policy);

// One capture as a line without line end; in `rows` and `dicts` as an array or an object. Output::link is not a line
// format (replay/memento.h writes it).
std::string format_capture(const Capture& capture, const Query& query);
std::string_view content_type_of(Output output);

// The fields that a capture is shown with: those asked for, or those of the dialect. Empty: all of the line.
std::vector<std::string> shown_fields(const Query& query);
// The 11 fields of CDX, in its order.
std::vector<std::string> all_fields();

// The parts of an application/x-www-form-urlencoded text, decoded.
std::vector<std::pair<std::string, std::string>> parse_form(std::string_view text);

}  // namespace caddis::cdx
