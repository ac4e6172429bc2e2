// The remarks on a value, beside whether it can be read: three levels, as in Heritrix.
//
//   info     said when a crawl starts with it, and wherever somebody sets or asks for it
//   warning  fine in a profile or a file that others extend; no crawl starts with it
//   severe   refused wherever it is given, as are ranges, choices and checks of rows
//
// Immutable parts of tables; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"

namespace caddis::settings {

struct Field;

enum class Severity { info, warning, severe };
std::string_view to_string(Severity severity);

// Broken by a value outside its bounds, by the value that it names, or by a text (an item of a list) that its pattern
// does not match whole. Values are written as users write them. What is not set, and an empty text, break none.
struct Constraint {
  Severity severity = Severity::info;
  std::string_view min = {}, max = {};
  std::string_view unlike = {};
  std::string_view pattern = {};  // RE2
  std::string_view text = {};     // what is wrong with such a value: "is no mail address"
  bool of_others = false;         // of crawls that visit sites of others, not this machine alone
};

// Whether a written value breaks it.
bool is_broken(const Constraint& constraint, const Field& field, std::string_view written);

}  // namespace caddis::settings
