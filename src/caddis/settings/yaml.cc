#include "caddis/settings/yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "caddis/base/strings.h"
#include "caddis/base/visible.h"
#include "caddis/settings/yaml_tree.h"

namespace caddis::settings {
namespace {

constexpr size_t kMaxProblems = 10;
constexpr size_t kMaxProblem = 4000;  // bytes, which all names of a section are less than

constexpr std::string_view kSheets = "sheets";

class Loader {
 public:
  Loader(std::string_view file_name, const Sections& into, Sheets* sheets, bool adds_secrets)
      : file_name_(file_name), into_(into), sheets_(sheets), adds_secrets_(adds_secrets) {
    for (const Section& section : into) known_.push_back(section);
  }

  void load(const YamlNode& root) {
    if (root.is_null()) return;
    if (!root.is_map()) return problem(root, "the file must be a mapping of sections, such as 'scope:'");
    std::set<std::string> seen;
    for (size_t i = 0; i < root.entries() && !is_full(); ++i) {
      const YamlNode &at = root.name(i), &value = root.value(i);
      const std::string& name = at.text();
      if (!seen.insert(name).second)
        problem(at, fmt::format("section '{}' stands here a second time", name));
      else if (name == kSheets && sheets_ != nullptr)
        load_sheets(value);
      else if (const Section* section = find(name))
        load_section(*section->schema, value, into_fields(*section));
      else
        problem(at, unknown_section(name));
    }
  }
  // The sections asked for, and none of the others.
  void load_known(const YamlNode& root) {
    if (!root.is_map()) return;
    for (size_t i = 0; i < root.entries(); ++i)
      if (const Section* section = find(root.name(i).text()))
        load_section(*section->schema, root.value(i), into_fields(*section));
  }

  void problem(int line, std::string_view reason) {
    if (problems_.size() < kMaxProblems)
      problems_.push_back(
          fmt::format("{}:{}: {}", file_name_, line, visible(place_ + std::string(reason), kMaxProblem)));
  }
  Result<void> result() const {
    if (problems_.empty()) return {};
    return fail(ErrorCode::config, fmt::format("{}", fmt::join(problems_, "\n")));
  }

 private:
  void problem(const YamlNode& node, std::string_view reason) { problem(node.line(), reason); }

  // More would not be told: what is wrong from here on costs nothing.
  bool is_full() const { return problems_.size() >= kMaxProblems; }

  // What becomes of a value that was read.
  using Sink = std::function<void(const Field& field, Value value)>;
  static Sink into_fields(const Section& section) {
    return [&section](const Field& field, const Value& value) { field.set(section.object, value); };
  }

  const Section* find(std::string_view name) const {
    const auto found =
        std::ranges::find_if(into_, [&](const Section& section) { return section.schema->name() == name; });
    return found == into_.end() ? nullptr : &*found;
  }

  std::string unknown_section(std::string_view name) const {
    std::vector<std::string> names;
    for (const Section& section : into_) {
      names.emplace_back(section.schema->name());
      if (section.schema->find(name) != nullptr) {
        return fmt::format("setting '{}' stands outside its section; write it below '{}:'", name,
                           section.schema->name());
      }
    }
    if (sheets_ != nullptr && place_.empty()) names.emplace_back(kSheets);
    const std::string near = nearest_name(name, names);
    if (!near.empty()) return fmt::format("unknown section '{}'; did you mean '{}'?", name, near);
    return fmt::format("unknown section '{}'; there are {}", name, fmt::join(names, ", "));
  }

  void load_section(const Schema& schema, const YamlNode& node, const Sink& sink) {
    if (node.is_null()) return;
    if (!node.is_map()) return problem(node, fmt::format("'{}' must be a mapping of settings", schema.name()));
    std::set<std::string> seen;
    for (size_t i = 0; i < node.entries() && !is_full(); ++i) {
      const YamlNode &at = node.name(i), &value = node.value(i);
      const std::string& name = at.text();
      const Field* field = schema.find(name);
      if (!seen.insert(name).second)
        problem(at, fmt::format("'{}' is set a second time", name));
      else if (field == nullptr)
        problem(at, unknown_setting(schema, name, known_));
      else if (!place_.empty() && !field->per_site())
        problem(at, fmt::format("{}.{} is one for the whole crawl; no sheet can set it", schema.name(), name));
      else
        load_field(*field, at, value, sink);
    }
  }

