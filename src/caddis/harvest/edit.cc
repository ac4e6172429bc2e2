#include "caddis/harvest/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "caddis/base/strings.h"

namespace caddis::harvest {
namespace {

constexpr size_t kLongestName = 200;

}  // namespace

Result<void> record_change(sql::Connection& connection, const Edit& edit, std::string_view kind, std::string_view name,
                           std::string_view what) {
  return connection.execute("INSERT INTO changes (time, who, kind, name, what) VALUES (?, ?, ?, ?, ?)",
                            sql::Values(edit.now, edit.who, kind, name, what));
}

Result<std::vector<Change>> changes_of(sql::Connection& connection, std::string_view kind, std::string_view name,
                                       int64_t limit, int64_t before) {
  std::string sql = "SELECT id, time, who, kind, name, what FROM changes WHERE id < ?";
  sql::Values values(before > 0 ? before : std::numeric_limits<int64_t>::max());
  if (!kind.empty()) {
    sql += " AND kind = ?";
    values.add(kind);
    if (!name.empty()) {
      sql += " AND name = ?";
      values.add(name);
    }
  }
  values.add(limit);
  std::vector<Change> changes;
  TRY_VOID(connection.each(sql + " ORDER BY id DESC LIMIT ?", values, [&](const sql::Row& row) {
    changes.push_back({row.number(0), row.number(1), row.text(2), row.text(3), row.text(4), row.text(5)});
  }));
  return changes;
}

Result<void> require_changed(uint64_t changed, std::string_view kind, std::string_view name) {
  if (changed > 0) return {};
  return fail(ErrorCode::conflict,
              fmt::format("somebody else has changed the {} '{}' meanwhile: look at it again, then save", kind, name));
}

Result<void> check_name(std::string_view name, std::string_view kind) {
  const bool is_strange = std::ranges::any_of(name, [](char c) { return (c >= 0 && c < ' ') || c == 127 || c == '/'; });
  if (!name.empty() && name.size() <= kLongestName && !is_strange && trim(name) == name) return {};
  return fail(ErrorCode::config,
              fmt::format("the name of a {} is a line of up to {} characters, without a slash", kind, kLongestName));
}

std::string question_marks(size_t count) {
  std::string marks;
  for (size_t i = 0; i < count; ++i) marks += i == 0 ? "?" : ", ?";
  return marks;
}

}  // namespace caddis::harvest
