// A line of Heritrix's recovery log, frontier.recover.gz: what happened to one URL (docs/formats/recovery-log.md).
//
//   F+ http://a.example/ LL http://a.example/via      queued
//   Fs http://a.example/ LL http://a.example/via      captured
//   #F+ {"url":"http://a.example/","method":"POST","body":"a=b"}   a request other than a GET; a comment to others
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::crawl {

struct RecoveryLine {
  enum class Event : char {
    queued = '+',
    emitted = 'e',   // given out to be visited
    included = 'i',  // known, though never queued
    success = 's',
    failure = 'f',      // given up
    disregarded = 'd',  // refused: robots.txt, scope
    rescheduled = 'r',  // to be tried again
    other =
        '-',  // a line that says nothing of a URL: an empty one, a time ("T …"), an error ("E …"), a comment ("# …")
  };
  Event event = Event::other;
  // Views into the line; hops and via are empty where they are not known. Hops may be shortened ("12+LL").
  std::string_view url, hops, via;
  bool is_request = false;  // `url` is the text of a request (request_line.h), and there is no more

  // Nothing is left to do about the URL. `retry_failures`: what failed or was refused is still to be done.
  bool is_finished(bool retry_failures) const {
    return event == Event::success || event == Event::included ||
           (!retry_failures && (event == Event::failure || event == Event::disregarded));
  }
};

// Longer lines are bad ones, and so are those whose hops are longer: none of them is written either.
inline constexpr size_t kLongestRecoveryLine = 128 * 1024;
inline constexpr size_t kMostRecoveryHops = 1000;

// A hop path: "LLE", or "12+LLE" where twelve hops before are left out.
bool are_hops(std::string_view text);
// `line` without its line end. What a request says is not looked at. ErrorCode::parse where it is none.
Result<RecoveryLine> parse_recovery_line(std::string_view line);
// The same without a tag, as people write it: between its words are any blanks, and what is not known may be "-".
// Its event is `queued`.
Result<RecoveryLine> parse_url_line(std::string_view line);
// Appends a line with its line end; blanks and controls in URLs are percent-encoded. Of hops that are too long the
// first are only counted ("12+LL"), and a via that makes the line too long is left out. A request that is too long is.
void append_recovery_line(std::string& out, const RecoveryLine& line);

}  // namespace caddis::crawl