  void load_field(const Field& field, const YamlNode& name, const YamlNode& node, const Sink& sink) {
    if (field.kind == Kind::list) {
      const size_t problems = problems_.size();
      auto items = load_list(field.name, node, &field);
      if (items && problems_.size() == problems) sink(field, *std::move(items));
      return;
    }
    if (node.is_null() && field.optional) return sink(field, Value());
    if (node.is_null()) return problem(name, fmt::format("'{}' has no value", field.name));
    if (!node.is_scalar())
      return problem(node, fmt::format("'{}' takes one value: {}", field.name, to_string(field.kind)));
    auto value = field.read(node.text());
    if (!value) return problem(node, fmt::format("{}: {}", field.name, value.error().message));
    sink(field, *std::move(value));
  }

  std::optional<std::vector<std::string>> load_list(std::string_view name, const YamlNode& node,
                                                    const Field* field = nullptr) {
    std::vector<std::string> items;
    const auto take = [&](const YamlNode& item) {
      const auto sound = field == nullptr ? Result<void>() : field->check(item.text());
      if (!sound) problem(item, fmt::format("{}: {}", name, sound.error().message));
      items.push_back(item.text());
    };
    const auto refuse = [&](const YamlNode& where) {
      problem(where, fmt::format("'{}' takes a list of texts", name));
      return std::nullopt;
    };
    if (node.is_scalar())
      take(node);
    else if (!node.is_null() && !node.is_sequence())
      return refuse(node);
    if (node.is_sequence()) {
      for (const YamlNode* const item : node.items()) {
        if (!item->is_scalar()) return refuse(*item);
        if (is_full()) break;
        take(*item);
      }
    }
    return items;
  }

  // In place of all sheets that were known before, unless they are only given their secrets.
  void load_sheets(const YamlNode& node) {
    if (!adds_secrets_) sheets_->clear();
    if (node.is_null()) return;
    if (!node.is_map()) return problem(node, "'sheets' must be a mapping of names to sheets");
    std::set<std::string> seen;
    for (size_t i = 0; i < node.entries() && !is_full(); ++i) {
      const YamlNode &at = node.name(i), &value = node.value(i);
      const std::string& name = at.text();
      place_ = fmt::format("sheet '{}': ", name);
      if (!seen.insert(name).second)
        problem(at, "there is another sheet of this name");
      else if (const auto sound = check_sheet_name(name); !sound)
        problem(at, sound.error().message);
      else if (!value.is_map())
        problem(at, "a sheet is a mapping of sites, urls, when, times and settings");
      else
        load_sheet(name, at, value);
      place_.clear();
    }
  }

  void load_condition(Sheet& sheet, const YamlNode& node) {
    if (node.is_null()) return;
    if (!node.is_scalar()) return problem(node, "'when' takes one condition, such as 'file images'");
    sheet.when = node.text();
    if (const auto sound = single_line(sheet.when); !sound)
      problem(node, fmt::format("when: {}", sound.error().message));
  }

  // Where the items of a list of that name go; null if a sheet has none.
  static std::vector<std::string>* list_of(Sheet& sheet, std::string_view key) {
    if (key == "sites") return &sheet.sites;
    if (key == "urls") return &sheet.urls;
    return key == "times" ? &sheet.times : nullptr;
  }

