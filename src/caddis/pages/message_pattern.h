// A text with placeholders, in a part of ICU's message format:
//
//   "{url} is not in the archive"
//   "{count, plural, one {# capture} other {# captures}}"
//
// '#' is the number in the locale's digits. Pure, any thread.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "caddis/base/error.h"
#include "caddis/pages/data.h"
#include "caddis/pages/language.h"

namespace caddis::pages {

class MessagePattern {
 public:
  // ErrorCode::parse with what is wrong with it.
  static Result<MessagePattern> parse(std::string_view text);

  // `values` has the placeholders by name; one that is missing is empty.
  std::string fill(const Data& values, const Language& language) const;
  // Names of the placeholders.
  std::set<std::string> placeholders() const;

 private:
  struct Part {
    std::string text;              // as it stands, if `name` is empty
    std::string name;              // of a placeholder
    bool is_plural = false;        // of which:
    std::vector<Part> one, other;  // the forms
    bool is_number = false;        // '#': the number of the plural around it
  };
  class Parser;
  static void fill(const std::vector<Part>& parts, const Data& values, const Language& language,
                   const std::string& number, std::string& out);
  static void collect(const std::vector<Part>& parts, std::set<std::string>& names);

  std::vector<Part> parts_;
};

}  // namespace caddis::pages
