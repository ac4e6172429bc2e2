// Data that a template is filled with: texts, numbers, yes or no, lists, and members by name. Plain values.
//
//   Data page{{"url", url}, {"count", captures.size()}};
//   page.set("rows", rows);
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace caddis::pages {

class Data {
 public:
  // Text that is HTML already, and stands in the page as it is.
  struct Html {
    std::string text;
  };
  using List = std::vector<Data>;
  using Member = std::pair<std::string, Data>;
  using Members = std::vector<Member>;

  Data() = default;
  Data(std::string text) : value_(std::move(text)) {}         // NOLINT(google-explicit-constructor)
  Data(std::string_view text) : value_(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Data(const char* text) : value_(std::string(text)) {}       // NOLINT(google-explicit-constructor)
  Data(std::same_as<bool> auto yes) : value_(yes) {}          // NOLINT(google-explicit-constructor)
  template <std::integral Number>
    requires(!std::same_as<Number, bool>)
  Data(Number number) : value_(static_cast<int64_t>(number)) {}  // NOLINT(google-explicit-constructor)
  Data(Html html) : value_(std::move(html)) {}                   // NOLINT(google-explicit-constructor)
  Data(List list) : value_(std::move(list)) {}                   // NOLINT(google-explicit-constructor)
  Data(std::initializer_list<Member> members);

  Data& set(std::string name, Data value);
  // A list grows; what is none becomes one.
  void push(Data item);

  // Null if there is no such member.
  const Data* find(std::string_view name) const;
  const List* list() const { return std::get_if<List>(&value_); }
  const int64_t* number() const { return std::get_if<int64_t>(&value_); }
  const Html* html() const { return std::get_if<Html>(&value_); }
  // False for nothing, "", false, 0 and an empty list.
  bool holds() const;
  // As text, for people who read digits.
  std::string text() const;

 private:
  std::variant<std::monostate, std::string, bool, int64_t, Html, List, Members> value_;
};

}  // namespace caddis::pages
