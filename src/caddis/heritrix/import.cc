#include "caddis/heritrix/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/heritrix/expressions.h"
#include "caddis/io/files.h"

namespace caddis::heritrix {
namespace {

constexpr size_t kMostShown = 100;

std::string shown_texts(const std::vector<std::string>& texts) {
  if (texts.size() > 1) return fmt::format("{} items", texts.size());
  return texts.empty() || texts.front().empty() ? "(nothing)" : visible(texts.front(), kMostShown);
}

}  // namespace

bool is_true(std::string_view text) {
  const std::string word = to_lower(trim(text));
  return word == "true" || word == "yes" || word == "on" || word == "1";
}

bool Import::set(ItemId item, std::string_view section, std::string_view name, const std::vector<std::string>& texts,
                 Fate fate, std::string_view why) {
  const ImportItem* const source = item == kNoItem ? nullptr : &report_.item(item);
  const std::string from = source == nullptr   ? ""
                           : source->line == 0 ? source->path
                                               : fmt::format("{}, line {}", source->path, source->line);
  const auto is_default = target_->set(section, name, texts, from.empty() ? "imported" : from);
  if (!is_default) {
    std::string message = is_default.error().message;
    if (!from.empty() && message.starts_with(from + ": ")) message.erase(0, from.size() + 2);
    report_.without(item, fmt::format("{}.{} cannot be so: {}", section, name, message));
    return false;
  }
  const bool is_hidden = name == "proxy" || name == "headers" || is_secret(name);
  std::string said = fmt::format("{}.{}: {}", section, name, is_hidden ? "(not shown here)" : shown_texts(texts));
  if (*is_default) said += " (Caddis's default, too)";
  if (!why.empty()) said.append("; ").append(why);
  report_.tell(item, fate, std::move(said));
  return true;
}

void Import::tell_open(const BeanProperty& property) {
  const OpenMark mark = open_mark(property.value.text);
  tell(property, mark.fate, mark.said);
}

bool Import::set(const BeanProperty& property, std::string_view section, std::string_view name,
                 const std::vector<std::string>& texts, Fate fate, std::string_view why) {
  const bool is_set = set(property.item, section, name, texts, fate, why);
  if (property.item == kNoItem) return is_set;
  const ImportItem& told = report_.item(property.item);
  for (const BeanValue& item : property.value.items)
    if (!item.bean && item.item != property.item && !is_told(item.item))
      report_.tell(item.item, told.fate, std::string(told.said));
  return is_set;
}

void Import::tell(const BeanProperty& property, Fate fate, std::string_view said) {
  report_.tell(property.item, fate, std::string(said));
  for (const BeanValue& item : property.value.items)
    if (!item.bean && !is_told(item.item)) report_.tell(item.item, fate, std::string(said));
}

void Import::tell_value(const BeanValue& value, Fate fate, std::string_view said) {
  if (!is_told(value.item)) report_.tell(value.item, fate, std::string(said));
  if (value.bean) tell_deep(*value.bean, fate, said);
  for (const BeanValue& item : value.items) tell_value(item, fate, said);
}

void Import::tell_deep(const BeanProperty& property, Fate fate, std::string_view said) {
  if (!is_told(property.item)) report_.tell(property.item, fate, std::string(said));
  tell_value(property.value, fate, said);
}

void Import::tell_deep(const Bean& bean, Fate fate, std::string_view said) {
  if (!is_told(bean.item)) report_.tell(bean.item, fate, std::string(said));
  for (const BeanProperty& property : bean.properties) tell_deep(property, fate, said);
}

void Import::lacks_rejection(ItemId item) {
  if (!open_question.empty()) return;
  open_question = fmt::format("scope.rules does not keep out all that {} does: import.txt says why; write such a rule",
                              item == kNoItem ? "a rule of the file" : report_.item(item).path);
}

std::string Import::add_file(std::string_view name, std::string text) {
  std::string free(name);
  const auto is_taken = [&] {
    return std::ranges::any_of(files_, [&](const ImportedFile& file) { return file.name == free; });
  };
  for (int number = 2; is_taken(); ++number) {
    const size_t dot = name.rfind('.');
    free = fmt::format("{}-{}{}", name.substr(0, dot), number, dot == std::string_view::npos ? "" : name.substr(dot));
  }
  files_.push_back({free, std::move(text)});
  return io::join_path(folder_, free);
}

}  // namespace caddis::heritrix
