#include "caddis/pages/data.h"

namespace caddis::pages {

Data::Data(std::initializer_list<Member> members) : value_(Members(members)) {}

Data& Data::set(std::string name, Data value) {
  if (!std::holds_alternative<Members>(value_)) value_ = Members();
  auto& members = std::get<Members>(value_);
  for (Member& member : members)
    if (member.first == name) {
      member.second = std::move(value);
      return *this;
    }
  members.emplace_back(std::move(name), std::move(value));
  return *this;
}

void Data::push(Data item) {
  if (!std::holds_alternative<List>(value_)) value_ = List();
  std::get<List>(value_).push_back(std::move(item));
}

const Data* Data::find(std::string_view name) const {
  const auto* members = std::get_if<Members>(&value_);
  if (members == nullptr) return nullptr;
  for (const Member& member : *members)
    if (member.first == name) return &member.second;
  return nullptr;
}

bool Data::holds() const {
  if (const auto* text = std::get_if<std::string>(&value_)) return !text->empty();
  if (const auto* yes = std::get_if<bool>(&value_)) return *yes;
  if (const auto* number = std::get_if<int64_t>(&value_)) return *number != 0;
  if (const auto* html = std::get_if<Html>(&value_)) return !html->text.empty();
  if (const auto* items = std::get_if<List>(&value_)) return !items->empty();
  return std::holds_alternative<Members>(value_);
}

std::string Data::text() const {
  if (const auto* text = std::get_if<std::string>(&value_)) return *text;
  if (const auto* yes = std::get_if<bool>(&value_)) return *yes ? "true" : "false";
  if (const auto* number = std::get_if<int64_t>(&value_)) return std::to_string(*number);
  if (const auto* html = std::get_if<Html>(&value_)) return html->text;
  return {};
}

}  // namespace caddis::pages
