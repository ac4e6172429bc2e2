#include "caddis/heritrix/bean_overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "caddis/base/strings.h"

namespace caddis::heritrix {
namespace {

constexpr int64_t kMostIndex = 10'000;

// "rules[2]" is the name "rules" with the key "2".
struct Part {
  std::string_view name;
  std::optional<std::string_view> key;
};

std::vector<Part> parts_of(std::string_view path) {
  std::vector<Part> parts;
  while (!path.empty()) {
    // Keys of maps have dots: "map[disposition.delayFactor]".
    const size_t end = path.find_first_of(".[");
    Part part{path.substr(0, end), {}};
    path = end == std::string_view::npos ? std::string_view() : path.substr(end);
    if (path.starts_with('[')) {
      const size_t close = std::min(path.find(']'), path.size() - 1);
      part.key = path.substr(1, close - 1);
      path = path.substr(close + 1);
    }
    if (path.starts_with('.')) path.remove_prefix(1);
    parts.push_back(part);
  }
  return parts;
}

// Tells of a value that was replaced, and of all inside it, that it counts no more.
void tell_replaced(const BeanValue& value, ImportReport& report, const std::string& said) {
  report.taken(value.item, said);
  for (const BeanValue& item : value.items) tell_replaced(item, report, said);
  if (value.bean == nullptr) return;
  report.taken(value.bean->item, said);
  for (const BeanProperty& property : value.bean->properties) {
    report.taken(property.item, said);
    tell_replaced(property.value, report, said);
  }
}

// The item of a list, or the value of a map; null if there is none and none can be made.
BeanValue* element(BeanValue& holder, std::string_view key) {
  if (holder.is_map()) {
    const auto at = std::ranges::find(holder.keys, key);
    if (at != holder.keys.end()) return &holder.items[static_cast<size_t>(at - holder.keys.begin())];
    holder.keys.emplace_back(key);
    return &holder.items.emplace_back();
  }
  const auto index = parse_int(key);
  if (!index || *index < 0 || *index > kMostIndex) return nullptr;
  if (holder.kind == BeanValue::Kind::none) holder.kind = BeanValue::Kind::list;
  if (!holder.is_list()) return nullptr;
  const auto place = static_cast<size_t>(*index);
  if (place > holder.items.size()) return nullptr;
  if (place == holder.items.size()) holder.items.emplace_back();
  return &holder.items[place];
}

Bean* bean_of(BeanTree& tree, BeanValue& value) {
  if (value.bean) return value.bean.get();
  return value.kind == BeanValue::Kind::reference ? tree.find(value.text) : nullptr;
}

BeanProperty& property_of(Bean& bean, std::string_view name) {
  if (BeanProperty* const found = bean.find(name)) return *found;
  BeanProperty made;
  made.name = name;
  bean.properties.push_back(std::move(made));
  return bean.properties.back();
}

}  // namespace

void override_property(BeanTree& tree, Override one, ImportReport& report) {
  const std::vector<Part> parts = parts_of(one.path);
  Bean* bean = parts.empty() ? nullptr : tree.find(parts.front().name);
  if (bean == nullptr || parts.size() < 2)
    return report.without(one.item, fmt::format("the file has no bean '{}', so this says nothing to Heritrix either",
                                                parts.empty() ? "" : parts.front().name));
  for (size_t i = 1; i < parts.size(); ++i) {
    BeanProperty& property = property_of(*bean, parts[i].name);
    BeanValue* const place = parts[i].key ? element(property.value, *parts[i].key) : &property.value;
    if (place == nullptr)
      return report.without(
          one.item, fmt::format("'{}' has no such item, so this says nothing to Heritrix either", parts[i].name));
    if (i + 1 < parts.size()) {
      bean = bean_of(tree, *place);
      if (bean != nullptr) continue;
      return report.without(
          one.item,
          fmt::format("'{}' is no bean with properties, so this says nothing to Heritrix either", parts[i].name));
    }
    const std::string said = fmt::format("another value counts: line {}", report.item(one.item).line);
    tell_replaced(*place, report, said);
    if (!parts[i].key) report.taken(property.item, said);
    *place = std::move(one.value);
    place->item = one.item;
    if (!parts[i].key || property.item == kNoItem) property.item = one.item;
  }
}

}  // namespace caddis::heritrix
