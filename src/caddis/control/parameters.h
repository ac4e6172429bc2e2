// The query of a request: "host=a.example&regex=%5C.pdf%24&limit=50". Percent-encoded; "+" stands for itself. Every
// error is ErrorCode::parse and says what was given, and what may be.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"

namespace caddis::control {

class Parameters {
 public:
  Parameters() = default;
  // Refuses names that are not among `known` (blank-separated).
  static Result<Parameters> parse(std::string_view query, std::string_view known);

  bool empty() const { return values_.empty(); }
  bool contains(std::string_view name) const { return values_.contains(name); }
  // Nothing if it was not given.
  std::optional<std::string> find(std::string_view name) const;
  // Empty if it was not given.
  std::string text(std::string_view name) const { return find(name).value_or(""); }
  // "1", "true", "yes" or nothing after the name; "0", "false", "no".
  Result<bool> flag(std::string_view name, bool otherwise) const;
  // `limit`: 1 to 10,000, and 100 if it was not given.
  Result<size_t> limit() const;

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

}  // namespace caddis::control
