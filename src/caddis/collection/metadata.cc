#include "caddis/collection/metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "caddis/base/json_text.h"
#include "caddis/base/strings.h"
#include "caddis/base/utf8.h"
#include "caddis/settings/yaml_tree.h"

namespace caddis::collection {
namespace {

constexpr uint64_t kLargestFile = 64 << 10;
constexpr size_t kLongestName = 100;
constexpr settings::YamlLimits kLimits{.nodes = 10'000, .bytes = kLargestFile};

// Returns nothing if it is built of more than texts.
std::optional<std::string> text_of(const settings::YamlNode& node) {
  if (!node.is_sequence()) return node.is_map() ? std::nullopt : std::optional(node.text());
  std::string texts;
  for (const settings::YamlNode* const item : node.items()) {
    if (!item->is_scalar()) return std::nullopt;
    texts += (texts.empty() ? "" : ", ") + item->text();
  }
  return texts;
}

struct ReadFile {
  Metadata metadata;
  std::optional<int> lost_line;  // of a value that is no field
};

Result<ReadFile> read_file(io::Files& files, const std::string& path) {
  ReadFile read;
  if (!files.exists(path)) return read;
  const auto text = files.read_all(path, kLargestFile);
  if (!text) return pass(text.error(), path);
  const auto tree = settings::YamlTree::parse(*text, kLimits);
  if (!tree) return fail(ErrorCode::config, fmt::format("{}:{}: {}", path, tree.error().line, tree.error().reason));
  const settings::YamlNode& root = tree->root();
  if (root.is_null()) return read;
  if (!root.is_map())
    return fail(ErrorCode::config, fmt::format("{}:{}: 'name: value' is wanted in each line", path, root.line()));
  for (size_t i = 0; i < root.entries(); ++i) {
    auto value = text_of(root.value(i));
    const std::string& name = root.name(i).text();
    if (value && !name.empty())
      read.metadata.set(name, *std::move(value));
    else
      read.lost_line = root.value(i).line();
  }
  return read;
}

// JSON's strings are YAML's in double quotes. Names have them, too: null, no and on are no texts without.
std::string yaml_of(const Metadata& metadata) {
  std::string text;
  for (const auto& [name, value] : metadata.fields()) {
    append_json_string(text, name);
    text += ": ";
    append_json_string(text, value);
    text += '\n';
  }
  return text;
}

// Whether every reader of YAML takes it: text in UTF-8 without control characters (those of Latin-1 are 0xc2 and a byte below
// 0xa0), and without U+FFFE and U+FFFF.
bool is_plain_text(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7f) return false;
    if (byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return false;
  }
  return is_utf8(text) && !text.contains("\xef\xbf\xbe") && !text.contains("\xef\xbf\xbf");
}

}  // namespace

std::string_view Metadata::get(std::string_view name) const {
  const auto found = std::ranges::find(fields_, name, &Field::first);
  return found == fields_.end() ? std::string_view() : std::string_view(found->second);
}

void Metadata::set(std::string_view name, std::string value) {
  const auto found = std::ranges::find(fields_, name, &Field::first);
  if (value.empty()) {
    if (found != fields_.end()) fields_.erase(found);
  } else if (found != fields_.end()) {
    found->second = std::move(value);
  } else {
    fields_.emplace_back(name, std::move(value));
  }
}

std::string metadata_file(const Layout& layout) { return layout.within("metadata.yaml"); }

Result<Metadata> read_metadata(io::Files& files, const Layout& layout) {
  return read_metadata(files, metadata_file(layout));
}

Result<Metadata> read_metadata(io::Files& files, const std::string& path) {
  TRY(ReadFile read, read_file(files, path));
  return std::move(read.metadata);
}

Result<void> change_metadata(io::Files& files, const Layout& layout, const std::vector<Metadata::Field>& changes) {
  const std::string path = metadata_file(layout);
  TRY(ReadFile read, read_file(files, path));
  if (read.lost_line)
    return fail(
        ErrorCode::config,
        fmt::format("{}:{}: this value is no text, and would be lost: change the file by hand", path, *read.lost_line));
  for (const auto& [name, value] : changes) {
    const bool is_name = !name.empty() && name.size() <= kLongestName && trim(name) == name && is_plain_text(name) &&
                         !name.contains('\n') && !name.contains('\t');
    if (!is_name)
      return fail(ErrorCode::config,
                  fmt::format("'{}' cannot be the name of a field: it has 1 to {} bytes, no line end, and no "
                              "blank at its ends",
                              name.substr(0, kLongestName), kLongestName));
    if (!is_plain_text(value))
      return fail(ErrorCode::config,
                  fmt::format("the value of '{}' is no text in UTF-8, or has control characters", name));
    read.metadata.set(name, value);
  }
  const std::string text = yaml_of(read.metadata);
  if (text.size() > kLargestFile)
    return fail(ErrorCode::config, fmt::format("{}: all fields together may have {} bytes", path, kLargestFile));
  return files.write_atomically(path, text);
}

}  // namespace caddis::collection
