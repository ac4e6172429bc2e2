// Where each file of the archive is kept, and how it was found there: a row for each file and store. The archive itself is the
// store "archive".
//
//   wanted → stored        missing, wrong → wanted (on request) → stored
//
// Functions of a transaction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/harvest/edit.h"
#include "caddis/sql/connection.h"

namespace caddis::harvest {

inline constexpr std::string_view kArchiveStore = "archive";

struct Copy {
  int64_t file = 0, job = 0;
  std::string store, state;  // "wanted", "stored", "missing", "wrong"
  std::string name, kind, sha256;
  int64_t bytes = 0, checked = 0;
  bool was_read = false;  // now: it, or that it is not there
  std::string found;      // the digest as it lies there, if it was read
  std::string problem;    // why it is not as it should be
};

// Files behind that id become wanted in the stores, and are stored in the archive, if they were not known there; their digest
// was checked when they were delivered. Returns the id behind which to look the next time.
Result<int64_t> notice_new_files(sql::Connection& connection, const std::vector<std::string>& stores, int64_t after);
// Copies that are to be made, and have not been tried since.
Result<std::vector<Copy>> copies_wanted(sql::Connection& connection, const std::vector<std::string>& stores,
                                        int64_t tried_before, int64_t limit);
// Copies that were last read before that time, and have not been tried since the other.
Result<std::vector<Copy>> copies_to_check(sql::Connection& connection, const std::vector<std::string>& stores,
                                          int64_t checked_before, int64_t tried_before, int64_t limit);
// The stores in which the file is as it should be, as far as is known.
Result<std::vector<std::string>> stores_with(sql::Connection& connection, int64_t file);
// Keeps state, found, problem and the time: that of a try, and if it was read, that of a check.
Result<void> record_copy(sql::Connection& connection, const Copy& copy, int64_t now);

struct StoreTotals {
  std::string name;
  int64_t stored = 0, wanted = 0, missing = 0, wrong = 0, bytes = 0;
  int64_t oldest_check = 0;
};
Result<StoreTotals> totals_of(sql::Connection& connection, const std::string& store);
// By file, behind `after`; `state` empty: all that is not stored.
Result<std::vector<Copy>> list_copies(sql::Connection& connection, std::string_view store, std::string_view state,
                                      int64_t after, int64_t limit);
// A file of the store is looked at as soon as may be, if it is taken for whole.
Result<void> check_soon(sql::Connection& connection, std::string_view store, std::string_view name);
// All files of the store are looked at anew. Returns how many.
Result<int64_t> check_all(sql::Connection& connection, std::string_view store, const Edit& edit);
struct Repairs {
  int64_t files = 0;  // that will be put there again
  int64_t left = 0;   // that no other store has whole
};
// Files that are missing or wrong are to be put there again, from another of the stores.
Result<Repairs> repair_all(sql::Connection& connection, std::string_view store, const std::vector<std::string>& stores,
                           const Edit& edit);

}  // namespace caddis::harvest
