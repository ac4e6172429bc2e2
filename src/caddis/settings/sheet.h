// A sheet: values that count for parts of the web only, as crawl.yaml says them. What the parts are is not understood
// here: caddis/scope/sheets.h makes a table of them.
//
//   sheets:
//     gentle:
//       sites: [example.org]
//       settings:
//         politeness: {delay: 10s}
//
// Plain values; they belong to the caller.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/settings/sections.h"

namespace caddis::settings {

// Values of some fields, to be laid over structs.
class Overlay {
 public:
  struct Entry {
    const Schema* schema;
    const Field* field;
    Value value;
    bool operator==(const Entry&) const = default;
  };

  // In place of what was set before.
  void set(const Schema& schema, const Field& field, Value value);
  // False if it did not set that field.
  bool unset(const Field& field);
  // Fields of schemas that `into` lacks are left out.
  void lay_over(const Sections& into) const;
  const std::vector<Entry>& entries() const { return entries_; }
  bool empty() const { return entries_.empty(); }
  // Whether it sets anything of that section.
  bool touches(const Schema& schema) const;
  bool operator==(const Overlay&) const = default;

 private:
  std::vector<Entry> entries_;
};

struct Sheet {
  std::string name;
  std::vector<std::string> sites;  // hosts, URL prefixes, SURT prefixes; empty: all
  std::vector<std::string> urls;   // RE2; empty: all URLs of the sites
  Overlay values;
  std::vector<std::string> times = {};  // spans of time; empty: at all times
  std::string when = {};                // a condition about the URL, as rules write it; empty: all URLs of the sites

  bool operator==(const Sheet&) const = default;
};

// As they are written.
using Sheets = std::vector<Sheet>;

// Which of several sheets that set the same counts.
enum class SheetOrder {
  written,   // the later one
  specific,  // the one for the longer part of hosts and paths; of those for the same part the later one
};

// ErrorCode::config if a sheet cannot have that name: it is a word.
Result<void> check_sheet_name(std::string_view name);

// The differences, live or not: "sheets: politeness", "delay", "10s for a.test", "in no sheet".
std::vector<Change> diff(const Sheets& before, const Sheets& after);
// For resuming: what differs, if only live settings do; otherwise an error that names those that may not.
Result<std::vector<Change>> allowed_changes(const Sheets& before, const Sheets& after);

}  // namespace caddis::settings