  void load_sheet(const std::string& name, const YamlNode& named, const YamlNode& node) {
    Sheet sheet;
    sheet.name = name;
    const size_t problems = problems_.size();
    std::set<std::string> seen;
    for (size_t i = 0; i < node.entries() && !is_full(); ++i) {
      const YamlNode &at = node.name(i), &value = node.value(i);
      const std::string& key = at.text();
      if (!seen.insert(key).second)
        problem(at, fmt::format("'{}' stands here a second time", key));
      else if (auto* const list = list_of(sheet, key))
        *list = load_list(key, value).value_or(std::vector<std::string>());
      else if (key == "when")
        load_condition(sheet, value);
      else if (key == "settings")
        load_sheet_settings(sheet, value);
      else
        problem(at, unknown_key(key));
    }
    if (adds_secrets_) return add_secrets(sheet);
    if (problems_.size() == problems && sheet.sites.empty() && sheet.urls.empty() && sheet.times.empty() &&
        sheet.when.empty())
      problem(named, "it holds for nothing: give it sites, urls, when or times");
    if (problems_.size() == problems && sheet.values.empty()) problem(named, "it sets nothing: give it settings");
    sheets_->push_back(std::move(sheet));
  }

  // One that is not there any more needs none.
  void add_secrets(const Sheet& secrets) {
    const auto sheet = std::ranges::find(*sheets_, secrets.name, &Sheet::name);
    if (sheet == sheets_->end()) return;
    for (const Overlay::Entry& entry : secrets.values.entries())
      sheet->values.set(*entry.schema, *entry.field, entry.value);
  }

  void load_sheet_settings(Sheet& sheet, const YamlNode& node) {
    if (node.is_null()) return;
    if (!node.is_map()) return problem(node, "'settings' must be a mapping of sections, such as 'politeness:'");
    std::set<std::string> seen;
    for (size_t i = 0; i < node.entries() && !is_full(); ++i) {
      const YamlNode &at = node.name(i), &value = node.value(i);
      const std::string& name = at.text();
      const Section* section = find(name);
      if (!seen.insert(name).second)
        problem(at, fmt::format("section '{}' stands here a second time", name));
      else if (section == nullptr)
        problem(at, unknown_section(name));
      else
        load_section(*section->schema, value, [&](const Field& field, Value value) {
          sheet.values.set(*section->schema, field, std::move(value));
        });
    }
  }

  std::string unknown_key(std::string_view key) const {
    if (find(key) != nullptr) return fmt::format("'{}' stands outside 'settings'; write it below 'settings:'", key);
    const std::string near = nearest_name(key, {"sites", "urls", "when", "times", "settings"});
    if (!near.empty()) return fmt::format("unknown '{}'; did you mean '{}'?", key, near);
    return fmt::format("unknown '{}'; a sheet has sites, urls, when, times and settings", key);
  }

  std::string_view file_name_;
  const Sections& into_;
  Sheets* sheets_;  // null: the file has none
  const bool adds_secrets_;
  ConstSections known_;
  std::string place_;  // the sheet that is being read: "sheet 'gentle': "
  std::vector<std::string> problems_;
};

Result<void> check_text(std::string_view text, std::string_view file_name) {
  if (text.size() > kMostYaml)
    return fail(ErrorCode::config,
                fmt::format("{}: larger than {} MB, this is no settings file", file_name, kMostYaml / 1'000'000));
  if (text.find('\0') != text.npos)
    return fail(ErrorCode::config, fmt::format("{}: holds NUL bytes, this is no settings file", file_name));
  return {};
}

Result<void> load(std::string_view text, std::string_view file_name, const Sections& into, Sheets* sheets,
                  bool adds_secrets) {
  TRY_VOID(check_text(text, file_name));
  Loader loader(file_name, into, sheets, adds_secrets);
  if (const auto tree = YamlTree::parse(text))
    loader.load(tree->root());
  else
    loader.problem(tree.error().line, tree.error().reason);
  return loader.result();
}

}  // namespace

Result<void> load_yaml(std::string_view text, std::string_view file_name, const Sections& into, Sheets* sheets) {
  return load(text, file_name, into, sheets, false);
}

Result<void> load_section(std::string_view text, std::string_view file_name, const Section& into) {
  TRY_VOID(check_text(text, file_name));
  const Sections sections = {into};
  Loader loader(file_name, sections, nullptr, false);
  if (const auto tree = YamlTree::parse(text)) loader.load_known(tree->root());
  return loader.result();
}

Result<void> load_secrets(std::string_view text, std::string_view file_name, const Sections& into, Sheets& sheets) {
  return load(text, file_name, into, &sheets, true);
}

}  // namespace caddis::settings
