#include "caddis/settings/value.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "caddis/base/strings.h"
#include "caddis/base/time_format.h"

namespace caddis::settings {
namespace {

// ErrorCode::config for all: whoever wrote the text has to change it.
std::unexpected<Error> refuse(std::string message) { return fail(ErrorCode::config, std::move(message)); }

Result<Value> read_boolean(std::string_view text) {
  for (std::string_view yes : {"true", "yes", "on"}) {
    if (equals_ignore_case(text, yes)) return true;
  }
  for (std::string_view no : {"false", "no", "off"}) {
    if (equals_ignore_case(text, no)) return false;
  }
  return refuse(fmt::format("'{}' is neither true nor false", text));
}

Result<Value> read_integer(std::string_view text) {
  if (auto number = parse_int(text)) return *number;
  return refuse(fmt::format("'{}' is not a whole number", text));
}

Result<Value> read_real(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(number)) return number;
  return refuse(fmt::format("'{}' is not a number", text));
}

Result<Value> read_duration(std::string_view text) {
  auto duration = parse_duration(text);
  if (duration) return *duration;
  if (!text.empty() && is_digit(text.back())) return refuse(std::move(duration.error().message));
  return refuse(fmt::format("'{}' is not a duration; write it as 250ms, 30s, 1h30m or 2d", text));
}

Result<Value> read_bytes(std::string_view text) {
  if (auto size = parse_size(text)) return static_cast<int64_t>(*size);
  return refuse(fmt::format("'{}' is not a size; write it as 500KB, 64MiB or 4GB", text));
}

Result<Value> read_choice(std::string_view text, const std::vector<Choice>& choices) {
  std::vector<std::string> names;
  for (const Choice& choice : choices) {
    if (choice.name == text) return choice.value;
    names.emplace_back(choice.name);
  }
  const std::string near = nearest_name(text, names);
  return refuse(fmt::format("'{}' is none of {}{}", text, fmt::join(names, ", "),
                            near.empty() ? "" : fmt::format("; did you mean '{}'?", near)));
}

// Sizes that are no round multiple are written as plain bytes, so that reading gives the same number again.
std::string write_bytes(int64_t bytes) {
  for (auto [unit, size] : {std::pair("GB", 1'000'000'000LL),
                            {"GiB", 1LL << 30},
                            {"MB", 1'000'000},
                            {"MiB", 1 << 20},
                            {"KB", 1000},
                            {"KiB", 1024}}) {
    if (bytes >= size && bytes % size == 0) return fmt::format("{}{}", bytes / size, unit);
  }
  return std::to_string(bytes);
}

std::string write_choice(int64_t value, const std::vector<Choice>& choices) {
  for (const Choice& choice : choices) {
    if (choice.value == value) return std::string(choice.name);
  }
  return std::to_string(value);
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::boolean:
      return "true or false";
    case Kind::integer:
      return "whole number";
    case Kind::real:
      return "number";
    case Kind::text:
      return "text";
    case Kind::list:
      return "list of texts";
    case Kind::duration:
      return "duration";
    case Kind::bytes:
      return "size";
    case Kind::choice:
      return "choice";
  }
  return "";
}

Result<Value> read_value(Kind kind, std::string_view text, const std::vector<Choice>& choices) {
  switch (kind) {
    case Kind::boolean:
      return read_boolean(text);
    case Kind::integer:
      return read_integer(text);
    case Kind::real:
      return read_real(text);
    case Kind::text:
      return std::string(text);
    case Kind::list:
      return std::vector<std::string>{std::string(text)};
    case Kind::duration:
      return read_duration(text);
    case Kind::bytes:
      return read_bytes(text);
    case Kind::choice:
      return read_choice(text, choices);
  }
  return refuse("unknown kind of setting");
}

std::string write_value(Kind kind, const Value& value, const std::vector<Choice>& choices) {
  if (std::holds_alternative<std::monostate>(value)) return "";
  switch (kind) {
    case Kind::boolean:
      return std::get<bool>(value) ? "true" : "false";
    case Kind::integer:
      return std::to_string(std::get<int64_t>(value));
    case Kind::real:
      return fmt::format("{}", std::get<double>(value));
    case Kind::text:
      return std::get<std::string>(value);
    case Kind::list:
      return fmt::format("{}", fmt::join(std::get<std::vector<std::string>>(value), "\n"));
    case Kind::duration:
      return format_duration(std::get<Duration>(value));
    case Kind::bytes:
      return write_bytes(std::get<int64_t>(value));
    case Kind::choice:
      return write_choice(std::get<int64_t>(value), choices);
  }
  return "";
}

}  // namespace caddis::settings
