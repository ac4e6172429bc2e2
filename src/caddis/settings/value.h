// One setting's value, apart from the struct it lives in: read from text, checked, written back.
//
// Text forms: `true`/`false` (also yes/no, on/off), decimal numbers, durations as "1h30m" (base/time_format.h), sizes
// as "4GB", choices by name. `write_value(read_value(x))` is the value again for every kind. Pure functions, any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "caddis/base/clock.h"
#include "caddis/base/error.h"

namespace caddis::settings {

enum class Kind { boolean, integer, real, text, list, duration, bytes, choice };
std::string_view to_string(Kind kind);

// What a field of each kind holds: monostate an optional that is not set; int64_t integer, bytes and choice.
using Value = std::variant<std::monostate, bool, int64_t, double, std::string, std::vector<std::string>, Duration>;

// A name for an enum's value. The first name of a value is the one written; others are aliases.
struct Choice {
  std::string_view name;
  int64_t value = 0;
};
template <class E>
  requires std::is_enum_v<E>
constexpr Choice choice(std::string_view name, E value) {
  return {name, static_cast<int64_t>(value)};
}

// Reads `text` as a `kind`; the error says what would be valid, without naming the setting.
Result<Value> read_value(Kind kind, std::string_view text, const std::vector<Choice>& choices);
// The text form; "" for an optional that is not set, list items on lines of their own.
std::string write_value(Kind kind, const Value& value, const std::vector<Choice>& choices);

}  // namespace caddis::settings
