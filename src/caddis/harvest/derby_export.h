// Reads the rows of tables that Derby, the embedded database of NetarchiveSuite, has exported
// (SYSCS_UTIL.SYSCS_EXPORT_TABLE): a folder with a file for each table, "domains.csv" or "APP.DOMAINS.del".
//
//   domain_id,name,comments,defaultconfig,crawlertraps,edition,alias,lastaliasupdate
//   1,"news.example","the ""paper""",11,,3,,"2024-05-06 07:08:09.0"
//
// Fields stand between commas, texts in quotes, within which a quote is doubled and lines may end; a field without value is
// empty. Derby writes no names of columns, and their order is not the same in all databases of NetarchiveSuite (one that was
// upgraded has those that were added at the end). So the first line has to name them; docs/harvesting.md shows how.
//
// Rows are read one by one, from the beginning of a file for each call. Any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/harvest/pg_dump.h"
#include "caddis/io/files.h"

namespace caddis::harvest {

// Calls `use` for each row of the table; the line of a row is that in which it begins. Rows of more than 64 MiB are passed
// over, and told by `too_long`. A table without a file has no rows. ErrorCode::corrupt for a first line that does not name the
// columns, names one that NetarchiveSuite does not have or leaves out one that is read; for a row that has not as many fields
// as there are columns, or that never ends. Tables that no import reads need no names.
Result<void> each_exported_row(io::Files& files, const std::string& folder, std::string_view table,
                               const std::function<Result<void>(const DumpRow&)>& use,
                               const std::function<void(int64_t line)>& too_long);
// How many rows each table has. ErrorCode::corrupt if the folder has not what an import needs.
Result<std::map<std::string, int64_t>> exported_tables(io::Files& files, const std::string& folder);

}  // namespace caddis::harvest
