// The record of changes: who has changed something, and when. Each object that people edit has an edition: whoever saves it
// says which one they have seen, and is refused if another has come meanwhile.
//
// Any thread; the connection's.
#pragma once

#include <concepts>
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
  std::string fields;  // FieldChanges as JSON: [{"name": …, "before": …, "after": …}]
};

// The fields that an edit has changed, with what stood there before and after. Of texts with several lines, the lines that went
// and came. Long values are cut. Secrets are not to be given: `add_secret` tells that one has changed, and not into what.
class FieldChanges {
 public:
  // Does nothing if both are the same.
  void add(std::string_view name, std::string_view before, std::string_view after);
  void add(std::string_view name, int64_t before, int64_t after);
  // Takes bools alone: a literal is a text.
  template <std::same_as<bool> Flag>
  void add(std::string_view name, Flag before, Flag after) {
    add(name, std::string_view(before ? "yes" : "no"), std::string_view(after ? "yes" : "no"));
  }
  void add_secret(std::string_view name, std::string_view before, std::string_view after);
  bool is_empty() const { return fields_.empty(); }
  // "[]" if nothing has changed.
  std::string to_json() const;
  // "comments, traps"
  std::string names() const;

 private:
  struct Field {
    std::string name, before, after;
  };
  std::vector<Field> fields_;
};

// `kind`: "domain", "schedule", …; `what`: "created", "changed", …
Result<void> record_change(sql::Connection& connection, const Edit& edit, std::string_view kind, std::string_view name,
                           std::string_view what, const FieldChanges& fields = {});
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
