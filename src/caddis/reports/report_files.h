// A report as files: <folder>/<name>.txt, .json and .csv, all from one pass over its rows, each there as a whole or not
// at all. Blocks. The names are durable when the caller has synced the folder.
#pragma once

#include <span>
#include <string>

#include "caddis/base/error.h"
#include "caddis/io/files.h"
#include "caddis/reports/report.h"
#include "caddis/reports/report_writer.h"

namespace caddis::reports {

// `also` is called for each row, too, if it is there. `formats`: only these files; others are left as they are.
Result<void> write_files(io::Files& files, const std::string& folder, const Report& report,
                         const RowCall& also = nullptr, std::span<const Format> formats = kFormats);

}  // namespace caddis::reports
