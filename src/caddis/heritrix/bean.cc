#include "caddis/heritrix/bean.h"

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"

namespace caddis::heritrix {
namespace {

void each_in(const Bean& bean, const std::function<void(const Bean&)>& visit);

void each_in(const BeanValue& value, const std::function<void(const Bean&)>& visit) {
  if (value.bean) each_in(*value.bean, visit);
  for (const BeanValue& item : value.items) each_in(item, visit);
}

void each_in(const Bean& bean, const std::function<void(const Bean&)>& visit) {
  visit(bean);
  for (const BeanProperty& property : bean.properties) each_in(property.value, visit);
}

}  // namespace

std::string_view Bean::kind() const {
  const std::string_view name = class_name;
  return name.substr(name.rfind('.') + 1);
}

const BeanProperty* Bean::find(std::string_view property) const {
  const auto found = std::ranges::find(properties, property, &BeanProperty::name);
  return found == properties.end() ? nullptr : &*found;
}

BeanProperty* Bean::find(std::string_view property) {
  const auto found = std::ranges::find(properties, property, &BeanProperty::name);
  return found == properties.end() ? nullptr : &*found;
}

std::string Bean::text(std::string_view property, std::string_view otherwise) const {
  const BeanProperty* const found = find(property);
  return std::string(found != nullptr && found->value.is_text() ? trim(found->value.text) : otherwise);
}

Bean& BeanTree::add(std::unique_ptr<Bean> bean) {
  beans_.push_back(std::move(bean));
  return *beans_.back();
}

void BeanTree::each(const std::function<void(const Bean&)>& visit) const {
  for (const auto& bean : beans_) each_in(*bean, visit);
}

const Bean* BeanTree::find(std::string_view id) const {
  const auto top = std::ranges::find_if(beans_, [&](const auto& bean) { return bean->id == id; });
  if (top != beans_.end()) return top->get();
  const Bean* found = nullptr;
  each([&](const Bean& bean) {
    if (found == nullptr && !id.empty() && bean.id == id) found = &bean;
  });
  return found;
}

Bean* BeanTree::find(std::string_view id) { return const_cast<Bean*>(std::as_const(*this).find(id)); }

const Bean* BeanTree::find_kind(std::string_view kind) const {
  const Bean* found = nullptr;
  each([&](const Bean& bean) {
    if (found == nullptr && bean.kind() == kind) found = &bean;
  });
  return found;
}

const Bean* BeanTree::follow(const BeanValue& value) const {
  if (value.bean) return value.bean.get();
  return value.kind == BeanValue::Kind::reference ? find(value.text) : nullptr;
}

const BeanValue* BeanTree::list(const BeanValue& value) const {
  if (value.is_list()) return &value;
  const Bean* const bean = follow(value);
  if (bean == nullptr || bean->kind() != kListBean) return nullptr;
  const BeanProperty* const items = bean->find(kItems);
  return items != nullptr && items->value.is_list() ? &items->value : nullptr;
}

}  // namespace caddis::heritrix
