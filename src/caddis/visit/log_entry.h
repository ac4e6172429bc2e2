// One line of crawl.log, before it is written: what became of one URL (Heritrix's twelve fields).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/visit/visit_facts.h"

namespace caddis::visit {

struct LogEntry {
  WallTime finished;       // when the line is written
  int status = 0;          // HTTP status, or one of Heritrix's codes
  uint64_t size = 0;       // bytes received, head included
  uint64_t body_size = 0;  // of those, what is behind the head of an HTTP answer; all of another
  std::string url;
  std::string hops;  // path from the seed
  std::string via;
  std::string mime;   // without parameters
  unsigned lane = 0;  // Heritrix's thread number
  WallTime started;   // of the fetch
  Duration duration{};
  std::string digest;         // "sha1:…" of the payload
  std::string seed;           // source tag
  bool is_looked_up = false;  // the step `dedup` has asked who knows its payload
  VisitFacts facts;

  // Since a capture that the server was asked about: 304.
  bool is_unchanged() const { return facts.revisit && facts.revisit->is_unchanged; }
  // Its payload was received, and is known by its digest.
  bool is_repeated() const { return facts.revisit && !facts.revisit->is_unchanged; }
};

// Appends the line with its line end:
//   2026-11-21T00:45:00.123Z   200      12345 http://h/ LE http://v/ text/html #001 20261121004500100+23 sha1:… seed 2t
// Its third field is the size of the body, as Heritrix has it. `with_content_size`: of what was captured, head and body
// together are an annotation, "content-size:12575", as NetarchiveSuite has it. Empty fields are "-"; a hop path over 50
// letters is shortened to "12+LL…"; blanks in a URL are percent-encoded.
void append_log_line(std::string& lines, const LogEntry& entry, bool with_content_size = true);

// Returns how many of its bytes are no repetition: none if its payload is known, or the server said that nothing has
// changed.
uint64_t novel_size(const LogEntry& entry);

// Appends a line of nonfatal-errors.log: a try that will be repeated, and why.
void append_error_line(std::string& lines, const LogEntry& entry, std::string_view reason);

}  // namespace caddis::visit
