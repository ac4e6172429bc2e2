// The import of a database of NetarchiveSuite (a plain dump of PostgreSQL, or a folder of tables exported from Derby; schema
// of 5.x to 8.1): templates, channels,
// schedules, domains with all that belongs to them, harvests, fields, jobs and what they brought.
//
// No row is left out in silence: what cannot be taken is told by table and line. All or nothing is written, in one
// transaction. Harvests come deactivated: two programmes must not run the same ones.
//
// Blocks; memory is that of the ids of rows.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/io/files.h"
#include "caddis/sql/database.h"

namespace caddis::harvest {

struct NasProblem {
  std::string table;
  int64_t line = 0;  // of the dump, or of the file of the table; 0: of the table as a whole
  std::string text;
};

struct NasReport {
  std::map<std::string, int64_t> in_dump, taken;  // rows by table
  std::vector<NasProblem> problems;
};

struct NasOptions {
  std::string dump;          // a file (pg_dump.h), or a folder (derby_export.h)
  std::string zone = "UTC";  // of the machine of NetarchiveSuite: its dates have none
  bool only_tries = false;   // nothing is written
};

// ErrorCode::conflict if the archive has domains or jobs already: numbers of jobs are kept, as files are named after them.
Result<NasReport> import_nas_database(io::Files& files, sql::Database& database, const NasOptions& options,
                                      const Edit& edit);

}  // namespace caddis::harvest
