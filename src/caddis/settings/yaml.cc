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

constexpr std::string_view kSheets = "sheets", kExtends = "extends";
constexpr size_t kMostDeep = 16, kMostFiles = 200;

// "a.yaml > b.yaml > a.yaml"
std::string chain_words(const std::vector<std::string>& chain, std::string_view last) {
  return fmt::format("{} > {}", fmt::join(chain, " > "), last);
}

class Loader {
 public:
  Loader(std::string_view file_name, const Sections& into, Sheets* sheets, bool adds_secrets,
         const FirstSection* first = nullptr)
      : file_name_(file_name), sheets_(sheets), adds_secrets_(adds_secrets), first_(first) {
    set_sections(into);
  }
  Loader(std::string_view file_name, const Sections& into, Composition& composition)
      : Loader(file_name, into, &composition.sheets, false, &composition.first) {
    composition_ = &composition;
  }

  void parse(std::string_view text) {
    if (text.size() > kMostYaml)
      return say(fmt::format("{}: larger than {} MB, this is no settings file", file_name_, kMostYaml / 1'000'000));
    if (text.find('\0') != text.npos)
      return say(fmt::format("{}: holds NUL bytes, this is no settings file", file_name_));
    if (const auto tree = YamlTree::parse(text))
      load(tree->root());
    else
      problem(tree.error().line, tree.error().reason);
  }

  void load(const YamlNode& root) {
    if (root.is_null()) return;
    if (!root.is_map()) return problem(root, "the file must be a mapping of sections, such as 'scope:'");
    std::set<std::string> seen;
    for (size_t i = 0; i < root.entries() && !is_full(); ++i)
      if (root.name(i).text() == kExtends) extend(root.value(i));
    // Without it, others would only seem to be missing.
    if (!load_first(root)) return;
    for (size_t i = 0; i < root.entries() && !is_full(); ++i) {
      const YamlNode &at = root.name(i), &value = root.value(i);
      const std::string& name = at.text();
      if (!seen.insert(name).second)
        problem(at, fmt::format("section '{}' stands here a second time", name));
      else if (name == kExtends || (first_ != nullptr && name == first_->name))
        continue;
      else if (name == kSheets && sheets_ != nullptr)
        load_sheets(value);
      else if (const Section* section = find(name))
        load_section(*section->schema, value, into_fields(*section));
      else
        problem(at, unknown_section(name));
    }
  }

  void problem(int line, std::string_view reason) {
    say(fmt::format("{}:{}: {}", file_name_, line, visible(place_ + std::string(reason), kMaxProblem)));
  }
  Result<void> result() const {
    if (problems_.empty()) return {};
    return fail(ErrorCode::config, fmt::format("{}", fmt::join(problems_, "\n")));
  }

 private:
  void problem(const YamlNode& node, std::string_view reason) { problem(node.line(), reason); }
  void say(std::string problem) {
    if (problems_.size() < kMaxProblems) problems_.push_back(std::move(problem));
  }

  // The files that it extends are laid before it says anything itself, wherever in it that stands.
  void extend(const YamlNode& node) {
    if (composition_ == nullptr)
      return problem(node, "'extends' counts in files that people give, with --config for example");
    const auto named = load_list(kExtends, node);
    if (!named) return;
    for (size_t i = 0; i < named->size() && !is_full(); ++i)
      extend((*named)[i], node.is_sequence() ? *node.items()[i] : node);
  }

  void extend(const std::string& named, const YamlNode& at) {
    if (named.empty()) return problem(at, "extends: name a profile, or a file (./base.yaml)");
    const std::string own(file_name_);
    auto base = composition_->find(named, own);
    if (!base) return problem(at, "extends: " + base.error().message);
    std::vector<std::string>& chain = composition_->chain;
    if (std::ranges::find(chain, base->name) != chain.end())
      return problem(at, fmt::format("extends: '{}' extends itself: {}", named, chain_words(chain, base->name)));
    if (chain.size() >= kMostDeep)
      return problem(at, fmt::format("extends: more than {} files one behind the other: {}", kMostDeep,
                                     chain_words(chain, base->name)));
    if (++composition_->files > kMostFiles)
      return problem(at, fmt::format("extends: more than {} files in all", kMostFiles));
    chain.push_back(base->name);
    Loader loader(base->name, into_, *composition_);
    loader.parse(base->text);
    chain.pop_back();
    for (std::string& problem : loader.problems_) say(std::move(problem));
  }

