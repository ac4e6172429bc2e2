#include "caddis/harvest/copies.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

namespace caddis::harvest {
namespace {

using sql::Connection;
using sql::Row;
using sql::Values;

// Rows of transactions that end late may come with ids that are so much lower.
constexpr int64_t kLate = 10'000;

constexpr std::string_view kCopy =
    "SELECT c.file_id, f.job_id, c.store, c.state, f.name, f.kind, f.sha256, f.bytes, c.checked, c.sha256, c.problem "
    "FROM copies c JOIN stored_files f ON f.id = c.file_id";

Copy copy_of(const Row& row) {
  Copy copy;
  copy.file = row.number(0);
  copy.job = row.number(1);
  copy.store = row.text(2);
  copy.state = row.text(3);
  copy.name = row.text(4);
  copy.kind = row.text(5);
  copy.sha256 = row.text(6);
  copy.bytes = row.number(7);
  copy.checked = row.number(8);
  copy.found = row.text(9);
  copy.problem = row.text(10);
  return copy;
}

Result<std::vector<Copy>> copies(Connection& c, std::string_view rest, const Values& values) {
  std::vector<Copy> found;
  TRY_VOID(c.each(fmt::format("{} {}", kCopy, rest), values, [&](const Row& row) { found.push_back(copy_of(row)); }));
  return found;
}

Values values_of_stores(const std::vector<std::string>& stores) {
  Values values;
  for (const std::string& store : stores) values.add(store);
  return values;
}

// Copies in these stores for which a condition holds; `bound` are its values.
Result<std::vector<Copy>> copies_in(Connection& c, const std::vector<std::string>& stores, std::string_view condition,
                                    std::initializer_list<int64_t> bound) {
  if (stores.empty()) return std::vector<Copy>();
  Values values = values_of_stores(stores);
  for (const int64_t each : bound) values.add(each);
  return copies(c, fmt::format("WHERE c.store IN ({}) AND {}", question_marks(stores.size()), condition), values);
}

}  // namespace

Result<int64_t> notice_new_files(Connection& c, const std::vector<std::string>& stores, int64_t after) {
  TRY(const int64_t last, c.number("SELECT coalesce(max(id), 0) FROM stored_files"));
  for (const std::string& store : stores) {
    const bool is_archive = store == kArchiveStore;
    TRY_VOID(c.execute(
        fmt::format("INSERT INTO copies (file_id, store, state, sha256, checked, tried, problem) "
                    "SELECT f.id, CAST(? AS TEXT), '{}', '', {}, 0, '' FROM stored_files f "
                    "WHERE f.id > ? AND NOT EXISTS (SELECT 1 FROM copies c WHERE c.file_id = f.id AND c.store = ?)",
                    is_archive ? "stored" : "wanted", is_archive ? "f.time" : "0"),
        Values(store, after, store)));
  }
  return std::max<int64_t>(0, last - kLate);
}

Result<std::vector<Copy>> copies_wanted(Connection& c, const std::vector<std::string>& stores, int64_t tried_before,
                                        int64_t limit) {
  return copies_in(c, stores, "c.state = 'wanted' AND c.tried < ? ORDER BY c.tried, c.file_id LIMIT ?",
                   {tried_before, limit});
}

Result<std::vector<Copy>> copies_to_check(Connection& c, const std::vector<std::string>& stores, int64_t checked_before,
                                          int64_t tried_before, int64_t limit) {
  return copies_in(c, stores,
                   "c.state <> 'wanted' AND c.checked < ? AND c.tried <= ? "
                   "ORDER BY c.tried, c.checked, c.file_id LIMIT ?",
                   {checked_before, tried_before, limit});
}

Result<std::vector<std::string>> stores_with(Connection& c, int64_t file) {
  std::vector<std::string> stores;
  TRY_VOID(c.each("SELECT store FROM copies WHERE file_id = ? AND state = 'stored' ORDER BY store", Values(file),
                  [&](const Row& row) { stores.push_back(row.text(0)); }));
  return stores;
}

Result<void> record_copy(Connection& c, const Copy& copy, int64_t now) {
  return c.execute(
      "UPDATE copies SET state = ?, sha256 = ?, problem = ?, checked = CASE WHEN ? = 1 THEN ? ELSE checked END, "
      "tried = ? WHERE file_id = ? AND store = ?",
      Values(copy.state, copy.found, copy.problem, copy.was_read, now, now, copy.file, copy.store));
}

Result<StoreTotals> totals_of(Connection& c, const std::string& store) {
  StoreTotals totals;
  totals.name = store;
  TRY_VOID(
      c.each("SELECT c.state, count(*), coalesce(sum(f.bytes), 0), coalesce(min(c.checked), 0) FROM copies c "
             "JOIN stored_files f ON f.id = c.file_id WHERE c.store = ? GROUP BY c.state",
             Values(store), [&](const Row& row) {
               const std::string state = row.text(0);
               const int64_t count = row.number(1);
               if (state == "wanted") totals.wanted = count;
               if (state == "missing") totals.missing = count;
               if (state == "wrong") totals.wrong = count;
               if (state != "stored") return;
               totals.stored = count;
               totals.bytes = row.number(2);
               totals.oldest_check = row.number(3);
             }));
  return totals;
}

Result<std::vector<Copy>> list_copies(Connection& c, std::string_view store, std::string_view state, int64_t after,
                                      int64_t limit) {
  return copies(c,
                "WHERE c.store = ? AND ((? = '' AND c.state <> 'stored') OR c.state = ?) AND c.file_id > ? "
                "ORDER BY c.file_id LIMIT ?",
                Values(store, state, state, after, limit));
}

Result<void> check_soon(Connection& c, std::string_view store, std::string_view name) {
  return c.execute(
      "UPDATE copies SET checked = 0, tried = 0 WHERE store = ? AND state = 'stored' AND file_id IN "
      "(SELECT id FROM stored_files WHERE name = ?)",
      Values(store, name));
}

Result<int64_t> check_all(Connection& c, std::string_view store, const Edit& edit) {
  TRY(const uint64_t count,
      c.run("UPDATE copies SET checked = 0 WHERE store = ? AND state <> 'wanted'", Values(store)));
  TRY_VOID(record_change(c, edit, "store", store, fmt::format("is checked: {} files", count)));
  return static_cast<int64_t>(count);
}

Result<Repairs> repair_all(Connection& c, std::string_view store, const std::vector<std::string>& stores,
                           const Edit& edit) {
  Values values(store);
  for (const std::string& one : stores) values.add(one);
  TRY(const uint64_t count,
      c.run(
          fmt::format("UPDATE copies SET state = 'wanted', tried = 0 WHERE store = ? AND state IN ('missing', 'wrong') "
                      "AND EXISTS (SELECT 1 FROM copies o WHERE o.file_id = copies.file_id AND o.state = 'stored' "
                      "AND o.store IN ({}))",
                      question_marks(stores.size())),
          values));
  TRY(const int64_t left,
      c.number("SELECT count(*) FROM copies WHERE store = ? AND state IN ('missing', 'wrong')", Values(store)));
  TRY_VOID(record_change(c, edit, "store", store,
                         fmt::format("is repaired: {} files; {} that no other store has whole are left", count, left)));
  return Repairs{static_cast<int64_t>(count), left};
}

}  // namespace caddis::harvest
