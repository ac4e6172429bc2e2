#include "caddis/settings/constraint.h"

#include <re2/re2.h>

#include "caddis/base/check.h"
#include "caddis/settings/schema.h"

namespace caddis::settings {
namespace {

bool is_outside(const Constraint& constraint, const Field& field, std::string_view written) {
  if (constraint.min.empty() && constraint.max.empty()) return false;
  const auto read = [&](std::string_view text) { return read_value(field.kind, text, field.row.choices); };
  const auto value = read(written);
  if (!value) return false;
  return (!constraint.min.empty() && *value < *read(constraint.min)) ||
         (!constraint.max.empty() && *read(constraint.max) < *value);
}

bool is_unmatched(const Constraint& constraint, std::string_view written) {
  if (constraint.pattern.empty()) return false;
  const re2::RE2 pattern(constraint.pattern, re2::RE2::Quiet);
  CADDIS_CHECK(pattern.ok());
  return !re2::RE2::FullMatch(written, pattern);
}

}  // namespace

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::severe:
      return "severe";
  }
  return "";
}

bool is_broken(const Constraint& constraint, const Field& field, std::string_view written) {
  if (written.empty()) return false;
  return is_outside(constraint, field, written) || (!constraint.unlike.empty() && written == constraint.unlike) ||
         is_unmatched(constraint, written);
}

}  // namespace caddis::settings
