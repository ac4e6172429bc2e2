// The table behind a settings struct: one row a field. Everything else follows from the row: YAML, command-line
// options, range checks, "did you mean", JSON Schema, the reference page, what may change while a crawl runs.
//
//   struct PolitenessSettings {                          // politeness.h: plain, typed, defaults written once
//     double delay_factor = 5;
//     Duration min_delay = std::chrono::seconds(3);
//   };
//   namespace caddis::settings {                         // same header: only the declaration
//   template <> const Schema& schema_of<crawl::PolitenessSettings>();
//   }
//
//   template <> const Schema& schema_of<crawl::PolitenessSettings>() {       // politeness.cc
//     using S = crawl::PolitenessSettings;
//     static const Schema schema("politeness", "How gently hosts are visited.", {
//         field<&S::delay_factor>("delay-factor", "Wait this many times as long as the last fetch took.",
//                                 {.flags = kSheet | kLive, .min = "0", .max = "1000"}),
//         field<&S::min_delay>("min-delay", "Wait at least this long between two fetches from a host.",
//                              {.flags = kSheet | kLive, .min = "0s", .max = "1h"}),
//     });
//     return schema;
//   }
//
// Field types: bool, integers, double, std::string, std::vector<std::string>, Duration, enums (with choices), and
// std::optional of the scalars (empty text or YAML null: not set). A schema is immutable once built, usable from any
// thread, and lives as long as the process; names and docs are literals. A wrong table (doc without full stop, default
// outside its own range, a name twice) is a broken invariant and ends the process at first use.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "caddis/settings/checks.h"
#include "caddis/settings/constraint.h"
#include "caddis/settings/value.h"

namespace caddis::settings {

enum Flag : unsigned {
  kSheet = 1,   // a sheet may set it, for the URLs for which it holds
  kLive = 2,    // may change while the crawl runs, and on resuming
  kExpert = 4,  // hidden from short listings
  kSecret = 8,  // never shown, not even in parts
  // A list of lines "KEY: value". A sheet adds its lines to those there are; they take the place of lines with the same
  // key, whatever its case, and "KEY:" alone takes those away. An empty list takes all away.
  kKeyed = 32,
  kHostSheet = 16  // a sheet may set it, for the hosts for which it holds: what is of a host cannot differ by URL
};

// The unit of an integer that counts bytes: it is then written as a size ("4GB").
inline constexpr std::string_view kBytes = "bytes";

// What a row says besides its name and doc. Bounds are written in the field's own text form ("100ms", "4GB", "20").
struct RowOptions {
  unsigned flags = 0;
  std::string_view unit = {};
  std::string_view min = {}, max = {};
  std::vector<Choice> choices = {};
  Check check = nullptr;         // of texts, and of each item of a list; null: single_line (checks.h)
  std::string_view option = {};  // command-line option, "--max-hops"
  std::string_view heritrix =
      {};  // Heritrix's bean property that is nearest, for who knows that: "tooManyHops.maxHops"
  // Beside range, choices and check, which are severe. Of texts and lists, for each item.
  std::vector<Constraint> constraints = {};
  // What others may see of a value that may hold a secret (the password of a URL); null: all of it. Not of sheets.
  Value (*shown)(const Value& value) = nullptr;
};

struct Field {
  std::string_view name, doc;
  Kind kind = Kind::text;
  bool optional = false;
  RowOptions row;
  Value default_value;
  int64_t type_min = std::numeric_limits<int64_t>::min(), type_max = std::numeric_limits<int64_t>::max();
  Value (*get)(const void* object) = nullptr;
  void (*set)(void* object, const Value& value) = nullptr;  // the value is of this field's kind and range

