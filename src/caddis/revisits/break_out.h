// Makes archive files that stand alone: revisit records become full responses again, with the payloads of their originals.
//
//   OriginalPlaces places;
//   for (file : all) TRY_VOID(want_originals(files, file, places));
//   for (i; sources) TRY_VOID(offer_originals(files, sources[i], i, places));
//   for (file : all) TRY(report, break_out_file(files, file, new_name, options, places, sources));
//
// A response that is made so has an id of its own, and the date, the URL and the HTTP head of the revisit; if the
// server said "not modified", or the revisit has no whole head, the head of the original. Records behind it in the file
// that named the revisit name the response.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/revisits/file_rewrite.h"
#include "caddis/revisits/original_places.h"
#include "caddis/warc/finding.h"

namespace caddis::revisits {

struct BreakOutOptions {
  RewriteOptions how;  // its `report` is told of revisits that stay, too: code "revisit-unresolved"
};

struct BreakOutReport : RewriteReport {
  uint64_t responses = 0;   // made of revisits
  uint64_t put_back = 0;    // bytes of payloads
  uint64_t unresolved = 0;  // revisits that stay
};

// Told how many bytes were read since; may be empty.
using ReadProgress = std::function<void(uint64_t bytes)>;

Result<void> want_originals(io::Files& files, const std::string& file, OriginalPlaces& places,
                            const ReadProgress& progress = {});
// Records of damaged parts are no originals; nothing else is said of them.
Result<void> offer_originals(io::Files& files, const std::string& file, uint32_t number, OriginalPlaces& places,
                             const ReadProgress& progress = {});

// `sources` are the files of `places`, by their numbers. ErrorCode as rewrite_file.
Result<BreakOutReport> break_out_file(io::Files& files, const std::string& from, const std::string& to,
                                      const BreakOutOptions& options, const OriginalPlaces& places,
                                      const std::vector<std::string>& sources);

}  // namespace caddis::revisits
