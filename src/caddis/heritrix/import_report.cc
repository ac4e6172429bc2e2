#include "caddis/heritrix/import_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"

namespace caddis::heritrix {
namespace {

constexpr size_t kMostShown = 100;

std::string shown_value(std::string_view path, std::string_view value) {
  if (!value.empty() && is_secret(path)) return "(secret)";
  std::string one_line(trim(value));
  std::ranges::replace_if(one_line, is_space, ' ');
  return visible(one_line, kMostShown);
}

std::string row(const ImportItem& item) {
  const std::string place = item.line == 0 ? "" : fmt::format(" (line {})", item.line);
  const std::string value = item.value.empty() ? "" : " = " + item.value;
  return fmt::format("  {}{}{}\n      {}\n", item.path, value, place, item.said);
}

std::string heading(std::string_view words, size_t count) { return fmt::format("{}: {}\n", words, count); }

}  // namespace

bool is_secret(std::string_view path) {
  const std::string whole = to_lower(path);
  const std::string_view name = std::string_view(whole).substr(whole.rfind('.') + 1);
  const auto holds = [](std::string_view text) {
    return [text](std::string_view word) { return text.contains(word); };
  };
  // Each item of these can be one.
  constexpr std::array<std::string_view, 4> kLists = {"acceptheaders", "accept-headers", "formitems", "form-items"};
  constexpr std::array<std::string_view, 5> kNames = {"pass", "pwd", "credential", "secret", "token"};
  return std::ranges::any_of(kLists, holds(whole)) || std::ranges::any_of(kNames, holds(name));
}

ItemId ImportReport::add(std::string path, std::string_view value, size_t line) {
  ImportItem item;
  item.value = shown_value(path, value);
  item.path = visible(path, 4 * kMostShown);
  item.line = line;
  items_.push_back(std::move(item));
  return items_.size() - 1;
}

ItemId ImportReport::add_part(ItemId whole, std::string path, std::string_view value, size_t line) {
  const ItemId item = add(std::move(path), value, line);
  items_[item].whole = whole;
  return item;
}

void ImportReport::tell(ItemId item, Fate fate, std::string said) {
  if (item == kNoItem) return;
  ImportItem& told = items_[item];
  told.fate = std::max(told.fate, fate);
  if (said.empty() || told.said.contains(said)) return;
  told.said += (told.said.empty() ? "" : "; ") + visible(said, 20 * kMostShown);
}

void ImportReport::note(ItemId item, std::string said) {
  if (item != kNoItem) items_[item].noted = visible(said, 20 * kMostShown);
}

void ImportReport::finish() {
  for (size_t i = 0; i < items_.size(); ++i) {
    ImportItem& item = items_[i];
    if (!item.noted.empty() && item.fate != Fate::untold) tell(i, Fate::differently, item.noted);
    if (item.fate != Fate::untold) continue;
    if (item.whole != kNoItem && items_[item.whole].fate != Fate::untold) {  // which is in front of it
      item.fate = items_[item.whole].fate;
      item.said = fmt::format("with {}", items_[item.whole].path);
    } else {
      item.fate = Fate::without;
      item.said =
          "Caddis does not know it: look up what it does, and whether a setting of Caddis does that (docs/settings.md)";
    }
  }
}

size_t ImportReport::count(Fate fate) const {
  return static_cast<size_t>(std::ranges::count(items_, fate, &ImportItem::fate));
}

std::string ImportReport::text() const {
  constexpr std::array<std::pair<Fate, std::string_view>, 3> kLists = {
      {{Fate::without, "Without equivalent (what to do)"},
       {Fate::differently, "Taken over differently (why)"},
       {Fate::taken, "Taken over"}}};
  std::string out;
  for (const auto& [fate, words] : kLists) {
    out += heading(words, count(fate));
    for (const ImportItem& item : items_)
      if (item.fate == fate) out += row(item);
    out += '\n';
  }
  out += heading("Left at Heritrix's default, and Caddis's is another one (crawl.yaml has the lines, switched off)",
                 defaults_.size());
  for (const OtherDefault& one : defaults_) {
    out += fmt::format("  {}\n      {}{}{}\n", one.heritrix, one.caddis, one.value.empty() ? "" : ": " + one.value,
                       one.said.empty() ? "" : " (" + one.said + ")");
  }
  return out;
}

}  // namespace caddis::heritrix