  void set_sections(const Sections& sections) {
    into_ = sections;
    known_.assign(sections.begin(), sections.end());
  }

  bool load_first(const YamlNode& root) {
    if (first_ == nullptr || !first_->all) return true;
    int line = root.line();
    for (size_t i = 0; i < root.entries(); ++i) {
      if (root.name(i).text() != first_->name) continue;
      line = root.name(i).line();
      const Section section = *find(first_->name);
      load_section(*section.schema, root.value(i), into_fields(section));
    }
    const auto all = first_->all();
    if (all)
      set_sections(*all);
    else
      problem(line, fmt::format("{}: {}", first_->name, all.error().message));
    return all.has_value();
  }

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
    if (composition_ != nullptr && place_.empty()) names.emplace_back(kExtends);
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
    const auto text = resolved(field, node);
    if (!text) return;
    auto value = field.read(*text);
    if (!value) return problem(node, fmt::format("{}: {}", field.name, value.error().message));
    sink(field, *std::move(value));
  }

  // The text of a scalar. Of a secret, what it refers to.
  std::optional<std::string> resolved(const Field& field, const YamlNode& node) {
    if (!field.secret() || composition_ == nullptr) return node.text();
    auto text = composition_->resolve(node.text(), std::string(file_name_));
    if (text) return *std::move(text);
    problem(node, fmt::format("{}: {}", field.name, text.error().message));
    return std::nullopt;
  }

  std::optional<std::vector<std::string>> load_list(std::string_view name, const YamlNode& node,
                                                    const Field* field = nullptr) {
    std::vector<std::string> items;
    const auto take = [&](const YamlNode& item) {
      auto text = field == nullptr ? std::optional(item.text()) : resolved(*field, item);
      if (!text) return;
      const auto sound = field == nullptr ? Result<void>() : field->check(*text);
      if (!sound) problem(item, fmt::format("{}: {}", name, sound.error().message));
      items.push_back(*std::move(text));
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

  // In place of all sheets that were known before, unless they are laid over those of other files, or are only given
  // their secrets.
  void load_sheets(const YamlNode& node) {
    if (composition_ != nullptr)
      composition_->has_sheets = true;
    else if (!adds_secrets_)
      sheets_->clear();
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
      else if (value.is_null() && composition_ != nullptr)
        take_away(name, at);
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

  void take_away(const std::string& name, const YamlNode& at) {
    if (std::erase_if(*sheets_, [&](const Sheet& sheet) { return sheet.name == name; }) == 0)
      problem(at, "it is to be taken away, but no file that this one extends has it");
  }

  void load_sheet(const std::string& name, const YamlNode& named, const YamlNode& node) {
    const auto known = composition_ == nullptr ? sheets_->end() : std::ranges::find(*sheets_, name, &Sheet::name);
    Sheet sheet = known == sheets_->end() ? Sheet{.name = name, .sites = {}, .urls = {}, .values = {}} : *known;
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
    if (known == sheets_->end())
      sheets_->push_back(std::move(sheet));
    else
      *known = std::move(sheet);
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
  Sections into_;
  Sheets* sheets_;  // null: the file has none
  const bool adds_secrets_;
  const FirstSection* first_;           // null: none decides over others
  Composition* composition_ = nullptr;  // null: a file by itself
  ConstSections known_;
  std::string place_;  // the sheet that is being read: "sheet 'gentle': "
  std::vector<std::string> problems_;
};

Result<void> load(Loader loader, std::string_view text) {
  loader.parse(text);
  return loader.result();
}

}  // namespace

Result<void> load_yaml(std::string_view text, std::string_view file_name, const Sections& into, Sheets* sheets,
                       const FirstSection* first) {
  return load(Loader(file_name, into, sheets, false, first), text);
}

Result<void> load_yaml(std::string_view text, const std::string& file_name, const Sections& into,
                       Composition& composition) {
  composition.chain = {file_name};
  return load(Loader(file_name, into, composition), text);
}

Result<void> load_secrets(std::string_view text, std::string_view file_name, const Sections& into, Sheets& sheets) {
  return load(Loader(file_name, into, &sheets, true), text);
}

}  // namespace caddis::settings
