#include "caddis/settings/yaml.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <set>

#include "caddis/base/strings.h"

namespace caddis::settings {
namespace {

constexpr size_t kMaxText = 1'000'000;
constexpr size_t kMaxProblems = 10;
// yaml-cpp parses by recursion; deeper than this is no settings file and would only cost stack.
constexpr int kMaxNesting = 50;

class Loader {
 public:
  Loader(std::string_view file_name, const Sections& into) : file_name_(file_name), into_(into) {
    for (const Section& section : into) known_.push_back(section);
  }

  void load(const YAML::Node& root) {
    if (root.IsNull()) return;
    if (!root.IsMap()) return problem(root, "the file must be a mapping of sections, such as 'scope:'");
    std::set<std::string> seen;
    for (const auto& entry : root) {
      const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
      if (!seen.insert(name).second)
        problem(entry.first, fmt::format("section '{}' stands here a second time", name));
      else if (const Section* section = find(name))
        load_section(*section, entry.second);
      else
        problem(entry.first, unknown_section(name));
    }
  }

  void problem(int line, std::string_view reason) {
    if (problems_.size() < kMaxProblems) problems_.push_back(fmt::format("{}:{}: {}", file_name_, line, reason));
  }
  Result<void> result() const {
    if (problems_.empty()) return {};
    return fail(ErrorCode::config, fmt::format("{}", fmt::join(problems_, "\n")));
  }

 private:
  void problem(const YAML::Node& node, std::string_view reason) { problem(node.Mark().line + 1, reason); }

  const Section* find(std::string_view name) const {
    for (const Section& section : into_) {
      if (section.schema->name() == name) return &section;
    }
    return nullptr;
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
    const std::string near = nearest_name(name, names);
    if (!near.empty()) return fmt::format("unknown section '{}'; did you mean '{}'?", name, near);
    return fmt::format("unknown section '{}'; there are {}", name, fmt::join(names, ", "));
  }

  void load_section(const Section& section, const YAML::Node& node) {
    if (node.IsNull()) return;
    if (!node.IsMap()) return problem(node, fmt::format("'{}' must be a mapping of settings", section.schema->name()));
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
      const Field* field = section.schema->find(name);
      if (!seen.insert(name).second)
        problem(entry.first, fmt::format("'{}' is set a second time", name));
      else if (field == nullptr)
        problem(entry.first, unknown_setting(*section.schema, name, known_));
      else
        load_field(section, *field, entry.first, entry.second);
    }
  }

  void load_field(const Section& section, const Field& field, const YAML::Node& name, const YAML::Node& node) {
    if (field.kind == Kind::list) return load_list(section, field, node);
    if (node.IsNull() && field.optional) return field.set(section.object, Value());
    if (node.IsNull()) return problem(name, fmt::format("'{}' has no value", field.name));
    if (!node.IsScalar())
      return problem(node, fmt::format("'{}' takes one value: {}", field.name, to_string(field.kind)));
    auto value = field.read(node.Scalar());
    if (!value) return problem(node, fmt::format("{}: {}", field.name, value.error().message));
    field.set(section.object, *value);
  }

  void load_list(const Section& section, const Field& field, const YAML::Node& node) {
    std::vector<std::string> items;
    if (node.IsScalar())
      items.push_back(node.Scalar());
    else if (!node.IsNull() && !node.IsSequence())
      return problem(node, fmt::format("'{}' takes a list of texts", field.name));
    if (node.IsSequence()) {
      for (const auto& item : node) {
        if (!item.IsScalar()) return problem(item, fmt::format("'{}' takes a list of texts", field.name));
        items.push_back(item.Scalar());
      }
    }
    field.set(section.object, items);
  }

  std::string_view file_name_;
  const Sections& into_;
  ConstSections known_;
  std::vector<std::string> problems_;
};

// An upper bound on how deep the parser would go: open flow brackets, or indentation columns of block collections.
bool too_deep(std::string_view text) {
  int open = 0, dashes = 0;
  for (char c : text) {
    if (c == '[' || c == '{')
      ++open;
    else if ((c == ']' || c == '}') && open > 0)
      --open;
    if (c == '\n')
      dashes = 0;
    else if (c == '-' || c == '?' || c == ':')
      ++dashes;
    if (open > kMaxNesting || dashes > 20 * kMaxNesting) return true;
  }
  return false;
}

// Plain where YAML reads it back as the same text, otherwise in double quotes (JSON strings are YAML).
std::string yaml_text(std::string_view text) {
  const bool plain =
      !text.empty() && is_alnum(text.front()) &&
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+") == text.npos;
  if (plain && text != "null") return std::string(text);
  std::string quoted = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\', quoted += static_cast<char>(c);
    else if (c < 0x20 || c == 0x7F)
      quoted += fmt::format("\\x{:02x}", c);
    else
      quoted += static_cast<char>(c);
  }
  return quoted + '"';
}

std::string yaml_value(const Field& field, const Value& value) {
  if (std::holds_alternative<std::monostate>(value)) return "null";
  const auto* items = std::get_if<std::vector<std::string>>(&value);
  if (items == nullptr) return yaml_text(field.write(value));
  if (items->empty()) return "[]";
  std::string lines;
  for (const std::string& item : *items) lines += "\n    - " + yaml_text(item);
  return lines;
}

std::string row_comment(const Field& field) {
  const std::string range = field.range();
  return fmt::format("  # {}{}\n", field.doc, range.empty() ? "" : fmt::format(" ({})", range));
}

}  // namespace

Result<void> load_yaml(std::string_view text, std::string_view file_name, const Sections& into) {
  if (text.size() > kMaxText)
    return fail(ErrorCode::config, fmt::format("{}: larger than 1 MB, this is no settings file", file_name));
  if (text.find('\0') != text.npos)
    return fail(ErrorCode::config, fmt::format("{}: holds NUL bytes, this is no settings file", file_name));
  if (too_deep(text))
    return fail(ErrorCode::config, fmt::format("{}: nested too deep, settings have two levels", file_name));
  Loader loader(file_name, into);
  try {
    loader.load(YAML::Load(std::string(text)));
  } catch (const YAML::Exception& error) {
    loader.problem(error.mark.is_null() ? 1 : error.mark.line + 1, error.msg);
  }
  return loader.result();
}

std::string to_yaml(const ConstSections& sections, Secrets secrets) {
  std::string out;
  for (const ConstSection& section : sections) {
    std::string rows;
    for (const Field& field : section.schema->fields()) {
      if (secrets == Secrets::only && !field.secret()) continue;
      rows += row_comment(field);
      if (field.secret() && secrets == Secrets::hide)
        rows += fmt::format("  # {}: (secret, not written)\n", field.name);
      else {
        const std::string value = yaml_value(field, field.get(section.object));
        rows += fmt::format("  {}:{}{}\n", field.name, value.starts_with('\n') ? "" : " ", value);
      }
    }
    if (rows.empty()) continue;
    if (!out.empty()) out += '\n';
    out += fmt::format("# {}\n{}:\n{}", section.schema->doc(), section.schema->name(), rows);
  }
  return out;
}

}  // namespace caddis::settings
