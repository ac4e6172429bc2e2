#include "caddis/harvest/edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"

namespace caddis::harvest {
namespace {

constexpr size_t kLongestName = 200;
constexpr size_t kLongestValue = 1000;  // of a field, as it is kept
constexpr size_t kMostFields = 100;     // of a change

// Not in the middle of a character.
std::string cut(std::string_view text) {
  if (text.size() <= kLongestValue) return std::string(text);
  size_t end = kLongestValue;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return fmt::format("{}… ({} bytes)", text.substr(0, end), text.size());
}

// The lines of one text that the other has not.
std::string lines_without(std::string_view text, std::string_view other) {
  std::set<std::string_view> known;
  for (const std::string_view line : split(other, '\n')) known.insert(trim(line));
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    if (!trim(line).empty() && !known.contains(trim(line))) out += (out.empty() ? "" : "\n") + std::string(trim(line));
  return out;
}

}  // namespace

void FieldChanges::add(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after || fields_.size() >= kMostFields) return;
  const bool has_lines = before.contains('\n') || after.contains('\n');
  std::string gone = has_lines ? lines_without(before, after) : std::string(before);
  std::string come = has_lines ? lines_without(after, before) : std::string(after);
  // Another order of the same lines.
  if (gone.empty() && come.empty() && has_lines) {
    gone = before;
    come = after;
  }
  fields_.push_back({std::string(name), cut(gone), cut(come)});
}

void FieldChanges::add(std::string_view name, int64_t before, int64_t after) {
  add(name, std::to_string(before), std::to_string(after));
}

void FieldChanges::add_secret(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after || fields_.size() >= kMostFields) return;
  fields_.push_back({std::string(name), before.empty() ? "" : "(hidden)", after.empty() ? "" : "(hidden)"});
}

std::string FieldChanges::to_json() const {
  std::string json;
  for (const Field& field : fields_)
    json += (json.empty() ? "" : ",") +
            JsonObject().add("name", field.name).add("before", field.before).add("after", field.after).finish();
  return "[" + json + "]";
}

std::string FieldChanges::names() const {
  std::string names;
  for (const Field& field : fields_) names += (names.empty() ? "" : ", ") + field.name;
  return names;
}

Result<void> record_change(sql::Connection& connection, const Edit& edit, std::string_view kind, std::string_view name,
                           std::string_view what, const FieldChanges& fields) {
  return connection.execute("INSERT INTO changes (time, who, kind, name, what, fields) VALUES (?, ?, ?, ?, ?, ?)",
                            sql::Values(edit.now, edit.who, kind, name, what, fields.to_json()));
}

Result<std::vector<Change>> changes_of(sql::Connection& connection, std::string_view kind, std::string_view name,
                                       int64_t limit, int64_t before) {
  std::string sql = "SELECT id, time, who, kind, name, what, fields FROM changes WHERE id < ?";
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
    changes.push_back({row.number(0), row.number(1), row.text(2), row.text(3), row.text(4), row.text(5), row.text(6)});
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
