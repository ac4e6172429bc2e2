// Values and rows of a database, without its types: nothing, whole numbers, texts.
//
// Plain values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace caddis::sql {

using Value = std::variant<std::monostate, int64_t, std::string>;

// The values that stand for the question marks of a statement.
class Values {
 public:
  Values() = default;
  template <class... Items>
  explicit Values(Items&&... items) {
    values_.reserve(sizeof...(items));
    (add(std::forward<Items>(items)), ...);
  }

  Values& add(std::monostate) { return push({}); }
  Values& add(bool value) { return push(Value(std::in_place_type<int64_t>, value ? 1 : 0)); }
  Values& add(std::integral auto value) {
    return push(Value(std::in_place_type<int64_t>, static_cast<int64_t>(value)));
  }
  Values& add(std::string value) { return push(Value(std::move(value))); }
  Values& add(std::string_view value) { return push(Value(std::string(value))); }
  Values& add(const char* value) { return push(Value(std::string(value))); }
  template <class T>
  Values& add(const std::optional<T>& value) {
    return value ? add(*value) : push({});
  }

  const std::vector<Value>& all() const { return values_; }
  size_t size() const { return values_.size(); }

 private:
  Values& push(Value value) {
    values_.push_back(std::move(value));
    return *this;
  }
  std::vector<Value> values_;
};

// A row of an answer; its columns by their place, from 0.
class Row {
 public:
  explicit Row(std::vector<Value> values) : values_(std::move(values)) {}

  size_t size() const { return values_.size(); }
  bool is_null(size_t column) const { return std::holds_alternative<std::monostate>(values_.at(column)); }
  // Empty if it is null.
  std::string text(size_t column) const;
  // 0 if it is null, or no number.
  int64_t number(size_t column) const;
  std::optional<int64_t> maybe_number(size_t column) const;
  bool flag(size_t column) const { return number(column) != 0; }

 private:
  std::vector<Value> values_;
};

}  // namespace caddis::sql
