// The forms in which lines of an index are written for other programs: CDXJ, and CDX with 9, 10, 11 or 14 fields
// (docs/formats/cdxj.md). CDX begins with its legend, and holds less than CDXJ: what has no place is counted, so that it
// can be told.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/cdx/capture.h"
#include "caddis/io/files.h"

namespace caddis::cdx {

enum class LineForm { cdxj, cdx9, cdx10, cdx11, cdx14 };

inline constexpr std::string_view kLineForms = "cdxj, cdx9, cdx10, cdx11 or cdx14";
Result<LineForm> parse_line_form(std::string_view name);
std::string_view name_of(LineForm form);
// " CDX N b a m s k r M S V g", without line end; empty for CDXJ, which has none.
std::string legend_of(LineForm form);

// Fields that had no place in the form: the name of each, and in how many lines.
using LostFields = std::map<std::string, uint64_t>;
// "cdx9 has no place for length (12 lines), method (1 line)"; empty if nothing was lost.
std::string lost_in_words(LineForm form, const LostFields& lost);

// The line of a capture, without line end. What it cannot hold is added to `lost`.
std::string line_in(LineForm form, const Capture& capture, LostFields& lost);

// ErrorCode::conflict if that index is there, and has lines of another form.
Result<void> check_line_form(io::Files& files, const std::string& index, LineForm form);

// Lines of all `inputs`, which have that form, sorted by their bytes into `output`, the legend before them, identical lines
// once. `output` appears whole or not at all. Inputs that are not there count as empty. Gives the number of captures.
Result<uint64_t> sort_in_form(io::Files& files, const std::vector<std::string>& inputs, const std::string& output,
                              LineForm form, size_t memory = 256u << 20);

struct ConvertOptions {
  std::string output;                            // must not be there
  size_t memory = 256u << 20;                    // of lines that are sorted at once
  std::function<void(uint64_t lines)> progress;  // called now and then
};
// Writes an index anew in another form, under the same keys. Gives the number of captures. ErrorCode::conflict where the
// output exists; ErrorCode::parse for a line that cannot be read.
Result<uint64_t> convert_index(io::Files& files, const std::string& index, LineForm form, const ConvertOptions& options,
                               LostFields& lost);

}  // namespace caddis::cdx
