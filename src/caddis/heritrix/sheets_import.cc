// A sheet of Heritrix is a map from paths of properties to values; associations say where it holds. Each association makes
// one sheet of Caddis for each sheet that it names, since sites and conditions stand in the sheet itself here.
#include "caddis/heritrix/sheets_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "caddis/base/strings.h"
#include "caddis/heritrix/bean_kinds.h"
#include "caddis/heritrix/decide_rules.h"
#include "caddis/heritrix/handlers.h"
#include "caddis/heritrix/imported_settings.h"
#include "caddis/heritrix/property_import.h"

namespace caddis::heritrix {
namespace {

struct Association {
  const Bean* bean = nullptr;
  std::vector<std::string> sites;
  std::string when;
  std::vector<std::string> sheets;
};

std::vector<std::string> texts_of(const Import& import, const Bean& bean, std::string_view property) {
  std::vector<std::string> found;
  const BeanProperty* const stated = bean.find(property);
  const BeanValue* const list = stated == nullptr ? nullptr : import.tree().list(stated->value);
  if (list == nullptr) return found;
  for (const BeanValue& item : list->items) found.emplace_back(trim(item.text));
  return found;
}

class SheetImport {
 public:
  explicit SheetImport(Import& import) : import_(import) {}

  std::vector<ImportedSheet> run() {
    import_.tree().each([&](const Bean& bean) {
      if (bean.kind() == "SurtPrefixesSheetAssociation") read_surts(bean);
      if (bean.kind() == "DecideRuledSheetAssociation") read_rules(bean);
    });
    for (const Association& association : associations_)
      for (const std::string& sheet : association.sheets) add(association, sheet);
    import_.tree().each([&](const Bean& bean) {
      if (bean.kind() != "Sheet" || written_.contains(bean.id)) return;
      if (lost_.contains(bean.id))
        import_.tell_deep(bean, Fate::without,
                          "the rules that say where it holds have no equivalent: write it into crawl.yaml "
                          "(docs/sheets.md)");
      else
        import_.tell_deep(bean, Fate::differently, "no association names it, so it holds nowhere, and is not written");
    });
    return std::move(found_);
  }

 private:
  void read_surts(const Bean& bean) {
    Association one{&bean, texts_of(import_, bean, "surtPrefixes"), "", texts_of(import_, bean, "targetSheetNames")};
    for (const std::string_view name : {"surtPrefixes", "targetSheetNames"})
      if (const BeanProperty* const property = bean.find(name)) import_.tell(*property, Fate::taken, "sheets");
    if (!one.sites.empty()) associations_.push_back(std::move(one));
  }

  void read_rules(const Bean& bean) {
    Association one{&bean, {}, "", texts_of(import_, bean, "targetSheetNames")};
    const BeanProperty* const names = bean.find("targetSheetNames");
    const BeanProperty* const rules = bean.find("rules");
    const Bean* const sequence = rules == nullptr ? nullptr : import_.tree().follow(rules->value);
    if (sequence == nullptr) {
      if (names != nullptr) import_.tell(*names, Fate::taken, "sheets");
      return;
    }
    const size_t left_out = import_.left_out_of_rules;
    std::vector<RuleLine> lines = sequence->kind().ends_with("DecideRuleSequence")
                                      ? sequence_lines(import_, *sequence, RuleUse::sheet)
                                      : rule_lines(import_, *sequence, RuleUse::sheet);
    if (!lines.empty() && lines.front().rejects) lines.erase(lines.begin());  // all, at first
    // With a part of its rules, it would hold for other URLs.
    const bool is_in_part = import_.left_out_of_rules > left_out;
    if (is_in_part || lines.size() != 1 || lines.front().rejects) {
      lost_.insert(one.sheets.begin(), one.sheets.end());
      const std::string_view why =
          is_in_part ? "a part of its rules has no equivalent, so it holds nowhere: write it into crawl.yaml "
                       "(docs/sheets.md)"
                     : "a sheet has one condition (when): write it into crawl.yaml (docs/sheets.md)";
      import_.report().without(bean.item, std::string(why));
      import_.tell_deep(bean, Fate::without, why);
      return;
    }
    if (names != nullptr) import_.tell(*names, Fate::taken, "sheets");
    one.when = fmt::format("{}", fmt::join(lines.front().terms, " and "));
    import_.tell_deep(*rules, Fate::taken, "the condition of sheets (when)");
    associations_.push_back(std::move(one));
  }

