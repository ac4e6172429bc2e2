// The schema of the database of harvests, step by step (docs/formats/harvest-db.md).
#pragma once

#include <span>

#include "caddis/sql/migrations.h"

namespace caddis::harvest {

// A step that was released is never changed; another one follows it.
std::span<const sql::Migration> schema_steps();

}  // namespace caddis::harvest
