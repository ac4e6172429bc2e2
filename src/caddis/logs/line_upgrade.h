// A line of crawl.log (Caddis's, Heritrix's, with NetarchiveSuite's and the DeDuplicator's annotations) as a line of the
// logs by protocol and by fate (docs/formats/logs.md), and back.
//
// All of a line comes back: the member `legacy` keeps what cannot be said in typed fields, and where the line stood.
//   "legacy":{"n":17,"annotations":"…","extra":"{…}","size":"-"}   fields as they stood that would be written otherwise
//   "legacy":{"n":18,"line":"…"}                                   the whole line; "hex" if it is no UTF-8
//   "legacy":{"n":19,…,"no_end":true}                              without a line end
//
// Pure functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caddis/logs/json_line.h"

namespace caddis::logs {

// The log of lines that no other one has: of what is no line of a crawl log, or has a time, a status or a scheme that
// the others do not know: `legacy.jsonl`.
inline constexpr std::string_view kLegacyLog = "legacy";

struct UpgradedLine {
  std::string log;   // "http", "dns", "failures", "not-crawled"; "ftp", "sftp", "whois"; "legacy"
  std::string json;  // without line end
};

// `number`: of the line in its log, from 1. `has_end`: false for a last line without a line end.
UpgradedLine upgraded_line(std::string_view line, uint64_t number, bool has_end = true);

// The line with which the log of that name begins, without line end.
std::string upgraded_header(std::string_view log);

// The line of crawl.log, without line end. Of a line that was not upgraded: as a crawl writes it.
std::string downgraded_line(const JsonLine& line);

// "%20" as a blank, as far as crawl.log writes it so: bytes up to blank, and DEL.
std::string decoded(std::string_view text);

// Where a line stood that was upgraded; 0 for any other.
uint64_t legacy_number(const JsonLine& line);
// It stood there without a line end.
bool legacy_lacks_end(const JsonLine& line);

}  // namespace caddis::logs
