// The record of changes: who has changed something, and when. Each object that people edit has an edition: whoever saves it
// says which one they have seen, and is refused if another has come meanwhile.
//
// Any thread; the connection's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

struct Edit {
  std::string who;
  int64_t now = 0;  // seconds
};

struct Change {
  int64_t id = 0, time = 0;
  std::string who, kind, name, what;
};

// `kind`: "domain", "schedule", …; `what`: "created", "changed: traps", …
Result<void> record_change(sql::Connection& connection, const Edit& edit, std::string_view kind, std::string_view name,
                           std::string_view what);
// The latest first; of all objects if `kind` is empty, of all of a kind if `name` is. `before`: ids below; 0: all.
Result<std::vector<Change>> changes_of(sql::Connection& connection, std::string_view kind, std::string_view name,
                                       int64_t limit, int64_t before = 0);

// ErrorCode::conflict if another has saved it meanwhile, which is told by `changed` rows.
Result<void> require_changed(uint64_t changed, std::string_view kind, std::string_view name);
// ErrorCode::config for what cannot be a name: empty, too long, with controls or a slash.
Result<void> check_name(std::string_view name, std::string_view kind);
// "?, ?, ?"
std::string question_marks(size_t count);

}  // namespace caddis::harvest