  void add(const Association& association, const std::string& name) {
    const Bean* const bean = import_.tree().find(name);
    if (bean == nullptr || bean->kind() != "Sheet")
      return import_.report().without(association.bean->item, fmt::format("there is no sheet '{}'", name));
    SheetTarget target;
    read_values(*bean, target);
    settings::Sheet sheet{free_name(name), association.sites, {}, target.values(), {}, association.when};
    if (sheet.values.empty())
      return import_.report().without(bean->item, "nothing of it can be set for parts of the web");
    if (!sheet.when.empty() && target.is_of_hosts())
      return import_.report().without(
          bean->item, "what is of whole hosts cannot go by a condition: name the sites (docs/sheets.md)");
    found_.push_back({std::move(sheet), association.bean->item});
  }

  void read_values(const Bean& sheet, SheetTarget& target) {
    const BeanProperty* const map = sheet.find("map");
    if (map == nullptr || !map->value.is_map()) return;
    import_.tell(*map, Fate::taken, "sheets");
    import_.report().taken(sheet.item, "sheets");
    const bool is_first = written_.insert(sheet.id).second;
    import_.begin_sheet(target);
    for (size_t i = 0; i < map->value.items.size(); ++i) read_value(map->value.keys[i], map->value.items[i], is_first);
    import_.end_sheet();
  }

  void read_value(std::string_view path, const BeanValue& value, bool is_first) {
    const size_t dot = path.rfind('.');
    const Bean* const bean = import_.tree().find(path.substr(0, path.find('.')));
    const BeanKind* const kind = bean == nullptr ? nullptr : find_bean_kind(bean->kind());
    BeanProperty property;
    property.name = dot == std::string_view::npos ? std::string(path) : std::string(path.substr(dot + 1));
    property.value.kind = value.kind;
    property.value.text = value.text;
    property.item = value.item;
    for (const BeanValue& item : value.items)
      if (item.is_text()) {
        BeanValue copy;
        copy.kind = item.kind;
        copy.text = item.text;
        property.value.items.push_back(std::move(copy));
      }
    if (kind == nullptr || path.find('.') != dot) {
      if (is_first)
        import_.report().without(
            value.item,
            "a part of a rule cannot differ between sites alone: write rules with conditions into scope.rules");
      return;
    }
    import_named(import_, kind->role, *bean, property);
  }

  std::string free_name(const std::string& name) {
    std::string word = name;
    std::ranges::replace_if(word, [](char c) { return !is_alnum(c) && c != '-' && c != '_' && c != '.'; }, '-');
    std::string free = word;
    for (int number = 2; !names_.insert(free).second; ++number) free = fmt::format("{}-{}", word, number);
    return free;
  }

  Import& import_;
  std::vector<ImportedSheet> found_;
  std::vector<Association> associations_;
  std::set<std::string> names_;
  std::set<std::string> written_;  // ids of sheets that an association names
  std::set<std::string> lost_;     // ids of sheets of an association that is not written
};

}  // namespace

void import_sheet_order(Import& import, const Bean& /*bean*/, const BeanProperty& property) {
  import.tell(property, Fate::differently, "sheets count in the order of crawl.yaml (crawl.sheet-order)");
}

std::vector<ImportedSheet> import_sheets(Import& import) { return SheetImport(import).run(); }

}  // namespace caddis::heritrix