  bool live() const { return (row.flags & kLive) != 0; }
  bool secret() const { return (row.flags & kSecret) != 0; }
  bool per_site() const { return (row.flags & (kSheet | kHostSheet)) != 0; }
  // What counts if a sheet that says `value` is laid over `below`.
  Value laid_over(const Value& below, const Value& value) const;
  bool per_host() const { return (row.flags & kHostSheet) != 0; }
  // Reads text and checks it against range, type and the row's check; the error does not name the field.
  Result<Value> read(std::string_view text) const;
  // The row's check of a text, or of an item of a list; other kinds have none. An empty text is one that is not set.
  Result<void> check(std::string_view text) const;
  // The constraints that a value breaks; severe ones are among them only if it came by another way than `read`.
  std::vector<const Constraint*> broken_by(const Value& value) const;
  std::string write(const Value& value) const { return write_value(kind, value, row.choices); }
  // The same for others to see.
  std::string write_shown(const Value& value) const;
  // What of it others may see; of a field that is secret as a whole, nothing is.
  Value shown(const Value& value) const { return row.shown == nullptr ? value : row.shown(value); }
  // "0s to 1h", "at least 1", a list of choices, or empty.
  std::string range() const;
};

class Schema {
 public:
  Schema(std::string_view name, std::string_view doc, std::vector<Field> fields);
  std::string_view name() const { return name_; }
  std::string_view doc() const { return doc_; }
  const std::vector<Field>& fields() const { return fields_; }
  const Field* find(std::string_view field_name) const;
  std::vector<std::string> names() const;

 private:
  std::string_view name_, doc_;
  std::vector<Field> fields_;
};

// The table of struct S; specialised in the .cc that owns S.
template <class S>
const Schema& schema_of();

namespace detail {

template <class T>
struct MemberPointer;
template <class S, class T>
struct MemberPointer<T S::*> {
  using Struct = S;
  using Type = T;
};
template <class T>
struct Inner {
  using Type = T;
  static constexpr bool optional = false;
};
template <class T>
struct Inner<std::optional<T>> {
  using Type = T;
  static constexpr bool optional = true;
};

template <class T>
constexpr Kind kind_of() {
  if constexpr (std::is_same_v<T, bool>)
    return Kind::boolean;
  else if constexpr (std::is_enum_v<T>)
    return Kind::choice;
  else if constexpr (std::is_integral_v<T>)
    return Kind::integer;
  else if constexpr (std::is_floating_point_v<T>)
    return Kind::real;
  else if constexpr (std::is_same_v<T, Duration>)
    return Kind::duration;
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return Kind::list;
  else {
    static_assert(std::is_same_v<T, std::string>, "this type cannot be a setting");
    return Kind::text;
  }
}

template <class T>
Value to_value(const T& held) {
  if constexpr (std::is_same_v<T, bool>)
    return held;
  else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
    return static_cast<int64_t>(held);
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<double>(held);
  else
    return held;
}

template <class T>
T from_value(const Value& value) {
  if constexpr (std::is_same_v<T, bool>)
    return std::get<bool>(value);
  else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>)
    return static_cast<T>(std::get<int64_t>(value));
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(std::get<double>(value));
  else
    return std::get<T>(value);
}

}  // namespace detail

// One row. `doc` is a sentence for users. `Struct` is named for a member that the struct has inherited.
template <auto Member, class Struct = typename detail::MemberPointer<decltype(Member)>::Struct>
Field field(std::string_view name, std::string_view doc, RowOptions row = {}) {
  using Held = detail::Inner<typename detail::MemberPointer<decltype(Member)>::Type>;
  using Type = typename Held::Type;
  Field made;
  made.name = name;
  made.doc = doc;
  made.kind = detail::kind_of<Type>();
  if (made.kind == Kind::integer && row.unit == kBytes) made.kind = Kind::bytes;
  made.optional = Held::optional;
  made.row = std::move(row);
  if constexpr (std::is_integral_v<Type>) {
    made.type_min = static_cast<int64_t>(std::numeric_limits<Type>::min());
    if constexpr (sizeof(Type) < sizeof(int64_t))
      made.type_max = static_cast<int64_t>(std::numeric_limits<Type>::max());
  }
  made.get = [](const void* object) -> Value {
    const auto& held = static_cast<const Struct*>(object)->*Member;
    if constexpr (Held::optional)
      return held ? detail::to_value(*held) : Value();
    else
      return detail::to_value(held);
  };
  made.set = [](void* object, const Value& value) {
    auto& held = static_cast<Struct*>(object)->*Member;
    if constexpr (Held::optional) {
      if (std::holds_alternative<std::monostate>(value)) return held.reset();
    }
    held = detail::from_value<Type>(value);
  };
  const Struct defaults{};
  made.default_value = made.get(&defaults);
  return made;
}

}  // namespace caddis::settings
