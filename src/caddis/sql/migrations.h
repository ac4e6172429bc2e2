// Brings a database to the newest version of its schema, step by step. Each step is done in a transaction of its own, with
// its number, so that a step is done wholly, and once, whoever else does the same at the same time.
//
// Statements are written for both databases; {id} stands for the type of a key that is given by the database.
#pragma once

#include <span>
#include <string_view>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"
#include "caddis/sql/database.h"

namespace caddis::sql {

struct Migration {
  int version = 0;  // 1, 2, 3 …
  std::string_view name;
  std::string_view statements;  // each ends with ";" and a line end
};

// Returns the version that it has now. ErrorCode::unsupported if the database is newer than the last of the migrations.
Result<int> migrate(Database& database, std::span<const Migration> migrations, const Clock& clock);

}  // namespace caddis::sql
